/* The kernels of conversion: rows of a dtype to rows of its wide type, and rows of a wide type to rows of a dtype.
 * n dtypes and w wides need n loads and n·w stores, not n·n conversions. */
#ifndef TSR_OPS_CAST_CAST_H
#define TSR_OPS_CAST_CAST_H

#include "core/dtype/wide.h"
#include "cpu/isa.h"
#include <tessera/tensor.h>

/* n contiguous elements; the two rows do not overlap. */
typedef void tsr__cast_load_fn(tsr_index n, const void *src, void *wide);
typedef void tsr__cast_store_fn(tsr_index n, const void *wide, void *dst);

typedef struct tsr__cast_row {
  tsr__cast_load_fn *load;                    /* NULL: not in this configuration */
  tsr__cast_store_fn *store[TSR__WIDE_COUNT]; /* NULL: refused by tsr__check_cast */
  uint8_t wide;                               /* a tsr__wide: what load makes */
} tsr__cast_row;

typedef tsr__cast_row tsr__cast_table[TSR_DTYPE_COUNT];

/* Small integers, by dtype, straight to f32, which holds them; NULL: by way of the wide type. */
typedef tsr__cast_load_fn *tsr__cast_to_f32_table[TSR_DTYPE_COUNT];

TSR__DECLARE_FOR_ISAS(const tsr__cast_table, tsr__cast)
TSR__DECLARE_FOR_ISAS(const tsr__cast_to_f32_table, tsr__cast_to_f32)

#endif
