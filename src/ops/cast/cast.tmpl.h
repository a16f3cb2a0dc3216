/* One dtype: its load, and its store from every wide. */
static void FN(load)(tsr_index n, const char *restrict src, ptrdiff_t step, void *restrict wide) {
  WIDE *const w = wide;
  if (step == (ptrdiff_t)sizeof(T)) {
    const T *const x = (const T *)(const void *)src;
    for (tsr_index i = 0; i < n; i++) w[i] = LOAD(x[i]);
    return;
  }
  for (tsr_index i = 0; i < n; i++) w[i] = LOAD(*(const T *)(const void *)(src + (ptrdiff_t)i * step));
}

#define W i32
#include "ops/cast/store.tmpl.h"
#define W i64
#include "ops/cast/store.tmpl.h"
#define W u64
#include "ops/cast/store.tmpl.h"
#define W f32
#include "ops/cast/store.tmpl.h"
#if TSR_HAVE_F64
#define W f64
#include "ops/cast/store.tmpl.h"
#endif
#if TSR_HAVE_C64 && DT_TAKES_COMPLEX
#define W c64
#include "ops/cast/store.tmpl.h"
#endif
#if TSR_HAVE_C128 && DT_TAKES_COMPLEX
#define W c128
#include "ops/cast/store.tmpl.h"
#endif
