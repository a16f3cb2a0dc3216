/* Conversion of rows: a block of the source to its wide type, the block to the target. */
#include "ops/cast/convert.h"

#include "cpu/move.h"
#include "ops/cast/cast.h"

/* Of each of the two blocks on the stack, which are whole lines: vectors that cross them wait for each other. */
enum { BLOCK_BYTES = TSR_HAVE_MALLOC ? 2048 : 128, BLOCK_ALIGN = TSR_HAVE_MALLOC ? 64 : 16 };

typedef union wide_block {
  tsr__wide_i32 i32[BLOCK_BYTES / sizeof(tsr__wide_i32)];
  tsr__wide_i64 i64[BLOCK_BYTES / sizeof(tsr__wide_i64)];
  tsr__wide_u64 u64[BLOCK_BYTES / sizeof(tsr__wide_u64)];
  tsr__wide_f32 f32[BLOCK_BYTES / sizeof(tsr__wide_f32)];
#if TSR_HAVE_F64
  tsr__wide_f64 f64[BLOCK_BYTES / sizeof(tsr__wide_f64)];
#endif
#if TSR_HAVE_C64
  tsr__wide_c64 c64[BLOCK_BYTES / sizeof(tsr__wide_c64)];
#endif
#if TSR_HAVE_C128
  tsr__wide_c128 c128[BLOCK_BYTES / sizeof(tsr__wide_c128)];
#endif
} wide_block;

/* The dtype that is the wide type itself. */
static const uint8_t wide_dtype[TSR__WIDE_COUNT] = {
    [TSR__WIDE_i32] = TSR_I32,   [TSR__WIDE_i64] = TSR_I64, [TSR__WIDE_u64] = TSR_U64, [TSR__WIDE_f32] = TSR_F32,
#if TSR_HAVE_F64
    [TSR__WIDE_f64] = TSR_F64,
#endif
#if TSR_HAVE_C64
    [TSR__WIDE_c64] = TSR_C64,
#endif
#if TSR_HAVE_C128
    [TSR__WIDE_c128] = TSR_C128,
#endif
};

static const tsr__cast_table *const tables[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__cast);

/* The kernel that needs no wide type; NULL: none. Small machines do without. */
static tsr__cast_load_fn *straight_of(int isa, int from, int to) {
#if TSR_HAVE_MALLOC
  static const tsr__cast_to_f32_table *const to_f32[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__cast_to_f32);
  return to == TSR_F32 ? (*to_f32[isa])[from] : NULL;
#else
  (void)isa, (void)from, (void)to;
  return NULL;
#endif
}

static bool is_complex(int dtype) { return dtype == TSR_C64 || dtype == TSR_C128; }

tsr_status tsr__check_cast(tsr_ctx *ctx, const char *op, int from, int to) {
  if (from == to && tsr_dtype_size(from) != 0) return TSR_OK;
  if (!tsr_dtype_supported(from) || !tsr_dtype_supported(to))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "%y to %y: this build does not convert %y", from, to,
                     tsr_dtype_supported(from) ? to : from);
  if (is_complex(from) && !is_complex(to) && to != TSR_BOOL)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "%y to %y would lose a part; take one with tsr_complex_part", from, to);
  return TSR_OK;
}

/* Whether two contiguous rows share no byte. */
static bool do_not_alias(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
  const uintptr_t from_a = (uintptr_t)a, from_b = (uintptr_t)b;
  return from_a < from_b ? from_b - from_a >= a_bytes : from_a - from_b >= b_bytes;
}

typedef struct conversion {
  tsr__cast_load_fn *load;
  tsr__cast_store_fn *store;
  size_t src_size, dst_size, wide_size;
} conversion;

/* A block at a time by way of the wide type; rows with gaps are gathered before and scattered after. A block is also what
 * makes a cast in place work. */
static void convert_blocks(const conversion *c, tsr_index n, const char *src, ptrdiff_t src_step, char *dst,
                           ptrdiff_t dst_step) {
  _Alignas(BLOCK_ALIGN) wide_block wide;
  _Alignas(BLOCK_ALIGN) wide_block staged;
  const bool src_contiguous = src_step == (ptrdiff_t)c->src_size, dst_contiguous = dst_step == (ptrdiff_t)c->dst_size;
  const size_t largest =
      c->wide_size > c->dst_size ? c->wide_size : c->dst_size; /* a wide is no smaller than its source */
  const tsr_index most = (tsr_index)(BLOCK_BYTES / largest);
  for (tsr_index begin = 0; begin < n; begin += most) {
    const tsr_index count = n - begin < most ? n - begin : most;
    const char *const from = src + (ptrdiff_t)begin * src_step;
    char *const to = dst + (ptrdiff_t)begin * dst_step;
    if (!src_contiguous) tsr__move_row(c->src_size, count, from, src_step, (char *)&staged, (ptrdiff_t)c->src_size);
    c->load(count, src_contiguous ? from : (const char *)&staged, &wide);
    c->store(count, &wide, dst_contiguous ? to : (char *)&staged);
    if (!dst_contiguous) tsr__move_row(c->dst_size, count, (const char *)&staged, (ptrdiff_t)c->dst_size, to, dst_step);
  }
}

void tsr__convert_row(int isa, int from, int to, tsr_index n, const char *src, ptrdiff_t src_step, char *dst,
                      ptrdiff_t dst_step) {
  const tsr__cast_row *const source = &(*tables[isa])[from];
  const int wide = wide_dtype[source->wide];
  const conversion c = {source->load, (*tables[isa])[to].store[source->wide], tsr_dtype_size(from), tsr_dtype_size(to),
                        tsr_dtype_size(wide)};
  const bool contiguous = src_step == (ptrdiff_t)c.src_size && dst_step == (ptrdiff_t)c.dst_size;
  const bool no_alias = contiguous && do_not_alias(src, (size_t)n * c.src_size, dst, (size_t)n * c.dst_size);
  tsr__cast_load_fn *const straight = straight_of(isa, from, to);
  if (no_alias && straight != NULL)
    straight(n, src, dst);
  else if (no_alias && from == wide) /* where one of the two is the wide type itself, it needs no block */
    c.store(n, src, dst);
  else if (no_alias && to == wide)
    c.load(n, src, dst);
  else
    convert_blocks(&c, n, src, src_step, dst, dst_step);
}
