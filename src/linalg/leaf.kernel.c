#include "cpu/fast_when_small.h"

#include "linalg/leaf.h"
#include "linalg/complex.h"
#include "linalg/vector.h"

#define TEMPLATE "linalg/leaf.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#if TSR__COMPLEX_LINALG
#define TEMPLATE "linalg/complex_leaf.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
#endif

#if TSR__COMPLEX_LINALG && TSR_HAVE_F64
#define EACH(name) \
  { name##_f32, name##_f64, complex_##name##_f32, complex_##name##_f64 }
#elif TSR__COMPLEX_LINALG
#define EACH(name) \
  { name##_f32, NULL, complex_##name##_f32, NULL }
#elif TSR_HAVE_F64
#define EACH(name) \
  { name##_f32, name##_f64 }
#else
#define EACH(name) \
  { name##_f32, NULL }
#endif

tsr__substitute_table TSR__ISA_NAME(tsr__substitute) = EACH(substitute);
tsr__substitute_table TSR__ISA_NAME(tsr__substitute_right) = EACH(substitute_right);
tsr__lu_panel_table TSR__ISA_NAME(tsr__lu_panel) = EACH(lu_panel);
tsr__cholesky_leaf_table TSR__ISA_NAME(tsr__cholesky_leaf) = EACH(cholesky_leaf);
