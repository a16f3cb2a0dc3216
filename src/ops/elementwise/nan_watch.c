#include "ops/elementwise/nan_watch.h"

#include "core/text.h"

#include <string.h>

#if defined(TSR_CHECKED)

static bool watching;

bool tsr__nan_watched(void) { return watching; }

bool tsr_check_nan(bool on) {
  const bool former = watching;
  watching = on;
  return former;
}

/* The largest pattern of a float without its sign that is not NaN; 0 for what is no float. */
static uint64_t largest_number(int dtype) {
  switch (dtype) {
    case TSR_F8_E4M3: return 0x7e;
    case TSR_F8_E5M2: return 0x7c;
    case TSR_F16: return 0x7c00;
    case TSR_BF16: return 0x7f80;
    case TSR_F32: return 0x7f800000;
    case TSR_F64: return UINT64_C(0x7ff0000000000000);
    default: return 0;
  }
}

static uint64_t size_bits(size_t item, const char *at) {
  uint8_t a;
  uint16_t b;
  uint32_t c;
  uint64_t d;
  switch (item) {
    case 1: memcpy(&a, at, sizeof a); return a & 0x7fu;
    case 2: memcpy(&b, at, sizeof b); return b & 0x7fffu;
    case 4: memcpy(&c, at, sizeof c); return c & 0x7fffffffu;
    default: memcpy(&d, at, sizeof d); return d & (UINT64_MAX >> 1);
  }
}

/* To the next index in row-major order; false after the last. */
static bool go_on(const tsr_tensor *t, tsr_index *index) {
  for (int i = t->ndim - 1; i >= 0; i--) {
    if (++index[i] < t->shape[i]) return true;
    index[i] = 0;
  }
  return false;
}

/* The first NaN of a tensor; false when there is none. */
static bool find_nan(const tsr_tensor *t, tsr_index *index) {
  const uint64_t largest = largest_number(t->dtype);
  const size_t item = tsr_dtype_size(t->dtype);
  memset(index, 0, TSR_MAX_DIMS * sizeof *index);
  if (largest == 0 || tsr_size(t) == 0) return false;
  do {
    ptrdiff_t offset = 0;
    for (int i = 0; i < t->ndim; i++) offset += (ptrdiff_t)(index[i] * t->stride[i]) * (ptrdiff_t)item;
    if (size_bits(item, (const char *)t->data + offset) > largest) return true;
  } while (go_on(t, index));
  return false;
}

bool tsr__nan_watch_begin(const tsr__elementwise *e) {
  tsr_index index[TSR_MAX_DIMS];
  for (int k = 0; k < e->inputs && watching; k++)
    if (find_nan(e->in[k], index)) return false;
  return watching;
}

void tsr__nan_watch_end(const tsr__elementwise *e, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS];
  if (!find_nan(out, index)) return;
  char room[160];
  tsr__text text;
  tsr__text_init(&text, room, sizeof room);
  tsr__text_format(&text, "%s: the result is NaN at %S, and no input holds one", e->op, (int)out->ndim, index);
  tsr__violation(__FILE__, __LINE__, room);
}

#else

bool tsr_check_nan(bool on) {
  (void)on;
  return false;
}

#endif
