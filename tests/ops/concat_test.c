/* tsr_concat, tsr_stack, tsr_split, tsr_split_sizes. */
#include "ops/move_reference.h"

/* ---- concat: the tensor, itself backwards along the axis, and itself ---- */

static tsr_status run_concat(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  tsr_tensor turned = {0};
  const tsr_status st = tsr_flip(ctx, c->in, c->axis, &turned);
  return st == TSR_OK ? tsr_concat(ctx, 3, (const tsr_tensor *[]){c->in, &turned, c->in}, c->axis, out) : st;
}

static bool map_concat(const move_case *c, const tsr_index *out, tsr_index *in) {
  const int axis = c->axis < 0 ? c->axis + c->in->ndim : c->axis;
  const tsr_index length = c->in->shape[axis], part = out[axis] / length, at = out[axis] % length;
  memcpy(in, out, sizeof *in * (size_t)c->in->ndim);
  in[axis] = part == 1 ? length - 1 - at : at;
  return true;
}

static void each_concat(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  for (c->axis = -c->in->ndim; c->axis < c->in->ndim; c->axis++) move_check(ctx, run_concat, c, map_concat, buffer);
}

TEST(concat_of_layouts) { move_each(each_concat); }

/* ---- stack ---- */

static tsr_status run_stack(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  return tsr_stack(ctx, 2, (const tsr_tensor *[]){c->in, c->in}, c->axis, out);
}

static bool map_stack(const move_case *c, const tsr_index *out, tsr_index *in) {
  const int axis = c->axis < 0 ? c->axis + c->in->ndim + 1 : c->axis;
  for (int k = 0; k < c->in->ndim; k++) in[k] = out[k + (k >= axis)];
  return true;
}

static void each_stack(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  tsr_tensor out = {0};
  if (c->in->ndim == TSR_MAX_DIMS) {
    FAILS(ctx, TSR_ESHAPE, run_stack(ctx, c, &out));
    return;
  }
  for (c->axis = -c->in->ndim - 1; c->axis <= c->in->ndim; c->axis++) move_check(ctx, run_stack, c, map_stack, buffer);
}

TEST(stack_of_layouts) { move_each(each_stack); }

TEST(concat_of_different_lengths) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0}, none = {0}, z = {0}, out = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 6, 1, &x));
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 6, 8, 1, &y));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(0), &none));
  OK(ctx, tsr_concat(ctx, 3, (const tsr_tensor *[]){&x, &none, &y}, 0, &z));
  CHECK(z.ndim == 1 && z.shape[0] == 8);
  for (tsr_index i = 0; i < 8; i++) CHECK(TSR_AT(int32_t, &z, i) == i);
  OK(ctx, tsr_concat(ctx, 1, (const tsr_tensor *[]){&none}, -1, &out));
  CHECK(tsr_size(&out) == 0 && out.dtype == TSR_I32);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&z);
  CHECK(test_live() == 0);
}

/* ---- split ---- */

TEST(split_is_views) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, parts[4] = {{0}}, back = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I16, 0, 24, 1, &x));
  OK(ctx, tsr_reshape(ctx, &x, TSR_SHAPE(2, 12), &x));
  OK(ctx, tsr_split(ctx, &x, 1, 3, parts));
  for (int i = 0; i < 3; i++) {
    CHECK(parts[i].shape[0] == 2 && parts[i].shape[1] == 4 && (parts[i].flags & TSR_OWNS) == 0 &&
          test_is_tidy(&parts[i]));
    CHECK(TSR_AT(int16_t, &parts[i], 1, 2) == 12 + 4 * i + 2);
  }
  OK(ctx, tsr_concat(ctx, 3, (const tsr_tensor *[]){&parts[0], &parts[1], &parts[2]}, 1, &back));
  CHECK(test_same_elements(&x, &back));
  OK(ctx, tsr_split_sizes(ctx, &x, -1, 4, (const tsr_index[]){5, 0, 6, 1}, parts));
  CHECK(parts[0].shape[1] == 5 && parts[1].shape[1] == 0 && parts[2].shape[1] == 6 && parts[3].shape[1] == 1);
  CHECK(TSR_AT(int16_t, &parts[2], 1, 0) == 17 && TSR_AT(int16_t, &parts[3], 0, 0) == 11);
  parts[1] = tsr_move(&x); /* the input is one of the outputs: it keeps its count */
  OK(ctx, tsr_split(ctx, &parts[1], 0, 2, parts));
  CHECK((parts[1].flags & TSR_OWNS) != 0 && (parts[0].flags & TSR_OWNS) == 0);
  CHECK(TSR_AT(int16_t, &parts[0], 0, 3) == 3 && TSR_AT(int16_t, &parts[1], 0, 3) == 15);
  tsr_release(&parts[1]);
  tsr_release(&back);
  CHECK(test_live() == 0);
}

/* ---- bad calls ---- */

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0}, v = {0}, s = {0}, empty = {0}, out = {0}, owner = {0}, parts[3] = {{0}};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(2, 3), &y));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &v));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TEST_SCALAR, &s));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1), &owner));
  const tsr_tensor *const two[2] = {&x, &x}, *const dtypes[2] = {&x, &y}, *const ranks[2] = {&x, &v};
  const tsr_tensor *const hole[2] = {&x, NULL}, *const unset[2] = {&x, &empty}, *const scalars[2] = {&s, &s};
  BAD(ctx, TSR_EARG, tsr_concat(ctx, 0, two, 0, &out), "concat: n is 0");
  BAD(ctx, TSR_EARG, tsr_concat(ctx, 2, NULL, 0, &out), "concat: in is NULL");
  BAD(ctx, TSR_EARG, tsr_concat(ctx, 2, hole, 0, &out), "concat: in[1] is NULL");
  BAD(ctx, TSR_EARG, tsr_concat(ctx, 2, two, 0, NULL), "concat: out is NULL");
  BAD(ctx, TSR_ESTATE, tsr_concat(ctx, 2, unset, 0, &out), "concat: in[1] is empty");
  BAD(ctx, TSR_EDTYPE, tsr_concat(ctx, 2, dtypes, 0, &out), "concat: in[1] is i32 [2,3] and in[0] is f32 [2,3]: cast");
  BAD(ctx, TSR_ESHAPE, tsr_concat(ctx, 2, ranks, 0, &out),
      "concat: in[1] is f32 [3] and in[0] is f32 [2,3]: only axis 0");
  BAD(ctx, TSR_EAXIS, tsr_concat(ctx, 2, two, 2, &out), "concat: axis 2 is out of range");
  BAD(ctx, TSR_EAXIS, tsr_concat(ctx, 2, scalars, 0, &out), "concat: axis 0 is out of range");
  BAD(ctx, TSR_ESHAPE, tsr_concat(ctx, 2, two, 0, &v), "concat: out is f32 [3], the result is f32 [4,3]");
  BAD(ctx, TSR_ESHAPE, tsr_stack(ctx, 2, ranks, 0, &out), "stack: in[1] is f32 [3] and in[0] is f32 [2,3]: the shapes");
  BAD(ctx, TSR_EAXIS, tsr_stack(ctx, 2, two, 3, &out), "stack: axis 3");
  BAD(ctx, TSR_EDTYPE, tsr_stack(ctx, 2, dtypes, 0, &out), "stack: in[1] is i32");
  BAD(ctx, TSR_ESHAPE, tsr_split(ctx, &x, 1, 2, parts),
      "split: in f32 [2,3]: axis 1 does not split into 2 equal parts");
  BAD(ctx, TSR_EARG, tsr_split(ctx, &x, 1, 0, parts), "split: n is 0");
  BAD(ctx, TSR_EARG, tsr_split(ctx, &x, 1, 1, NULL), "split: out is NULL");
  BAD(ctx, TSR_EARG, tsr_split(ctx, NULL, 1, 1, parts), "split: in is NULL");
  BAD(ctx, TSR_EAXIS, tsr_split(ctx, &x, -3, 1, parts), "split: axis -3");
  BAD(ctx, TSR_ESTATE, tsr_split(ctx, &x, 0, 1, &owner), "split: out");
  BAD(ctx, TSR_ESHAPE, tsr_split_sizes(ctx, &x, 1, 2, (const tsr_index[]){1, 1}, parts),
      "split_sizes: sizes have sum 2");
  BAD(ctx, TSR_ESHAPE, tsr_split_sizes(ctx, &x, 1, 2, (const tsr_index[]){4, -1}, parts),
      "split_sizes: sizes [1] is -1");
  BAD(ctx, TSR_ESHAPE, tsr_split_sizes(ctx, &x, 1, 2, (const tsr_index[]){TSR_INDEX_MAX, 4}, parts), "sizes have sum");
  BAD(ctx, TSR_EARG, tsr_split_sizes(ctx, &x, 1, 2, NULL, parts), "split_sizes: sizes is NULL");
  CHECK(tsr_is_none(&out) && tsr_is_none(&parts[0]));
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&v);
  tsr_release(&s);
  tsr_release(&owner);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(concat_of_layouts), RUN(stack_of_layouts), RUN(concat_of_different_lengths), RUN(split_is_views),
          RUN(bad_calls))
