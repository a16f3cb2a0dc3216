#include "linalg/reflect.h"

#if TSR_HAVE_MALLOC

#include "linalg/blocked.h"
#include "linalg/complex.h"
#include "linalg/vector.h"

#define TEMPLATE "linalg/reflect.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#if TSR__COMPLEX_LINALG
#define TEMPLATE "linalg/complex_reflect.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
#endif

tsr__reflect_table TSR__ISA_NAME(tsr__reflect) = {{panel_f32, triangle_f32, largest_f32, scale_f32},
                                                  {panel_f64, triangle_f64, largest_f64, scale_f64},
#if TSR__COMPLEX_LINALG
                                                  {complex_panel_f32, complex_triangle_f32, NULL, NULL},
                                                  {complex_panel_f64, complex_triangle_f64, NULL, NULL}
#endif
};

#endif
