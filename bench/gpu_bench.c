/* bench_gpu: Tessera's rows of the GPU's table, one at a time on request, so that scripts/bench-gpu can take turns with PyTorch.
 *
 *   bench_gpu [--tiny] [--device cuda:0]     reads requests from its input, a line each:
 *     list                 the names of the rows, then "."
 *     row NAME             "MS BYTES FLOPS", or "error" and a sentence
 *     sweep CASE           the same, of a case of gpu/sweep.h
 *     small                microseconds: a launch by the driver alone, a small add enqueued, with a wait, replayed
 *     link                 GB/s to the device: of the driver from pinned memory, of tsr_copy_async from such, from pageable memory, of a
 *                          mapped file; and of the mapped file to memory of the host
 *     network KIND DTYPE BATCH   milliseconds, bytes planned and calls of a network, "resnet" or "transformer", in f32 or bf16
 *   bench_gpu cold         milliseconds: the driver, its context, opening the device beyond it, the first kernel, the next, a tiled one
 *   bench_gpu digits       seconds of the digits network from nothing: all, opening the device, loading, the rest; kernels, of them compiled;
 *                          images that were read right, of so many
 *
 * --tiny: matrices of 128 × 128, each row once or twice: whether the program works. Where there is no GPU it says so and ends well. */
#include "gpu/bench.h"
#include "gpu/digits.h"
#include "gpu/launch.h"
#include "gpu/link.h"
#include "gpu/network.h"
#include "gpu/rows.h"
#include "gpu/sweep.h"

/* ---- operands ---- */

static tsr_status make_operands(bench *b) {
  const tsr_index n = b->side;
  tsr_rng rng = tsr_rng_seed(1);
  const tsr_index rows_64 = n * n / 64 < 1 << 20 ? n * n / 64 : 1 << 20;
  tsr_status st = tsr_rand_normal(&b->ctx, &rng, TSR_F32, TSR_SHAPE(n, n), &b->a);
  if (st == TSR_OK) st = tsr_rand_normal(&b->ctx, &rng, TSR_F32, TSR_SHAPE(n, n), &b->b);
  if (st == TSR_OK) st = tsr_rand_normal(&b->ctx, &rng, TSR_F32, TSR_SHAPE(n), &b->row);
  if (st == TSR_OK) st = tsr_rand_normal(&b->ctx, &rng, TSR_F32, TSR_SHAPE(n), &b->scale);
  if (st == TSR_OK) st = tsr_rand_normal(&b->ctx, &rng, TSR_F32, TSR_SHAPE(n, 1), &b->col);
  if (st == TSR_OK) st = tsr_rand_bernoulli(&b->ctx, &rng, (tsr_real)0.5, TSR_SHAPE(n, n), &b->mask);
  if (st == TSR_OK) st = tsr_rand_integers(&b->ctx, &rng, TSR_I64, TSR_SHAPE(rows_64), 0, rows_64, &b->index);
  if (st == TSR_OK) st = tsr_rand_integers(&b->ctx, &rng, TSR_I64, TSR_SHAPE(n), 0, n, &b->classes);
  if (st == TSR_OK) st = tsr_zeros(&b->ctx, TSR_F32, TSR_SHAPE(b->tiny ? 8 : 256), &b->mean);
  if (st == TSR_OK) st = tsr_ones(&b->ctx, TSR_F32, TSR_SHAPE(b->tiny ? 8 : 256), &b->variance);
  if (st == TSR_OK) st = tsr_cast(&b->ctx, &b->a, TSR_F16, &b->half[0]);
  if (st == TSR_OK) st = tsr_cast(&b->ctx, &b->b, TSR_F16, &b->half[1]);
  return st == TSR_OK ? tsr_cast(&b->ctx, &b->a, TSR_BF16, &b->half[2]) : st;
}

static void release_operands(bench *b) {
  tsr_tensor *const all[] = {&b->a,       &b->b,       &b->c,        &b->row,   &b->col,     &b->scale,
                             &b->mask,    &b->mean,    &b->variance, &b->index, &b->classes, &b->half[0],
                             &b->half[1], &b->half[2], &b->out,      &b->whole};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) tsr_release(all[i]);
  for (size_t i = 0; i < sizeof b->expr / sizeof b->expr[0]; i++) tsr_expr_release(b->expr[i]);
  tsr_event_release(b->from);
  tsr_event_release(b->to);
}

static void answer(bench *b, tsr_status st, double ms, double bytes, double flops) {
  if (st == TSR_OK)
    printf("%.6f %.0f %.0f\n", ms, bytes, flops);
  else
    printf("error %s\n", tsr_error(&b->ctx));
}

/* ---- requests ---- */

static tsr_status call_row(bench *b, const void *what) { return ((const bench_row *)what)->call(b); }

static void answer_row(bench *b, const char *name) {
  const double side = (double)b->side;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].name, name) != 0) continue;
    double ms = 0;
    tsr_release(&b->out);
    const tsr_status st = bench_time(b, call_row, &rows[i], &ms);
    answer(b, st, ms, rows[i].bytes * side * side * 4, rows[i].flops * side * side * side);
    tsr_release(&b->out);
    return;
  }
  printf("error there is no row %s\n", name);
}

static void answer_sweep(bench *b, const char *line) {
  sweep_case s = {.dtype = TSR_F32};
  double ms = 0;
  tsr_status st = sweep_make(b, line, &s);
  if (st == TSR_OK) st = bench_time(b, sweep_call, &s, &ms);
  const double moved = st == TSR_OK ? (double)tsr_size(&s.x) * (double)tsr_dtype_size(s.x.dtype) +
                                          (double)tsr_size(&b->out) * (double)tsr_dtype_size(b->out.dtype)
                                    : 0;
  answer(b, st, ms, moved, 0);
  tsr_release(&b->out);
  tsr_release(&s.base);
  tsr_release(&s.row);
}

/* ---- small calls ---- */

typedef struct small_operands {
  tsr_tensor a, b;
} small_operands;

/* The least time of a call of some rounds, in microseconds. */
static double small_us(bench *b, const small_operands *s, int calls, bool waits) {
  double best = -1;
  for (int round = 0; round < 8; round++) {
    const double begun = now_ms();
    for (int i = 0; i < calls; i++) {
      if (tsr_add(&b->ctx, &s->a, &s->b, &b->out) != TSR_OK) return -1;
      if (waits && tsr_device_sync(&b->ctx, b->gpu) != TSR_OK) return -1;
    }
    const double us = (now_ms() - begun) * 1e3 / calls;
    if (best < 0 || us < best) best = us;
    if (tsr_device_sync(&b->ctx, b->gpu) != TSR_OK) return -1;
  }
  return best;
}

enum { REPLAYED = 32 };

static tsr_status record(bench *b, const small_operands *s, tsr_program *program) {
  tsr_tensor x = {0}, y = {0};
  tsr_status st = tsr_program_begin(&b->ctx, program);
  if (st == TSR_OK) st = tsr_program_input(&b->ctx, program, "x", &s->a, &x);
  if (st == TSR_OK) st = tsr_add(&b->ctx, &x, &s->b, &y);
  for (int i = 1; i < REPLAYED && st == TSR_OK; i++) st = tsr_add(&b->ctx, &y, &s->b, &y);
  if (st == TSR_OK) st = tsr_program_output(&b->ctx, program, "y", &y);
  tsr_release(&x);
  tsr_release(&y);
  const tsr_status ended = tsr_program_end(&b->ctx, program);
  return st == TSR_OK ? ended : st;
}

/* Microseconds of an op in a replay, on the device: the events' time of many. */
static double replay_us(bench *b, const small_operands *s, int calls) {
  tsr_program *program = NULL;
  double seconds = 0;
  const tsr_tensor *const in[] = {&s->a};
  tsr_tensor *const out[] = {&b->out};
  tsr_status st = tsr_program_new(&b->ctx, &program);
  if (st == TSR_OK) st = record(b, s, program);
  for (int i = 0; i < 3 && st == TSR_OK; i++) st = tsr_program_run(&b->ctx, program, 1, in, 1, out);
  if (st == TSR_OK) st = tsr_event_record(&b->ctx, b->from, NULL);
  for (int i = 0; i < calls && st == TSR_OK; i++) st = tsr_program_run(&b->ctx, program, 1, in, 1, out);
  if (st == TSR_OK) st = tsr_event_record(&b->ctx, b->to, NULL);
  if (st == TSR_OK) st = tsr_event_elapsed(&b->ctx, b->from, b->to, &seconds);
  tsr_program_free(program);
  return st == TSR_OK ? seconds * 1e6 / calls / REPLAYED : -1;
}

static void answer_small(bench *b) {
  const int calls = b->tiny ? 20 : 1000; /* fewer than a stream holds */
  small_operands s = {.a = TSR_EMPTY, .b = TSR_EMPTY};
  tsr_release(&b->out);
  if (tsr_ones(&b->ctx, TSR_F32, TSR_SHAPE(1024), &s.a) == TSR_OK &&
      tsr_ones(&b->ctx, TSR_F32, TSR_SHAPE(1024), &s.b) == TSR_OK &&
      tsr_ones(&b->ctx, TSR_F32, TSR_SHAPE(1024), &b->out) == TSR_OK) {
    const double bare = b->side >= 1024 || b->tiny ? plain_launch_us(b, calls) : -1,
                 own = small_us(b, &s, calls, false);
    const double again = plain_launch_us(b, calls), waited = small_us(b, &s, calls / 10, true);
    printf("%.3f %.3f %.3f %.3f\n", bare < again ? bare : again, own, waited, replay_us(b, &s, b->tiny ? 2 : 200));
  } else {
    printf("error %s\n", tsr_error(&b->ctx));
  }
  tsr_release(&s.a);
  tsr_release(&s.b);
  tsr_release(&b->out);
}

/* ---- from nothing ---- */

static double timed_ms(double *begun) {
  const double now = now_ms(), ms = now - *begun;
  *begun = now;
  return ms;
}

static int run_cold(const char *name) {
  driver d;
  bench b = {.side = 64};
  void *context = NULL;
  int device = 0;
  tsr_tensor x = {0}, t = {0}, y = {0};
  double begun = now_ms();
  if (!open_driver(&d, false) || d.init(0) != 0) {
    printf("error there is no driver\n");
    return 0;
  }
  const double driver_ms = timed_ms(&begun);
  if (d.device(&device, 0) != 0 || d.retain(&context, device) != 0) {
    printf("error there is no context\n");
    return 0;
  }
  const double context_ms = timed_ms(&begun);
  tsr_status st = tsr_context_init(&b.ctx, NULL);
  if (st == TSR_OK) st = tsr_device_open(&b.ctx, name, &b.gpu);
  if (st == TSR_OK) st = tsr_context_set_device(&b.ctx, b.gpu);
  const double open_ms = timed_ms(&begun);
  if (st == TSR_OK) st = tsr_ones(&b.ctx, TSR_F32, TSR_SHAPE(64, 64), &x);
  const double first_ms = timed_ms(&begun);
  if (st == TSR_OK) st = tsr_add(&b.ctx, &x, &x, &y);
  const double next_ms = timed_ms(&begun);
  if (st == TSR_OK) st = tsr_transpose(&b.ctx, &x, 0, 1, &t);
  if (st == TSR_OK) st = tsr_mul(&b.ctx, &t, &x, &y);
  const double tiled_ms = timed_ms(&begun);
  if (st == TSR_OK)
    printf("%.2f %.2f %.2f %.2f %.2f %.2f\n", driver_ms, context_ms, open_ms, first_ms, next_ms, tiled_ms);
  else
    printf("error %s\n", tsr_error(&b.ctx));
  tsr_release(&x);
  tsr_release(&y);
  return st == TSR_OK ? 0 : 1;
}

/* ---- the program ---- */

static void serve(bench *b) {
  char line[512];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "list") == 0) {
      for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) printf("%s\n", rows[i].name);
      printf(".\n");
    } else if (strncmp(line, "row ", 4) == 0) {
      answer_row(b, line + 4);
    } else if (strncmp(line, "sweep ", 6) == 0) {
      answer_sweep(b, line + 6);
    } else if (strncmp(line, "network ", 8) == 0) {
      answer_network(b, line + 8);
    } else if (strcmp(line, "link") == 0) {
      answer_link(b);
    } else if (strcmp(line, "small") == 0) {
      answer_small(b);
    } else {
      printf("error what is %s?\n", line);
    }
    (void)fflush(stdout);
  }
}

int main(int argc, char **argv) {
  bench b = {.side = 16384};
  const char *name = "cuda:0";
  bool cold = false, digits = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--tiny") == 0) b.tiny = true, b.side = 128;
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) name = argv[++i];
    if (strcmp(argv[i], "cold") == 0) cold = true;
    if (strcmp(argv[i], "digits") == 0) digits = true;
  }
  if (cold) return run_cold(name);
  if (digits) return run_digits(name, b.tiny);
  tsr_status st = tsr_context_init(&b.ctx, NULL);
  if (st == TSR_OK && tsr_device_open(&b.ctx, name, &b.gpu) != TSR_OK) {
    printf("skipped: %s\n", tsr_error(&b.ctx));
    return 0;
  }
  b.rng = tsr_rng_seed(2);
  if (st == TSR_OK) st = tsr_context_set_device(&b.ctx, b.gpu);
  if (st == TSR_OK) st = tsr_event_new(&b.ctx, b.gpu, &b.from);
  if (st == TSR_OK) st = tsr_event_new(&b.ctx, b.gpu, &b.to);
  if (st == TSR_OK) st = make_operands(&b);
  if (st == TSR_OK)
    serve(&b);
  else
    printf("error %s\n", tsr_error(&b.ctx));
  release_operands(&b);
  return st == TSR_OK ? 0 : 1;
}
