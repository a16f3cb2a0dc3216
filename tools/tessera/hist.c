#include "hist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "report.h"
#include "text.h"

static void count(void *user, const double *values, tsr_index n) {
  histogram *h = user;
  const double width = (h->greatest - h->least) / h->bins;
  for (tsr_index i = 0; i < n; i++) {
    if (!isfinite(values[i])) continue;
    int bin = width > 0 ? (int)((values[i] - h->least) / width) : 0;
    if (bin >= h->bins) bin = h->bins - 1; /* the greatest belongs to the last one */
    if (bin < 0) bin = 0;
    h->counts[bin]++;
  }
}

tsr_status histogram_count(tsr_ctx *ctx, const tsr_tensor *t, int bins, histogram *out) {
  histogram h = {.bins = bins};
  tsr_status st = tsr_summarize(ctx, t, &h.summary);
  if (st != TSR_OK) return st;
  h.least = h.summary.min;
  h.greatest = h.summary.max;
  h.counts = calloc((size_t)bins, sizeof *h.counts);
  if (h.counts == NULL) return TSR_ENOMEM;
  st = numbers_visit(ctx, t, count, &h);
  for (int i = 0; i < bins; i++) h.most = h.counts[i] > h.most ? h.counts[i] : h.most;
  if (st == TSR_OK) *out = h;
  if (st != TSR_OK) free(h.counts);
  return st;
}

void histogram_release(histogram *h) {
  free(h->counts);
  *h = (histogram){0};
}

/* ---- text ---- */

/* A bar of length cells, in eighths of one where there are such blocks. */
static void put_bar(double length, const terminal *to) {
  static const char *const parts[] = {"",
                                      "\xe2\x96\x8f",
                                      "\xe2\x96\x8e",
                                      "\xe2\x96\x8d",
                                      "\xe2\x96\x8c",
                                      "\xe2\x96\x8b",
                                      "\xe2\x96\x8a",
                                      "\xe2\x96\x89"};
  const int whole = (int)length;
  terminal_foreground(to, 0x2b8693);
  for (int i = 0; i < whole; i++) (void)fputs(to->utf8 ? "\xe2\x96\x88" : "#", stdout);
  if (to->utf8) (void)fputs(parts[(int)((length - whole) * 8)], stdout);
  if (!to->utf8 && whole == 0 && length > 0) (void)putchar('.');
  terminal_reset(to);
}

static void put_bars(const histogram *h, const terminal *to) {
  enum { NUMBERS = 12 + 2 + 1 + 14 };
  const double longest = to->width > NUMBERS + 10 ? to->width - NUMBERS : 10;
  const double width = (h->greatest - h->least) / h->bins;
  char edge[32], number[32];
  for (int i = 0; i < h->bins; i++) {
    (void)printf("%12s  ", text_real(h->least + i * width, edge));
    put_bar(h->most > 0 ? longest * (double)h->counts[i] / (double)h->most : 0, to);
    (void)printf("%s%s\n", h->counts[i] > 0 ? " " : "", text_count(h->counts[i], number));
  }
  (void)printf("%12s\n", text_real(h->greatest, edge));
}

bool hist_write(tsr_ctx *ctx, const char *label, const tsr_tensor *t, int bins, const terminal *to) {
  histogram h;
  if (tsr_size(t) == 0) return (void)puts("(no elements)"), true;
  if (histogram_count(ctx, t, bins, &h) != TSR_OK) return report_failure(ctx, label), false;
  if (isnan(h.least)) {
    (void)puts("(no finite elements)");
  } else {
    put_bars(&h, to);
  }
  if (h.summary.nans > 0 || h.summary.infs > 0)
    (void)printf("%12s  %lld NaN, %lld infinite\n", "", (long long)h.summary.nans, (long long)h.summary.infs);
  histogram_release(&h);
  return true;
}
