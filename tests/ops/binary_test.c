/* Binary ops against naive references: every op, dtype, instruction set, and way that operands can lie. */
#include "support/helpers.h"
#include "support/test.h"

#include "ops/binary_reference.h"

enum { ROWS = 3, COLS = TSR_HAVE_MALLOC ? 37 : 9, SIZE = ROWS * COLS, ROOM = 4 * SIZE + 64 };

/* ---- values ---- */

/* Numbers that ops treat specially; what does not fit a dtype becomes what tsr_cast makes of it. */
static const float special_floats[] = {0.0f, -0.0f, 1.0f,     -1.0f,     0.5f, -2.5f,
                                       3.0f, -7.0f, INFINITY, -INFINITY, NAN,  6e4f};
static const int64_t special_integers[] = {0,  1,  -1,  2,    -2,       7,         8,         -7,        31,       32,
                                           63, 64, 100, -128, INT8_MAX, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX};

static void make_element(test_rng *rng, int dtype, void *at) {
  const bool special = test_random(rng) % 3 == 0;
  if (dtype == TSR_BOOL) {
    *(uint8_t *)at = test_random(rng) & 1;
  } else if (ref_kind(dtype) == TSR_CLASS_COMPLEX) {
    const int part = ref_part(dtype);
    make_element(rng, part, at);
    make_element(rng, part, (char *)at + tsr_dtype_size(part));
  } else if (ref_kind(dtype) == TSR_CLASS_FLOAT) {
    const float value = special ? special_floats[test_random(rng) % (unsigned)COUNT_OF(special_floats)]
                                : (float)((int)(test_random(rng) % 2001) - 1000) / 64.0f;
    if (dtype == TSR_F32)
      memcpy(at, &value, 4);
    else
      ref_cast(TSR_F32, &value, dtype, at);
  } else {
    const uint64_t any = (uint64_t)test_random(rng) << 32 | test_random(rng);
    const int64_t value = special_integers[test_random(rng) % (unsigned)COUNT_OF(special_integers)];
    ref_put_integer(dtype, special ? (uint64_t)value : any >> test_random(rng) % 64, at);
  }
}

/* Room for the operands of one call, filled anew for each. */
static _Alignas(64) unsigned char a_room[ROOM * 16], b_room[ROOM * 16], out_room[ROOM * 16], kept[ROOM * 16];
static unsigned char expected[SIZE][16];

static void make_elements(test_rng *rng, int dtype, unsigned char *room) {
  for (int i = 0; i < ROOM; i++) make_element(rng, dtype, room + (size_t)i * tsr_dtype_size(dtype));
}

/* ---- memory layouts ---- */

typedef struct lie {
  int ndim;
  tsr_index shape[2], stride[2], first;
} lie;

#define DENSE \
  { 2, {ROWS, COLS}, {COLS, 1}, 0 }
#define OFF_BY_ONE \
  { 2, {ROWS, COLS}, {COLS, 1}, 1 }
#define TRANSPOSED \
  { 2, {ROWS, COLS}, {1, ROWS}, 0 }
#define BACKWARDS \
  { 2, {ROWS, COLS}, {-COLS, -1}, SIZE - 1 }
#define EVERY_SECOND \
  { 2, {ROWS, COLS}, {2 * COLS + 3, 2}, 1 }
#define ONE_ROW \
  { 1, {COLS}, {1}, 3 }
#define ONE_COLUMN \
  { 2, {ROWS, 1}, {1, 0}, 0 }
#define A_NUMBER \
  { 0, {0}, {0}, 5 }
#define REPEATED \
  { 2, {ROWS, COLS}, {0, 0}, 2 }

/* Which operand's memory the output is. */
enum { APART, IS_A, IS_B };

static const struct way {
  const char *name;
  lie a, b, out;
  int place;
} ways[] = {
    {"dense", DENSE, DENSE, DENSE, APART},
    {"off by one", OFF_BY_ONE, DENSE, OFF_BY_ONE, APART},
    {"a transposed", TRANSPOSED, DENSE, DENSE, APART},
    {"out transposed", DENSE, TRANSPOSED, TRANSPOSED, APART},
    {"backwards", BACKWARDS, DENSE, DENSE, APART},
    {"all backwards", BACKWARDS, BACKWARDS, BACKWARDS, APART},
    {"every second", EVERY_SECOND, EVERY_SECOND, EVERY_SECOND, APART},
    {"b is a row", DENSE, ONE_ROW, DENSE, APART},
    {"a is a column", ONE_COLUMN, DENSE, DENSE, APART},
    {"column and row", ONE_COLUMN, ONE_ROW, DENSE, APART},
    {"b is a number", DENSE, A_NUMBER, DENSE, APART},
    {"a is a number", A_NUMBER, EVERY_SECOND, DENSE, APART},
    {"a repeats", REPEATED, DENSE, TRANSPOSED, APART},
    {"in place of a", DENSE, ONE_ROW, DENSE, IS_A},
    {"in place of b", OFF_BY_ONE, DENSE, DENSE, IS_B},
    {"in place of both", EVERY_SECOND, EVERY_SECOND, EVERY_SECOND, IS_A},
    {"one element on", DENSE, DENSE, OFF_BY_ONE, IS_A},
    {"over a row", DENSE, ONE_ROW, DENSE, IS_B},
    {"turned round", DENSE, DENSE, BACKWARDS, IS_B},
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

/* The element of t that goes to row and column of the result. */
static const unsigned char *element(const tsr_tensor *t, tsr_index row, tsr_index col) {
  const tsr_index index[2] = {row, col};
  tsr_index at = 0;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] != 1) at += index[2 - t->ndim + i] * t->stride[i];
  return (const unsigned char *)t->data + (ptrdiff_t)at * (ptrdiff_t)tsr_dtype_size(t->dtype);
}

static void expect(int op, int dtype, const tsr_tensor *a, const tsr_tensor *b) {
  for (int i = 0; i < SIZE; i++)
    ref_binary(op, dtype, element(a, i / COLS, i % COLS), element(b, i / COLS, i % COLS), expected[i]);
}

/* The class of an op (support/op_rows.def): 'A', the same bits everywhere, unless it has a row. */
static char class_of(const char *name) {
  static const struct {
    const char *name;
    char class_;
  } rows[] = {
#define ROW(name, make, class_, flags) {#name, class_},
#include "support/op_rows.def"
#undef ROW
  };
  for (int i = 0; i < COUNT_OF(rows); i++)
    if (strcmp(rows[i].name, name) == 0) return rows[i].class_;
  return 'A';
}

/* Quotients and powers of complex numbers, which are within a few units of the whole number; powers of what is not finite
 * are NumPy's, and complex_test's. */
static bool is_near_complex(int op, int dtype, const void *a, const void *b) {
  double want[2] = {0}, got[2] = {0};
  if (op != OP_div && op != OP_pow) return false;
  for (int k = 0; k < 2; k++) {
    const size_t at = (size_t)k * tsr_dtype_size(ref_part(dtype));
    ref_cast(ref_part(dtype), (const char *)a + at, TSR_F64, &want[k]);
    ref_cast(ref_part(dtype), (const char *)b + at, TSR_F64, &got[k]);
  }
  const double size = hypot(want[0], want[1]), unit = dtype == TSR_C64 ? 0x1p-24 : 0x1p-53;
  if (!(size < (double)INFINITY && size > 0)) return op == OP_pow || size == hypot(got[0], got[1]);
  /* the angle of a power grows with the exponent, which is 6e4 here and there: complex_test has its bound */
  return hypot(want[0] - got[0], want[1] - got[1]) <= (op == OP_pow ? 1e6 : 2) * unit * size;
}

/* Functions that may round in the last place as the C library's and NumPy's do not: see binary_bits_test. */
static bool is_near(int op, int dtype, const void *a, const void *b) {
  if (ref_same(dtype, a, b)) return true;
  if (ref_kind(dtype) == TSR_CLASS_COMPLEX) return is_near_complex(op, dtype, a, b);
  if (ref_kind(dtype) != TSR_CLASS_FLOAT || class_of(ref_ops[op].name) == 'A') return false;
  const int64_t x = ref_i64(dtype, a), y = ref_i64(dtype, b);
  return (x < 0) == (y < 0) && x - y <= 2 && y - x <= 2;
}

/* The first element that is wrong; SIZE: none. */
static int first_wrong(int op, const tsr_tensor *out) {
  int i = 0;
  while (i < SIZE && is_near(op, out->dtype, expected[i], element(out, i / COLS, i % COLS))) i++;
  return i;
}

/* ---- what is said of a failure ---- */

/* A number, and its bits. */
static void print_value(const char *what, int dtype, const void *at) {
  const int digits = (int)(2 * tsr_dtype_size(dtype));
  const uint64_t bits = ref_u64(dtype, at);
  if (ref_kind(dtype) == TSR_CLASS_COMPLEX) {
    print_value(what, ref_part(dtype), at);
    print_value("and", ref_part(dtype), (const char *)at + tsr_dtype_size(ref_part(dtype)));
    return;
  }
  if (ref_kind(dtype) == TSR_CLASS_FLOAT) {
    float value = 0;
    ref_cast(dtype, at, TSR_F32, &value);
    printf(" %s %.9g", what, (double)value);
  } else if (ref_kind(dtype) == TSR_CLASS_INT) {
    printf(" %s %lld", what, (long long)ref_i64(dtype, at));
  } else {
    printf(" %s %llu", what, (unsigned long long)bits);
  }
  printf(" (0x%0*llx)", digits, (unsigned long long)bits);
}

/* Whether element [row, col] of two results is the same; says which it is where it is not. */
static bool is_same(int op, int dtype, const char *how, int row, int col, const tsr_tensor *want,
                    const tsr_tensor *got) {
  const unsigned char *const a = element(want, row, col), *const b = element(got, row, col);
  if (ref_same(got->dtype, a, b)) return true;
  printf("%s of %s, %s: [%d, %d]:", ref_ops[op].name, tsr_dtype_name(dtype), how, row, col);
  print_value("expected", got->dtype, a);
  print_value("got", got->dtype, b);
  printf("\n");
  return false;
}

static void print_wrong(int op, int dtype, const struct way *way, int isa, int i, const tsr_tensor *out) {
  printf("%s of %s, %s, %s: [%d, %d]:", ref_ops[op].name, tsr_dtype_name(dtype), way->name, tsr_isa_name(isa), i / COLS,
         i % COLS);
  print_value("expected", out->dtype, expected[i]);
  print_value("got", out->dtype, element(out, i / COLS, i % COLS));
  printf("\n");
}

/* One op, dtype and way, by every instruction set; true when all gave what was expected. */
static bool run_way(test_rng *rng, tsr_ctx *ctx, int op, int dtype, const struct way *way) {
  const int result = ref_result(op, dtype);
  unsigned char *const out_at = way->place == IS_A ? a_room : way->place == IS_B ? b_room : out_room;
  make_elements(rng, dtype, a_room);
  make_elements(rng, dtype, b_room);
  const tsr_tensor a = lay(&way->a, dtype, a_room), b = lay(&way->b, dtype, b_room);
  tsr_tensor out = lay(&way->out, result, out_at);
  expect(op, dtype, &a, &b);
  memcpy(kept, out_at, sizeof kept);
  bool good = true;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    memcpy(out_at, kept, sizeof kept);
    ctx->isa = (uint8_t)(isa + 1);
    const tsr_status st = ref_ops[op].call(ctx, &a, &b, &out);
    const int wrong = st == TSR_OK ? first_wrong(op, &out) : 0;
    if (wrong == SIZE) continue;
    if (test_now.failures < 20 && st == TSR_OK)
      print_wrong(op, dtype, way, isa, wrong, &out);
    else if (test_now.failures < 20)
      printf("%s of %s, %s, %s: %s\n", ref_ops[op].name, tsr_dtype_name(dtype), way->name, tsr_isa_name(isa),
             tsr_error(ctx));
    good = false;
  }
  return good;
}

TEST(every_op_dtype_and_way_is_as_the_reference) {
  test_rng rng = {7};
  tsr_ctx *const ctx = test_context();
  for (int op = 0; op < OP_COUNT; op++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
      for (int w = 0; w < COUNT_OF(ways) && ref_accepts(op, dtype); w++) CHECK(run_way(&rng, ctx, op, dtype, &ways[w]));
}

/* ---- golden values ---- */

#include "golden/binary.inc"

/* -0 and +0 count as equal where one of them is the larger; and from one to the other NumPy's f16 does not step. */
static bool is_zero_of_either_sign(int op, int dtype, const void *a, const void *b) {
  const bool steps = op == OP_nextafter && dtype == TSR_F16;
  if (op != OP_maximum && op != OP_minimum && op != OP_fmax && op != OP_fmin && !steps) return false;
  if (ref_kind(dtype) != TSR_CLASS_FLOAT) return false;
  const uint64_t sign = (uint64_t)1 << (8 * tsr_dtype_size(dtype) - 1);
  return ((ref_u64(dtype, a) | ref_u64(dtype, b)) & ~sign) == 0;
}

TEST(special_values_are_as_in_numpy) {
  static _Alignas(16) unsigned char got[512 * 8];
  tsr_ctx *const ctx = test_context();
  for (int r = 0; r < COUNT_OF(golden_rows); r++) {
    const int n = golden_rows[r].count, op = golden_rows[r].op, result = golden_rows[r].result;
    if (!tsr_dtype_supported(golden_rows[r].dtype) || !tsr_dtype_supported(result)) continue;
    const size_t item = tsr_dtype_size(result);
    tsr_tensor a = {0}, b = {0}, out = {0};
    OK(ctx, tsr_from_const_memory(ctx, golden_rows[r].values, golden_rows[r].dtype, TSR_SHAPE(n, 1), &a));
    OK(ctx, tsr_from_const_memory(ctx, golden_rows[r].values, golden_rows[r].dtype, TSR_SHAPE(n), &b));
    OK(ctx, tsr_from_memory(ctx, got, result, TSR_SHAPE(n, n), &out));
    OK(ctx, ref_ops[op].call(ctx, &a, &b, &out));
    for (int i = 0; i < n * n; i++) {
      const unsigned char *const want = (const unsigned char *)golden_rows[r].results + (size_t)i * item;
      const bool as_numpy = is_near(op, result, want, got + (size_t)i * item) ||
                            is_zero_of_either_sign(op, result, want, got + (size_t)i * item);
      CHECK(as_numpy);
      if (as_numpy || test_now.failures > 20) continue;
      printf("%s of %s: values %d and %d:", ref_ops[op].name, tsr_dtype_name(golden_rows[r].dtype), i / n, i % n);
      print_value("expected", result, want);
      print_value("got", result, got + (size_t)i * item);
      printf("\n");
    }
  }
}

/* ---- every pair of the smallest floats ---- */

static bool steps_as_the_reference(tsr_ctx *ctx, int dtype) {
  static uint8_t all[256], repeated[256], got[256];
  tsr_tensor a = {0}, b = {0}, out = {0};
  bool good = true;
  OK(ctx, tsr_from_memory(ctx, repeated, dtype, TSR_SHAPE(256), &a));
  OK(ctx, tsr_from_memory(ctx, all, dtype, TSR_SHAPE(256), &b));
  OK(ctx, tsr_from_memory(ctx, got, dtype, TSR_SHAPE(256), &out));
  for (int i = 0; i < 256; i++) all[i] = (uint8_t)i;
  for (int i = 0; i < 256; i++) {
    memset(repeated, i, sizeof repeated);
    OK(ctx, tsr_nextafter(ctx, &a, &b, &out));
    for (int k = 0; k < 256; k++) {
      unsigned char want[8];
      ref_nextafter(dtype, &repeated[k], &all[k], want);
      good = good && ref_same(dtype, want, &got[k]);
    }
  }
  return good;
}

TEST(nextafter_of_every_pair_of_f8) {
  tsr_ctx *const ctx = test_context();
  if (!tsr_dtype_supported(TSR_F8_E4M3)) SKIP("no small floats in this configuration");
  CHECK(steps_as_the_reference(ctx, TSR_F8_E4M3));
  CHECK(steps_as_the_reference(ctx, TSR_F8_E5M2));
}

/* ---- numbers ---- */

typedef tsr_status scalar_fn(tsr_ctx *, const tsr_tensor *, tsr_real, tsr_tensor *);
typedef tsr_status reversed_fn(tsr_ctx *, tsr_real, const tsr_tensor *, tsr_tensor *);

static const struct {
  int op;
  scalar_fn *call;
} scalar_forms[] = {
#define X(op) {OP_##op, tsr_##op##_scalar},
    X(add) X(sub) X(mul) X(div) X(floor_divide) X(remainder) X(pow) X(maximum) X(minimum) X(eq) X(ne) X(lt) X(le) X(gt)
        X(ge) X(bitwise_and) X(bitwise_or) X(bitwise_xor) X(shift_left) X(shift_right)
#undef X
};
static const struct {
  int op;
  reversed_fn *call;
} reversed_forms[] = {
#define X(op) {OP_##op, tsr_scalar_##op},
    X(sub) X(div) X(floor_divide) X(remainder) X(pow)
#undef X
};

/* The dtype that the number takes beside a tensor of dtype. */
static int number_dtype(int op, int dtype) {
  if (op == OP_pow && ref_kind(dtype) != TSR_CLASS_COMPLEX && ref_kind(dtype) != TSR_CLASS_FLOAT)
    return ref_result(OP_div, dtype);
  return op == OP_div ? ref_result(OP_div, dtype) : dtype;
}

/* A form with a number gives what the op gives with that number as a tensor. */
static void check_number(int op, int dtype, tsr_real value, scalar_fn *right, reversed_fn *left) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, number = {0}, want = {0}, got = {0};
  OK(ctx, tsr_from_memory(ctx, a_room, dtype, TSR_SHAPE(ROWS, COLS), &x));
  OK(ctx, tsr_full(ctx, number_dtype(op, dtype), 0, NULL, value, &number));
  OK(ctx, right != NULL ? ref_ops[op].call(ctx, &x, &number, &want) : ref_ops[op].call(ctx, &number, &x, &want));
  OK(ctx, right != NULL ? right(ctx, &x, value, &got) : left(ctx, value, &x, &got));
  REQUIRE(got.dtype == want.dtype && tsr_same_shape(&got, &want));
  for (int i = 0; i < SIZE; i++)
    CHECK(is_same(op, dtype, right != NULL ? "a number on the right" : "a number on the left", i / COLS, i % COLS,
                  &want, &got));
  tsr_release(&number);
  tsr_release(&want);
  tsr_release(&got);
  CHECK(test_live() == 0);
}

TEST(forms_with_a_number_are_the_op_with_that_number) {
  test_rng rng = {11};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!tsr_dtype_supported(dtype)) continue;
    make_elements(&rng, dtype, a_room);
    for (int i = 0; i < COUNT_OF(scalar_forms); i++)
      if (ref_accepts(scalar_forms[i].op, dtype))
        check_number(scalar_forms[i].op, dtype, dtype == TSR_BOOL ? 1 : 3, scalar_forms[i].call, NULL);
    for (int i = 0; i < COUNT_OF(reversed_forms); i++)
      if (ref_accepts(reversed_forms[i].op, dtype))
        check_number(reversed_forms[i].op, dtype, dtype == TSR_BOOL ? 1 : 7, NULL, reversed_forms[i].call);
  }
}

/* ---- whole numbers beyond what tsr_real holds ---- */

typedef tsr_status scalar_i64_fn(tsr_ctx *, const tsr_tensor *, int64_t, tsr_tensor *);
typedef tsr_status reversed_i64_fn(tsr_ctx *, int64_t, const tsr_tensor *, tsr_tensor *);

static const struct {
  int op;
  scalar_i64_fn *right;
  reversed_i64_fn *left;
} i64_forms[] = {
#define X(op) {OP_##op, tsr_##op##_scalar_i64, NULL},
    X(add) X(sub) X(mul) X(floor_divide) X(remainder) X(maximum) X(minimum) X(eq) X(ne) X(lt) X(le) X(gt) X(ge)
        X(bitwise_and) X(bitwise_or) X(bitwise_xor)
#undef X
#define X(op) {OP_##op, NULL, tsr_scalar_##op##_i64},
            X(sub) X(floor_divide) X(remainder)
#undef X
};

TEST(whole_numbers_of_64_bits_are_exact) {
  static const int dtypes[] = {TSR_I64, TSR_U64};
  static const int64_t numbers[] = {(INT64_C(1) << 53) + 1, INT64_MAX, INT64_MAX - 2};
  static const uint64_t values[] = {
      0, 1, 7, (UINT64_C(1) << 53) + 1, (UINT64_C(1) << 53) + 2, UINT64_C(1) << 63, INT64_MAX, UINT64_MAX};
  tsr_ctx *const ctx = test_context();
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (int f = 0; f < COUNT_OF(i64_forms); f++)
      for (int v = 0; v < COUNT_OF(numbers); v++) {
        tsr_tensor x = {0}, got = {0};
        OK(ctx, tsr_from_const_memory(ctx, values, dtypes[d], TSR_SHAPE(COUNT_OF(values)), &x));
        const bool right = i64_forms[f].right != NULL;
        OK(ctx, right ? i64_forms[f].right(ctx, &x, numbers[v], &got) : i64_forms[f].left(ctx, numbers[v], &x, &got));
        for (int i = 0; i < COUNT_OF(values); i++) {
          _Alignas(16) unsigned char want[16];
          ref_binary(i64_forms[f].op, dtypes[d], right ? (const void *)&values[i] : (const void *)&numbers[v],
                     right ? (const void *)&numbers[v] : (const void *)&values[i], want);
          CHECK(memcmp(want, (const char *)got.data + (size_t)i * tsr_dtype_size(got.dtype),
                       tsr_dtype_size(got.dtype)) == 0);
        }
        tsr_release(&got);
      }
  tsr_tensor small = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(2), &small));
  FAILS(ctx, TSR_ERANGE, tsr_add_scalar_i64(ctx, &small, 300, &out));
  MESSAGE_HAS(ctx, "add_scalar_i64: value 300 does not fit u8");
  FAILS(ctx, TSR_ERANGE, tsr_scalar_sub_i64(ctx, -1, &small, &out));
  MESSAGE_HAS(ctx, "scalar_sub_i64: value -1 does not fit u8");
  CHECK(tsr_is_none(&out));
  tsr_release(&small);
}

TEST(a_number_must_fit_the_tensor) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, a_room, TSR_U8, TSR_SHAPE(4), &x));
  FAILS(ctx, TSR_ERANGE, tsr_add_scalar(ctx, &x, 300, &out));
  MESSAGE_HAS(ctx, "add_scalar: value 300 does not fit u8");
  FAILS(ctx, TSR_ERANGE, tsr_lt_scalar(ctx, &x, (tsr_real)0.5, &out));
  MESSAGE_HAS(ctx, "lt_scalar: value 0.5 is not a whole number");
  FAILS(ctx, TSR_ERANGE, tsr_scalar_sub(ctx, -1, &x, &out));
  MESSAGE_HAS(ctx, "scalar_sub: value -1 does not fit u8");
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_div_scalar(ctx, &x, (tsr_real)0.5, &out));
  CHECK(out.dtype == TSR_F32);
  tsr_release(&out);
  OK(ctx, tsr_pow_scalar(ctx, &x, (tsr_real)0.5, &out));
  CHECK(out.dtype == TSR_F32);
  tsr_release(&out);
  x.dtype = TSR_F32;
  FAILS(ctx, TSR_EDTYPE, tsr_shift_left_scalar(ctx, &x, 1, &out));
  MESSAGE_HAS(ctx, "shift_left_scalar: a is f32, value is f32: floats have no bits here");
}

/* ---- dtypes ---- */

TEST(every_op_takes_the_dtypes_it_should_and_says_so) {
  tsr_ctx *const ctx = test_context();
  for (int op = 0; op < OP_COUNT; op++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      tsr_tensor x = {0}, out = {0};
      memset(a_room, 0, sizeof a_room);
      OK(ctx, tsr_from_memory(ctx, a_room, dtype, TSR_SHAPE(5), &x));
      const bool takes = ref_accepts(op, dtype);
      FAILS(ctx, takes ? TSR_OK : TSR_EDTYPE, ref_ops[op].call(ctx, &x, &x, &out));
      if (takes) {
        CHECK(out.dtype == ref_result(op, dtype) && out.ndim == 1 && out.shape[0] == 5 && out.stride[0] == 1);
      } else {
        MESSAGE_HAS(ctx, ref_ops[op].name);
        MESSAGE_HAS(ctx, tsr_dtype_name(dtype));
        CHECK(tsr_is_none(&out));
      }
      tsr_release(&out);
    }
}

/* Inputs of two dtypes: each converted first to the dtype that the op computes in gives the same. */
static void check_mixed(int op, int x, int y) {
  tsr_ctx *const ctx = test_context();
  const int both = tsr_dtype_promote(x, y);
  /* An integer beside a float smaller than f32 is not rounded to that float first. */
  const int wide = ref_kind(both) == TSR_CLASS_FLOAT && both != TSR_F64 ? TSR_F32 : both;
  tsr_tensor a = {0}, b = {0}, a_wide = {0}, b_wide = {0}, want = {0}, narrow = {0}, got = {0};
  OK(ctx, tsr_from_memory(ctx, a_room, x, TSR_SHAPE(COLS), &a));
  OK(ctx, tsr_from_memory(ctx, b_room, y, TSR_SHAPE(COLS), &b));
  OK(ctx, tsr_cast(ctx, &a, wide, &a_wide));
  OK(ctx, tsr_cast(ctx, &b, wide, &b_wide));
  OK(ctx, ref_ops[op].call(ctx, &a_wide, &b_wide, &want));
  OK(ctx, ref_ops[op].call(ctx, &a, &b, &got));
  REQUIRE(got.dtype == ref_result(op, both));
  OK(ctx, tsr_cast(ctx, &want, got.dtype, &narrow));
  for (int k = 0; k < COLS; k++) CHECK(is_same(op, x, tsr_dtype_name(y), 0, k, &narrow, &got));
  tsr_release(&a_wide);
  tsr_release(&b_wide);
  tsr_release(&want);
  tsr_release(&narrow);
  tsr_release(&got);
  CHECK(test_live() == 0);
}

TEST(inputs_of_two_dtypes_are_promoted) {
  static const int ops[] = {OP_add, OP_mul, OP_maximum, OP_lt, OP_eq, OP_div};
  test_rng rng = {3};
  for (int x = 1; x < TSR_DTYPE_COUNT; x++)
    for (int y = 1; y < TSR_DTYPE_COUNT; y++) {
      if (!tsr_dtype_supported(x) || !tsr_dtype_supported(y)) continue;
      make_elements(&rng, x, a_room);
      make_elements(&rng, y, b_room);
      for (int i = 0; i < COUNT_OF(ops); i++)
        if (ref_accepts(ops[i], tsr_dtype_promote(x, y))) check_mixed(ops[i], x, y);
    }
}

/* ---- accuracy ---- */

#if TSR_HAVE_F64
static int ulps(float got, double want) {
  const float near = (float)want;
  if (isnan(want) || isinf(near)) return (isnan(want) ? isnan(got) : got == near) ? 0 : 1000;
  const double unit = (double)nextafterf(fabsf(near), INFINITY) - (double)fabsf(near);
  return (int)ceil(fabs((double)got - want) / unit - 0.5);
}

static void note_worst(int *worst, int now) {
  if (now > *worst) *worst = now;
}
#endif

TEST(functions_of_floats_are_within_their_ulp) {
#if TSR_HAVE_F64
  enum { N = 4096 };
  static float x[N], y[N], z[N];
  test_rng rng = {5};
  for (int i = 0; i < N; i++) {
    x[i] = ldexpf((float)test_random(&rng), (int)(test_random(&rng) % 40) - 52);
    y[i] = ((float)test_random(&rng) - 2147483648.0f) * 0x1p-27f;
  }
  tsr_tensor a = {0}, b = {0}, out = {0};
  OK(NULL, tsr_from_memory(NULL, x, TSR_F32, TSR_SHAPE(N), &a));
  OK(NULL, tsr_from_memory(NULL, y, TSR_F32, TSR_SHAPE(N), &b));
  OK(NULL, tsr_from_memory(NULL, z, TSR_F32, TSR_SHAPE(N), &out));
  int worst[3] = {0};
  OK(NULL, tsr_pow(NULL, &a, &b, &out));
  for (int i = 0; i < N; i++) note_worst(&worst[0], ulps(z[i], pow((double)x[i], (double)y[i])));
  OK(NULL, tsr_atan2(NULL, &b, &a, &out));
  for (int i = 0; i < N; i++) note_worst(&worst[1], ulps(z[i], atan2((double)y[i], (double)x[i])));
  OK(NULL, tsr_hypot(NULL, &a, &b, &out));
  for (int i = 0; i < N; i++) note_worst(&worst[2], ulps(z[i], hypot((double)x[i], (double)y[i])));
  CHECK(worst[0] <= 1 && worst[1] <= 2 && worst[2] <= 1);

  OK(NULL, tsr_floor_divide(NULL, &a, &b, &out)); /* a quotient of f32 numbers that is small is exact enough in f64 */
  bool floored = true;
  for (int i = 0; i < N; i++) {
    const double exact = floor((double)x[i] / (double)y[i]);
    if (fabs(exact) < 0x1p22) floored = floored && (double)z[i] == exact;
  }
  CHECK(floored);
#else
  SKIP("the reference is f64");
#endif
}

TEST_MAIN(RUN(every_op_dtype_and_way_is_as_the_reference), RUN(special_values_are_as_in_numpy),
          RUN(nextafter_of_every_pair_of_f8), RUN(forms_with_a_number_are_the_op_with_that_number),
          RUN(whole_numbers_of_64_bits_are_exact), RUN(a_number_must_fit_the_tensor),
          RUN(every_op_takes_the_dtypes_it_should_and_says_so), RUN(inputs_of_two_dtypes_are_promoted),
          RUN(functions_of_floats_are_within_their_ulp))
