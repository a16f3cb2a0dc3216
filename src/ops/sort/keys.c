#include "ops/sort/keys.h"

#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/sort/vector.h"

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

tsr__keys tsr__keys_of_dtype(int dtype, bool descending) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  tsr__keys k = {.bytes = info->bytes, .floats = info->class_ == TSR_CLASS_FLOAT};
  k.flip = descending ? UINT64_MAX : 0;
  if (info->class_ == TSR_CLASS_INT) k.flip ^= UINT64_C(1) << (8 * info->bytes - 1);
  if (k.floats) k.limit = limit_of(dtype);
  return k;
}

#if TSR_HAVE_MALLOC
static const tsr__key_rows *const rows_of[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__key_rows);

static int size_number(int bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

static bool fetch(const tsr__keys *k, tsr_index n, const void *src, void *keys) {
  return rows_of[k->isa]->fetch[size_number(k->bytes)](k, n, src, keys);
}
static void put_values(const tsr__keys *k, tsr_index n, const void *keys, void *values) {
  rows_of[k->isa]->values[size_number(k->bytes)](k, n, keys, values);
}
#else
static bool fetch(const tsr__keys *k, tsr_index n, const void *src, void *keys) {
  switch (k->bytes) {
    case 1: return fetch_u8(k, n, src, keys);
    case 2: return fetch_u16(k, n, src, keys);
    case 4: return fetch_u32(k, n, src, keys);
    default: return fetch_u64(k, n, src, keys);
  }
}
static void put_values(const tsr__keys *k, tsr_index n, const void *keys, void *values) {
  switch (k->bytes) {
    case 1: values_u8(k, n, keys, values); return;
    case 2: values_u16(k, n, keys, values); return;
    case 4: values_u32(k, n, keys, values); return;
    default: values_u64(k, n, keys, values); return;
  }
}
#endif

static bool fetch_row(const tsr__keys *k, tsr_index n, const char *src, ptrdiff_t step, void *keys) {
  const void *from = src;
  if (step != k->bytes) {
    tsr__move_row((size_t)k->bytes, n, src, step, keys, k->bytes);
    from = keys;
  }
  return fetch(k, n, from, keys);
}

#if TSR_HAVE_MALLOC
/* A row that several threads share. */
typedef struct fetching {
  const tsr__keys *k;
  const char *from;
  ptrdiff_t step;
  char *to;
  int special;
} fetching;

static void fetch_piece(void *arg, tsr_index begin, tsr_index end, int worker) {
  fetching *const f = arg;
  (void)worker;
  if (fetch_row(f->k, end - begin, f->from + (ptrdiff_t)begin * f->step, f->step,
                f->to + (ptrdiff_t)begin * f->k->bytes))
    __atomic_store_n(&f->special, 1, __ATOMIC_RELAXED);
}
static void values_piece(void *arg, tsr_index begin, tsr_index end, int worker) {
  const fetching *const f = arg;
  (void)worker;
  put_values(f->k, end - begin, f->from + (ptrdiff_t)begin * f->step, f->to + (ptrdiff_t)begin * f->step);
}

bool tsr__keys_share(tsr__keys *k, const tsr_ctx *ctx, tsr_index rows, tsr_index length) {
  const int workers = TSR_HAVE_THREADS && length >= TSR__SHARED_LEAST ? tsr__parallel(ctx)->max_workers : 1;
  k->ctx = ctx;
  k->shared = rows < workers;
  return k->shared;
}
#endif

bool tsr__keys_fetch(const tsr__keys *k, tsr_index n, const char *src, ptrdiff_t step, void *keys) {
#if TSR_HAVE_MALLOC
  if (k->shared) {
    fetching f = {k, src, step, keys, 0};
    tsr__parallel_for(k->ctx, n, TSR__SHARED_GRAIN, fetch_piece, &f);
    return f.special != 0;
  }
#endif
  return fetch_row(k, n, src, step, keys);
}

void tsr__keys_values(const tsr__keys *k, tsr_index n, const void *keys, void *values) {
#if TSR_HAVE_MALLOC
  if (k->shared) {
    fetching f = {k, keys, k->bytes, values, 0};
    tsr__parallel_for(k->ctx, n, TSR__SHARED_GRAIN, values_piece, &f);
    return;
  }
#endif
  put_values(k, n, keys, values);
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
