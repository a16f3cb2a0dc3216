/* Random programs: calls by name over inputs of random dtypes, shapes and layouts. What they give is compared by whoever makes them. */
#ifndef TEST_SUPPORT_RANDOM_PROGRAM_H
#define TEST_SUPPORT_RANDOM_PROGRAM_H

#include "support/helpers.h"
#include "support/test.h"

#include <string.h>
#include <tessera/ops.h>

enum { INPUTS = 4, MOST = 24, MOST_OUTPUTS = 3 };

typedef enum op_form { UNARY, BINARY, SCALAR_FORM, SCALAR_I64_FORM, TERNARY, CLAMP, ALPHA, CAST, REDUCE, SOFT } op_form;

typedef struct op_name {
  const char *name;
  op_form form;
  int fused; /* how often a program had it in a group */
} op_name;

static op_name random_ops[] = {
#define UNARY_EACH(op, ...) {#op, UNARY, 0},
#include "ops/unary/rows.def"
#define BINARY_EACH(op, ...) {#op, BINARY, 0},
#include "ops/binary/rows.def"
#define SCALAR(op, ...) {#op "_scalar", SCALAR_FORM, 0},
#define REVERSED(op, ...) {"scalar_" #op, SCALAR_FORM, 0},
#define SCALAR_I64(op) {#op "_scalar_i64", SCALAR_I64_FORM, 0},
#define REVERSED_I64(op) {"scalar_" #op "_i64", SCALAR_I64_FORM, 0},
#include "ops/binary/numbers.def"
    {"where", TERNARY, 0},    {"clamp_tensor", TERNARY, 0},
    {"fma", TERNARY, 0},      {"addcmul", TERNARY, 0},
    {"lerp", TERNARY, 0},     {"clamp", CLAMP, 0},
    {"leaky_relu", ALPHA, 0}, {"elu", ALPHA, 0},
    {"celu", ALPHA, 0},       {"cast", CAST, 0},
    {"sum", REDUCE, 0},       {"mean", REDUCE, 0},
    {"prod", REDUCE, 0},      {"max", REDUCE, 0},
    {"min", REDUCE, 0},       {"any", REDUCE, 0},
    {"all", REDUCE, 0},       {"count_nonzero", REDUCE, 0},
    {"var", REDUCE, 0},       {"std", REDUCE, 0},
    {"norm1", REDUCE, 0},     {"norm2", REDUCE, 0},
    {"norm_inf", REDUCE, 0},  {"norm", REDUCE, 0},
    {"logsumexp", REDUCE, 0}, {"softmax", SOFT, 0},
    {"log_softmax", SOFT, 0},
};

static const int random_dtypes[] = {TSR_F32,  TSR_F32, TSR_F32, TSR_F64,     TSR_F16,     TSR_BF16, TSR_I32,
                                    TSR_BOOL, TSR_U8,  TSR_I64, TSR_F8_E4M3, TSR_F8_E5M2, TSR_I16,  TSR_U32};

/* A program: how its inputs lie, and the seed of its calls. */
typedef struct random_program {
  uint64_t seed;
  int ndim;
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor in[INPUTS];
  int op; /* that it is to have first; -1: any */
} random_program;

/* What its calls made: tensors, or values while it is recorded. */
typedef struct made {
  int count;
  tsr_tensor t[MOST];
  int outputs;
  int output[MOST_OUTPUTS];
} made;

static inline bool random_one_in(test_rng *rng, int n) { return test_random(rng) % (uint32_t)n == 0; }

/* ---- inputs ---- */

/* A tensor of some dtype that broadcasts to the shape; what it holds is anything small, and now and then anything at all. */
static inline void random_input(tsr_ctx *ctx, test_rng *rng, const random_program *p, int dtype, tsr_tensor *out) {
  tsr_index shape[TSR_MAX_DIMS], index[TSR_MAX_DIMS] = {0};
  int ndim = random_one_in(rng, 8) ? (int)test_between(rng, 0, p->ndim) : p->ndim;
  for (int i = 0; i < ndim; i++) shape[i] = random_one_in(rng, 6) ? 1 : p->shape[p->ndim - ndim + i];
  const bool wild = random_one_in(rng, 4);
  OK(ctx, tsr_empty(ctx, dtype, ndim, shape, out));
  unsigned char *const bytes = out->data;
  if (wild && dtype != TSR_BOOL) {
    for (size_t i = 0; i < tsr_nbytes(out); i++) bytes[i] = (unsigned char)test_random(rng);
    return;
  }
  do {
    const double value = (double)(int32_t)test_random(rng) / 1e9;
    const tsr_tensor one = {.dtype = TSR_F64, .data = (void *)(uintptr_t)&value};
    tsr_tensor to = {.dtype = (uint8_t)dtype, .data = test_at(out, index)};
    if (dtype == TSR_U32)
      *(uint32_t *)to.data = test_random(rng) % 2;
    else if (dtype == TSR_BOOL || dtype == TSR_U8)
      *(unsigned char *)to.data = (unsigned char)(test_random(rng) % 2);
    else
      OK(ctx, tsr_copy(ctx, &one, &to));
  } while (test_next_index(ndim, shape, index));
}

/* The same elements in another order of axes, with gaps, or backwards. */
static inline void random_layout(tsr_ctx *ctx, test_rng *rng, tsr_tensor *t) {
  tsr_tensor room = {0}, view = {0};
  tsr_index shape[TSR_MAX_DIMS];
  const int how = (int)(test_random(rng) % 4);
  if (t->ndim < 1 || how == 0) return;
  for (int i = 0; i < t->ndim; i++) shape[i] = t->shape[t->ndim - 1 - i] * (how == 1 ? 2 : 1);
  OK(ctx, tsr_empty(ctx, t->dtype, t->ndim, shape, &room));
  for (int i = 0; i < t->ndim; i++) {
    const int axis = t->ndim - 1 - i;
    view = room;
    room.shape[i] = t->shape[axis];
    if (how == 1) room.stride[i] *= 2;
    if (how == 2) {
      room.data =
          (char *)room.data + (ptrdiff_t)(room.stride[i] * (room.shape[i] - 1)) * (ptrdiff_t)tsr_dtype_size(t->dtype);
      room.stride[i] = -room.stride[i];
    }
  }
  view = room;
  for (int i = 0; i < t->ndim; i++) {
    room.shape[i] = view.shape[t->ndim - 1 - i];
    room.stride[i] = view.stride[t->ndim - 1 - i];
  }
  OK(ctx, tsr_copy(ctx, t, &room));
  tsr_release(t);
  *t = room;
}

static inline void random_program_make(tsr_ctx *ctx, random_program *p, uint64_t seed, int op) {
  test_rng rng = {seed * 7919 + 17};
  *p = (random_program){.seed = seed, .op = op};
  const int size = (int)(test_random(&rng) % 8);
  p->ndim = (int)test_between(&rng, 1, 4);
  const tsr_index most = size == 0 ? 200 : size < 3 ? 40 : 12;
  for (int i = 0; i < p->ndim; i++) p->shape[i] = test_between(&rng, 1, p->ndim > 3 ? most / 6 + 2 : most);
  if (size == 7 && p->ndim <= 2) p->shape[p->ndim - 1] = test_between(&rng, 900, 9000);
  const int common = random_dtypes[test_random(&rng) % (uint32_t)COUNT_OF(random_dtypes)];
  for (int i = 0; i < INPUTS; i++) {
    random_input(ctx, &rng, p,
                 random_one_in(&rng, 3) ? random_dtypes[test_random(&rng) % (uint32_t)COUNT_OF(random_dtypes)] : common,
                 &p->in[i]);
    if (random_one_in(&rng, 2)) random_layout(ctx, &rng, &p->in[i]);
  }
}

/* ---- calls ---- */

static inline int random_inputs_of(op_form form) { return form == BINARY ? 2 : form == TERNARY ? 3 : 1; }

static inline tsr_status random_call(tsr_ctx *ctx, test_rng *rng, const op_name *o, const tsr_tensor *const *in,
                                     tsr_tensor *out) {
  const tsr_op *const op = tsr_op_find(o->name);
  const int axis = (int)(test_random(rng) % TSR_MAX_DIMS),
            dtype = random_dtypes[test_random(rng) % (uint32_t)COUNT_OF(random_dtypes)];
  const bool whole = random_one_in(rng, 3), keep = random_one_in(rng, 2);
  const double value = (double)test_between(rng, -3, 3);
  const tsr_index axes[1] = {in[0]->ndim > 0 ? axis % in[0]->ndim : 0};
  tsr_attr attr[2];
  int attrs = 0;
  if (op == NULL) return TSR_ENAME;
  if (o->form == SCALAR_FORM) attr[attrs++] = tsr_attr_real("value", value / (random_one_in(rng, 2) ? 2 : 1));
  if (o->form == SCALAR_I64_FORM) attr[attrs++] = tsr_attr_int("value", (int64_t)value);
  if (o->form == CLAMP) attr[attrs++] = tsr_attr_real("lo", -1);
  if (o->form == CLAMP) attr[attrs++] = tsr_attr_real("hi", 1);
  if (o->form == ALPHA && strcmp(o->name, "leaky_relu") != 0) attr[attrs++] = tsr_attr_real("alpha", 1.5);
  if (o->form == CAST) attr[attrs++] = tsr_attr_int("dtype", dtype);
  if (o->form == REDUCE && !whole) attr[attrs++] = tsr_attr_ints("axes", 1, axes);
  if (o->form == REDUCE) attr[attrs++] = tsr_attr_bool("keepdims", keep);
  if (o->form == SOFT) attr[attrs++] = tsr_attr_int("axis", random_one_in(rng, 2) ? -1 : (int)axes[0]);
  return tsr_op_call(ctx, op, random_inputs_of(o->form), in, attrs, attr, 1, &out);
}

/* Operands that lead to the op: floats, or bool where it is a mask; the latest made are the likeliest. */
static inline const tsr_tensor *random_pick(test_rng *rng, const made *m) {
  const int back = random_one_in(rng, 3) ? (int)(test_random(rng) % (uint32_t)m->count) : (int)(test_random(rng) % 3);
  return &m->t[back < m->count ? m->count - 1 - back : 0];
}

/* The calls of a program on its inputs. What is refused once is refused always, and left out. */
static inline void random_calls(tsr_ctx *ctx, const random_program *p, const tsr_tensor *in, made *m) {
  test_rng rng = {p->seed * 31 + 5};
  const int calls = (int)test_between(&rng, 2, MOST - INPUTS - 1);
  m->count = m->outputs = 0;
  for (int i = 0; i < INPUTS; i++) m->t[m->count++] = in[i];
  for (int i = 0; i < calls; i++) {
    const op_name *const o =
        &random_ops[p->op >= 0 && i < 4 ? p->op : (int)(test_random(&rng) % (uint32_t)COUNT_OF(random_ops))];
    const tsr_tensor *operands[3];
    tsr_tensor view = {0}, out = {0};
    if ((o->form == REDUCE || o->form == SOFT) && p->op < 0 && random_one_in(&rng, 2)) continue;
    for (int k = 0; k < 3; k++) operands[k] = random_pick(&rng, m);
    if (o->form == TERNARY && strcmp(o->name, "where") == 0)
      for (int k = 0; k < m->count; k++)
        if (m->t[k].dtype == TSR_BOOL) operands[0] = &m->t[k];
    if (random_one_in(&rng, 10) && operands[0]->ndim > 1 && tsr_transpose(ctx, operands[0], 0, 1, &view) == TSR_OK)
      operands[0] = &view;
    if (random_call(ctx, &rng, o, operands, &out) == TSR_OK) m->t[m->count++] = out;
  }
  m->output[m->outputs++] = m->count - 1;
  for (int i = 0; i < MOST_OUTPUTS - 1; i++)
    if (random_one_in(&rng, 3))
      m->output[m->outputs++] = (int)test_between(&rng, INPUTS, m->count > INPUTS ? m->count - 1 : INPUTS);
  if (m->count == INPUTS) m->outputs = 0;
}

static inline void random_release(made *m) {
  for (int i = INPUTS; i < m->count; i++) tsr_release(&m->t[i]);
}

#endif
