/* One dtype: its load, and its store from every wide. */
static void FN(load)(tsr_index n, const void *restrict src, void *restrict wide) {
  const T *const x = src;
  WIDE *const w = wide;
  for (tsr_index i = 0; i < n; i++) w[i] = LOAD(x[i]);
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
