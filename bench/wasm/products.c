/* Multiplications a second of products, for the wasm preset beside the base instruction set of the machine that runs it (scripts/wasm-size). */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <tessera/tessera.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void) {
  static const int dtypes[][3] = {{TSR_F32, TSR_F32, TSR_F32}, {TSR_F32, TSR_BF16, TSR_F32}, {TSR_I8, TSR_I8, TSR_I32}};
  enum { N = 256 };
  for (int i = 0; i < 3; i++) {
    tsr_tensor a = {0}, b = {0}, out = {0};
    const tsr_gemm_options options = {.dtype = (uint8_t)dtypes[i][2]};
    double best = 1e9;
    if (tsr_ones(NULL, dtypes[i][0], TSR_SHAPE(N, N), &a) != TSR_OK ||
        tsr_ones(NULL, dtypes[i][1], TSR_SHAPE(N, N), &b) != TSR_OK)
      return 1;
    for (int round = 0; round < 20; round++) {
      const double start = now();
      if (tsr_gemm(NULL, 1, &a, &b, 0, NULL, &options, &out) != TSR_OK) return 1;
      if (now() - start < best) best = now() - start;
    }
    printf("%s by %s: %.2f G multiplications a second\n", tsr_dtype_name(dtypes[i][0]), tsr_dtype_name(dtypes[i][1]),
           (double)N * N * N / best / 1e9);
    tsr_release(&a), tsr_release(&b), tsr_release(&out);
  }
  return 0;
}
