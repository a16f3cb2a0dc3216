/* What an instruction set does not have instructions for, in C. Its file names what it has: TSR__OWN_… */
#ifndef TSR_CPU_VEC_PLAIN_H
#define TSR_CPU_VEC_PLAIN_H

#ifndef TSR__VEC_F16
#define TSR__VEC_F16 0
#endif
#ifndef TSR__VEC_BF16_DOTS
#define TSR__VEC_BF16_DOTS 0
#endif
#ifndef TSR__VEC_BYTE_DOTS
#define TSR__VEC_BYTE_DOTS 0
#endif
#ifndef TSR__VEC_SIGNED_BYTE_DOTS
#define TSR__VEC_SIGNED_BYTE_DOTS 0
#endif
#ifndef TSR__VEC_TILES
#define TSR__VEC_TILES 0
#endif
#ifndef TSR__VEC_MUL_HIGH
#define TSR__VEC_MUL_HIGH 0
#endif

#ifndef TSR__VEC_SORTS
#define TSR__VEC_SORTS 0
#endif

#ifndef TSR__OWN_MADD
TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return a * b + c; }
#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return a * b + c; }
#endif
#endif

#ifdef TSR__OWN_MADD_I16
#define TSR__VEC_PAIR_DOTS 1
#else
#define TSR__VEC_PAIR_DOTS 0
TSR__INLINE tsr__vi32 tsr__vi32_madd_i16(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  return c + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
}
#endif

/* ---- some of the lanes ---- */

#define TSR__LOAD_PART(name, type)                                           \
  TSR__INLINE tsr__v##name tsr__v##name##_load_part(const type *at, int n) { \
    tsr__v##name v = {0};                                                    \
    for (int i = 0; i < n; i++) v[i] = at[i];                                \
    return v;                                                                \
  }
#define TSR__STORE_PART(name, type)                                             \
  TSR__INLINE void tsr__v##name##_store_part(type *at, tsr__v##name v, int n) { \
    for (int i = 0; i < n; i++) at[i] = v[i];                                   \
  }
#ifndef TSR__OWN_LOAD_PART
TSR__LOAD_PART(f32, float)
TSR__LOAD_PART(i32, int32_t)
TSR__LOAD_PART(i64, int64_t)
#if TSR_HAVE_F64
TSR__LOAD_PART(f64, double)
#endif
#endif
#ifndef TSR__OWN_STORE_PART
TSR__STORE_PART(f32, float)
TSR__STORE_PART(i32, int32_t)
TSR__STORE_PART(i64, int64_t)
#if TSR_HAVE_F64
TSR__STORE_PART(f64, double)
#endif
#endif
#undef TSR__LOAD_PART
#undef TSR__STORE_PART

#ifndef TSR__OWN_WINDOW
typedef struct tsr__vwindow {
  int64_t low, high;
} tsr__vwindow;
TSR__INLINE tsr__vwindow tsr__vwindow_between(int64_t low, int64_t high) { return (tsr__vwindow){low, high}; }
TSR__INLINE tsr__vf32 tsr__vf32_load_window(const float *at, tsr__vwindow lanes) {
  float v[TSR__VF32_LANES];
  for (int i = 0; i < TSR__VF32_LANES; i++) v[i] = i >= lanes.low && i < lanes.high ? at[i] : 0;
  return tsr__vf32_load(v);
}
#endif

/* ---- which lanes, and choosing by them ---- */

TSR__INLINE tsr__vf32 tsr__vf32_mix(tsr__vi32 mask, tsr__vf32 yes, tsr__vf32 no) {
  return (tsr__vf32)((mask & (tsr__vi32)yes) | (~mask & (tsr__vi32)no));
}
#ifndef TSR__OWN_LANES
typedef tsr__vi32 tsr__lanes;
TSR__INLINE tsr__lanes tsr__vf32_less(tsr__vf32 a, tsr__vf32 b) { return a < b; }
TSR__INLINE tsr__lanes tsr__vf32_equal(tsr__vf32 a, tsr__vf32 b) { return a == b; }
TSR__INLINE tsr__lanes tsr__vu32_less(tsr__vu32 a, tsr__vu32 b) { return a < b; }
TSR__INLINE bool tsr__lanes_all(tsr__lanes lanes) {
  int32_t all = lanes[0];
  for (int i = 1; i < TSR__VF32_LANES; i++) all &= lanes[i];
  return all != 0;
}
TSR__INLINE tsr__vf32 tsr__vf32_pick(tsr__lanes lanes, tsr__vf32 yes, tsr__vf32 no) {
  return tsr__vf32_mix(lanes, yes, no);
}
TSR__INLINE tsr__vf32 tsr__vf32_not_below(tsr__vf32 d, float bound, tsr__vf32 v) {
  return (tsr__vf32)(~(d < tsr__vf32_all(bound)) & (tsr__vi32)v);
}
#endif

#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_pick(tsr__vi64 mask, tsr__vf64 yes, tsr__vf64 no) {
  return (tsr__vf64)((mask & (tsr__vi64)yes) | (~mask & (tsr__vi64)no));
}
#ifndef TSR__OWN_LANES_F64
TSR__INLINE tsr__vf64 tsr__vf64_if_less(tsr__vf64 a, tsr__vf64 b, tsr__vf64 yes, tsr__vf64 no) {
  return tsr__vf64_pick(a < b, yes, no);
}
TSR__INLINE bool tsr__vi64_all_set(tsr__vi64 v) {
  int64_t all = v[0];
  for (int i = 1; i < TSR__VF64_LANES; i++) all &= v[i];
  return all != 0;
}
TSR__INLINE bool tsr__vf64_between(tsr__vf64 x, double low, double high) {
  return tsr__vi64_all_set((x >= low) & (x <= high));
}
#endif
#endif

/* ---- extremes ---- */

#ifndef TSR__OWN_EXTREMES
TSR__INLINE tsr__vf32 tsr__vf32_min(tsr__vf32 a, tsr__vf32 b) { return tsr__vf32_mix(a < b, a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_max(tsr__vf32 a, tsr__vf32 b) { return tsr__vf32_mix(a > b, a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_max_nan(tsr__vf32 a, tsr__vf32 b) { return tsr__vf32_mix((b > a) | (b != b), b, a); }
TSR__INLINE float tsr__vf32_reduce_max(tsr__vf32 v) {
  float top = v[0];
  for (int i = 1; i < TSR__VF32_LANES; i++) top = ((v[i] > top) | (v[i] != v[i])) ? v[i] : top;
  return top;
}
#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_max(tsr__vf64 a, tsr__vf64 b) { return tsr__vf64_pick(a > b, a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_max_nan(tsr__vf64 a, tsr__vf64 b) { return tsr__vf64_pick((b > a) | (b != b), b, a); }
TSR__INLINE double tsr__vf64_reduce_max(tsr__vf64 v) {
  double top = v[0];
  for (int i = 1; i < TSR__VF64_LANES; i++) top = ((v[i] > top) | (v[i] != v[i])) ? v[i] : top;
  return top;
}
#endif
#endif

/* ---- lanes that change places ---- */

#if TSR__VEC_BYTES == 16
#define TSR__VEC4_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define TSR__VEC4_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define TSR__VEC8_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 2)
#define TSR__VEC8_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#define TSR__VEC4_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define TSR__VEC4_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define TSR__VEC8_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2)
#define TSR__VEC8_ODD(a, b) __builtin_shufflevector(a, b, 1, 3)
#define TSR__VEC4_SLIDE(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4)
#define TSR__VEC8_SLIDE(a, b) __builtin_shufflevector(a, b, 1, 2)
#endif

/* ---- tables, widths ---- */

#ifndef TSR__OWN_TABLE_F32
TSR__INLINE tsr__vf32 tsr__vf32_of_16(const float *table, tsr__vu32 index) {
  tsr__vf32 v = {0};
  for (int i = 0; i < TSR__VF32_LANES; i++) v[i] = table[index[i] & 15];
  return v;
}
#endif
#if TSR_HAVE_F64
#ifndef TSR__OWN_TABLE_F64
TSR__INLINE tsr__vf64 tsr__vf64_of_16(const double *table, tsr__vu64 index) {
  const tsr__vu64 within = index & 15;
  tsr__vf64 v = {0};
  for (int i = 0; i < TSR__VF64_LANES; i++) v[i] = table[within[i]];
  return v;
}
#endif
#ifndef TSR__OWN_WIDEN
TSR__INLINE tsr__vf64 tsr__vf64_from_f32(const float *x) {
  tsr__vf64 v = {0};
  for (int i = 0; i < TSR__VF64_LANES; i++) v[i] = (double)x[i];
  return v;
}
#endif
#endif

#endif
