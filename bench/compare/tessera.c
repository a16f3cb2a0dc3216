/* Tessera as a contestant: a row a workload of workloads.h. */
#include "tessera_contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tsr_ctx context;
tsr_tensor a, b, out;

void contest_failed(void) {
  fprintf(stderr, "tessera: %s\n", tsr_error(&context));
  exit(1);
}

/* ---- tensors of a workload ---- */

void contest_input(tsr_tensor *t, int64_t start, int ndim, const tsr_index *shape) {
  must(tsr_desc_init(&context, TSR_F32, ndim, shape, t));
  must(tsr_from_memory(&context, contest_floats(tsr_size(t), start), TSR_F32, ndim, shape, t));
}

void contest_output(int dtype, contest_kind kind, int ndim, const tsr_index *shape) {
  must(tsr_desc_init(&context, dtype, ndim, shape, &out));
  must(tsr_from_memory(&context, contest_bytes((int64_t)tsr_nbytes(&out)), dtype, ndim, shape, &out));
  contest_result(out.data, tsr_size(&out), kind);
}

static void result_f32(int ndim, const tsr_index *shape) { contest_output(TSR_F32, CONTEST_F32, ndim, shape); }

/* ---- movement ---- */

static void open_transpose(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096, 4096));
  must(tsr_transpose(&context, &a, 0, 1, &a));
  result_f32(TSR_SHAPE(4096, 4096));
}

static void open_nchw2nhwc(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(8, 64, 56, 56));
  must(tsr_permute(&context, &a, (const int[]){0, 2, 3, 1}, &a));
  result_f32(TSR_SHAPE(8, 56, 56, 64));
}

static void open_nhwc2nchw(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(8, 56, 56, 64));
  must(tsr_permute(&context, &a, (const int[]){0, 3, 1, 2}, &a));
  result_f32(TSR_SHAPE(8, 64, 56, 56));
}

static void open_cast(const contest_workload *w, const void *from, int from_dtype, int to_dtype, contest_kind kind) {
  must(tsr_from_const_memory(&context, from, from_dtype, TSR_SHAPE(w->elements), &a));
  contest_output(to_dtype, kind, TSR_SHAPE(w->elements));
}

static void open_cast_f16(const contest_workload *w) {
  open_cast(w, contest_floats(w->elements, 0), TSR_F32, TSR_F16, CONTEST_F16);
}

static void open_cast_bf16(const contest_workload *w) {
  open_cast(w, contest_floats(w->elements, 0), TSR_F32, TSR_BF16, CONTEST_BF16);
}

static void open_cast_u8(const contest_workload *w) {
  open_cast(w, contest_positive(w->elements), TSR_F32, TSR_U8, CONTEST_U8);
}

static void open_from_f16(const contest_workload *w) {
  open_cast(w, contest_halves(w->elements, CONTEST_F16), TSR_F16, TSR_F32, CONTEST_F32);
}

static void open_from_bf16(const contest_workload *w) {
  open_cast(w, contest_halves(w->elements, CONTEST_BF16), TSR_BF16, TSR_F32, CONTEST_F32);
}

static void open_from_u8(const contest_workload *w) {
  open_cast(w, contest_u8(w->elements), TSR_U8, TSR_F32, CONTEST_F32);
}

static void open_slice_cols2(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096, 4096));
  must(tsr_slice(&context, &a, 1, 0, TSR_OMIT, 2, &a));
  result_f32(TSR_SHAPE(4096, 2048));
}

static void open_slice_block(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096, 4096));
  must(tsr_slice(&context, &a, 0, 1000, 3000, 1, &a));
  must(tsr_slice(&context, &a, 1, 1000, 3000, 1, &a));
  result_f32(TSR_SHAPE(2000, 2000));
}

RUN(run_copy, tsr_copy(&context, &a, &out))

static void open_concat_ax0(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(2048, 2048));
  contest_input(&b, 7, TSR_SHAPE(2048, 2048));
  result_f32(TSR_SHAPE(4096, 2048));
}

static void open_concat_ax1(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(2048, 2048));
  contest_input(&b, 7, TSR_SHAPE(2048, 2048));
  result_f32(TSR_SHAPE(2048, 4096));
}

static void open_pad(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(8, 64, 56, 56));
  result_f32(TSR_SHAPE(8, 64, 58, 58));
}

static const tsr_tensor *const pair[] = {&a, &b};
RUN(run_concat_ax0, tsr_concat(&context, 2, pair, 0, &out))
RUN(run_concat_ax1, tsr_concat(&context, 2, pair, 1, &out))
RUN(run_pad, tsr_pad_2d(&context, &a, 1, 1, 1, 1, 0, &out))

/* ---- overheads ---- */

static void open_fours(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4));
  contest_input(&b, 7, TSR_SHAPE(4));
  result_f32(TSR_SHAPE(4));
}

static void open_four(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4));
}

static void run_new_free(long calls) {
  tsr_tensor t = {0}; /* and empty again after every release */
  for (long i = 0; i < calls; i++) {
    must(tsr_empty(&context, TSR_F32, TSR_SHAPE(4), &t));
    tsr_release(&t);
  }
}

static void run_view(long calls) {
  tsr_tensor view = {0};
  for (long i = 0; i < calls; i++) {
    must(tsr_reshape_view(&context, &a, TSR_SHAPE(2, 2), &view));
    contest_keep(&view);
  }
}

/* ---- binary ---- */

static void open_add(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  contest_input(&b, 7, TSR_SHAPE(w->elements));
  result_f32(TSR_SHAPE(w->elements));
}

static void open_bcast_row(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(1024, 1024));
  contest_input(&b, 7, TSR_SHAPE(1024));
  result_f32(TSR_SHAPE(1024, 1024));
}

static void open_bcast_col(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(1024, 1024));
  contest_input(&b, 7, TSR_SHAPE(1024, 1));
  result_f32(TSR_SHAPE(1024, 1024));
}

static void open_bcast_3d(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(64, 1, 256));
  contest_input(&b, 7, TSR_SHAPE(1, 128, 256));
  result_f32(TSR_SHAPE(64, 128, 256));
}

static void open_addT(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(2048, 2048));
  contest_input(&b, 7, TSR_SHAPE(2048, 2048));
  must(tsr_transpose(&context, &b, 0, 1, &b));
  result_f32(TSR_SHAPE(2048, 2048));
}

RUN(run_add, tsr_add(&context, &a, &b, &out))

static void run_add_fresh(long calls) {
  tsr_tensor t = {0}; /* and empty again after every release */
  for (long i = 0; i < calls; i++) {
    must(tsr_add(&context, &a, &b, &t));
    tsr_release(&t);
  }
}

/* ---- unary ---- */

static void open_unary(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  result_f32(TSR_SHAPE(w->elements));
}

/* f64, from add - 3 to add + 5. */
static void open_doubles(const contest_workload *w, double add) {
  double *const x = contest_doubles(w->elements, 0);
  for (int64_t i = 0; i < w->elements; i++) x[i] += add;
  must(tsr_from_memory(&context, x, TSR_F64, TSR_SHAPE(w->elements), &a));
  contest_output(TSR_F64, CONTEST_F64, TSR_SHAPE(w->elements));
}
static void open_wide(const contest_workload *w) { open_doubles(w, 0); }
static void open_wide_positive(const contest_workload *w) { open_doubles(w, 3.5); }

static void open_pow(const contest_workload *w) {
  must(tsr_from_memory(&context, contest_positive(w->elements), TSR_F32, TSR_SHAPE(w->elements), &a));
  contest_input(&b, 7, TSR_SHAPE(w->elements));
  result_f32(TSR_SHAPE(w->elements));
}

RUN(run_log, tsr_log(&context, &a, &out))
RUN(run_sin, tsr_sin(&context, &a, &out))
RUN(run_pow, tsr_pow(&context, &a, &b, &out))
RUN(run_atan2, tsr_atan2(&context, &a, &b, &out))
RUN(run_exp, tsr_exp(&context, &a, &out))
RUN(run_tanh, tsr_tanh(&context, &a, &out))
RUN(run_gelu, tsr_gelu(&context, &a, &out))
RUN(run_gelu_tanh, tsr_gelu_tanh(&context, &a, &out))
RUN(run_sigmoid, tsr_sigmoid(&context, &a, &out))
RUN(run_relu, tsr_relu(&context, &a, &out))

/* ---- reduce ---- */

static const int axis0[] = {0}, axis1[] = {1};

static void open_flat(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  result_f32(0, NULL);
}

static void open_flat_index(const contest_workload *w) {
  contest_input(&a, 0, TSR_SHAPE(w->elements));
  contest_output(TSR_I64, CONTEST_I64, 0, NULL);
}

static void open_square(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096, 4096));
  result_f32(TSR_SHAPE(4096));
}

static void open_square_index(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096, 4096));
  contest_output(TSR_I64, CONTEST_I64, TSR_SHAPE(4096));
}

RUN(run_sum_ax0, tsr_sum(&context, &a, 1, axis0, false, &out))
RUN(run_sum_ax1, tsr_sum(&context, &a, 1, axis1, false, &out))
RUN(run_max_ax0, tsr_max(&context, &a, 1, axis0, false, &out))
RUN(run_max_ax1, tsr_max(&context, &a, 1, axis1, false, &out))
RUN(run_argmax_ax0, tsr_argmax(&context, &a, 0, false, &out))
RUN(run_argmax_ax1, tsr_argmax(&context, &a, 1, false, &out))

/* ---- the rows ---- */

static const contest_row rows[] = {
    {"add_1k", open_add, run_add},
    {"add_100k", open_add, run_add},
    {"add_16M", open_add, run_add},
    {"add_16M_fresh", open_add, run_add_fresh},
    {"bcast_row", open_bcast_row, run_add},
    {"bcast_col", open_bcast_col, run_add},
    {"bcast_3d", open_bcast_3d, run_add},
    {"addT_2048", open_addT, run_add},
    {"add4_given", open_fours, run_add},
    {"add4_fresh", open_fours, run_add_fresh},
    {"exp_1M", open_unary, run_exp},
    {"tanh_1M", open_unary, run_tanh},
    {"gelu_erf_1M", open_unary, run_gelu},
    {"gelu_tanh_1M", open_unary, run_gelu_tanh},
    {"sigmoid_1M", open_unary, run_sigmoid},
    {"relu_1M", open_unary, run_relu},
    {"exp_1M_f64", open_wide, run_exp},
    {"log_1M_f64", open_wide_positive, run_log},
    {"sin_1M_f64", open_wide, run_sin},
    {"tanh_1M_f64", open_wide, run_tanh},
    {"pow_1M", open_pow, run_pow},
    {"atan2_1M", open_add, run_atan2},
    {"sum_16M", open_flat, run_sum_ax0},
    {"sum_ax0", open_square, run_sum_ax0},
    {"sum_ax1", open_square, run_sum_ax1},
    {"max_ax0", open_square, run_max_ax0},
    {"max_ax1", open_square, run_max_ax1},
    {"argmax_ax0", open_square_index, run_argmax_ax0},
    {"argmax_ax1", open_square_index, run_argmax_ax1},
    {"argmax_16M", open_flat_index, run_argmax_ax0},
    {"transpose_4096", open_transpose, run_copy},
    {"perm_nchw2nhwc", open_nchw2nhwc, run_copy},
    {"perm_nhwc2nchw", open_nhwc2nchw, run_copy},
    {"cast_f16", open_cast_f16, run_copy},
    {"cast_bf16", open_cast_bf16, run_copy},
    {"cast_u8", open_cast_u8, run_copy},
    {"cast_f16_to_f32", open_from_f16, run_copy},
    {"cast_bf16_to_f32", open_from_bf16, run_copy},
    {"cast_u8_to_f32", open_from_u8, run_copy},
    {"slice_cols2", open_slice_cols2, run_copy},
    {"slice_block", open_slice_block, run_copy},
    {"concat_ax0", open_concat_ax0, run_concat_ax0},
    {"concat_ax1", open_concat_ax1, run_concat_ax1},
    {"pad_1", open_pad, run_pad},
    {"new_free_4", open_four, run_new_free},
    {"view", open_four, run_view},
    {NULL, NULL, NULL},
};

static contest_run *chosen;

static bool open_in(const contest_row *table, const contest_workload *w) {
  for (; table->name != NULL; table++) {
    if (strcmp(table->name, w->name) != 0) continue;
    table->open(w);
    chosen = table->run;
    return true;
  }
  return false;
}

static bool open_row(const char *spec) {
  if (strncmp(spec, "sweep ", 6) == 0) {
    chosen = contest_open_sweep(spec);
    return chosen != NULL;
  }
  const contest_workload *w = contest_find(spec);
  chosen = w != NULL ? contest_open_fused(w) : NULL;
  if (chosen != NULL) return true;
  return w != NULL && (open_in(rows, w) || open_in(contest_network_rows, w) || open_in(contest_file_rows, w) ||
                       open_in(contest_fft_rows, w) || open_in(contest_sort_rows, w) ||
                       open_in(contest_einsum_rows, w) || open_in(contest_index_rows, w));
}

static void run(long calls) { chosen(calls); }

int main(void) {
  const contestant self = {tsr_version(), open_row, run, contest_close_files};
  must(tsr_context_init(&context, NULL));
  return contest_main(&self);
}
