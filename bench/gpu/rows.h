/* The rows: what is called, and how many bytes must move. Sizes are those of PyTorch's rows in gpu/torch_rows.py. */
#ifndef BENCH_GPU_ROWS_H
#define BENCH_GPU_ROWS_H

#include "attention.h"
#include "bench.h"
#include "images.h"

typedef struct bench_row {
  const char *name;
  double bytes; /* in sizes of a matrix of f32; 0: it multiplies */
  double flops; /* in side³ */
  tsr_status (*call)(bench *b);
} bench_row;

#define CTX (&b->ctx)
#define OUT (&b->out)

/* ---- views ---- */

static tsr_index part_of(const bench *b, tsr_index n) { return b->tiny ? n / 16 > 4 ? n / 16 : n : n; }

/* a as (64, 256, 128, 128). */
static tsr_status images(bench *b, const tsr_tensor *from, tsr_tensor *x) {
  const tsr_index all = b->side * b->side, n = b->tiny ? 2 : 64, c = b->tiny ? 8 : 256, h = b->tiny ? 16 : 128;
  return tsr_reshape_view(CTX, from, TSR_SHAPE(n, c, h, all / (n * c * h)), x);
}

/* The first elements of a as rows of n. */
static tsr_status rows_of(bench *b, tsr_index n, tsr_tensor *x) {
  const tsr_index all = b->side * b->side;
  tsr_tensor flat = {0};
  tsr_status st = tsr_reshape_view(CTX, &b->a, TSR_SHAPE(all), &flat);
  if (st == TSR_OK) st = tsr_narrow(CTX, &flat, 0, 0, all / n * n, &flat);
  return st == TSR_OK ? tsr_reshape_view(CTX, &flat, TSR_SHAPE(all / n, n), x) : st;
}

#define ON_ROWS(id, n, call)                               \
  static tsr_status row_##id(bench *b) {                   \
    tsr_tensor x = {0};                                    \
    const tsr_status made = rows_of(b, part_of(b, n), &x); \
    return made == TSR_OK ? (call) : made;                 \
  }
#define ON_IMAGES(id, call)                       \
  static tsr_status row_##id(bench *b) {          \
    tsr_tensor x = {0};                           \
    const tsr_status made = images(b, &b->a, &x); \
    return made == TSR_OK ? (call) : made;        \
  }
#define ROW(id, call) \
  static tsr_status row_##id(bench *b) { return call; }

/* ---- memory ---- */

ROW(copy, tsr_copy(CTX, &b->a, OUT))
ROW(add, tsr_add(CTX, &b->a, &b->b, OUT))
ROW(gelu, tsr_gelu(CTX, &b->a, OUT))
ROW(cast_f16, tsr_cast(CTX, &b->a, TSR_F16, OUT))
ROW(gelu_bf16, tsr_gelu(CTX, &b->half[2], OUT))
ROW(where, tsr_where(CTX, &b->mask, &b->a, &b->b, OUT))
ROW(add_row, tsr_add(CTX, &b->a, &b->row, OUT))
ROW(add_col, tsr_add(CTX, &b->a, &b->col, OUT))

static tsr_status copy_view(bench *b, tsr_status made, const tsr_tensor *view) {
  return made == TSR_OK ? tsr_copy(CTX, view, OUT) : made;
}
static tsr_status row_flip(bench *b) {
  tsr_tensor v = {0};
  return copy_view(b, tsr_slice(CTX, &b->a, 1, TSR_OMIT, TSR_OMIT, -1, &v), &v);
}
static tsr_status row_slice(bench *b) {
  tsr_tensor v = {0};
  return copy_view(b, tsr_slice(CTX, &b->a, 1, TSR_OMIT, TSR_OMIT, 2, &v), &v);
}
static tsr_status row_transpose(bench *b) {
  tsr_tensor v = {0};
  return copy_view(b, tsr_transpose(CTX, &b->a, 0, 1, &v), &v);
}
/* An odd number of rows and columns: nothing is aligned. */
static tsr_status row_transpose_odd(bench *b) {
  tsr_tensor v = {0};
  const tsr_index m = b->side - 3, n = b->side - 5;
  tsr_status st = tsr_reshape_view(CTX, &b->a, TSR_SHAPE(b->side * b->side), &v);
  if (st == TSR_OK) st = tsr_narrow(CTX, &v, 0, 0, m * n, &v);
  if (st == TSR_OK) st = tsr_reshape_view(CTX, &v, TSR_SHAPE(m, n), &v);
  return copy_view(b, st == TSR_OK ? tsr_transpose(CTX, &v, 0, 1, &v) : st, &v);
}
static tsr_status row_add_odd(bench *b) {
  const tsr_index m = b->side - 3, n = b->side - 5;
  tsr_tensor x = {0}, y = {0};
  tsr_status st = tsr_narrow(CTX, &b->a, 0, 0, m, &x);
  if (st == TSR_OK) st = tsr_narrow(CTX, &x, 1, 0, n, &x);
  if (st == TSR_OK) st = tsr_narrow(CTX, &b->b, 0, 0, m, &y);
  if (st == TSR_OK) st = tsr_narrow(CTX, &y, 1, 1, n, &y);
  return st == TSR_OK ? tsr_add(CTX, &x, &y, OUT) : st;
}
static tsr_status row_nhwc(bench *b) {
  static const int order[] = {0, 2, 3, 1};
  tsr_tensor v = {0};
  tsr_status st = images(b, &b->a, &v);
  if (st == TSR_OK) st = tsr_permute(CTX, &v, order, &v);
  return copy_view(b, st, &v);
}
static tsr_status row_concat_slices(bench *b) {
  tsr_tensor x = {0}, y = {0};
  const tsr_tensor *const parts[] = {&x, &y};
  tsr_status st = tsr_narrow(CTX, &b->a, 1, 0, b->side / 2, &x);
  if (st == TSR_OK) st = tsr_narrow(CTX, &b->b, 1, 0, b->side / 2, &y);
  return st == TSR_OK ? tsr_concat(CTX, 2, parts, 1, OUT) : st;
}
static tsr_status row_concat(bench *b) {
  tsr_tensor x = {0}, y = {0};
  const tsr_tensor *const parts[] = {&x, &y};
  const tsr_index n = b->side;
  tsr_status st = tsr_narrow(CTX, &b->a, 0, 0, n / 2, &x);
  if (st == TSR_OK) st = tsr_reshape_view(CTX, &x, TSR_SHAPE(n, n / 2), &x);
  if (st == TSR_OK) st = tsr_narrow(CTX, &b->b, 0, 0, n / 2, &y);
  if (st == TSR_OK) st = tsr_reshape_view(CTX, &y, TSR_SHAPE(n, n / 2), &y);
  return st == TSR_OK ? tsr_concat(CTX, 2, parts, 1, OUT) : st;
}
static const tsr_index border[] = {0, 0, 1, 1};
ON_IMAGES(pad, tsr_pad(CTX, &x, border, border, TSR_PAD_CONSTANT, 0, OUT))
static tsr_status row_normal(bench *b) {
  return tsr_rand_normal(CTX, &b->rng, TSR_F32, TSR_SHAPE(b->side, b->side), OUT);
}
ROW(uniform, tsr_rand_uniform(CTX, &b->rng, TSR_F32, TSR_SHAPE(b->side, b->side), 0, 1, OUT))
ROW(dropout, tsr_dropout(CTX, &b->rng, &b->a, (tsr_real)0.5, OUT))
static tsr_status row_gather(bench *b) {
  tsr_tensor table = {0};
  const tsr_status st = rows_of(b, 64, &table);
  return st == TSR_OK ? tsr_take(CTX, &table, &b->index, 0, OUT) : st;
}

/* ---- reductions ---- */

ROW(sum, tsr_sum(CTX, &b->a, 0, NULL, false, OUT))
ROW(sum_0, tsr_sum(CTX, &b->a, TSR_AXES(0), false, OUT))
ROW(sum_1, tsr_sum(CTX, &b->a, TSR_AXES(1), false, OUT))
ON_ROWS(sum_1000, 1000, tsr_sum(CTX, &x, TSR_AXES(1), false, OUT))
ON_ROWS(sum_64, 64, tsr_sum(CTX, &x, TSR_AXES(1), false, OUT))
ON_ROWS(sum_7, 7, tsr_sum(CTX, &x, TSR_AXES(1), false, OUT))
ROW(max_0, tsr_max(CTX, &b->a, TSR_AXES(0), false, OUT))
ROW(argmax_0, tsr_argmax(CTX, &b->a, 0, false, OUT))
ROW(argmax_1, tsr_argmax(CTX, &b->a, 1, false, OUT))
ROW(var_1, tsr_var(CTX, &b->a, TSR_AXES(1), false, 1, OUT))
ROW(logsumexp_1, tsr_logsumexp(CTX, &b->a, TSR_AXES(1), false, OUT))

/* ---- scans and selections ---- */

ROW(cumsum_0, tsr_cumsum(CTX, &b->a, 0, OUT))
ROW(cumsum_1, tsr_cumsum(CTX, &b->a, 1, OUT))
ON_ROWS(cumsum_1000, 1000, tsr_cumsum(CTX, &x, 1, OUT))
ON_ROWS(cumsum_64, 64, tsr_cumsum(CTX, &x, 1, OUT))
static tsr_status on_flat(bench *b, tsr_tensor *x) {
  return tsr_reshape_view(CTX, &b->a, TSR_SHAPE(b->side * b->side), x);
}
#define ON_FLAT(id, call)                   \
  static tsr_status row_##id(bench *b) {    \
    tsr_tensor x = {0};                     \
    const tsr_status made = on_flat(b, &x); \
    return made == TSR_OK ? (call) : made;  \
  }
ON_FLAT(cumsum, tsr_cumsum(CTX, &x, 0, OUT))

ON_FLAT(histogram, tsr_histogram(CTX, &x, 256, (const tsr_real[]){(tsr_real)-5.7, (tsr_real)5.9}, OUT, NULL))

ROW(diff, tsr_diff(CTX, &b->a, 1, 1, NULL, NULL, OUT))
static tsr_status row_searchsorted(bench *b) {
  tsr_tensor x = {0}, sorted = {0};
  tsr_status st = on_flat(b, &x);
  if (st == TSR_OK) st = tsr_linspace(CTX, TSR_F32, -4, 4, b->side, &sorted);
  if (st == TSR_OK) st = tsr_searchsorted(CTX, &sorted, &x, false, NULL, OUT);
  tsr_release(&sorted);
  return st;
}

/* With the comparison that makes the mask. */
static tsr_status pick(bench *b, bool places) {
  tsr_tensor x = {0}, mask = {0};
  tsr_status st = on_flat(b, &x);
  if (st == TSR_OK) st = tsr_gt_scalar(CTX, &x, 0, &mask);
  if (st == TSR_OK) st = places ? tsr_nonzero(CTX, &mask, OUT) : tsr_masked_select(CTX, &x, &mask, OUT);
  tsr_release(&mask);
  return st;
}
ROW(nonzero, pick(b, true))
ROW(masked_select, pick(b, false))

/* ---- rows that are normalised ---- */

ROW(softmax, tsr_softmax(CTX, &b->a, 1, OUT))
ROW(softmax_0, tsr_softmax(CTX, &b->a, 0, OUT))
ON_ROWS(softmax_1000, 1000, tsr_softmax(CTX, &x, 1, OUT))
ON_ROWS(softmax_64, 64, tsr_softmax(CTX, &x, 1, OUT))
ON_ROWS(softmax_7, 7, tsr_softmax(CTX, &x, 1, OUT))
ROW(layer_norm, tsr_layer_norm(CTX, &b->a, &b->row, &b->scale, -1, (tsr_real)1e-5, OUT))
ROW(rms_norm, tsr_rms_norm(CTX, &b->a, &b->row, -1, (tsr_real)1e-5, OUT))
ON_IMAGES(group_norm, tsr_group_norm(CTX, &x, NULL, NULL, b->tiny ? 4 : 32, (tsr_real)1e-5, OUT))
ON_IMAGES(batch_norm, tsr_batch_norm(CTX, &x, NULL, NULL, &b->mean, &b->variance, (tsr_real)1e-5, OUT))
ROW(cross_entropy, tsr_cross_entropy(CTX, &b->a, &b->classes, -100, 0, TSR_REDUCE_MEAN, OUT))

/* ---- expressions: compiled in the first run ---- */

static tsr_status run_text(bench *b, int number, const char *text, int names, const tsr_named *named) {
  tsr_expr **const expr = &b->expr[number];
  const tsr_status st = *expr == NULL ? tsr_expr_new(CTX, text, expr) : TSR_OK;
  return st == TSR_OK ? tsr_expr_run(CTX, *expr, names, named, OUT) : st;
}
static tsr_status row_expr_gelu(bench *b) {
  tsr_status st = TSR_OK;
  if (b->c.ndim == 0) st = tsr_rand_normal(CTX, &b->rng, TSR_F32, TSR_SHAPE(b->side, b->side), &b->c);
  if (st != TSR_OK) return st;
  return run_text(b, 0, "gelu(a*b + c)", TSR_NAMED({"a", &b->a}, {"b", &b->b}, {"c", &b->c}));
}
ROW(expr_sum, run_text(b, 1, "sum((a - b)**2)", TSR_NAMED({"a", &b->a}, {"b", &b->b})))
ROW(expr_softmax,
    run_text(b, 2, "softmax(a*s + v, axis=1)", TSR_NAMED({"a", &b->a}, {"s", TSR_NUMBER(0.5)}, {"v", &b->row})))

/* ---- products ---- */

static tsr_status multiply(bench *b, const tsr_tensor *x, const tsr_tensor *y) {
  tsr_tensor u = {0}, v = {0};
  const tsr_index n = b->side / 2;
  tsr_status st = tsr_narrow(CTX, x, 0, 0, n / 2, &u);
  if (st == TSR_OK) st = tsr_reshape_view(CTX, &u, TSR_SHAPE(n, n), &u);
  if (st == TSR_OK) st = tsr_narrow(CTX, y, 0, 0, n / 2, &v);
  if (st == TSR_OK) st = tsr_reshape_view(CTX, &v, TSR_SHAPE(n, n), &v);
  return st == TSR_OK ? tsr_matmul(CTX, &u, &v, OUT) : st;
}
ROW(matmul_f32, multiply(b, &b->a, &b->b))
ROW(matmul_f16, multiply(b, &b->half[0], &b->half[1]))
ROW(matmul_bf16, multiply(b, &b->half[2], &b->half[2]))

/* ---- sorting, and writing by index ---- */

/* The first 16 M elements, or as many as there are; as rows of n. */
static tsr_status some_of(bench *b, tsr_index n, tsr_tensor *x) {
  const tsr_index all = b->side * b->side, most = (tsr_index)1 << 24, count = (all < most ? all : most) / n * n;
  tsr_status st = tsr_reshape_view(CTX, &b->a, TSR_SHAPE(all), x);
  if (st == TSR_OK) st = tsr_narrow(CTX, x, 0, 0, count, x);
  return st == TSR_OK && n > 1 ? tsr_reshape_view(CTX, x, TSR_SHAPE(count / n, n), x) : st;
}

#define ON_SOME(id, n, call)                   \
  static tsr_status row_##id(bench *b) {       \
    tsr_tensor x = {0};                        \
    const tsr_status made = some_of(b, n, &x); \
    return made == TSR_OK ? (call) : made;     \
  }
ON_SOME(sort, 1, tsr_sort(CTX, &x, 0, false, OUT))
ON_SOME(argsort, 1, tsr_argsort(CTX, &x, 0, false, OUT))
ON_SOME(sort_1024, b->tiny ? 64 : 1024, tsr_sort(CTX, &x, 1, false, OUT))
ON_SOME(argsort_1024, b->tiny ? 64 : 1024, tsr_argsort(CTX, &x, 1, false, OUT))
ON_SOME(topk, 1, tsr_topk(CTX, &x, 100, 0, true, true, OUT, NULL))
ON_SOME(topk_1024, b->tiny ? 64 : 1024, tsr_topk(CTX, &x, 10, 1, true, true, OUT, NULL))
ON_SOME(median, 1, tsr_median(CTX, &x, 0, NULL, false, OUT))

/* Whole numbers below 2^20; the result is made anew in each call, as its size depends on them. */
static tsr_status row_unique(bench *b) {
  const tsr_index all = b->side * b->side, most = (tsr_index)1 << 24;
  tsr_status st = TSR_OK;
  if (b->whole.ndim == 0)
    st = tsr_rand_integers(CTX, &b->rng, TSR_I32, TSR_SHAPE(all < most ? all : most), 0, 1 << 20, &b->whole);
  tsr_release(OUT);
  return st == TSR_OK ? tsr_unique(CTX, &b->whole, OUT, NULL, NULL, NULL) : st;
}

/* Rows of 64 to places that are drawn: in place, as PyTorch does it. */
static tsr_status row_index_add(bench *b) {
  tsr_tensor table = {0}, more = {0};
  const tsr_index n = tsr_size(&b->index);
  tsr_status st = rows_of(b, 64, &table);
  if (st == TSR_OK) st = tsr_narrow(CTX, &table, 0, 0, n, &more);
  if (st == TSR_OK && OUT->ndim == 0) st = tsr_contiguous(CTX, &more, OUT);
  return st == TSR_OK ? tsr_index_add(CTX, OUT, &b->index, &more, 0, OUT) : st;
}

static const bench_row rows[] = {
    {"copy", 2, 0, row_copy},
    {"add", 3, 0, row_add},
    {"gelu", 2, 0, row_gelu},
    {"cast f16", 1.5, 0, row_cast_f16},
    {"where", 3.25, 0, row_where},
    {"add row", 2, 0, row_add_row},
    {"add col", 2, 0, row_add_col},
    {"flip", 2, 0, row_flip},
    {"slice ::2", 1.5, 0, row_slice},
    {"transpose", 2, 0, row_transpose},
    {"transpose odd", 2, 0, row_transpose_odd},
    {"add odd", 3, 0, row_add_odd},
    {"nhwc", 2, 0, row_nhwc},
    {"concat of slices", 2, 0, row_concat_slices},
    {"concat", 2, 0, row_concat},
    {"pad", 2.03, 0, row_pad},
    {"gather rows of 64", 0.5, 0, row_gather},
    {"normal", 1, 0, row_normal},
    {"uniform", 1, 0, row_uniform},
    {"dropout", 2, 0, row_dropout},
    {"sum", 1, 0, row_sum},
    {"sum axis 0", 1, 0, row_sum_0},
    {"sum axis 1", 1, 0, row_sum_1},
    {"sum rows of 1000", 1, 0, row_sum_1000},
    {"sum rows of 64", 1.02, 0, row_sum_64},
    {"sum rows of 7", 1.14, 0, row_sum_7},
    {"max axis 0", 1, 0, row_max_0},
    {"argmax axis 0", 1, 0, row_argmax_0},
    {"argmax axis 1", 1, 0, row_argmax_1},
    {"var axis 1", 1, 0, row_var_1},
    {"logsumexp axis 1", 1, 0, row_logsumexp_1},
    {"cumsum axis 0", 2, 0, row_cumsum_0},
    {"cumsum axis 1", 2, 0, row_cumsum_1},
    {"cumsum rows of 1000", 2, 0, row_cumsum_1000},
    {"cumsum rows of 64", 2, 0, row_cumsum_64},
    {"cumsum", 2, 0, row_cumsum},
    {"nonzero", 2.5, 0, row_nonzero},
    {"masked select", 3, 0, row_masked_select},
    {"histogram", 1, 0, row_histogram},
    {"diff", 2, 0, row_diff},
    {"searchsorted", 3, 0, row_searchsorted},
    {"softmax", 2, 0, row_softmax},
    {"softmax axis 0", 2, 0, row_softmax_0},
    {"softmax rows of 1000", 2, 0, row_softmax_1000},
    {"softmax rows of 64", 2, 0, row_softmax_64},
    {"softmax rows of 7", 2, 0, row_softmax_7},
    {"layer norm", 2, 0, row_layer_norm},
    {"rms norm", 2, 0, row_rms_norm},
    {"group norm 32", 2, 0, row_group_norm},
    {"batch norm", 2, 0, row_batch_norm},
    {"cross entropy", 1, 0, row_cross_entropy},
    {"gelu bf16", 1, 0, row_gelu_bf16},
    {"gelu(a*b+c)", 4, 0, row_expr_gelu},
    {"sum((a-b)**2)", 2, 0, row_expr_sum},
    {"softmax(a*s+v)", 2, 0, row_expr_softmax},
    {"sort 16M", 0.125, 0, row_sort},
    {"argsort 16M", 0.1875, 0, row_argsort},
    {"sort rows of 1024", 0.125, 0, row_sort_1024},
    {"argsort rows of 1024", 0.1875, 0, row_argsort_1024},
    {"top 100 of 16M", 0.0625, 0, row_topk},
    {"top 10 of rows of 1024", 0.0625, 0, row_topk_1024},
    {"median 16M", 0.0625, 0, row_median},
    {"unique 16M i32", 0.0625, 0, row_unique},
    {"index_add 1M x 64", 0.75, 0, row_index_add},
    {"matmul f32", 0, 0.25, row_matmul_f32},
    {"matmul f16", 0, 0.25, row_matmul_f16},
    {"matmul bf16", 0, 0.25, row_matmul_bf16},
    {"conv 3x3 f32", 0, 0.00336456, row_conv_f32},
    {"conv 3x3 bf16 last", 0, 0.053833, row_conv_bf16},
    {"conv 3x3 64 bf16 last relu", 0, 0.00336456, row_conv_narrow},
    {"conv 1x1 bf16 last relu", 0, 0.00149536, row_conv_1},
    {"conv 1x1 f32 relu", 0, 0.00149536, row_conv_1_f32},
    {"conv transposed f32", 0, 0.00037384, row_transposed},
    {"conv 3d f32", 0, 0.00164795, row_conv3d},
    {"depthwise 3x3", 0.382812, 0, row_depthwise},
    {"depthwise 3x3 bf16 last", 0.191406, 0, row_depthwise_last},
    {"max pool 2", 1.25, 0, row_max_pool},
    {"max pool 3 by 2", 1.25, 0, row_max_pool_3},
    {"mean pool 2 last", 1.25, 0, row_avg_pool_last},
    {"global mean pool", 1, 0, row_global_mean},
    {"resize linear", 1.25, 0, row_resize_linear},
    {"resize nearest", 1.25, 0, row_resize_nearest},
    {"pixel shuffle", 2, 0, row_pixel_shuffle},

    {"attention f32", 0, 0.0625, row_attention_f32},
    {"attention f16", 0, 0.0625, row_attention_f16},
    {"attention bf16", 0, 0.0625, row_attention_bf16},
    {"attention bf16 causal", 0, 0.03125, row_attention_causal},
    {"attention bf16 of 128", 0, 0.0625, row_attention_128},
    {"decode f16", 1, 0, row_decode},
    {"decode f16 grouped", 1, 0, row_decode_grouped},
};

#endif
