#include "quantile.h"

#include <math.h>
#include <stdlib.h>

#include "numbers.h"

const double quantile_shares[QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
const char *const quantile_names[QUANTILES] = {"1%", "5%", "25%", "50%", "75%", "95%", "99%"};

typedef struct pile {
  double *values;
  size_t count;
} pile;

static void keep_finite(void *user, const double *values, tsr_index n) {
  pile *p = user;
  for (tsr_index i = 0; i < n; i++) {
    p->values[p->count] = values[i];
    p->count += isfinite(values[i]) ? 1 : 0;
  }
}

static void swap(double *a, double *b) {
  const double t = *a;
  *a = *b;
  *b = t;
}

/* The middle one of three places: a pivot that sorted input does not spoil. */
static double pivot_of(const double *v, size_t low, size_t high) {
  const double a = v[low], b = v[low + (high - low) / 2], c = v[high];
  return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Brings the element of rank k to its place in v[low … high]: smaller ones before it, greater ones behind. */
static void select_rank(double *v, size_t low, size_t high, size_t k) {
  while (low < high) {
    const double pivot = pivot_of(v, low, high);
    size_t i = low, j = high;
    for (;;) {
      while (v[i] < pivot) i++;
      while (v[j] > pivot) j--;
      if (i >= j) break;
      swap(&v[i++], &v[j--]);
    }
    /* v[low … j] ≤ pivot ≤ v[j + 1 … high], and j < high. */
    if (k <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
}

/* In order, so that each search starts where the last one ended. */
static void find_all(const pile *p, double *out) {
  size_t low = 0;
  for (int q = 0; q < QUANTILES; q++) {
    const double place = quantile_shares[q] * (double)(p->count - 1);
    const size_t k = (size_t)place, next = k + 1 < p->count ? k + 1 : k;
    select_rank(p->values, low, p->count - 1, k);
    if (next > k) select_rank(p->values, k + 1, p->count - 1, next);
    out[q] = p->values[k] + (place - (double)k) * (p->values[next] - p->values[k]);
    low = k;
  }
}

/* ---- integers of at most 16 bits: how often there is each of them ---- */

enum { LEAST = -32768, NUMBERS = 65536 + 32768 };

static void count_numbers(void *user, const double *values, tsr_index n) {
  int64_t *counts = user;
  for (tsr_index i = 0; i < n; i++) counts[(int)values[i] - LEAST]++;
}

/* The number of rank k. */
static double ranked(const int64_t *counts, int64_t k) {
  int number = 0;
  for (; k >= counts[number]; number++) k -= counts[number];
  return number + LEAST;
}

static tsr_status count_quantiles(tsr_ctx *ctx, const tsr_tensor *t, double *out) {
  const int64_t size = (int64_t)tsr_size(t);
  int64_t *counts = calloc(NUMBERS, sizeof *counts);
  if (counts == NULL) return TSR_ENOMEM;
  const tsr_status st = numbers_visit(ctx, t, count_numbers, counts);
  for (int q = 0; q < QUANTILES && st == TSR_OK && size > 0; q++) {
    const double place = quantile_shares[q] * (double)(size - 1);
    const int64_t k = (int64_t)place;
    const double low = ranked(counts, k), high = k + 1 < size ? ranked(counts, k + 1) : low;
    out[q] = low + (place - (double)k) * (high - low);
  }
  free(counts);
  return st;
}

static bool is_short_integer(const tsr_tensor *t) {
  const tsr_dtype_info *info = tsr_dtype_describe(t->dtype);
  return info->class_ < TSR_CLASS_FLOAT && info->bytes <= 2;
}

tsr_status quantiles_of(tsr_ctx *ctx, const tsr_tensor *t, double *out) {
  const size_t size = (size_t)tsr_size(t);
  pile p = {0};
  for (int q = 0; q < QUANTILES; q++) out[q] = (double)NAN;
  if (is_short_integer(t)) return count_quantiles(ctx, t, out);
  if (size > SIZE_MAX / sizeof *p.values - 1) return TSR_ENOMEM;
  p.values = malloc((size + 1) * sizeof *p.values);
  if (p.values == NULL) return TSR_ENOMEM;
  const tsr_status st = numbers_visit(ctx, t, keep_finite, &p);
  if (st == TSR_OK && p.count > 0) find_all(&p, out);
  free(p.values);
  return st;
}
