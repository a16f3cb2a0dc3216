#include "linalg/eig.h"

#if TSR_HAVE_MALLOC

#include <stdbool.h>

#include "linalg/vector.h"

#define TEMPLATE "linalg/eig.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#define TABLE(type) \
  { balance_##type, hessenberg_##type, schur_##type, vectors_##type, finish_##type }
tsr__eig_table TSR__ISA_NAME(tsr__eig) = {TABLE(f32), TABLE(f64)};

#endif
