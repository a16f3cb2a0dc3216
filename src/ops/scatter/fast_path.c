/* Many numbers added to few places of a vector: indices are read once. They are checked as they are used, and sums go
 * to temporary memory, so that nothing is written when one is out of range. 1 M numbers into 10,000 places took 0.64 ms
 * this way and 0.80 ms with a look at all indices before, which is as long as adding takes without any check. */
#include "ops/copy/copy.h"
#include "ops/scatter/scatter.h"

#define TEMPLATE "ops/scatter/fast_path.tmpl.h"
#include "core/each_compute.h"

enum { LEAST = 4096, TIMES = 4 }; /* updates, and updates for every place */

/* Adds n elements in order; returns how many, if an index stops it. */
typedef tsr_index add_fn(tsr_index n, uint64_t length, void *sums, const void *elements, const void *indices);

static add_fn *add_of(int dtype) {
  switch (dtype) {
    case TSR_I8:
    case TSR_U8: return add_u8;
    case TSR_I16:
    case TSR_U16: return add_u16;
    case TSR_I32:
    case TSR_U32: return add_u32;
    case TSR_I64:
    case TSR_U64: return add_u64;
    case TSR_F32: return add_f32;
#if TSR_HAVE_F64
    case TSR_F64: return add_f64;
#endif
    default: return NULL;
  }
}

static bool is_vector(const tsr_tensor *t, tsr_index n) {
  return t->ndim == 1 && t->shape[0] == n && t->stride[0] == 1;
}

bool tsr__scatter_has_fast_path(const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src) {
  const tsr_index n = tsr_size(index);
  if (in->ndim != 1 || in->shape[0] == 0 || add_of(in->dtype) == NULL || index->dtype != TSR_I64) return false;
  return n >= LEAST && n / TIMES >= in->shape[0] && is_vector(index, n) && is_vector(src, n);
}

bool tsr__scatter_fast_path(const tsr__call *call, const tsr_tensor *sums) {
  const tsr_tensor *const in = call->in[0], *const index = call->in[1];
  const tsr_index n = tsr_size(index);
  tsr__move_no_alias(call->ctx, in, sums);
  if (add_of(in->dtype)(n, (uint64_t)in->shape[0], sums->data, call->in[2]->data, index->data) != n) return false;
  tsr__move_no_alias(call->ctx, sums, call->out[0]);
  return true;
}
