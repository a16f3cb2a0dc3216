/* The dtypes that no tensor has, as numbers. */
#include "io/safetensors/safetensors.h"

#include "core/dtypes.h"

#include <math.h>
#include <string.h>

static const char op[] = "safetensors_unpack";

/* A format of at most 8 bits: sign, exponent, mantissa. */
typedef struct small {
  const char *name;
  uint8_t bits, exponent, mantissa, bias;
  bool fnuz; /* the one NaN is the negative zero */
} small;

static const small smalls[] = {
    {"F4", 4, 2, 1, 1, false},         {"F6_E2M3", 6, 2, 3, 1, false},     {"F6_E3M2", 6, 3, 2, 3, false},
    {"F8_E4M3FNUZ", 8, 4, 3, 8, true}, {"F8_E5M2FNUZ", 8, 5, 2, 16, true}, {"F8_E8M0", 8, 8, 0, 127, false},
};

static const small *find(const char *name) {
  for (size_t i = 0; i < sizeof smalls / sizeof smalls[0]; i++)
    if (strcmp(smalls[i].name, name) == 0) return &smalls[i];
  return NULL;
}

static float power_of_two(int exponent) { return ldexpf(1.0f, exponent); }

/* E8M0 is a power of two without a sign, and 255 is NaN. */
static float number_of(const small *s, unsigned code) {
  if (s->mantissa == 0) return code == 255 ? NAN : power_of_two((int)code - s->bias);
  const unsigned sign = code >> (s->bits - 1), fraction = code & ((1u << s->mantissa) - 1);
  const int exponent = (int)(code >> s->mantissa & ((1u << s->exponent) - 1));
  if (s->fnuz && sign != 0 && exponent == 0 && fraction == 0) return NAN;
  const int scale = (exponent > 0 ? exponent : 1) - s->bias - s->mantissa;
  const float value = (float)((exponent > 0 ? 1u << s->mantissa : 0) + fraction) * power_of_two(scale);
  return sign != 0 ? -value : value;
}

/* Elements follow each other from the lowest bit of the first byte on. */
static unsigned code_at(const uint8_t *bytes, size_t i, int bits) {
  const size_t at = i / 8 * (size_t)bits + i % 8 * (size_t)bits / 8; /* no i * bits, which may wrap */
  const unsigned shift = (unsigned)(i % 8 * (size_t)bits % 8);
  unsigned code = (unsigned)bytes[at] >> shift;
  if (shift + (unsigned)bits > 8) code |= (unsigned)bytes[at + 1] << (8 - shift);
  return code & ((1u << bits) - 1);
}

/* The bytes of so many elements; false where they cannot be counted. */
static bool bytes_of(int ndim, const tsr_index *shape, int bits, size_t *bytes) {
  size_t count = 1;
  bool empty = false;
  for (int i = 0; i < ndim; i++) {
    if (shape[i] < 0) return false;
    empty = empty || shape[i] == 0;
  }
  for (int i = 0; i < ndim && !empty; i++)
    if (!tsr__mul_size(count, (size_t)shape[i], &count)) return false;
  if (empty) count = 0;
  *bytes = count / 8 * (size_t)bits + (count % 8 * (size_t)bits + 7) / 8;
  return true;
}

static tsr_status check(tsr_ctx *ctx, const tsr_tensor *bytes, const char *type, const small **found, int ndim,
                        const tsr_index *shape) {
  size_t needed = 0;
  const tsr_status st = tsr__check_input(ctx, op, "bytes", bytes);
  if (st != TSR_OK) return st;
  if (type == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "type", "is NULL");
  *found = find(type);
  if (*found == NULL) return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "type", "%s is none that needs it", type);
  if (ndim < 0 || ndim > TSR_MAX_DIMS || (ndim > 0 && shape == NULL))
    return TSR__FAIL(ctx, TSR_EARG, op, "shape", "no shape of %d axes", ndim);
  if (bytes->dtype != TSR_U8) return TSR__FAIL(ctx, TSR_EDTYPE, op, "bytes", "%t: u8 is expected", bytes);
  if (!tsr_is_contiguous(bytes, TSR_ROW_MAJOR))
    return TSR__FAIL(ctx, TSR_ESTRIDE, op, "bytes", "%t is not contiguous", bytes);
  if (!bytes_of(ndim, shape, (*found)->bits, &needed))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "shape", "more elements than can be counted");
  if (needed != tsr_nbytes(bytes))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "bytes", "%t: the shape takes %z bytes", bytes, needed);
  return TSR_OK;
}

tsr_status tsr_safetensors_unpack(tsr_ctx *ctx, const tsr_tensor *bytes, const char *type, int ndim,
                                  const tsr_index *shape, tsr_tensor *out) {
  const small *s = NULL;
  tsr_status st = check(ctx, bytes, type, &s, ndim, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {.dtype = TSR_F32, .layout = TSR_PLAIN, .ndim = ndim, .shape = shape};
  tsr_tensor filled = {0};
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (!tsr_is_none(out)) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "%t is not empty", out);
  float numbers[256];
  for (unsigned i = 0; i < 1u << s->bits; i++) numbers[i] = number_of(s, i);
  st = tsr__output(ctx, op, &result, &filled);
  if (st != TSR_OK) return st;
  const size_t count = (size_t)tsr_size(&filled);
  float *const to = filled.data;
  for (size_t i = 0; i < count; i++) to[i] = numbers[code_at(bytes->data, i, s->bits)];
  *out = filled;
  return TSR_OK;
}
