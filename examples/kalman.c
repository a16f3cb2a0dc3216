/* A Kalman filter: where something is and how fast, from measurements of where it is. All memory is one static block, which the
 * temporaries of a step are given back to; nothing is allocated after the start, nor needs a heap. */
#include <math.h>
#include <stdio.h>
#include <tessera/tessera.h>

enum { STEPS = 200 };

typedef struct filter {
  tsr_tensor f, h, q, r; /* motion (2, 2), what is measured (1, 2), noise of both */
  tsr_tensor x, p;       /* the state (2, 1) and its covariance (2, 2): given to every call */
} filter;

/* p = a·p·aᵀ + noise. */
static tsr_status spread(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *p, const tsr_tensor *noise,
                         tsr_tensor *out) {
  tsr_tensor t = {0}, ap = {0};
  tsr_status st;
  TSR_TRY(st, tsr_transpose(ctx, a, -2, -1, &t), done);
  TSR_TRY(st, tsr_matmul(ctx, a, p, &ap), done);
  TSR_TRY(st, tsr_gemm(ctx, 1, &ap, &t, 1, noise, NULL, out), done);
done:
  tsr_release(&ap);
  tsr_release(&t);
  return st;
}

static tsr_status predict(tsr_ctx *ctx, filter *k) {
  tsr_tensor x = {0};
  tsr_status st;
  TSR_TRY(st, tsr_matmul(ctx, &k->f, &k->x, &x), done);
  TSR_TRY(st, tsr_copy(ctx, &x, &k->x), done);
  TSR_TRY(st, spread(ctx, &k->f, &k->p, &k->q, &k->p), done);
done:
  tsr_release(&x);
  return st;
}

/* The gain Kᵀ solves S·Kᵀ = H·P: S, the covariance of what is measured, is never inverted. */
static tsr_status correct(tsr_ctx *ctx, filter *k, const tsr_tensor *z) {
  tsr_tensor s = {0}, hp = {0}, gain = {0}, across = {0}, off = {0};
  tsr_status st;
  TSR_TRY(st, spread(ctx, &k->h, &k->p, &k->r, &s), done);                  /* S = H·P·Hᵀ + R */
  TSR_TRY(st, tsr_matmul(ctx, &k->h, &k->p, &hp), done);                    /* (1, 2) */
  TSR_TRY(st, tsr_solve(ctx, &s, &hp, &gain), done);                        /* (1, 2) */
  TSR_TRY(st, tsr_transpose(ctx, &gain, -2, -1, &across), done);            /* K */
  TSR_TRY(st, tsr_gemm(ctx, -1, &k->h, &k->x, 1, z, NULL, &off), done);     /* z - H·x */
  TSR_TRY(st, tsr_gemm(ctx, 1, &across, &off, 1, NULL, NULL, &k->x), done); /* x += K·(z - H·x) */
  TSR_TRY(st, tsr_gemm(ctx, -1, &across, &hp, 1, NULL, NULL, &k->p), done); /* P -= K·H·P */
done:
  tsr_release(&off);
  tsr_release(&across);
  tsr_release(&gain);
  tsr_release(&hp);
  tsr_release(&s);
  return st;
}

static tsr_status start(tsr_ctx *ctx, filter *k) {
  static const float motion[] = {1, 0.1f, 0, 1}, seen[] = {1, 0}, drift[] = {1e-5f, 0, 0, 1e-3f}, noise[] = {0.04f};
  tsr_status st;
  TSR_TRY(st, tsr_from_const_memory(ctx, motion, TSR_F32, TSR_SHAPE(2, 2), &k->f), done);
  TSR_TRY(st, tsr_from_const_memory(ctx, seen, TSR_F32, TSR_SHAPE(1, 2), &k->h), done);
  TSR_TRY(st, tsr_from_const_memory(ctx, drift, TSR_F32, TSR_SHAPE(2, 2), &k->q), done);
  TSR_TRY(st, tsr_from_const_memory(ctx, noise, TSR_F32, TSR_SHAPE(1, 1), &k->r), done);
  TSR_TRY(st, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 1), &k->x), done);
  TSR_TRY(st, tsr_eye(ctx, TSR_F32, 2, 2, 0, &k->p), done);
done:
  return st;
}

int main(void) {
  static _Alignas(64) unsigned char bytes[32768], scratch[65536];
  tsr_arena arena;
  tsr_ctx ctx;
  filter k = {0};
  tsr_rng rng = tsr_rng_seed(3);
  float z[1], noise[1];
  tsr_tensor measured = {0}, random = {0};
  double error = 1;
  tsr_status st;
  TSR_TRY(st, tsr_arena_init(bytes, sizeof bytes, &arena), done);
  TSR_TRY(st, tsr_context_init(&ctx, &arena.allocator), done);
  TSR_TRY(st, tsr_context_set_scratch(&ctx, scratch, sizeof scratch), done);
  TSR_TRY(st, start(&ctx, &k), done);
  TSR_TRY(st, tsr_from_memory(&ctx, z, TSR_F32, TSR_SHAPE(1, 1), &measured), done);
  TSR_TRY(st, tsr_from_memory(&ctx, noise, TSR_F32, TSR_SHAPE(1), &random), done);
  const size_t mark = tsr_arena_mark(&arena);
  for (int i = 0; i < STEPS; i++) {
    const float place = 2.0f + 0.15f * (float)i; /* 1.5 a second */
    TSR_TRY(st, tsr_rand_normal(&ctx, &rng, TSR_F32, TSR_SHAPE(1), &random), done);
    z[0] = place + 0.2f * noise[0];
    TSR_TRY(st, predict(&ctx, &k), done);
    TSR_TRY(st, correct(&ctx, &k, &measured), done);
    TSR_TRY(st, tsr_arena_rewind(&arena, mark), done);
    error = fabs((double)((const float *)k.x.data)[0] - (double)place);
  }
  printf("speed %.2f, off by %.3f where single measurements are by 0.2\n", (double)((const float *)k.x.data)[1], error);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(&ctx));
  tsr_release(&random);
  tsr_release(&measured);
  tsr_release(&k.p);
  tsr_release(&k.x);
  return st == TSR_OK && error < 0.2 ? 0 : 1;
}
