/* Every op with operands whose strides mean nothing: axes of length 1 and tensors without elements may have any stride, and
 * the latter no data. The same status and the same elements as with the strides that the library gives; that nothing is
 * computed with them is for the undefined-behaviour sanitizer to say. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include "registry/calls.h"

#include <stdlib.h>

static tsr_tensor *const tensors[] = {&x,     &y,      &z,      &square,  &v,       &u,       &u2,
                                      &image, &signal, &volume, &filter1, &filter2, &filter3, &deep,
                                      &part,  &four,   &table,  &rows,    &numbers, &places,  &truth};
static tsr_tensor usual[COUNT_OF(tensors)];

static const tsr_index odd_strides[] = {TSR_INDEX_MAX, -TSR_INDEX_MAX - 1, TSR_INDEX_MAX / 3, -TSR_INDEX_MAX / 2, -5};

static void keep_tensors(void) {
  for (int i = 0; i < COUNT_OF(tensors); i++) usual[i] = *tensors[i];
}

static void restore_tensors(void) {
  for (int i = 0; i < COUNT_OF(tensors); i++) *tensors[i] = usual[i];
}

/* Strides as the library gives them: a length of 0 counts as 1. */
static void give_strides(tsr_tensor *t) {
  tsr_index step = 1;
  for (int i = t->ndim - 1; i >= 0; i--) {
    t->stride[i] = step;
    step *= t->shape[i] + (t->shape[i] == 0);
  }
}

/* Axes of length 1 or 0 in every tensor: those of mask, in the first of those tensors or in all. */
static void shorten(unsigned mask, tsr_index length) {
  for (int i = 0; i < COUNT_OF(tensors); i++) {
    tsr_tensor *const t = tensors[i];
    for (int k = 0; k < t->ndim; k++)
      if ((mask >> k & 1) != 0) t->shape[k] = length;
    give_strides(t);
  }
}

static void make_odd(tsr_tensor *t, tsr_index stride, bool no_data) {
  const bool none = tsr_size(t) == 0;
  for (int k = 0; k < t->ndim; k++)
    if (none || t->shape[k] == 1) t->stride[k] = stride;
  if (none && no_data) t->data = NULL;
}

/* The outputs of a call as given tensors, of bytes that differ from it. */
static void give_alike(const entry *e, const tsr_tensor *like, tsr_index stride, bool no_data, tsr_tensor *given) {
  memset(given, 0, 4 * sizeof *given);
  for (int i = 0; i < e->outputs; i++) {
    if (like[i].dtype == TSR_NONE) continue;
    given[i] = like[i];
    given[i].flags = 0;
    given[i].storage = NULL;
    give_strides(&given[i]);
    given[i].data = calloc(tsr_nbytes(&given[i]) + 1, 1);
    if (needs_output(e->name)) continue; /* written in part */
    make_odd(&given[i], stride, false);
    if (tsr_size(&given[i]) == 0 && no_data) free(given[i].data), given[i].data = NULL;
  }
}

static void expect_same(const entry *e, const char *how, tsr_status got, tsr_status want, const tsr_tensor *a,
                        const tsr_tensor *b) {
  if (!test_check(got == want, __FILE__, __LINE__, how))
    printf("  %s: %s instead of %s\n", e->name, tsr_status_name(got), tsr_status_name(want));
  for (int i = 0; i < e->outputs && got == TSR_OK && want == TSR_OK; i++) {
    const bool same = a[i].dtype == b[i].dtype && tsr_same_shape(&a[i], &b[i]) &&
                      (is_left_empty(e->name) || test_same_elements(&a[i], &b[i]));
    if (!test_check(same, __FILE__, __LINE__, how)) printf("  %s, output %d\n", e->name, i);
  }
}

static tsr_status run(tsr_ctx *ctx, const entry *e, tsr_tensor *out) {
  tsr_tensor *const o[] = {&out[0], &out[1], &out[2], &out[3]};
  rng = tsr_rng_seed(7);
  return e->named(ctx, o);
}

/* Whether an op writes to its outputs: a view would be bound to the inputs' memory instead. */
static bool writes_outputs(tsr_ctx *ctx, const entry *e, int dtype) {
  tsr_tensor out[4];
  bool owned = true;
  give_outputs(ctx, e, dtype, out);
  const tsr_status st = run(ctx, e, out);
  for (int i = 0; i < e->outputs; i++) owned = owned && (tsr_size(&out[i]) == 0 || (out[i].flags & TSR_OWNS) != 0);
  release(out);
  return st == TSR_OK && owned;
}

static void compare_odd(tsr_ctx *ctx, const entry *e, int dtype, unsigned mask, tsr_index length, tsr_index stride,
                        bool writes) {
  tsr_tensor plain[4], odd[4];
  const bool no_data = stride < 0;
  restore_tensors();
  shorten(mask, length);
  give_outputs(ctx, e, dtype, plain);
  const tsr_status want = run(ctx, e, plain);
  for (int i = 0; i < COUNT_OF(tensors); i++) make_odd(tensors[i], stride, no_data);
  give_outputs(ctx, e, dtype, odd);
  const tsr_status got = run(ctx, e, odd);
  expect_same(e, "inputs with odd strides", got, want, plain, odd);
  release(odd);
  if (want == TSR_OK && writes) {
    give_alike(e, plain, stride, no_data, odd);
    tsr_tensor before[4];
    memcpy(before, odd, sizeof odd);
    const tsr_status given = run(ctx, e, odd);
    if (given != TSR_ESTATE && !has_name(e->name, "fill") && !has_name(e->name, "fill_i64") &&
        !has_name(e->name, "fill_complex")) { /* ESTATE: must be empty */
      expect_same(e, "outputs with odd strides", given, TSR_OK, plain, odd);
      for (int i = 0; i < e->outputs; i++) {
        const bool kept = memcmp(odd[i].stride, before[i].stride, sizeof odd[i].stride) == 0;
        if (!test_check(kept, __FILE__, __LINE__, "a given output keeps its strides")) printf("  %s\n", e->name);
      }
    }
    for (int i = 0; i < 4; i++)
      if ((odd[i].flags & TSR_OWNS) != 0) tsr_release(&odd[i]);
    for (int i = 0; i < 4; i++) free(before[i].data);
  }
  release(plain);
}

static void each_op(tsr_index length) {
  tsr_ctx *const ctx = test_context();
  memset(zero_one_two, 0, sizeof zero_one_two); /* indices that axes of length 1 have */
  keep_tensors();
  for (int i = 0; i < COUNT_OF(calls); i++) {
    const tsr_op *const op = tsr_op_find(calls[i].name);
    const int dtype = usual_dtype(op);
    set_dtype(dtype, 2);
    keep_tensors();
    const bool writes = writes_outputs(ctx, &calls[i], dtype);
    for (unsigned mask = 1; mask < 32; mask++)
      for (int k = 0; k < COUNT_OF(odd_strides); k++)
        compare_odd(ctx, &calls[i], dtype, mask, length, odd_strides[k], writes);
    restore_tensors();
  }
  CHECK(test_live() == 0);
}

TEST(axes_of_length_1_have_any_stride) { each_op(1); }
TEST(tensors_without_elements_have_any_strides_and_no_data) { each_op(0); }

/* ---- what is no op by name ---- */

static void look_at(tsr_ctx *ctx, const tsr_tensor *t) {
  static const tsr_order orders[] = {TSR_ROW_MAJOR, TSR_COL_MAJOR, TSR_FORTRAN, TSR_MEMORY};
  const tsr_index first[3] = {0};
  const tsr_status there = tsr_size(t) > 0 ? TSR_OK : TSR_EINDEX;
  char text[256];
  tsr_real value;
  for (int k = 0; k < COUNT_OF(orders); k++) {
    tsr_iter it;
    tsr_index seen = 0;
    OK(ctx, tsr_iter_init(ctx, t, orders[k], &it));
    while (tsr_iter_next(&it)) seen++;
    CHECK(seen == tsr_size(t) && tsr_is_contiguous(t, orders[k]));
    FAILS(ctx, there, tsr_get_flat(ctx, t, 0, orders[k], &value));
  }
  FAILS(ctx, there, tsr_get(ctx, t, t->ndim, first, &value));
  CHECK(tsr_desc_format(t, text, sizeof text) > 0);
  OK(ctx, tsr_print_text(ctx, t, NULL, text, sizeof text, NULL));
}

static void write_to(tsr_ctx *ctx, tsr_tensor *t) {
  const double value = 3;
  OK(ctx, tsr_fill(ctx, 1, t));
  OK(ctx, tsr_full(ctx, TSR_F64, t->ndim, t->shape, 2, t));
  OK(ctx, tsr_from_array(ctx, &value, tsr_size(t), TSR_F64, t->ndim, t->shape, TSR_FORTRAN, t));
  if (t->ndim == 1) OK(ctx, tsr_arange(ctx, TSR_F64, 7, 7 + (tsr_real)t->shape[0], 1, t));
  if (t->ndim == 1) OK(ctx, tsr_arange_i64(ctx, TSR_F64, 7, 7 + t->shape[0], 1, t));
  if (t->ndim == 1) OK(ctx, tsr_linspace(ctx, TSR_F64, 7, 8, t->shape[0], t));
}

/* For the sanitizers: that no stride is multiplied by anything. */
TEST(functions_on_tensors_with_odd_strides) {
  tsr_ctx *const ctx = test_context();
  double element = 5;
  for (int k = 0; k < COUNT_OF(odd_strides); k++)
    for (int rank = 1; rank <= 3; rank++)
      for (int length = 0; length <= 1; length++) {
        tsr_tensor t = {.dtype = TSR_F64, .ndim = (uint8_t)rank, .data = &element};
        for (int i = 0; i < TSR_MAX_DIMS; i++) t.shape[i] = i == rank - 1 ? length : length == 0 ? 1 + i : 1;
        for (int i = 0; i < rank; i++) t.stride[i] = odd_strides[k];
        look_at(ctx, &t);
        write_to(ctx, &t);
        if (length == 0) t.data = NULL;
        if (length == 0) look_at(ctx, &t);
      }
  CHECK(element == 3); /* what rank 3 was made from */
}

/* What no function with a status would take can be described all the same. */
TEST(numbers_made_by_hand_are_described) {
  tsr_tensor t = {.dtype = TSR_F32, .ndim = 3, .shape = {0, TSR_INDEX_MAX, 2}, .stride = {5, 2, 1}};
  char text[256];
  for (int k = 0; k < 3; k++) {
    t.shape[0] = k == 0 ? 0 : k == 1 ? -3 : 3;
    CHECK(tsr_desc_format(&t, text, sizeof text) > 0);
    CHECK(tsr_is_contiguous(&t, TSR_MEMORY) == (k == 0));
  }
}

TEST_MAIN(RUN(axes_of_length_1_have_any_stride), RUN(tensors_without_elements_have_any_strides_and_no_data),
          RUN(functions_on_tensors_with_odd_strides), RUN(numbers_made_by_hand_are_described))

#else

TEST(odd_operands) { SKIP("not configured"); }
TEST_MAIN(RUN(odd_operands))

#endif
