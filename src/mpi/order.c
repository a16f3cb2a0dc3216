#include "mpi/order.h"

#define C float
#define OP(name) name##_f32
#define NEUTRAL (-0.0f)
#include "mpi/order.tmpl.h"
#undef C
#undef OP
#undef NEUTRAL

#define C double
#define OP(name) name##_f64
#define NEUTRAL (-0.0)
#include "mpi/order.tmpl.h"
#undef C
#undef OP
#undef NEUTRAL

#define C uint64_t /* wraps */
#define OP(name) name##_i64
#define NEUTRAL 0
#include "mpi/order.tmpl.h"

void tsr__order_tree(int dtype, tsr_index count, tsr_index width, void *rows) {
  if (dtype == TSR_F32)
    tree_f32(count, width, rows);
  else if (dtype == TSR_F64)
    tree_f64(count, width, rows);
  else
    tree_i64(count, width, rows);
}

void tsr__order_totals(int dtype, tsr_index n, const void *x, void *totals, tsr_index step) {
  if (dtype == TSR_F32)
    totals_f32(n, x, totals, step);
  else if (dtype == TSR_F64)
    totals_f64(n, x, totals, step);
  else
    totals_i64(n, x, totals, step);
}

void tsr__order_sums(int dtype, tsr_index n, const void *x, const void *totals, tsr_index chunks_before, tsr_index step,
                     void *to) {
  if (dtype == TSR_F32)
    sums_f32(n, x, totals, chunks_before, step, to);
  else if (dtype == TSR_F64)
    sums_f64(n, x, totals, chunks_before, step, to);
  else
    sums_i64(n, x, totals, chunks_before, step, to);
}
