/* What an expression costs beside its arithmetic: parsing, typing, a run of four elements; beside the calls one by one. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera.h>
#include <time.h>

enum { REPEATS = 500, EACH = 100 };

typedef struct work {
  tsr_ctx ctx;
  tsr_tensor a, b, c, product, sum, out; /* (4) */
  tsr_expr *expr;
  const char *text;
} work;

static double nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void must(const work *w, tsr_status st) {
  if (st == TSR_OK) return;
  fprintf(stderr, "%s\n", tsr_error(&w->ctx));
  exit(1);
}

#define NAMES(w) TSR_NAMED({"a", &(w)->a}, {"b", &(w)->b}, {"c", &(w)->c})

static void parse(work *w) {
  must(w, tsr_expr_new(&w->ctx, w->text, &w->expr));
  tsr_expr_release(w->expr);
}

static void compile(work *w) {
  must(w, tsr_expr_new(&w->ctx, w->text, &w->expr));
  must(w, tsr_expr_run(&w->ctx, w->expr, NAMES(w), &w->out));
  tsr_expr_release(w->expr);
}

static void run(work *w) { must(w, tsr_expr_run(&w->ctx, w->expr, NAMES(w), &w->out)); }

static void calls(work *w) {
  must(w, tsr_mul(&w->ctx, &w->a, &w->b, &w->product));
  must(w, tsr_add(&w->ctx, &w->product, &w->c, &w->sum));
  must(w, tsr_sub_scalar(&w->ctx, &w->sum, 1, &w->out));
}

/* The shortest of many repeats: other programs on the machine make none of them shorter. */
static void time_of(const char *name, work *w, void (*body)(work *)) {
  double best = 1e18;
  for (int i = 0; i < REPEATS; i++) {
    const double begin = nanoseconds();
    for (int k = 0; k < EACH; k++) body(w);
    const double each = (nanoseconds() - begin) / EACH;
    best = each < best ? each : best;
  }
  printf("%-44s %10.1f ns\n", name, best);
}

int main(void) {
  work w = {.text = "sqrt(a*b + c*2) - exp(-a*a)*sin(b) + abs(c)/3"};
  tsr_tensor *const all[] = {&w.a, &w.b, &w.c, &w.product, &w.sum, &w.out};
  must(&w, tsr_context_init(&w.ctx, NULL));
  for (int i = 0; i < 6; i++) must(&w, tsr_ones(&w.ctx, TSR_F32, TSR_SHAPE(4), all[i]));
  time_of("10 ops, 4 elements: parse", &w, parse);
  time_of("10 ops, 4 elements: parse, type, fuse, run", &w, compile);
  must(&w, tsr_expr_new(&w.ctx, w.text, &w.expr));
  time_of("10 ops, 4 elements: run", &w, run);
  tsr_expr_release(w.expr);
  must(&w, tsr_expr_new(&w.ctx, "a*b + c - 1", &w.expr));
  time_of("a*b + c - 1, 4 elements: run", &w, run);
  tsr_expr_release(w.expr);
  time_of("a*b + c - 1, 4 elements: three calls", &w, calls);
  for (int i = 0; i < 6; i++) tsr_release(all[i]);
  return 0;
}
