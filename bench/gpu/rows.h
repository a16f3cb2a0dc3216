/* The rows: what is called, and how many bytes must move. Sizes are those of PyTorch's rows in gpu/torch_rows.py. */
#ifndef BENCH_GPU_ROWS_H
#define BENCH_GPU_ROWS_H

#include "bench.h"

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

static const bench_row rows[] = {
#define R(name, bytes, flops, id) {name, bytes, flops, row_##id},
    R("copy", 2, 0, copy) R("add", 3, 0, add) R("gelu", 2, 0, gelu) R("cast f16", 1.5, 0, cast_f16)
        R("where", 3.25, 0, where) R("add row", 2, 0, add_row) R("add col", 2, 0, add_col) R("flip", 2, 0, flip) R(
            "slice ::2", 1.5, 0, slice) R("transpose", 2, 0, transpose) R("transpose odd", 2, 0, transpose_odd)
            R("add odd", 3, 0, add_odd) R("nhwc", 2, 0, nhwc) R("concat of slices", 2, 0, concat_slices) R(
                "concat", 2, 0, concat) R("pad", 2.03, 0, pad) R("gather rows of 64", 0.5, 0, gather)
                R("normal", 1, 0, normal) R("sum", 1, 0, sum) R("sum axis 0", 1, 0, sum_0) R("sum axis 1", 1, 0, sum_1)
                    R("sum rows of 1000", 1, 0, sum_1000) R("sum rows of 64", 1.02, 0, sum_64) R(
                        "sum rows of 7", 1.14, 0, sum_7) R("max axis 0", 1, 0, max_0) R("argmax axis 0", 1, 0, argmax_0)
                        R("argmax axis 1", 1, 0, argmax_1) R("var axis 1", 1, 0, var_1)
                            R("logsumexp axis 1", 1, 0, logsumexp_1) R("softmax", 2, 0, softmax)
                                R("softmax axis 0", 2, 0, softmax_0) R("softmax rows of 1000", 2, 0, softmax_1000)
                                    R("softmax rows of 64", 2, 0, softmax_64) R("softmax rows of 7", 2, 0, softmax_7)
                                        R("layer norm", 2, 0, layer_norm) R("rms norm", 2, 0, rms_norm)
                                            R("group norm 32", 2, 0, group_norm) R("batch norm", 2, 0, batch_norm)
                                                R("cross entropy", 1, 0, cross_entropy) R("gelu bf16", 1, 0, gelu_bf16)
                                                    R("matmul f32", 0, 0.25, matmul_f32)
                                                        R("matmul f16", 0, 0.25, matmul_f16)
                                                            R("matmul bf16", 0, 0.25, matmul_bf16)
#undef R
};

#endif
