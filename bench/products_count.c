/* Products to count the instructions of (scripts/count-aarch64): products_count ROW runs one call of a row between two calls of
 * port_mark, after one that is not counted; without a row it prints their names and multiplications. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

typedef struct row {
  const char *name;
  int a, b, dtype; /* dtype of the result; TSR_NONE: as they promote */
  tsr_index m, k, n;
  bool packed;
} row;

static const row rows[] = {
    {"f32", TSR_F32, TSR_F32, TSR_NONE, 192, 192, 192, false},
    {"f32_packed", TSR_F32, TSR_F32, TSR_NONE, 192, 192, 192, true},
    {"f64", TSR_F64, TSR_F64, TSR_NONE, 192, 192, 192, false},
    {"i8", TSR_I8, TSR_I8, TSR_I32, 192, 192, 192, false},
    {"i8_packed", TSR_I8, TSR_I8, TSR_I32, 192, 192, 192, true},
    {"u8_i8_packed", TSR_U8, TSR_I8, TSR_I32, 192, 192, 192, true},
    {"bf16", TSR_BF16, TSR_BF16, TSR_F32, 192, 192, 192, false},
    {"bf16_packed", TSR_BF16, TSR_BF16, TSR_F32, 192, 192, 192, true},
    {"f16_packed", TSR_F16, TSR_F16, TSR_F32, 192, 192, 192, true},
    {"f32_bf16_packed", TSR_F32, TSR_BF16, TSR_NONE, 192, 192, 192, true},
    {"f32_f16_packed", TSR_F32, TSR_F16, TSR_NONE, 192, 192, 192, true},
    {"f32_i8_packed", TSR_F32, TSR_I8, TSR_NONE, 192, 192, 192, true},
    {"f32_bf16_row", TSR_F32, TSR_BF16, TSR_NONE, 1, 512, 512, false},
    {"f32_i8_row", TSR_F32, TSR_I8, TSR_NONE, 1, 512, 512, false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* The plugin of QEMU counts up to here. */
__attribute__((noinline)) void port_mark(void);
void port_mark(void) { __asm__ volatile(""); }

static void must(tsr_status st) {
  if (st == TSR_OK) return;
  printf("%s\n", tsr_error(NULL));
  exit(1);
}

static void run(const row *r) {
  tsr_tensor a = {0}, b = {0}, out = {0};
  tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
  const tsr_gemm_options options = {.dtype = (uint8_t)r->dtype};
  must(tsr_ones(NULL, r->a, TSR_SHAPE(r->m, r->k), &a));
  must(tsr_ones(NULL, r->b, TSR_SHAPE(r->k, r->n), &b));
  if (r->packed) must(tsr_pack(NULL, &b, r->a, &packed));
  for (int i = 0; i < 2; i++) {
    if (i == 1) port_mark();
    if (r->packed)
      must(tsr_matmul_packed(NULL, &a, &packed, &options, &out));
    else
      must(tsr_gemm(NULL, 1, &a, &b, 0, NULL, &options, &out));
  }
  port_mark();
  tsr_packed_release(&packed);
  tsr_release(&a), tsr_release(&b), tsr_release(&out);
}

int main(int argc, char **argv) {
  for (int i = 0; i < ROWS; i++) {
    if (argc < 2) printf("%s %.0f\n", rows[i].name, (double)rows[i].m * (double)rows[i].k * (double)rows[i].n);
    if (argc > 1 && strcmp(argv[1], rows[i].name) == 0) run(&rows[i]);
  }
  return 0;
}
