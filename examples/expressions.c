/* A line of mathematics: three computations, as calls with a tensor for everything in between, which a scope releases, and as one text
 * each. Both give the same bits; the text also goes over memory fewer times. */
#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

typedef tsr_status computation(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *y, tsr_tensor *out);

/* ---- a polynomial: t (n) ---- */

static tsr_status polynomial_as_calls(tsr_ctx *ctx, const tsr_tensor *t, const tsr_tensor *unused, tsr_tensor *out) {
  tsr_tensor linear = {0}, square = {0}, scaled = {0};
  tsr_status st;
  (void)unused;
  TSR_TRY(st, tsr_mul_scalar(ctx, t, 500, &linear), done);
  TSR_TRY(st, tsr_square(ctx, t, &square), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, &square, 150, &scaled), done);
  TSR_TRY(st, tsr_add(ctx, &linear, &scaled, out), done);
done:
  return st;
}

static tsr_status polynomial(tsr_ctx *ctx, const tsr_tensor *t, const tsr_tensor *unused, tsr_tensor *out) {
  (void)unused;
  return tsr_eval(ctx, "500*t + 150*t**2", TSR_NAMED({"t", t}), out);
}

/* ---- a step of k-means: points p (n, d), centres c (k, d) -> new centres (k, d) ---- */

static tsr_status k_means_as_calls(tsr_ctx *ctx, const tsr_tensor *p, const tsr_tensor *c, tsr_tensor *out) {
  tsr_tensor each = {0}, d = {0}, square = {0}, distance = {0}, nearest = {0}, column = {0}, numbers = {0};
  tsr_tensor equal = {0}, member = {0}, transposed = {0}, sums = {0}, counts = {0}, at_least = {0};
  tsr_status st;
  TSR_TRY(st, tsr_unsqueeze(ctx, p, 1, &each), done);
  TSR_TRY(st, tsr_sub(ctx, &each, c, &d), done); /* (n, k, d) */
  TSR_TRY(st, tsr_mul(ctx, &d, &d, &square), done);
  TSR_TRY(st, tsr_sum(ctx, &square, TSR_AXES(-1), false, &distance), done); /* (n, k) */
  TSR_TRY(st, tsr_argmin(ctx, &distance, 1, false, &nearest), done);
  TSR_TRY(st, tsr_unsqueeze(ctx, &nearest, 1, &column), done);
  TSR_TRY(st, tsr_arange(ctx, TSR_I64, 0, (tsr_real)c->shape[0], 1, &numbers), done);
  TSR_TRY(st, tsr_eq(ctx, &column, &numbers, &equal), done); /* (n, k): whose point is whose */
  TSR_TRY(st, tsr_cast(ctx, &equal, TSR_F32, &member), done);
  TSR_TRY(st, tsr_transpose(ctx, &member, 0, 1, &transposed), done);
  TSR_TRY(st, tsr_matmul(ctx, &transposed, p, &sums), done); /* (k, d) */
  TSR_TRY(st, tsr_sum(ctx, &member, TSR_AXES(0), false, &counts), done);
  TSR_TRY(st, tsr_maximum_scalar(ctx, &counts, 1, &at_least), done);
  TSR_TRY(st, tsr_unsqueeze(ctx, &at_least, 1, &column), done);
  TSR_TRY(st, tsr_div(ctx, &sums, &column, out), done);
done:
  return st;
}

static tsr_status k_means(tsr_ctx *ctx, const tsr_tensor *p, const tsr_tensor *c, tsr_tensor *out) {
  static const char text[] =
      "d = p[:, None] - c\n"
      "nearest = argmin(sum(d*d, axis=-1), axis=1)\n"
      "member = f32(nearest[:, None] == arange(c.shape[0], dtype=i64))\n"
      "member.T @ p / maximum(sum(member, axis=0), 1)[:, None]";
  return tsr_eval(ctx, text, TSR_NAMED({"p", p}, {"c", c}), out);
}

/* ---- a spectrogram: samples x (n) -> decibels (windows, 33) ---- */

/* angle (64, 33): of sample i and frequency k; window (64): Hann's. */
static tsr_status tables(tsr_ctx *ctx, tsr_tensor *angle, tsr_tensor *window) {
  const tsr_real step = 2 * 3.14159265358979323846 / 64;
  tsr_tensor n = {0}, k = {0}, column = {0}, cosine = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(ctx, TSR_F32, 0, 64, 1, &n), done);
  TSR_TRY(st, tsr_arange(ctx, TSR_F32, 0, 33, 1, &k), done);
  TSR_TRY(st, tsr_unsqueeze(ctx, &n, 1, &column), done);
  TSR_TRY(st, tsr_mul(ctx, &column, &k, angle), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, angle, step, angle), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, &n, step, &cosine), done);
  TSR_TRY(st, tsr_cos(ctx, &cosine, &cosine), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, &cosine, 0.5, &cosine), done);
  TSR_TRY(st, tsr_scalar_sub(ctx, 0.5, &cosine, window), done);
done:
  return st;
}

static tsr_status spectrogram_as_calls(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *unused, tsr_tensor *out) {
  tsr_tensor angle = {0}, window = {0}, windows = {0}, frames = {0}, part = {0}, table = {0}, power = {0};
  tsr_status st;
  (void)unused;
  TSR_TRY(st, tables(ctx, &angle, &window), done);
  TSR_TRY(st, tsr_sliding_window(ctx, x, 0, 64, 32, &windows), done); /* (windows, 64): a view */
  TSR_TRY(st, tsr_mul(ctx, &windows, &window, &frames), done);
  TSR_TRY(st, tsr_cos(ctx, &angle, &table), done);
  TSR_TRY(st, tsr_matmul(ctx, &frames, &table, &power), done);
  TSR_TRY(st, tsr_square(ctx, &power, &power), done);
  TSR_TRY(st, tsr_sin(ctx, &angle, &table), done);
  TSR_TRY(st, tsr_matmul(ctx, &frames, &table, &part), done);
  TSR_TRY(st, tsr_square(ctx, &part, &part), done);
  TSR_TRY(st, tsr_add(ctx, &power, &part, &power), done);
  TSR_TRY(st, tsr_add_scalar(ctx, &power, 1e-12, &power), done);
  TSR_TRY(st, tsr_log10(ctx, &power, &power), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, &power, 10, out), done);
done:
  return st;
}

static tsr_status spectrogram(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *unused, tsr_tensor *out) {
  static const char text[] =
      "n = arange(64)\n"
      "angle = n[:, None]*arange(33)*(2*pi/64)\n"
      "frames = sliding_window(x, 0, 64, 32)*(0.5 - 0.5*cos(n*(2*pi/64)))\n"
      "10*log10((frames @ cos(angle))**2 + (frames @ sin(angle))**2 + 1e-12)";
  (void)unused;
  return tsr_eval(ctx, text, TSR_NAMED({"x", x}), out);
}

/* ---- both ways ---- */

static tsr_status compare(tsr_ctx *ctx, const char *name, computation *calls, computation *text, const tsr_tensor *x,
                          const tsr_tensor *y) {
  tsr_tensor a = {0}, b = {0};
  tsr_status st;
  TSR_TRY(st, tsr_scope_begin(ctx), done);
  TSR_TRY(st, calls(ctx, x, y, &a), done);
  TSR_TRY(st, text(ctx, x, y, &b), done);
  const bool same = tsr_same_shape(&a, &b) && memcmp(a.data, b.data, tsr_nbytes(&a)) == 0;
  char shape[64];
  (void)tsr_desc_format(&b, shape, sizeof shape);
  printf("%-12s %-14s %s\n", name, shape, same ? "the same bits as its calls" : "OTHER BITS");
  if (!same) st = TSR_ESTATE;
done:
  tsr_scope_end(ctx); /* a, b, and all that was in between */
  return st;
}

int main(void) {
  tsr_tensor t = {0}, points = {0}, centres = {0};
  tsr_rng rng = tsr_rng_seed(1);
  tsr_ctx ctx;
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), done);
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 4096, 1, &t), done);
  TSR_TRY(st, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(500, 3), &points), done);
  TSR_TRY(st, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(4, 3), &centres), done);
  TSR_TRY(st, compare(&ctx, "polynomial", polynomial_as_calls, polynomial, &t, NULL), done);
  TSR_TRY(st, compare(&ctx, "k-means", k_means_as_calls, k_means, &points, &centres), done);
  TSR_TRY(st, tsr_eval(NULL, "sin(0.3*t + 1e-4*t**2)", TSR_NAMED({"t", &t}), &t), done); /* a chirp, in place */
  TSR_TRY(st, compare(&ctx, "spectrogram", spectrogram_as_calls, spectrogram, &t, NULL), done);
  if (tsr_eval(NULL, "points + centres", TSR_NAMED({"points", &points}, {"centres", &centres}), &t) != TSR_OK)
    printf("%s\n", tsr_error(NULL)); /* and a mistake is a status, with its column */
done:
  if (st != TSR_OK) fprintf(stderr, "%s%s\n", tsr_error(&ctx), tsr_error(NULL));
  tsr_release(&t);
  tsr_release(&points);
  tsr_release(&centres);
  return st;
}
