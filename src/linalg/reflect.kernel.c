#include "linalg/reflect.h"

#if TSR_HAVE_MALLOC

#include "linalg/blocked.h"
#include "linalg/vector.h"

#define TEMPLATE "linalg/reflect.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

tsr__reflect_table TSR__ISA_NAME(tsr__reflect) = {{panel_f32, triangle_f32, largest_f32, scale_f32},
                                                  {panel_f64, triangle_f64, largest_f64, scale_f64}};

#endif
