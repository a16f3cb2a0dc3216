#include "linalg/spectral.h"

#if TSR_HAVE_MALLOC

#include "linalg/vector.h"

#define TEMPLATE "linalg/spectral.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#define TABLE(type) \
  { tridiagonal_##type, form_##type, shifts_##type, bidiagonal_##type, rotate_##type, normalise_##type }
tsr__spectral_table TSR__ISA_NAME(tsr__spectral) = {TABLE(f32), TABLE(f64)};

#endif
