#include "io/bytes/elements.h"

#include "core/tensor.h"
#include "io/bytes/swap.h"
#include "io/bytes/walk.h"

enum { PRODUCED = 1 << 21 }; /* bytes at a time: many beside what a call costs, few beside what caches hold */

static bool is_produced(const tsr_tensor *t, const tsr_producer *producer) {
  return producer != NULL && t->data == NULL && tsr_size(t) > 0;
}

tsr_status tsr__elements_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t,
                               const tsr_producer *producer) {
  if (t == NULL || !is_produced(t, producer)) return tsr__check_input(ctx, op, arg, t);
  const tsr_status st = tsr__check_desc(ctx, op, t->dtype, t->ndim, t->shape);
  if (st != TSR_OK) return st;
  if (!tsr_is_contiguous(t, TSR_ROW_MAJOR))
    return TSR__FAIL(ctx, TSR_ESTRIDE, op, arg, "%t is without data and not row-major", t);
  return TSR_OK;
}

static bool swaps(const tsr__elements *e) { return e->big_endian == TSR__LITTLE_HOST; }

/* Elements that are made now: a block at a time. */
static tsr_status write_produced(const tsr__elements *e, const tsr_tensor *t) {
  const tsr_index all = tsr_size(t), item = (tsr_index)tsr_dtype_size(t->dtype), most = PRODUCED / item;
  const tsr_index block = all < most ? all : most;
  tsr__scratch memory;
  tsr_status st = tsr__scratch_get(e->ctx, e->op, (size_t)(block * item), &memory);
  if (st != TSR_OK) return st;
  for (tsr_index first = 0; st == TSR_OK && first < all; first += block) {
    const tsr_index n = all - first < block ? all - first : block;
    st = e->producer->produce(e->producer->self, t, first, n, memory.data);
    if (st != TSR_OK) {
      st = TSR__FAIL(e->ctx, st, e->op, t->name, "%t: the producer failed at element %l", t, (int64_t)first);
    } else {
      if (swaps(e)) tsr__swap_bytes(t->dtype, memory.data, (size_t)(n * item));
      st = e->sink.write(e->sink.self, memory.data, (size_t)(n * item));
    }
  }
  tsr__scratch_put(&memory);
  return st;
}

static tsr_status write_gathered(const tsr__elements *e, const tsr_tensor *t) {
  _Alignas(16) char block[TSR__ELEMENT_BLOCK];
  tsr_status st = TSR_OK;
  tsr__element_walk walk;
  tsr__element_walk_init(&walk, t, e->fortran);
  for (size_t left = tsr_nbytes(t); st == TSR_OK && left > 0;) {
    const size_t bytes = left < sizeof block ? left : sizeof block;
    tsr__element_gather(&walk, bytes / walk.item, block);
    if (swaps(e)) tsr__swap_bytes(t->dtype, block, bytes);
    st = e->sink.write(e->sink.self, block, bytes);
    left -= bytes;
  }
  return st;
}

tsr_status tsr__elements_write(const tsr__elements *e, const tsr_tensor *t) {
  if (tsr_size(t) == 0) return TSR_OK;
  if (is_produced(t, e->producer)) return write_produced(e, t);
  const bool as_it_is = !swaps(e) || tsr_dtype_size(t->dtype) == 1;
  if (!as_it_is || !tsr_is_contiguous(t, e->fortran ? TSR_FORTRAN : TSR_ROW_MAJOR)) return write_gathered(e, t);
  return e->sink.write(e->sink.self, t->data, tsr_nbytes(t));
}
