/* Transforms of tensors along one axis. */
#ifndef TSR_FFT_TRANSFORM_H
#define TSR_FFT_TRANSFORM_H

#include "core/call.h"
#include "fft/plan.h"

typedef enum tsr__fft_kind {
  TSR__FFT_COMPLEX, /* n elements, real or complex, to n complex ones */
  TSR__FFT_TO_HALF, /* n real elements to n / 2 + 1 complex ones */
  TSR__FFT_TO_REAL  /* n / 2 + 1 elements, real or complex, to n real ones */
} tsr__fft_kind;

/* What an op is: the row of its tsr__op_info. */
typedef struct tsr__fft_form {
  tsr__fft_kind kind;
  bool inverse;
  bool conjugated; /* hfft, ihfft: the complex side is the conjugate, and the norm that of the other direction */
} tsr__fft_form;

/* One axis. */
typedef struct tsr__fft_axis {
  tsr__fft_form form;
  int axis;
  tsr_index n;
  double scale;
  int dtype; /* of a part: f32, f64 */
  const void
      *window; /* n weights of that dtype, by which lines are multiplied before they are transformed; NULL: none */
  tsr__fft_plan *plan;
} tsr__fft_axis;

/* The elements of the complex side of a real axis, and the elements that come out of an axis. */
static inline tsr_index tsr__fft_half(tsr_index n) { return n / 2 + 1; }
static inline tsr_index tsr__fft_length(const tsr__fft_axis *a) {
  return a->form.kind == TSR__FFT_TO_HALF ? tsr__fft_half(a->n) : a->n;
}

/* Whether norm is one: TSR_EARG. */
tsr_status tsr__fft_check_norm(const tsr__call *call, int norm);

/* What it divides by. */
double tsr__fft_scale(tsr__fft_form form, tsr_fft_norm norm, tsr_index n);

/* The dtype of a part of what x is computed in: f32 or f64; TSR_EDTYPE. */
tsr_status tsr__fft_dtype(const tsr__call *call, bool real, int *dtype);
static inline int tsr__fft_complex(int part) { return part == TSR_F32 ? TSR_C64 : TSR_C128; }

/* x as the host's plain tensor, or temporary memory for a copy of it in the dtype that is computed in. */
tsr_status tsr__fft_input(tsr__call *call, int part, tsr_tensor *x);

/* Bytes of temporary memory for all workers: TSR_EOVERFLOW. */
tsr_status tsr__fft_axis_scratch(const tsr__call *call, const tsr__fft_axis *a, size_t *bytes);

/* The plan; TSR_ENOMEM. */
tsr_status tsr__fft_axis_plan(const tsr__call *call, tsr__fft_axis *a);

/* from: of a part dtype or its complex one; to: complex, of TSR__FFT_TO_REAL real. Their other axes agree. They are apart, or the same view. An
 * axis of from that is longer is cropped, one that is shorter has zeros behind it. */
void tsr__fft_transform(const tsr_ctx *ctx, const tsr__fft_axis *a, const tsr_tensor *from, const tsr_tensor *to,
                        void *scratch);

/* The plan goes back. */
void tsr__fft_axis_done(tsr__fft_axis *a);

/* ---- lines.c: a line and the temporary memory that it is transformed in ---- */

/* Lines of a tensor, side by side: steps in bytes. */
typedef struct tsr__fft_side {
  char *at;
  ptrdiff_t step, line_step; /* from element to element, from line to line */
  bool is_complex;
} tsr__fft_side;

typedef struct tsr__fft_copy {
  tsr__fft_side side;
  char *lines;      /* row-major: pitch parts each */
  tsr_index pitch;  /* in numbers */
  tsr_index count;  /* lines */
  tsr_index length; /* elements that are copied; of those to come, up to n, the rest is 0 */
  tsr_index n;
  bool is_complex; /* the lines */
  bool conjugate;
} tsr__fft_copy;

/* Lines in temporary memory times the weights of a window, one for each of their n elements. */
void tsr__fft_apply_window(int dtype, const tsr__fft_copy *copy, const void *window);

void tsr__fft_copy_in(int dtype, const tsr__fft_copy *copy);
void tsr__fft_copy_out(int dtype, const tsr__fft_copy *copy);

#endif
