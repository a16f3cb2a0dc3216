/* Samples into tensors. */
#include "io/wav/wav.h"

#if TSR_HAVE_STDIO

#include "io/bytes/little.h"
#include "io/bytes/slurp.h"
#include "core/table.h"
#include "io/call/limits.h"
#include "io/file/file.h"

#include <string.h>
#include <tessera/ops.h>

/* A sample of some bytes, its sign as the format has it. */
static int32_t sample_at(const uint8_t *p, int bits) {
  if (bits == 8) return p[0];
  if (bits == 16) return (int16_t)tsr__le16(p);
  if (bits == 24) return (int32_t)((uint32_t)p[0] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 24) >> 8;
  return (int32_t)tsr__le32(p);
}

static float float_at(const uint8_t *p) {
  const uint32_t bits = tsr__le32(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double double_at(const uint8_t *p) {
  const uint64_t bits = (uint64_t)tsr__le32(p + 4) << 32 | tsr__le32(p);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int dtype_of(const tsr_wav_info *info, bool as_stored) {
  if (info->floats) return info->bits == 32 ? TSR_F32 : TSR_F64;
  if (!as_stored) return info->bits == 32 ? TSR_F64 : TSR_F32;
  return info->bits == 8 ? TSR_U8 : info->bits == 16 ? TSR_I16 : TSR_I32;
}

/* count samples in order. */
static void convert(const tsr__wav *w, int dtype, size_t count, void *to) {
  const int bits = w->info.bits;
  const double scale = 1.0 / (double)((uint64_t)1 << (bits - 1));
  for (size_t i = 0; i < count; i++) {
    const uint8_t *p = w->data + i * (size_t)(bits / 8);
    if (w->info.floats && bits == 64) {
      ((double *)to)[i] = double_at(p);
    } else if (w->info.floats) {
      ((float *)to)[i] = float_at(p);
    } else {
      const int32_t sample = sample_at(p, bits);
      const double real = (bits == 8 ? (double)sample - 128 : (double)sample) * scale;
      if (dtype == TSR_F32) ((float *)to)[i] = (float)real;
      if (dtype == TSR_F64) ((double *)to)[i] = real;
      if (dtype == TSR_U8) ((uint8_t *)to)[i] = (uint8_t)sample;
      if (dtype == TSR_I16) ((int16_t *)to)[i] = (int16_t)sample;
      if (dtype == TSR_I32) ((int32_t *)to)[i] = sample;
    }
  }
}

/* Into *out as it is given, or empty. */
static tsr_status put(tsr_ctx *ctx, const char *op, const tsr__wav *w, int dtype, tsr_tensor *out) {
  const tsr_index shape[2] = {(tsr_index)w->frames, w->channels};
  const tsr__result result = {
      .dtype = (uint8_t)dtype, .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout, .ndim = 2, .shape = shape};
  tsr_tensor made = {0}, filled = *out;
  tsr_status st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK) st = tsr_desc_init(ctx, dtype, 2, shape, &made);
  if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &made);
  if (st != TSR_OK) return st;
  convert(w, dtype, w->frames * w->channels, made.data);
  if (tsr_is_none(out)) {
    *out = made;
    return TSR_OK;
  }
  const bool fresh = out->data == NULL;
  st = tsr__output(ctx, op, &result, &filled);
  if (st == TSR_OK) st = tsr_copy(ctx, &made, &filled);
  if (st == TSR_OK) *out = filled;
  if (st != TSR_OK && fresh && filled.data != NULL) tsr_release(&filled);
  tsr_release(&made);
  return st;
}

static tsr_status decode(tsr_ctx *ctx, const char *op, const char *where, const uint8_t *bytes, size_t n,
                         const tsr_wav_options *options, tsr_tensor *out, tsr_wav_info *info) {
  tsr__wav w;
  tsr_status st = out != NULL ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (st == TSR_OK) st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = tsr__wav_parse(ctx, op, where, bytes, n, &w);
  if (st != TSR_OK) return st;
  const int dtype = dtype_of(&w.info, options != NULL && options->as_stored);
  tsr__budget budget = tsr__budget_start(ctx, op, where, n);
  if (out->data == NULL) st = tsr__budget_take(&budget, (uint64_t)w.frames * w.channels * tsr_dtype_size(dtype));
  if (st == TSR_OK) st = put(ctx, op, &w, dtype, out);
  if (st == TSR_OK && info != NULL) *info = w.info;
  return st;
}

tsr_status tsr_wav_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_wav_options *options, tsr_tensor *out,
                          tsr_wav_info *info) {
  static const char op[] = "wav_decode";
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  return decode(ctx, op, "", bytes, n, options, out, info);
}

tsr_status tsr_wav_load(tsr_ctx *ctx, const char *path, const tsr_wav_options *options, tsr_tensor *out,
                        tsr_wav_info *info) {
  static const char op[] = "wav_load";
  tsr__file_source f;
  tsr__slurped all;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  tsr_status st = tsr__file_source_open(ctx, op, path, &f);
  if (st != TSR_OK) return st;
  st = tsr__slurp(ctx, op, f.where, &f.source, SIZE_MAX, f.size, &all);
  st = tsr__file_source_close(&f, st);
  if (st != TSR_OK) return st;
  st = decode(ctx, op, f.where, all.bytes, all.n, options, out, info);
  tsr__slurp_release(&all);
  return st;
}

#endif
