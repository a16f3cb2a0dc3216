/* Quantised layers: how they are made, what a call of one is, and which kernels run it. */
#ifndef TSR_NN_QUANT_LAYER_LAYER_H
#define TSR_NN_QUANT_LAYER_LAYER_H

#include "core/prepare.h"
#include "nn/quant/run.h"

/* ---- how they are made ---- */

/* Whether a scheme is there, and its x and w are quantisations of such: TSR_EARG, TSR_EDTYPE. */
static inline tsr_status tsr__q_scheme_check(tsr_ctx *ctx, const char *op, const tsr_qscheme *s) {
  if (s == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "scheme", "is NULL");
  const tsr_status st = tsr__quant_check_whole(ctx, op, "scheme.x", &s->x, TSR__Q_SMALL);
  return st == TSR_OK ? tsr__quant_check(ctx, op, "scheme.w", &s->w, TSR__Q_BYTES) : st;
}

/* Chooses the kernel for inputs that have been checked: TSR_ESHAPE, TSR_ELAYOUT of w, TSR_EOVERFLOW. */
tsr_status tsr__q_packing_plan(tsr_ctx *ctx, tsr__q_packing *p);

/* Bytes of the weights in the order of a kernel. */
size_t tsr__q_weight_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f);

/* The zero point of what tsr__q_weight gives. */
int32_t tsr__q_weight_zero(const tsr__q_packing *p, tsr_index o);

/* The table; NULL: only to see whether there is one. TSR_EOVERFLOW, TSR_ERANGE. */
tsr_status tsr__q_table(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table);

/* The weights as plain kernels read them. */
void tsr__q_pack_plain(const tsr__q_packing *p, int8_t *to);

/* The weights as the kernel reads them, and the rest of a layer. */
void tsr__q_packing_weights(const tsr__q_packing *p, const int32_t *table, void *panels);
void tsr__q_packing_layer(const tsr__q_packing *p, tsr_qlayer *layer);

/* The rest of a pack function for weights of so many axes: its struct is filled in, but for what is planned. */
tsr_status tsr__q_pack(tsr_ctx *ctx, tsr__q_packing *p, int ndim, tsr_qlayer *layer);

/* ---- a call ---- */

/* The call of an op on x with a layer. */
tsr_status tsr__q_layer_call(tsr_ctx *ctx, const tsr__op_info *info, const tsr_tensor *x, const tsr_qlayer *layer,
                             tsr_tensor *out);

/* In such a call: whether the struct can be a layer whose weights have so many axes, for x; it may come from anywhere.
 * Fills in what does not depend on x. */
tsr_status tsr__q_run_init(const tsr__call *call, int ndim, tsr__q_filters *f, tsr__q_run *run);

/* The same for a layer that only its own op reads: kernel is its number, its table has so many times four rows, its panels so many
 * bytes, a check of what the first two steps found. */
tsr_status tsr__q_own_init(const tsr__call *call, int ndim, int kernel, tsr__q_filters *f, tsr__q_run *run);
tsr_status tsr__q_own_parts(const tsr__call *call, const tsr__q_filters *f, tsr_index tables, size_t bytes,
                            tsr__q_run *run);

/* Whether a table of so many outputs is one: TSR_ESTATE. Sets high and asymmetric. */
tsr_status tsr__q_run_table(const tsr__call *call, tsr_index outputs, const int32_t *table, tsr__q_run *run);

/* Rows [N,K] by [O,K]: images of one pixel. */
void tsr__q_run_rows(const tsr__call *call, tsr_index n, tsr_index k, tsr_index o, tsr__q_run *run);

/* The temporary memory of a run whose shape and steps are known, SIZE_MAX: too much; and the run. */
size_t tsr__q_run_scratch(const tsr_ctx *ctx, tsr__q_run *run);
void tsr__q_run_all(const tsr_ctx *ctx, const void *run);
/* The same for rows, which brings no depthwise kernels with it. */
void tsr__q_run_dense(const tsr_ctx *ctx, const void *run);

/* The rest of a call of a convolution or dense layer whose run is initialised: shapes, memory, and the run by these two. */
typedef size_t tsr__q_scratch_fn(const tsr_ctx *ctx, tsr__q_run *run);
tsr_status tsr__q_conv_finish(tsr__call *call, const tsr__q_filters *f, tsr__q_run *run, tsr__q_scratch_fn *needs,
                              tsr__planned_fn *all);
tsr_status tsr__q_dense_finish(tsr__call *call, const tsr__q_filters *f, tsr__q_run *run, tsr__q_scratch_fn *needs,
                               tsr__planned_fn *all);

#endif
