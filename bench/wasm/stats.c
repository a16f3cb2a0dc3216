/* What a page might want of the library: the statistics of a .npy file that it has in memory. scripts/wasm-size links it as a module. */
#include <tessera/tessera.h>

typedef tsr_status reduction(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                             tsr_tensor *out);

static tsr_status deviation(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                            tsr_tensor *out) {
  return tsr_std(ctx, x, naxes, axes, keepdims, 0, out);
}

/* Least, greatest, mean and deviation of all elements; returns their number, or -1. */
int tensor_stats(const void *bytes, size_t size, double *out);
int tensor_stats(const void *bytes, size_t size, double *out) {
  static reduction *const all[] = {tsr_min, tsr_max, tsr_mean, deviation};
  tsr_tensor x = {0};
  tsr_status st = tsr_npy_decode(NULL, bytes, size, NULL, NULL, &x);
  for (int i = 0; i < 4 && st == TSR_OK; i++) {
    tsr_tensor y = {0};
    tsr_real value = 0;
    st = all[i](NULL, &x, 0, NULL, false, &y);
    if (st == TSR_OK) st = tsr_get(NULL, &y, 0, NULL, &value);
    out[i] = (double)value;
    tsr_release(&y);
  }
  const int n = st == TSR_OK ? (int)tsr_size(&x) : -1;
  tsr_release(&x);
  return n;
}
