/* Elements under a mask, and where they are: bits and counts of chunks first, which say how many there are; then each chunk for itself. */
#include "cuda/engines/axes.h"
#include "cuda/engines/engines.h"

#include "core/tensor.h"
#include "ops/mask/ops.h"

#include <string.h>

enum { THREADS = 256, CHUNK = THREADS * 32, BEFORE_THREADS = 1024 };
enum { BOOLS_KERNEL, BITS_KERNEL, BEFORE_KERNEL, PLACES_KERNEL, SELECT_KERNEL, SCATTER_KERNEL, REST_KERNEL };

/* The host's struct mask_args of kernels/mask.cuh. */
typedef struct mask_args {
  uint64_t x, words, before, count, out, from;
  int64_t n, chunks, capacity;
  int64_t shape[TSR__CUDA_AXES], step[TSR__CUDA_AXES];
  int64_t out_step[2], fill;
  int32_t rank, wide;
  uint64_t fault[2];
} mask_args;

/* Bits that are planned. */
typedef struct bits {
  tsr__cuda *gpu;
  tsr_ctx *ctx;
  tsr__cuda_plan *plan;
  tsr__cuda_ref words, before, count; /* count: TSR__CUDA_FOUND numbers, the first one it */
  mask_args args;
} bits;

/* ---- kernels ---- */

static void write_text(int dtype, int number, tsr__cuda_text *text) {
  const bool is_number = tsr_dtype_describe(dtype)->class_ != TSR_CLASS_COMPLEX;
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#include \"cuda/kernels/fault.cuh\"\n");
  tsr__cuda_text_format(text, "typedef %s_mem T;\n#define KERNEL %d\n", tsr__cuda_dtype(dtype), number);
  tsr__cuda_text_add(text, is_number ? "#define FILLED(number) ((T)(number))\n" : "#define FILLED(number) T()\n");
  if (number == BITS_KERNEL) {
    tsr__cuda_text_add(text, "static __device__ inline bool IS_SET(T t) { return ");
    tsr__cuda_add_cast(text, dtype, TSR_BOOL, "t");
    tsr__cuda_text_add(text, " != 0; }\n");
  }
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/mask.cuh\"\n");
}

static tsr_status get_kernel(const bits *b, int dtype, int number, const tsr__cuda_kernel **kernel) {
  static const char *const names[] = {"tsr_mask_bits",   "tsr_mask_bits",    "tsr_mask_before", "tsr_mask_places",
                                      "tsr_mask_select", "tsr_mask_scatter", "tsr_mask_rest"};
  static const char maker;
  tsr__cuda_key key;
  tsr__cuda_text text = {0};
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)dtype;
  key.part[1] = (uint8_t)number;
  *kernel = tsr__cuda_kernel_find(b->gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  write_text(dtype, number, &text);
  const tsr__cuda_source source = {.text = text.data, .name = names[number]};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(b->gpu, b->ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* A launch with the bits' addresses in it. */
static tsr_status launch(const bits *b, int dtype, int number, int64_t blocks, unsigned threads) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(b, dtype, number, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(b->plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, 0, &b->args,
                        sizeof b->args);
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, words), b->words);
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, before), b->before);
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, count), b->count);
  return TSR_OK;
}

/* ---- bits ---- */

/* x contiguous, as it is or as bools. */
static tsr_status make_contiguous(const bits *b, tsr__cuda_view *x, int dtype) {
  if (tsr_is_contiguous(&x->tensor, TSR_ROW_MAJOR)) return TSR_OK;
  const tsr__cuda_view copy = tsr__cuda_temporary(b->plan, dtype, x->tensor.ndim, x->tensor.shape);
  const tsr_status st = tsr__cuda_plan_cast(b->gpu, b->ctx, x, &copy, b->plan);
  *x = copy;
  return st;
}

static tsr_status plan_bits(bits *b, tsr__cuda_view x) {
  const int64_t n = tsr_size(&x.tensor), chunks = n / CHUNK + (n % CHUNK != 0);
  b->args = (mask_args){.n = n, .chunks = chunks, .capacity = INT64_MAX};
  b->count = tsr__cuda_scratch(tsr__cuda_plan_scratch(b->plan, TSR__CUDA_FOUND * sizeof(int64_t)));
  if (n == 0) {
    tsr__cuda_plan_set(b->plan, b->count, 0, TSR__CUDA_FOUND * sizeof(int64_t));
    return TSR_OK;
  }
  if (chunks > INT32_MAX)
    return TSR__FAIL(b->ctx, TSR_EDEVICE, "mask", NULL, "has more elements than one launch takes");
  b->words = tsr__cuda_scratch(tsr__cuda_plan_scratch(b->plan, (size_t)chunks * THREADS * sizeof(uint32_t)));
  b->before = tsr__cuda_scratch(tsr__cuda_plan_scratch(b->plan, (size_t)chunks * sizeof(int64_t)));
  tsr_status st = make_contiguous(b, &x, TSR_BOOL);
  const int dtype = x.tensor.dtype;
  if (st == TSR_OK) st = launch(b, dtype, dtype == TSR_BOOL ? BOOLS_KERNEL : BITS_KERNEL, chunks, THREADS);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, x), x.ref);
  return launch(b, TSR_BOOL, BEFORE_KERNEL, 1, BEFORE_THREADS);
}

/* The mask over the shape of in. */
static tsr__cuda_view mask_over(const tsr_work *work, const tsr_tensor *in) {
  const tsr_tensor *const mask = work->in[1];
  tsr__cuda_view view = tsr__cuda_input(work, 1);
  const int added = in->ndim - mask->ndim;
  for (int d = 0; d < in->ndim; d++) {
    const int own = d - added;
    view.tensor.shape[d] = in->shape[d];
    view.tensor.stride[d] = own >= 0 && mask->shape[own] == in->shape[d] ? mask->stride[own] : 0;
  }
  view.tensor.ndim = in->ndim;
  return view;
}

/* Elements as integers of their size: few kernels serve all of them. */
static int moved_as(int dtype) {
  switch (tsr_dtype_size(dtype)) {
    case 1: return TSR_U8;
    case 2: return TSR_U16;
    case 4: return TSR_U32;
    case 8: return TSR_U64;
    default: return TSR_C128;
  }
}

/* The step of axis d of an output that may be empty still: then it will be row-major, (…, inner). */
static int64_t out_step(const tsr_tensor *out, int ndim, int d, int64_t inner) {
  bool any = false;
  if (out->ndim == ndim && out->dtype != TSR_NONE) {
    for (int i = 0; i < ndim; i++) any = any || out->stride[i] != 0;
    if (out->data != NULL || any) return out->stride[d];
  }
  return d == ndim - 1 ? 1 : inner;
}

/* ---- nonzero ---- */

static tsr_status plan_places(bits *b, const tsr_tensor *x, tsr__cuda_ref to) {
  mask_args *const a = &b->args;
  a->rank = x->ndim;
  a->wide = a->n > UINT32_MAX;
  for (int d = 0; d < x->ndim; d++) a->shape[d] = x->shape[x->ndim - 1 - d];
  const tsr_status st = launch(b, TSR_I64, PLACES_KERNEL, a->chunks, THREADS);
  if (st == TSR_OK) tsr__cuda_plan_address(b->plan, offsetof(mask_args, out), to);
  return st;
}

static tsr_status size_places(const tsr_work *work, const int64_t *found, tsr__cuda_size *sizes) {
  *sizes = (tsr__cuda_size){.dtype = TSR_I64, .ndim = 2, .shape = {found[0], work->in[0]->ndim}};
  return TSR_OK;
}

tsr_status tsr__cuda_nonzero(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0], *const out = work->out[0];
  bits b = {.gpu = gpu, .ctx = work->ctx, .plan = plan};
  (void)op;
  const tsr_status st = plan_bits(&b, tsr__cuda_input(work, 0));
  if (st != TSR_OK) return st;
  tsr__cuda_plan_sized(plan, b.count, size_places);
  for (int d = 0; d < 2; d++) b.args.out_step[d] = out_step(out, 2, d, x->ndim);
  return b.args.n > 0 && x->ndim > 0 ? plan_places(&b, x, tsr__cuda_out(0)) : TSR_OK;
}

/* ---- masked_select ---- */

static tsr_status size_selected(const tsr_work *work, const int64_t *found, tsr__cuda_size *sizes) {
  *sizes = (tsr__cuda_size){.dtype = work->in[0]->dtype, .ndim = 1, .shape = {found[0]}};
  return TSR_OK;
}

/* in: contiguous. */
static tsr_status plan_selected(const bits *b, const tsr__cuda_view *in, tsr__cuda_ref to) {
  const tsr_status st = launch(b, moved_as(in->tensor.dtype), SELECT_KERNEL, b->args.chunks, THREADS);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, x), in->ref);
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, out), to);
  return TSR_OK;
}

tsr_status tsr__cuda_masked_select(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view in = tsr__cuda_input(work, 0);
  bits b = {.gpu = gpu, .ctx = work->ctx, .plan = plan};
  (void)op;
  tsr_status st = plan_bits(&b, mask_over(work, &in.tensor));
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &in, plan);
  if (st == TSR_OK) st = make_contiguous(&b, &in, in.tensor.dtype);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_sized(plan, b.count, size_selected);
  b.args.out_step[0] = out_step(&out.tensor, 1, 0, 1);
  return b.args.n > 0 ? plan_selected(&b, &in, out.ref) : TSR_OK;
}

/* ---- masked_scatter ---- */

static tsr_status plan_scattered(bits *b, const tsr__cuda_view *src, const tsr__cuda_view *out) {
  const tsr__cuda_axes axes = tsr__cuda_axes_of(&out->tensor, NULL, -1, false);
  b->args.capacity = tsr_size(&src->tensor);
  b->args.rank = axes.rank;
  memcpy(b->args.shape, axes.length, sizeof axes.length);
  memcpy(b->args.step, axes.step[0], sizeof axes.step[0]);
  const tsr_status st = launch(b, moved_as(out->tensor.dtype), SCATTER_KERNEL, b->args.chunks, THREADS);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, from), src->ref);
  tsr__cuda_plan_address(b->plan, offsetof(mask_args, out), out->ref);
  tsr__cuda_plan_fault_as(b->plan, offsetof(mask_args, fault), "mask", TSR_ESHAPE, "more places than src has elements");
  return TSR_OK;
}

tsr_status tsr__cuda_masked_scatter(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                    tsr__cuda_plan *plan) {
  const tsr__cuda_view in = tsr__cuda_input(work, 0), out = tsr__cuda_output(work, 0);
  tsr__cuda_view src = tsr__cuda_input(work, 2);
  bits b = {.gpu = gpu, .ctx = work->ctx, .plan = plan};
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  tsr_status st = plan_bits(&b, mask_over(work, &in.tensor));
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &src, plan);
  if (st == TSR_OK) st = make_contiguous(&b, &src, src.tensor.dtype);
  if (st == TSR_OK && (out.tensor.data == NULL || !tsr__same_view(&in.tensor, &out.tensor)))
    st = tsr__cuda_plan_cast(gpu, work->ctx, &in, &out, plan);
  return st == TSR_OK ? plan_scattered(&b, &src, &out) : st;
}
