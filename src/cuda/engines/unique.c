/* unique: sorted, then runs of equal keys (kernels/runs.cuh). How many there are is waited for once. */
#include "cuda/engines/engines.h"
#include "cuda/engines/sort.h"
#include "ops/sort/ops.h"

#include "core/tensor.h"

#include <stdio.h>
#include <string.h>

enum { VALUES, INDEX, INVERSE, COUNTS, OUTPUTS };
enum { COUNT_KERNEL, SUM_KERNEL, TELL_KERNEL, LENGTHS_KERNEL };
enum { THREADS = 256, CHUNK = THREADS * 16, SUMMERS = 1024 };

typedef struct runs_args { /* of kernels/runs.cuh */
  uint64_t sorted, order, before, count, begins, values, index, inverse, counts;
  int64_t values_step, index_step, counts_step;
  uint64_t flip, limit, n, chunks;
} runs_args;

typedef struct runs {
  tsr__cuda *gpu;
  const tsr_work *work;
  tsr__cuda_plan *plan;
  tsr__cuda_sorting s;
  tsr__cuda_ref before, count, begins;
  tsr__cuda_view inverse; /* row-major: the output, or temporary memory */
  runs_args args;
} runs;

/* ---- kernels ---- */

static tsr_status runs_kernel(const runs *r, int part, const tsr__cuda_kernel **kernel) {
  static const char *const names[] = {"tsr_runs_count", "tsr_runs_sum", "tsr_runs_tell", "tsr_runs_lengths"};
  static const char maker;
  const bool by_keys = part == COUNT_KERNEL || part == TELL_KERNEL;
  const tsr__keys keys = by_keys ? r->s.keys : (tsr__keys){.bytes = 1};
  const int number = 8 * (int)tsr_dtype_size(tsr__cuda_sort_index(r->s.length));
  tsr__cuda_key key;
  char words[128];
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)keys.bytes;
  key.part[1] = keys.floats;
  key.part[2] = (uint8_t)part;
  key.part[3] = (uint8_t)number;
  (void)snprintf(words, sizeof words, "#define BITS %d\n#define FLOATS %d\n#define PART %d\ntypedef uint%d_t NUMBER;\n",
                 8 * keys.bytes, (int)keys.floats, part, number);
  return tsr__cuda_sort_kernel(r->gpu, r->work->ctx, &key, words, "cuda/kernels/runs.cuh", names[part], 0, kernel);
}

static tsr_status launch(const runs *r, int part, uint64_t blocks, unsigned threads) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = runs_kernel(r, part, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(r->plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, 0, &r->args,
                        sizeof r->args);
  tsr__cuda_plan_address(r->plan, offsetof(runs_args, sorted), r->s.values_to);
  tsr__cuda_plan_address(r->plan, offsetof(runs_args, before), r->before);
  tsr__cuda_plan_address(r->plan, offsetof(runs_args, count), r->count);
  return TSR_OK;
}

/* ---- before the size is known ---- */

static tsr_status size_runs(const tsr_work *work, const int64_t *found, tsr__cuda_size *sizes) {
  const tsr_tensor *const x = work->in[0];
  for (int k = 0; k < OUTPUTS; k++)
    sizes[k] = (tsr__cuda_size){.dtype = k == VALUES ? x->dtype : TSR_I64, .ndim = 1, .shape = {found[0]}};
  sizes[INVERSE].ndim = x->ndim;
  sizes[INVERSE].layout = x->layout;
  for (int d = 0; d < x->ndim; d++) sizes[INVERSE].shape[d] = x->shape[d];
  return TSR_OK;
}

static bool is_wanted(const runs *r, int output) { return r->work->out[output] != NULL; }

static bool has_elements(const tsr_tensor *t) { return t != NULL && t->data != NULL && tsr_size(t) > 0; }

/* Outputs that are given share no memory. */
static tsr_status check_outputs(const tsr_work *work) {
  static const char *const names[] = {"values", "index", "inverse", "counts"};
  for (int i = 1; i < OUTPUTS; i++)
    for (int k = 0; k < i; k++)
      if (has_elements(work->out[i]) && has_elements(work->out[k]) && tsr__overlap(work->out[k], work->out[i]))
        return TSR__FAIL(work->ctx, TSR_EOVERLAP, work->op, names[i], "%t and %s share memory", work->out[i], names[k]);
  return TSR_OK;
}

static tsr_status plan_sorted(runs *r, const tsr__cuda_rows *in) {
  const tsr_index n = (tsr_index)in->length;
  r->s = tsr__cuda_sorting_of(in, false);
  r->s.values = r->s.narrow = true;
  r->s.index = is_wanted(r, INDEX) || is_wanted(r, INVERSE);
  r->s.values_to = tsr__cuda_temporary(r->plan, in->view.tensor.dtype, 1, &n).ref;
  if (r->s.index) r->s.index_to = tsr__cuda_temporary(r->plan, tsr__cuda_sort_index(in->length), 1, &n).ref;
  return tsr__cuda_plan_sort(r->gpu, r->work->ctx, &r->s, r->plan);
}

static tsr_status plan_counts(runs *r) {
  const uint64_t n = r->s.length, chunks = (n + CHUNK - 1) / CHUNK;
  r->args = (runs_args){.flip = r->s.keys.flip, .limit = r->s.keys.limit, .n = n, .chunks = chunks};
  r->before = tsr__cuda_scratch(tsr__cuda_plan_scratch(r->plan, (size_t)chunks * sizeof(int64_t)));
  const tsr_status st = launch(r, COUNT_KERNEL, chunks, THREADS);
  return st == TSR_OK ? launch(r, SUM_KERNEL, 1, SUMMERS) : st;
}

/* ---- after that ---- */

/* The stride of an output that may be empty still: then it will be row-major. */
static int64_t step_of(const tsr_tensor *out) {
  const bool known =
      out != NULL && out->ndim == 1 && out->dtype != TSR_NONE && (out->data != NULL || out->stride[0] != 0);
  return known ? out->stride[0] : 1;
}

static tsr_status plan_runs(runs *r) {
  const tsr_work *const work = r->work;
  tsr__cuda_plan *const plan = r->plan;
  const size_t number = tsr_dtype_size(tsr__cuda_sort_index(r->s.length));
  r->args.values_step = step_of(work->out[VALUES]);
  r->args.index_step = step_of(work->out[INDEX]);
  r->args.counts_step = step_of(work->out[COUNTS]);
  if (is_wanted(r, COUNTS)) r->begins = tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, (size_t)r->s.length * number));
  tsr_status st = launch(r, TELL_KERNEL, r->args.chunks, THREADS);
  if (st != TSR_OK) return st;
  if (r->s.index) tsr__cuda_plan_address(plan, offsetof(runs_args, order), r->s.index_to);
  if (is_wanted(r, VALUES)) tsr__cuda_plan_address(plan, offsetof(runs_args, values), tsr__cuda_out(VALUES));
  if (is_wanted(r, INDEX)) tsr__cuda_plan_address(plan, offsetof(runs_args, index), tsr__cuda_out(INDEX));
  if (is_wanted(r, INVERSE)) tsr__cuda_plan_address(plan, offsetof(runs_args, inverse), r->inverse.ref);
  if (!is_wanted(r, COUNTS)) return TSR_OK;
  tsr__cuda_plan_address(plan, offsetof(runs_args, begins), r->begins);
  st = launch(r, LENGTHS_KERNEL, (r->s.length + THREADS - 1) / THREADS, THREADS);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(plan, offsetof(runs_args, begins), r->begins);
  tsr__cuda_plan_address(plan, offsetof(runs_args, counts), tsr__cuda_out(COUNTS));
  return TSR_OK;
}

/* The inverse goes to the output at once where that is row-major, or will be. */
static bool is_direct(const tsr_tensor *out) {
  return out == NULL || out->data == NULL || tsr_is_contiguous(out, TSR_ROW_MAJOR);
}

tsr_status tsr__cuda_unique(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0], *const inverse = work->out[INVERSE];
  runs r = {.gpu = gpu, .work = work, .plan = plan};
  tsr__cuda_rows in;
  (void)op;
  tsr_status st = check_outputs(work);
  if (st == TSR_OK) st = tsr__cuda_rows_in(gpu, work, UINT32_MAX, true, &in, plan);
  if (st != TSR_OK) return st;
  r.count = tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, TSR__CUDA_FOUND * sizeof(int64_t)));
  if (in.length == 0) {
    tsr__cuda_plan_set(plan, r.count, 0, TSR__CUDA_FOUND * sizeof(int64_t));
    tsr__cuda_plan_sized(plan, r.count, size_runs);
    return TSR_OK;
  }
  st = plan_sorted(&r, &in);
  if (st == TSR_OK) st = plan_counts(&r);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_sized(plan, r.count, size_runs);
  r.inverse.ref = tsr__cuda_out(INVERSE);
  if (!is_direct(inverse)) r.inverse = tsr__cuda_temporary(plan, TSR_I64, x->ndim, x->shape);
  st = plan_runs(&r);
  if (st != TSR_OK || is_direct(inverse)) return st;
  const tsr__cuda_view to = tsr__cuda_output(work, INVERSE);
  if (!tsr_same_shape(x, inverse) || inverse->dtype != TSR_I64) return TSR_OK; /* refused when it is looked at */
  return tsr__cuda_plan_cast(gpu, work->ctx, &r.inverse, &to, plan);
}
