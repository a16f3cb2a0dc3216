/* Bad calls of every operation: a status, a message that names the operation and what is wrong, and nothing changed: no
 * output, no input, no generator, no memory held. The rows are in bad_calls_table.h. */
#include "support/helpers.h"
#include "support/test.h"

/* ---- what the rows refer to ---- */

static const float twelve[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const tsr_tensor three_three = {
    .dtype = TSR_F32, .ndim = 2, .shape = {3, 3, 1, 1}, .stride = {3, 1}, .data = (void *)(uintptr_t)twelve};
static tsr_tensor narrow_one; /* the first input as [1,1,n]: for squeeze */
static tsr_real one_more(tsr_real x, void *user) { return (void)user, x + 1; }
static float one_more_f32(float x, void *user) { return (void)user, x + 1; }
static int32_t one_more_i32(int32_t x, void *user) { return (void)user, x + 1; }

#include "ops/bad_calls_table.h"

#define ROW(name, kind, dtype, refused, ...) \
  static tsr_status run_##name(tsr_ctx *ctx, const call *c) { return __VA_ARGS__; }
TABLE(ROW)
#undef ROW

#define ROW(name, kind, dtype, refused, ...) {#name, &kind, TSR_##dtype, TSR_##refused, run_##name},
static const row rows[] = {TABLE(ROW)};
#undef ROW

/* ---- one call ---- */

/* All that a call may touch. What must not change is compared byte by byte with a copy made before. */
typedef struct state {
  test_buffer in[3], out;
  tsr_tensor x[3], y;
  tsr_rng rng;
  _Alignas(16) unsigned char value[sizeof(tsr_iter)];
} state;

static state s, before;
static call c;
static test_device device;
static tsr_ctx *ctx;
static size_t live;

static const int axis_0[] = {0};
static const tsr_index three_four[] = {3, 4};

static void expect(const row *r, tsr_status want, const char *what, int line) {
  if (test_check(want == TSR_OK, __FILE__, line, what)) return;
  if (test_now.failures <= 20) printf("  %s: %s\n", r->name, tsr_error(ctx));
}

static bool has_input(const row *r, int k) { return r->kind->names[k] != NULL; }
static bool is(const row *r, unsigned flags) { return (r->kind->flags & flags) != 0; }

/* Field by field: the bytes between them stay what they are, because states are compared byte by byte. */
static void matrix(tsr_tensor *t, void *data, int dtype, tsr_index rows_, tsr_index cols) {
  memset(t, 0, sizeof *t);
  t->dtype = (uint8_t)dtype;
  t->ndim = 2;
  t->shape[0] = rows_;
  t->shape[1] = cols;
  t->shape[2] = t->shape[3] = 1;
  t->stride[0] = cols;
  t->stride[1] = 1;
  t->data = data;
}

/* A call that works: [3,4] everywhere, the output empty. */
static void prepare(const row *r) {
  memset(&s, 0, sizeof s);
  ctx = test_context();
  s.rng.key = tsr_rng_seed(7).key;
  memset(&s.out, 0x55, sizeof s.out);
  memset(s.value, 0x55, sizeof s.value);
  c = (call){.out = &s.y,
             .value = s.value,
             .naxes = 1,
             .axes = axis_0,
             .dtype = r->dtype,
             .ndim = 2,
             .shape = three_four,
             .rng = &s.rng};
  for (int k = 0; k < 3 && has_input(r, k); k++) {
    const int dtype = r->kind->fixed[k] != 0 ? r->kind->fixed[k] : r->dtype;
    if (k == 0 || r->kind->fixed[k] == 0) test_buffer_number(&s.in[k], dtype); /* indices stay 0 */
    matrix(&s.x[k], s.in[k].bytes, dtype, 3, 4);
    c.in[k] = &s.x[k];
  }
  if (is(r, GIVEN)) matrix(&s.y, s.out.bytes, r->dtype, 3, 4);
  narrow_one = s.x[0];
  narrow_one.ndim = 3;
  for (int i = 0; i < 3; i++) narrow_one.shape[i] = i == 2 ? 12 : 1;
  before = s;
  live = test_live();
}

/* Whether a message names an argument: as a word of its own, " in " or " in[1] ". */
static bool names_it(const char *message, const char *arg) {
  const size_t n = strlen(arg);
  for (const char *at = strstr(message, arg); at != NULL && n > 0; at = strstr(at + 1, arg))
    if (at > message && at[-1] == ' ' && (at[n] == ' ' || at[n] == ':')) return true;
  return n == 0;
}

/* Runs what was prepared and spoiled, which must fail: that status, and a message "name: arg ..." with these texts. */
static void refuse_at(const row *r, tsr_status want, const char *arg, const char *text, const char *text2, int line) {
  before = s;
  live = test_live();
  const tsr_status got = r->run(ctx, &c);
  char begin[64];
  snprintf(begin, sizeof begin, "%s: ", r->name);
  if (!test_check(got == want, __FILE__, line, "the status") && test_now.failures <= 40)
    printf("  %s: %s, expected %s\n", r->name, tsr_status_name(got), tsr_status_name(want));
#if TSR_HAVE_TEXT
  const char *const message = tsr_error(ctx);
  const bool fits = got == want && strncmp(message, begin, strlen(begin)) == 0 && names_it(message, arg) &&
                    strstr(message, text) != NULL && strstr(message, text2) != NULL;
  if (!test_check(fits, __FILE__, line, "the message") && test_now.failures <= 40)
    printf("  %s: \"%s\" does not say \"%s\", \"%s\", \"%s\"\n", r->name, message, arg, text, text2);
#else
  (void)arg, (void)text, (void)text2;
#endif
  if (is(r, RESET)) memcpy(s.value, before.value, sizeof s.value); /* an iterator that says that it is at its end */
  if (!test_check(memcmp(&s, &before, sizeof s) == 0, __FILE__, line, "nothing changed") && test_now.failures <= 40)
    printf("  %s\n", r->name);
  if (!test_check(test_live() == live, __FILE__, line, "no memory held") && test_now.failures <= 40)
    printf("  %s\n", r->name);
}
#define REFUSED(r, want, arg, text, text2) refuse_at(r, want, arg, text, text2, __LINE__)

static void works_at(const row *r, int line) { expect(r, r->run(ctx, &c), "the call works", line); }
#define WORKS(r) works_at(r, __LINE__)

/* The text of a shape, as messages write it. */
static const char *shape_text(const tsr_tensor *t, char *text, size_t capacity) {
  size_t n = (size_t)snprintf(text, capacity, "[");
  for (int i = 0; i < t->ndim; i++)
    n += (size_t)snprintf(text + n, capacity - n, "%s%ld", i > 0 ? "," : "", (long)t->shape[i]);
  snprintf(text + n, capacity - n, "]");
  return text;
}

/* ---- inputs ---- */

static void each_input(void (*check)(const row *r, int k)) {
  for (int i = 0; i < COUNT_OF(rows); i++)
    for (int k = 0; k < 3 && has_input(&rows[i], k); k++) {
      prepare(&rows[i]);
      check(&rows[i], k);
    }
}

/* squeeze reads its input through narrow_one. */
static bool reads_input(const row *r) { return strcmp(r->name, "squeeze") != 0; }

static void null_input(const row *r, int k) {
  if (!reads_input(r)) return;
  c.in[k] = NULL;
  REFUSED(r, TSR_EARG, r->kind->names[k], "is NULL", "");
}
TEST(an_input_that_is_null) { each_input(null_input); }

static void empty_input(const row *r, int k) {
  if (!reads_input(r)) return;
  s.x[k] = (tsr_tensor){0};
  REFUSED(r, TSR_ESTATE, r->kind->names[k], "is empty", "");
}
TEST(an_input_that_is_empty) { each_input(empty_input); }

static void described_input(const row *r, int k) {
  if (!reads_input(r) || is(r, VIEW | DESCRIBED)) return;
  s.x[k].data = NULL;
  REFUSED(r, TSR_ESTATE, r->kind->names[k], "[3,4]", "no data");
}
TEST(an_input_without_data) { each_input(described_input); }

static void unaligned_input(const row *r, int k) {
  if (!reads_input(r) || is(r, VIEW | DESCRIBED) || tsr_dtype_size(s.x[k].dtype) == 1) return;
  s.x[k].data = s.in[k].bytes + 1;
  REFUSED(r, TSR_EALIGN, r->kind->names[k], "[3,4]", "aligned");
}
TEST(an_input_that_is_not_aligned) { each_input(unaligned_input); }

static void device_input(const row *r, int k) {
  if (!reads_input(r) || is(r, VIEW | ANY_DEVICE)) return;
  test_device_init(&device, "odd:7", 0);
  tsr_tensor far = {0};
  OK(ctx, tsr_to_device(ctx, &s.x[k], &device.device, &far));
  c.in[k] = &far;
  REFUSED(r, TSR_EDEVICE, r->kind->names[k], "[3,4]", "odd:7");
  CHECK(device.copies[0] + device.copies[1] + device.copies[2] == 1); /* to the device, and nothing else */
  tsr_release(&far);
}
TEST(an_input_on_another_device) { each_input(device_input); }

static void rank_input(const row *r, int k) {
  if (!reads_input(r)) return;
  s.x[k].ndim = TSR_MAX_DIMS + 1;
  REFUSED(r, TSR_ESHAPE, r->kind->names[k][0] == 'l' ? "" : r->kind->names[k], "rank", "");
}
TEST(an_input_of_too_many_axes) { each_input(rank_input); }

static void negative_input(const row *r, int k) {
  if (!reads_input(r) || is(r, VIEW)) return;
  s.x[k].shape[1] = -4;
  REFUSED(r, TSR_ESHAPE, r->kind->names[k][0] == 'l' ? "" : r->kind->names[k], "[3,-4]", "negative");
}
TEST(an_input_with_a_negative_length) { each_input(negative_input); }

static void unknown_dtype_input(const row *r, int k) {
  if (!reads_input(r)) return;
  s.x[k].dtype = 200;
  REFUSED(r, TSR_EDTYPE, r->kind->names[k][0] == 'l' ? "" : r->kind->names[k], "200", "not a dtype");
}
TEST(an_input_whose_dtype_is_none) { each_input(unknown_dtype_input); }

static void refused_dtype_input(const row *r, int k) {
  if (r->kind->fixed[k] != 0 || r->refused == TSR_NONE) return;
  for (int i = 0; i < 3 && has_input(r, i); i++)
    if (r->kind->fixed[i] == 0) matrix(&s.x[i], s.in[i].bytes, r->refused, 3, 4);
  REFUSED(r, TSR_EDTYPE, r->kind->names[0], tsr_dtype_name(r->refused), "");
  prepare(r);
  if (r->refused == TSR_BOOL) return; /* bool with a number is that number's dtype */
  matrix(&s.x[k], s.in[k].bytes, r->refused, 3, 4);
  REFUSED(r, TSR_EDTYPE, r->kind->names[k], tsr_dtype_name(r->refused), "");
}
TEST(an_input_of_a_dtype_that_the_op_does_not_take) { each_input(refused_dtype_input); }

static void fixed_dtype_input(const row *r, int k) {
  if (r->kind->fixed[k] == 0) return;
  matrix(&s.x[k], s.in[k].bytes, TSR_F32, 3, 4);
  REFUSED(r, TSR_EDTYPE, r->kind->names[k], "f32", "");
}
TEST(conditions_and_indices_of_another_dtype) { each_input(fixed_dtype_input); }

static void unlike_input(const row *r, int k) {
  if (k == 0 || !is(r, BROADCASTS | ALIKE)) return;
  matrix(&s.x[k], s.in[k].bytes, s.x[k].dtype, 2, 5);
  REFUSED(r, TSR_ESHAPE, r->kind->names[k], "[3,4]", "[2,5]");
  prepare(r);
  s.x[k].ndim = 1;
  s.x[k].shape[0] = 5;
  REFUSED(r, TSR_ESHAPE, r->kind->names[k], "[3,4]", "[5]");
}
TEST(inputs_whose_shapes_do_not_fit) { each_input(unlike_input); }

/* ---- attributes ---- */

static void each_row(unsigned flags, void (*check)(const row *r)) {
  for (int i = 0; i < COUNT_OF(rows); i++) {
    if (flags != 0 && !is(&rows[i], flags)) continue;
    prepare(&rows[i]);
    check(&rows[i]);
  }
}

static void bad_axis(const row *r) {
  static const int axes[] = {99, -99, INT32_MAX, INT32_MIN};
  for (int i = 0; i < COUNT_OF(axes); i++) {
    char text[16];
    snprintf(text, sizeof text, "%d", axes[i]);
    c.axis = axes[i];
    REFUSED(r, TSR_EAXIS, "", text, "rank");
  }
}
TEST(an_axis_out_of_range) { each_row(AXIS, bad_axis); }

static void bad_axes(const row *r) {
  static const int beyond[] = {0, 2}, below[] = {-3}, twice[] = {1, 1}, twice_negative[] = {0, -2};
  c.naxes = 2, c.axes = beyond;
  REFUSED(r, TSR_EAXIS, "axis", "2", "rank 2");
  c.naxes = 1, c.axes = below;
  REFUSED(r, TSR_EAXIS, "axis", "-3", "rank 2");
  c.naxes = 2, c.axes = twice;
  REFUSED(r, TSR_EAXIS, "axes", "axis 1", "twice");
  c.axes = twice_negative;
  REFUSED(r, TSR_EAXIS, "axes", "axis 0", "twice");
  c.axes = NULL;
  REFUSED(r, TSR_EARG, "axes", "is NULL", "");
  c.naxes = -1, c.axes = twice;
  REFUSED(r, TSR_EARG, "naxes", "-1", "");
}
TEST(axes_out_of_range_twice_or_null) { each_row(AXES, bad_axes); }

static void bad_dtype(const row *r) {
  static const int dtypes[] = {TSR_NONE, -1, 99, INT32_MAX};
  for (int i = 0; i < COUNT_OF(dtypes); i++) {
    char text[16];
    snprintf(text, sizeof text, "%d", dtypes[i]);
    c.dtype = dtypes[i];
    REFUSED(r, TSR_EDTYPE, "dtype", text, "not a dtype");
  }
  if (has_input(r, 0) || r->refused == TSR_NONE) return;
  c.dtype = r->refused;
  REFUSED(r, TSR_EDTYPE, "dtype", tsr_dtype_name(r->refused), "");
}
TEST(a_dtype_that_is_none_or_refused) { each_row(DTYPE, bad_dtype); }

static void bad_shape(const row *r) {
  static const tsr_index negative[] = {3, -4}, huge[] = {TSR_INDEX_MAX, 4};
  c.ndim = -1;
  REFUSED(r, TSR_ESHAPE, "shape", "rank -1", "");
  c.ndim = TSR_MAX_DIMS + 1;
  REFUSED(r, TSR_ESHAPE, "shape", "rank", "");
  c.ndim = 2, c.shape = NULL;
  REFUSED(r, TSR_EARG, "shape", "is NULL", "");
  c.shape = negative;
  REFUSED(r, TSR_ESHAPE, "shape", "[3,-4]", "");
  if (has_input(r, 0)) return; /* then it is a shape that does not fit, see below */
  c.shape = huge;
  REFUSED(r, TSR_EOVERFLOW, "shape", "elements", "");
}
TEST(a_shape_that_is_none) { each_row(SHAPE, bad_shape); }

static void unfit_shape(const row *r) {
  static const tsr_index five_five[] = {5, 5};
  if (!has_input(r, 0)) return;
  c.shape = five_five;
  REFUSED(r, strcmp(r->name, "as_strided") == 0 ? TSR_ECAPACITY : TSR_ESHAPE, "", "[5,5]", "");
}
TEST(a_shape_that_does_not_fit_the_input) { each_row(SHAPE, unfit_shape); }

static void no_generator(const row *r) {
  c.rng = NULL;
  REFUSED(r, TSR_EARG, "rng", "is NULL", "");
}
TEST(a_generator_that_is_null) { each_row(RNG, no_generator); }

/* ---- outputs ---- */

/* An op of several outputs says which one it was: the first of them. */
static const char *output_name(const row *r) {
  if (strcmp(r->name, "histogram") == 0) return "counts";
  return strcmp(r->name, "topk") == 0 || strncmp(r->name, "unique", 6) == 0 ? "values" : r->kind->out;
}

/* Runs the call with an empty output, and makes s.y what a given one must be, over s.out. False where none is given. */
static bool give_output(const row *r) {
  if (is(r, VALUE | NO_OUTPUT | VIEW | FRESH)) return false;
  WORKS(r);
  tsr_tensor want = s.y;
  want.data = s.out.bytes;
  want.storage = NULL;
  want.flags = 0;
  tsr_release(&s.y);
  prepare(r);
  s.y = want;
  return tsr_nbytes(&want) > 0;
}

static void null_output(const row *r) {
  if (is(r, NO_OUTPUT)) return;
  c.out = NULL;
  c.value = NULL;
  REFUSED(r, TSR_EARG, output_name(r), "NULL", "");
}
TEST(an_output_that_is_null) { each_row(0, null_output); }

static void empty_output(const row *r) {
  s.y = (tsr_tensor){0};
  REFUSED(r, TSR_ESTATE, "out", "is empty", "");
}
TEST(an_output_that_must_be_given) { each_row(GIVEN, empty_output); }

static void owning_output(const row *r) {
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 4), &s.y));
  REFUSED(r, TSR_ESTATE, "out", "", "");
  tsr_release(&s.y);
}
TEST(an_output_whose_count_would_be_lost) { each_row(VIEW | FRESH, owning_output); }

static void given_output(const row *r) {
  if (!give_output(r)) return;
  WORKS(r);
  CHECK(memcmp(&s.rng, &before.rng, sizeof s.rng) != 0 || !is(r, RNG));
}
TEST(an_output_that_is_right) { each_row(0, given_output); }

static void readonly_output(const row *r) {
  if (!give_output(r)) return;
  s.y.flags = TSR_READONLY;
  REFUSED(r, TSR_EREADONLY, output_name(r), "read-only", "");
}
TEST(an_output_that_is_read_only) { each_row(0, readonly_output); }

static void misshapen_output(const row *r) {
  char want[64], got[64];
  if (!give_output(r) || is(r, GIVEN)) return;
  shape_text(&s.y, want, sizeof want);
  s.y.shape[s.y.ndim] = 1;
  s.y.stride[s.y.ndim++] = 1;
  if (s.y.ndim > TSR_MAX_DIMS) return;
  REFUSED(r, TSR_ESHAPE, output_name(r), want, shape_text(&s.y, got, sizeof got));
  prepare(r);
  if (!give_output(r)) return;
  s.y.shape[0]++;
  REFUSED(r, TSR_ESHAPE, output_name(r), want, shape_text(&s.y, got, sizeof got));
}
TEST(an_output_of_another_shape) { each_row(0, misshapen_output); }

static void mistyped_output(const row *r) {
  if (!give_output(r) || is(r, GIVEN | ANY_DTYPE)) return;
  const char *const want = tsr_dtype_name(s.y.dtype);
  s.y.dtype = s.y.dtype == TSR_I16 ? TSR_I8 : TSR_I16;
  REFUSED(r, TSR_EDTYPE, output_name(r), want, tsr_dtype_name(s.y.dtype));
}
TEST(an_output_of_another_dtype) { each_row(0, mistyped_output); }

static void repeating_output(const row *r) {
  if (!give_output(r)) return;
  s.y.stride[s.y.ndim - 1] = 0;
  REFUSED(r, TSR_EOVERLAP, output_name(r), "strides", "one address");
}
TEST(an_output_with_two_indices_on_one_address) { each_row(0, repeating_output); }

static void unaligned_output(const row *r) {
  if (!give_output(r) || tsr_dtype_size(s.y.dtype) == 1) return;
  s.y.data = s.out.bytes + 1;
  REFUSED(r, TSR_EALIGN, output_name(r), "aligned", "");
}
TEST(an_output_that_is_not_aligned) { each_row(0, unaligned_output); }

static void gappy_output(const row *r) {
  if (!give_output(r)) return;
  s.y.data = NULL;
  for (int i = 0; i < s.y.ndim; i++) s.y.stride[i] *= 2;
  REFUSED(r, TSR_ESTRIDE, output_name(r), "described strides", "");
}
TEST(an_output_that_is_described_with_gaps) { each_row(0, gappy_output); }

static void device_output(const row *r) {
  if (!give_output(r) || is(r, ANY_DEVICE)) return;
  test_device_init(&device, "odd:7", 0);
  s.y.data = NULL;
  OK(ctx, tsr_allocate(ctx, &device.device, 0, &s.y));
  REFUSED(r, TSR_EDEVICE, output_name(r), "odd:7", "");
  tsr_release(&s.y);
}
TEST(an_output_on_another_device) { each_row(0, device_output); }

/* The output begins one element after input k, in its memory: the result is that of a call apart. */
static void overlapping_output(const row *r, int k) {
  if (!give_output(r) || strcmp(r->name, "empty_like") == 0) return; /* whose result is anything */
  tsr_tensor apart = s.y;
  WORKS(r);
  static test_buffer expected;
  expected = s.out;
  prepare(r);
  const size_t item = tsr_dtype_size(apart.dtype);
  s.y = apart;
  s.y.data = s.in[k].bytes + item;
  WORKS(r);
  CHECK(test_live() == live);
  apart.data = expected.bytes;
  if (!test_check(test_same_elements(&apart, &s.y), __FILE__, __LINE__, "the result is as if the input were copied"))
    printf("  %s, input %d\n", r->name, k);
}
TEST(an_output_that_overlaps_an_input) { each_input(overlapping_output); }

TEST_MAIN(RUN(an_input_that_is_null), RUN(an_input_that_is_empty), RUN(an_input_without_data),
          RUN(an_input_that_is_not_aligned), RUN(an_input_on_another_device), RUN(an_input_of_too_many_axes),
          RUN(an_input_with_a_negative_length), RUN(an_input_whose_dtype_is_none),
          RUN(an_input_of_a_dtype_that_the_op_does_not_take), RUN(conditions_and_indices_of_another_dtype),
          RUN(inputs_whose_shapes_do_not_fit), RUN(an_axis_out_of_range), RUN(axes_out_of_range_twice_or_null),
          RUN(a_dtype_that_is_none_or_refused), RUN(a_shape_that_is_none), RUN(a_shape_that_does_not_fit_the_input),
          RUN(a_generator_that_is_null), RUN(an_output_that_is_null), RUN(an_output_that_must_be_given),
          RUN(an_output_whose_count_would_be_lost), RUN(an_output_that_is_right), RUN(an_output_that_is_read_only),
          RUN(an_output_of_another_shape), RUN(an_output_of_another_dtype),
          RUN(an_output_with_two_indices_on_one_address), RUN(an_output_that_is_not_aligned),
          RUN(an_output_that_is_described_with_gaps), RUN(an_output_on_another_device),
          RUN(an_output_that_overlaps_an_input))
