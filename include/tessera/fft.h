/** @file fft.h
 *  Discrete Fourier transforms, as NumPy and the array API standard have them.
 *
 *  The forward transform of n elements is X[k] = Σ x[j]·exp(-2πi·j·k/n), the inverse one has +2πi; norm says which of the two is
 *  divided. Any length is taken and none is slow: products of 2, 3, 5, 7 and 11 are quickest, prime factors to 31 are sums of their own, any
 *  other length is a convolution (Bluestein's algorithm).
 *
 *  Dtypes: f32, f16, bf16, f8 and c64 are computed in f32 and give c64, f64 and c128 give c128, and so do integers and bool; where the
 *  result is real it is f32 or f64. An axis is cropped to n elements, or zeros are added behind it.
 *
 *  Errors, in the 2-norm, relative, with u half an ULP of 1: 0.75·u·√log₂ n for products of 2, 3, 5, 7 and 11 and 1.5·u·√log₂ n for primes, as
 *  measured on random numbers (docs/performance.md); tests hold 3·u·√(1 + log₂ n). A line has the same bits whatever its strides, the lines beside
 *  it and the number of threads; instruction sets differ in the last bits (class C). Infinities and NaN spread over their line.
 *
 *  Outputs as in <tessera/ops.h>: any strides, in place, overlapping. Temporary memory is the context's scratch or its allocator's. Tables
 *  of roots belong to plans, which the process keeps and which are not of the context's memory. On microcontrollers (no f64, no malloc) these
 *  functions return TSR_EUNSUPPORTED. */
#ifndef TESSERA_FFT_H
#define TESSERA_FFT_H

#include <tessera/move.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is divided: the inverse transform by n, both by √n, or the forward transform by n. */
typedef enum tsr_fft_norm {
  TSR_FFT_BACKWARD = 0, /**< the inverse transform, by n */
  TSR_FFT_ORTHO = 1,    /**< both, by √n */
  TSR_FFT_FORWARD = 2   /**< the forward transform, by n */
} tsr_fft_norm;

/** The transform along axis of n elements (0: as many as there are), real or complex. TSR_ESHAPE for none. */
TSR_API TSR_MUST_USE tsr_status tsr_fft(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                                        tsr_tensor *out);

/** The inverse transform. */
TSR_API TSR_MUST_USE tsr_status tsr_ifft(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                                         tsr_tensor *out);

/** The transform of n real elements: the n / 2 + 1 that are not conjugates of others. Complex inputs are refused (TSR_EDTYPE). */
TSR_API TSR_MUST_USE tsr_status tsr_rfft(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                                         tsr_tensor *out);

/** Its inverse: n real elements (0: two less than twice as many as x has) of n / 2 + 1. The imaginary part of the first is not looked
 *  at, nor of the last where n is even. */
TSR_API TSR_MUST_USE tsr_status tsr_irfft(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                                          tsr_tensor *out);

/** The transform of a signal whose second half is the conjugate of its first, n / 2 + 1 of its n elements (0: as tsr_irfft): it is real. */
TSR_API TSR_MUST_USE tsr_status tsr_hfft(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                                         tsr_tensor *out);

/** The inverse of tsr_hfft: n real elements (0: as many as there are) to n / 2 + 1. */
TSR_API TSR_MUST_USE tsr_status tsr_ihfft(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                                          tsr_tensor *out);

/** The transform along several axes (NULL: all). n has a length for each axis of x, 0: as it is (NULL: all are as they are); those of
 *  axes that are not transformed are 0. */
TSR_API TSR_MUST_USE tsr_status tsr_fftn(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                         const tsr_index *n, tsr_fft_norm norm, tsr_tensor *out);

/** Its inverse. */
TSR_API TSR_MUST_USE tsr_status tsr_ifftn(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                          const tsr_index *n, tsr_fft_norm norm, tsr_tensor *out);

/** tsr_rfft along the last of the axes, tsr_fft along the others. */
TSR_API TSR_MUST_USE tsr_status tsr_rfftn(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                          const tsr_index *n, tsr_fft_norm norm, tsr_tensor *out);

/** tsr_ifft along all axes but the last one of them, then tsr_irfft along that. */
TSR_API TSR_MUST_USE tsr_status tsr_irfftn(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                           const tsr_index *n, tsr_fft_norm norm, tsr_tensor *out);

/** The frequencies of a transform of n samples that are d apart: 0, 1, …, (n-1)/2, -(n/2), …, -1 over n·d. dtype is real. The same bits
 *  on every machine. */
TSR_API TSR_MUST_USE tsr_status tsr_fftfreq(tsr_ctx *ctx, int dtype, tsr_index n, tsr_real d, tsr_tensor *out);

/** Those of tsr_rfft: 0, 1, …, n/2 over n·d. */
TSR_API TSR_MUST_USE tsr_status tsr_rfftfreq(tsr_ctx *ctx, int dtype, tsr_index n, tsr_real d, tsr_tensor *out);

/** Frequency 0 in the middle of each of the axes (NULL: all): their elements are moved on by half their length, rounded down. */
TSR_API TSR_MUST_USE tsr_status tsr_fftshift(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                             tsr_tensor *out);

/** The way back: for odd lengths by one more. */
TSR_API TSR_MUST_USE tsr_status tsr_ifftshift(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                              tsr_tensor *out);

/** Windows, by their weights at x = -1 … 1. */
typedef enum tsr_window_kind {
  TSR_WINDOW_RECTANGLE = 0, /**< 1 */
  TSR_WINDOW_HANN = 1,      /**< 0.5 + 0.5·cos πx */
  TSR_WINDOW_HAMMING = 2,   /**< 0.54 + 0.46·cos πx */
  TSR_WINDOW_BLACKMAN = 3,  /**< 0.42 + 0.5·cos πx + 0.08·cos 2πx */
  TSR_WINDOW_BARTLETT = 4,  /**< 1 - |x| */
  TSR_WINDOW_KAISER = 5     /**< I₀(beta·√(1 - x²)) / I₀(beta) */
} tsr_window_kind;

/** The n weights of a window, symmetric as NumPy has them, or periodic: n of n + 1, so that shifted copies add up evenly. beta (0 to 700) is Kaiser's,
 *  and not looked at otherwise. dtype is real; computed in f64. The same bits on every instruction set. */
TSR_API TSR_MUST_USE tsr_status tsr_window(tsr_ctx *ctx, int dtype, tsr_window_kind kind, tsr_index n, bool periodic,
                                           tsr_real beta, tsr_tensor *out);

/** Transforms of frames, which show how the frequencies of a signal change: frame t is n elements of x (..., length) from t·hop on, times the
 *  window, transformed. Of real x out is (..., n / 2 + 1, frames), of complex x (..., n, frames); real x (..., length) has
 *  1 + (length - n) / hop frames, and what is left at its end is in none.
 *
 *  window: a vector of at most n real weights (tsr_window, periodic), a shorter one in the middle of the frame; NULL: all are 1. n = 0: as many as
 *  the window has. hop = 0: a quarter of n. center: x gets n / 2 more elements at each end first, made by mode (0 where it is TSR_PAD_CONSTANT),
 *  so that element t·hop is the middle of frame t. norm as for tsr_fft. SciPy's scaling is a window that is divided by its sum; PyTorch's
 *  normalized is TSR_FFT_ORTHO. TSR_ESHAPE: x is shorter than a frame, or than its edges ask for. */
TSR_API TSR_MUST_USE tsr_status tsr_stft(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *window, tsr_index n,
                                         tsr_index hop, bool center, tsr_pad_mode mode, tsr_fft_norm norm,
                                         tsr_tensor *out);

/** The signal of such frames: those of tsr_stft with the same arguments give its signal again, others the signal whose frames are nearest in the sense of
 *  least squares. Each frame is transformed back and weighed once more; what overlaps is added and divided by the squares of the weights that met
 *  there. Where their sum is 0 (under 1e-11 of the largest square) at an element of the result, nothing says what it was, and the call is
 *  TSR_EARG: windows have to overlap so that this is nowhere (NOLA).
 *
 *  x is (..., n / 2 + 1, frames) and the result real; or, with onesided false, (..., n, frames) and complex. n = 0: the even one that x has
 *  the frequencies of. center: the n / 2 elements at each end are left out. length of the result, 0: as far as frames go without the edges;
 *  what no frame covers is 0. */
TSR_API TSR_MUST_USE tsr_status tsr_istft(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *window, tsr_index n,
                                          tsr_index hop, bool center, bool onesided, tsr_fft_norm norm,
                                          tsr_index length, tsr_tensor *out);

/** What is known of the transforms of one length: factors, roots of unity. Calls find theirs by themselves: the process keeps those that
 *  were used last, 64 and 64 MB at most, until tsr_trim. A plan of one's own is held until it is released, found by every
 *  call of its length, dtype and instruction set, and runs lines without a tensor. */
typedef struct tsr_fft_plan tsr_fft_plan;

/** Makes the plan of n elements: dtype c64 or c128 for complex lines, f32 or f64 for real ones (tsr_rfft, tsr_irfft). TSR_EARG, TSR_EDTYPE,
 *  TSR_ENOMEM. The instruction set is the context's. */
TSR_API TSR_MUST_USE tsr_status tsr_fft_plan_new(tsr_ctx *ctx, int dtype, tsr_index n, tsr_fft_plan **plan);

/** Lets go of it; NULL is nothing. */
TSR_API void tsr_fft_plan_release(tsr_fft_plan *plan);

/** The bytes of temporary memory that a run takes. */
TSR_API size_t tsr_fft_plan_scratch(const tsr_fft_plan *plan);

/** Transforms one contiguous line, apart from out or at the same address; nothing is divided. Complex plans: n elements to n. Real ones: n real to
 *  n / 2 + 1 complex, or with inverse the other way. scratch has tsr_fft_plan_scratch bytes, aligned to TSR_DATA_ALIGN, and nobody else
 *  uses it meanwhile. Any number of threads may run one plan. It cannot fail. */
TSR_API void tsr_fft_plan_run(const tsr_fft_plan *plan, bool inverse, const void *in, void *out, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
