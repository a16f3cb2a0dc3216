/* One dtype's store from one wide type, W. */
#define FN_W_(name, w) FN(name##_##w)
#define FN_W__(name, w) FN_W_(name, w)
#define FN_W(name) FN_W__(name, W)
static void FN_W(store)(tsr_index n, const void *restrict wide, void *restrict dst) {
  const TSR__DT_CAT(tsr__wide_, W) *const w = wide;
  T *const x = dst;
  for (tsr_index i = 0; i < n; i++) x[i] = FROM(W)(w[i]);
}
#undef FN_W_
#undef FN_W__
#undef FN_W
#undef W
