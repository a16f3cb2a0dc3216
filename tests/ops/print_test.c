/* Printing: NumPy's text byte for byte, digits that read back, sinks that fail, views, the other forms. */
#include "ops/print/digits.h"
#include "support/brief.h"
#include "support/test.h"
#include <stdlib.h>
#include <tessera/tessera.h>

enum { TEXT_BYTES = 8192, ELEMENTS = 2600, GOLDEN_DIMS = 5 };

/* A tensor of shape, filled with count elements over and over (bits from first on, two words a complex element). */
typedef struct golden_case {
  uint8_t dtype, ndim;
  int16_t shape[GOLDEN_DIMS];
  int first, count;
  tsr_print_options options;
  const char *text;
} golden_case;

#include "golden/print.inc"

/* Room for the largest tensor of the widest dtype, aligned. */
#if TSR_HAVE_COMPLEX
static uint64_t memory[ELEMENTS * 2];
#else
static uint64_t memory[ELEMENTS];
#endif
static char text[TEXT_BYTES];

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static void store(char *at, size_t bytes, uint64_t bits) {
  const uint8_t one = (uint8_t)bits;
  const uint16_t two = (uint16_t)bits;
  const uint32_t four = (uint32_t)bits;
  switch (bytes) {
    case 1: memcpy(at, &one, 1); break;
    case 2: memcpy(at, &two, 2); break;
    case 4: memcpy(at, &four, 4); break;
    default: memcpy(at, &bits, 8); break;
  }
}

/* ---- what NumPy prints ---- */

static bool golden_tensor(const golden_case *c, tsr_tensor *t) {
  const tsr_dtype_info *const info = tsr_dtype_describe(c->dtype);
  const int parts = info->class_ == TSR_CLASS_COMPLEX ? 2 : 1;
  tsr_index shape[TSR_MAX_DIMS];
  tsr_index size = 1;
  if (c->ndim > TSR_MAX_DIMS || !tsr_dtype_supported(c->dtype)) return false;
  for (int i = 0; i < c->ndim; i++) size *= (shape[i] = c->shape[i]);
  if (size > ELEMENTS) return false;
  for (tsr_index i = 0; i < size * parts; i++) {
    store((char *)memory + (size_t)i * info->align, info->align, golden_bits[c->first + i % (c->count * parts)]);
  }
  return tsr_from_memory(NULL, memory, c->dtype, c->ndim, shape, t) == TSR_OK;
}

TEST(golden) {
  const int count = (int)(sizeof golden_cases / sizeof golden_cases[0]);
  int run = 0;
  for (int i = 0; i < count; i++) {
    const golden_case *const c = &golden_cases[i];
    tsr_tensor t = {0};
    size_t needed = 0;
    if (!golden_tensor(c, &t)) continue;
    run++;
    OK(NULL, tsr_print_text(NULL, &t, &c->options, text, sizeof text, &needed));
    const bool same = strcmp(text, c->text) == 0 && needed == strlen(c->text);
    CHECK(same);
    if (!same) printf("case %d, %s:\n%s\nexpected\n%s\n", i, tsr_dtype_name(c->dtype), text, c->text);
  }
  printf("%d of %d golden cases apply here\n", run, count);
  CHECK(run >= 300);
}

/* ---- digits ---- */

static const tsr__digit_limits shortest = {false, TSR__NO_LIMIT, TSR__NO_LIMIT};

/* The digits as a text that strtod reads: d.ddde±x. */
static void digits_to_text(const tsr__digits *digits, char *to) {
  int at = 0;
  for (int i = 0; i < digits->count; i++) {
    to[at++] = (char)('0' + digits->digit[i]);
    if (i == 0) to[at++] = '.';
  }
  if (at == 0) to[at++] = '0';
  (void)snprintf(to + at, 8, "e%d", digits->exponent);
}

static uint32_t read_f32(const char *s) {
  const float value = strtof(s, NULL);
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

#if TSR_HAVE_F64
/* Whether value in precision decimal digits reads back as bits. */
static bool f32_reads_back(uint32_t bits, int precision) {
  char s[40];
  float value;
  memcpy(&value, &bits, sizeof value);
  (void)snprintf(s, sizeof s, "%.*e", precision - 1, (double)value);
  return read_f32(s) == bits;
}

static uint64_t read_f64(const char *s) {
  const double value = strtod(s, NULL);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static bool f64_reads_back(uint64_t bits, int precision) {
  char s[40];
  double value;
  memcpy(&value, &bits, sizeof value);
  (void)snprintf(s, sizeof s, "%.*e", precision - 1, value);
  return read_f64(s) == bits;
}
#endif

static int random_numbers(void) { return test_brief() ? 10000 : 200000; }

TEST(f32_digits_are_shortest_and_read_back) {
  int wrong = 0, longer = 0;
  for (int i = 0, count = random_numbers(); i < count; i++) {
    /* the first ones are the smallest numbers and the powers of two, whose neighbours are not evenly spaced */
    const uint32_t bits = i < 256   ? (uint32_t)i << 23
                          : i < 512 ? (uint32_t)i - 255
                                    : (uint32_t)random_bits() & 0x7fffffff;
    tsr__float value;
    tsr__digits digits;
    char s[40];
    tsr__float_load(TSR_F32, 0, &bits, &value);
    if (value.kind != TSR__FINITE) continue;
    tsr__digits_of(&value, &shortest, &digits);
    digits_to_text(&digits, s);
    wrong += read_f32(s) != bits;
#if TSR_HAVE_F64
    if (digits.count > 1) longer += f32_reads_back(bits, digits.count - 1);
    if (digits.count > 0 && !value.closer_below) longer += !f32_reads_back(bits, digits.count);
#endif
  }
  CHECK(wrong == 0);
  CHECK(longer == 0);
}

TEST(f64_digits_are_shortest_and_read_back) {
#if TSR_HAVE_F64
  int wrong = 0, longer = 0;
  for (int i = 0, count = random_numbers(); i < count; i++) {
    const uint64_t bits = i < 2048   ? (uint64_t)i << 52
                          : i < 2304 ? (uint64_t)i - 2047
                                     : random_bits() & UINT64_C(0x7fffffffffffffff);
    tsr__float value;
    tsr__digits digits;
    char s[40];
    tsr__float_load(TSR_F64, 0, &bits, &value);
    if (value.kind != TSR__FINITE) continue;
    tsr__digits_of(&value, &shortest, &digits);
    digits_to_text(&digits, s);
    wrong += read_f64(s) != bits;
    if (digits.count > 1) longer += f64_reads_back(bits, digits.count - 1);
    if (digits.count > 0 && !value.closer_below) longer += !f64_reads_back(bits, digits.count);
  }
  CHECK(wrong == 0);
#ifndef _WIN32 /* where printf is not always right in the last digit */
  CHECK(longer == 0);
#endif
#else
  SKIP("no f64 in this build");
#endif
}

#if TSR_HAVE_F64
static double power_of_two(int exponent) {
  double power = 1;
  for (; exponent > 0; exponent--) power *= 2;
  for (; exponent < 0; exponent++) power /= 2;
  return power;
}

/* Whether a decimal lies where every number rounds to value: half-way points count for even mantissas. */
static bool rounds_to(const tsr__float *value, const char *decimal) {
  const double exact = (double)value->mantissa * power_of_two(value->exponent);
  const double up = power_of_two(value->exponent - 1);
  const double down = value->closer_below ? up / 2 : up;
  const double off = strtod(decimal, NULL) - exact;
  const double room = off < 0 ? down : up;
  const double size = off < 0 ? -off : off;
  return (value->mantissa & 1) == 0 ? size <= room : size < room;
}

static void check_all_of(int dtype, int count) {
  int wrong = 0, longer = 0;
  for (int i = 0; i < count; i++) {
    const uint16_t two = (uint16_t)i;
    const uint8_t one = (uint8_t)i;
    tsr__float value;
    tsr__digits digits;
    char s[40];
    tsr__float_load(dtype, 0, count == 256 ? (const void *)&one : &two, &value);
    if (value.kind != TSR__FINITE || value.mantissa == 0) continue;
    tsr__digits_of(&value, &shortest, &digits);
    digits_to_text(&digits, s);
    wrong += !rounds_to(&value, s);
    if (digits.count == 1) continue;
    (void)snprintf(s, sizeof s, "%.*e", digits.count - 2, (double)value.mantissa * power_of_two(value.exponent));
    longer += rounds_to(&value, s);
  }
  CHECK(wrong == 0);
  CHECK(longer == 0);
}
#endif

TEST(all_small_floats_are_shortest_and_read_back) {
#if TSR_HAVE_F64
  check_all_of(TSR_F16, 65536);
  check_all_of(TSR_BF16, 65536);
  check_all_of(TSR_F8_E4M3, 256);
  check_all_of(TSR_F8_E5M2, 256);
#else
  SKIP("the reference needs double");
#endif
}

/* ---- helpers for the rest ---- */

static tsr_tensor tensor_of(const void *data, int dtype, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_const_memory(NULL, data, dtype, ndim, shape, &t));
  return t;
}

/* Prints to text and compares. */
static void prints(const tsr_tensor *t, const tsr_print_options *options, const char *expected) {
  size_t needed = 0;
  OK(NULL, tsr_print_text(NULL, t, options, text, sizeof text, &needed));
  const bool same = strcmp(text, expected) == 0 && needed == strlen(expected);
  CHECK(same);
  if (!same) printf("printed\n%s\nexpected\n%s\n", text, expected);
}

static const float ramp[24] = {0, 0.25f, 0.5f, 0.75f, 1, 1.25f, 1.5f, 1.75f, 2, 2.25f, 2.5f, 2.75f,
                               3, 3.25f, 3.5f, 3.75f, 4, 4.25f, 4.5f, 4.75f, 5, 5.25f, 5.5f, 5.75f};

/* ---- dtypes that NumPy lacks ---- */

TEST(bf16_and_f8_print_by_their_own_precision) {
  const uint16_t bf16[] = {0x3f80, 0x3dcd, 0xc049, 0x7f80, 0xff80, 0x7fc0, 0x8000}; /* 1 0.1 -3.14 inf -inf nan -0 */
  const uint8_t e4m3[] = {0x7e, 0x7f, 0x01, 0xb8, 0x00};                            /* 448 nan 2^-9 -1 0 */
  const uint8_t e5m2[] = {0x7b, 0x7c, 0xfc, 0x7e, 0x2e};                            /* 57344 inf -inf nan 0.094 */
  if (!tsr_dtype_supported(TSR_BF16)) SKIP("no small floats in this build");
  tsr_tensor t = tensor_of(bf16, TSR_BF16, TSR_SHAPE(7));
  prints(&t, NULL, "[ 1.    0.1  -3.14   inf  -inf   nan -0.  ]");
  t = tensor_of(bf16 + 1, TSR_BF16, 0, NULL);
  prints(&t, NULL, "0.1");
  t = tensor_of(e4m3, TSR_F8_E4M3, TSR_SHAPE(5));
  prints(&t, NULL, "[ 4.5e+02      nan  2.0e-03 -1.0e+00  0.0e+00]");
  t = tensor_of(e5m2, TSR_F8_E5M2, TSR_SHAPE(5));
  prints(&t, NULL, "[6.e+04    inf   -inf    nan 9.e-02]");
  t = tensor_of(e5m2, TSR_F8_E5M2, 0, NULL);
  prints(&t, NULL, "60000.0");
}

/* ---- the other forms ---- */

TEST(named) {
  const tsr_print_options options = {.name = "weights"};
  tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(2, 3));
  prints(&t, &options, "weights: f32 [2,3]\n[[0.   0.25 0.5 ]\n [0.75 1.   1.25]]");
  t = tensor_of(ramp + 3, TSR_F32, 0, NULL);
  prints(&t, &options, "weights: f32 []\n0.75");
  t = tensor_of(NULL, TSR_F32, TSR_SHAPE(0, 3));
  prints(&t, &options, "weights: f32 [0,3]\n[]");
}

TEST(head) {
  tsr_print_options options = {.head = 5};
  tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(2, 3, 4));
  prints(&t, &options, "f32 [2,3,4], 24 elements\n0.   0.25 0.5  0.75 1.\n... 19 more");
  t.name = "own";
  prints(&t, &options, "own: f32 [2,3,4], 24 elements\n0.   0.25 0.5  0.75 1.\n... 19 more");
  options = (tsr_print_options){.name = "x", .head = 24, .line_width = 30, .separator = ','};
  prints(&t, &options,
         "x: f32 [2,3,4], 24 elements\n0.  , 0.25, 0.5 , 0.75, 1.  ,\n1.25, 1.5 , 1.75, 2.  , 2.25,\n"
         "2.5 , 2.75, 3.  , 3.25, 3.5 ,\n3.75, 4.  , 4.25, 4.5 , 4.75,\n5.  , 5.25, 5.5 , 5.75");
  options = (tsr_print_options){.head = 32};
  t = tensor_of(ramp + 2, TSR_F32, 0, NULL);
  prints(&t, &options, "f32 [], 1 element\n0.5");
  t = tensor_of(NULL, TSR_F32, TSR_SHAPE(0));
  prints(&t, &options, "f32 [0], 0 elements");
}

TEST(head_of_a_transposed_view_runs_in_its_own_order) {
  const tsr_print_options options = {.head = 4};
  tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(3, 2));
  t.stride[0] = 1;
  t.stride[1] = 3;
  prints(&t, &options, "f32 [3,2] strides [1,3], 6 elements\n0.   0.75 0.25 1.\n... 2 more");
}

TEST(without_data) {
  const tsr_print_options named = {.name = "x"}, head = {.head = 3};
  tsr_tensor t = {0};
  prints(&t, NULL, "empty");
  prints(&t, &named, "x: empty");
  prints(&t, &head, "empty");
  OK(NULL, tsr_desc_init(NULL, TSR_I16, TSR_SHAPE(2, 3), &t));
  prints(&t, NULL, "i16 [2,3] (no data)");
  prints(&t, &named, "x: i16 [2,3] (no data)");
  prints(&t, &head, "i16 [2,3] (no data)");
}

TEST(suppress_never_uses_exponents) {
  const float values[] = {1e10f, 1.5f, 3e-6f};
  const tsr_print_options options = {.suppress = true};
  const tsr_tensor t = tensor_of(values, TSR_F32, TSR_SHAPE(3));
  prints(&t, &options, "[10000000000.                 1.5                0.000003]");
}

/* ---- views ---- */

/* Copies a view element by element, in row-major order, and checks that both print alike. */
static void prints_like_its_copy(const tsr_tensor *view) {
  static char copied[TEXT_BYTES];
  const tsr_print_options summarised = {.threshold = 4, .edge_items = 1}, first = {.head = 7};
  const tsr_print_options *const forms[] = {NULL, &summarised, &first};
  float *const values = (float *)memory;
  const tsr_index size = tsr_size(view);
  for (tsr_index i = 0; i < size; i++) {
    const float *at = view->data;
    tsr_index rest = i;
    for (int axis = view->ndim - 1; axis >= 0; axis--) {
      at += rest % view->shape[axis] * view->stride[axis];
      rest /= view->shape[axis];
    }
    values[i] = *at;
  }
  const tsr_tensor copy = tensor_of(values, TSR_F32, view->ndim, view->shape);
  for (int i = 0; i < 3; i++) {
    OK(NULL, tsr_print_text(NULL, &copy, forms[i], copied, sizeof copied, NULL));
    OK(NULL, tsr_print_text(NULL, view, forms[i], text, sizeof text, NULL));
    /* the description of the first form names the strides; the elements follow it */
    CHECK(strcmp(i < 2 ? text : strchr(text, '\n'), i < 2 ? copied : strchr(copied, '\n')) == 0);
  }
}

TEST(views_print_like_copies) {
  tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(4, 3, 2));
  t.stride[0] = 1, t.stride[1] = 4, t.stride[2] = 12; /* transposed */
  prints_like_its_copy(&t);
  t = tensor_of(ramp, TSR_F32, TSR_SHAPE(5, 3));
  t.stride[0] = 0, t.stride[1] = 2; /* broadcast and stepped */
  prints_like_its_copy(&t);
  t = tensor_of(ramp, TSR_F32, TSR_SHAPE(6, 4));
  t.data = (char *)t.data + 23 * sizeof(float);
  t.stride[0] = -4, t.stride[1] = -1; /* backwards */
  prints_like_its_copy(&t);
  t = tensor_of(ramp, TSR_F32, TSR_SHAPE(100, 100));
  t.stride[0] = 0, t.stride[1] = 0;
  const tsr_print_options options = {.name = "huge"};
  prints(&t, &options,
         "huge: f32 [100,100] strides [0,0]\n"
         "[[0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n"
         " ...\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]]");
}

/* ---- sinks and buffers ---- */

TEST(text_is_cut_and_counted) {
  const char whole[] = "[[0.   0.25 0.5 ]\n [0.75 1.   1.25]]";
  const tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(2, 3));
  size_t needed = 0;
  OK(NULL, tsr_print_text(NULL, &t, NULL, NULL, 0, &needed));
  CHECK(needed == strlen(whole));
  OK(NULL, tsr_print_text(NULL, &t, NULL, text, sizeof text, NULL));
  for (size_t capacity = 0; capacity <= sizeof whole + 1; capacity++) {
    const size_t kept = capacity == 0 ? 0 : capacity - 1 < strlen(whole) ? capacity - 1 : strlen(whole);
    memset(text, '#', sizeof text);
    OK(NULL, tsr_print_text(NULL, &t, NULL, text, capacity, &needed));
    CHECK(needed == strlen(whole));
    CHECK(memcmp(text, whole, kept) == 0);
    CHECK(capacity == 0 || text[kept] == '\0');
    CHECK(text[capacity] == '#');
  }
}

typedef struct counting_sink {
  int calls, fail_at;
  size_t bytes;
} counting_sink;

static tsr_status count_write(void *self, const void *bytes, size_t n) {
  counting_sink *const sink = self;
  (void)bytes;
  sink->bytes += n;
  return sink->calls++ == sink->fail_at ? TSR_EIO : TSR_OK;
}

TEST(a_failing_sink_ends_the_call) {
  const tsr_print_options options = {.threshold = 100000};
  tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(50, 20));
  t.stride[0] = 0;
  counting_sink whole = {0, -1, 0};
  tsr_sink sink = {sizeof(tsr_sink), count_write, &whole};
  OK(NULL, tsr_print_to(NULL, &t, &options, &sink));
  REQUIRE(whole.calls > 3);
  for (int i = 0; i < whole.calls; i++) {
    counting_sink one = {0, i, 0};
    sink.self = &one;
    tsr_error_clear(NULL);
    FAILS(NULL, TSR_EIO, tsr_print_to(NULL, &t, &options, &sink));
    MESSAGE_HAS(NULL, "print: sink");
    CHECK(one.calls == i + 1);
    CHECK(one.bytes <= whole.bytes);
  }
}

/* ---- arguments ---- */

TEST(bad_arguments) {
  const tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(2, 3));
  const tsr_print_options bad[] = {
      {.precision = -2}, {.line_width = -1}, {.threshold = -1}, {.edge_items = -1}, {.head = -1}};
  const tsr_sink no_write = {sizeof(tsr_sink), NULL, NULL};
  size_t needed = 77;
  FAILS(NULL, TSR_EARG, tsr_print_to(NULL, &t, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_print_to(NULL, &t, NULL, &no_write));
  FAILS(NULL, TSR_EARG, tsr_print_text(NULL, NULL, NULL, text, sizeof text, NULL));
  FAILS(NULL, TSR_EARG, tsr_print_text(NULL, &t, NULL, NULL, 10, NULL));
  for (int i = 0; i < 5; i++) {
    text[0] = '#';
    FAILS(NULL, TSR_EARG, tsr_print_text(NULL, &t, &bad[i], text, sizeof text, &needed));
    CHECK(text[0] == '#' && needed == 77);
  }
  tsr_tensor broken = t;
  broken.dtype = 99;
  FAILS(NULL, TSR_EDTYPE, tsr_print_text(NULL, &broken, NULL, text, sizeof text, NULL));
  broken.data = NULL;
  FAILS(NULL, TSR_EDTYPE, tsr_print_text(NULL, &broken, NULL, text, sizeof text, NULL));
}

TEST(extreme_options) {
  const tsr_tensor t = tensor_of(ramp, TSR_F32, TSR_SHAPE(2, 3));
  const tsr_print_options large = {
      .precision = 2147483647, .line_width = 2147483647, .threshold = 1, .edge_items = TSR_INDEX_MAX};
  prints(&t, &large, "[[0.   0.25 0.5 ]\n [0.75 1.   1.25]]");
  const tsr_print_options head_large = {.head = TSR_INDEX_MAX, .separator = ' '};
  prints(&t, &head_large, "f32 [2,3], 6 elements\n0.    0.25  0.5   0.75  1.    1.25");
}

static const tsr_device elsewhere = {.size = sizeof(tsr_device), .name = "elsewhere", .is_host = false};
static const tsr_device unified = {.size = sizeof(tsr_device), .name = "unified", .is_host = true};

TEST(devices) {
  static float values[3] = {1, 2, 3};
  const tsr_print_options options = {.head = 3};
  tsr_storage *storage = NULL;
  tsr_tensor t = tensor_of(values, TSR_F32, TSR_SHAPE(3));
  if (tsr_storage_wrap(NULL, &elsewhere, values, sizeof values, NULL, NULL, &storage) != TSR_OK) SKIP("no allocator");
  t.storage = storage;
  FAILS(NULL, TSR_EDEVICE, tsr_print_text(NULL, &t, NULL, text, sizeof text, NULL));
  tsr_storage_release(storage);
  OK(NULL, tsr_storage_wrap(NULL, &unified, values, sizeof values, NULL, NULL, &storage));
  t.storage = storage;
  prints(&t, &options, "f32 [3], 3 elements, on unified\n1. 2. 3.");
  tsr_storage_release(storage);
}

TEST(dtypes_left_out_of_the_build) {
  const uint64_t bits[2] = {0, 0};
  const tsr_tensor t = tensor_of(bits, TSR_C128, TSR_SHAPE(1));
  if (tsr_dtype_supported(TSR_C128)) SKIP("this build has them all");
  FAILS(NULL, TSR_EDTYPE, tsr_print_text(NULL, &t, NULL, text, sizeof text, NULL));
}

TEST_MAIN(RUN(golden), RUN(f32_digits_are_shortest_and_read_back), RUN(f64_digits_are_shortest_and_read_back),
          RUN(all_small_floats_are_shortest_and_read_back), RUN(bf16_and_f8_print_by_their_own_precision), RUN(named),
          RUN(head), RUN(head_of_a_transposed_view_runs_in_its_own_order), RUN(without_data),
          RUN(suppress_never_uses_exponents), RUN(views_print_like_copies), RUN(text_is_cut_and_counted),
          RUN(a_failing_sink_ends_the_call), RUN(bad_arguments), RUN(extreme_options), RUN(devices),
          RUN(dtypes_left_out_of_the_build))
