#include "ops/sort/keys.h"

#include "cpu/move.h"

#define TEMPLATE "ops/sort/keys.tmpl.h"
#include "ops/sort/each_key.h"

/* The greatest magnitude that is not NaN: infinity, or the greatest number where there is none. */
static uint64_t limit_of(int dtype) {
  switch (dtype) {
    case TSR_F16: return 0x7c00;
    case TSR_BF16: return 0x7f80;
    case TSR_F8_E4M3: return 0x7e;
    case TSR_F8_E5M2: return 0x7c;
    case TSR_F32: return 0x7f800000;
    default: return UINT64_C(0x7ff0000000000000);
  }
}

tsr__keys tsr__keys_of(int dtype, bool descending) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  tsr__keys k = {.bytes = info->bytes, .floats = info->class_ == TSR_CLASS_FLOAT};
  k.flip = descending ? UINT64_MAX : 0;
  if (info->class_ == TSR_CLASS_INT) k.flip ^= UINT64_C(1) << (8 * info->bytes - 1);
  if (k.floats) k.limit = limit_of(dtype);
  return k;
}

bool tsr__keys_fetch(const tsr__keys *k, tsr_index n, const char *src, ptrdiff_t step, void *keys) {
  const void *from = src;
  if (step != k->bytes) {
    tsr__move_row((size_t)k->bytes, n, src, step, keys, k->bytes);
    from = keys;
  }
  switch (k->bytes) {
    case 1: return fetch_u8(k, n, from, keys);
    case 2: return fetch_u16(k, n, from, keys);
    case 4: return fetch_u32(k, n, from, keys);
    default: return fetch_u64(k, n, from, keys);
  }
}

void tsr__keys_values(const tsr__keys *k, tsr_index n, const void *keys, void *values) {
  switch (k->bytes) {
    case 1: values_u8(k, n, keys, values); return;
    case 2: values_u16(k, n, keys, values); return;
    case 4: values_u32(k, n, keys, values); return;
    default: values_u64(k, n, keys, values); return;
  }
}

uint64_t tsr__key_of(const tsr__keys *k, const void *element) {
  switch (k->bytes) {
    case 1: return one_u8(k, element);
    case 2: return one_u16(k, element);
    case 4: return one_u32(k, element);
    default: return one_u64(k, element);
  }
}

tsr__keys_runs tsr__keys_collect(const tsr__keys *k, tsr_index n, const void *sorted, const char *src, ptrdiff_t step,
                                 void *room) {
  switch (k->bytes) {
    case 1: return collect_u8(k, n, sorted, src, step, room);
    case 2: return collect_u16(k, n, sorted, src, step, room);
    case 4: return collect_u32(k, n, sorted, src, step, room);
    default: return collect_u64(k, n, sorted, src, step, room);
  }
}
