/* Pooling: windows by kernels/pool.cuh, whole images by the reductions. */
#include "cuda/engines/engines.h"
#include "cuda/engines/reduce.h"

#include "nn/check.h"
#include "nn/image.h"
#include "nn/pool/ops.h"
#include "nn/pool/pool.h"
#include "nn/quant/ops.h"
#include "nn/quant/quant.h"
#include "ops/promote.h"

#include <string.h>

/* As in kernels/pool.cuh. */
typedef enum pool_kind { MAX, MEAN, NORM_1, NORM_2, NORM_P, ADAPTIVE_MEAN, ADAPTIVE_MAX, QUANTISED_MEAN } pool_kind;
typedef struct pool_axis {
  int64_t length, out, kernel, stride, dilation, before, after, x, o;
} pool_axis;
typedef struct pool_args {
  uint64_t x, out;
  int64_t units, channels;
  int64_t x_sample, x_channel, out_sample, out_channel;
  pool_axis row, column;
  int64_t include_pad, zero;
  double p;
} pool_args;

typedef struct pooling {
  pool_kind kind;
  bool last;
  tsr__cuda_view x, out;
  int64_t n, channels;
  pool_args args;
} pooling;

/* What the text of a kernel depends on. */
typedef struct pool_way {
  bool spans, whole;
  uint8_t v, kh, kw, sw, before;
} pool_way;

/* ---- which kernel ---- */

static bool is_multiple(const tsr__cuda_view *v, const int64_t *steps, int count, int64_t elements) {
  const uint64_t bytes = (uint64_t)elements * tsr_dtype_size(v->tensor.dtype);
  uint64_t bits = (uint64_t)tsr__cuda_place_of(v);
  for (int i = 0; i < count; i++) bits |= (uint64_t)steps[i] * tsr_dtype_size(v->tensor.dtype);
  return bits % bytes == 0;
}

/* Packs of channels side by side. */
static int channels_of_pack(const pooling *p) {
  const pool_args *const a = &p->args;
  const int64_t xs[] = {a->x_sample, a->row.x, a->column.x}, os[] = {a->out_sample, a->row.o, a->column.o};
  int v = (int)(16 / tsr_dtype_size(p->x.tensor.dtype));
  if (v > 8) v = 8;
  if (a->x_channel != 1 || a->out_channel != 1) return 1;
  while (v > 1 && (p->channels % v != 0 || !is_multiple(&p->x, xs, 3, v) || !is_multiple(&p->out, os, 3, v))) v /= 2;
  return v;
}

/* Windows of one row that are read as packs of 16 bytes. */
static bool choose_spans(const pooling *p, pool_way *way) {
  enum { MOST = 7, MOST_BEFORE = 3 };
  const pool_args *const a = &p->args;
  const pool_axis *const c = &a->column;
  const int64_t xs[] = {a->x_sample, a->x_channel, a->row.x}, os[] = {a->out_sample, a->out_channel, a->row.o};
  const int64_t pack = 16 / (int64_t)tsr_dtype_size(p->x.tensor.dtype);
  if (p->last || (p->kind != MAX && p->kind != MEAN) || c->x != 1 || c->o != 1 || c->dilation != 1 ||
      a->row.dilation != 1)
    return false;
  if (c->kernel > MOST || a->row.kernel > MOST || c->before > MOST_BEFORE || pack > 8) return false;
  if (c->stride > pack || pack % c->stride != 0) return false;
  const int64_t v = pack / c->stride;
  if (c->out % v != 0 || c->out * c->stride > c->length) return false;
  if (!is_multiple(&p->x, xs, 3, pack) || !is_multiple(&p->out, os, 3, v)) return false;
  *way = (pool_way){.spans = true,
                    .v = (uint8_t)v,
                    .kh = (uint8_t)a->row.kernel,
                    .kw = (uint8_t)c->kernel,
                    .sw = (uint8_t)c->stride,
                    .before = (uint8_t)c->before};
  return true;
}

static bool are_inside(const pool_axis *a) {
  return a->kernel > 0 && a->before == 0 && a->after == 0 && a->dilation == 1 &&
         (a->out - 1) * a->stride + a->kernel <= a->length;
}

/* Quantised numbers are summed in i32. */
static int compute_of(int dtype) { return tsr__quant_is_small(dtype) ? TSR_I32 : tsr__compute_of(dtype); }

/* Small windows, channels last, without padding: a thread reads a window at once. */
static void choose_whole(const pooling *p, pool_way *way) {
  enum { MOST_PACKS = 9 };
  const pool_axis *const r = &p->args.row, *const c = &p->args.column;
  if (compute_of(p->x.tensor.dtype) == TSR_I32) return;
  if (!p->last || (p->kind != MAX && p->kind != MEAN) || !are_inside(r) || !are_inside(c)) return;
  if (r->kernel > MOST_PACKS || c->kernel > MOST_PACKS || r->kernel * c->kernel > MOST_PACKS) return;
  way->whole = true;
  way->kh = (uint8_t)r->kernel;
  way->kw = (uint8_t)c->kernel;
}

/* ---- its text ---- */

static void write_text(const pooling *p, const pool_way *way, tsr__cuda_text *text) {
  const int dtype = p->x.tensor.dtype, compute = compute_of(dtype);
  const bool quantised = compute == TSR_I32;
  const char *const t = tsr__cuda_dtype(dtype), *const c = tsr__cuda_dtype(compute);
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#define LOAD TSR__LOAD_CONST\n#define STORE(p, v) (*(p) = (v))\n"
                        "#include \"cuda/kernels/words.cuh\"\n");
  if (p->kind == NORM_P && compute == TSR_F32) /* the host raises to powers without fma here */
    tsr__cuda_text_expand(text,
                          "#undef __FMA__\n#include \"cpu/math/exp_f32.h\"\n#include \"cpu/math/log_f32.h\"\n#include "
                          "\"cpu/math/two_f32.h\"\n"
                          "#define POWER tsr__pow_f32\n");
  else
    tsr__cuda_text_add(text, "#define POWER pow\n");
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem C;\n#define ROOT __builtin_sqrt%s\n", t, c,
                        compute == TSR_F32 ? "f" : "");
  tsr__cuda_text_add(text, "static __device__ inline C loaded(T t) { return ");
  tsr__cuda_add_cast(text, dtype, compute, "t");
  tsr__cuda_text_add(text, "; }\nstatic __device__ inline T stored(C c) { return ");
  tsr__cuda_add_cast(text, compute, dtype, "c");
  tsr__cuda_text_format(
      text,
      "; }\n#define LOADED(t) loaded(t)\n#define STORED(c) stored(c)\n#define KIND %d\n#define LAST %d\n"
      "#define V %d\n#define SPANS %d\n",
      (int)p->kind, (int)p->last, way->v, (int)way->spans);
  tsr__cuda_text_format(text, "#define KH %d\n#define KW %d\n#define SW %d\n#define BEFORE %d\n", way->kh, way->kw,
                        way->sw, way->before);
  tsr__cuda_text_format(text, "#define ROUND_TWICE %d\n", TSR__ROUND_TWICE);
  if (quantised)
    tsr__cuda_text_format(text, "#define LEAST (%d)\n", tsr__quant_low(dtype));
  else
    tsr__cuda_text_add(text, "#define LEAST -(C)__builtin_inff()\n");
  tsr__cuda_text_format(text, "#define WHOLE %d\n", (int)way->whole);
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/pool.cuh\"\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const pooling *p, const pool_way *way,
                             const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)p->kind;
  key.part[1] = p->x.tensor.dtype;
  key.part[2] = p->last;
  key.part[3] = way->spans;
  key.part[4] = way->v;
  key.part[5] = way->kh;
  key.part[6] = way->kw;
  key.part[7] = way->sw;
  key.part[8] = way->before;
  key.part[9] = way->whole;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  write_text(p, way, &text);
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_pool"};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, "pool", NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static tsr_status plan_windows(tsr__cuda *gpu, const tsr_work *work, pooling *p, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  pool_args *const a = &p->args;
  pool_way way = {.v = 1};
  if (tsr_size(&p->out.tensor) == 0) return TSR_OK;
  if (!choose_spans(p, &way) && p->last) way.v = (uint8_t)channels_of_pack(p);
  if (!way.spans) choose_whole(p, &way);
  a->channels = p->last ? p->channels / way.v : p->channels;
  a->units = p->n * a->channels * a->row.out * (way.spans ? a->column.out / way.v : a->column.out);
  const int64_t blocks = (a->units + 255) / 256;
  if (blocks > INT32_MAX)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "out", "has %l elements: more than a grid has",
                     (int64_t)tsr_size(&p->out.tensor));
  const tsr_status st = get_kernel(gpu, work->ctx, p, &way, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, 256, 0, a, sizeof *a);
  tsr__cuda_plan_address(plan, offsetof(pool_args, x), p->x.ref);
  tsr__cuda_plan_address(plan, offsetof(pool_args, out), p->out.ref);
  return TSR_OK;
}

/* ---- what is pooled ---- */

/* Operands, the input copied where the output lies over it, and their strides. */
static tsr_status take_operands(tsr__cuda *gpu, const tsr_work *work, int channel, int row, int column, pooling *p,
                                tsr__cuda_plan *plan) {
  pool_args *const a = &p->args;
  p->out = tsr__cuda_output(work, 0);
  p->x = tsr__cuda_input(work, 0);
  const tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &p->out, &p->x, plan);
  const tsr_tensor *const x = &p->x.tensor, *const out = &p->out.tensor;
  p->n = x->shape[0];
  p->channels = x->shape[channel];
  a->x_sample = x->stride[0], a->out_sample = out->stride[0];
  a->x_channel = x->stride[channel], a->out_channel = out->stride[channel];
  a->column.x = x->stride[column], a->column.o = out->stride[column];
  a->row.x = row < 0 ? 0 : x->stride[row], a->row.o = row < 0 ? 0 : out->stride[row];
  return st;
}

static void set_axis(pool_axis *a, const tsr__pool_axis *from) {
  a->length = from->length;
  a->out = from->out;
  a->kernel = from->kernel;
  a->stride = from->stride;
  a->dilation = from->dilation;
  a->before = from->before;
  a->after = from->after;
}

static tsr_status plan_pool(tsr__cuda *gpu, const tsr_work *work, pool_kind kind, const tsr__max_pool_attrs *attrs,
                            double power, int32_t zero, tsr__cuda_plan *plan) {
  tsr__pool pool;
  tsr_status st =
      tsr__pool_geometry(work->ctx, work->op, work->in[0], attrs->kernel_count, attrs->kernel, attrs->options, &pool);
  if (st != TSR_OK) return st;
  pooling p = {.kind = kind, .last = pool.last, .args = {.include_pad = pool.include_pad, .zero = zero, .p = power}};
  st = take_operands(gpu, work, pool.channel, pool.row.axis, pool.column.axis, &p, plan);
  if (st != TSR_OK) return st;
  set_axis(&p.args.row, &pool.row);
  set_axis(&p.args.column, &pool.column);
  return plan_windows(gpu, work, &p, plan);
}

tsr_status tsr__cuda_max_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_pool(gpu, work, MAX, work->attrs, 0, 0, plan);
}
tsr_status tsr__cuda_avg_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_pool(gpu, work, MEAN, work->attrs, 0, 0, plan);
}
tsr_status tsr__cuda_lp_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__lp_pool_attrs *const a = work->attrs;
  const pool_kind kind = a->p == 1 ? NORM_1 : a->p == 2 ? NORM_2 : NORM_P;
  const tsr__max_pool_attrs windows = {.kernel_count = a->kernel_count, .kernel = a->kernel, .options = a->options};
  (void)op;
  return plan_pool(gpu, work, kind, &windows, (double)a->p, 0, plan);
}
tsr_status tsr__cuda_qmax_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__qmax_pool_attrs *const a = work->attrs;
  const tsr__max_pool_attrs windows = {.kernel_count = a->kernel_count, .kernel = a->kernel, .options = a->options};
  (void)op;
  return plan_pool(gpu, work, MAX, &windows, 0, 0, plan);
}
tsr_status tsr__cuda_qavg_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__qavg_pool_attrs *const a = work->attrs;
  const tsr__max_pool_attrs windows = {.kernel_count = a->kernel_count, .kernel = a->kernel, .options = a->options};
  (void)op;
  return plan_pool(gpu, work, QUANTISED_MEAN, &windows, 0, a->zero, plan);
}

static tsr_status plan_adaptive(tsr__cuda *gpu, const tsr_work *work, pool_kind kind, tsr__cuda_plan *plan) {
  const tsr__adaptive_avg_pool_attrs *const attrs = work->attrs;
  tsr__image image;
  pooling p = {.kind = kind};
  tsr_status st = tsr__image_init(work->ctx, work->op, work->in[0], 1, 2, &image);
  if (st != TSR_OK) return st;
  p.last = image.last;
  st = take_operands(gpu, work, image.axis[TSR__IMAGE_C], image.axis[TSR__IMAGE_H], image.axis[TSR__IMAGE_W], &p, plan);
  if (st != TSR_OK) return st;
  const bool two = attrs->size_count == 2;
  p.args.row.length = image.shape[TSR__IMAGE_H], p.args.row.out = two ? attrs->size[0] : 1;
  p.args.column.length = image.shape[TSR__IMAGE_W], p.args.column.out = attrs->size[two];
  return plan_windows(gpu, work, &p, plan);
}
tsr_status tsr__cuda_adaptive_avg_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                       tsr__cuda_plan *plan) {
  (void)op;
  return plan_adaptive(gpu, work, ADAPTIVE_MEAN, plan);
}
tsr_status tsr__cuda_adaptive_max_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                       tsr__cuda_plan *plan) {
  (void)op;
  return plan_adaptive(gpu, work, ADAPTIVE_MAX, plan);
}

/* ---- whole images ---- */

static tsr_status plan_global(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_fold_kind kind, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0];
  const int compute = tsr__compute_of(x->dtype);
  const tsr__cuda_fold fold = tsr__cuda_fold_of(kind, compute);
  tsr__cuda_reduction r = {.fold = &fold, .compute = compute, .count = 1, .out = tsr__cuda_output(work, 0)};
  int channel = 0;
  tsr_status st = tsr__nn_channel_axis(work->ctx, work->op, x, &channel);
  if (st != TSR_OK || tsr_size(work->out[0]) == 0) return st;
  r.x = tsr__cuda_input(work, 0);
  st = tsr__cuda_unaliased(gpu, work->ctx, &r.out, &r.x, plan);
  for (int d = 1; d < x->ndim; d++) {
    if (d == channel) continue;
    r.axes |= (uint32_t)1 << d;
    r.count *= (double)x->shape[d];
  }
  return st == TSR_OK ? tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan) : st;
}
tsr_status tsr__cuda_global_avg_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                     tsr__cuda_plan *plan) {
  (void)op;
  return plan_global(gpu, work, TSR__FOLD_MEAN, plan);
}
tsr_status tsr__cuda_global_max_pool(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                     tsr__cuda_plan *plan) {
  (void)op;
  return plan_global(gpu, work, TSR__FOLD_MAX, plan);
}
