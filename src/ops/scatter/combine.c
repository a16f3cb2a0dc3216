/* Updates of every mode and type, one after another: elements that may meet cannot be taken side by side. */
#include "ops/scatter/scatter.h"

#include <string.h>

/* ---- set: by size ---- */

#define SET_EACH(bytes)                                                                          \
  for (tsr_index i = 0; i < u->n; i++, dst += u->dst_step, src += u->src_step, at += u->at_step) \
  memcpy(dst + (ptrdiff_t) * (const int64_t *)(const void *)at * u->axis_step, src, bytes)

#define SET(bytes)                                                                                             \
  static void set_##bytes(const tsr__updates *u) {                                                             \
    const char *src = u->src, *at = u->at;                                                                     \
    char *dst = u->dst;                                                                                        \
    if (u->at_step == 0 && u->dst_step == bytes && u->src_step == bytes)                                       \
      memcpy(dst + (ptrdiff_t) * (const int64_t *)(const void *)at * u->axis_step, src, (size_t)u->n * bytes); \
    else                                                                                                       \
      SET_EACH(bytes);                                                                                         \
  }
SET(1)
SET(2)
SET(4)
SET(8)
SET(16)

static tsr__combine_fn *set_of(int dtype) {
  switch (tsr__item_sizes[dtype]) {
    case 1: return set_1;
    case 2: return set_2;
    case 4: return set_4;
    case 8: return set_8;
    default: return set_16;
  }
}

/* ---- the others: by type ---- */

typedef tsr__combine_fn *const table[TSR_DTYPE_COUNT];

#define USED (C_FLOAT || !C_SIGNED) /* integers wrap, whatever their sign */
#define OP(name) FN(name##_add)
#define MERGE(a, b) ((C)((a) + (b)))
#define TEMPLATE "ops/scatter/combine.tmpl.h"
#include "core/each_compute.h"
static table add_table = {
#define TEMPLATE "ops/scatter/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef MERGE

#define OP(name) FN(name##_mul)
#define MERGE(a, b) ((C)(1u * (a) * (b))) /* u16 would be multiplied as int, which overflows */
#define TEMPLATE "ops/scatter/combine.tmpl.h"
#include "core/each_compute.h"
static table mul_table = {
#define TEMPLATE "ops/scatter/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef MERGE
#undef USED

#define USED 1
#define OP(name) FN(name##_min)
#define MERGE(a, b) ((((b) < (a)) | ((b) != (b))) ? (b) : (a))
#define TEMPLATE "ops/scatter/combine.tmpl.h"
#include "core/each_compute.h"
static table min_table = {
#define TEMPLATE "ops/scatter/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef MERGE

#define OP(name) FN(name##_max)
#define MERGE(a, b) ((((b) > (a)) | ((b) != (b))) ? (b) : (a))
#define TEMPLATE "ops/scatter/combine.tmpl.h"
#include "core/each_compute.h"
static table max_table = {
#define TEMPLATE "ops/scatter/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef MERGE
#undef USED

static int without_sign(int dtype) {
  switch (dtype) {
    case TSR_I8: return TSR_U8;
    case TSR_I16: return TSR_U16;
    case TSR_I32: return TSR_U32;
    case TSR_I64: return TSR_U64;
    default: return dtype;
  }
}

/* Of two bools the greater is either, the lesser both. */
static tsr__combine_fn *bool_of(tsr_scatter_mode mode) {
  return mode == TSR_SCATTER_ADD || mode == TSR_SCATTER_MAX ? max_table[TSR_U8] : min_table[TSR_U8];
}

tsr__combine_fn *tsr__combine_of(tsr_scatter_mode mode, int dtype) {
  if (mode == TSR_SCATTER_SET) return set_of(dtype);
  if (dtype == TSR_BOOL) return bool_of(mode);
  switch (mode) {
    case TSR_SCATTER_ADD: return add_table[without_sign(dtype)];
    case TSR_SCATTER_MUL: return mul_table[without_sign(dtype)];
    case TSR_SCATTER_MIN: return min_table[dtype];
    default: return max_table[dtype];
  }
}
