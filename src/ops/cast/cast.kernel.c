/* Compiled once per instruction set; exports one table. */
#include "core/dtypes.h"
#include "ops/cast/cast.h"
#include "ops/cast/half.h"

#define TEMPLATE "ops/cast/cast.tmpl.h"
#include "core/each_dtype.h"

#if TSR__VEC_F16 && TSR_HAVE_SMALL_FLOATS

/* The rest of a row, shorter than a vector, goes the portable way. */
static void half_load(tsr_index n, const void *restrict src, void *restrict wide) {
  const tsr_index done = tsr__half_load(n, src, wide);
  load_f16(n - done, (const uint16_t *)src + done, (float *)wide + done);
}

static void half_store(tsr_index n, const void *restrict wide, void *restrict dst) {
  const tsr_index done = tsr__half_store(n, wide, dst);
  store_f32_f16(n - done, (const float *)wide + done, (uint16_t *)dst + done);
}

/* The table's row of f16 names these instead. */
#define load_f16 half_load
#define store_f32_f16 half_store
#endif

const tsr__cast_table TSR__ISA_NAME(tsr__cast) = {
#define TEMPLATE "ops/cast/row.tmpl.h"
#include "core/each_dtype.h"
};

#define TO_F32(name, type)                                                             \
  static void to_f32_##name(tsr_index n, const void *restrict src, void *restrict z) { \
    for (tsr_index i = 0; i < n; i++) ((float *)z)[i] = (float)((const type *)src)[i]; \
  }
TO_F32(u8, uint8_t)
TO_F32(i8, int8_t)
TO_F32(u16, uint16_t)
TO_F32(i16, int16_t)

const tsr__cast_to_f32_table TSR__ISA_NAME(tsr__cast_to_f32) = {
    [TSR_U8] = to_f32_u8, [TSR_I8] = to_f32_i8, [TSR_U16] = to_f32_u16, [TSR_I16] = to_f32_i16};
