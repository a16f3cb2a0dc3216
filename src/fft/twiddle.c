/* Roots of unity. The angle is brought to an eighth of the circle in integers, and computed in two numbers, so that the error is
 * that of the C library's sine and cosine of a small angle. */
#include <math.h>
#include <string.h>

#include "fft/plan.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

void tsr__fft_root(tsr_index k, tsr_index n, double *re, double *im) {
  static const double quarter = 0.78539816339744828, rest = 3.0616169978683830e-17; /* π/4 */
  const uint64_t eighths = (uint64_t)k * 8, part = eighths / (uint64_t)n, within = eighths % (uint64_t)n;
  const uint64_t from = part % 2 == 0 ? within : (uint64_t)n - within; /* an odd eighth is counted from its end */
  const double top = (double)from, bottom = (double)n, ratio = top / bottom, left = fma(-ratio, bottom, top) / bottom;
  const double angle = ratio * quarter, error = fma(ratio, quarter, -angle) + (ratio * rest + left * quarter);
  const double s0 = sin(angle), c0 = cos(angle), s = s0 + error * c0, c = c0 - error * s0;
  const bool swap = (part + 1) / 2 % 2 == 1; /* nearer to the imaginary axis */
  const double x = swap ? s : c, y = swap ? c : s;
  *re = part >= 2 && part < 6 ? -x : x;
  *im = part < 4 ? -y : y;
}

/* ---- tables ---- */

/* A number of the table, in its type. */
static void put_root(const tsr__fft_plan *plan, size_t at, double re, double im) {
  if (plan->dtype == TSR_F32) {
    float *const to = (float *)plan->table + at;
    to[0] = (float)re, to[1] = (float)im;
  } else {
    double *const to = (double *)plan->table + at;
    to[0] = re, to[1] = im;
  }
}

static void fill_passes(const tsr__fft_plan *plan, const tsr__fft_chain *chain) {
  tsr_index m = chain->n;
  double re, im;
  for (int i = 0; i < chain->count; i++) {
    const tsr_index r = chain->radix[i], n = m, h = r / 2;
    m /= r;
    for (tsr_index p = 0; p < m && m > 1; p++)
      for (tsr_index j = 1; j < r; j++) {
        tsr__fft_root(p * j % n, n, &re, &im);
        put_root(plan, chain->twiddles[i] + 2 * (size_t)(p * (r - 1) + j - 1), re, im);
      }
    for (tsr_index j = 0; j < h && r % 2 == 1 && r > 11; j++)
      for (tsr_index k = 0; k < h; k++) {
        tsr__fft_root((j + 1) * (k + 1) % r, r, &re, &im);
        put_root(plan, chain->roots[i] + 2 * (size_t)(j * h + k), re, -im);
      }
  }
}

/* Powers of the root of column j: its block has the parts of all lanes apart. */
static void put_lane(const tsr__fft_plan *plan, tsr_index j, tsr_index row, double re, double im) {
  const tsr_index lanes = plan->kernels->lanes, block = j / lanes, lane = j % lanes;
  const size_t at = plan->grid + (size_t)(2 * lanes * (block * plan->columns.n + row) + lane);
  if (plan->dtype == TSR_F32) {
    ((float *)plan->table)[at] = (float)re;
    ((float *)plan->table)[at + (size_t)lanes] = (float)im;
  } else {
    ((double *)plan->table)[at] = re;
    ((double *)plan->table)[at + (size_t)lanes] = im;
  }
}

/* The powers of one root: for f32 every SPAN-th from a sine, and those between as products in f64. */
enum { SPAN = 32 };
static void fill_column(const tsr__fft_plan *plan, tsr_index j) {
  double near[SPAN][2], re, im;
  const bool products = plan->dtype == TSR_F32 && plan->columns.n > 2 * SPAN;
  for (tsr_index k = 0; k < SPAN && products; k++) tsr__fft_root(j * k % plan->n, plan->n, &near[k][0], &near[k][1]);
  double far_re = 1, far_im = 0;
  for (tsr_index k = 0; k < plan->columns.n; k++) {
    if (!products || k % SPAN == 0) tsr__fft_root(j * k % plan->n, plan->n, &re, &im);
    if (products && k % SPAN == 0) far_re = re, far_im = im;
    if (products && k % SPAN != 0) {
      re = far_re * near[k % SPAN][0] - far_im * near[k % SPAN][1];
      im = far_re * near[k % SPAN][1] + far_im * near[k % SPAN][0];
    }
    put_lane(plan, j, k, re, im);
  }
}

static void fill_grid(const tsr__fft_plan *plan) {
  const tsr_index lanes = plan->kernels->lanes, wide = (plan->rows.n + lanes - 1) / lanes * lanes;
  for (tsr_index j = 0; j < wide; j++) fill_column(plan, j < plan->rows.n ? j : 0);
}

/* exp(-πi·k²/n), and the transform of its conjugate, around a line as long as inner, divided by that length. */
static void fill_chirp(const tsr__fft_plan *plan, void *scratch) {
  const tsr_index n = plan->n, length = plan->inner->n;
  const size_t item = tsr__fft_item(plan);
  double re, im;
  memset((char *)plan->table + plan->filter * item, 0, (size_t)(2 * length) * item);
  uint64_t square = 0; /* k² mod 2·n */
  for (tsr_index k = 0; k < n; k++) {
    tsr__fft_root((tsr_index)square, 2 * n, &re, &im);
    put_root(plan, plan->chirp + 2 * (size_t)k, re, im);
    put_root(plan, plan->filter + 2 * (size_t)k, re, -im);
    if (k > 0) put_root(plan, plan->filter + 2 * (size_t)(length - k), re, -im);
    square = (square + 2 * (uint64_t)k + 1) % (2 * (uint64_t)n);
  }
  void *const filter = (char *)plan->table + plan->filter * item;
  const tsr__fft_lines lines = {plan->inner, false, 1.0 / (double)length, 1, filter, filter, 0, 0};
  tsr__fft_run(&lines, scratch);
}

/* -i·exp(-2πi·k/n). */
static void fill_halves(const tsr__fft_plan *plan) {
  double re, im;
  for (tsr_index k = 0; k <= plan->n / 4; k++) {
    tsr__fft_root(k, plan->n, &re, &im);
    put_root(plan, plan->halves + 2 * (size_t)k, im, -re);
  }
}

void tsr__fft_fill(tsr__fft_plan *plan, void *scratch) {
  switch (plan->way) {
    case TSR__FFT_GRID:
      fill_grid(plan);
      fill_passes(plan, &plan->columns);
      fill_passes(plan, &plan->rows);
      return;
    case TSR__FFT_LANES: fill_passes(plan, &plan->rows); return;
    case TSR__FFT_CHIRP: fill_chirp(plan, scratch); return;
    case TSR__FFT_HALF: fill_halves(plan); return;
  }
}

#endif
