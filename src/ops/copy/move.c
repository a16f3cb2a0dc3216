/* Copies and fills between host tensors. */
#include "ops/copy/copy.h"

#include "cpu/iterate.h"
#include "cpu/move.h"

/* ---- copies ---- */

void tsr__copy_part(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst, size_t whole) {
  tsr__loop loop;
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){dst, src});
  if (src->dtype == dst->dtype)
    tsr__move(ctx, &loop, tsr_dtype_size(src->dtype), whole);
  else
    tsr__convert(ctx, &loop, src, dst, whole);
}

void tsr__copy_no_alias(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__copy_part(ctx, src, dst, tsr_nbytes(dst));
}

void tsr__move_no_alias(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__loop loop;
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){dst, src});
  tsr__move(ctx, &loop, tsr_dtype_size(src->dtype), tsr_nbytes(dst));
}

static tsr_status copy_bytes(tsr_ctx *ctx, const char *op, const tsr_tensor *src, int dtype, size_t *bytes) {
  if (tsr__mul_size((size_t)tsr_size(src), tsr_dtype_size(dtype), bytes) && *bytes <= PTRDIFF_MAX) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a copy of %t does not fit the address space", src);
}

static tsr_tensor copy_in(const tsr_tensor *src, int dtype, void *memory) {
  tsr_tensor copy = *src;
  copy.dtype = (uint8_t)dtype;
  copy.flags = 0;
  copy.storage = NULL;
  copy.data = memory;
  tsr__strides_for(copy.ndim, copy.shape, TSR_ROW_MAJOR, copy.stride);
  return copy;
}

tsr_status tsr__copy_to_scratch(tsr_ctx *ctx, const char *op, const tsr_tensor *src, tsr__scratch *scratch,
                                tsr_tensor *copy) {
  size_t bytes;
  tsr_status st = copy_bytes(ctx, op, src, src->dtype, &bytes);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK) return st;
  *copy = copy_in(src, src->dtype, scratch->data);
  tsr__move_no_alias(ctx, src, copy);
  return TSR_OK;
}

/* ---- copies in the memory of a call ---- */

tsr_status tsr__call_copy_as(tsr__call *call, const tsr_tensor *src, int dtype, tsr_tensor *copy) {
  size_t bytes;
  void *memory;
  tsr_status st = copy_bytes(call->ctx, call->op, src, dtype, &bytes);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, &memory);
  if (st == TSR_OK) *copy = copy_in(src, dtype, memory);
  return st;
}

tsr_status tsr__call_copy_of(tsr__call *call, const tsr_tensor *src, tsr_tensor *copy) {
  return tsr__call_copy_as(call, src, src->dtype, copy);
}

tsr_status tsr__call_unaliased(tsr__call *call, const tsr_tensor *src, tsr_tensor *unaliased) {
  const tsr_tensor *const out = call->out[0];
  *unaliased = *src;
  const bool given = tsr__call_was_given(call, 0) && tsr_size(src) > 0 && tsr_size(out) > 0;
  return given && tsr__overlap(src, out) ? tsr__call_copy_of(call, src, unaliased) : TSR_OK;
}

void tsr__fill_unaliased(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *unaliased) {
  if (unaliased->data != src->data) tsr__move_no_alias(ctx, src, unaliased);
}

tsr_status tsr__call_copy_under(tsr__call *call, const tsr_tensor *in, tsr_tensor *base) {
  *base = *in;
  return tsr__same_view(in, call->out[0]) ? TSR_OK : tsr__call_unaliased(call, in, base);
}

void tsr__copy_under(const tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *base, const tsr_tensor *out) {
  if (tsr_size(in) == 0 || tsr__same_view(in, out)) return;
  tsr__fill_unaliased(ctx, in, base);
  tsr__move_no_alias(ctx, base, out);
}

/* ---- whatever lies where ---- */

tsr_status tsr__copy_host(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  const bool in_place = tsr__same_view(src, dst);
  if (in_place && src->dtype == dst->dtype) return TSR_OK;
  if (in_place || !tsr__overlap(src, dst)) {
    tsr__copy_no_alias(ctx, src, dst);
    return TSR_OK;
  }
  tsr__scratch scratch;
  tsr_tensor copy;
  const tsr_status st = tsr__copy_to_scratch(ctx, op, src, &scratch, &copy);
  if (st != TSR_OK) return st;
  tsr__copy_no_alias(ctx, &copy, dst);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

tsr_status tsr__call_copy(tsr__call *call, const tsr_tensor *src) {
  const tsr_tensor *const dst = call->out[0];
  const bool in_place = tsr__same_view(src, dst);
  const bool staged = tsr__call_was_given(call, 0) && !in_place && tsr__overlap(src, dst);
  tsr_tensor copy;
  tsr_status st = staged ? tsr__call_copy_of(call, src, &copy) : TSR_OK;
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || (in_place && src->dtype == dst->dtype)) return st;
  if (staged) tsr__move_no_alias(call->ctx, src, &copy);
  tsr__copy_no_alias(call->ctx, staged ? &copy : src, dst);
  return TSR_OK;
}

/* ---- filling ---- */

typedef struct filling {
  size_t item;
  const unsigned char *pattern;
  bool stream;
  const tsr__move_kernels *kernels;
} filling;

static void fill_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const filling *const f = args->param;
  if (step[0] == (ptrdiff_t)f->item)
    f->kernels->fill(at[0], (size_t)n * f->item, f->pattern, f->item, f->stream);
  else
    tsr__move_row(f->item, n, (const char *)f->pattern, 0, at[0], step[0]);
}

/* Also what is not normalised yet (core/normalise.h): rows and loops look at no stride of an axis of length 1, nor at
 * any where there are no elements. */
void tsr__fill_host(const tsr_ctx *ctx, const tsr_tensor *t, const void *pattern) {
  const tsr_index packed = tsr__packed_size(t, t->ndim);
  filling f = {(size_t)tsr__item(t), pattern, false, tsr__move_kernels_of(ctx)};
  if (packed > 0 && packed <= TSR__COPY_GRAIN_BYTES / (tsr_index)f.item) { /* one row, one thread */
    f.kernels->fill((char *)t->data, (size_t)packed * f.item, f.pattern, f.item, false);
    return;
  }
  f.stream = tsr__is_nontemporal(ctx, tsr_nbytes(t), 0, false);
  tsr__loop loop;
  tsr__loop_init(&loop, 1, (const tsr_tensor *[]){t});
  tsr__loop_run_parallel(ctx, &loop, TSR__COPY_GRAIN_BYTES / (tsr_index)f.item, fill_row, &f);
}
