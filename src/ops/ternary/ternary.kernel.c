/* Compiled once per instruction set; exports a table an op. */
#include "ops/ternary/ternary.h"

#include "cpu/math/complex.h"
#include "cpu/vec/pairs.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TEMPLATE "ops/ternary/ternary.tmpl.h"
#include "core/each_compute.h"

#define TEMPLATE "ops/ternary/complex.tmpl.h"
#include "core/each_complex.h"

/* Elements of 16 bytes: two numbers of 8, aligned as one of them. */
static void where_pair(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  (void)args;
  for (tsr_index i = 0; i < n; i++) {
    const int from = *(at[1] + (ptrdiff_t)i * step[1]) != 0 ? 2 : 3;
    char pair[16];
    memcpy(pair, at[from] + (ptrdiff_t)i * step[from], sizeof pair);
    memcpy(at[0] + (ptrdiff_t)i * step[0], pair, sizeof pair);
  }
}

#define TERNARY_ORDER(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, TSR__OF_INTEGERS(op), TSR__OF_FLOATS(op)};
#include "ops/ternary/rows.def"
#define TERNARY_WRAP(op, ...) TSR__KERNELS(op) = {TSR__OF_SHARED_INTEGERS(op), TSR__OF_FLOATS(op) TSR__OF_COMPLEX(op)};
#include "ops/ternary/rows.def"
#define TERNARY_FLOATS(op, ...) TSR__KERNELS(op) = {TSR__OF_FLOATS(op)};
#include "ops/ternary/rows.def"
/* Elements that are only moved: by their size. */
#define BY_BYTES_1(op) op##_u8
#define BY_BYTES_2(op) op##_u16
#define BY_BYTES_4(op) op##_u32
#define BY_BYTES_8(op) op##_u64
#define BY_BYTES_16(op) op##_pair
#define WHERE(id, number, bytes, class, name, npy, st) [number] = BY_BYTES_##bytes(where),
TSR__KERNELS(where) = {TSR_DTYPE_LIST(WHERE)};
#undef WHERE
