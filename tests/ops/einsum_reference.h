/* Equations by chance, and einsum by its definition: a loop over every value of every label. Elements are small whole
 * numbers, so that sums are exact in every dtype that they are computed in. */
#ifndef TSR_TEST_EINSUM_REFERENCE_H
#define TSR_TEST_EINSUM_REFERENCE_H

#include "support/helpers.h"
#include "support/test.h"

/* Letters of the pool, then the axes of an ellipsis. */
enum { LETTERS = 6, DOTS = 2, LABELS = LETTERS + DOTS, MOST_OPERANDS = 8, MOST = TSR_HAVE_MALLOC ? 1024 : 256 };
static const char pool[LETTERS + 1] = "jaZkBi";

typedef struct operand {
  int dtype, ndim;
  int label[TSR_MAX_DIMS];
  tsr_index shape[TSR_MAX_DIMS];
  int32_t re[MOST], im[MOST]; /* row-major */
  tsr_tensor t;
} operand;

typedef struct equation {
  char text[256];
  int n, ndim, dtype;
  int label[TSR_MAX_DIMS]; /* of the result */
  tsr_index size[LABELS], shape[TSR_MAX_DIMS];
  operand in[MOST_OPERANDS];
} equation;

static inline bool chance(test_rng *rng, int of) { return test_between(rng, 1, of) == 1; }

static inline bool is_complex(int dtype) { return dtype == TSR_C64 || dtype == TSR_C128; }
static inline bool is_small_float(int dtype) {
  return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT && tsr_dtype_size(dtype) < 4;
}

/* ---- operands ---- */

/* Whole numbers that the dtype holds, and few enough of them that nothing rounds. */
static inline void fill_numbers(operand *x, test_rng *rng) {
  const int class = tsr_dtype_describe(x->dtype)->class_;
  const int low = class == TSR_CLASS_BOOL || class == TSR_CLASS_UINT ? 0 : is_small_float(x->dtype) ? -1 : -2;
  const int high = class == TSR_CLASS_BOOL || is_small_float(x->dtype) ? 1 : 2;
  const tsr_index n = test_product(x->ndim, x->shape);
  for (tsr_index i = 0; i < n; i++) {
    x->re[i] = (int32_t)test_between(rng, low, high);
    x->im[i] = is_complex(x->dtype) ? (int32_t)test_between(rng, low, high) : 0;
  }
}

/* The numbers into a given tensor of any dtype and strides. */
static inline void store_numbers(tsr_ctx *ctx, const operand *x, const tsr_tensor *to) {
  tsr_tensor part = {0}, plain = {0};
  for (int i = 0; i < 1 + is_complex(x->dtype); i++) {
    plain = *to;
    plain.flags = 0;
    if (is_complex(x->dtype)) OK(ctx, tsr_complex_part(ctx, to, i, &plain));
    OK(ctx, tsr_from_const_memory(ctx, i == 0 ? x->re : x->im, TSR_I32, x->ndim, x->shape, &part));
    OK(ctx, tsr_copy(ctx, &part, &plain));
  }
}

/* A tensor of the operand's numbers that lies in some way: its axes in any order, with gaps, backwards. */
static inline void lay_out(tsr_ctx *ctx, operand *x, test_rng *rng) {
  int place[TSR_MAX_DIMS] = {0};
  tsr_index shape[TSR_MAX_DIMS] = {0};
  const int gaps = x->ndim > 0 && chance(rng, 3) ? (int)test_between(rng, 0, x->ndim - 1) : -1;
  tsr_tensor whole = {0};
  for (int i = 0; i < x->ndim; i++) {
    const int at = (int)test_between(rng, 0, i);
    place[i] = place[at];
    place[at] = i;
  }
  for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[place[i]] * (place[i] == gaps ? 2 : 1);
  OK(ctx, tsr_zeros(ctx, x->dtype, x->ndim, shape, &whole));
  x->t = whole; /* the handle: axes are moved about in it */
  for (int i = 0; i < x->ndim; i++) {
    x->t.shape[place[i]] = x->shape[place[i]];
    x->t.stride[place[i]] = whole.stride[i] * (place[i] == gaps ? 2 : 1);
  }
  for (int i = 0; i < x->ndim; i++)
    if (x->shape[i] > 1 && chance(rng, 5)) OK(ctx, tsr_flip(ctx, &x->t, i, &x->t));
  store_numbers(ctx, x, &x->t);
}

/* Whether a result is what is wanted: dtype, shape, every element. */
static inline bool is_right(tsr_ctx *ctx, const tsr_tensor *out, const operand *wanted) {
  tsr_tensor exact = {0};
  bool same = false;
  if (out->dtype != wanted->dtype || out->ndim != wanted->ndim) return false;
  OK(ctx, tsr_zeros(ctx, wanted->dtype, wanted->ndim, wanted->shape, &exact));
  store_numbers(ctx, wanted, &exact);
  if (is_complex(wanted->dtype))
    OK(ctx, tsr_equal(ctx, out, &exact, &same));
  else
    OK(ctx, tsr_allclose(ctx, out, &exact, 0, 0, true, &same));
  tsr_release(&exact);
  return same;
}

static inline int any_dtype(test_rng *rng) {
  for (;;) {
    const int dtype = (int)test_between(rng, 1, TSR_DTYPE_COUNT - 1);
    if (tsr_dtype_supported(dtype)) return dtype;
  }
}

static inline void choose_isa(tsr_ctx *ctx, test_rng *rng) {
  int count = 0;
  while (tsr_isa_name(count) != NULL) count++;
  const char *const name = tsr_isa_name((int)test_between(rng, 0, count - 1));
  OK(ctx, tsr_context_set_isa(ctx, name));
}

/* ---- the definition ---- */

static inline void multiply_at(const equation *q, const tsr_index *at, int64_t *re, int64_t *im) {
  *re = 1;
  *im = 0;
  for (int k = 0; k < q->n; k++) {
    const operand *const x = &q->in[k];
    tsr_index flat = 0;
    for (int i = 0; i < x->ndim; i++) flat = flat * x->shape[i] + (x->shape[i] == 1 ? 0 : at[x->label[i]]);
    const int64_t r = *re * x->re[flat] - *im * x->im[flat], s = *re * x->im[flat] + *im * x->re[flat];
    *re = r;
    *im = s;
  }
}

/* The result as an operand: its numbers, shape and dtype. */
static inline void evaluate(const equation *q, operand *out) {
  tsr_index at[LABELS] = {0};
  out->dtype = q->dtype;
  out->ndim = q->ndim;
  for (int i = 0; i < q->ndim; i++) out->shape[i] = q->shape[i];
  memset(out->re, 0, sizeof out->re);
  memset(out->im, 0, sizeof out->im);
  if (test_product(LABELS, q->size) == 0) return;
  do {
    int64_t re, im;
    tsr_index flat = 0;
    multiply_at(q, at, &re, &im);
    for (int i = 0; i < q->ndim; i++) flat = flat * q->shape[i] + at[q->label[i]];
    if (q->dtype == TSR_BOOL) out->re[flat] |= (int32_t)re;
    if (q->dtype == TSR_BOOL) continue;
    out->re[flat] += (int32_t)re;
    out->im[flat] += (int32_t)im;
  } while (test_next_index(LABELS, q->size, at));
}

/* ---- equations ---- */

static inline void append(equation *q, const char *text) {
  const size_t n = strlen(q->text);
  if (n + strlen(text) < sizeof q->text) memcpy(q->text + n, text, strlen(text) + 1);
}

static inline void append_labels(equation *q, int ndim, const int *label, bool dots, test_rng *rng) {
  for (int i = 0; i < ndim; i++) {
    const char letter[2] = {label[i] < LETTERS ? pool[label[i]] : 0, 0};
    if (chance(rng, 9)) append(q, " ");
    if (label[i] < LETTERS)
      append(q, letter);
    else if (i == 0 || label[i - 1] < LETTERS)
      append(q, "...");
  }
  bool any = false;
  for (int i = 0; i < ndim; i++) any = any || label[i] >= LETTERS;
  if (dots && !any) append(q, "...");
}

static inline void choose_operand(equation *q, int k, int dots, int most, test_rng *rng) {
  operand *const x = &q->in[k];
  const int own = dots > 0 ? (int)test_between(rng, 0, dots) : 0, at = (int)test_between(rng, 0, 2);
  int letters = (int)test_between(rng, 0, most - own);
  x->ndim = 0;
  for (int i = 0; i <= letters; i++) {
    for (int d = 0; i == (at < letters ? at : letters) && d < own; d++) {
      x->label[x->ndim] = LABELS - own + d;
      x->shape[x->ndim++] = chance(rng, 4) ? 1 : q->size[LABELS - own + d];
    }
    if (i == letters) break;
    const int label = (int)test_between(rng, 0, LETTERS - 1);
    tsr_index length = chance(rng, 9) ? 1 : q->size[label];
    for (int j = 0; j < x->ndim; j++)
      if (x->label[j] == label) length = x->shape[j];
    x->label[x->ndim] = label;
    x->shape[x->ndim++] = length;
  }
}

/* Sizes as they turn out to be: 1 where every operand has 1, or none has the label. */
static inline void note_sizes(equation *q, int *times) {
  for (int l = 0; l < LABELS; l++) q->size[l] = 1;
  for (int k = 0; k < q->n; k++)
    for (int i = 0; i < q->in[k].ndim; i++) {
      times[q->in[k].label[i]]++;
      if (q->in[k].shape[i] != 1) q->size[q->in[k].label[i]] = q->in[k].shape[i];
    }
}

static inline void choose_result(equation *q, const int *times, bool given, test_rng *rng) {
  static const int by_name[LETTERS] = {4, 2, 1, 5, 0, 3}; /* B Z a i j k */
  int n = 0;
  for (int l = LETTERS; l < LABELS; l++)
    if (times[l] > 0) q->label[n++] = l;
  const int dots = n;
  for (int i = 0; i < LETTERS && n < TSR_MAX_DIMS; i++) {
    const int l = by_name[i];
    if (given ? times[l] > 0 && !chance(rng, 3) : times[l] == 1) q->label[n++] = l;
  }
  for (int i = dots; given && i < n; i++) { /* letters in any order; then the ellipsis goes somewhere */
    const int at = (int)test_between(rng, dots, i), l = q->label[i];
    q->label[i] = q->label[at];
    q->label[at] = l;
  }
  const int before = given ? (int)test_between(rng, 0, n - dots) : 0; /* letters in front of it */
  for (int i = 0; i < before; i++) {
    const int letter = q->label[dots + i];
    for (int at = dots + i; at > i; at--) q->label[at] = q->label[at - 1];
    q->label[i] = letter;
  }
  q->ndim = n;
  for (int i = 0; i < n; i++) q->shape[i] = q->size[q->label[i]];
}

/* An equation of n operands with at most rank axes each. */
static inline void choose_equation(equation *q, int n, int rank, test_rng *rng) {
  int times[LABELS] = {0};
  const bool given = !chance(rng, 3);
  const int dots = chance(rng, 3) ? (int)test_between(rng, 1, DOTS) : 0;
  q->n = n;
  q->text[0] = 0;
  for (int l = 0; l < LABELS; l++) q->size[l] = chance(rng, 60) ? 0 : test_between(rng, 1, 4);
  for (int k = 0; k < n; k++) {
    choose_operand(q, k, dots, rank, rng);
    if (k > 0) append(q, ",");
    append_labels(q, q->in[k].ndim, q->in[k].label, dots > 0, rng);
  }
  note_sizes(q, times);
  choose_result(q, times, given, rng);
  if (!given) return;
  append(q, chance(rng, 2) ? " -> " : "->");
  append_labels(q, q->ndim, q->label, dots > 0, rng);
}

#endif
