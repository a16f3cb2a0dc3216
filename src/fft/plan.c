/* Which passes a length is made of. Every way that it can be a matrix is weighed by what its passes cost, in cycles for a vector of
 * elements: measured once, and a constant since, so that the order of sums is the same on every machine of an instruction set. */
#include "fft/plan.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

static double cost_of_radix(int radix) {
  switch (radix) {
    case 2: return 3.0;
    case 3: return 4.0;
    case 4: return 4.0;
    case 5: return 5.5;
    case 7: return 8.0;
    case 8: return 6.0;
    case 11: return 13.0;
    case 16: return 9.0;
    default: return 2.0 * radix;
  }
}

/* ---- chains ---- */

static void add_radix(tsr__fft_chain *chain, int radix) { chain->radix[chain->count++] = (uint8_t)radix; }

/* Twos: eights, with fours or a sixteen so that they come out even. */
static void add_twos(tsr__fft_chain *chain, int twos) {
  if (twos % 3 == 1 && twos > 1) add_radix(chain, 16), twos -= 4;
  if (twos % 3 == 2) add_radix(chain, 4), twos -= 2;
  if (twos == 1) add_radix(chain, 2), twos -= 1;
  for (; twos > 0; twos -= 3) add_radix(chain, 8);
}

/* A power of two comes first and last, where it can do more than a pass. */
static void order_chain(tsr__fft_chain *chain, bool at_end) {
  const int last = chain->count - 1;
  for (int i = 0; i < chain->count; i++) {
    const int radix = chain->radix[i];
    if (radix != 4 && radix != 8 && radix != 16) continue;
    const int place = at_end ? last : 0;
    chain->radix[i] = chain->radix[place];
    chain->radix[place] = (uint8_t)radix;
    return;
  }
}

/* The passes of n; false: it has a prime factor that is too large for one. */
static bool make_chain(tsr_index n, bool at_end, tsr__fft_chain *chain) {
  int twos = 0;
  *chain = (tsr__fft_chain){.n = n};
  for (; n % 2 == 0; n /= 2) twos++;
  for (int radix = 3; radix <= TSR__FFT_ODD_MAX && n > 1; radix += 2)
    for (; n % radix == 0; n /= radix) add_radix(chain, radix);
  add_twos(chain, twos);
  order_chain(chain, at_end);
  return n == 1;
}

static double cost_of_chain(const tsr__fft_chain *chain) {
  double cost = 0;
  for (int i = 0; i < chain->count; i++) cost += cost_of_radix(chain->radix[i]);
  return cost;
}

/* ---- matrices ---- */

/* What a pass over blocks that the first or second cache does not hold costs besides. */
static double cost_of_caches(tsr_index n, const tsr__fft_kernels *kernels, size_t item) {
  const double bytes = 4.0 * (double)n * kernels->lanes * (double)item;
  return bytes > 1048576 ? 10 : bytes > 65536 ? 1.5 : 0;
}

static double cost_of_grid(const tsr__fft_plan *plan, const tsr__fft_chain *columns, const tsr__fft_chain *rows) {
  const double lanes = plan->kernels->lanes;
  const tsr_index across = (rows->n + plan->kernels->lanes - 1) / plan->kernels->lanes;
  const tsr_index down = (columns->n + plan->kernels->lanes - 1) / plan->kernels->lanes;
  const size_t item = tsr__fft_item(plan);
  const double first = cost_of_chain(columns) + columns->count * cost_of_caches(columns->n, plan->kernels, item);
  const double second = cost_of_chain(rows) + rows->count * cost_of_caches(rows->n, plan->kernels, item);
  const bool at_once = rows->count == 1 && rows->n == plan->kernels->lanes;
  const double cross = at_once ? 2 : 6 + (lanes > 8 ? 2 : 0);
  return (double)across * (double)columns->n * first + (double)down * (double)rows->n * (second + cross);
}

static void try_grid(tsr__fft_plan *plan, tsr_index rows_n, double *best) {
  tsr__fft_chain columns, rows;
  if (!make_chain(plan->n / rows_n, false, &columns) || !make_chain(rows_n, true, &rows)) return;
  const double cost = cost_of_grid(plan, &columns, &rows);
  if (*best > 0 && cost >= *best) return;
  *best = cost;
  plan->columns = columns;
  plan->rows = rows;
}

/* A short line is one lane: a matrix would fill no more of them. */
static bool choose_chains(tsr__fft_plan *plan) {
  double best = 0;
  plan->way = TSR__FFT_LANES;
  if (!make_chain(plan->n, true, &plan->rows)) return false;
  if (plan->n <= 2 * plan->kernels->lanes || plan->rows.count < 2) return true;
  plan->way = TSR__FFT_GRID;
  for (tsr_index k = 2; k <= plan->n / k; k++) {
    if (plan->n % k != 0) continue;
    try_grid(plan, k, &best);
    if (k != plan->n / k) try_grid(plan, plan->n / k, &best);
  }
  return true;
}

/* ---- the table ---- */

static size_t place(tsr__fft_plan *plan, size_t numbers) {
  const size_t at = plan->numbers;
  plan->numbers += tsr__align_up(numbers, 16);
  return at;
}

static void place_chain(tsr__fft_plan *plan, tsr__fft_chain *chain) {
  tsr_index m = chain->n;
  for (int i = 0; i < chain->count; i++) {
    const tsr_index r = chain->radix[i];
    m /= r;
    chain->twiddles[i] = m > 1 ? place(plan, (size_t)(2 * m * (r - 1))) : 0;
    chain->roots[i] = r % 2 == 1 && r > 11 ? place(plan, (size_t)((r / 2) * (r / 2) * 2)) : 0;
  }
}

static size_t grid_numbers(const tsr__fft_plan *plan) {
  const tsr_index lanes = plan->kernels->lanes, blocks = (plan->rows.n + lanes - 1) / lanes;
  return (size_t)(2 * lanes * blocks * plan->columns.n);
}

/* The least length that is enough for a convolution of 2·n - 1, of few factors and a multiple of 16. */
static tsr_index chirp_length(tsr_index n) {
  static const tsr_index odd[] = {1, 3, 5, 9, 15};
  tsr_index best = 0;
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    tsr_index length = 16 * odd[i];
    while (length < 2 * n - 1) length *= 2;
    if (best == 0 || length < best) best = length;
  }
  return best;
}

bool tsr__fft_describe(tsr_index n, int dtype, bool real, int isa, tsr__fft_plan *plan, tsr_index *inner) {
  static const tsr__fft_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__fft);
  *plan = (tsr__fft_plan){.n = n, .dtype = dtype, .isa = isa, .real = real, .kernels = &tables[isa][dtype == TSR_F64]};
  *inner = 0;
  if (n < 1 || n > TSR_INDEX_MAX / 64 || (uint64_t)n > (SIZE_MAX >> 10) || (uint64_t)n > ((uint64_t)1 << 40))
    return false;
  if (real && n % 2 == 0) {
    plan->way = TSR__FFT_HALF;
    *inner = n / 2;
    plan->halves = place(plan, (size_t)(2 * (n / 4 + 1)));
  } else if (choose_chains(plan)) {
    place_chain(plan, &plan->rows);
    if (plan->way == TSR__FFT_GRID) {
      place_chain(plan, &plan->columns);
      plan->grid = place(plan, grid_numbers(plan));
    }
  } else {
    plan->way = TSR__FFT_CHIRP;
    *inner = chirp_length(n);
    plan->chirp = place(plan, (size_t)(2 * n));
    plan->filter = place(plan, (size_t)(2 * *inner));
  }
  return true;
}

#endif
