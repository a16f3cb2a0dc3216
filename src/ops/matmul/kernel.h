/* The kernels of matrix products, for products and for whatever is built on them (convolution).
 *
 * Packed panels. A matrix of count rows (of A) or columns (of B) and k steps is packed into panels of width rows (mr)
 * or columns (nr); element (i, p) of a panel lies at [p · width + i], and a panel takes width · k elements. The last
 * panel is as wide as the others, filled up with zeros. Kernels with group > 1 take group steps of K at once: their
 * elements are groups, k counts groups (rounded up, the last one filled up with zeros), and what was said holds with
 * that.
 *
 * A microkernel multiplies one panel of A by one of B:
 *
 *     for i < m, j < n:  C[i · ldc + j] (+)= Σ over p < k of A[p · mr + i] · B[p · nr + j]
 *
 * each sum in order of p, added to C (add) or stored. Which tile an element is in does not change its bits. k = 0
 * stores zeros. */
#ifndef TSR_OPS_MATMUL_KERNEL_H
#define TSR_OPS_MATMUL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

/* micro[m - 1] computes m rows, 1 ≤ m ≤ mr, and 1 ≤ n ≤ nr columns. a and b are packed panels (b aligned to a vector
 * when its buffer is); c is of dtype sum, ldc in elements. */
typedef void tsr__micro_fn(tsr_index k, const void *a, const void *b, void *c, tsr_index ldc, int n, bool add);

/* What is done about the panels that are needed next while others are multiplied, so that reading memory and arithmetic
 * go on at the same time. Whole panels side by side are copied row by row; where the columns of B are transposed to
 * become panels, they are only brought near. */
typedef struct tsr__pack_ahead {
  const char *from; /* the next piece of B: a row of the panels; a part of a column */
  ptrdiff_t step;   /* from row to row, from column to column */
  ptrdiff_t ahead;  /* from a piece to the one that is asked for meanwhile: rows lie far apart */
  tsr_index pieces; /* of a row or column, and those done of this one */
  tsr_index done;
  tsr_index left; /* of all */
  char *to;       /* the row's place in the first of the panels; NULL: nothing is copied */
  size_t panel;   /* from panel to panel */
} tsr__pack_ahead;

/* micro[mr - 1], which takes on as much of *pack_ahead as it has time for. */
typedef void tsr__pack_ahead_fn(tsr_index k, const void *a, const void *b, void *c, tsr_index ldc, int n, bool add,
                                tsr__pack_ahead *pack_ahead);

/* The micro of few rows by as many whole panels of B side by side as the kernel says, panel bytes from one to the next. */
typedef void tsr__beside_fn(tsr_index k, const void *a, const void *b, size_t panel, void *c, tsr_index ldc, bool add);

/* The same without packing, for small matrices: A[i · a_row + p · a_step], B[p · b_step + j], all in elements. The
 * function for mr rows does as many tiles below each other as are whole. */
typedef struct tsr__direct {
  tsr_index rows;
  tsr_index k;
  const void *a;
  tsr_index a_row, a_step;
  const void *b;
  tsr_index b_step;
  void *c;
  tsr_index ldc;
  int n;
  bool add;
} tsr__direct;
typedef void tsr__direct_fn(const tsr__direct *d);

/* All rows of *d, by the functions for its number of columns. */
static inline void tsr__direct_all(tsr__direct_fn *const *of, int mr, size_t item, tsr__direct *d) {
  const tsr_index whole = d->rows - d->rows % mr, rest = d->rows - whole;
  if (whole > 0) of[mr - 1](d);
  if (rest == 0) return;
  d->a = (const char *)d->a + (ptrdiff_t)(whole * d->a_row) * (ptrdiff_t)item;
  d->c = (char *)d->c + (ptrdiff_t)(whole * d->ldc) * (ptrdiff_t)item;
  of[rest - 1](d);
}

/* Packs count · k elements of a matrix: src is element (0, 0), steps in bytes, of any sign. width is mr or nr. dst has
 * room for whole panels. k is a number of elements, not of groups. */
typedef void tsr__pack_fn(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                          ptrdiff_t k_step, void *dst);

typedef struct tsr__gemm_kernel {
  uint8_t mr, nr;
  uint8_t group;               /* elements of K that are multiplied at once */
  uint8_t item;                /* bytes of a packed group: 4 or 8 */
  uint8_t b_item;              /* the same of B, where its elements are packed as they are and narrower; else 0 */
  uint8_t extra;               /* 1: a panel of B has a group before its first, the kernel's own */
  uint8_t sum;                 /* the dtype of C: TSR_F32, TSR_F64, TSR_I32, TSR_I64 */
  uint8_t from;                /* the dtype that pack takes, where that is neither sum nor the operand's own; else 0 */
  int kc;                      /* groups of K in a block: a panel of B stays in the first-level cache, or near it */
  int mc;                      /* rows in a block: mc · kc of A stay in the second-level cache; a multiple of mr */
  tsr__micro_fn *const *micro; /* [mr] */
  uint8_t beside_rows, beside_panels; /* 0: none */
  tsr__beside_fn *const *beside;      /* [beside_rows] */
  tsr__pack_ahead_fn *pack_ahead;     /* NULL: none */
  uint8_t pack_ahead_panels;          /* side by side, that are copied at once */
  uint16_t piece;                     /* bytes that it takes on at a time: those of such a row */
  tsr__direct_fn *const *direct;      /* [2][mr]: up to nr / 2 columns, up to nr; NULL: none */
  tsr__pack_fn *pack;   /* from elements of dtype sum (from, or the group's own, where group > 1); NULL where
                                     B is narrower: A is packed as for sum by sum, and B only moved (packing.c) */
  tsr__pack_fn *pack_b; /* of B, where it is another; else NULL */
} tsr__gemm_kernel;

/* Of sums, and of operands: the latter with micro NULL where the set has no instruction for them. */
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_f32)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_f64)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_i32)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_i64)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_bf16)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_u8)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_i8)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_i16)

/* The same, of eight bytes or four bf16 at once. */
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_bf16_tiles)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_u8_tiles)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_i8_tiles)

/* Of f32 by narrower weights. */
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_f32_bf16)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_f32_f16)
TSR__DECLARE_FOR_ISAS(const tsr__gemm_kernel, tsr__gemm_f32_i8)

/* The kernel of a sum dtype: TSR_F32, TSR_F64, TSR_I32, TSR_I64. NULL where there are plain loops only
 * (microcontrollers). */
const tsr__gemm_kernel *tsr__gemm_kernel_of(int isa, int sum);

/* The same, or a better one for a's and b's dtypes on this machine. */
const tsr__gemm_kernel *tsr__gemm_kernel_for(int isa, int a, int b, int sum);

/* Bytes of a packed group of B. */
static inline size_t tsr__b_item(const tsr__gemm_kernel *kernel) {
  return kernel->b_item != 0 ? kernel->b_item : kernel->item;
}

/* Whether a dtype is that of weights which become f32 as they are multiplied. */
static inline bool tsr__is_narrow_weight(int dtype) { return dtype == TSR_BF16 || dtype == TSR_F16 || dtype == TSR_I8; }

/* Bytes of count columns of k groups (extra included) in panels. */
static inline size_t tsr__packed_bytes(const tsr__gemm_kernel *kernel, tsr_index count, tsr_index k) {
  return (size_t)((count + kernel->nr - 1) / kernel->nr * kernel->nr) * (size_t)k * tsr__b_item(kernel);
}

#endif
