/* Packing from another dtype than the kernel's: a few rows at a time are converted, and packed from there. */
#include <string.h>
#include "cpu/isa.h"
#include "cpu/move.h"
#include "ops/cast/cast.h"
#include "ops/cast/convert.h"
#include "ops/matmul/product.h"

#if TSR_HAVE_MALLOC

enum { STRIP = 16, STEPS = 64 };

static const tsr__cast_table *const casts[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__cast);
static const tsr__move_kernels *const moves[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__move);

/* The same bits: unsigned integers are packed as signed ones. */
static bool same_bits(int dtype, int sum) {
  return dtype == sum || (dtype == TSR_U32 && sum == TSR_I32) || (dtype == TSR_U64 && sum == TSR_I64);
}

/* The load of a dtype when it makes the kernel's elements; else NULL. */
static tsr__cast_load_fn *load_of(int isa, int dtype, int sum) {
  const tsr__cast_row *const row = &(*casts[isa])[dtype];
  return (sum == TSR_F32 && row->wide == TSR__WIDE_f32) || (sum == TSR_I32 && row->wide == TSR__WIDE_i32) ? row->load
                                                                                                          : NULL;
}

typedef struct source {
  int isa, dtype, to;
  tsr__cast_load_fn *load; /* of contiguous rows; NULL: none */
  ptrdiff_t item;
} source;

static void convert(const source *s, tsr_index n, const char *src, ptrdiff_t step, char *dst) {
  if (s->load != NULL && step == s->item)
    s->load(n, src, dst);
  else
    tsr__convert_row(s->isa, s->dtype, s->to, n, src, step, dst, (ptrdiff_t)tsr_dtype_size(s->to));
}

/* A panel whose source runs along it: each step of K is converted where it goes. */
static void pack_along(const source *s, int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                       ptrdiff_t k_step, char *dst) {
  const size_t size = tsr_dtype_size(s->to);
  for (tsr_index p = 0; p < k; p++, dst += (size_t)width * size) {
    convert(s, count, src + (ptrdiff_t)p * k_step, count_step, dst);
    for (size_t i = (size_t)count * size; i < (size_t)width * size; i++) dst[i] = 0;
  }
}

/* Panels of groups, and those whose source runs along K: lines of it, rows where it does or else steps, are converted
 * below each other and packed from there. Partial strips of a panel would be filled up with zeros, so that a whole
 * panel of them goes through the block at once. */
static void pack_block(const tsr__gemm_kernel *kernel, const source *s, int width, tsr_index count, tsr_index k,
                       const char *src, ptrdiff_t count_step, ptrdiff_t k_step, char *dst) {
  _Alignas(64) char block[4096];
  const ptrdiff_t size = (ptrdiff_t)tsr_dtype_size(s->to);
  const bool rows = k_step == s->item;
  const tsr_index room = (tsr_index)((ptrdiff_t)sizeof block / size / width),
                  most = room / kernel->group * kernel->group;
  for (tsr_index p = 0; p < k; p += most) {
    const char *const from = src + (ptrdiff_t)p * k_step;
    const tsr_index steps = k - p < most ? k - p : most, lines = rows ? count : steps, length = rows ? steps : count;
    const ptrdiff_t line = (ptrdiff_t)length * size;
    for (tsr_index i = 0; i < lines; i++)
      convert(s, length, from + (ptrdiff_t)i * (rows ? count_step : k_step), rows ? k_step : count_step,
              block + (ptrdiff_t)i * line);
    kernel->pack(width, count, steps, block, rows ? line : size, rows ? size : line,
                 dst + (ptrdiff_t)(p * width) * size);
  }
}

/* Rows of bytes, cut into panels of row bytes. They lie far apart and are asked for ahead. */
static void pack_rows(size_t row, size_t bytes, tsr_index k, const char *src, ptrdiff_t step, char *dst) {
  const size_t panel = (size_t)k * row, whole = bytes / row, rest = bytes % row;
  for (tsr_index p = 0; p < k; p++, src += step, dst += row) {
    for (size_t i = 0; i < bytes; i += TSR_DATA_ALIGN) __builtin_prefetch(src + 8 * step + i, 0, 2);
    for (size_t i = 0; i < whole; i++) memcpy(dst + i * panel, src + i * row, row);
    if (rest == 0) continue;
    memcpy(dst + whole * panel, src + whole * row, rest);
    memset(dst + whole * panel + rest, 0, row - rest);
  }
}

/* Columns of B whose elements are narrower than their panels' kernel computes in: moved as they are, whichever way they lie. */
static void pack_narrow(const tsr__gemm_kernel *kernel, int isa, tsr_index count, tsr_index k, const char *src,
                        ptrdiff_t count_step, ptrdiff_t k_step, char *dst) {
  const size_t item = tsr__b_item(kernel), row = kernel->nr * item;
  if (count_step == (ptrdiff_t)item) {
    pack_rows(row, (size_t)count * item, k, src, k_step, dst);
    return;
  }
  const tsr__move_kernels *const move = moves[isa];
  tsr__block_fn *const run = k_step == (ptrdiff_t)item ? move->transpose : move->strided;
  for (tsr_index first = 0; first < count; first += kernel->nr, dst += (size_t)k * row) {
    const tsr_index here = count - first < kernel->nr ? count - first : kernel->nr;
    const tsr__block block = {.src = src + (ptrdiff_t)first * count_step,
                              .dst = dst,
                              .n = {here, k},
                              .src_step = {count_step, k_step},
                              .dst_step = {(ptrdiff_t)item, (ptrdiff_t)row},
                              .item = item};
    run(&block);
    if (here == kernel->nr) continue;
    for (tsr_index p = 0; p < k; p++) memset(dst + (size_t)p * row + (size_t)here * item, 0, row - (size_t)here * item);
  }
}

void tsr__pack_from(const tsr__gemm_kernel *kernel, int isa, int dtype, bool b, tsr_index count, tsr_index k,
                    const char *src, ptrdiff_t count_step, ptrdiff_t k_step, void *dst) {
  if (b && kernel->b_item != 0) {
    pack_narrow(kernel, isa, count, k, src, count_step, k_step, dst);
    return;
  }
  if (kernel->b_item != 0) kernel = tsr__gemm_kernel_of(isa, kernel->sum);
  const int width = b ? kernel->nr : kernel->mr;
  const int to = kernel->from != 0 ? kernel->from : kernel->sum;
  if (same_bits(dtype, to) || (kernel->group > 1 && kernel->from == 0)) {
    (b && kernel->pack_b != NULL ? kernel->pack_b : kernel->pack)(width, count, k, src, count_step, k_step, dst);
    return;
  }
  const source s = {isa, dtype, to, load_of(isa, dtype, to), (ptrdiff_t)tsr_dtype_size(dtype)};
  const tsr_index groups = (k + kernel->group - 1) / kernel->group;
  char *panel = dst;
  for (tsr_index first = 0; first < count; first += width, panel += (size_t)(width * groups) * kernel->item) {
    const tsr_index here = count - first < width ? count - first : width;
    const char *const from = src + (ptrdiff_t)first * count_step;
    if (kernel->group > 1 || (k_step == s.item && count_step != s.item))
      pack_block(kernel, &s, width, here, k, from, count_step, k_step, panel);
    else
      pack_along(&s, width, here, k, from, count_step, k_step, panel);
  }
}

#endif
