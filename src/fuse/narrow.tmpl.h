/* Vectors of f32 from and to floats of 16 bits, NARROW, where no instruction converts them. */
#define LOAD_CAT(a, b) a##_##b
#define LOAD_NAME(a, b) LOAD_CAT(a, b)
#define NARROW_FN(name) TSR__C_CAT(LOAD_NAME(name, NARROW), _f32)

TSR__ALWAYS_INLINE tsr__vf32 NARROW_FN(load)(const char *at) {
  uint16_t x[TSR__VF32_LANES];
  float z[TSR__VF32_LANES];
  tsr__vf32 result;
  memcpy(x, at, sizeof x);
  for (int i = 0; i < TSR__VF32_LANES; i++) z[i] = TSR__C_CAT(NARROW, _load)(x[i]);
  memcpy(&result, z, sizeof result);
  return result;
}

TSR__ALWAYS_INLINE void NARROW_FN(store)(char *at, tsr__vf32 v) {
  float x[TSR__VF32_LANES];
  uint16_t z[TSR__VF32_LANES];
  memcpy(x, &v, sizeof x);
  for (int i = 0; i < TSR__VF32_LANES; i++) z[i] = TSR__C_CAT(NARROW, _from_f32)(x[i]);
  memcpy(at, z, sizeof z);
}

#undef LOAD_CAT
#undef LOAD_NAME
#undef NARROW_FN
#undef NARROW
