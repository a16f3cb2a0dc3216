/* Packed filters: making them, and convolutions with them. */
#include "core/operand.h"
#include "nn/conv/call.h"

#include <string.h>

/* ---- making ---- */

static tsr_status refuse_loops(tsr_ctx *ctx, const tsr__conv *c) {
  if (TSR__CONV_FAST && c->kernel != TSR__CONV_LOOPS) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, c->op, "w",
                   "%y filters are read where they lie by the plain loops: nothing to pack", c->dtype);
}

/* Everything that can be wrong with the inputs; how many numbers the panels hold. */
static tsr_status resolve(tsr_ctx *ctx, const char *op, const tsr_tensor *w, const tsr_tensor *bias,
                          const tsr_conv_attrs *attrs, const tsr_tensor *like, tsr__conv *c, tsr_index *count) {
  size_t all = 0;
  tsr_status st = tsr__conv_check_shape_only(ctx, op, "like", like);
  if (st == TSR_OK) st = tsr__conv_resolve(ctx, op, like, w, bias, attrs, c);
  if (st == TSR_OK) st = refuse_loops(ctx, c);
  if (st != TSR_OK) return st;
#if TSR__CONV_FAST
  if (!tsr__conv_panels(c, &all)) return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "w", "%t is too large to pack", w);
#endif
  *count = (tsr_index)all;
  return TSR_OK;
}

tsr_status tsr_conv_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_conv_attrs *attrs, const tsr_tensor *like,
                              tsr_index *count) {
  TSR__OPERANDS(w, like);
  static const char op[] = "conv_pack_size";
  tsr__conv c;
  if (count == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "count", "is NULL");
  const tsr_status st = tsr__conv_check_shape_only(ctx, op, "w", w);
  return st == TSR_OK ? resolve(ctx, op, w, NULL, attrs, like, &c, count) : st;
}

#if TSR__CONV_FAST

static void describe(const tsr__conv *c, const tsr_conv_attrs *attrs, tsr_conv_packed *packed) {
  packed->attrs = attrs != NULL ? *attrs : (tsr_conv_attrs){0};
  packed->filter[0] = c->o;
  packed->filter[1] = c->i;
  packed->filter[2] = c->kh;
  packed->filter[3] = c->kw;
  packed->dtype = (uint8_t)c->dtype;
  packed->rank = (uint8_t)c->rank;
  packed->channels_last = c->last;
  packed->kernel = (uint8_t)c->kernel;
  packed->isa = (uint8_t)c->isa;
}

/* A copy of the filters comes between where they are not f32 or lie otherwise. */
static tsr_status pack(tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *w, const tsr_tensor *bias, tsr_index count,
                       const tsr_conv_attrs *attrs, tsr_conv_packed *packed) {
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
  if (st == TSR_OK && count > 0) {
    tsr__conv_pack_filters(ctx, c, w, bias, scratch.data, packed->panels.data);
  }
  if (st == TSR_OK) describe(c, attrs, packed);
  tsr__scratch_put(&scratch);
  return st;
}

#endif

tsr_status tsr_conv_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_conv_attrs *attrs,
                         const tsr_tensor *like, tsr_conv_packed *packed) {
  TSR__OPERANDS(w, bias, like);
  static const char op[] = "conv_pack";
  tsr__conv c;
  tsr_index count = 0;
  if (packed == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "packed", "is NULL");
  tsr_status st = tsr__check_input(ctx, op, "w", w);
  if (st == TSR_OK && bias != NULL) st = tsr__check_input(ctx, op, "bias", bias);
  if (st == TSR_OK) st = resolve(ctx, op, w, bias, attrs, like, &c, &count);
#if TSR__CONV_FAST
  if (st == TSR_OK) st = pack(ctx, &c, w, bias, count, attrs, packed);
#endif
  return st;
}

void tsr_conv_packed_release(tsr_conv_packed *packed) {
  if (packed == NULL) return;
  tsr_release(&packed->panels);
  memset(packed, 0, sizeof *packed);
}

/* ---- using ---- */

/* A struct that someone filled by hand must not lead anywhere. */
static tsr_status check_packed(tsr_ctx *ctx, const char *op, const tsr_conv_packed *packed) {
  if (packed == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "packed", "is NULL");
  const tsr_tensor *const p = &packed->panels;
  const tsr_status st = tsr__check_input(ctx, op, "packed", p);
  if (st != TSR_OK) return st;
  bool fine =
      p->dtype == TSR_F32 && p->ndim == 1 && (p->shape[0] <= 1 || p->stride[0] == 1) && packed->isa < TSR__ISA_COUNT;
  fine = fine && packed->kernel > TSR__CONV_LOOPS && packed->kernel < TSR__CONV_KERNELS;
  fine = fine && (packed->rank == 3 || packed->rank == 4) && packed->channels_last <= 1;
  for (int k = 0; k < 4; k++) fine = fine && packed->filter[k] >= 0;
  if (fine) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, "packed", "was not made by tsr_conv_pack");
}

static tsr_status resolve_packed(tsr_ctx *ctx, const char *op, int rank, const tsr_tensor *x,
                                 const tsr_conv_packed *packed, tsr__conv *c) {
  tsr_status st = check_packed(ctx, op, packed);
  if (st == TSR_OK && rank != 0 && packed->rank != rank)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "packed", "is for an x of rank %d", (int)packed->rank);
  if (st == TSR_OK) st = tsr__conv_resolve_packed(ctx, op, x, packed, c);
#if TSR__CONV_FAST
  size_t count;
  const bool shape = c->kernel != TSR__CONV_WINOGRAD || (c->kh == 3 && c->kw == 3 && c->sh == 1 && c->sw == 1 &&
                                                         c->dh == 1 && c->dw == 1 && c->groups == 1);
  const bool place = (c->kernel != TSR__CONV_PIXELS || c->last) && (c->kernel != TSR__CONV_FILTERS || !c->last) &&
                     (c->kernel != TSR__CONV_DEPTHWISE || c->i == 1);
  if (st == TSR_OK && (!shape || !place || !tsr__conv_panels(c, &count) || (tsr_index)count != packed->panels.shape[0]))
    return TSR__FAIL(ctx, TSR_EARG, op, "packed", "was not made by tsr_conv_pack");
#endif
  return st;
}

static tsr_status run(tsr_ctx *ctx, const char *op, int rank, const tsr_tensor *x, const tsr_conv_packed *packed,
                      tsr_tensor *out) {
  tsr__conv_request r = {.x = x, .packed = packed, .out = out};
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = resolve_packed(ctx, op, rank, x, packed, &r.c);
  return st == TSR_OK ? tsr__conv_finish(ctx, &r) : st;
}

tsr_status tsr_conv2d_packed(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "conv2d_packed", 4, x, packed, out);
}

tsr_status tsr_conv1d_packed(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "conv1d_packed", 3, x, packed, out);
}

tsr_status tsr_conv_packed_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed,
                                          size_t *bytes) {
  TSR__OPERANDS(x);
  static const char op[] = "conv_packed_workspace_size";
  tsr__conv_request r = {.x = x, .packed = packed};
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  tsr_status st = tsr__conv_check_shape_only(ctx, op, "x", x);
  if (st == TSR_OK) st = resolve_packed(ctx, op, 0, x, packed, &r.c);
  return st == TSR_OK ? tsr__conv_workspace(ctx, &r, bytes) : st;
}
