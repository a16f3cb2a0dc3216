#include "cpu/fast_when_small.h"

#include "linalg/leaf.h"
#include "linalg/vector.h"

#define TEMPLATE "linalg/leaf.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#if TSR_HAVE_F64
#define BOTH(name) \
  { name##_f32, name##_f64 }
#else
#define BOTH(name) \
  { name##_f32, NULL }
#endif

tsr__substitute_table TSR__ISA_NAME(tsr__substitute) = BOTH(substitute);
tsr__substitute_table TSR__ISA_NAME(tsr__substitute_right) = BOTH(substitute_right);
tsr__lu_panel_table TSR__ISA_NAME(tsr__lu_panel) = BOTH(lu_panel);
tsr__cholesky_leaf_table TSR__ISA_NAME(tsr__cholesky_leaf) = BOTH(cholesky_leaf);
