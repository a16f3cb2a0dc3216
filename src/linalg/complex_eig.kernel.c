#include "linalg/eig.h"

#include "linalg/complex.h"

#if TSR__COMPLEX_LINALG

#include <stdbool.h>

#include "linalg/vector.h"

#define TEMPLATE "linalg/complex_eig.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#define TABLE(type) \
  { balance_##type, hessenberg_##type, schur_##type, vectors_##type, finish_##type }
tsr__complex_eig_table TSR__ISA_NAME(tsr__complex_eig) = {TABLE(f32), TABLE(f64)};

#endif
