/* tsr_tile, tsr_repeat, tsr_roll, tsr_tril, tsr_triu; and all that move against values from NumPy. */
#include "ops/move_reference.h"

static void same_index(const move_case *c, const tsr_index *out, tsr_index *in) {
  memcpy(in, out, sizeof *in * (size_t)c->in->ndim);
}

/* ---- tile ---- */

static tsr_status run_tile(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  return tsr_tile(ctx, c->in, c->axis, c->number, out); /* axis: how many numbers there are */
}

static bool map_tile(const move_case *c, const tsr_index *out, tsr_index *in) {
  const int added = c->axis > c->in->ndim ? c->axis - c->in->ndim : 0;
  for (int k = 0; k < c->in->ndim; k++) in[k] = out[k + added] % c->in->shape[k];
  return true;
}

static void each_tile(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  static const tsr_index patterns[][TSR_MAX_DIMS] = {{2, 1, 3, 1}, {1, 5, 2, 1}, {3, 0, 1, 2}, {1, 1, 1, 1}};
  for (int p = 0; p < COUNT_OF(patterns); p++)
    for (c->axis = 0; c->axis <= c->in->ndim + 1 && c->axis <= 4; c->axis++) {
      memcpy(c->number, patterns[p], sizeof patterns[p]);
      move_check(ctx, run_tile, c, map_tile, buffer);
    }
}

TEST(tile_of_layouts) { move_each(each_tile); }

/* ---- repeat ---- */

static tsr_status run_repeat(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  return tsr_repeat(ctx, c->in, c->number[0], c->axis, out);
}

static bool map_repeat(const move_case *c, const tsr_index *out, tsr_index *in) {
  const int axis = c->axis < 0 ? c->axis + c->in->ndim : c->axis;
  same_index(c, out, in);
  in[axis] /= c->number[0];
  return true;
}

static void each_repeat(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  for (c->axis = -c->in->ndim; c->axis < c->in->ndim; c->axis++)
    for (c->number[0] = 0; c->number[0] < 4; c->number[0]++) move_check(ctx, run_repeat, c, map_repeat, buffer);
}

TEST(repeat_of_layouts) { move_each(each_repeat); }

/* ---- roll ---- */

static tsr_status run_roll(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  return tsr_roll(ctx, c->in, c->number[0], c->axis, out);
}

static bool map_roll(const move_case *c, const tsr_index *out, tsr_index *in) {
  const int axis = c->axis < 0 ? c->axis + c->in->ndim : c->axis;
  const tsr_index length = c->in->shape[axis];
  same_index(c, out, in);
  in[axis] = ((out[axis] - c->number[0] % length) % length + length) % length;
  return true;
}

static void each_roll(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  static const tsr_index shifts[] = {0, 1, -1, 2, 7, -12, TSR_INDEX_MAX, TSR_INDEX_MIN};
  for (c->axis = -c->in->ndim; c->axis < c->in->ndim; c->axis++)
    for (int i = 0; i < COUNT_OF(shifts); i++) {
      c->number[0] = shifts[i];
      move_check(ctx, run_roll, c, map_roll, buffer);
    }
}

TEST(roll_of_layouts) { move_each(each_roll); }

/* ---- tril, triu ---- */

static tsr_status run_triangle(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  return (c->axis == 0 ? tsr_tril : tsr_triu)(ctx, c->in, c->number[0], out);
}

static bool map_triangle(const move_case *c, const tsr_index *out, tsr_index *in) {
  const tsr_index row = out[c->in->ndim - 2], column = out[c->in->ndim - 1], offset = c->number[0];
  same_index(c, out, in);
  if (offset > 1000 || offset < -1000) return (offset > 0) == (c->axis == 0);
  return c->axis == 0 ? column - row <= offset : column - row >= offset;
}

static void each_triangle(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  static const tsr_index offsets[] = {0, 1, -1, 2, 9, -9, TSR_INDEX_MAX, TSR_INDEX_MIN};
  tsr_tensor none = {0};
  for (c->axis = 0; c->axis < 2; c->axis++)
    for (int i = 0; i < COUNT_OF(offsets); i++) {
      c->number[0] = offsets[i];
      if (c->in->ndim >= 2)
        move_check(ctx, run_triangle, c, map_triangle, buffer);
      else
        FAILS(ctx, TSR_ESHAPE, run_triangle(ctx, c, &none));
    }
}

TEST(triangles_of_layouts) { move_each(each_triangle); }

TEST(triangles_in_place_need_no_memory) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(5, 7), &x));
  test_failing()->fail_at = 0;
  test_failing()->sticky = true;
  OK(ctx, tsr_tril(ctx, &x, 1, &x));
  OK(ctx, tsr_triu(ctx, &x, 1, &x));
  for (tsr_index i = 0; i < 5; i++)
    for (tsr_index j = 0; j < 7; j++) CHECK(TSR_AT(float, &x, i, j) == (j == i + 1 ? 1.0f : 0.0f));
  tsr_release(&x);
}

/* ---- NumPy ---- */

typedef struct golden {
  const char *op;
  int ndim, axis;
  tsr_index shape[3];  /* of the input, whose elements are 0, 1, 2, … */
  tsr_index number[6]; /* its numbers */
  int mode;
  int out_ndim;
  tsr_index out_shape[4];
  int first; /* in golden_values */
} golden;

#include "golden/move.inc"

/* Output number axis of a grid of 0, 1, 2, … each way; the input itself does not count. */
static tsr_status one_grid(tsr_ctx *ctx, const golden *g, tsr_tensor *out) {
  tsr_tensor range = {0}, vectors[3] = {{0}}, grids[3] = {{0}};
  const tsr_tensor *in[3];
  tsr_status st = tsr_arange_i64(ctx, TSR_I16, 0, 8, 1, &range);
  for (int i = 0; i < g->ndim && st == TSR_OK; i++) {
    st = tsr_narrow(ctx, &range, 0, 0, g->shape[i], &vectors[i]);
    in[i] = &vectors[i];
  }
  if (st == TSR_OK) st = tsr_meshgrid(ctx, g->ndim, in, (tsr_indexing)g->mode, grids);
  if (st == TSR_OK) st = tsr_copy(ctx, &grids[g->axis], out);
  tsr_release(&range);
  return st;
}

/* number[0] classes, the indices after it. */
static tsr_status hot_vectors(tsr_ctx *ctx, const golden *g, tsr_tensor *out) {
  tsr_tensor index = {0};
  int64_t indices[5];
  for (int i = 0; i < 5; i++) indices[i] = (int64_t)g->number[1 + i];
  const tsr_status st = tsr_from_memory(ctx, indices, TSR_I64, TSR_SHAPE(g->shape[0]), &index);
  return st == TSR_OK ? tsr_one_hot(ctx, &index, g->number[0], 5, -3, TSR_I16, out) : st;
}

static tsr_status run_golden(tsr_ctx *ctx, const golden *g, const tsr_tensor *in, tsr_tensor *out) {
  if (strcmp(g->op, "pad") == 0)
    return tsr_pad(ctx, in, g->number, g->number + g->ndim, (tsr_pad_mode)g->mode, (tsr_real)-7, out);
  if (strcmp(g->op, "roll") == 0) return tsr_roll(ctx, in, g->number[0], g->axis, out);
  if (strcmp(g->op, "tile") == 0) return tsr_tile(ctx, in, g->axis, g->number, out);
  if (strcmp(g->op, "repeat") == 0) return tsr_repeat(ctx, in, g->number[0], g->axis, out);
  if (strcmp(g->op, "tril") == 0) return tsr_tril(ctx, in, g->number[0], out);
  if (strcmp(g->op, "triu") == 0) return tsr_triu(ctx, in, g->number[0], out);
  if (strcmp(g->op, "meshgrid") == 0) return one_grid(ctx, g, out);
  if (strcmp(g->op, "one_hot") == 0) return hot_vectors(ctx, g, out);
  tsr_tensor index = {0}; /* take: number[0] indices in the numbers after it */
  int32_t indices[5];
  for (int i = 0; i < 5; i++) indices[i] = (int32_t)g->number[1 + i];
  const tsr_status st = tsr_from_memory(ctx, indices, TSR_I32, TSR_SHAPE(g->number[0]), &index);
  return st == TSR_OK ? tsr_take(ctx, in, &index, g->axis, out) : st;
}

TEST(golden_values_of_numpy) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(golden_cases); i++) {
    const golden *const g = &golden_cases[i];
    tsr_tensor in = {0}, out = {0};
    OK(ctx, tsr_arange_i64(ctx, TSR_I16, 0, test_product(g->ndim, g->shape), 1, &in));
    OK(ctx, tsr_reshape(ctx, &in, g->ndim, g->shape, &in));
    OK(ctx, run_golden(ctx, g, &in, &out));
    bool right = out.ndim == g->out_ndim && tsr_is_contiguous(&out, TSR_ROW_MAJOR);
    for (int k = 0; right && k < out.ndim; k++) right = out.shape[k] == g->out_shape[k];
    for (tsr_index k = 0; right && k < tsr_size(&out); k++)
      right = ((const int16_t *)out.data)[k] == golden_values[g->first + k];
    CHECK(right);
    if (!right) printf("  case %d: %s\n", i, g->op);
    tsr_release(&in);
    tsr_release(&out);
  }
  CHECK(test_live() == 0);
}

/* ---- bad calls ---- */

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, s = {0}, empty = {0}, out = {0}, read_only = {0}, wide = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_ones(ctx, TSR_F32, TEST_SCALAR, &s));
  OK(ctx, tsr_view(ctx, &x, &read_only));
  read_only.flags |= TSR_READONLY;
  OK(ctx, tsr_broadcast_to(ctx, &s, TSR_SHAPE(2, 3), &wide));
  BAD(ctx, TSR_EARG, tsr_tile(ctx, &x, 9, (const tsr_index[9]){0}, &out), "tile: n is 9");
  BAD(ctx, TSR_EARG, tsr_tile(ctx, &x, 2, NULL, &out), "tile: reps is NULL");
  BAD(ctx, TSR_EARG, tsr_tile(ctx, &x, 2, (const tsr_index[]){1, -2}, &out), "tile: reps [1] is -2");
  BAD(ctx, TSR_EOVERFLOW, tsr_tile(ctx, &x, 1, (const tsr_index[]){TSR_INDEX_MAX}, &out),
      "tile: in f32 [2,3]: an axis");
  BAD(ctx, TSR_ESTATE, tsr_tile(ctx, &empty, 0, NULL, &out), "tile: in is empty");
  BAD(ctx, TSR_EARG, tsr_repeat(ctx, &x, -1, 0, &out), "repeat: count is -1");
  BAD(ctx, TSR_EAXIS, tsr_repeat(ctx, &x, 1, 2, &out), "repeat: axis 2");
  BAD(ctx, TSR_EAXIS, tsr_repeat(ctx, &s, 1, 0, &out), "repeat: axis 0");
  BAD(ctx, TSR_EARG, tsr_repeat(ctx, NULL, 1, 0, &out), "repeat: in is NULL");
  BAD(ctx, TSR_EAXIS, tsr_roll(ctx, &x, 1, -3, &out), "roll: axis -3");
  BAD(ctx, TSR_EARG, tsr_roll(ctx, &x, 1, 0, NULL), "roll: out is NULL");
  BAD(ctx, TSR_EREADONLY, tsr_roll(ctx, &x, 1, 0, &read_only), "roll: out f32 [2,3] is read-only");
  BAD(ctx, TSR_EOVERLAP, tsr_roll(ctx, &x, 1, 0, &wide), "roll: out f32 [2,3]");
  BAD(ctx, TSR_ESHAPE, tsr_tril(ctx, &s, 0, &out), "tril: in f32 [] is no matrix");
  BAD(ctx, TSR_EARG, tsr_triu(ctx, &x, 0, NULL), "triu: out is NULL");
  BAD(ctx, TSR_ESHAPE, tsr_triu(ctx, &x, 0, &s), "triu: out is f32 [], the result is f32 [2,3]");
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_roll(ctx, &x, 1, 1, &x)); /* overlapping: no temporary memory */
  for (int i = 0; i < 6; i++) CHECK(((float *)x.data)[i] == 1);
  CHECK(tsr_is_none(&out));
  tsr_release(&x);
  tsr_release(&s);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(tile_of_layouts), RUN(repeat_of_layouts), RUN(roll_of_layouts), RUN(triangles_of_layouts),
          RUN(triangles_in_place_need_no_memory), RUN(golden_values_of_numpy), RUN(bad_calls))
