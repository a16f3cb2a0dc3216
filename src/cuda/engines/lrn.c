/* Local response normalisation. */
#include "cuda/engines/engines.h"

#include "nn/image.h"
#include "nn/norm/ops.h"
#include "ops/promote.h"

#include <string.h>

/* The kernel's struct lrn_args. */
typedef struct lrn_args {
  uint64_t x, out;
  int64_t total, channels, before, after;
  int64_t length[TSR__IMAGE_AXES], step[TSR__IMAGE_AXES], out_step[TSR__IMAGE_AXES];
  double alpha, beta, bias;
} lrn_args;

static void add_value(tsr__cuda_text *text, const char *name, int from, int to) {
  tsr__cuda_text_format(text, "static __device__ inline %s_mem %s(%s_mem x) { return ", tsr__cuda_dtype(to), name,
                        tsr__cuda_dtype(from));
  tsr__cuda_add_cast(text, from, to, "x");
  tsr__cuda_text_add(text, "; }\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int dtype, const tsr__cuda_kernel **kernel) {
  static const char maker;
  const int compute = tsr__compute_of(dtype);
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)dtype;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  if (compute == TSR_F32) tsr__cuda_text_expand(&text, "#include \"cuda/kernels/pow.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s_mem T;\ntypedef %s_mem C;\n#define POWER %s\n", tsr__cuda_dtype(dtype),
                        tsr__cuda_dtype(compute), compute == TSR_F32 ? "tsr__pow_f32" : "pow");
  add_value(&text, "LOADED", dtype, compute);
  add_value(&text, "STORED", compute, dtype);
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/lrn.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_lrn"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static void set_steps(const tsr__image *image, const tsr_tensor *t, int64_t *step) {
  ptrdiff_t bytes[TSR__IMAGE_AXES];
  tsr__image_steps(image, t, bytes);
  for (int d = 0; d < TSR__IMAGE_AXES; d++) step[d] = bytes[d] / (ptrdiff_t)tsr_dtype_size(t->dtype);
}

tsr_status tsr__cuda_lrn(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__lrn_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  const tsr__cuda_kernel *kernel;
  tsr__image image;
  lrn_args args = {.total = tsr_size(&out.tensor),
                   .before = (attrs->size - 1) / 2,
                   .after = attrs->size / 2,
                   .alpha = (double)(attrs->alpha / (tsr_real)attrs->size),
                   .beta = (double)attrs->beta,
                   .bias = (double)attrs->bias};
  tsr_status st = tsr__image_init(work->ctx, work->op, work->in[0], 1, 2, &image);
  (void)op;
  if (st != TSR_OK || args.total == 0) return st;
  if (args.total > (int64_t)INT32_MAX * 256)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "x", "%t: more than a grid has threads", work->in[0]);
  st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  if (st == TSR_OK) st = get_kernel(gpu, work->ctx, x.tensor.dtype, &kernel);
  if (st != TSR_OK) return st;
  args.channels = image.shape[TSR__IMAGE_C];
  for (int d = 0; d < TSR__IMAGE_AXES; d++) args.length[d] = image.shape[d];
  set_steps(&image, &x.tensor, args.step);
  set_steps(&image, &out.tensor, args.out_step);
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)((args.total + 255) / 256), 1, 1}, 256, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(lrn_args, x), x.ref);
  tsr__cuda_plan_address(plan, offsetof(lrn_args, out), out.ref);
  return TSR_OK;
}
