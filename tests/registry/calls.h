/* The tensors that the calls of calls.def refer to, and the calls as a table: for tests that call every op. */
#ifndef TSR_TEST_REGISTRY_CALLS_H
#define TSR_TEST_REGISTRY_CALLS_H

#include "support/helpers.h"
#include "support/test.h"

#include "ops/binary/binary.h"
#include "ops/unary/unary.h"

/* ---- the tensors that calls refer to ---- */

enum { ROOM = 64 };
typedef struct buffer {
  _Alignas(16) unsigned char bytes[ROOM * 16];
} buffer;

static buffer room[18];
static tsr_rng rng;

#define TENSOR(k, rank, ...) \
  { .ndim = rank, .shape = {__VA_ARGS__}, .data = room[k].bytes }
/* Those that follow an op's dtypes, */
static tsr_tensor x = TENSOR(0, 2, 3, 4), y = TENSOR(1, 2, 3, 4), z = TENSOR(2, 2, 3, 4), square = TENSOR(3, 2, 4, 4);
static tsr_tensor v = TENSOR(4, 1, 4), u = TENSOR(5, 1, 4), u2 = TENSOR(6, 1, 2), image = TENSOR(7, 4, 1, 2, 4, 4);
static tsr_tensor signal = TENSOR(8, 3, 1, 2, 6), volume = TENSOR(9, 5, 1, 1, 3, 3, 3);
static tsr_tensor filter1 = TENSOR(10, 3, 2, 2, 3), filter2 = TENSOR(11, 4, 2, 2, 3, 2);
static tsr_tensor filter3 = TENSOR(12, 5, 1, 1, 2, 2, 2), deep = TENSOR(13, 4, 1, 8, 2, 2), part = TENSOR(14, 2, 3, 4);
static tsr_tensor regular = TENSOR(15, 2, 4, 4); /* a matrix that is its own inverse */
static tsr_tensor *const followers[] = {&x,      &y,      &z,       &square,  &v,       &u,    &u2,   &image,
                                        &signal, &volume, &filter1, &filter2, &filter3, &deep, &part, &regular};
/* and those that do not. */
static float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static int32_t zero_one_two[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
static uint8_t bits[12] = {0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1};
static tsr_tensor four = {.dtype = TSR_F32, .ndim = 1, .shape = {4}, .stride = {1}, .data = ones};
static tsr_tensor table = {.dtype = TSR_F32, .ndim = 2, .shape = {3, 2}, .stride = {2, 1}, .data = ones};
static tsr_tensor rows = {.dtype = TSR_I32, .ndim = 1, .shape = {3}, .stride = {1}, .data = zero_one_two};
static int32_t places_in_turn[4] = {0, 1, 2, 3};
static tsr_tensor pivots = {.dtype = TSR_I32, .ndim = 1, .shape = {4}, .stride = {1}, .data = places_in_turn};
static tsr_tensor numbers = {.dtype = TSR_I32, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = zero_one_two};
static tsr_tensor places = {.dtype = TSR_I32, .ndim = 2, .shape = {3, 1}, .stride = {1, 1}, .data = zero_one_two};
static tsr_tensor truth = {.dtype = TSR_BOOL, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = bits};

/* Quantised numbers, and reals for them. */
static int8_t small_numbers[64] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 15, -16, 17, -18, 19, -20};
static float halves[12] = {-3, -2.5f, -2, -1.5f, -1, -0.5f, 0, 0.5f, 1, 1.5f, 2, 2.5f};
static int32_t large[12] = {-3000, 2, 70, 900, -1, 5, 0, 1, 8, -20, 31, 44};
static tsr_tensor qx = {.dtype = TSR_I8, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = small_numbers};
static tsr_tensor qsquare = {.dtype = TSR_I8, .ndim = 2, .shape = {4, 4}, .stride = {4, 1}, .data = small_numbers};
static tsr_tensor qimage = {
    .dtype = TSR_I8, .ndim = 4, .shape = {1, 2, 4, 4}, .stride = {32, 16, 4, 1}, .data = small_numbers};
static int16_t words[12] = {100, -200, 300, -400, 32767, -32768, 7, 8, 9, 10, 11, 12};
static tsr_tensor qwords = {.dtype = TSR_I16, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = words};
static int8_t four_bits[24] = {1, -2, 3, -4, 5, -6, 7, -8, 0, -1, 2};
static tsr_tensor qturned = {
    .dtype = TSR_I8, .ndim = 4, .shape = {2, 3, 2, 2}, .stride = {12, 4, 2, 1}, .data = small_numbers};
static tsr_tensor qfilter_i4 = {
    .dtype = TSR_I8, .ndim = 4, .shape = {3, 2, 2, 2}, .stride = {8, 4, 2, 1}, .data = four_bits};
static tsr_tensor qsquare_i4 = {.dtype = TSR_I8, .ndim = 2, .shape = {4, 4}, .stride = {4, 1}, .data = four_bits};
static tsr_tensor qfilter = {
    .dtype = TSR_I8, .ndim = 4, .shape = {3, 2, 2, 2}, .stride = {8, 4, 2, 1}, .data = small_numbers};
static tsr_tensor reals = {.dtype = TSR_F32, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = halves};
static tsr_tensor three_reals = {.dtype = TSR_F32, .ndim = 1, .shape = {3}, .stride = {1}, .data = halves};
static tsr_tensor sums = {.dtype = TSR_I32, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = large};
static tsr_tensor freal = {
    .dtype = TSR_F32, .ndim = 4, .shape = {1, 1, 3, 4}, .stride = {12, 12, 4, 1}, .data = halves};
static tsr_tensor fline = {.dtype = TSR_F32, .ndim = 3, .shape = {1, 2, 6}, .stride = {12, 6, 1}, .data = halves};
static tsr_tensor fones2 = {.dtype = TSR_F32, .ndim = 4, .shape = {2, 1, 2, 2}, .stride = {4, 4, 2, 1}, .data = ones};
static tsr_tensor fones1 = {.dtype = TSR_F32, .ndim = 3, .shape = {2, 2, 2}, .stride = {4, 2, 1}, .data = ones};
static tsr_tensor fturned = {.dtype = TSR_F32, .ndim = 2, .shape = {4, 3}, .stride = {1, 4}, .data = halves};

/* Packed weights, made when they are asked for first; what a call by name takes by pointer. */
static const tsr_quant q_a = {.dtype = TSR_I8, .scale = 0.5f, .zero = 3}, q_b = {.dtype = TSR_I8, .scale = 0.25f};
static const tsr_quant q_words = {.dtype = TSR_I16, .scale = 0.001f};
static const tsr_quant q_out = {.dtype = TSR_I16, .scale = 0.125f, .zero = -5};
static const float q_scales[] = {0.5f, 0.25f, 2};
static const int32_t q_zeros[] = {1, -1, 0};
static const tsr_quant q_rows = {.dtype = TSR_I8, .scales = q_scales, .zeros = q_zeros, .count = 3, .axis = 0};

static const tsr_packed *packed_matrix(void) {
  static tsr_packed packed;
  if (tsr_is_none(&packed.panels)) OK(NULL, tsr_pack(NULL, &fturned, TSR_NONE, &packed));
  return &packed;
}
static const tsr_conv_packed *packed_filters(const tsr_tensor *w, const tsr_tensor *like, tsr_conv_packed *packed) {
  if (tsr_is_none(&packed->panels)) OK(NULL, tsr_conv_pack(NULL, w, NULL, NULL, like, packed));
  return packed;
}
static tsr_conv_packed packed_2d, packed_1d;
static const tsr_qlayer *quantised_layer(const tsr_tensor *w) {
  static tsr_qlayer conv, dense;
  const tsr_qscheme scheme = {.x = q_a, .w = q_b, .out = q_out};
  if (w->ndim == 4 && tsr_is_none(&conv.table)) OK(NULL, tsr_qconv_pack(NULL, w, NULL, NULL, &scheme, &conv));
  if (w->ndim == 2 && tsr_is_none(&dense.table)) OK(NULL, tsr_qdense_pack(NULL, w, NULL, &scheme, &dense));
  return w->ndim == 4 ? &conv : &dense;
}

/* Layers of weights of 4 bits, or of transposed convolutions (kind 8). */
static const tsr_qlayer *own_layer(const tsr_tensor *w, int kind) {
  static tsr_qlayer conv, dense, transposed;
  tsr_qlayer *const layer = kind == 8 ? &transposed : w->ndim == 4 ? &conv : &dense;
  const tsr_qscheme scheme = {.x = q_a, .w = q_b, .out = q_out};
  if (!tsr_is_none(&layer->table)) return layer;
  OK(NULL, kind == 8      ? tsr_qconv_transpose_pack(NULL, w, NULL, NULL, &scheme, layer)
           : w->ndim == 4 ? tsr_qconv_i4_pack(NULL, w, NULL, NULL, &scheme, layer)
                          : tsr_qdense_i4_pack(NULL, w, NULL, &scheme, layer));
  return layer;
}

static void row_major(tsr_tensor *t) {
  tsr_index step = 1;
  for (int i = TSR_MAX_DIMS - 1; i >= 0; i--) {
    if (i >= t->ndim) t->shape[i] = 1;
    t->stride[i] = i < t->ndim ? step : 0;
    step *= t->shape[i];
  }
}

/* Whole numbers below limit, which every dtype holds; part has 0 and 1 alone. */
static void set_dtype(int dtype, int limit) {
  for (int k = 0; k < COUNT_OF(followers); k++) {
    tsr_tensor *const t = followers[k];
    t->dtype = (uint8_t)dtype;
    row_major(t);
    for (int i = 0; i < ROOM; i++)
      test_encode(dtype, t == &regular ? i % 5 == 0 : (i * 5 + k) % (t == &part ? 2 : limit),
                  room[k].bytes + (size_t)i * tsr_dtype_size(dtype));
  }
}

/* ---- the calls ---- */

#define I(...) \
  { __VA_ARGS__, NULL }
#define NO_INPUTS \
  { NULL }
#define A(...) \
  { __VA_ARGS__, tsr_attr_int(NULL, 0) }
#define NO_ATTRIBUTES \
  { tsr_attr_int(NULL, 0) }
#define BOOL(name, value) tsr_attr_bool(name, value)
#define INT(name, value) tsr_attr_int(name, value)
#define REAL(name, value) tsr_attr_real(name, value)
#define TEXT(name, value) tsr_attr_text(name, value)
#define RANDOM(name, value) tsr_attr_rng(name, value)
#define INTS(name, count, ...) tsr_attr_ints(name, count, (const tsr_index[]){__VA_ARGS__})
#define REALS(name, count, ...) tsr_attr_reals(name, count, (const tsr_real[]){__VA_ARGS__})

#define CALL(name, inputs, attributes, outputs, ...)                                                           \
  static tsr_status direct_##name(tsr_ctx *ctx, tsr_tensor *const *o) { return __VA_ARGS__; }                  \
  static tsr_status named_##name(tsr_ctx *ctx, tsr_tensor *const *o) {                                         \
    const tsr_tensor *const in[] = inputs;                                                                     \
    const tsr_attr attrs[] = attributes;                                                                       \
    return tsr_op_call(ctx, tsr_op_find(#name), COUNT_OF(in) - 1, in, COUNT_OF(attrs) - 1, attrs, outputs, o); \
  }
#include "registry/calls.def"
#undef CALL

typedef tsr_status call_fn(tsr_ctx *ctx, tsr_tensor *const *o);
typedef struct entry {
  const char *name;
  int outputs;
  call_fn *direct, *named;
} entry;

#define CALL(name, inputs, attributes, outputs, ...) {#name, outputs, direct_##name, named_##name},
static const entry calls[] = {
#include "registry/calls.def"
};
#undef CALL

static bool has_name(const char *name, const char *other) { return strcmp(name, other) == 0; }

/* Outputs that must be given. */
static bool needs_output(const char *name) {
  return has_name(name, "fill") || has_name(name, "fill_i64") || has_name(name, "fill_complex") ||
         has_name(name, "kv_append");
}

/* The dtype that calls of an op begin with. */
static int usual_dtype(const tsr_op *op) {
  if ((op->takes & 1 << TSR_CLASS_FLOAT) != 0 || op->takes == 0) return TSR_F32;
  return (op->takes & 1 << TSR_CLASS_INT) != 0 ? TSR_I32 : TSR_C64;
}

static void give_outputs(tsr_ctx *ctx, const entry *e, int dtype, tsr_tensor *out) {
  memset(out, 0, 4 * sizeof *out);
  rng = tsr_rng_seed(7);
  if (needs_output(e->name)) OK(ctx, tsr_zeros(ctx, dtype, TSR_SHAPE(6, 4), out));
  if (has_name(e->name, "qsvdf")) OK(ctx, tsr_zeros(ctx, TSR_I16, TSR_SHAPE(3, 4, 4), out)); /* a layer's memory */
  if (has_name(e->name, "qlstm")) OK(ctx, tsr_zeros(ctx, TSR_I16, TSR_SHAPE(3, 1), out));
}

static void release(tsr_tensor *out) {
  for (int i = 0; i < 4; i++) tsr_release(&out[i]);
}

/* Ops that leave the elements of their output as they are. */
static bool is_left_empty(const char *name) { return has_name(name, "empty") || has_name(name, "empty_like"); }

#endif
