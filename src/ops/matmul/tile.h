/* Rows of a tile, for kernel files: with two vectors a row, the sums, a row of B and a number of A fit the registers.
 */
#ifndef TSR_OPS_MATMUL_TILE_H
#define TSR_OPS_MATMUL_TILE_H

#include "cpu/vec/vec.h"
#include "ops/matmul/kernel.h"

#if TSR__VEC_BYTES == 64
#define MR 12
#elif TSR__VEC_BYTES == 32
#define MR 6
#elif TSR__VEC_REGISTERS == 32
#define MR 8
#else
#define MR 4
#endif

/* X of each lane of a vector. */
#define TSR__EACH_OF_2(X) X(0) X(1)
#define TSR__EACH_OF_4(X) X(0) X(1) X(2) X(3)

#endif
