/* where, clamp, fma, addcmul, lerp: every dtype, instruction set, and way that operands can lie. */
#include <math.h>
#include "support/helpers.h"
#include "support/test.h"

#include "ops/binary_reference.h"

enum { ROWS = 4, COLS = TSR_HAVE_MALLOC ? 37 : 9, SIZE = ROWS * COLS, ROOM = 2 * SIZE + 64 };
enum { WHERE, CLAMP, FMA, LERP, ADDCMUL, TERNARY_COUNT };
enum { FACTOR = 3 };

static tsr_status addcmul_3(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *a, const tsr_tensor *b,
                            tsr_tensor *out) {
  return tsr_addcmul(ctx, x, a, b, FACTOR, out);
}

static tsr_status (*const calls[TERNARY_COUNT])(tsr_ctx *, const tsr_tensor *, const tsr_tensor *, const tsr_tensor *,
                                                tsr_tensor *) = {tsr_where, tsr_clamp_tensor, tsr_fma, tsr_lerp,
                                                                 addcmul_3};
static const char *const call_names[TERNARY_COUNT] = {"where", "clamp_tensor", "fma", "lerp", "addcmul"};

static _Alignas(64) unsigned char rooms[4][ROOM * 16], kept[ROOM * 16];
static unsigned char expected[SIZE][16];

static void make_elements(test_rng *rng, int dtype, unsigned char *room) {
  static const float special[] = {0.0f, -0.0f, 1.0f, 0.5f, 0.25f, -1.5f, INFINITY, -INFINITY, NAN, 0.75f};
  const size_t item = tsr_dtype_size(dtype);
  for (int i = 0; i < ROOM; i++) {
    const bool odd = test_random(rng) % 4 == 0;
    const float value = odd ? special[test_random(rng) % 10] : (float)(test_random(rng) % 4096) / 512.0f - 4;
    const int kind = ref_kind(dtype);
    unsigned char *const at = room + (size_t)i * item;
    if (dtype == TSR_BOOL)
      *at = test_random(rng) & 1;
    else if (dtype == TSR_F32)
      memcpy(at, &value, 4);
    else if (kind == TSR_CLASS_FLOAT || kind == TSR_CLASS_COMPLEX)
      ref_cast(TSR_F32, &value, dtype, at);
    else
      ref_put_integer(dtype, (uint64_t)test_random(rng) << 32 | test_random(rng), at);
  }
}

/* ---- references ---- */

static void ref_clamp_integer(int dtype, const void *x, const void *lo, const void *hi, void *out) {
  unsigned char above[16];
  ref_binary(OP_maximum, dtype, x, lo, above);
  ref_binary(OP_minimum, dtype, above, hi, out);
}

static float clamp_f32(float x, float lo, float hi) {
  if (isnan(x) || isnan(lo) || isnan(hi)) return NAN;
  if (x < lo) x = lo;
  return x > hi ? hi : x;
}
static float lerp_f32(float a, float b, float w) { return w < 0.5f ? a + w * (b - a) : b - (1 - w) * (b - a); }
static float value_f32(int op, float a, float b, float c) {
  return op == CLAMP  ? clamp_f32(a, b, c)
         : op == FMA  ? fmaf(a, b, c)
         : op == LERP ? lerp_f32(a, b, c)
                      : a + FACTOR * b * c;
}
#if TSR_HAVE_F64
static double clamp_f64(double x, double lo, double hi) {
  if (isnan(x) || isnan(lo) || isnan(hi)) return NAN;
  if (x < lo) x = lo;
  return x > hi ? hi : x;
}
static double lerp_f64(double a, double b, double w) { return w < 0.5 ? a + w * (b - a) : b - (1 - w) * (b - a); }
static double value_f64(int op, double a, double b, double c) {
  return op == CLAMP  ? clamp_f64(a, b, c)
         : op == FMA  ? fma(a, b, c)
         : op == LERP ? lerp_f64(a, b, c)
                      : a + FACTOR * b * c;
}
#endif

static void load(int dtype, const void *at, int wide, void *value) {
  if (dtype == wide)
    memcpy(value, at, tsr_dtype_size(wide));
  else
    ref_cast(dtype, at, wide, value);
}

static int result_of(int op, int dtype) { return op == LERP ? ref_result(OP_div, dtype) : dtype; }

static bool accepts(int op, int dtype) {
  if (op == WHERE) return true;
  if (!tsr_dtype_supported(dtype) || ref_kind(dtype) == TSR_CLASS_COMPLEX) return false;
  return dtype != TSR_BOOL || (op != FMA && op != ADDCMUL);
}

static void ref_ternary(int op, int dtype, const void *a, const void *b, const void *c, void *out) {
  const int result = result_of(op, dtype);
  if (op == WHERE) {
    memcpy(out, *(const uint8_t *)a != 0 ? b : c, tsr_dtype_size(dtype));
  } else if (ref_kind(result) != TSR_CLASS_FLOAT) {
    if (op == CLAMP)
      ref_clamp_integer(dtype, a, b, c, out);
    else if (op == FMA)
      ref_put_integer(dtype, ref_u64(dtype, a) * ref_u64(dtype, b) + ref_u64(dtype, c), out);
    else
      ref_put_integer(dtype, ref_u64(dtype, a) + FACTOR * ref_u64(dtype, b) * ref_u64(dtype, c), out);
#if TSR_HAVE_F64
  } else if (result == TSR_F64) {
    double x = 0, y = 0, z = 0;
    load(dtype, a, TSR_F64, &x), load(dtype, b, TSR_F64, &y), load(dtype, c, TSR_F64, &z);
    const double value = value_f64(op, x, y, z);
    memcpy(out, &value, 8);
#endif
  } else {
    float x = 0, y = 0, z = 0;
    load(dtype, a, TSR_F32, &x), load(dtype, b, TSR_F32, &y), load(dtype, c, TSR_F32, &z);
    const float value = value_f32(op, x, y, z);
    if (result == TSR_F32)
      memcpy(out, &value, 4);
    else
      ref_cast(TSR_F32, &value, result, out);
  }
}

/* ---- every way ---- */

typedef struct lie {
  int ndim;
  tsr_index shape[2], stride[2], first;
} lie;
#define DENSE \
  { 2, {ROWS, COLS}, {COLS, 1}, 0 }
#define TRANSPOSED \
  { 2, {ROWS, COLS}, {1, ROWS}, 1 }
#define BACKWARDS \
  { 2, {ROWS, COLS}, {COLS, -1}, COLS - 1 }
#define ONE_ROW \
  { 1, {COLS}, {1}, 3 }
#define ONE_COLUMN \
  { 2, {ROWS, 1}, {1, 0}, 0 }
#define A_NUMBER \
  { 0, {0}, {0}, 5 }
#define OFF_BY_ONE \
  { 2, {ROWS, COLS}, {COLS, 1}, 1 }

static const struct way {
  const char *name;
  lie operand[4]; /* the output first */
  int place;      /* the input whose memory the output is, 0: none */
} ways[] = {
    {"dense", {DENSE, DENSE, DENSE, DENSE}, 0},
    {"rows and columns", {DENSE, ONE_COLUMN, ONE_ROW, DENSE}, 0},
    {"two numbers", {DENSE, DENSE, A_NUMBER, A_NUMBER}, 0},
    {"second a number", {DENSE, OFF_BY_ONE, A_NUMBER, DENSE}, 0},
    {"third a number", {OFF_BY_ONE, DENSE, DENSE, A_NUMBER}, 0},
    {"first a number", {DENSE, A_NUMBER, DENSE, ONE_ROW}, 0},
    {"transposed", {TRANSPOSED, DENSE, TRANSPOSED, DENSE}, 0},
    {"backwards", {DENSE, BACKWARDS, DENSE, BACKWARDS}, 0},
    {"in place of the second", {DENSE, DENSE, DENSE, ONE_ROW}, 2},
    {"in place of the third", {TRANSPOSED, DENSE, DENSE, TRANSPOSED}, 3},
    {"one element on", {OFF_BY_ONE, DENSE, DENSE, DENSE}, 3},
};

static tsr_tensor lay(const lie *l, int dtype, unsigned char *room) {
  tsr_tensor t = {.dtype = (uint8_t)dtype, .ndim = (uint8_t)l->ndim};
  for (int i = 0; i < l->ndim; i++) {
    t.shape[i] = l->shape[i];
    t.stride[i] = l->stride[i];
  }
  t.data = room + (size_t)l->first * tsr_dtype_size(dtype);
  return t;
}

static const unsigned char *element(const tsr_tensor *t, int number) {
  const tsr_index index[2] = {number / COLS, number % COLS};
  tsr_index at = 0;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] != 1) at += index[2 - t->ndim + i] * t->stride[i];
  return (const unsigned char *)t->data + (ptrdiff_t)at * (ptrdiff_t)tsr_dtype_size(t->dtype);
}

static bool run_way(test_rng *rng, tsr_ctx *ctx, int op, int dtype, const struct way *way) {
  const int result = result_of(op, dtype);
  tsr_tensor in[3];
  for (int k = 0; k < 3; k++) {
    const int own = op == WHERE && k == 0 ? TSR_BOOL : dtype;
    make_elements(rng, own, rooms[k + 1]);
    in[k] = lay(&way->operand[k + 1], own, rooms[k + 1]);
  }
  tsr_tensor out = lay(&way->operand[0], result, rooms[way->place]);
  for (int i = 0; i < SIZE; i++)
    ref_ternary(op, dtype, element(&in[0], i), element(&in[1], i), element(&in[2], i), expected[i]);
  memcpy(kept, rooms[way->place], sizeof kept);
  bool good = true;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    memcpy(rooms[way->place], kept, sizeof kept);
    ctx->isa = (uint8_t)(isa + 1);
    const tsr_status st = calls[op](ctx, &in[0], &in[1], &in[2], &out);
    bool same = st == TSR_OK;
    for (int i = 0; i < SIZE && same; i++) same = ref_same(result, expected[i], element(&out, i));
    if (same) continue;
    if (test_now.failures < 20)
      printf("%s of %s, %s, %s: %s\n", call_names[op], tsr_dtype_name(dtype), way->name, tsr_isa_name(isa),
             st == TSR_OK ? "wrong" : tsr_error(ctx));
    good = false;
  }
  return good;
}

TEST(every_op_dtype_and_way_is_as_the_reference) {
  test_rng rng = {17};
  tsr_ctx *const ctx = test_context();
  for (int op = 0; op < TERNARY_COUNT; op++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
      for (int w = 0; w < COUNT_OF(ways) && accepts(op, dtype); w++)
        if (tsr_dtype_supported(dtype)) CHECK(run_way(&rng, ctx, op, dtype, &ways[w]));
}

/* ---- forms with numbers ---- */

TEST(clamp_with_numbers) {
  tsr_ctx *const ctx = test_context();
  float x[6] = {-3, -0.5f, 0, 2, NAN, INFINITY}, z[6];
  tsr_tensor a = {0}, out = {0}, small = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(6), &a));
  OK(ctx, tsr_from_memory(ctx, z, TSR_F32, TSR_SHAPE(6), &out));
  OK(ctx, tsr_clamp(ctx, &a, -1, 1, &out));
  CHECK(z[0] == -1 && z[1] == -0.5f && z[2] == 0 && z[3] == 1 && isnan(z[4]) && z[5] == 1);
  OK(ctx, tsr_clamp(ctx, &a, 1, -1, &out));
  CHECK(z[0] == -1 && z[3] == -1 && isnan(z[4]));
  OK(ctx, tsr_clamp(ctx, &a, NAN, 1, &out));
  CHECK(isnan(z[0]) && isnan(z[3]) && isnan(z[4]));
  OK(ctx, tsr_clamp(ctx, &a, -INFINITY, 1, &a));
  CHECK(x[0] == -3 && x[3] == 1);
  uint8_t bytes[3] = {0, 100, 255};
  OK(ctx, tsr_from_memory(ctx, bytes, TSR_U8, TSR_SHAPE(3), &small));
  OK(ctx, tsr_clamp(ctx, &small, 10, 200, &small));
  CHECK(bytes[0] == 10 && bytes[1] == 100 && bytes[2] == 200);
  FAILS(ctx, TSR_ERANGE, tsr_clamp(ctx, &small, -1, 200, &small));
  MESSAGE_HAS(ctx, "clamp: lo -1 does not fit u8");
  FAILS(ctx, TSR_ERANGE, tsr_clamp(ctx, &small, 0, 256, &small));
  MESSAGE_HAS(ctx, "clamp: hi 256 does not fit u8");
}

TEST(lerp_with_a_number) {
  tsr_ctx *const ctx = test_context();
  float x[3] = {0, 10, -1e30f}, y[3] = {1, 20, 1e10f}, z[3];
  tsr_tensor a = {0}, b = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(3), &a));
  OK(ctx, tsr_from_memory(ctx, y, TSR_F32, TSR_SHAPE(3), &b));
  OK(ctx, tsr_from_memory(ctx, z, TSR_F32, TSR_SHAPE(3), &out));
  OK(ctx, tsr_lerp_scalar(ctx, &a, &b, (tsr_real)0.25, &out));
  CHECK(z[0] == 0.25f && z[1] == 12.5f);
  OK(ctx, tsr_lerp_scalar(ctx, &a, &b, 1, &out));
  CHECK(z[0] == y[0] && z[1] == y[1] && z[2] == y[2]);
  OK(ctx, tsr_lerp_scalar(ctx, &a, &b, 0, &out));
  CHECK(z[0] == x[0] && z[1] == x[1] && z[2] == x[2]);
  int16_t whole[2] = {0, 10};
  tsr_tensor from = {0}, fresh = {0};
  OK(ctx, tsr_from_memory(ctx, whole, TSR_I16, TSR_SHAPE(2), &from));
  OK(ctx, tsr_lerp_scalar(ctx, &from, &from, (tsr_real)0.5, &fresh));
  CHECK(fresh.dtype == TSR_F32 && ((const float *)fresh.data)[1] == 10);
  tsr_release(&fresh);
  CHECK(test_live() == 0);
}

/* tsr_fma is the C library's: picolibc's rounds twice where floats are in software. */
static bool library_fuses(void) {
  volatile float a = 0x1.000002p0f, c = -0x1.000004p0f;
  return fmaf(a, a, c) != 0;
}

/* What a product and a sum that round twice get wrong. */
TEST(fma_rounds_once) {
  tsr_ctx *const ctx = test_context();
  if (!library_fuses()) SKIP("the C library's fmaf rounds twice");
  const float tiny = 0x1p-12f;
  float x[2] = {1 + tiny, 0x1.000002p0f}, y[2] = {1 - tiny, 0x1.000002p0f}, w[2] = {-1, -0x1.000004p0f}, z[2];
  tsr_tensor a = {0}, b = {0}, c = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2), &a));
  OK(ctx, tsr_from_memory(ctx, y, TSR_F32, TSR_SHAPE(2), &b));
  OK(ctx, tsr_from_memory(ctx, w, TSR_F32, TSR_SHAPE(2), &c));
  OK(ctx, tsr_from_memory(ctx, z, TSR_F32, TSR_SHAPE(2), &out));
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    ctx->isa = (uint8_t)(isa + 1);
    OK(ctx, tsr_fma(ctx, &a, &b, &c, &out));
    CHECK(z[0] == -0x1p-24f && z[1] == 0x1p-46f);
  }
}

/* ---- addcmul ---- */

#include "golden/ternary.inc"

TEST(addcmul_is_as_in_numpy) {
  static _Alignas(16) unsigned char got[1024 * 8];
  tsr_ctx *const ctx = test_context();
  for (int r = 0; r < COUNT_OF(golden_rows); r++) {
    const int n = golden_rows[r].count, dtype = golden_rows[r].dtype;
    if (!tsr_dtype_supported(dtype)) continue;
    tsr_tensor x = {0}, a = {0}, b = {0}, out = {0};
    OK(ctx, tsr_from_const_memory(ctx, golden_rows[r].values, dtype, TSR_SHAPE(n, 1, 1), &x));
    OK(ctx, tsr_from_const_memory(ctx, golden_rows[r].values, dtype, TSR_SHAPE(n, 1), &a));
    OK(ctx, tsr_from_const_memory(ctx, golden_rows[r].values, dtype, TSR_SHAPE(n), &b));
    OK(ctx, tsr_from_memory(ctx, got, dtype, TSR_SHAPE(n, n, n), &out));
    OK(ctx, tsr_addcmul(ctx, &x, &a, &b, (tsr_real)golden_rows[r].factor, &out));
    const size_t item = tsr_dtype_size(dtype);
    for (size_t i = 0; i < (size_t)(n * n * n); i++)
      CHECK(ref_same(dtype, (const unsigned char *)golden_rows[r].results + i * item, got + i * item));
  }
}

TEST(the_number_of_addcmul_takes_the_dtype_of_the_sum) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor bytes = {0}, flags = {0}, small = {0}, out = {0};
  OK(ctx, tsr_full(ctx, TSR_U8, TSR_SHAPE(3), 4, &bytes));
  OK(ctx, tsr_zeros(ctx, TSR_BOOL, TSR_SHAPE(3), &flags));
  FAILS(ctx, TSR_ERANGE, tsr_addcmul(ctx, &bytes, &bytes, &bytes, (tsr_real)0.5, &out));
  MESSAGE_HAS(ctx, "addcmul: value 0.5 is not a whole number");
  FAILS(ctx, TSR_ERANGE, tsr_addcmul(ctx, &bytes, &bytes, &bytes, 256, &out));
  MESSAGE_HAS(ctx, "addcmul: value 256 does not fit u8");
  FAILS(ctx, TSR_EDTYPE, tsr_addcmul(ctx, &flags, &flags, &flags, 1, &out));
  MESSAGE_HAS(ctx, "addcmul: x is bool, a is bool, b is bool");
  FAILS(ctx, TSR_EARG, tsr_addcmul(ctx, &bytes, &bytes, NULL, 1, &out));
  MESSAGE_HAS(ctx, "addcmul: b is NULL");
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_addcmul(ctx, &bytes, &bytes, &bytes, 16, &out)); /* 4 + 256 wraps */
  CHECK(((const uint8_t *)out.data)[2] == 4);
  tsr_release(&out);
  if (tsr_dtype_supported(TSR_F16)) {
    OK(ctx, tsr_full(ctx, TSR_F16, TSR_SHAPE(3), 1, &small));
    OK(ctx, tsr_addcmul(ctx, &small, &small, &small, (tsr_real)0x1p-20, &out)); /* not rounded to f16 on the way */
    CHECK(((const uint16_t *)out.data)[1] == 0x3c00);
    tsr_release(&small);
    tsr_release(&out);
  }
  tsr_release(&bytes);
  tsr_release(&flags);
  CHECK(test_live() == 0);
}

/* ---- bad calls ---- */

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, other = {0}, flags = {0}, whole = {0}, out = {0};
  memset(rooms, 0, sizeof rooms);
  OK(ctx, tsr_from_memory(ctx, rooms[0], TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, rooms[1], TSR_F32, TSR_SHAPE(4), &other));
  OK(ctx, tsr_from_memory(ctx, rooms[2], TSR_BOOL, TSR_SHAPE(2, 3), &flags));
  OK(ctx, tsr_from_memory(ctx, rooms[3], TSR_I32, TSR_SHAPE(2, 3), &whole));
  FAILS(ctx, TSR_EDTYPE, tsr_where(ctx, &x, &x, &x, &out));
  MESSAGE_HAS(ctx, "where: cond is f32, not bool");
  FAILS(ctx, TSR_EARG, tsr_where(ctx, NULL, &x, &x, &out));
  MESSAGE_HAS(ctx, "where: cond is NULL");
  FAILS(ctx, TSR_EARG, tsr_where(ctx, &flags, &x, NULL, &out));
  MESSAGE_HAS(ctx, "where: b is NULL");
  FAILS(ctx, TSR_ESHAPE, tsr_where(ctx, &flags, &x, &other, &out));
  MESSAGE_HAS(ctx, "where: cond [2,3] and b [4] do not broadcast: axis 1 is 3 against 4");
  FAILS(ctx, TSR_ESHAPE, tsr_clamp_tensor(ctx, &x, &x, &other, &out));
  MESSAGE_HAS(ctx, "clamp_tensor: x [2,3] and hi [4] do not broadcast");
  FAILS(ctx, TSR_EARG, tsr_clamp(ctx, NULL, 0, 1, &out));
  MESSAGE_HAS(ctx, "clamp: x is NULL");
  FAILS(ctx, TSR_EARG, tsr_clamp(ctx, &x, 0, 1, NULL));
  MESSAGE_HAS(ctx, "clamp: out is NULL");
  FAILS(ctx, TSR_EDTYPE, tsr_fma(ctx, &flags, &flags, &flags, &out));
  MESSAGE_HAS(ctx, "fma: a is bool, b is bool, c is bool");
  FAILS(ctx, TSR_EARG, tsr_fma(ctx, &x, &x, NULL, &out));
  MESSAGE_HAS(ctx, "fma: c is NULL");
  FAILS(ctx, TSR_EARG, tsr_lerp(ctx, &x, NULL, &x, &out));
  MESSAGE_HAS(ctx, "lerp: b is NULL");
  FAILS(ctx, TSR_EDTYPE, tsr_lerp(ctx, &x, &x, &x, &whole));
  MESSAGE_HAS(ctx, "lerp: out is i32 [2,3], the result is f32 [2,3]");
  FAILS(ctx, TSR_EARG, tsr_lerp_scalar(ctx, &x, NULL, 0, &out));
  MESSAGE_HAS(ctx, "lerp_scalar: b is NULL");
  x.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_where(ctx, &flags, &x, &x, &x));
  MESSAGE_HAS(ctx, "where: out f32 [2,3] is read-only");
  CHECK(tsr_is_none(&out));
}

TEST_MAIN(RUN(every_op_dtype_and_way_is_as_the_reference), RUN(clamp_with_numbers), RUN(lerp_with_a_number),
          RUN(fma_rounds_once), RUN(addcmul_is_as_in_numpy), RUN(the_number_of_addcmul_takes_the_dtype_of_the_sum),
          RUN(bad_calls_say_what_is_wrong))
