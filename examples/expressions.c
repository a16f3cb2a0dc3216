/* A line of mathematics: three computations, as calls with a tensor for everything in between, and as one text each. Both give the same
 * bits; the text also goes over memory fewer times. */
#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

typedef tsr_status computation(const tsr_tensor *x, const tsr_tensor *y, tsr_tensor *out);

/* ---- a polynomial: t (n) ---- */

static tsr_status polynomial_as_calls(const tsr_tensor *t, const tsr_tensor *unused, tsr_tensor *out) {
  tsr_tensor linear = {0}, square = {0}, scaled = {0};
  tsr_status st;
  (void)unused;
  TSR_TRY(st, tsr_mul_scalar(NULL, t, 500, &linear), done);
  TSR_TRY(st, tsr_square(NULL, t, &square), done);
  TSR_TRY(st, tsr_mul_scalar(NULL, &square, 150, &scaled), done);
  TSR_TRY(st, tsr_add(NULL, &linear, &scaled, out), done);
done:
  tsr_release(&linear);
  tsr_release(&square);
  tsr_release(&scaled);
  return st;
}

static tsr_status polynomial(const tsr_tensor *t, const tsr_tensor *unused, tsr_tensor *out) {
  (void)unused;
  return tsr_eval(NULL, "500*t + 150*t**2", TSR_NAMED({"t", t}), out);
}

/* ---- a step of k-means: points p (n, d), centres c (k, d) -> new centres (k, d) ---- */

static tsr_status k_means_as_calls(const tsr_tensor *p, const tsr_tensor *c, tsr_tensor *out) {
  tsr_tensor each = {0}, d = {0}, square = {0}, distance = {0}, nearest = {0}, column = {0}, numbers = {0};
  tsr_tensor equal = {0}, member = {0}, transposed = {0}, sums = {0}, counts = {0}, at_least = {0};
  tsr_status st;
  TSR_TRY(st, tsr_unsqueeze(NULL, p, 1, &each), done);
  TSR_TRY(st, tsr_sub(NULL, &each, c, &d), done); /* (n, k, d) */
  TSR_TRY(st, tsr_mul(NULL, &d, &d, &square), done);
  TSR_TRY(st, tsr_sum(NULL, &square, TSR_AXES(-1), false, &distance), done); /* (n, k) */
  TSR_TRY(st, tsr_argmin(NULL, &distance, 1, false, &nearest), done);
  TSR_TRY(st, tsr_unsqueeze(NULL, &nearest, 1, &column), done);
  TSR_TRY(st, tsr_arange(NULL, TSR_I64, 0, (tsr_real)c->shape[0], 1, &numbers), done);
  TSR_TRY(st, tsr_eq(NULL, &column, &numbers, &equal), done); /* (n, k): whose point is whose */
  TSR_TRY(st, tsr_cast(NULL, &equal, TSR_F32, &member), done);
  TSR_TRY(st, tsr_transpose(NULL, &member, 0, 1, &transposed), done);
  TSR_TRY(st, tsr_matmul(NULL, &transposed, p, &sums), done); /* (k, d) */
  TSR_TRY(st, tsr_sum(NULL, &member, TSR_AXES(0), false, &counts), done);
  TSR_TRY(st, tsr_maximum_scalar(NULL, &counts, 1, &at_least), done);
  TSR_TRY(st, tsr_unsqueeze(NULL, &at_least, 1, &column), done);
  TSR_TRY(st, tsr_div(NULL, &sums, &column, out), done);
done:
  tsr_release(&d);
  tsr_release(&square);
  tsr_release(&distance);
  tsr_release(&nearest);
  tsr_release(&numbers);
  tsr_release(&equal);
  tsr_release(&member);
  tsr_release(&sums);
  tsr_release(&counts);
  tsr_release(&at_least);
  return st;
}

static tsr_status k_means(const tsr_tensor *p, const tsr_tensor *c, tsr_tensor *out) {
  static const char text[] =
      "d = p[:, None] - c\n"
      "nearest = argmin(sum(d*d, axis=-1), axis=1)\n"
      "member = f32(nearest[:, None] == arange(c.shape[0], dtype=i64))\n"
      "member.T @ p / maximum(sum(member, axis=0), 1)[:, None]";
  return tsr_eval(NULL, text, TSR_NAMED({"p", p}, {"c", c}), out);
}

/* ---- a spectrogram: samples x (n) -> decibels (windows, 33) ---- */

/* angle (64, 33): of sample i and frequency k; window (64): Hann's. */
static tsr_status tables(tsr_tensor *angle, tsr_tensor *window) {
  const tsr_real step = 2 * 3.14159265358979323846 / 64;
  tsr_tensor n = {0}, k = {0}, column = {0}, cosine = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 64, 1, &n), done);
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 33, 1, &k), done);
  TSR_TRY(st, tsr_unsqueeze(NULL, &n, 1, &column), done);
  TSR_TRY(st, tsr_mul(NULL, &column, &k, angle), done);
  TSR_TRY(st, tsr_mul_scalar(NULL, angle, step, angle), done);
  TSR_TRY(st, tsr_mul_scalar(NULL, &n, step, &cosine), done);
  TSR_TRY(st, tsr_cos(NULL, &cosine, &cosine), done);
  TSR_TRY(st, tsr_mul_scalar(NULL, &cosine, 0.5, &cosine), done);
  TSR_TRY(st, tsr_scalar_sub(NULL, 0.5, &cosine, window), done);
done:
  tsr_release(&n);
  tsr_release(&k);
  tsr_release(&cosine);
  return st;
}

static tsr_status spectrogram_as_calls(const tsr_tensor *x, const tsr_tensor *unused, tsr_tensor *out) {
  tsr_tensor angle = {0}, window = {0}, windows = {0}, frames = {0}, part = {0}, table = {0}, power = {0};
  tsr_status st;
  (void)unused;
  TSR_TRY(st, tables(&angle, &window), done);
  TSR_TRY(st, tsr_sliding_window(NULL, x, 0, 64, 32, &windows), done); /* (windows, 64): a view */
  TSR_TRY(st, tsr_mul(NULL, &windows, &window, &frames), done);
  TSR_TRY(st, tsr_cos(NULL, &angle, &table), done);
  TSR_TRY(st, tsr_matmul(NULL, &frames, &table, &power), done);
  TSR_TRY(st, tsr_square(NULL, &power, &power), done);
  TSR_TRY(st, tsr_sin(NULL, &angle, &table), done);
  TSR_TRY(st, tsr_matmul(NULL, &frames, &table, &part), done);
  TSR_TRY(st, tsr_square(NULL, &part, &part), done);
  TSR_TRY(st, tsr_add(NULL, &power, &part, &power), done);
  TSR_TRY(st, tsr_add_scalar(NULL, &power, 1e-12, &power), done);
  TSR_TRY(st, tsr_log10(NULL, &power, &power), done);
  TSR_TRY(st, tsr_mul_scalar(NULL, &power, 10, out), done);
done:
  tsr_release(&angle);
  tsr_release(&window);
  tsr_release(&frames);
  tsr_release(&part);
  tsr_release(&table);
  tsr_release(&power);
  return st;
}

static tsr_status spectrogram(const tsr_tensor *x, const tsr_tensor *unused, tsr_tensor *out) {
  static const char text[] =
      "n = arange(64)\n"
      "angle = n[:, None]*arange(33)*(2*pi/64)\n"
      "frames = sliding_window(x, 0, 64, 32)*(0.5 - 0.5*cos(n*(2*pi/64)))\n"
      "10*log10((frames @ cos(angle))**2 + (frames @ sin(angle))**2 + 1e-12)";
  (void)unused;
  return tsr_eval(NULL, text, TSR_NAMED({"x", x}), out);
}

/* ---- both ways ---- */

static tsr_status compare(const char *name, computation *calls, computation *text, const tsr_tensor *x,
                          const tsr_tensor *y) {
  tsr_tensor a = {0}, b = {0};
  tsr_status st;
  TSR_TRY(st, calls(x, y, &a), done);
  TSR_TRY(st, text(x, y, &b), done);
  const bool same = tsr_same_shape(&a, &b) && memcmp(a.data, b.data, tsr_nbytes(&a)) == 0;
  char shape[64];
  (void)tsr_desc_format(&b, shape, sizeof shape);
  printf("%-12s %-14s %s\n", name, shape, same ? "the same bits as its calls" : "OTHER BITS");
  if (!same) st = TSR_ESTATE;
done:
  tsr_release(&a);
  tsr_release(&b);
  return st;
}

int main(void) {
  tsr_tensor t = {0}, points = {0}, centres = {0};
  tsr_rng rng = tsr_rng_seed(1);
  tsr_status st;
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 4096, 1, &t), done);
  TSR_TRY(st, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(500, 3), &points), done);
  TSR_TRY(st, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(4, 3), &centres), done);
  TSR_TRY(st, compare("polynomial", polynomial_as_calls, polynomial, &t, NULL), done);
  TSR_TRY(st, compare("k-means", k_means_as_calls, k_means, &points, &centres), done);
  TSR_TRY(st, tsr_eval(NULL, "sin(0.3*t + 1e-4*t**2)", TSR_NAMED({"t", &t}), &t), done); /* a chirp, in place */
  TSR_TRY(st, compare("spectrogram", spectrogram_as_calls, spectrogram, &t, NULL), done);
  if (tsr_eval(NULL, "points + centres", TSR_NAMED({"points", &points}, {"centres", &centres}), &t) != TSR_OK)
    printf("%s\n", tsr_error(NULL)); /* and a mistake is a status, with its column */
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_release(&t);
  tsr_release(&points);
  tsr_release(&centres);
  return st;
}
