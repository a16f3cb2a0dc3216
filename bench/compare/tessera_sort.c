/* Tessera as a contestant: sorting, searching, counting. */
#include "tessera_contest.h"

static tsr_tensor values;

static void input(const contest_workload *w, bool integers, bool rows) {
  const tsr_index shape[2] = {rows ? 1024 : w->elements, 1024};
  void *const data = integers ? (void *)contest_shuffled_i32() : (void *)contest_shuffled();
  must(tsr_from_memory(&context, data, integers ? TSR_I32 : TSR_F32, rows ? 2 : 1, shape, &a));
}

static void result(int dtype, contest_kind kind) { contest_output(dtype, kind, a.ndim, a.shape); }

static void open_sort(const contest_workload *w) { input(w, false, false), result(TSR_F32, CONTEST_F32); }
static void open_sort_i32(const contest_workload *w) { input(w, true, false), result(TSR_I32, CONTEST_I32); }
static void open_sort_rows(const contest_workload *w) { input(w, false, true), result(TSR_F32, CONTEST_F32); }
static void open_sort_rows_i32(const contest_workload *w) { input(w, true, true), result(TSR_I32, CONTEST_I32); }
static void open_argsort(const contest_workload *w) { input(w, false, false), result(TSR_I64, CONTEST_I64); }
static void open_argsort_i32(const contest_workload *w) { input(w, true, false), result(TSR_I64, CONTEST_I64); }
static void open_argsort_rows(const contest_workload *w) { input(w, false, true), result(TSR_I64, CONTEST_I64); }
static void open_argsort_rows_i32(const contest_workload *w) { input(w, true, true), result(TSR_I64, CONTEST_I64); }

/* Other dtypes: the integers. */
static void input_of(int dtype, contest_kind kind) {
  const tsr_index shape[1] = {1 << 20};
  tsr_tensor from = {0};
  must(tsr_from_memory(&context, contest_shuffled_i32(), TSR_I32, 1, shape, &from));
  a = (tsr_tensor){0};
  must(tsr_cast(&context, &from, dtype, &a));
  contest_output(dtype, kind, 1, shape);
}
static void open_sort_f64(const contest_workload *w) { (void)w, input_of(TSR_F64, CONTEST_F64); }
static void open_sort_i64(const contest_workload *w) { (void)w, input_of(TSR_I64, CONTEST_I64); }
static void open_argsort_f64(const contest_workload *w) {
  open_sort_f64(w);
  contest_output(TSR_I64, CONTEST_I64, 1, a.shape);
}

/* Patterns. */
static void open_sort_falling(const contest_workload *w) {
  input(w, false, false);
  for (int32_t i = 0; i < 1 << 20; i++) ((float *)a.data)[i] = (float)(-i);
  result(TSR_F32, CONTEST_F32);
}
static void open_sort_few(const contest_workload *w) {
  input(w, false, false);
  const int32_t *const numbers = contest_shuffled_i32();
  for (int32_t i = 0; i < 1 << 20; i++) ((float *)a.data)[i] = (float)((numbers[i] / 4093 + (1 << 19)) % 10);
  result(TSR_F32, CONTEST_F32);
}

/* Rows of eight. */
static void input_8(void) {
  must(tsr_from_memory(&context, contest_shuffled(), TSR_F32, 2, (const tsr_index[]){131072, 8}, &a));
}
static void open_sort_8(const contest_workload *w) { (void)w, input_8(), result(TSR_F32, CONTEST_F32); }
static void open_argsort_8(const contest_workload *w) { (void)w, input_8(), result(TSR_I64, CONTEST_I64); }
static void open_median_8(const contest_workload *w) {
  (void)w, input_8();
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(131072));
}
static void open_median(const contest_workload *w) {
  input(w, false, false);
  contest_output(TSR_F32, CONTEST_F32, 0, NULL);
}

RUN(run_median_8, tsr_median(&context, &a, 1, (const int[]){1}, false, &out))
RUN(run_median, tsr_median(&context, &a, 0, NULL, false, &out))
RUN(run_sort, tsr_sort(&context, &a, -1, false, &out))
RUN(run_argsort, tsr_argsort(&context, &a, -1, false, &out))

static void open_topk(const contest_workload *w) {
  input(w, false, false);
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(100));
  values = out;
  contest_output(TSR_I64, CONTEST_I64, TSR_SHAPE(100));
}
RUN(run_topk, tsr_topk(&context, &a, 100, 0, true, true, &values, &out))

/* The length of the result is not known before: it is allocated. */
static void open_unique(const contest_workload *w) { contest_input(&a, 0, TSR_SHAPE(w->elements)); }
static void run_unique(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_tensor different = {0};
    must(tsr_unique(&context, &a, &different, NULL, NULL, NULL));
    contest_keep(&different);
    tsr_release(&different);
  }
}

static void open_search(const contest_workload *w) {
  input(w, false, false);
  b = a;
  input(w, false, false);
  must(tsr_sort(&context, &b, 0, false, &b));
  result(TSR_I64, CONTEST_I64);
}
RUN(run_search, tsr_searchsorted(&context, &b, &a, false, NULL, &out))

static void open_histogram(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  contest_output(TSR_I64, CONTEST_I64, TSR_SHAPE(100));
}
RUN(run_histogram, tsr_histogram(&context, &a, 100, (const tsr_real[]){-3, 5}, &out, NULL))

const contest_row contest_sort_rows[] = {
    {"sort_1M", open_sort, run_sort},
    {"sort_1M_i32", open_sort_i32, run_sort},
    {"sort_rows", open_sort_rows, run_sort},
    {"sort_rows_i32", open_sort_rows_i32, run_sort},
    {"argsort_1M", open_argsort, run_argsort},
    {"argsort_1M_i32", open_argsort_i32, run_argsort},
    {"argsort_rows", open_argsort_rows, run_argsort},
    {"argsort_rows_i32", open_argsort_rows_i32, run_argsort},
    {"sort_1M_f64", open_sort_f64, run_sort},
    {"sort_1M_i64", open_sort_i64, run_sort},
    {"sort_falling", open_sort_falling, run_sort},
    {"sort_few", open_sort_few, run_sort},
    {"sort_8", open_sort_8, run_sort},
    {"argsort_8", open_argsort_8, run_argsort},
    {"argsort_1M_f64", open_argsort_f64, run_argsort},
    {"median_1M", open_median, run_median},
    {"median_8", open_median_8, run_median_8},
    {"topk_100_1M", open_topk, run_topk},
    {"unique_1M", open_unique, run_unique},
    {"searchsorted_1M", open_search, run_search},
    {"histogram_16M", open_histogram, run_histogram},
    {NULL, NULL, NULL},
};
