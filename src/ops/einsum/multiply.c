/* Products of which nothing is summed: element by element. */
#include "ops/einsum/complex.h"
#include "ops/einsum/einsum.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/kernels.h"
#include "ops/elementwise/nan_watch.h"
#include "ops/promote.h"

TSR__DECLARE_KERNELS(mul)
static tsr__row_fn *const *const tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(mul);

void tsr__einsum_multiply(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                          const tsr__term *z) {
  static const char *const names[] = {"x", "y"};
  if (e->room->measuring) return;
  tsr__conjugates conjugates = {x->conjugate, y->conjugate};
  const tsr_tensor a = tsr__term_as(x, z), b = tsr__term_as(y, z);
  const bool is_complex = tsr__is_complex(z->t.dtype);
  const int compute = tsr__compute_of(z->t.dtype);
  tsr__elementwise m = {.op = e->op, .inputs = 2, .in = {&a, &b}, .compute = compute, .result = compute};
  m.out_dtype = z->t.dtype;
  m.kernel = is_complex ? tsr__complex_multiply(compute) : tables[tsr__isa_of(ctx)][compute];
  m.param = is_complex ? &conjugates : NULL;
  m.row_batches = !is_complex;
  m.grain = TSR__GRAIN_LIGHT;
  tsr_tensor to = z->t;
  tsr_status st;
  if (tsr__is_plain_context(ctx) && !tsr__nan_watched() && tsr__elementwise_contiguous(ctx, &m, &to, &st)) return;
  st = tsr__elementwise_run(ctx, &m, names, &to);
  (void)st; /* nothing overlaps and z is given: nothing is left that could fail */
}
