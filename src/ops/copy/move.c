/* Copies and fills between host tensors. */
#include "ops/copy/copy.h"

#include "cpu/isa.h"
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"

/* What is worth a thread, in elements converted. */
enum { CONVERT_GRAIN = 32768 };

/* ---- conversion ---- */

/* What is converted of a row before it goes past the caches, in bytes. The block is a whole number of lines: vectors that
 * cross them wait for each other, which doubled the time. */
enum { STREAM_BLOCK = TSR_HAVE_MALLOC ? 2048 : 16, STREAM_ALIGN = TSR_HAVE_MALLOC ? 64 : 16 };

typedef struct conversion {
  int isa, from, to;
  const tsr__move_kernels *kernels; /* not NULL: the output is streamed */
} conversion;

static void stream_row(const conversion *c, tsr_index n, const char *src, ptrdiff_t src_step, char *dst) {
  _Alignas(STREAM_ALIGN) char block[STREAM_BLOCK];
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(c->to);
  const tsr_index most = STREAM_BLOCK / (tsr_index)item, before = tsr__before_line(dst, (size_t)item);
  for (tsr_index i = 0, count = before > 0 ? before : most; i < n; i += count, count = most) {
    if (count > n - i) count = n - i;
    tsr__convert_row(c->isa, c->from, c->to, count, src + (ptrdiff_t)i * src_step, src_step, block, item);
    c->kernels->stream(dst + (ptrdiff_t)i * item, block, (size_t)(count * item));
  }
  c->kernels->fence();
}

/* at[0] is the target, at[1] the source. */
static void convert_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const conversion *const c = arg;
  if (c->kernels != NULL && step[0] == (ptrdiff_t)tsr_dtype_size(c->to))
    stream_row(c, n, at[1], step[1], at[0]);
  else
    tsr__convert_row(c->isa, c->from, c->to, n, at[1], step[1], at[0], step[0]);
}

static void convert(const tsr_ctx *ctx, const tsr__loop *loop, const tsr_tensor *src, const tsr_tensor *dst,
                    size_t whole) {
  /* What counts is how much is read and written: a copy reads as much as it writes. In place the block in between would
   * hide what the source still has to give. */
  const size_t read = whole / tsr_dtype_size(dst->dtype) * tsr_dtype_size(src->dtype);
  const bool streamed = whole / 2 + read / 2 >= tsr__stream_bytes && src->data != dst->data;
  conversion c = {tsr__isa_of(ctx), src->dtype, dst->dtype, streamed ? tsr__move_kernels_of(ctx) : NULL};
  tsr__loop_run_parallel(ctx, loop, CONVERT_GRAIN, convert_row, &c);
}

/* ---- copies ---- */

void tsr__copy_part(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst, size_t whole) {
  tsr__loop loop;
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){dst, src});
  if (src->dtype == dst->dtype)
    tsr__move(ctx, &loop, tsr_dtype_size(src->dtype), whole);
  else
    convert(ctx, &loop, src, dst, whole);
}

void tsr__copy_apart(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__copy_part(ctx, src, dst, tsr_nbytes(dst));
}

tsr_status tsr__copy_to_scratch(tsr_ctx *ctx, const char *op, const tsr_tensor *src, tsr__scratch *scratch,
                                tsr_tensor *copy) {
  size_t bytes;
  if (!tsr__mul_size((size_t)tsr_size(src), tsr_dtype_size(src->dtype), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a copy of %t does not fit the address space", src);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK) return st;
  *copy = *src;
  copy->flags = 0;
  copy->storage = NULL;
  copy->data = scratch->data;
  tsr__strides_for(copy->ndim, copy->shape, TSR_ROW_MAJOR, copy->stride);
  tsr__copy_apart(ctx, src, copy);
  return TSR_OK;
}

tsr_status tsr__copy_host(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  const bool in_place = tsr__same_view(src, dst);
  if (in_place && src->dtype == dst->dtype) return TSR_OK;
  if (in_place || !tsr__overlap(src, dst)) {
    tsr__copy_apart(ctx, src, dst);
    return TSR_OK;
  }
  tsr__scratch scratch;
  tsr_tensor copy;
  const tsr_status st = tsr__copy_to_scratch(ctx, op, src, &scratch, &copy);
  if (st != TSR_OK) return st;
  tsr__copy_apart(ctx, &copy, dst);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

/* ---- filling ---- */

typedef struct filling {
  size_t                   item;
  const unsigned char     *pattern;
  bool                     stream;
  const tsr__move_kernels *kernels;
} filling;

static void fill_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const filling *const f = arg;
  if (step[0] == (ptrdiff_t)f->item)
    f->kernels->fill(at[0], (size_t)n * f->item, f->pattern, f->item, f->stream);
  else
    tsr__move_row(f->item, n, (const char *)f->pattern, 0, at[0], step[0]);
}

void tsr__fill_host(const tsr_ctx *ctx, const tsr_tensor *t, const void *pattern) {
  filling f = {tsr_dtype_size(t->dtype), pattern, tsr_nbytes(t) >= tsr__stream_bytes, tsr__move_kernels_of(ctx)};
  tsr__loop loop;
  tsr__loop_init(&loop, 1, (const tsr_tensor *[]){t});
  tsr__loop_run_parallel(ctx, &loop, TSR__COPY_GRAIN_BYTES / (tsr_index)f.item, fill_row, &f);
}
