/* Conversion of whole tensors: row by row, or by blocks that are transposed first where the two run along different
 * axes. */
#include "cpu/isa.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"

/* What is worth a thread, in elements converted. */
enum { CONVERT_GRAIN = 32768 };

typedef struct conversion {
  int isa, from, to;
  size_t src_item, dst_item;
  bool stream;
  const tsr__move_kernels *kernels;
} conversion;

/* ---- rows ---- */

/* What is converted of a row before it goes out by non-temporal stores, in bytes. The block is a whole number of lines:
 * vectors that cross them wait for each other, which doubled the time. */
enum { STREAM_BLOCK = TSR_HAVE_MALLOC ? 2048 : 16, STREAM_ALIGN = TSR_HAVE_MALLOC ? 64 : 16 };

static void stream_row(const conversion *c, tsr_index n, const char *src, ptrdiff_t src_step, char *dst) {
  _Alignas(STREAM_ALIGN) char block[STREAM_BLOCK];
  const ptrdiff_t item = (ptrdiff_t)c->dst_item;
  const tsr_index most = STREAM_BLOCK / (tsr_index)item, before = tsr__before_line(dst, (size_t)item);
  for (tsr_index i = 0, count = before > 0 ? before : most; i < n; i += count, count = most) {
    if (count > n - i) count = n - i;
    tsr__convert_row(c->isa, c->from, c->to, count, src + (ptrdiff_t)i * src_step, src_step, block, item);
    c->kernels->stream(dst + (ptrdiff_t)i * item, block, (size_t)(count * item));
  }
  c->kernels->fence();
}

/* at[0] is the target, at[1] the source. */
static void convert_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const conversion *const c = args->param;
  if (c->stream && step[0] == (ptrdiff_t)c->dst_item)
    stream_row(c, n, at[1], step[1], at[0]);
  else
    tsr__convert_row(c->isa, c->from, c->to, n, at[1], step[1], at[0], step[0]);
}

/* ---- the output runs along axis 0, the source along axis 1 ---- */

#if TSR_HAVE_MALLOC

/* Bytes of a block on the stack, and of a source's row that are read before the next rows are begun. */
enum { CROSS_BLOCK = 4096, CROSS_ROW = 4096 };

/* Bytes further on in them that are asked for, as transposing copies do. */
enum { AHEAD = 512 };

/* Elements along the output: whole lines of small dtypes. */
static tsr_index rows_at_once(const conversion *c) { return c->src_item <= 4 ? 64 : 256 / (tsr_index)c->src_item; }

/* count rows of n contiguous elements, converted to as many of the output. */
static void convert_lines(const conversion *c, tsr_index n, tsr_index count, const char *src, const tsr__block *b,
                          char *dst) {
  _Alignas(STREAM_ALIGN) char block[CROSS_BLOCK];
  const ptrdiff_t src_row = (ptrdiff_t)n * (ptrdiff_t)c->src_item, dst_row = (ptrdiff_t)n * (ptrdiff_t)c->dst_item;
  const tsr_index most = CROSS_BLOCK / (tsr_index)dst_row;
  for (tsr_index j = 0; j < count; j += most) {
    const tsr_index some = count - j < most ? count - j : most;
    tsr__convert_row(c->isa, c->from, c->to, n * some, src + (ptrdiff_t)j * src_row, (ptrdiff_t)c->src_item, block,
                     (ptrdiff_t)c->dst_item);
    const tsr__block lines = {.src = block,
                              .dst = dst + (ptrdiff_t)j * b->dst_step[1],
                              .n = {n, some},
                              .src_step = {(ptrdiff_t)c->dst_item, dst_row},
                              .dst_step = {0, b->dst_step[1]},
                              .item = c->dst_item,
                              .stream = c->stream};
    c->kernels->rows(&lines);
  }
}

/* A piece of the source is transposed in one block, converted in another, and written. */
static void convert_crossed(const tsr__block *b) {
  const conversion *const c = b->arg;
  _Alignas(STREAM_ALIGN) char block[CROSS_BLOCK];
  const ptrdiff_t src_item = (ptrdiff_t)c->src_item;
  const tsr_index most = (tsr_index)(CROSS_BLOCK / src_item / b->n[0]);
  for (tsr_index j = 0; j < b->n[1]; j += most) {
    const tsr_index count = b->n[1] - j < most ? b->n[1] - j : most;
    const tsr__block transposed = {.src = b->src + (ptrdiff_t)j * src_item,
                                   .dst = block,
                                   .n = {b->n[0], count},
                                   .src_step = {b->src_step[0], src_item},
                                   .dst_step = {src_item, (ptrdiff_t)b->n[0] * src_item},
                                   .item = c->src_item};
    const char *const ahead = transposed.src + AHEAD;
    for (tsr_index i = 0; c->stream && i < b->n[0]; i++)
      __builtin_prefetch(ahead + (ptrdiff_t)i * b->src_step[0], 0, 2);
    c->kernels->transpose(&transposed);
    convert_lines(c, b->n[0], count, block, b, b->dst + (ptrdiff_t)j * b->dst_step[1]);
  }
}

/* Whether the loop was one of these; then it is done. */
static bool run_crossed(const tsr_ctx *ctx, tsr__loop *loop, const conversion *c) {
  if (loop->ndim < 2 || tsr__loop_cross(loop, c->dst_item, c->src_item) != TSR__ACROSS) return false;
  const tsr__block like = {.item = c->dst_item, .stream = c->stream, .arg = c};
  const tsr_index most[2] = {rows_at_once(c), CROSS_ROW / (tsr_index)c->src_item};
  if (loop->length[0] < 8 || loop->length[1] < 8) return false;
  tsr__move_blocks(ctx, loop, convert_crossed, &like, most);
  return true;
}

#else /* a processor without caches reads columns as fast as rows */

static bool run_crossed(const tsr_ctx *ctx, tsr__loop *loop, const conversion *c) {
  (void)ctx;
  (void)loop;
  (void)c;
  return false;
}

#endif

void tsr__convert(const tsr_ctx *ctx, tsr__loop *loop, const tsr_tensor *src, const tsr_tensor *dst, size_t whole) {
  if (loop->size == 0) return;
  conversion c = {.isa = tsr__isa_of(ctx),
                  .from = src->dtype,
                  .to = dst->dtype,
                  .src_item = tsr_dtype_size(src->dtype),
                  .dst_item = tsr_dtype_size(dst->dtype),
                  .kernels = tsr__move_kernels_of(ctx)};
  /* In place the block in between would hide what the source still has to give. */
  c.stream = tsr__is_nontemporal(ctx, whole, whole / c.dst_item * c.src_item, false) && src->data != dst->data;
  if (!run_crossed(ctx, loop, &c)) tsr__loop_run_parallel(ctx, loop, CONVERT_GRAIN, convert_row, &c);
}
