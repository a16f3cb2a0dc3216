/* A convolution to test: random shapes and attributes, tensors that lie in any way, and what the definition says of
 * each output. */
#ifndef TSR_TEST_CONV_REFERENCE_H
#define TSR_TEST_CONV_REFERENCE_H

#include <math.h>

#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

/* How a tensor lies in memory. */
typedef enum lying { DENSE, TURNED, APART, FLIPPED, REPEATED, LYINGS } lying;

typedef struct conv_case {
  int dtype, rank, x_layout, w_layout;
  lying x_lies, w_lies, out_lies;
  tsr_index n, c, h, w, o, kh, kw;
  bool bias;
  tsr_conv_options options;
  tsr_tensor x, filters, b, out; /* what setup makes */
  tsr_tensor owners[4];
} conv_case;

static inline bool ref_last(const conv_case *k) { return k->x_layout == TSR_NHWC || k->x_layout == TSR_NLC; }

static inline bool ref_is_int(int dtype) {
  const int class_ = tsr_dtype_describe(dtype)->class_;
  return class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT;
}

/* ---- tensors ---- */

/* Elements from -1 to 1 in steps of 1/64, small integers for integers; no rounding on the way. */
static inline void ref_fill(tsr_ctx *ctx, test_rng *rng, tsr_tensor *t) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (tsr_size(t) == 0) return;
  do {
    const int whole = (int)test_between(rng, -64, 64);
    if (t->dtype == TSR_F32) {
      const float value = (float)whole / 64.0f * (1.0f + (float)(test_random(rng) % 1000u) / 1e5f);
      memcpy(test_at(t, index), &value, sizeof value);
    } else if (ref_is_int(t->dtype)) {
      OK(ctx, tsr_set_i64(ctx, t, t->ndim, index,
                          tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_UINT ? (whole & 15) : whole / 8));
    } else {
      OK(ctx, tsr_set(ctx, t, t->ndim, index, (tsr_real)(whole / 8) / 8));
    }
  } while (test_next_index(t->ndim, t->shape, index));
}

/* A tensor of this shape that lies so; *owner holds the memory. */
static inline void ref_make(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, lying lies, tsr_tensor *owner,
                            tsr_tensor *t) {
  tsr_index wide[TSR_MAX_DIMS];
  memset(owner, 0, sizeof *owner);
  memset(t, 0, sizeof *t);
  for (int i = 0; i < ndim; i++) wide[i] = lies == APART ? 2 * shape[i] + 1 : shape[i];
  if (lies == TURNED)
    for (int i = 0; i < ndim; i++) wide[i] = shape[ndim - 1 - i];
  if (lies == REPEATED) wide[0] = shape[0] > 0 ? 1 : 0;
  OK(ctx, tsr_zeros(ctx, dtype, ndim, wide, owner));
  OK(ctx, tsr_view(ctx, owner, t));
  for (int i = 0; i < ndim && lies == APART; i++)
    OK(ctx, tsr_slice(ctx, t, i, shape[i] > 0 ? 1 : 0, 2 * shape[i] + (shape[i] > 0), 2, t));
  for (int i = 0; i < ndim && lies == FLIPPED; i++) OK(ctx, tsr_flip(ctx, t, i, t));
  if (lies == TURNED) {
    int axes[TSR_MAX_DIMS];
    for (int i = 0; i < ndim; i++) axes[i] = ndim - 1 - i;
    OK(ctx, tsr_permute(ctx, t, axes, t));
  }
  if (lies == REPEATED) OK(ctx, tsr_broadcast_to(ctx, t, ndim, shape, t));
}

/* n, c, h, w in the order of the layout; h is left out at rank 3. */
static inline void ref_shape(int rank, bool last, const tsr_index *nchw, tsr_index *shape) {
  int at = 0;
  shape[at++] = nchw[0];
  if (!last) shape[at++] = nchw[1];
  if (rank == 4) shape[at++] = nchw[2];
  shape[at++] = nchw[3];
  if (last) shape[at] = nchw[1];
}

static inline void ref_filter_shape(const conv_case *k, const tsr_index *oihw, tsr_index *shape) {
  if (k->w_layout != TSR_HWIO) {
    ref_shape(k->rank, k->w_layout == TSR_OHWI || k->w_layout == TSR_NLC, oihw, shape);
    return;
  }
  shape[0] = oihw[2];
  shape[1] = oihw[3];
  shape[2] = oihw[1];
  shape[3] = oihw[0];
}

static inline void ref_setup(tsr_ctx *ctx, test_rng *rng, conv_case *k) {
  const tsr_index groups = k->options.groups > 0 ? k->options.groups : 1;
  tsr_index shape[4];
  ref_shape(k->rank, ref_last(k), (tsr_index[4]){k->n, k->c, k->h, k->w}, shape);
  ref_make(ctx, k->dtype, k->rank, shape, k->x_lies, &k->owners[0], &k->x);
  ref_filter_shape(k, (tsr_index[4]){k->o, k->c / groups, k->kh, k->kw}, shape);
  ref_make(ctx, k->dtype, k->rank, shape, k->w_lies, &k->owners[1], &k->filters);
  ref_make(ctx, k->dtype, 1, &k->o, k->x_lies == REPEATED ? DENSE : k->x_lies, &k->owners[2], &k->b);
  for (int i = 0; i < 3; i++) ref_fill(ctx, rng, &k->owners[i]);
  k->x.layout = (uint8_t)k->x_layout;
  k->filters.layout = (uint8_t)k->w_layout;
  memset(&k->out, 0, sizeof k->out);
  memset(&k->owners[3], 0, sizeof k->owners[3]);
}

static inline void ref_release(conv_case *k) {
  tsr_release(&k->out);
  for (int i = 3; i >= 0; i--) tsr_release(&k->owners[i]);
}

/* ---- the definition ---- */

typedef struct ref_axis {
  tsr_index stride, dilation, before, out;
} ref_axis;

static inline ref_axis ref_axis_of(const conv_case *k, int axis, tsr_index in, tsr_index filter) {
  const tsr_conv_options *const a = &k->options;
  ref_axis r = {a->stride[axis] > 0 ? a->stride[axis] : 1, a->dilation[axis] > 0 ? a->dilation[axis] : 1, 0, 0};
  const tsr_index span = r.dilation * (filter - 1) + 1;
  tsr_index padded = in;
  if (a->padding == TSR_PADDING_SAME || a->padding == TSR_PADDING_SAME_LOWER) {
    r.out = (in + r.stride - 1) / r.stride;
    const tsr_index need = (r.out - 1) * r.stride + span, pad = need > in ? need - in : 0;
    r.before = a->padding == TSR_PADDING_SAME ? pad / 2 : (pad + 1) / 2;
    return r;
  }
  if (a->padding == TSR_PADDING_EXPLICIT) {
    r.before = a->pad_before[axis];
    padded = in + a->pad_before[axis] + a->pad_after[axis];
  }
  r.out = padded >= span ? (padded - span) / r.stride + 1 : 0;
  return r;
}

/* Element (n, c, h, w) of x or out, and (o, i, kh, kw) of the filters. */
static inline void *ref_at(const tsr_tensor *t, int rank, bool last, const tsr_index *nchw) {
  tsr_index index[4];
  ref_shape(rank, last, nchw, index);
  return test_at(t, index);
}

/* One output: its sum and the sum of what was added without signs. Integers wrap at 2^64. */
typedef struct ref_sum {
  double value, size;
  uint64_t whole;
} ref_sum;

static inline ref_sum ref_output(const conv_case *k, const ref_axis *ay, const ref_axis *ax, tsr_index n, tsr_index o,
                                 tsr_index y, tsr_index x) {
  const tsr_index groups = k->options.groups > 0 ? k->options.groups : 1, c = k->c / groups, g = o / (k->o / groups);
  ref_sum s = {0, 0, 0};
  if (k->bias) {
    s.value = test_decode(k->dtype, test_at(&k->b, &o));
    s.size = s.value < 0 ? -s.value : s.value;
    s.whole = (uint64_t)(int64_t)s.value;
  }
  for (tsr_index i = 0; i < c; i++)
    for (tsr_index ky = 0; ky < k->kh; ky++)
      for (tsr_index kx = 0; kx < k->kw; kx++) {
        const tsr_index iy = y * ay->stride + ky * ay->dilation - ay->before;
        const tsr_index ix = x * ax->stride + kx * ax->dilation - ax->before;
        if (iy < 0 || iy >= k->h || ix < 0 || ix >= k->w) continue;
        tsr_index index[4];
        const double a =
            test_decode(k->dtype, ref_at(&k->x, k->rank, ref_last(k), (tsr_index[4]){n, g * c + i, iy, ix}));
        ref_filter_shape(k, (tsr_index[4]){o, i, ky, kx}, index);
        const double b = test_decode(k->dtype, test_at(&k->filters, index)), p = a * b;
        s.value += p;
        s.size += p < 0 ? -p : p;
        s.whole += (uint64_t)(int64_t)p;
      }
  return s;
}

/* Half a unit in the last place of 1, and the smallest number. */
static inline double ref_unit(int dtype) {
  switch (dtype) {
    case TSR_F64: return 0x1p-53;
    case TSR_F32: return 0x1p-24;
    case TSR_F16: return 0x1p-11;
    case TSR_BF16: return 0x1p-8;
    case TSR_F8_E4M3: return 0x1p-4;
    default: return 0x1p-3;
  }
}

static inline double ref_least(int dtype) {
  switch (dtype) {
    case TSR_F16: return 0x1p-25;
    case TSR_F8_E4M3: return 0x1p-10;
    case TSR_F8_E5M2: return 0x1p-17;
    default: return 0;
  }
}

static inline double ref_activation(const conv_case *k, double v) {
  const tsr_activation *const a = &k->options.activation;
  if (a->kind == NULL) return v;
  if (a->kind == TSR_RELU) return v < 0 ? 0 : v;
  if (a->kind == TSR_LEAKY_RELU) return v < 0 ? v * (double)a->alpha : v;
  if (a->kind == TSR_TANH) return tanh(v);
  return v < (double)a->alpha ? (double)a->alpha : v > (double)a->beta ? (double)a->beta : v;
}

static inline bool ref_equal_whole(const conv_case *k, const void *got, uint64_t want) {
  const size_t bytes = tsr_dtype_size(k->dtype);
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes; i++) {
    unsigned char byte;
    const uint16_t one = 1;
    memcpy(&byte, (const unsigned char *)got + (*(const unsigned char *)&one == 1 ? i : bytes - 1 - i), 1);
    bits |= (uint64_t)byte << (8 * i);
  }
  if (k->options.activation.kind == TSR_RELU && tsr_dtype_describe(k->dtype)->class_ == TSR_CLASS_INT &&
      (want >> (8 * bytes - 1) & 1) != 0)
    want = 0;
  return bytes == 8 ? bits == want : bits == (want & ((UINT64_C(1) << (8 * bytes)) - 1));
}

/* Whether every output is what the definition says, or one of seven where tests are brief: floats within the bound of a
 * sum; slack is for Winograd, of the largest sum. Prints the first that is not. */
static inline bool ref_check(const conv_case *k, double slack) {
  const ref_axis ax = ref_axis_of(k, k->rank == 4 ? 1 : 0, k->w, k->kw);
  ref_axis ay = {1, 1, 0, 1};
  if (k->rank == 4) ay = ref_axis_of(k, 0, k->h, k->kh);
  const tsr_index groups = k->options.groups > 0 ? k->options.groups : 1, terms = k->c / groups * k->kh * k->kw + 2;
  const tsr_index shape[4] = {k->n, k->o, ay.out, ax.out};
  tsr_index index[4] = {0}, want_shape[4], seen = 0;
  const tsr_index step = test_every(7);
  ref_shape(k->rank, ref_last(k), shape, want_shape);
  for (int i = 0; i < k->rank; i++)
    if (k->out.shape[i] != want_shape[i]) return false;
  if (test_product(4, shape) == 0) return true;
  do {
    if (seen++ % step != 0) continue;
    const ref_sum s = ref_output(k, &ay, &ax, index[0], index[1], index[2], index[3]);
    const void *const at = ref_at(&k->out, k->rank, ref_last(k), index);
    bool fine;
    if (ref_is_int(k->dtype)) {
      fine = ref_equal_whole(k, at, s.whole);
    } else {
      const double got = test_decode(k->dtype, at), want = ref_activation(k, s.value);
      const double narrow = k->dtype == TSR_F64 ? 0x1p-53 : 0x1p-24, error = fabs(got - want);
      fine = error <= (double)terms * narrow * s.size * 1.01 + slack * (1 + s.size) + ref_least(k->dtype) +
                          1.01 * ref_unit(k->dtype) * fabs(want) * (k->options.activation.kind != NULL ? 4 : 1);
    }
    if (!fine) {
      printf("  output (%d,%d,%d,%d) is %g, not %g\n", (int)index[0], (int)index[1], (int)index[2], (int)index[3],
             test_decode(k->dtype, at), s.value);
      return false;
    }
  } while (test_next_index(4, shape, index));
  return true;
}

static inline tsr_status ref_run(tsr_ctx *ctx, conv_case *k) {
  return (k->rank == 4 ? tsr_conv2d : tsr_conv1d)(ctx, &k->x, &k->filters, k->bias ? &k->b : NULL, &k->options,
                                                  &k->out);
}

static inline void ref_print(const conv_case *k) {
  const tsr_conv_options *const a = &k->options;
  printf(
      "  %s rank %d, x %d,%d,%d,%d %s lies %d, o %d filter %dx%d %s lies %d, out lies %d, stride %d,%d dilation %d,%d "
      "pads %d,%d %d,%d padding %d groups %d algorithm %d bias %d\n",
      tsr_dtype_name(k->dtype), k->rank, (int)k->n, (int)k->c, (int)k->h, (int)k->w, tsr_layout_name(k->x_layout),
      k->x_lies, (int)k->o, (int)k->kh, (int)k->kw, tsr_layout_name(k->w_layout), k->w_lies, k->out_lies,
      (int)a->stride[0], (int)a->stride[1], (int)a->dilation[0], (int)a->dilation[1], (int)a->pad_before[0],
      (int)a->pad_before[1], (int)a->pad_after[0], (int)a->pad_after[1], a->padding, (int)a->groups, a->algorithm,
      k->bias);
}

#endif
