/* Cases of functions that are not in the table of ops: packed weights and quantised numbers. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <string.h>

#define D(input) (m->c->in[input])

/* A dtype of quantised numbers. */
static int any_quantised(op_make *m, bool bytes) {
  return (int[]){TSR_I8, TSR_U8, TSR_I16}[any_of(m, 0, bytes ? 1 : 2)];
}
static int add_quantised(op_make *m, op_shape shape, bool bytes) {
  return op_add(m, any_quantised(m, bytes), shape, OP_WILD);
}

static void make_packed(op_make *m) {
  const tsr_index k = any_of(m, 0, m->size == 0 ? 9 : 70), dtype = op_main_dtype(m);
  m->c->terms = (double)k;
  op_add(m, (int)dtype, one_in(m, 3) ? SHAPE(2, any_of(m, 1, 40), k) : SHAPE(any_of(m, 1, 70), k), OP_NEAR);
  op_add(m, (int)dtype, SHAPE(k, any_of(m, 1, 70)), OP_NEAR);
}

static void make_extra_conv(op_make *m) { /* conv2d_packed, qconv2d */
  const bool floats = m->c->op->takes == 1 << TSR_CLASS_FLOAT, last = one_in(m, 2);
  const tsr_index c = any_of(m, 1, 9), o = any_of(m, 1, 17), h = any_of(m, 3, 20), w = any_of(m, 3, 20);
  const int dtype = floats ? op_main_dtype(m) == TSR_F64 ? TSR_F32 : op_main_dtype(m) : any_quantised(m, false);
  m->c->terms = (double)(9 * c);
  op_add(m, floats && dtype == TSR_F64 ? TSR_F32 : dtype, last ? SHAPE(2, h, w, c) : SHAPE(2, c, h, w),
         floats ? OP_NEAR : OP_WILD);
  D(0).layout = last ? TSR_NHWC : TSR_PLAIN;
  op_add(m, floats ? D(0).dtype : any_quantised(m, true), SHAPE(o, c, one_in(m, 2) ? 3 : 1, one_in(m, 2) ? 3 : 2),
         floats ? OP_NEAR : OP_WHOLE);
  one_in(m, 2) ? op_add_none(m) : op_add(m, floats ? D(0).dtype : TSR_I32, SHAPE(o), OP_NEAR);
}

static void make_reals(op_make *m) { op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES); }
static void make_channels(op_make *m) {
  op_shape s = op_any_shape(m, 2, 4);
  s.d[1] = 3;
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
}
static void make_quantised(op_make *m) { add_quantised(m, op_any_shape(m, 0, 4), false); }
static void make_quantised_channels(op_make *m) {
  op_shape s = op_any_shape(m, 2, 4);
  s.d[1] = 3;
  add_quantised(m, s, false);
}
static void make_quantised_pair(op_make *m) {
  const op_shape s = op_any_shape(m, 0, 4);
  const int a = add_quantised(m, op_narrowed(m, s), false);
  op_add(m, D(a).dtype, op_narrowed(m, s), OP_WILD);
}
static void make_qmatmul(op_make *m) {
  const tsr_index k = any_of(m, 1, m->size == 0 ? 9 : 70);
  add_quantised(m, one_in(m, 3) ? SHAPE(2, any_of(m, 1, 9), k) : SHAPE(any_of(m, 1, 40), k), true);
  add_quantised(m, SHAPE(k, any_of(m, 1, 40)), true);
}
static void make_qdense(op_make *m) {
  const tsr_index f = any_of(m, 1, m->size == 0 ? 9 : 70), o = any_of(m, 1, 40);
  add_quantised(m, one_in(m, 3) ? SHAPE(2, any_of(m, 1, 9), f) : SHAPE(any_of(m, 1, 40), f), false);
  op_add(m, any_quantised(m, true), SHAPE(o, f), OP_WHOLE);
  one_in(m, 2) ? op_add_none(m) : op_add(m, TSR_I32, SHAPE(o), OP_WHOLE);
}
static void make_quantised_image(op_make *m) {
  const bool last = one_in(m, 2);
  const tsr_index c = any_of(m, 1, 20), h = any_of(m, 2, 9), w = any_of(m, 2, 30);
  add_quantised(m, last ? SHAPE(2, h, w, c) : SHAPE(2, c, h, w), false);
  D(0).layout = last ? TSR_NHWC : TSR_PLAIN;
}

#define EXTRA(name, make, class_, flags, takes, ...) \
  static tsr_status call_##name(tsr_ctx *ctx, const tsr_tensor *const *in, tsr_tensor *const *out) { __VA_ARGS__ }
#include "support/op_extras.def"
#undef EXTRA

static const op_extra extras[] = {
#define EXTRA(name, make, class_, flags, takes, ...) \
  {{#name, takes, 0, 0, NULL}, {#name, make, class_, flags}, call_##name, #__VA_ARGS__},
#include "support/op_extras.def"
#undef EXTRA
};

int op_count(void) { return tsr_op_count() + COUNT_OF(extras); }
const op_extra *op_extra_at(int i) { return i < tsr_op_count() ? NULL : &extras[i - tsr_op_count()]; }
const tsr_op *op_at(int i) { return i < tsr_op_count() ? tsr_op_at(i) : &extras[i - tsr_op_count()].op; }

#endif
