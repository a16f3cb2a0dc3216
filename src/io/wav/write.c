/* Samples out of tensors. */
#include "io/wav/wav.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/swap.h"
#include "io/bytes/walk.h"
#include "io/file/file.h"

#include <string.h>

enum { HEADER = 44, BLOCK = 4096 };

static void put16(uint8_t *p, uint32_t value) {
  p[0] = (uint8_t)value;
  p[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *p, uint32_t value) {
  put16(p, value & 0xffff);
  put16(p + 2, value >> 16);
}

static void make_header(uint8_t *p, const tsr_tensor *t, uint32_t channels, uint32_t rate, uint32_t bytes) {
  const uint32_t item = (uint32_t)tsr_dtype_size(t->dtype);
  const bool floats = t->dtype == TSR_F32 || t->dtype == TSR_F64;
  memcpy(p, "RIFF    WAVEfmt ", 16);
  put32(p + 4, HEADER - 8 + bytes + (bytes & 1));
  put32(p + 16, 16);
  put16(p + 20, floats ? TSR__WAV_FLOAT : TSR__WAV_PCM);
  put16(p + 22, channels);
  put32(p + 24, rate);
  put32(p + 28, rate * channels * item);
  put16(p + 32, channels * item);
  put16(p + 34, 8 * item);
  memcpy(p + 36, "data", 4);
  put32(p + 40, bytes);
}

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *t, uint32_t rate, uint32_t *channels) {
  const tsr_status st = tsr__check_input(ctx, op, "samples", t);
  if (st != TSR_OK) return st;
  const int d = t->dtype;
  if (d != TSR_U8 && d != TSR_I16 && d != TSR_I32 && d != TSR_F32 && d != TSR_F64)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "samples", "%t: samples are u8, i16, i32, f32 or f64", t);
  const tsr_index n = t->ndim == 2 ? t->shape[1] : 1;
  const size_t frame = (size_t)n * tsr_dtype_size(d);
  if ((t->ndim != 1 && t->ndim != 2) || n < 1 || frame > UINT16_MAX)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "samples",
                     "%t: sound is [frames] or [frames, channels], up to 65535 bytes a frame", t);
  if (rate == 0 || rate > UINT32_MAX / frame) return TSR__FAIL(ctx, TSR_EARG, op, "rate", "%l is none", (int64_t)rate);
  if (tsr_nbytes(t) > UINT32_MAX - HEADER)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "samples", "%t: a WAV file has at most 4 GB", t);
  *channels = (uint32_t)n;
  return TSR_OK;
}

tsr_status tsr_wav_write(tsr_ctx *ctx, const tsr_tensor *samples, uint32_t rate, const tsr_sink *sink) {
  static const char op[] = "wav_write";
  _Alignas(16) uint8_t block[BLOCK];
  uint32_t channels = 0;
  tsr__element_walk walk;
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = check(ctx, op, samples, rate, &channels);
  if (st != TSR_OK) return st;
  const size_t item = tsr_dtype_size(samples->dtype), bytes = tsr_nbytes(samples);
  make_header(block, samples, channels, rate, (uint32_t)bytes);
  st = sink->write(sink->self, block, HEADER);
  if (bytes > 0) tsr__element_walk_init(&walk, samples, false);
  for (size_t left = bytes / item; left > 0 && st == TSR_OK;) {
    const size_t n = left < BLOCK / item ? left : BLOCK / item;
    tsr__element_gather(&walk, n, block);
    if (!TSR__LITTLE_HOST) tsr__swap_bytes(samples->dtype, block, n * item);
    st = sink->write(sink->self, block, n * item);
    left -= n;
  }
  if (st == TSR_OK && (bytes & 1) != 0) st = sink->write(sink->self, "", 1);
  return st == TSR_OK ? st : TSR__FAIL(ctx, st, op, NULL, "the sink failed");
}

static tsr_status write_samples(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_wav_write(ctx, what->tensor, *(const uint32_t *)what->options, sink);
}

tsr_status tsr_wav_save(tsr_ctx *ctx, const char *path, const tsr_tensor *samples, uint32_t rate) {
  const tsr__saving what = {
      .op = "wav_save", .path = path, .write = write_samples, .tensor = samples, .options = &rate};
  return tsr__file_save(ctx, &what);
}

#endif
