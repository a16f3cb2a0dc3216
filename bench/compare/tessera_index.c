/* Tessera as a contestant: picking by masks, scattering, cumulative sums. */
#include "tessera_contest.h"

static const float RARE = 4.2f; /* a tenth of the numbers is greater */

/* The length of these results is not known before: they are allocated. */
static void open_nonzero(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  float *const x = a.data;
  for (int64_t i = 0; i < w->elements; i++) x[i] = x[i] > RARE ? x[i] : 0;
}
static void run_nonzero(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_tensor places = {0};
    must(tsr_nonzero(&context, &a, &places));
    contest_keep(&places);
    tsr_release(&places);
  }
}

static void open_select(const contest_workload *w) {
  bool *const mask = contest_bytes(w->elements);
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  for (int64_t i = 0; i < w->elements; i++) mask[i] = ((const float *)a.data)[i] > RARE;
  must(tsr_from_memory(&context, mask, TSR_BOOL, TSR_SHAPE(w->elements), &b));
}
static void run_select(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_tensor chosen = {0};
    must(tsr_masked_select(&context, &a, &b, &chosen));
    contest_keep(&chosen);
    tsr_release(&chosen);
  }
}

static tsr_tensor zeros;

static void open_scatter(const contest_workload *w) {
  int64_t *const index = contest_bytes(8 * w->elements);
  const int32_t *const numbers = contest_shuffled_i32();
  for (int64_t i = 0; i < w->elements; i++) index[i] = (numbers[i] / 4093 + (1 << 19)) % 10000;
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  must(tsr_from_memory(&context, index, TSR_I64, TSR_SHAPE(w->elements), &b));
  must(tsr_from_memory(&context, contest_bytes(4 * 10000), TSR_F32, TSR_SHAPE(10000), &zeros));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(10000));
}
RUN(run_scatter, tsr_scatter(&context, &zeros, &b, &a, 0, TSR_SCATTER_ADD, &out))

static void open_cumsum(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(w->elements));
}
static void open_cumsum_square(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096, 4096));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(4096, 4096));
}
RUN(run_cumsum_0, tsr_cumsum(&context, &a, 0, &out))
RUN(run_cumsum_1, tsr_cumsum(&context, &a, 1, &out))

const contest_row contest_index_rows[] = {
    {"nonzero_16M", open_nonzero, run_nonzero},
    {"masked_select_16M", open_select, run_select},
    {"scatter_add_1M", open_scatter, run_scatter},
    {"cumsum_16M", open_cumsum, run_cumsum_0},
    {"cumsum_ax0", open_cumsum_square, run_cumsum_0},
    {"cumsum_ax1", open_cumsum_square, run_cumsum_1},
    {NULL, NULL, NULL},
};
