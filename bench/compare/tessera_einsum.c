/* Tessera as a contestant: sums of products by label. */
#include "tessera_contest.h"

static const tsr_tensor *const both[2] = {&a, &b};

static void input_two(int ndim, const tsr_index *first, const tsr_index *second) {
  contest_input(&a, 0, ndim, first);
  contest_input(&b, 7, ndim, second);
}

static void open_batches(const contest_workload *w) {
  static const tsr_index shape[] = {32, 128, 128};
  (void)w;
  input_two(3, shape, shape);
  contest_output(TSR_F32, CONTEST_F32, 3, shape);
}
RUN(run_batches, tsr_einsum(&context, 2, both, "bij,bjk->bik", &out))

static void open_transposed(const contest_workload *w) {
  static const tsr_index shape[] = {1024, 1024};
  (void)w;
  input_two(2, shape, shape);
  contest_output(TSR_F32, CONTEST_F32, 2, shape);
}
RUN(run_transposed, tsr_einsum(&context, 2, both, "ij,kj->ik", &out))

static void open_heads(const contest_workload *w) {
  static const tsr_index shape[] = {8, 16, 128, 64};
  (void)w;
  input_two(4, shape, shape);
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(8, 16, 128, 128));
}
RUN(run_heads, tsr_einsum(&context, 2, both, "bhqd,bhkd->bhqk", &out))

const contest_row contest_einsum_rows[] = {
    {"einsum_bij_bjk", open_batches, run_batches},
    {"einsum_ij_kj", open_transposed, run_transposed},
    {"einsum_bhqd_bhkd", open_heads, run_heads},
    {NULL, NULL, NULL},
};
