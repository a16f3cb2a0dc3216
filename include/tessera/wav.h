/** @file wav.h
 *  Sound: WAV files (RIFF, also RF64 for large ones) to and from tensors. Needs no library. */
#ifndef TESSERA_WAV_H
#define TESSERA_WAV_H

#include <tessera/io.h>
#include <tessera/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_wav_options {
  bool as_stored;                /**< the numbers of the file; else floats from -1 to 1 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_wav_options;

/** What is in a file beside its samples. */
typedef struct tsr_wav_info {
  uint32_t rate; /**< frames a second */
  uint16_t bits; /**< of a sample: 8, 16, 24, 32, 64 */
  bool floats;
} tsr_wav_info;

/** Reads n bytes in memory as [frames, channels]: PCM of 8, 16, 24 and 32 bits, floats of 32 and 64, also as
 *  WAVE_FORMAT_EXTENSIBLE. f32 (of 32 bits and more f64), x / 2^(bits - 1), 8 bits being (x - 128) / 128; or as they are
 *  stored: u8, i16, i32 (24 bits too), f32, f64. Other chunks are passed over. A file that was cut is TSR_EFORMAT, but
 *  where its header says that the length is not known (0 or 2^32 - 1, as from a pipe). An empty *out is allocated; a given
 *  one takes the samples when dtype and shape fit. info and options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_wav_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_wav_options *options, tsr_tensor *out, tsr_wav_info *info);

/** The same from a file. */
TSR_API TSR_MUST_USE tsr_status tsr_wav_load(tsr_ctx *ctx, const char *path, const tsr_wav_options *options,
                                             tsr_tensor *out, tsr_wav_info *info);

/** Writes samples, [frames] or [frames, channels] of any strides: u8 and i16 and i32 as they are, f32 and f64 as floats. rate is
 *  frames a second, 1 or more; at most 65535 channels and 4 GB: TSR_EARG, TSR_ESHAPE, TSR_EOVERFLOW. */
TSR_API TSR_MUST_USE tsr_status tsr_wav_write(tsr_ctx *ctx, const tsr_tensor *samples, uint32_t rate,
                                              const tsr_sink *sink);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_wav_save(tsr_ctx *ctx, const char *path, const tsr_tensor *samples, uint32_t rate);
#endif

#ifdef __cplusplus
}
#endif

#endif
