/* Tessera as a contestant: products, and what networks are made of. Weights are packed before the clock runs where the
 * row allows it; images have their channels first or last, whichever is quicker, unless the row says. */
#include <string.h>

#include "tessera_contest.h"

static tsr_tensor c;
static tsr_packed packed;
static tsr_conv_packed filters;

/* ---- products ---- */

static void open_product(tsr_index m, tsr_index k, tsr_index n) {
  contest_input(&a, 0, TSR_SHAPE(m, k));
  contest_input(&b, 7, TSR_SHAPE(k, n));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(m, n));
}

static void open_packed(tsr_index m, tsr_index k, tsr_index n) {
  open_product(m, k, n);
  tsr_packed_release(&packed);
  must(tsr_pack(&context, &b, TSR_F32, &packed));
}

static void open_64(const contest_workload *w) { (void)w, open_product(64, 64, 64); }
static void open_256(const contest_workload *w) { (void)w, open_product(256, 256, 256); }
static void open_1024(const contest_workload *w) { (void)w, open_product(1024, 1024, 1024); }
static void open_2048(const contest_workload *w) { (void)w, open_product(2048, 2048, 2048); }
static void open_32(const contest_workload *w) { (void)w, open_product(32, 4096, 4096); }
static void open_256_packed(const contest_workload *w) { (void)w, open_packed(256, 256, 256); }
static void open_1024_packed(const contest_workload *w) { (void)w, open_packed(1024, 1024, 1024); }
static void open_2048_packed(const contest_workload *w) { (void)w, open_packed(2048, 2048, 2048); }
static void open_32_packed(const contest_workload *w) { (void)w, open_packed(32, 4096, 4096); }

static void open_32_transposed(const contest_workload *w) {
  (void)w;
  open_product(32, 4096, 4096);
  must(tsr_transpose(&context, &b, 0, 1, &b));
}

static void open_vector(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(4096));
  contest_input(&b, 7, TSR_SHAPE(4096, 4096));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(4096));
}

static void open_vector_transposed(const contest_workload *w) {
  open_vector(w);
  must(tsr_transpose(&context, &b, 0, 1, &b));
}

static void open_batch(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(64, 128, 64));
  contest_input(&b, 7, TSR_SHAPE(64, 64, 128));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(64, 128, 128));
}

static void open_doubles(const contest_workload *w) {
  must(tsr_from_memory(&context, contest_doubles(w->elements, 0), TSR_F64, TSR_SHAPE(1024, 1024), &a));
  must(tsr_from_memory(&context, contest_doubles(w->elements, 7), TSR_F64, TSR_SHAPE(1024, 1024), &b));
  contest_output(TSR_F64, CONTEST_F64, TSR_SHAPE(1024, 1024));
}

static const tsr_gemm_options to_i32 = {.dtype = TSR_I32}, to_f32 = {.dtype = TSR_F32};

static void open_int8(const contest_workload *w) {
  must(tsr_from_memory(&context, contest_u8(w->elements), TSR_U8, TSR_SHAPE(1024, 1024), &a));
  must(tsr_from_memory(&context, contest_i8(w->elements), TSR_I8, TSR_SHAPE(1024, 1024), &b));
  contest_output(TSR_I32, CONTEST_I32, TSR_SHAPE(1024, 1024));
  tsr_packed_release(&packed);
  must(tsr_pack(&context, &b, TSR_U8, &packed));
}

static void bf16_input(tsr_tensor *t, int64_t start) {
  tsr_tensor from = {0};
  contest_input(&from, start, TSR_SHAPE(1024, 1024));
  must(tsr_from_memory(&context, contest_bytes(2 * tsr_size(&from)), TSR_BF16, TSR_SHAPE(1024, 1024), t));
  must(tsr_copy(&context, &from, t));
}

static void open_bf16(const contest_workload *w) {
  (void)w;
  bf16_input(&a, 0);
  bf16_input(&b, 7);
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(1024, 1024));
  tsr_packed_release(&packed);
  must(tsr_pack(&context, &b, TSR_BF16, &packed));
}

RUN(run_product, tsr_matmul(&context, &a, &b, &out))
RUN(run_packed, tsr_matmul_packed(&context, &a, &packed, NULL, &out))
RUN(run_int8, tsr_matmul_packed(&context, &a, &packed, &to_i32, &out))
RUN(run_bf16, tsr_matmul_packed(&context, &a, &packed, &to_f32, &out))

/* ---- convolutions ---- */

typedef struct image_op {
  tsr_index x[4], w[4], y[4], stride, pad, groups; /* channels first; the last axis of a 1-D one is 0 */
} image_op;

static int rank_of(const image_op *i) { return i->x[3] == 0 ? 3 : 4; }

/* The same numbers with the channels last. */
static void make_channels_last(tsr_tensor *t, int rank) {
  tsr_tensor from = {0}, seen = {0};
  must(tsr_view(&context, t, &from));
  must(tsr_permute(&context, &from, rank == 4 ? (const int[]){0, 2, 3, 1} : (const int[]){0, 2, 1}, &seen));
  const int64_t bytes = tsr_size(t) * (int64_t)tsr_dtype_size(t->dtype);
  must(tsr_from_memory(&context, contest_bytes(bytes), t->dtype, rank, seen.shape, t));
  must(tsr_copy(&context, &seen, t));
  t->layout = rank == 4 ? TSR_NHWC : TSR_NLC;
}

static void open_conv(const image_op *i, bool last) {
  const int rank = rank_of(i);
  const tsr_conv_options options = {.stride = {i->stride, rank == 4 ? i->stride : 0},
                                    .pad_before = {i->pad, rank == 4 ? i->pad : 0},
                                    .pad_after = {i->pad, rank == 4 ? i->pad : 0},
                                    .groups = i->groups};
  contest_input(&a, 0, rank, i->x);
  contest_input(&b, 7, rank, i->w);
  contest_output(TSR_F32, CONTEST_F32, rank, i->y);
  if (last) {
    make_channels_last(&a, rank);
    make_channels_last(&out, rank);
    contest_result_nhwc((const float *)out.data, i->y[0], tsr_size(&out) / i->y[0] / i->y[1], i->y[1]);
  }
  tsr_conv_packed_release(&filters);
  must(tsr_conv_pack(&context, &b, NULL, &options, &a, &filters));
}

static void run_conv(long calls) {
  for (long i = 0; i < calls; i++)
    must(a.ndim == 3 ? tsr_conv1d_packed(&context, &a, &filters, &out)
                     : tsr_conv2d_packed(&context, &a, &filters, &out));
}

static double time_of(contest_run *run) {
  double least = 1e30;
  run(1);
  for (int i = 0; i < 5; i++) {
    const double start = contest_now_ns();
    run(1);
    const double ns = contest_now_ns() - start;
    if (ns < least) least = ns;
  }
  return least;
}

static void open_quickest(const image_op *i) {
  open_conv(i, true);
  const double last = time_of(run_conv);
  open_conv(i, false);
  if (last < time_of(run_conv)) open_conv(i, true);
}

static const image_op conv3_64 = {{1, 64, 56, 56}, {64, 64, 3, 3}, {1, 64, 56, 56}, 1, 1, 1};

static void open_conv7s2(const contest_workload *w) {
  (void)w;
  open_quickest(&(image_op){{1, 3, 224, 224}, {64, 3, 7, 7}, {1, 64, 112, 112}, 2, 3, 1});
}
static void open_conv3_64(const contest_workload *w) { (void)w, open_quickest(&conv3_64); }
static void open_conv3_64_last(const contest_workload *w) { (void)w, open_conv(&conv3_64, true); }
static void open_conv3_256(const contest_workload *w) {
  (void)w;
  open_quickest(&(image_op){{1, 256, 14, 14}, {256, 256, 3, 3}, {1, 256, 14, 14}, 1, 1, 1});
}
static void open_conv1x1(const contest_workload *w) {
  (void)w;
  open_quickest(&(image_op){{1, 128, 28, 28}, {512, 128, 1, 1}, {1, 512, 28, 28}, 1, 0, 1});
}
static void open_convdw3(const contest_workload *w) {
  (void)w;
  open_quickest(&(image_op){{1, 32, 112, 112}, {32, 1, 3, 3}, {1, 32, 112, 112}, 1, 1, 32});
}
static void open_conv1d(const contest_workload *w) {
  (void)w;
  open_quickest(&(image_op){{8, 64, 1024}, {64, 64, 5}, {8, 64, 1024}, 1, 2, 1});
}

/* ---- quantised layers: u8 by i8 to u8, one scale each, zero points 0, channels last ---- */

static tsr_qlayer quantised;
static const tsr_qscheme bytes = {.x = {.dtype = TSR_U8, .scale = 1},
                                  .w = {.dtype = TSR_I8, .scale = 1},
                                  .out = {.dtype = TSR_U8, .scale = 1 / CONTEST_SCALE}};

static void open_qmatmul(const contest_workload *w) {
  must(tsr_from_memory(&context, contest_u8(w->elements), TSR_U8, TSR_SHAPE(1024, 1024), &a));
  must(tsr_from_memory(&context, contest_i8(w->elements), TSR_I8, TSR_SHAPE(1024, 1024), &b));
  contest_output(TSR_U8, CONTEST_U8, TSR_SHAPE(1024, 1024));
  must(tsr_transpose(&context, &b, 0, 1, &b));
  tsr_qlayer_release(&quantised);
  must(tsr_qdense_pack(&context, &b, NULL, &bytes, &quantised));
}

static void open_qconv(const image_op *i) {
  const tsr_conv_options options = {.pad_before = {i->pad, i->pad}, .pad_after = {i->pad, i->pad}, .groups = i->groups};
  must(tsr_from_memory(&context, contest_u8(i->x[0] * i->x[1] * i->x[2] * i->x[3]), TSR_U8, 4, i->x, &a));
  must(tsr_from_memory(&context, contest_i8(i->w[0] * i->w[1] * i->w[2] * i->w[3]), TSR_I8, 4, i->w, &b));
  contest_output(TSR_U8, CONTEST_U8, 4, i->y);
  make_channels_last(&a, 4);
  make_channels_last(&out, 4);
  contest_result_last(out.data, CONTEST_U8, i->y[0], i->y[2] * i->y[3], i->y[1]);
  tsr_qlayer_release(&quantised);
  must(tsr_qconv_pack(&context, &b, NULL, &options, &bytes, &quantised));
}

static void open_qconv3(const contest_workload *w) { (void)w, open_qconv(&conv3_64); }
static void open_qconv1x1(const contest_workload *w) {
  (void)w;
  open_qconv(&(image_op){{1, 256, 56, 56}, {64, 256, 1, 1}, {1, 64, 56, 56}, 1, 0, 1});
}
static void open_qconvdw3(const contest_workload *w) {
  (void)w;
  open_qconv(&(image_op){{1, 32, 112, 112}, {32, 1, 3, 3}, {1, 32, 112, 112}, 1, 1, 32});
}
RUN(run_qdense, tsr_qdense(&context, &a, &quantised, &out))
RUN(run_qconv, tsr_qconv2d(&context, &a, &quantised, &out))

/* ---- pooling, softmax, norms, attention ---- */

static void open_pool(bool last) {
  contest_input(&a, 0, TSR_SHAPE(1, 64, 112, 112));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(1, 64, 56, 56));
  if (!last) return;
  make_channels_last(&a, 4);
  make_channels_last(&out, 4);
  contest_result_nhwc((const float *)out.data, 1, 56 * 56, 64);
}

static const tsr_pool_options pool_options = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}};
RUN(run_pool, tsr_max_pool(&context, &a, TSR_SHAPE(3, 3), &pool_options, &out))

static void open_pool_last(const contest_workload *w) { (void)w, open_pool(true); }
static void open_pool_quickest(const contest_workload *w) {
  (void)w;
  open_pool(true);
  const double last = time_of(run_pool);
  open_pool(false);
  if (last < time_of(run_pool)) open_pool(true);
}

static void open_softmax(const contest_workload *w) {
  const tsr_index rows = w->elements == 1048576 ? 1024 : 64;
  contest_input(&a, 0, TSR_SHAPE(rows, w->elements / rows));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(rows, w->elements / rows));
}

static void open_layernorm(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(1024, 1024));
  contest_input(&b, 3, TSR_SHAPE(1024));
  contest_input(&c, 11, TSR_SHAPE(1024));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(1024, 1024));
}

RUN(run_softmax, tsr_softmax(&context, &a, 1, &out))
RUN(run_layernorm, tsr_layer_norm(&context, &a, &b, &c, 1, 1e-5, &out))

static void open_attention(const contest_workload *w) {
  (void)w;
  contest_input(&a, 0, TSR_SHAPE(1, 8, 512, 64));
  contest_input(&b, 7, TSR_SHAPE(1, 8, 512, 64));
  contest_input(&c, 13, TSR_SHAPE(1, 8, 512, 64));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(1, 8, 512, 64));
}

/* One query a head, and all keys and values so far; heads of q, and of k and v. */
static void open_decode(tsr_index batch, tsr_index heads, tsr_index shared, tsr_index keys, tsr_index columns) {
  contest_input(&a, 0, TSR_SHAPE(batch, heads, 1, columns));
  contest_input(&b, 7, TSR_SHAPE(batch, shared, keys, columns));
  contest_input(&c, 13, TSR_SHAPE(batch, shared, keys, columns));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(batch, heads, 1, columns));
}

static void open_decode_gqa(const contest_workload *w) { (void)w, open_decode(1, 32, 8, 4096, 128); }
static void open_decode_all(const contest_workload *w) { (void)w, open_decode(8, 16, 16, 1024, 64); }

RUN(run_attention, tsr_attention(&context, &a, &b, &c, NULL, NULL, &out))

/* ---- random cases ---- */

/* (batch, m, k, n) */
static void open_any_product(const tsr_index *s, bool a_transposed, bool b_transposed) {
  contest_input(&a, 0, 3, a_transposed ? (const tsr_index[]){s[0], s[2], s[1]} : (const tsr_index[]){s[0], s[1], s[2]});
  contest_input(&b, 7, 3, b_transposed ? (const tsr_index[]){s[0], s[3], s[2]} : (const tsr_index[]){s[0], s[2], s[3]});
  if (a_transposed) must(tsr_transpose(&context, &a, 1, 2, &a));
  if (b_transposed) must(tsr_transpose(&context, &b, 1, 2, &b));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(s[0], s[1], s[3]));
}

/* (channels, height, width, filters, kernel, stride, pad, groups) */
static void open_any_conv(const tsr_index *s) {
  const tsr_index height = (s[1] + 2 * s[6] - s[4]) / s[5] + 1, width = (s[2] + 2 * s[6] - s[4]) / s[5] + 1;
  open_quickest(
      &(image_op){{1, s[0], s[1], s[2]}, {s[3], s[0] / s[7], s[4], s[4]}, {1, s[3], height, width}, s[5], s[6], s[7]});
}

static tsr_index any_kernel[2];
static tsr_pool_options any_options;
RUN(run_any_pool, tsr_max_pool(&context, &a, 2, any_kernel, &any_options, &out))

/* (channels, height, width, kernel, stride, pad) */
static void open_any_pool(const tsr_index *s) {
  any_kernel[0] = any_kernel[1] = s[3];
  any_options = (tsr_pool_options){.stride = {s[4], s[4]}, .pad_before = {s[5], s[5]}, .pad_after = {s[5], s[5]}};
  contest_input(&a, 0, TSR_SHAPE(1, s[0], s[1], s[2]));
  contest_output(TSR_F32, CONTEST_F32,
                 TSR_SHAPE(1, s[0], (s[1] + 2 * s[5] - s[3]) / s[4] + 1, (s[2] + 2 * s[5] - s[3]) / s[4] + 1));
}

/* (rows, columns) */
static void open_any_rows(const tsr_index *s) {
  contest_input(&a, 0, TSR_SHAPE(s[0], s[1]));
  contest_input(&b, 3, TSR_SHAPE(s[1]));
  contest_input(&c, 11, TSR_SHAPE(s[1]));
  contest_output(TSR_F32, CONTEST_F32, TSR_SHAPE(s[0], s[1]));
}

contest_run *contest_open_network_sweep(const char *op, const tsr_index *numbers, bool a_transposed,
                                        bool b_transposed) {
  if (strcmp(op, "matmul") == 0) return open_any_product(numbers, a_transposed, b_transposed), run_product;
  if (strcmp(op, "conv") == 0) return open_any_conv(numbers), run_conv;
  if (strcmp(op, "maxpool") == 0) return open_any_pool(numbers), run_any_pool;
  if (strcmp(op, "softmax") == 0) return open_any_rows(numbers), run_softmax;
  if (strcmp(op, "layernorm") == 0) return open_any_rows(numbers), run_layernorm;
  return NULL;
}

/* ---- the rows ---- */

const contest_row contest_network_rows[] = {
    {"sgemm_64", open_64, run_product},
    {"sgemm_256", open_256, run_product},
    {"sgemm_1024", open_1024, run_product},
    {"sgemm_2048", open_2048, run_product},
    {"sgemm_256_packed", open_256_packed, run_packed},
    {"sgemm_1024_packed", open_1024_packed, run_packed},
    {"sgemm_2048_packed", open_2048_packed, run_packed},
    {"dgemm_1024", open_doubles, run_product},
    {"gemv_4096", open_vector, run_product},
    {"gemv_4096_wT", open_vector_transposed, run_product},
    {"gemm_32x4096", open_32, run_product},
    {"gemm_32x4096_wT", open_32_transposed, run_product},
    {"gemm_32x4096_packed", open_32_packed, run_packed},
    {"bmm_64", open_batch, run_product},
    {"int8gemm_1024", open_int8, run_int8},
    {"qmatmul_1024", open_qmatmul, run_qdense},
    {"qconv3_64", open_qconv3, run_qconv},
    {"qconv1x1", open_qconv1x1, run_qconv},
    {"qconvdw3", open_qconvdw3, run_qconv},
    {"bf16gemm_1024", open_bf16, run_bf16},
    {"conv7s2", open_conv7s2, run_conv},
    {"conv3_64", open_conv3_64, run_conv},
    {"conv3_64_nhwc", open_conv3_64_last, run_conv},
    {"conv3_256", open_conv3_256, run_conv},
    {"conv1x1", open_conv1x1, run_conv},
    {"convdw3", open_convdw3, run_conv},
    {"conv1d", open_conv1d, run_conv},
    {"maxpool", open_pool_quickest, run_pool},
    {"maxpool_nhwc", open_pool_last, run_pool},
    {"softmax_1024", open_softmax, run_softmax},
    {"softmax_64x50257", open_softmax, run_softmax},
    {"layernorm_1024", open_layernorm, run_layernorm},
    {"attn", open_attention, run_attention},
    {"attn_decode_gqa", open_decode_gqa, run_attention},
    {"attn_decode", open_decode_all, run_attention},
    {NULL, NULL, NULL},
};
