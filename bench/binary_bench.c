/* What the heavy binary ops cost: 64 K elements into a given output, one thread, by instruction set, beside a plain
 * loop over the C library (integers: over C's operators). Nanoseconds an element, the least of many rounds. NumPy's:
 * bench/peers/numpy_binary.py. An argument names the one op to run. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

enum { ELEMENTS = 1 << 16, ROUNDS = 40, ISAS = 4 };

typedef tsr_status op_fn(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
typedef void loop_fn(const void *a, const void *b, void *out);

/* ---- plain loops ---- */

static float rest_f32(float a, float b) {
  const float r = fmodf(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
static double rest_f64(double a, double b) {
  const double r = fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

#define LOOP(name, T, value)                                  \
  static void name(const void *a, const void *b, void *out) { \
    const T *const xs = a, *const ys = b;                     \
    T *const zs = out;                                        \
    for (int i = 0; i < ELEMENTS; i++) {                      \
      const T x = xs[i], y = ys[i];                           \
      zs[i] = (T)(value);                                     \
    }                                                         \
  }
#define LOOPS_FLOAT(T, N, F)             \
  LOOP(pow_##N, T, pow##F(x, y))         \
  LOOP(atan2_##N, T, atan2##F(x, y))     \
  LOOP(hypot_##N, T, hypot##F(x, y))     \
  LOOP(fmod_##N, T, fmod##F(x, y))       \
  LOOP(remainder_##N, T, rest_##N(x, y)) \
  LOOP(floor_divide_##N, T, floor##F((x - rest_##N(x, y)) / y + (T)0.5))
#define LOOPS_INTEGER(T, N)                                                   \
  LOOP(floor_divide_##N, T, y == 0 ? 0 : x / y - (x % y != 0 && (x ^ y) < 0)) \
  LOOP(remainder_##N, T, y == 0 ? 0 : x % y + (x % y != 0 && (x ^ y) < 0 ? y : 0))
#define LOOPS_UNSIGNED(T, N)                    \
  LOOP(floor_divide_##N, T, y == 0 ? 0 : x / y) \
  LOOP(remainder_##N, T, y == 0 ? 0 : x % y)
LOOPS_FLOAT(float, f32, f)
LOOPS_FLOAT(double, f64, )
LOOPS_INTEGER(int8_t, i8)
LOOPS_INTEGER(int16_t, i16)
LOOPS_INTEGER(int32_t, i32)
LOOPS_UNSIGNED(uint8_t, u8)
LOOPS_UNSIGNED(uint16_t, u16)
LOOPS_UNSIGNED(uint32_t, u32)

typedef struct row {
  const char *name;
  op_fn *op;
  int dtype;
  loop_fn *loop;
} row;

#define FLOATS(op) \
  {#op, tsr_##op, TSR_F32, op##_f32}, { #op, tsr_##op, TSR_F64, op##_f64 }
#define INTEGERS(op)                                                                                      \
  {#op, tsr_##op, TSR_I8, op##_i8}, {#op, tsr_##op, TSR_U8, op##_u8}, {#op, tsr_##op, TSR_I16, op##_i16}, \
      {#op, tsr_##op, TSR_U16, op##_u16}, {#op, tsr_##op, TSR_I32, op##_i32}, {                           \
#op, tsr_##op, TSR_U32, op##_u32                                                                      \
  }
static const row rows[] = {
    FLOATS(pow),       FLOATS(atan2),        FLOATS(hypot),          FLOATS(fmod),
    FLOATS(remainder), FLOATS(floor_divide), INTEGERS(floor_divide), INTEGERS(remainder),
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- the data: floats from 0.1 to 8, integers over all their range by small ones ---- */

static unsigned next_random(void) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static void fill(const row *r, bool divisor, void *at) {
  const size_t item = tsr_dtype_size(r->dtype);
  for (int i = 0; i < ELEMENTS; i++) {
    const double real = 0.1 + 7.9 * next_random() / 16777216.0;
    const float single = (float)real;
    const uint32_t whole = divisor ? 1 + next_random() % 100 : next_random() << 8 ^ next_random();
    char *const to = (char *)at + (size_t)i * item;
    if (r->dtype == TSR_F64)
      memcpy(to, &real, item);
    else if (r->dtype == TSR_F32)
      memcpy(to, &single, item);
    else
      memcpy(to, &whole, item); /* little-endian: the low bytes */
  }
}

/* ---- timing ---- */

static double now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void keep_least(double *best, double ns) {
  if (ns < *best) *best = ns;
}

static void run_row(const row *r) {
  static _Alignas(64) unsigned char x[ELEMENTS * 8], y[ELEMENTS * 8], z[ELEMENTS * 8];
  double best[ISAS + 1];
  int isas = 0;
  tsr_tensor a = {0}, b = {0}, out = {0};
  fill(r, false, x);
  fill(r, true, y);
  if (tsr_from_memory(NULL, x, r->dtype, TSR_SHAPE(ELEMENTS), &a) != TSR_OK ||
      tsr_from_memory(NULL, y, r->dtype, TSR_SHAPE(ELEMENTS), &b) != TSR_OK ||
      tsr_from_memory(NULL, z, r->dtype, TSR_SHAPE(ELEMENTS), &out) != TSR_OK)
    exit(1);
  while (isas < ISAS && tsr_isa_name(isas) != NULL) best[isas++] = 1e30;
  best[isas] = 1e30;
  for (int round = 0; round < ROUNDS; round++) {
    for (int isa = 0; isa < isas; isa++) {
      tsr_ctx ctx;
      if (tsr_context_init(&ctx, NULL) != TSR_OK || tsr_context_set_isa(&ctx, tsr_isa_name(isa)) != TSR_OK) exit(1);
      ctx.parallel = tsr_parallel_serial();
      const double start = now_ns();
      if (r->op(&ctx, &a, &b, &out) != TSR_OK) exit(1);
      keep_least(&best[isa], now_ns() - start);
    }
    const double start = now_ns();
    r->loop(x, y, z);
    keep_least(&best[isas], now_ns() - start);
  }
  printf("%-13s %-4s", r->name, tsr_dtype_name(r->dtype));
  for (int i = 0; i <= isas; i++) printf(" %8.2f", best[i] / ELEMENTS);
  printf("\n");
}

int main(int argc, char **argv) {
  printf("%-18s", "ns an element");
  for (int isa = 0; isa < ISAS && tsr_isa_name(isa) != NULL; isa++) printf(" %8s", tsr_isa_name(isa));
  printf(" %8s\n", "loop");
  for (int i = 0; i < ROWS; i++)
    if (argc < 2 || strcmp(argv[1], rows[i].name) == 0) run_row(&rows[i]);
  return 0;
}
