/* What makes means of sums. */
#if HAS_DIVIDE
static void OP(divide)(tsr_index n, tsr_index count, void *result) {
  C *const out = result;
  const C by = (C)count;
  for (tsr_index i = 0; i < n; i++) out[i] /= by;
}
#define DIVIDE OP(divide)
#else
#define DIVIDE NULL
#endif
