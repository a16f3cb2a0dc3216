/* Cases of packed weights and quantised numbers. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#define D(input) (m->c->in[input])

/* The input that was added last becomes the weights, or the bias, of the struct that the attribute is. */
static void take_weights(op_make *m, op_object_kind kind, const tsr_attr *attr) {
  op_case *const c = m->c;
  c->object = kind;
  c->weights = c->in[--c->inputs];
  c->in[c->inputs] = (tsr_tensor){0};
  c->repeats[c->inputs] = 0;
  c->attr[c->attrs++] = *attr;
}
static void take_bias(op_make *m) {
  op_case *const c = m->c;
  c->bias = c->in[--c->inputs];
  c->in[c->inputs] = (tsr_tensor){0};
  c->repeats[c->inputs] = 0;
}

/* A dtype of quantised numbers. */
static int any_quantised(op_make *m, bool bytes) {
  return (int[]){TSR_I8, TSR_U8, TSR_I16}[any_of(m, 0, bytes ? 1 : 2)];
}
static int add_quantised(op_make *m, op_shape shape, bool bytes) {
  return op_add(m, any_quantised(m, bytes), shape, OP_WILD);
}

/* ---- packed weights ---- */

void make_packed(op_make *m) { /* matmul_packed, gemm_packed */
  const tsr_index k = any_of(m, 0, m->size == 0 ? 9 : 70), rows = any_of(m, 1, 70), columns = any_of(m, 1, 70);
  const int dtype = op_any_dtype(m, 1u << TSR_CLASS_INT | 1u << TSR_CLASS_UINT | 1u << TSR_CLASS_FLOAT);
  const bool integers = tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT;
  const tsr_attr packed = tsr_attr_packed("b", NULL);
  op_sum_of(m, k);
  op_add(m, dtype, one_in(m, 3) ? SHAPE(2, rows, k) : SHAPE(rows, k), OP_NEAR);
  op_add(m, dtype, SHAPE(k, columns), OP_NEAR);
  take_weights(m, OP_PACKED, &packed);
  if (op_is(m, "gemm_packed")) {
    one_in(m, 2) ? op_add_none(m) : op_add(m, dtype, SHAPE(1, columns), OP_NEAR);
    if (D(1).dtype != TSR_NONE) op_real(m, "beta", integers || one_in(m, 2) ? 1 : 0.5);
    if (!integers && one_in(m, 2)) op_real(m, "alpha", 0.75);
  }
  one_in(m, 2) ? op_add_none(m) : op_add(m, dtype, SHAPE(columns), OP_NEAR);
  if (!integers) op_activate(m);
}

static int small_float(op_make *m) {
  const int dtype = op_any_dtype(m, 1u << TSR_CLASS_FLOAT);
  return dtype == TSR_F64 ? TSR_F32 : dtype;
}

void make_packed_conv(op_make *m) { /* conv2d_packed, conv1d_packed */
  const bool last = one_in(m, 2), flat = op_is(m, "conv1d_packed");
  const tsr_index c = any_of(m, 1, 9), o = any_of(m, 1, 17), h = any_of(m, 3, 20), w = any_of(m, 3, 20);
  const int dtype = small_float(m);
  const tsr_attr packed = tsr_attr_conv_packed("packed", NULL);
  op_sum_of(m, 9 * c);
  if (flat)
    op_add(m, dtype, last ? SHAPE(2, w, c) : SHAPE(2, c, w), OP_NEAR);
  else
    op_add(m, dtype, last ? SHAPE(2, h, w, c) : SHAPE(2, c, h, w), OP_NEAR);
  D(0).layout = (uint8_t)(!last ? TSR_PLAIN : flat ? TSR_NLC : TSR_NHWC);
  if (one_in(m, 2)) {
    op_add(m, dtype, SHAPE(o), OP_NEAR);
    take_bias(m);
  }
  op_add(m, dtype, flat ? SHAPE(o, c, 3) : SHAPE(o, c, one_in(m, 2) ? 3 : 1, one_in(m, 2) ? 3 : 2), OP_NEAR);
  take_weights(m, OP_CONV_PACKED, &packed);
}

/* No more than 4 bits hold. */
static void narrow(tsr_tensor *w) {
  int8_t *const at = w->data;
  for (tsr_index i = 0; i < tsr_size(w); i++) at[i] = at[i] > 7 ? 7 : at[i];
}

/* Weights of 4 bits are small whole numbers of i8; filters of transposed convolutions are [C,O,KH,KW]. */
static void make_filters(op_make *m, op_object_kind kind) {
  const bool last = one_in(m, 2), turned = kind == OP_QCONV_T;
  const tsr_index c = any_of(m, 1, 9), o = any_of(m, 1, 17), h = any_of(m, 3, 20), w = any_of(m, 3, 20);
  const tsr_attr layer = tsr_attr_qlayer("layer", NULL);
  add_quantised(m, last ? SHAPE(2, h, w, c) : SHAPE(2, c, h, w), false);
  D(0).layout = last ? TSR_NHWC : TSR_PLAIN;
  if (one_in(m, 2)) {
    op_add(m, TSR_I32, SHAPE(o), OP_NEAR);
    take_bias(m);
  }
  op_add(m, kind == OP_QCONV_I4 ? TSR_I8 : any_quantised(m, true),
         SHAPE(turned ? c : o, turned ? o : c, one_in(m, 2) ? 3 : 1, one_in(m, 2) ? 3 : 2), OP_WHOLE);
  if (kind == OP_QCONV_I4) narrow(&D(m->c->inputs - 1));
  take_weights(m, kind, &layer);
}
void make_qconv(op_make *m) { make_filters(m, OP_QCONV); }
void make_qconv_i4(op_make *m) { make_filters(m, OP_QCONV_I4); }
void make_qconv_transpose(op_make *m) { make_filters(m, OP_QCONV_T); }

static void make_rows(op_make *m, op_object_kind kind) {
  const tsr_index f = any_of(m, 1, m->size == 0 ? 9 : 70), o = any_of(m, 1, 40);
  const tsr_attr layer = tsr_attr_qlayer("layer", NULL);
  add_quantised(m, one_in(m, 3) ? SHAPE(2, any_of(m, 1, 9), f) : SHAPE(any_of(m, 1, 40), f), false);
  if (one_in(m, 2)) {
    op_add(m, TSR_I32, SHAPE(o), OP_WHOLE);
    take_bias(m);
  }
  op_add(m, kind == OP_QDENSE_I4 ? TSR_I8 : any_quantised(m, true), SHAPE(o, f), OP_WHOLE);
  if (kind == OP_QDENSE_I4) narrow(&D(m->c->inputs - 1));
  take_weights(m, kind, &layer);
}
void make_qdense(op_make *m) { make_rows(m, OP_QDENSE); }
void make_qdense_i4(op_make *m) { make_rows(m, OP_QDENSE_I4); }

/* ---- quantised numbers ---- */

/* The attributes of a quantisation, whose names begin with prefix: of a whole tensor, or of three channels of axis 1. */
typedef struct names {
  const char *scale, *zero, *scales, *zeros, *axis, *dtype;
} names;
#define NAMES(prefix) \
  ((names){prefix "scale", prefix "zero", prefix "scales", prefix "zeros", prefix "axis", prefix "dtype"})

static void quantised(op_make *m, names n, int dtype, double scale, int zero) {
  op_real(m, n.scale, scale);
  op_int(m, n.zero, zero);
  op_int(m, n.dtype, dtype);
}
static void quantised_by_axis(op_make *m, names n, int dtype, bool zeros) {
  op_reals(m, n.scales, 3, (const double[]){0.5, 0.3, 0.125});
  if (zeros) op_ints(m, n.zeros, 3, (const tsr_index[]){1, 120, 3});
  op_int(m, n.axis, one_in(m, 2) || D(0).ndim > 2 ? 1 : -1);
  op_int(m, n.dtype, dtype);
}
static op_shape shape_with_channels(op_make *m, bool channels) {
  op_shape s = op_any_shape(m, channels ? 2 : 0, 4);
  if (channels) s.d[1] = 3;
  return s;
}

void make_quantize(op_make *m) {
  const bool channels = one_in(m, 2);
  op_add(m, op_any_dtype(m, 1u << TSR_CLASS_FLOAT), shape_with_channels(m, channels), OP_ANY_VALUES);
  if (channels)
    quantised_by_axis(m, NAMES(""), TSR_U8, one_in(m, 2));
  else
    quantised(m, NAMES(""), any_quantised(m, false), 0.05, 3);
}

void make_dequantize(op_make *m) { /* dequantize, requantize */
  const bool channels = one_in(m, 2), to = op_is(m, "requantize");
  add_quantised(m, shape_with_channels(m, channels), false);
  const names from = to ? NAMES("from_") : NAMES("");
  if (channels)
    quantised_by_axis(m, from, D(0).dtype, one_in(m, 2));
  else
    quantised(m, from, D(0).dtype, 0.05, 3);
  if (!to) return;
  if (channels && one_in(m, 2))
    quantised_by_axis(m, NAMES("to_"), TSR_I16, false);
  else
    quantised(m, NAMES("to_"), TSR_I16, 0.003, -7);
}

void make_qadd(op_make *m) {
  const op_shape s = op_any_shape(m, 0, 4);
  const int a = add_quantised(m, op_narrowed(m, s), false);
  op_add(m, D(a).dtype, op_narrowed(m, s), OP_WILD);
  quantised(m, NAMES("a_"), D(0).dtype, 0.05, 3);
  quantised(m, NAMES("b_"), D(1).dtype, 0.02, 5);
  quantised(m, NAMES("out_"), D(0).dtype, 0.05, 3);
}

void make_qmean(op_make *m) {
  const op_shape s = op_any_shape(m, 1, 4);
  add_quantised(m, s, false);
  quantised(m, NAMES("x_"), D(0).dtype, 0.05, 3);
  if (one_in(m, 2)) op_ints(m, "axes", 1, (const tsr_index[]){one_in(m, 2) ? 0 : D(0).ndim - 1});
  op_bool(m, "keepdims", one_in(m, 2));
  quantised(m, NAMES("out_"), any_quantised(m, false), 0.03, 5);
}

void make_qsoftmax(op_make *m) {
  add_quantised(m, op_any_shape(m, 1, 4), true);
  quantised(m, NAMES("x_"), D(0).dtype, 0.05, 3);
  op_int(m, "axis", one_in(m, 2) ? 0 : -1);
}

void make_qsvdf(op_make *m) {
  const tsr_index b = any_of(m, 1, 3), rank = any_of(m, 1, 3), f = rank * any_of(m, 1, 9), t = any_of(m, 1, 20);
  op_add(m, TSR_I16, SHAPE(b, f), OP_WILD);
  op_add(m, one_in(m, 2) ? TSR_I8 : TSR_I16, SHAPE(f, t), OP_WILD);
  one_in(m, 2) ? op_add_none(m) : op_add(m, TSR_I32, SHAPE(f / rank), OP_WILD);
  op_give(m, 0, TSR_I16, SHAPE(b, f, t));
  quantised(m, NAMES("state_"), TSR_I16, 0.01, 0);
  quantised(m, NAMES("w_"), D(1).dtype, 0.02, 0);
  quantised(m, NAMES("out_"), any_quantised(m, false), 0.05, 3);
  op_int(m, "rank", rank);
}

void make_qlstm(op_make *m) {
  const tsr_index b = any_of(m, 1, 3), h = any_of(m, 1, 20);
  op_add(m, TSR_I16, SHAPE(b, 4 * h), OP_WILD);
  one_in(m, 2) ? op_add_none(m) : op_add(m, TSR_I16, SHAPE(b, 4 * h), OP_WILD);
  op_give(m, 0, TSR_I16, SHAPE(b, h));
  op_int(m, "cell_bits", any_of(m, 0, 15));
  quantised(m, NAMES("out_"), any_quantised(m, false), 0.0078125, 3);
}

void make_qmatmul(op_make *m) {
  const tsr_index k = any_of(m, 1, m->size == 0 ? 9 : 70);
  const bool channels = one_in(m, 3);
  add_quantised(m, one_in(m, 3) ? SHAPE(2, any_of(m, 1, 9), k) : SHAPE(any_of(m, 1, 40), k), true);
  add_quantised(m, SHAPE(k, channels ? 3 : any_of(m, 1, 40)), true);
  quantised(m, NAMES("a_"), D(0).dtype, 0.05, 3);
  if (channels)
    quantised_by_axis(m, NAMES("b_"), D(1).dtype, true);
  else
    quantised(m, NAMES("b_"), D(1).dtype, 0.02, 5);
  quantised(m, NAMES("out_"), D(0).dtype, 0.05, 3);
}

void make_qbias(op_make *m) {
  const bool channels = one_in(m, 2);
  op_add(m, TSR_F32, SHAPE(channels ? 3 : any_of(m, 0, 40)), OP_ANY_VALUES);
  quantised(m, NAMES("x_"), TSR_I8, 0.05, 3);
  if (channels)
    quantised_by_axis(m, NAMES("w_"), TSR_I8, false);
  else
    quantised(m, NAMES("w_"), TSR_I8, 0.02, 1);
}

void make_qpool(op_make *m) { /* qmax_pool, qavg_pool */
  const bool last = one_in(m, 2), mean = op_is(m, "qavg_pool");
  const tsr_index c = any_of(m, 1, 20), h = any_of(m, 3, 9), w = any_of(m, 2, 30);
  add_quantised(m, last ? SHAPE(2, h, w, c) : SHAPE(2, c, h, w), false);
  D(0).layout = last ? TSR_NHWC : TSR_PLAIN;
  op_ints(m, "kernel", 2, (const tsr_index[]){mean ? 2 : 3, 2});
  op_ints(m, "stride", 2, (const tsr_index[]){1, 2});
  op_ints(m, mean ? "pad_after" : "pad_before", 2, (const tsr_index[]){1, 0});
  if (mean) op_int(m, "zero", 3);
  if (mean) op_bool(m, "count_include_pad", one_in(m, 2));
}

#endif
