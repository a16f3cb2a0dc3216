/* Cases of the layers of networks. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <string.h>

#define D(input) (m->c->in[input])

/* ---- networks ---- */

/* An image [N,C,H,W] or its channels-last form, tagged. */
static tsr_index add_image(op_make *m, tsr_index channels) {
  const tsr_index h = 3 + op_side(m) % 16, w = 3 + op_side(m) % 40, n = any_of(m, 1, 2);
  const bool last = one_in(m, 2);
  const int i = op_add(m, op_main_dtype(m), last ? SHAPE(n, h, w, channels) : SHAPE(n, channels, h, w),
                       m->c->class_ == 'A' ? OP_ANY_VALUES : op_modest(m));
  m->c->in[i].layout = last ? TSR_NHWC : one_in(m, 2) ? TSR_NCHW : TSR_PLAIN;
  return channels;
}

/* The axes of an image or a filter in another order, with the tag that says so. */
static void retag(op_shape *s, uint8_t *layout, const int *order, int tag) {
  const op_shape before = *s;
  for (int i = 0; i < s->n; i++) s->d[i] = before.d[order[i]];
  *layout = (uint8_t)tag;
}

static void conv_attrs(op_make *m, int axes, bool turned) {
  tsr_index steps[3], pads[3];
  for (int i = 0; i < axes; i++) {
    steps[i] = any_of(m, 1, 2);
    pads[i] = any_of(m, 0, 1);
  }
  if (one_in(m, 2)) op_ints(m, "stride", axes, steps);
  if (one_in(m, 3)) op_ints(m, "dilation", axes, steps);
  if (turned || axes == 3 || one_in(m, 2))
    op_ints(m, "pad_before", axes, pads);
  else
    op_word(m, "padding");
  if (!turned && axes < 3 && one_in(m, 3)) op_word(m, "algorithm");
}

void make_conv(op_make *m) {
  const char *const name = m->c->op->name;
  const int axes = name[strlen(name) - 2] - '0';
  const bool turned = strncmp(name, "conv_t", 6) == 0;
  const tsr_index groups = one_in(m, 3) ? 2 : 1, c = groups * any_of(m, 1, m->size == 0 ? 3 : 9),
                  o = groups * any_of(m, 1, 9);
  const int dtype = op_main_dtype(m);
  op_shape x = {axes + 2, {any_of(m, 1, 2), c}}, w = {axes + 2, {turned ? c : o, turned ? o / groups : c / groups}};
  uint8_t x_tag = TSR_PLAIN, w_tag = TSR_PLAIN;
  for (int i = 0; i < axes; i++) {
    x.d[2 + i] = axes == 3 ? any_of(m, 3, 6) : 3 + op_side(m) % 24;
    w.d[2 + i] = one_in(m, 2) ? 3 : any_of(m, 1, 3);
  }
  if (axes == 2 && one_in(m, 2)) retag(&x, &x_tag, (const int[]){0, 2, 3, 1}, TSR_NHWC);
  if (axes == 2 && !turned && one_in(m, 3))
    retag(&w, &w_tag, (const int[]){0, 2, 3, 1}, TSR_OHWI);
  else if (axes == 2 && !turned && one_in(m, 3))
    retag(&w, &w_tag, (const int[]){2, 3, 1, 0}, TSR_HWIO);
  op_sum_of(m, c * 27);
  op_add(m, dtype, x, op_modest(m));
  op_add(m, dtype, w, op_modest(m));
  D(0).layout = x_tag;
  D(1).layout = w_tag;
  if (one_in(m, 2)) op_add(m, dtype, SHAPE(o), op_modest(m));
  op_int(m, "groups", groups);
  conv_attrs(m, axes, turned);
  if (!turned && axes < 3 && tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) op_activate(m);
}

void make_pool(op_make *m) {
  const tsr_index kernel[] = {any_of(m, 1, 3), any_of(m, 1, 3)}, step[] = {any_of(m, 1, 2), any_of(m, 1, 2)};
  add_image(m, any_of(m, 1, 9));
  op_ints(m, "kernel", 2, kernel);
  if (one_in(m, 2)) op_ints(m, "stride", 2, step);
  if (one_in(m, 2)) op_ints(m, "pad_before", 2, (const tsr_index[]){kernel[0] - 1, 0});
  if (op_is(m, "lp_pool")) op_real(m, "p", (double)any_of(m, 1, 3));
  op_rest(m);
}

void make_image(op_make *m) { /* global and adaptive pools, norms of channels, lrn, resizing */
  const char *const name = m->c->op->name;
  const tsr_index c = add_image(m, 2 * any_of(m, 1, 9));
  if (strncmp(name, "adaptive", 8) == 0 || strncmp(name, "resize", 6) == 0)
    op_ints(m, "size", 2, (const tsr_index[]){any_of(m, 1, 9), any_of(m, 1, 40)});
  if (strncmp(name, "resize", 6) == 0 && one_in(m, 3)) op_reals(m, "scale", 2, (const double[]){0.75, 1.5});
  if (op_is(m, "resize_linear")) op_word(m, "coordinates");
  if (op_is(m, "resize_linear")) return;
  if (strstr(name, "_norm") != NULL)
    for (int i = 0; i < 2; i++) one_in(m, 3) ? op_add_none(m) : op_add(m, op_any_dtype(m, 0x10), SHAPE(c), OP_NEAR);
  if (op_is(m, "batch_norm")) { /* a mean, and a variance that is none below 0 */
    op_add(m, op_any_dtype(m, 0x10), SHAPE(c), OP_NEAR);
    const int variance = op_add(m, TSR_F32, SHAPE(c), OP_NEAR);
    for (tsr_index i = 0; i < c; i++) ((float *)D(variance).data)[i] = (float)any_of(m, 1, 40) / 8;
    m->c->repeats[variance] = 0;
  }
  if (op_is(m, "group_norm")) op_int(m, "groups", one_in(m, 2) ? 2 : c);
  if (op_is(m, "lrn")) op_int(m, "size", any_of(m, 1, 5));
  if (!op_is(m, "lrn")) op_rest(m);
}

void make_row_norm(op_make *m) { /* layer_norm, rms_norm, softmax */
  const op_shape s = op_any_shape(m, 1, 4);
  const int axis = (int)any_of(m, 0, s.n - 1);
  op_add(m, op_main_dtype(m), s, op_modest(m));
  op_int(m, "axis", axis);
  op_shape rest = {s.n - axis, {0}};
  memcpy(rest.d, s.d + axis, (size_t)rest.n * sizeof rest.d[0]);
  if (op_is(m, "layer_norm") || op_is(m, "rms_norm"))
    for (int i = op_is(m, "rms_norm"); i < 2; i++)
      one_in(m, 3) ? op_add_none(m) : op_add(m, op_any_dtype(m, 0x10), rest, OP_NEAR);
}

static void attention_attrs(op_make *m) {
  if (one_in(m, 2)) op_bool(m, "causal", true);
  if (m->c->attrs > 0 && one_in(m, 2)) op_int(m, "causal_offset", any_of(m, -2, 3));
  if (one_in(m, 3)) op_real(m, "scale", 0.25);
}

void make_attention(op_make *m) {
  const tsr_index kv = any_of(m, 1, 2), h = kv * any_of(m, 1, 3), t = op_side(m), s = op_side(m),
                  d = 1 + op_side(m) % 40, dv = 1 + op_side(m) % 40;
  const int dtype = op_main_dtype(m);
  const bool flat = one_in(m, 3);
  op_sum_of(m, s + d * d);
  op_add(m, dtype, flat ? SHAPE(t, d) : SHAPE(2, h, t, d), OP_NEAR);
  op_add(m, dtype, flat ? SHAPE(s, d) : SHAPE(2, kv, s, d), OP_NEAR);
  op_add(m, dtype, flat ? SHAPE(s, dv) : SHAPE(2, kv, s, dv), OP_NEAR);
  if (one_in(m, 2))
    op_add(m, one_in(m, 2) ? TSR_BOOL : dtype, op_narrowed(m, flat ? SHAPE(t, s) : SHAPE(2, h, t, s)), OP_NEAR);
  attention_attrs(m);
}

void make_heads(op_make *m) {
  const tsr_index h = any_of(m, 1, 3), d = any_of(m, 1, 8), t = op_side(m) % 40, e = h * d;
  const int dtype = op_main_dtype(m);
  op_sum_of(m, e * (t + 1) * e);
  op_add(m, dtype, one_in(m, 2) ? SHAPE(2, t, e) : SHAPE(t, e), OP_NEAR);
  for (int i = 0; i < 4; i++) op_add(m, dtype, SHAPE(e, e), OP_NEAR);
  for (int i = 0; i < 4; i++) one_in(m, 2) ? op_add_none(m) : op_add(m, dtype, SHAPE(e), OP_NEAR);
  if (one_in(m, 2)) op_add(m, one_in(m, 2) ? TSR_BOOL : dtype, SHAPE(t, t), OP_NEAR);
  attention_attrs(m);
  op_int(m, "heads", h);
}

void make_kv_append(op_make *m) {
  const tsr_index h = any_of(m, 1, 3), t = any_of(m, 0, 4), d = any_of(m, 1, 9);
  const int dtype = op_main_dtype(m);
  op_add(m, dtype, SHAPE(h, t, d), OP_ANY_VALUES);
  op_give(m, 0, dtype, SHAPE(h, 9, d));
  op_int(m, "position", any_of(m, 0, 5));
}

void make_loss(op_make *m) {
  const op_shape s = op_any_shape(m, 0, 3);
  const int dtype = op_main_dtype(m), x = op_add(m, dtype, s, op_is(m, "bce_loss") ? OP_NEAR : OP_ANY_VALUES);
  if (op_is(m, "bce_loss") && tsr_sigmoid(NULL, &D(x), &D(x)) != TSR_OK) op_add_none(m); /* probabilities */
  op_add(m, dtype, s, OP_ANY_VALUES);
  if (op_is(m, "huber_loss")) op_real(m, "delta", 1.5);
  op_rest(m);
}

void make_class_loss(op_make *m) { /* nll_loss, cross_entropy, accuracy */
  const tsr_index n = op_any_length(m, 40), classes = any_of(m, 1, 20);
  const bool deep = !op_is(m, "accuracy") && one_in(m, 3);
  op_add(m, op_main_dtype(m), deep ? SHAPE(n, classes, 3) : SHAPE(n, classes), OP_ANY_VALUES);
  op_add_index(m, deep ? SHAPE(n, 3) : SHAPE(n), 0, classes - 1);
  if (!op_is(m, "accuracy")) op_word(m, "reduction");
  if (op_is(m, "cross_entropy") && one_in(m, 2)) op_real(m, "smoothing", 0.25);
}

void make_confusion(op_make *m) {
  const op_shape n = SHAPE(op_any_length(m, m->limit));
  for (int i = 0; i < 2; i++) op_add_index(m, n, 0, 7);
  op_int(m, "classes", 8);
}

void make_embedding(op_make *m) {
  const tsr_index v = any_of(m, 1, 20);
  op_add(m, op_main_dtype(m), SHAPE(v, op_any_length(m, 40)), OP_ANY_VALUES);
  op_add_index(m, op_few(m, 0, 2), 0, v - 1);
  if (one_in(m, 2)) op_int(m, "padding", 0);
}

void make_rotary(op_make *m) {
  const tsr_index t = op_any_length(m, 20), d = 2 * any_of(m, 1, 20), r = any_of(m, 1, d / 2), s = t + any_of(m, 0, 3);
  const int dtype = op_main_dtype(m), tables = dtype == TSR_F64 ? TSR_F64 : TSR_F32;
  op_add(m, dtype, one_in(m, 2) ? SHAPE(2, t, d) : SHAPE(t, d), OP_ANY_VALUES);
  for (int i = 0; i < 2; i++) op_add(m, tables, SHAPE(s, r), OP_NEAR);
  if (one_in(m, 2) && s > 0) op_add_index(m, D(0).ndim == 3 && one_in(m, 2) ? SHAPE(2, t) : SHAPE(t), 0, s - 1);
  op_rest(m);
}

void make_pixels(op_make *m) {
  const tsr_index n = any_of(m, 1, 2), c = any_of(m, 1, 3), h = any_of(m, 1, 5), w = any_of(m, 1, 5);
  const bool last = one_in(m, 2);
  op_add(m, op_main_dtype(m), last ? SHAPE(n, 2 * h, 2 * w, 4 * c) : SHAPE(n, 4 * c, 2 * h, 2 * w), OP_ANY_VALUES);
  D(0).layout = last ? TSR_NHWC : TSR_PLAIN;
  op_int(m, "factor", 2);
  op_rest(m);
}

#endif
