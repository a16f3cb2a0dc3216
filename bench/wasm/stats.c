/* What a page might want of the library: the statistics of a .npy file that it has in memory. scripts/wasm-size links it as a module with
 * nothing else; under node it reads a file itself, as a check. */
#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera.h>

/* least, greatest, mean, deviation; returns the number of elements, or -1. */
int tensor_stats(const void *bytes, size_t size, double *out);
int tensor_stats(const void *bytes, size_t size, double *out) {
  tsr_tensor x = {0}, wide = {0}, y = {0};
  tsr_real value = 0;
  int n = -1;
  tsr_status st = tsr_npy_load_memory(NULL, bytes, size, &x);
  if (st == TSR_OK) st = tsr_cast(NULL, &x, TSR_F64, &wide);
  for (int i = 0; i < 4 && st == TSR_OK; i++) {
    st = i == 0   ? tsr_min(NULL, &wide, 0, NULL, false, &y)
         : i == 1 ? tsr_max(NULL, &wide, 0, NULL, false, &y)
         : i == 2 ? tsr_mean(NULL, &wide, 0, NULL, false, &y)
                  : tsr_std(NULL, &wide, 0, NULL, false, 0, &y);
    if (st == TSR_OK) st = tsr_get(NULL, &y, 0, NULL, &value);
    out[i] = (double)value;
  }
  if (st == TSR_OK) n = (int)tsr_size(&x);
  tsr_release(&x), tsr_release(&wide), tsr_release(&y);
  return n;
}
