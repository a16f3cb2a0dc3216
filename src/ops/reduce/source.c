/* Reading the elements of an output, whatever their dtype and steps. */
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/reduce/reduce.h"

/* Elements that are worth reading where they lie, although the block goes on elsewhere. */
enum { DIRECT = 512 };

/* A bool is a byte that is 0 or 1. */
static bool same_bytes(int a, int b) {
  return a == b || (a == TSR_BOOL && b == TSR_U8);
}

tsr__source tsr__source_of(const tsr_ctx *ctx, const tsr__reduced *reduced, int dtype, int compute) {
  return (tsr__source){reduced, tsr__isa_of(ctx), dtype, compute, (ptrdiff_t)tsr_dtype_size(compute),
                       same_bytes(dtype, compute)};
}

void tsr__source_copy(const tsr__source *s, tsr_index n, const char *x, ptrdiff_t step, void *at) {
  if (s->same)
    tsr__move_row((size_t)s->item, n, x, step, at, s->item);
  else
    tsr__convert_row(s->isa, s->dtype, s->compute, n, x, step, at, s->item);
}

const char *tsr__source_at(const tsr__source *s, const char *x, tsr_index r) {
  const tsr__reduced *const reduced = s->reduced;
  for (int axis = reduced->ndim - 1; axis > 0; axis--) {
    x += reduced->step[axis] * (ptrdiff_t)(r % reduced->length[axis]);
    r /= reduced->length[axis];
  }
  return x + reduced->step[0] * (ptrdiff_t)r;
}

const void *tsr__source_next(const tsr__source *s, const char *x, tsr_index r, tsr_index most, tsr__chunk *chunk,
                             tsr_index *count) {
  const int       inner = s->reduced->ndim - 1;
  const tsr_index length = s->reduced->length[inner];
  const ptrdiff_t step = s->reduced->step[inner];
  const char     *at = tsr__source_at(s, x, r);
  tsr_index       run = length - r % length;
  if (s->same && step == s->item && (run >= most || run >= DIRECT)) {
    *count = run >= most ? most : run / TSR__REDUCE_LANE_BYTES * TSR__REDUCE_LANE_BYTES; /* then again at lane 0 */
    return at;
  }
  const tsr_index room = (tsr_index)(TSR__REDUCE_CHUNK_BYTES / s->item), n = most < room ? most : room;
  for (tsr_index done = 0; done < n;) {
    if (run > n - done) run = n - done;
    tsr__source_copy(s, run, at, step, chunk->bytes + (ptrdiff_t)done * s->item);
    done += run;
    if (done == n) break;
    at = tsr__source_at(s, x, r + done);
    run = length;
  }
  *count = n;
  return chunk->bytes;
}
