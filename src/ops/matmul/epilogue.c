/* The end of a product: sums become the output, a piece of a row at a time. */
#include "ops/matmul/epilogue.h"

#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/matmul/product.h"

/* Bytes of each block on the stack. */
enum { BLOCK_BYTES = TSR_HAVE_MALLOC ? 1024 : 64 };

static tsr__epilogue_fn *const *const epilogues[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__gemm_epilogue);

/* n elements of c, bias or scale as the type that is summed in: where they lie, or converted in a block. One that repeats is
 * one element. */
/* Of complex numbers i, j and n count those, and c and bias are made what sums are, real and imaginary numbers in turn. */
static const void *addend(const tsr__product *p, const tsr__mat *m, tsr_index i, tsr_index j, tsr_index n, char *block,
                          int *step) {
  const char *const at = tsr__mat_at(m, i, j);
  const int dtype = tsr__product_dtype(p);
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(dtype);
  const bool repeats = m->col == 0 && !p->is_complex;
  *step = !repeats;
  if (m->dtype == dtype && (m->col == item || repeats)) return at;
  const tsr_index count = !repeats ? n : 1;
  if (TSR__PRODUCT_CONVERTS)
    tsr__convert_row(p->isa, m->dtype, dtype, count, at, m->col, block, item);
  else
    tsr__move_row((size_t)item, count, at, m->col, block, item);
  return block;
}

static void run_epilogue(const tsr__product *p, char *sums, tsr_index i, tsr_index j, tsr_index n) {
  _Alignas(16) char c_block[BLOCK_BYTES], bias_block[BLOCK_BYTES];
#if TSR__PRODUCT_SCALES
  _Alignas(16) char scale_block[BLOCK_BYTES];
#endif
  const int dtype = tsr__product_dtype(p);
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(dtype);
  if (p->has_epilogue) {
    tsr__epilogue e = {.v = sums, .alpha = p->alpha, .beta = p->beta};
    if (p->c.data != NULL) e.c = addend(p, &p->c, i, j, n, c_block, &e.c_step);
    if (p->bias.data != NULL) e.bias = addend(p, &p->bias, i, j, n, bias_block, &e.bias_step);
#if TSR__PRODUCT_SCALES
    if (p->scale.data != NULL) e.scale = addend(p, &p->scale, i, j, n, scale_block, &e.scale_step);
#endif
    epilogues[p->isa][p->sum](&e, p->is_complex ? 2 * n : n);
    tsr__activate(&p->activation, n, sums, (size_t)item);
  }
  if (p->in_place) return;
  char *const to = tsr__mat_at(&p->out, i, j);
  if (TSR__PRODUCT_CONVERTS && p->out.dtype != dtype)
    tsr__convert_row(p->isa, dtype, p->out.dtype, n, sums, item, to, p->out.col);
  else
    tsr__move_row((size_t)item, n, sums, item, to, p->out.col);
}

void tsr__product_epilogue(const tsr__product *p, const tsr__sums *sums, tsr_index i, tsr_index rows, tsr_index j,
                           tsr_index cols) {
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(tsr__product_dtype(p)), part = (ptrdiff_t)tsr_dtype_size(p->sum);
  const int parts = p->is_complex ? 2 : 1;
  const tsr_index most = BLOCK_BYTES / (tsr_index)item;
  for (tsr_index r = 0; r < rows; r++)
    for (tsr_index c = 0; c < cols / parts; c += most)
      run_epilogue(p, (char *)sums->data + (ptrdiff_t)r * (ptrdiff_t)sums->ld * part + (ptrdiff_t)c * item, i + r,
                   j / parts + c, cols / parts - c < most ? cols / parts - c : most);
}
