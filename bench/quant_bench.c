/* What quantised layers cost: weights packed ahead, an output given, scratch in the context; 1 thread and all of them,
 * interleaved, the least of many rounds. Products a nanosecond; u8 by i8 to u8, channels last.
 *
 *   bench_quant            every row
 *   bench_quant NAME       one row */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

enum { ROUNDS = 60 };

typedef struct row {
  const char *name;
  tsr_index c, h, w, o, k, stride, pad, groups; /* k 0: a dense layer of h rows */
  int dtype;                                    /* of x */
} row;

static const row rows[] = {
    {"qmatmul_1024", 1024, 1024, 1, 1024, 0, 1, 0, 1, TSR_U8}, {"qmatmul_i8", 1024, 1024, 1, 1024, 0, 1, 0, 1, TSR_I8},
    {"qconv3_64", 64, 56, 56, 64, 3, 1, 1, 1, TSR_U8},         {"qconv3_64_i8", 64, 56, 56, 64, 3, 1, 1, 1, TSR_I8},
    {"qconv1x1", 256, 56, 56, 64, 1, 1, 0, 1, TSR_U8},         {"qconv1x1_i8", 256, 56, 56, 64, 1, 1, 0, 1, TSR_I8},
    {"qconvdw3", 32, 112, 112, 32, 3, 1, 1, 32, TSR_U8},       {"qconv7s2", 3, 224, 224, 64, 7, 2, 3, 1, TSR_U8},
};

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(tsr_ctx *ctx, tsr_status st) {
  if (st == TSR_OK) return;
  printf("%s\n", tsr_error(ctx));
  exit(1);
}

static void fill(const tsr_tensor *t, uint32_t seed) {
  uint8_t *const at = t->data;
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    seed = seed * 1664525u + 1013904223u;
    at[i] = (uint8_t)(seed >> 24);
  }
}

typedef struct layer {
  tsr_tensor x, w, out;
  tsr_qlayer q;
  bool dense;
} layer;

static void make(tsr_ctx *ctx, const row *r, layer *l) {
  const tsr_conv_options options = {.stride = {r->stride, r->stride},
                                    .pad_before = {r->pad, r->pad},
                                    .pad_after = {r->pad, r->pad},
                                    .groups = r->groups};
  const tsr_qscheme scheme = {.x = {.dtype = (uint8_t)r->dtype, .scale = 0.02f, .zero = r->dtype == TSR_U8 ? 120 : 3},
                              .w = {.dtype = TSR_I8, .scale = 0.01f},
                              .out = {.dtype = (uint8_t)r->dtype, .scale = 0.5f, .zero = 10}};
  l->dense = r->k == 0;
  if (l->dense) {
    must(ctx, tsr_empty(ctx, r->dtype, TSR_SHAPE(r->h, r->c), &l->x));
    must(ctx, tsr_empty(ctx, TSR_I8, TSR_SHAPE(r->o, r->c), &l->w));
  } else {
    must(ctx, tsr_empty(ctx, r->dtype, TSR_SHAPE(1, r->h, r->w, r->c), &l->x));
    must(ctx, tsr_empty(ctx, TSR_I8, TSR_SHAPE(r->o, r->k, r->k, r->c / r->groups), &l->w));
    l->x.layout = TSR_NHWC;
    l->w.layout = TSR_OHWI;
  }
  fill(&l->x, 1);
  fill(&l->w, 2);
  if (l->dense)
    must(ctx, tsr_qdense_pack(ctx, &l->w, NULL, &scheme, &l->q));
  else
    must(ctx, tsr_qconv_pack(ctx, &l->w, NULL, &options, &scheme, &l->q));
}

static double run(tsr_ctx *ctx, layer *l) {
  const double start = now();
  must(ctx, l->dense ? tsr_qdense(ctx, &l->x, &l->q, &l->out) : tsr_qconv2d(ctx, &l->x, &l->q, &l->out));
  return now() - start;
}

static void measure(const row *r) {
  static _Alignas(64) char room[1 << 24];
  tsr_ctx all, one;
  layer l = {.dense = false};
  must(NULL, tsr_context_init(&all, NULL));
  must(NULL, tsr_context_init(&one, NULL));
  one.parallel = tsr_parallel_serial();
  must(&all, tsr_context_set_scratch(&all, room, sizeof room));
  must(&one, tsr_context_set_scratch(&one, room, sizeof room));
  make(&all, r, &l);
  double best[2] = {1e30, 1e30};
  for (int round = 0; round < ROUNDS; round++) {
    const double took[2] = {run(&one, &l), run(&all, &l)};
    for (int i = 0; i < 2; i++) best[i] = took[i] < best[i] ? took[i] : best[i];
  }
  const double products = (double)tsr_size(&l.out) * (double)(r->k == 0 ? 1 : r->k * r->k) * (double)(r->c / r->groups);
  printf("%-14s %9.1f us %9.1f us   %6.1f %6.1f products/ns\n", r->name, 1e6 * best[0], 1e6 * best[1],
         1e-9 * products / best[0], 1e-9 * products / best[1]);
  tsr_qlayer_release(&l.q);
  tsr_release(&l.x);
  tsr_release(&l.w);
  tsr_release(&l.out);
}

int main(int argc, char **argv) {
  printf("%-14s %12s %12s   %s\n", "quantised", "1 thread", "all threads", "1 thread, all");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (argc < 2 || strcmp(argv[1], rows[i].name) == 0) measure(&rows[i]);
  return 0;
}
