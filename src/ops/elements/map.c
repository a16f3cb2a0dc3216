/* A user function over every element. */
#include "core/normalise.h"
#include "core/check.h"
#include "cpu/isa.h"
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"

#include <tessera/elements.h>

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)
enum { BLOCK = TSR_HAVE_MALLOC ? 256 : 32 };

/* Runs row over the output and the input, which is copied first where they overlap otherwise than in place. */
static tsr_status run_map(tsr_ctx *ctx, const char *op, const tsr_tensor *in, tsr_tensor *out, tsr__row_fn *row,
                          void *arg) {
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, in};
  tsr__scratch scratch = {0};
  tsr_tensor from = *in; /* in may be out */
  tsr_status st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK && out->data != NULL && tsr__overlap(in, out) && !tsr__same_view(in, out))
    st = tsr__copy_to_scratch(ctx, op, in, &scratch, &from);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) {
    tsr__loop loop;
    tsr__loop_init(&loop, 2, (const tsr_tensor *[]){out, &from});
    tsr__loop_run(&loop, row, arg);
  }
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status check_function(tsr_ctx *ctx, const char *op, bool given) {
  return given ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "fn", "is NULL");
}

/* ---- any dtype, by way of tsr_real ---- */

typedef struct real_map {
  tsr_map_fn *fn;
  void *user;
  int isa, dtype;
} real_map;

static void convert_or_move(int isa, int from, int to, tsr_index n, const char *src, ptrdiff_t src_step, char *dst,
                            ptrdiff_t dst_step) {
  if (from != to)
    tsr__convert_row(isa, from, to, n, src, src_step, dst, dst_step);
  else
    tsr__move_row(sizeof(tsr_real), n, src, src_step, dst, dst_step);
}

static void map_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const real_map *const m = args->param;
  tsr_real block[BLOCK];
  for (tsr_index first = 0; first < n; first += BLOCK) {
    const tsr_index count = n - first < BLOCK ? n - first : BLOCK;
    convert_or_move(m->isa, m->dtype, REAL_DTYPE, count, at[1] + first * step[1], step[1], (char *)block,
                    sizeof *block);
    for (tsr_index i = 0; i < count; i++) block[i] = m->fn(block[i], m->user);
    convert_or_move(m->isa, REAL_DTYPE, m->dtype, count, (const char *)block, sizeof *block, at[0] + first * step[0],
                    step[0]);
  }
}

tsr_status tsr_map(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_fn *fn, void *user, tsr_tensor *out) {
  TSR__NORMALISE_ALL(in, out);
  static const char op[] = "map";
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = check_function(ctx, op, fn != NULL);
  if (st == TSR_OK && tsr_dtype_describe(in->dtype)->class_ == TSR_CLASS_COMPLEX)
    st = TSR__FAIL(ctx, TSR_EDTYPE, op, "in", "is %t: the function takes real numbers; see tsr_complex_part", in);
  if (st == TSR_OK) st = tsr__check_cast(ctx, op, in->dtype, REAL_DTYPE);
  real_map m = {fn, user, tsr__isa_of(ctx), st == TSR_OK ? in->dtype : TSR_NONE};
  return st == TSR_OK ? run_map(ctx, op, in, out, map_row, &m) : st;
}

/* ---- one dtype, without conversion ---- */

static tsr_status check_typed(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int dtype, bool given) {
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = check_function(ctx, op, given);
  if (st == TSR_OK && in->dtype != dtype)
    st = TSR__FAIL(ctx, TSR_EDTYPE, op, "in", "is %t, the function takes %y", in, dtype);
  return st;
}

typedef struct f32_map {
  tsr_map_f32_fn *fn;
  void *user;
} f32_map;

static void map_f32_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const f32_map *const m = args->param;
  for (tsr_index i = 0; i < n; i++)
    *(float *)(void *)(at[0] + i * step[0]) = m->fn(*(const float *)(const void *)(at[1] + i * step[1]), m->user);
}

tsr_status tsr_map_f32(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_f32_fn *fn, void *user, tsr_tensor *out) {
  TSR__NORMALISE_ALL(in, out);
  f32_map m = {fn, user};
  const tsr_status st = check_typed(ctx, "map_f32", in, TSR_F32, fn != NULL);
  return st == TSR_OK ? run_map(ctx, "map_f32", in, out, map_f32_row, &m) : st;
}

typedef struct i32_map {
  tsr_map_i32_fn *fn;
  void *user;
} i32_map;

static void map_i32_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const i32_map *const m = args->param;
  for (tsr_index i = 0; i < n; i++)
    *(int32_t *)(void *)(at[0] + i * step[0]) = m->fn(*(const int32_t *)(const void *)(at[1] + i * step[1]), m->user);
}

tsr_status tsr_map_i32(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_i32_fn *fn, void *user, tsr_tensor *out) {
  TSR__NORMALISE_ALL(in, out);
  i32_map m = {fn, user};
  const tsr_status st = check_typed(ctx, "map_i32", in, TSR_I32, fn != NULL);
  return st == TSR_OK ? run_map(ctx, "map_i32", in, out, map_i32_row, &m) : st;
}
