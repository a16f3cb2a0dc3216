/* A product that is about to run. */
#ifndef TSR_OPS_MATMUL_PRODUCT_H
#define TSR_OPS_MATMUL_PRODUCT_H

#include <tessera/matmul.h>
#include "ops/activation/activation.h"
#include "ops/matmul/kernel.h"

/* Whether elements can be of another dtype than their sums. */
#define TSR__PRODUCT_CONVERTS (TSR_HAVE_INTEGER_PRODUCTS || TSR_HAVE_SMALL_FLOATS || TSR_HAVE_F64)

/* Whether sums can be multiplied by numbers of columns. */
#define TSR__PRODUCT_SCALES TSR_HAVE_MALLOC

/* A matrix, or a batch of them; steps in bytes, any sign, 0 repeats. */
typedef struct tsr__mat {
  char *data; /* NULL: none */
  int dtype;
  ptrdiff_t row, col;
  ptrdiff_t batch[TSR_MAX_DIMS];
} tsr__mat;

/* out (m, n) = activation(scale · alpha · a (m, k) · b (k, n) + beta · c + bias), batches times. */
typedef struct tsr__product {
  const char *op;
  tsr_ctx *ctx;
  const tsr__gemm_kernel *kernel;
  int isa;
  int sum; /* the dtype that is summed in; of complex numbers that of their parts */
  tsr_index m, n, k;
  int axes; /* of the batch */
  tsr_index length[TSR_MAX_DIMS];
  tsr_index batches;
  tsr__mat a, b, out, c, bias;
#if TSR__PRODUCT_SCALES
  tsr__mat scale;
#endif
  const char *panels; /* b, packed already; NULL: it is not */
  tsr_real alpha, beta;
  tsr__activation activation;
  bool has_epilogue;   /* something is left to do with the sums besides storing them */
  bool adds;           /* out += a·b: the sums begin with what out holds */
  bool in_place;       /* the sums are added up in out itself */
  bool transposed;     /* a and b changed places, and every matrix is seen from its other side */
  bool is_complex;     /* m, n, k and steps count complex numbers (complex.h) */
  bool conj_a, conj_b; /* they are multiplied as their conjugates */
  uint8_t algorithm;   /* a tsr__gemm_algorithm */
  int workers;         /* that may share one batch: 1 where batches are shared out */
} tsr__product;

typedef enum tsr__gemm_algorithm {
  TSR__GEMM_NONE,
  TSR__GEMM_SMALL,
  TSR__GEMM_GEMV,
  TSR__GEMM_BLOCKED,
  TSR__GEMM_COMPLEX_SMALL,
  TSR__GEMM_COMPLEX_GEMV
} tsr__gemm_algorithm;

/* The dtype of the numbers that are multiplied. */
static inline int tsr__product_dtype(const tsr__product *p) {
  return !p->is_complex ? p->sum : p->sum == TSR_F64 ? TSR_C128 : TSR_C64;
}

/* Chooses the algorithm, says how much temporary memory that needs (SIZE_MAX: more than there can be), and runs it. */
size_t tsr__product_scratch(tsr__product *p);
void tsr__product_run(const tsr__product *p, char *scratch);

static inline bool tsr__product_is_scaled(const tsr__product *p) {
#if TSR__PRODUCT_SCALES
  return p->scale.data != NULL;
#else
  (void)p;
  return false;
#endif
}

/* The element of a matrix, of one batch. */
static inline char *tsr__mat_at(const tsr__mat *m, tsr_index row, tsr_index col) {
  return m->data + (ptrdiff_t)row * m->row + (ptrdiff_t)col * m->col;
}

/* Rounds up to whole lines, for parts of the scratch. */
static inline size_t tsr__line_align(size_t bytes) { return tsr__align_up(bytes, TSR_DATA_ALIGN); }

/* The product of one batch: every data at its matrix. */
tsr__product tsr__product_at(const tsr__product *p, tsr_index batch);

/* ---- algorithms: each for one batch ---- */

/* Small products, and those that A or B would be packed for in vain: straight from where they lie. */
bool tsr__small_fits(const tsr__product *p);
size_t tsr__small_scratch(const tsr__product *p);
void tsr__small_run(const tsr__product *p, char *scratch);

/* Matrix by vector. */
bool tsr__gemv_fits(const tsr__product *p);
size_t tsr__gemv_scratch(const tsr__product *p);
void tsr__gemv_run(const tsr__product *p, char *scratch);

/* Everything else, in blocks. */
size_t tsr__blocked_scratch(const tsr__product *p);
void tsr__blocked_run(const tsr__product *p, char *scratch);

/* K in blocks of equal length, in groups: packed weights and the blocked algorithm agree on them. */
tsr_index tsr__k_block(const tsr__gemm_kernel *kernel, tsr_index k);

/* Where the block of K that begins at group p0 begins in packed weights of n columns, in bytes; kb groups are a block.
 */
static inline size_t tsr__packed_block(const tsr__gemm_kernel *kernel, tsr_index n, tsr_index kb, tsr_index p0) {
  const tsr_index extra = kb > 0 ? p0 / kb * kernel->extra : 0;
  return tsr__packed_bytes(kernel, n, p0 + extra);
}

/* ---- the end of a product: sums, of which row 0, column 0 belongs to (i, j) of the result, become the output; of complex
 * numbers columns are counted as real kernels see them ---- */

typedef struct tsr__sums {
  void *data;
  tsr_index ld; /* from row to row, in elements */
} tsr__sums;
void tsr__product_epilogue(const tsr__product *p, const tsr__sums *sums, tsr_index i, tsr_index rows, tsr_index j,
                           tsr_index cols);

/* Packs rows of A, or columns of B, from any dtype: what kernel->pack does, with conversion where that is needed. */
void tsr__pack_from(const tsr__gemm_kernel *kernel, int isa, int dtype, bool b, tsr_index count, tsr_index k,
                    const char *src, ptrdiff_t count_step, ptrdiff_t k_step, void *dst);

#endif
