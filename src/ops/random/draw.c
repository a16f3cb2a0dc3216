/* Filling a tensor with random numbers: ranges of elements, in logical order, on the context's threads. */
#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/random/random.h"

static tsr__random_words_fn *const words_fns[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__random_words);

tsr_rng tsr_rng_seed(uint64_t seed) { return (tsr_rng){.key = seed}; }
tsr_rng tsr_rng_stream(uint64_t seed, uint32_t stream) { return (tsr_rng){.key = seed, .stream = stream}; }

tsr_status tsr__draw_check(const tsr__call *call, const tsr_rng *rng) {
  return rng != NULL ? TSR_OK : TSR__FAIL(call->ctx, TSR_EARG, call->op, "rng", "is NULL");
}

tsr_status tsr__draw_check_float(const tsr__call *call, int dtype) {
  tsr_ctx *const ctx = call->ctx;
  const char *const op = call->op;
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  if (info == NULL) return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "%d is not a dtype", dtype);
  if (info->class_ != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y; these numbers are floats", dtype);
  if (tsr_dtype_supported(dtype)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y, which this build does not compute with", dtype);
}

static void make_floats(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values) {
  (void)position;
  draw->kernel(&draw->form, n, words, values);
}

tsr__draw tsr__draw_floats(const tsr_ctx *ctx, const tsr__random_kernels *kernels, int dtype) {
  const int isa = tsr__isa_of(ctx);
#if TSR_HAVE_F64
  if (dtype == TSR_F64)
    return (tsr__draw){.make = make_floats, .dtype = TSR_F64, .width = TSR__PAIRS, .kernel = kernels->f64[isa]};
#endif
  (void)dtype;
  return (tsr__draw){.make = make_floats, .dtype = TSR_F32, .kernel = kernels->f32[isa]};
}

/* ---- where the elements go ---- */

/* The output's axes in logical order, slowest first, those that are mergeable as one. */
typedef struct filling {
  const tsr__draw *draw;
  int isa, dtype, ndim;
  char *base;
  tsr_index length[TSR_MAX_DIMS];
  ptrdiff_t step[TSR_MAX_DIMS];
} filling;

static filling filling_of(const tsr_ctx *ctx, const tsr__draw *draw, const tsr_tensor *out) {
  filling f = {.draw = draw, .isa = tsr__isa_of(ctx), .dtype = out->dtype, .base = out->data};
  const ptrdiff_t item = tsr__item(out);
  int n = 0;
  for (int i = 0; i < out->ndim; i++) {
    const ptrdiff_t step = (ptrdiff_t)out->stride[i] * item;
    if (out->shape[i] == 1) continue;
    if (n > 0 && f.step[n - 1] == step * (ptrdiff_t)out->shape[i]) {
      f.length[n - 1] *= out->shape[i];
      f.step[n - 1] = step;
    } else {
      f.length[n] = out->shape[i];
      f.step[n++] = step;
    }
  }
  if (n == 0) {
    f.length[0] = 1;
    f.step[n++] = item;
  }
  f.ndim = n;
  return f;
}

static char *address(const filling *f, tsr_index i) {
  char *at = f->base;
  for (int axis = f->ndim - 1; axis > 0; axis--) {
    at += f->step[axis] * (ptrdiff_t)(i % f->length[axis]);
    i /= f->length[axis];
  }
  return at + f->step[0] * (ptrdiff_t)i;
}

/* n values to the elements from number first on. */
static void scatter(const filling *f, tsr_index first, tsr_index n, const char *values) {
  const tsr_index length = f->length[f->ndim - 1];
  const ptrdiff_t step = f->step[f->ndim - 1], size = (ptrdiff_t)tsr_dtype_size(f->draw->dtype);
  while (n > 0) {
    const tsr_index left = length - first % length, run = left < n ? left : n;
    char *const at = address(f, first);
    if (f->draw->dtype == f->dtype)
      tsr__move_row((size_t)size, run, values, size, at, step);
    else
      tsr__convert_row(f->isa, f->draw->dtype, f->dtype, run, values, size, at, step);
    values += size * (ptrdiff_t)run;
    first += run;
    n -= run;
  }
}

/* ---- the run ---- */

typedef union values {
  int64_t i[TSR__DRAW_WORDS];
  float f[TSR__DRAW_WORDS];
} values;

/* Whole blocks are made, and of the first and the last perhaps only a part is used. */
static void fill_range(void *arg, tsr_index begin, tsr_index end, int worker) {
  const filling *const f = arg;
  const tsr__draw *const d = f->draw;
  const unsigned each = d->width == TSR__WORDS ? 4 : 2; /* elements of a block */
  uint32_t words[TSR__DRAW_WORDS];
  values made;
  (void)worker;
  while (begin < end) {
    const uint64_t position = d->rng.counter + (uint64_t)begin, first = position / each;
    const unsigned skip = (unsigned)(position % each);
    const tsr_index room = (tsr_index)(TSR__DRAW_WORDS / 4 * each - skip), n = end - begin < room ? end - begin : room;
    const int blocks = (int)(((unsigned)n + skip + each - 1) / each);
    words_fns[f->isa](d->rng.key, d->rng.stream, d->width, first, blocks, words);
    d->make(d, first * each, blocks * (int)each, words, &made);
    scatter(f, begin, n, (const char *)&made + (size_t)skip * tsr_dtype_size(d->dtype));
    begin += n;
  }
}

tsr_status tsr__draw_run(tsr__call *call, tsr__draw *draw, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape) {
  const tsr__result result = {dtype, TSR_PLAIN, ndim, shape, NULL};
  tsr_status st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_start(call);
  const tsr_index size = st == TSR_OK ? tsr_size(call->out[0]) : 0;
  if (size == 0) return st;
  draw->rng = *rng;
  filling f = filling_of(call->ctx, draw, call->out[0]);
  tsr__parallel_for(call->ctx, size, 4096, fill_range, &f);
  rng->counter += (uint64_t)size;
  return TSR_OK;
}
