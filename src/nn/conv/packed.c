/* Packed filters: making them, and convolutions with them. */
#include "core/normalise.h"
#include "cpu/isa_table.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "nn/conv/ops.h"

#include <string.h>

/* ---- making ---- */

/* Whether t has a dtype and a shape; it may have no data. */
static tsr_status check_shape_only(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (t->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, arg, "is empty");
  const tsr_status st = tsr__check_dtype(ctx, op, arg, t->dtype);
  return st == TSR_OK ? tsr__check_shape(ctx, op, arg, t->ndim, t->shape, NULL) : st;
}

/* Everything that can be wrong with the inputs; how many numbers the panels hold. */
static tsr_status resolve_filters(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias,
                                  const tsr_conv_options *options, const tsr_tensor *like, tsr__conv *c,
                                  tsr__conv_panels *size) {
  tsr_status st = check_shape_only(ctx, c->op, "like", like);
  if (st == TSR_OK) st = tsr__conv_resolve(ctx, like, w, bias, options, c);
  if (st == TSR_OK) st = tsr__conv_choose(ctx, options, c);
  if (st != TSR_OK) return st;
  if (!TSR__CONV_FAST || c->algorithm->pack == NULL)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, c->op, "w",
                     "%y filters are read where they lie by the plain loops: nothing to pack", c->dtype);
#if TSR__CONV_FAST
  if (!tsr__conv_panels_of(c, size)) return TSR__FAIL(ctx, TSR_EOVERFLOW, c->op, "w", "%t is too large to pack", w);
#endif
  (void)size;
  return TSR_OK;
}

tsr_status tsr_conv_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_conv_options *options,
                              const tsr_tensor *like, tsr_index *count) {
  TSR__NORMALISE_ALL(w, like);
  tsr__conv c = {.op = "conv_pack_size"};
  tsr__conv_panels size = {0};
  if (count == NULL) return TSR__FAIL(ctx, TSR_EARG, c.op, "count", "is NULL");
  tsr_status st = check_shape_only(ctx, c.op, "w", w);
  if (st == TSR_OK) st = resolve_filters(ctx, w, NULL, options, like, &c, &size);
  if (st == TSR_OK) *count = (tsr_index)size.count;
  return st;
}

#if TSR__CONV_FAST

/* The algorithm, and the width of the vectors that its panels are made of. */
static uint8_t number_of(const tsr__conv *c) {
  return tsr__layout_number(c->algorithm->number, tsr__conv_tiles_of(c->isa)->lanes);
}

static void describe(const tsr__conv *c, const tsr_conv_options *options, tsr_conv_packed *packed) {
  packed->options = options != NULL ? *options : (tsr_conv_options){0};
  packed->filter[0] = c->o;
  packed->filter[1] = c->i;
  packed->filter[2] = c->kh;
  packed->filter[3] = c->kw;
  packed->dtype = (uint8_t)c->dtype;
  packed->rank = (uint8_t)c->rank;
  packed->channels_last = c->last;
  packed->kernel = number_of(c);
  packed->isa = tsr__isa_rows[c->isa].id;
}

/* A copy of the filters comes between where they are not f32 or lie otherwise. */
static tsr_status pack(tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_panels *size, const tsr_tensor *w,
                       const tsr_tensor *bias, const tsr_conv_options *options, tsr_conv_packed *packed) {
  const tsr_index count = (tsr_index)size->count;
  const tsr__result result = {TSR_F32, TSR_PLAIN, 1, &count, NULL};
  tsr__scratch scratch;
  tsr_status st = tsr__output_check(ctx, c->op, &result, &packed->panels);
  if (st == TSR_OK && packed->panels.data != NULL && tsr_size(w) > 0 && tsr__overlap(w, &packed->panels))
    return TSR__FAIL(ctx, TSR_EOVERLAP, c->op, "packed", "%t overlaps w %t", &packed->panels, w);
  if (st == TSR_OK && packed->panels.data != NULL && packed->panels.stride[0] != 1 && count > 1)
    return TSR__FAIL(ctx, TSR_ESTRIDE, c->op, "packed", "%t has gaps", &packed->panels);
  if (st != TSR_OK) return st;
  st = tsr__scratch_get(ctx, c->op, (size_t)tsr_size(w) * sizeof(float), &scratch);
  if (st != TSR_OK) return st;
  st = tsr__output(ctx, c->op, &result, &packed->panels);
  if (st == TSR_OK) tsr__conv_pack_filters(ctx, c, size, w, bias, scratch.data, packed->panels.data);
  if (st == TSR_OK) describe(c, options, packed);
  tsr__scratch_put(&scratch);
  return st;
}

#endif

tsr_status tsr_conv_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_conv_options *options,
                         const tsr_tensor *like, tsr_conv_packed *packed) {
  TSR__NORMALISE_ALL(w, bias, like);
  tsr__conv c = {.op = "conv_pack"};
  tsr__conv_panels size = {0};
  if (packed == NULL) return TSR__FAIL(ctx, TSR_EARG, c.op, "packed", "is NULL");
  tsr_status st = tsr__check_input(ctx, c.op, "w", w);
  if (st == TSR_OK && bias != NULL) st = tsr__check_input(ctx, c.op, "bias", bias);
  if (st == TSR_OK) st = resolve_filters(ctx, w, bias, options, like, &c, &size);
#if TSR__CONV_FAST
  if (st == TSR_OK) st = pack(ctx, &c, &size, w, bias, options, packed);
#endif
  return st;
}

void tsr_conv_packed_release(tsr_conv_packed *packed) {
  if (packed == NULL) return;
  tsr_release(&packed->panels);
  memset(packed, 0, sizeof *packed);
}

/* ---- using ---- */

static tsr_status refuse_struct(tsr_ctx *ctx, const char *op) {
  return TSR__FAIL(ctx, TSR_EARG, op, "packed", "was not made by tsr_conv_pack");
}

/* A struct that someone filled by hand must not lead anywhere. */
static bool is_packed(const tsr_conv_packed *packed, const tsr_tensor *panels) {
  bool fine = panels->dtype == TSR_F32 && panels->ndim == 1 && (panels->shape[0] <= 1 || panels->stride[0] == 1);
  fine = fine && (packed->rank == 3 || packed->rank == 4) && packed->channels_last <= 1;
  for (int k = 0; k < 4; k++) fine = fine && packed->filter[k] >= 0;
  return fine;
}

#if TSR__CONV_FAST
/* Whether the algorithm that it names can do it, and has panels of that width and size. */
static bool fits_algorithm(const tsr__conv *c, const tsr_conv_packed *packed, const tsr_tensor *panels) {
  tsr__conv_panels size;
  return c->algorithm != NULL && tsr__conv_is_able(c->algorithm, c) && packed->kernel == number_of(c) &&
         tsr__conv_panels_of(c, &size) && (tsr_index)size.count == panels->shape[0];
}
#endif

/* panels are those of packed, checked. */
static tsr_status resolve_packed(tsr_ctx *ctx, const char *op, int rank, const tsr_tensor *x,
                                 const tsr_conv_packed *packed, const tsr_tensor *panels, tsr__conv *c) {
  if (!is_packed(packed, panels)) return refuse_struct(ctx, op);
  if (packed->rank != rank)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "packed", "is for an x of rank %d", (int)packed->rank);
#if TSR__CONV_FAST
  int isa;
  tsr_status st = tsr__isa_find(ctx, op, "packed", packed->isa, &isa);
  if (st == TSR_OK) st = tsr__conv_resolve_packed(ctx, op, x, packed, c);
  if (st != TSR_OK) return st;
  c->isa = isa;
  c->algorithm = tsr__conv_numbered(tsr__layout_kernel(packed->kernel));
  return fits_algorithm(c, packed, panels) ? TSR_OK : refuse_struct(ctx, op);
#else
  (void)x, (void)c;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "packed", "this build convolves without packing");
#endif
}

/* The op's kernels: the rank of its x. */
static tsr_status conv_packed(tsr__call *call) {
  const tsr__conv2d_packed_attrs *const attrs = call->attrs;
  const int *const rank = call->info->kernels;
  tsr__conv c;
  const tsr_status st = resolve_packed(call->ctx, call->op, *rank, call->in[0], attrs->packed, call->in[1], &c);
  return st == TSR_OK ? tsr__conv_call(call, &c) : st;
}

static const int rank_1d = 3, rank_2d = 4;

static const tsr_tensor *panels_of(const tsr_conv_packed *packed) { return packed != NULL ? &packed->panels : NULL; }

TSR__OP_ROW(conv2d_packed, conv2d_packed, conv_packed, &rank_2d, TSR__OP_PREPARES)
tsr_status tsr_conv2d_packed(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed, tsr_tensor *out) {
  return TSR__CALL(conv2d_packed, ctx, TSR__INPUTS(x, panels_of(packed)), TSR__OUTPUTS(out), .packed = packed);
}

TSR__OP_ROW(conv1d_packed, conv2d_packed, conv_packed, &rank_1d, TSR__OP_PREPARES)
tsr_status tsr_conv1d_packed(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed, tsr_tensor *out) {
  return TSR__CALL(conv1d_packed, ctx, TSR__INPUTS(x, panels_of(packed)), TSR__OUTPUTS(out), .packed = packed);
}
