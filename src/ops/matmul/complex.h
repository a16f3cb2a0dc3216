/* Products of complex matrices, by the kernels of real ones.
 *
 * Complex numbers lie as two real ones. So does a product of them: with A (m, k) seen as real numbers, (m, 2k), and B (k, n) as
 * (2k, 2n), in which row 2p is row p of B as it lies and row 2p + 1 is i times it, A·B is the complex product as it lies, (m, 2n).
 * Four multiplications for one, and the kernels, tiles and blocks are those of real matrices; only packing is another. */
#ifndef TSR_OPS_MATMUL_COMPLEX_H
#define TSR_OPS_MATMUL_COMPLEX_H

#include "core/dtype/wide.h"
#include "ops/matmul/product.h"

/* Packs count · k complex numbers: src is element (0, 0), steps in bytes, of any sign. Panels are as wide as those of real numbers:
 * of A width rows, each step of K two of the panel, its real numbers and its imaginary ones; of B width / 2 columns, each step of K
 * two of the panel, the numbers and i times them. */
typedef void tsr__complex_pack_fn(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                                  ptrdiff_t k_step, bool conjugated, void *dst);

/* y (rows) += M (rows, k) · x (k); steps in complex numbers. */
typedef struct tsr__complex_gemv {
  tsr_index rows, k;
  const void *matrix;
  tsr_index step; /* of the axis that is not contiguous */
  const void *x;  /* contiguous, conjugated where it is to be; for dots two of them (see x0) */
  void *y;
  tsr_index y_step;
  bool conjugated; /* the matrix */
  bool add;
} tsr__complex_gemv;
typedef void tsr__complex_gemv_fn(const tsr__complex_gemv *g);

typedef struct tsr__complex_kernels {
  tsr__complex_pack_fn *pack_a, *pack_b;
  tsr__complex_gemv_fn
      *dots; /* rows of the matrix are contiguous; x is 2·k numbers for real parts, 2·k for imaginary ones */
  tsr__complex_gemv_fn *sums; /* columns are; y is contiguous */
} tsr__complex_kernels;

TSR__DECLARE_FOR_ISAS(const tsr__complex_kernels, tsr__complex_f32)
TSR__DECLARE_FOR_ISAS(const tsr__complex_kernels, tsr__complex_f64)

/* Columns and steps as real kernels see them. */
static inline tsr_index tsr__product_columns(const tsr__product *p) { return p->is_complex ? 2 * p->n : p->n; }
static inline tsr_index tsr__product_steps(const tsr__product *p) { return p->is_complex ? 2 * p->k : p->k; }

/* Panels of A from row i, of B from column j (as real kernels see them, even), steps from p0 on (even). */
void tsr__complex_pack_a(const tsr__product *p, tsr_index i, tsr_index rows, tsr_index p0, tsr_index steps, void *to);
void tsr__complex_pack_b(const tsr__product *p, tsr_index j, tsr_index cols, tsr_index p0, tsr_index steps, void *to);

/* Small ones: B as the real matrix that it stands for, A too where it has to be copied, in temporary memory. */
bool tsr__complex_small_fits(const tsr__product *p);
size_t tsr__complex_small_scratch(const tsr__product *p);
void tsr__complex_small_run(const tsr__product *p, char *scratch);

/* Matrix by vector. */
bool tsr__complex_gemv_fits(const tsr__product *p);
size_t tsr__complex_gemv_scratch(const tsr__product *p);
void tsr__complex_gemv_run(const tsr__product *p, char *scratch);

#endif
