#include "linalg/spectral.h"

#if TSR_HAVE_MALLOC

#include "linalg/complex.h"
#include "linalg/vector.h"

#define TEMPLATE "linalg/spectral.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#define TABLE(type) \
  { tridiagonal_##type, form_##type, shifts_##type, bidiagonal_##type, rotate_##type, normalise_##type }
#if TSR__COMPLEX_LINALG
#define TEMPLATE "linalg/complex_spectral.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
#define COMPLEX(type)                                                                                                 \
  {                                                                                                                   \
    complex_tridiagonal_##type, complex_form_##type, shifts_##type, complex_bidiagonal_##type, complex_rotate_##type, \
        complex_normalise_##type                                                                                      \
  }
tsr__spectral_table TSR__ISA_NAME(tsr__spectral) = {TABLE(f32), TABLE(f64), COMPLEX(f32), COMPLEX(f64)};
#else
tsr__spectral_table TSR__ISA_NAME(tsr__spectral) = {TABLE(f32), TABLE(f64)};
#endif

#endif
