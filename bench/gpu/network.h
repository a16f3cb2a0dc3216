/* Whole networks, with random weights: shaped as ResNet-50 and as a transformer of 12 layers, recorded and replayed in planned memory. PyTorch has the
 * same in gpu/torch_networks.py. "network KIND DTYPE BATCH" is answered with milliseconds of a run, bytes that were planned, and calls. */
#ifndef BENCH_GPU_NETWORK_H
#define BENCH_GPU_NETWORK_H

#include "bench.h"

#include <math.h>

enum { NETWORK_MOST = 256 };

typedef struct network {
  int dtype;
  tsr_index batch;
  bool tiny;
  int weights;
  tsr_tensor weight[NETWORK_MOST]; /* in the order in which the calls take them */
  int next;                        /* of the recording */
} network;

/* ---- weights ---- */

/* One of a number, so large that what goes through the network stays about 1. */
static tsr_status add_weight(bench *b, network *n, int ndim, const tsr_index *shape, double scale) {
  tsr_tensor *const w = &n->weight[n->weights];
  if (n->weights == NETWORK_MOST) return TSR_ELIMIT;
  tsr_status st = tsr_rand_normal_scaled(&b->ctx, &b->rng, TSR_F32, ndim, shape, 0, scale, w);
  if (st == TSR_OK && n->dtype != TSR_F32) {
    tsr_tensor narrow = {0};
    st = tsr_cast(&b->ctx, w, n->dtype, &narrow);
    tsr_release(w);
    *w = narrow;
  }
  n->weights += st == TSR_OK;
  return st;
}

static const tsr_tensor *next_weight(network *n) { return &n->weight[n->next++]; }

/* ---- ResNet-50: channels last ---- */

static const int resnet_blocks[4] = {3, 4, 6, 3};

static tsr_index width_of(const network *n, tsr_index channels) { return n->tiny ? channels / 16 : channels; }

static tsr_status add_filters(bench *b, network *n, tsr_index in, tsr_index out, tsr_index side) {
  tsr_status st = add_weight(b, n, 4, (const tsr_index[]){out, side, side, in}, sqrt(1.0 / (double)(in * side * side)));
  if (st == TSR_OK) st = tsr_set_layout(&b->ctx, &n->weight[n->weights - 1], TSR_OHWI, &n->weight[n->weights - 1]);
  return st == TSR_OK ? add_weight(b, n, 1, &out, 0.1) : st;
}

/* Filters in the order of convolve_next: the first, and of each block its three, and one more where sizes change. */
static tsr_status make_resnet(bench *b, network *n) {
  tsr_index in = width_of(n, 64);
  tsr_status st = add_filters(b, n, 3, in, 7);
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < resnet_blocks[s] && st == TSR_OK; k++) {
      const tsr_index inner = width_of(n, 64) << s;
      st = add_filters(b, n, in, inner, 1);
      if (st == TSR_OK) st = add_filters(b, n, inner, inner, 3);
      if (st == TSR_OK) st = add_filters(b, n, inner, 4 * inner, 1);
      if (st == TSR_OK && k == 0) st = add_filters(b, n, in, 4 * inner, 1);
      in = 4 * inner;
    }
  if (st == TSR_OK) st = add_weight(b, n, 2, (const tsr_index[]){n->tiny ? 10 : 1000, in}, 0.02);
  return st == TSR_OK ? add_weight(b, n, 1, (const tsr_index[]){n->tiny ? 10 : 1000}, 0.1) : st;
}

static tsr_status convolve_next(bench *b, network *n, const tsr_tensor *x, tsr_index pad, tsr_index stride, bool relu,
                                tsr_tensor *out) {
  const tsr_tensor *const w = next_weight(n), *const bias = next_weight(n);
  const tsr_conv_options options = {.stride = {stride, stride},
                                    .pad_before = {pad, pad},
                                    .pad_after = {pad, pad},
                                    .activation = {relu ? TSR_RELU : NULL, 0, 0}};
  return tsr_conv2d(&b->ctx, x, w, bias, &options, out);
}

/* Of a block's calls: what comes in is released, what goes out is in *x. */
static tsr_status bottleneck(bench *b, network *n, tsr_index stride, bool changes, tsr_tensor *x) {
  tsr_tensor one = {0}, two = {0}, three = {0}, aside = {0}, sum = {0};
  tsr_status st = convolve_next(b, n, x, 0, 1, true, &one);
  if (st == TSR_OK) st = convolve_next(b, n, &one, 1, stride, true, &two);
  if (st == TSR_OK) st = convolve_next(b, n, &two, 0, 1, false, &three);
  if (st == TSR_OK && changes) st = convolve_next(b, n, x, 0, stride, false, &aside);
  if (st == TSR_OK) st = tsr_add(&b->ctx, &three, changes ? &aside : x, &sum);
  if (st == TSR_OK) st = tsr_relu(&b->ctx, &sum, &sum);
  tsr_tensor *const gone[] = {&one, &two, &three, &aside, x};
  for (int i = 0; i < 5; i++) tsr_release(gone[i]);
  *x = sum;
  return st;
}

static tsr_status run_resnet(bench *b, network *n, const tsr_tensor *image, tsr_tensor *out) {
  const tsr_pool_options pool = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}};
  tsr_tensor x = {0}, first = {0}, pooled = {0};
  tsr_status st = convolve_next(b, n, image, 3, 2, true, &first);
  if (st == TSR_OK) st = tsr_max_pool(&b->ctx, &first, 2, (const tsr_index[]){3, 3}, &pool, &x);
  tsr_release(&first);
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < resnet_blocks[s] && st == TSR_OK; k++)
      st = bottleneck(b, n, s > 0 && k == 0 ? 2 : 1, k == 0, &x);
  if (st == TSR_OK) st = tsr_global_avg_pool(&b->ctx, &x, false, &pooled);
  const tsr_tensor *const w = next_weight(n), *const bias = next_weight(n);
  if (st == TSR_OK) st = tsr_dense(&b->ctx, &pooled, w, bias, NULL, out);
  tsr_release(&x);
  tsr_release(&pooled);
  return st;
}

/* ---- a transformer: 12 layers of 768 features and 12 heads over 128 tokens ---- */

enum { LAYERS = 12, HEADS = 12 };
static tsr_index features_of(const network *n) { return n->tiny ? 48 : 768; }

static tsr_status add_dense(bench *b, network *n, tsr_index in, tsr_index out) {
  const tsr_status st = add_weight(b, n, 2, (const tsr_index[]){out, in}, sqrt(1.0 / (double)in));
  return st == TSR_OK ? add_weight(b, n, 1, &out, 0.1) : st;
}

static tsr_status make_transformer(bench *b, network *n) {
  const tsr_index e = features_of(n);
  tsr_status st = TSR_OK;
  for (int l = 0; l < LAYERS && st == TSR_OK; l++) {
    st = add_weight(b, n, 1, &e, 1);
    if (st == TSR_OK) st = add_weight(b, n, 1, &e, 0.1);
    if (st == TSR_OK) st = add_dense(b, n, e, 3 * e);
    if (st == TSR_OK) st = add_dense(b, n, e, e);
    if (st == TSR_OK) st = add_weight(b, n, 1, &e, 1);
    if (st == TSR_OK) st = add_weight(b, n, 1, &e, 0.1);
    if (st == TSR_OK) st = add_dense(b, n, e, 4 * e);
    if (st == TSR_OK) st = add_dense(b, n, 4 * e, e);
  }
  return st;
}

static tsr_status normalise_next(bench *b, network *n, const tsr_tensor *x, tsr_tensor *out) {
  const tsr_tensor *const scale = next_weight(n), *const bias = next_weight(n);
  return tsr_layer_norm(&b->ctx, x, scale, bias, -1, 1e-5, out);
}

static tsr_status dense_next(bench *b, network *n, const tsr_tensor *x, bool gelu, tsr_tensor *out) {
  const tsr_tensor *const w = next_weight(n), *const bias = next_weight(n);
  return tsr_dense(&b->ctx, x, w, bias, gelu ? &(tsr_activation){.kind = TSR_GELU} : NULL, out);
}

/* Queries, keys and values are parts of one product, (B, S, 3, H, D), and seen as (B, H, S, D). */
static tsr_status attend_next(bench *b, const tsr_tensor *all, tsr_tensor *out) {
  const tsr_index batch = all->shape[0], s = all->shape[1], e = all->shape[2] / 3, d = e / HEADS;
  tsr_tensor parts = {0}, part[3] = {{0}}, heads = {0}, swapped = {0};
  tsr_status st = tsr_reshape_view(&b->ctx, all, TSR_SHAPE(batch, s, 3, HEADS, d), &parts);
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    st = tsr_select(&b->ctx, &parts, 2, i, &part[i]);
    if (st == TSR_OK) st = tsr_permute(&b->ctx, &part[i], (const int[]){0, 2, 1, 3}, &part[i]);
  }
  if (st == TSR_OK) st = tsr_attention(&b->ctx, &part[0], &part[1], &part[2], NULL, NULL, &heads);
  if (st == TSR_OK) st = tsr_permute(&b->ctx, &heads, (const int[]){0, 2, 1, 3}, &swapped);
  if (st == TSR_OK) st = tsr_reshape(&b->ctx, &swapped, TSR_SHAPE(batch, s, e), out);
  tsr_tensor *const gone[] = {&part[0], &part[1], &part[2], &parts, &swapped, &heads};
  for (int i = 0; i < 6; i++) tsr_release(gone[i]);
  return st;
}

static tsr_status layer(bench *b, network *n, tsr_tensor *x) {
  tsr_tensor normal = {0}, all = {0}, seen = {0}, out = {0}, middle = {0}, again = {0}, wide = {0}, last = {0},
             end = {0};
  tsr_status st = normalise_next(b, n, x, &normal);
  if (st == TSR_OK) st = dense_next(b, n, &normal, false, &all);
  if (st == TSR_OK) st = attend_next(b, &all, &seen);
  if (st == TSR_OK) st = dense_next(b, n, &seen, false, &out);
  if (st == TSR_OK) st = tsr_add(&b->ctx, x, &out, &middle);
  if (st == TSR_OK) st = normalise_next(b, n, &middle, &again);
  if (st == TSR_OK) st = dense_next(b, n, &again, true, &wide);
  if (st == TSR_OK) st = dense_next(b, n, &wide, false, &last);
  if (st == TSR_OK) st = tsr_add(&b->ctx, &middle, &last, &end);
  tsr_tensor *const gone[] = {&normal, &all, &seen, &out, &middle, &again, &wide, &last, x};
  for (int i = 0; i < 9; i++) tsr_release(gone[i]);
  *x = end;
  return st;
}

static tsr_status run_transformer(bench *b, network *n, const tsr_tensor *tokens, tsr_tensor *out) {
  tsr_status st = tsr_share(&b->ctx, tokens, out);
  for (int l = 0; l < LAYERS && st == TSR_OK; l++) st = layer(b, n, out);
  return st;
}

/* ---- measured ---- */

typedef struct network_run {
  tsr_program *program;
  tsr_tensor x, y;
} network_run;

static tsr_status run_network(bench *b, const void *what) {
  const network_run *const r = what;
  tsr_tensor y = r->y;
  return tsr_program_run(&b->ctx, r->program, 1, (const tsr_tensor *const[]){&r->x}, 1, (tsr_tensor *const[]){&y});
}

static tsr_status record_network(bench *b, network *n, bool resnet, network_run *r) {
  tsr_tensor x = {0}, y = {0};
  tsr_status st = tsr_program_begin(&b->ctx, r->program);
  if (st != TSR_OK) return st;
  st = tsr_program_input(&b->ctx, r->program, "x", &r->x, &x);
  if (st == TSR_OK) st = resnet ? run_resnet(b, n, &x, &y) : run_transformer(b, n, &x, &y);
  if (st == TSR_OK) st = tsr_program_output(&b->ctx, r->program, "y", &y);
  tsr_release(&x);
  tsr_release(&y);
  const tsr_status ended = tsr_program_end_fused(&b->ctx, r->program, NULL);
  return st == TSR_OK ? ended : st;
}

static tsr_status make_input(bench *b, const network *n, bool resnet, tsr_tensor *x) {
  const tsr_index side = n->tiny ? 16 : 224, image[] = {n->batch, side, side, 3},
                  tokens[] = {n->batch, n->tiny ? 4 : 128, features_of(n)};
  tsr_tensor wide = {0};
  tsr_status st = tsr_rand_normal(&b->ctx, &b->rng, TSR_F32, resnet ? 4 : 3, resnet ? image : tokens, &wide);
  if (st == TSR_OK) st = tsr_cast(&b->ctx, &wide, n->dtype, x);
  if (st == TSR_OK && resnet) st = tsr_set_layout(&b->ctx, x, TSR_NHWC, x);
  tsr_release(&wide);
  return st;
}

static void answer_network(bench *b, const char *line) {
  static network n; /* a quarter of a hundred KB */
  network_run r = {0};
  char kind[16], dtype[8];
  int batch = 1;
  double ms = 0;
  n = (network){.tiny = b->tiny};
  if (sscanf(line, "%15s %7s %d", kind, dtype, &batch) != 3) {
    printf("error network KIND DTYPE BATCH\n");
    return;
  }
  const bool resnet = strcmp(kind, "resnet") == 0;
  n.dtype = strcmp(dtype, "bf16") == 0 ? TSR_BF16 : TSR_F32;
  n.batch = b->tiny && batch > 2 ? 2 : batch;
  tsr_status st = resnet ? make_resnet(b, &n) : make_transformer(b, &n);
  if (st == TSR_OK) st = make_input(b, &n, resnet, &r.x);
  if (st == TSR_OK) st = tsr_program_new(&b->ctx, &r.program);
  if (st == TSR_OK) st = record_network(b, &n, resnet, &r);
  if (st == TSR_OK)
    st = tsr_program_run(&b->ctx, r.program, 1, (const tsr_tensor *const[]){&r.x}, 1, (tsr_tensor *const[]){&r.y});
  if (st == TSR_OK) st = bench_time(b, run_network, &r, &ms);
  if (st == TSR_OK)
    printf("%.6f %zu %d\n", ms, tsr_program_memory(r.program).planned, tsr_program_calls(r.program));
  else
    printf("error %s\n", tsr_error(&b->ctx));
  if (tsr_device_sync(&b->ctx, b->gpu) != TSR_OK) printf("error %s\n", tsr_error(&b->ctx));
  tsr_program_free(r.program);
  tsr_release(&r.x);
  tsr_release(&r.y);
  for (int i = 0; i < n.weights; i++) tsr_release(&n.weight[i]);
}

#endif
