/* Every op called by its name, beside the same call of its function: the same status, the same bytes. And the dtypes
 * that the table says of it: taken or refused, and what comes out. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS

#include "ops/binary/binary.h"
#include "ops/unary/unary.h"

/* ---- the tensors that calls refer to ---- */

enum { ROOM = 64 };
typedef struct buffer {
  _Alignas(16) unsigned char bytes[ROOM * 16];
} buffer;

static buffer  room[17];
static tsr_rng rng;

#define TENSOR(k, rank, ...) {.ndim = rank, .shape = {__VA_ARGS__}, .data = room[k].bytes}
/* Those that follow an op's dtypes, */
static tsr_tensor x = TENSOR(0, 2, 3, 4), y = TENSOR(1, 2, 3, 4), z = TENSOR(2, 2, 3, 4), square = TENSOR(3, 2, 4, 4);
static tsr_tensor v = TENSOR(4, 1, 4), u = TENSOR(5, 1, 4), u2 = TENSOR(6, 1, 2), image = TENSOR(7, 4, 1, 2, 4, 4);
static tsr_tensor signal = TENSOR(8, 3, 1, 2, 6), volume = TENSOR(9, 5, 1, 1, 3, 3, 3);
static tsr_tensor filter1 = TENSOR(10, 3, 2, 2, 3), filter2 = TENSOR(11, 4, 2, 2, 3, 2);
static tsr_tensor filter3 = TENSOR(12, 5, 1, 1, 2, 2, 2), deep = TENSOR(13, 4, 1, 8, 2, 2), part = TENSOR(14, 2, 3, 4);
static tsr_tensor *const followers[] = {&x,      &y,      &z,       &square,  &v,       &u,    &u2,  &image,
                                        &signal, &volume, &filter1, &filter2, &filter3, &deep, &part};
/* and those that do not. */
static float      ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static int32_t    zero_one_two[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
static uint8_t    bits[12] = {0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1};
static tsr_tensor four = {.dtype = TSR_F32, .ndim = 1, .shape = {4}, .stride = {1}, .data = ones};
static tsr_tensor table = {.dtype = TSR_F32, .ndim = 2, .shape = {3, 2}, .stride = {2, 1}, .data = ones};
static tsr_tensor rows = {.dtype = TSR_I32, .ndim = 1, .shape = {3}, .stride = {1}, .data = zero_one_two};
static tsr_tensor numbers = {.dtype = TSR_I32, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = zero_one_two};
static tsr_tensor places = {.dtype = TSR_I32, .ndim = 2, .shape = {3, 1}, .stride = {1, 1}, .data = zero_one_two};
static tsr_tensor truth = {.dtype = TSR_BOOL, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = bits};

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
      test_encode(dtype, (i * 5 + k) % (t == &part ? 2 : limit), room[k].bytes + (size_t)i * tsr_dtype_size(dtype));
  }
}

/* Numbers of f32 of both signs, no two alike in a tensor. */
static void set_floats(void) {
  set_dtype(TSR_F32, 2);
  for (int k = 0; k < COUNT_OF(followers); k++)
    for (int i = 0; i < ROOM && followers[k] != &part; i++)
      ((float *)(void *)room[k].bytes)[i] = (float)((i * 29 + k * 7) % ROOM) / 16 - 1.5f;
}

/* ---- the calls ---- */

#define I(...) {__VA_ARGS__, NULL}
#define NO_INPUTS {NULL}
#define A(...) {__VA_ARGS__, tsr_attr_int(NULL, 0)}
#define NO_ATTRIBUTES {tsr_attr_int(NULL, 0)}
#define BOOL(name, value) tsr_attr_bool(name, value)
#define INT(name, value) tsr_attr_int(name, value)
#define REAL(name, value) tsr_attr_real(name, value)
#define TEXT(name, value) tsr_attr_text(name, value)
#define RANDOM(name, value) tsr_attr_rng(name, value)
#define INTS(name, count, ...) tsr_attr_ints(name, count, (const tsr_index[]){__VA_ARGS__})
#define REALS(name, count, ...) tsr_attr_reals(name, count, (const tsr_real[]){__VA_ARGS__})

#define CALL(name, inputs, attributes, outputs, ...)                                                                 \
  static tsr_status direct_##name(tsr_ctx *ctx, tsr_tensor *const *o) { return __VA_ARGS__; }                        \
  static tsr_status named_##name(tsr_ctx *ctx, tsr_tensor *const *o) {                                               \
    const tsr_tensor *const in[] = inputs;                                                                           \
    const tsr_attr attrs[] = attributes;                                                                             \
    return tsr_op_call(ctx, tsr_op_find(#name), COUNT_OF(in) - 1, in, COUNT_OF(attrs) - 1, attrs, outputs, o);       \
  }
#include "registry/calls.def"
#undef CALL

typedef tsr_status call_fn(tsr_ctx *ctx, tsr_tensor *const *o);
typedef struct entry {
  const char *name;
  int         outputs;
  call_fn    *direct, *named;
} entry;

#define CALL(name, inputs, attributes, outputs, ...) {#name, outputs, direct_##name, named_##name},
static const entry calls[] = {
#include "registry/calls.def"
};
#undef CALL

static bool has_name(const char *name, const char *other) { return strcmp(name, other) == 0; }

/* Outputs that must be given. */
static bool needs_output(const char *name) {
  return has_name(name, "fill") || has_name(name, "fill_i64") || has_name(name, "kv_append");
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
}

static void release(tsr_tensor *out) {
  for (int i = 0; i < 4; i++) tsr_release(&out[i]);
}

static bool is_left_empty(const char *name) { return has_name(name, "empty") || has_name(name, "empty_like"); }

static void compare(const entry *e) {
  tsr_ctx *const ctx = test_context();
  const tsr_op *const op = tsr_op_find(e->name);
  tsr_tensor direct[4], named[4];
  tsr_tensor *const in_a_row[] = {&direct[0], &direct[1], &direct[2], &direct[3]};
  tsr_tensor *const turned[] = {&named[3], &named[2], &named[1], &named[0]}; /* outputs need not lie in a row */
  if (!test_check(op != NULL, __FILE__, __LINE__, e->name)) return;
  if (usual_dtype(op) == TSR_F32)
    set_floats();
  else
    set_dtype(usual_dtype(op), 4);
  give_outputs(ctx, e, TSR_F32, direct);
  OK(ctx, e->direct(ctx, in_a_row));
  tsr_tensor given[4];
  give_outputs(ctx, e, TSR_F32, given);
  for (int i = 0; i < 4; i++) *turned[i] = given[i];
  OK(ctx, e->named(ctx, turned));
  for (int i = 0; i < e->outputs; i++) {
    const bool same = tsr_desc_equal(&direct[i], turned[i]) &&
                      (is_left_empty(e->name) || test_same_elements(&direct[i], turned[i]));
    if (!test_check(same, __FILE__, __LINE__, "the same as the direct call")) printf("  %s, output %d\n", e->name, i);
  }
  release(direct);
  release(named);
  CHECK(test_live() == 0);
}

TEST(every_op_by_name_is_the_direct_call) {
  for (int i = 0; i < COUNT_OF(calls); i++) compare(&calls[i]);
}

TEST(every_op_is_called_here) {
  CHECK(tsr_op_count() == COUNT_OF(calls));
  for (int i = 0; i < tsr_op_count(); i++) {
    int found = 0;
    for (int k = 0; k < COUNT_OF(calls); k++) found += has_name(calls[k].name, tsr_op_at(i)->name);
    if (!test_check(found == 1, __FILE__, __LINE__, "one call of each op")) printf("  %s\n", tsr_op_at(i)->name);
  }
}

/* ---- dtypes ---- */

/* What an output has where the op's inputs have dtype; TSR_NONE: not for the table to say. */
static int expected_dtype(const tsr_op *op, int output, int dtype) {
  const tsr_op_param *const param = tsr_op_param_at(op, TSR_OP_OUTPUT, output); /* NULL: one more of several */
  const int own = param != NULL ? param->takes : 0, class = tsr_dtype_describe(dtype)->class_;
  switch (own != 0 ? own : op->gives) {
    case TSR_GIVES_SAME: return dtype;
    case TSR_GIVES_FLOAT: return class == TSR_CLASS_FLOAT ? dtype : tsr_dtype_size(dtype) <= 2 ? TSR_F32 : TSR_F64;
    case TSR_GIVES_SUM: return class == TSR_CLASS_FLOAT ? dtype : class == TSR_CLASS_UINT ? TSR_U64 : TSR_I64;
    case TSR_GIVES_BOOL: return TSR_BOOL;
    case TSR_GIVES_INDEX: return TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32;
    default: return TSR_NONE;
  }
}

static void try_dtype(const entry *e, const tsr_op *op, int dtype) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor out[4];
  tsr_tensor *const o[] = {&out[0], &out[1], &out[2], &out[3]};
  set_dtype(dtype, 2);
  give_outputs(ctx, e, dtype, out);
  const bool takes = (op->takes & 1u << tsr_dtype_describe(dtype)->class_) != 0;
  const tsr_status got = e->named(ctx, o);
  if (!test_check(got == (takes ? TSR_OK : TSR_EDTYPE), __FILE__, __LINE__, "taken or refused"))
    printf("  %s of %s: %s\n", e->name, tsr_dtype_name(dtype), got == TSR_OK ? "is taken" : tsr_error(ctx));
  for (int i = 0; i < e->outputs && got == TSR_OK; i++) {
    const int want = expected_dtype(op, i, dtype);
    if (!test_check(want == TSR_NONE || out[i].dtype == want, __FILE__, __LINE__, "the output's dtype"))
      printf("  %s of %s: %s\n", e->name, tsr_dtype_name(dtype), tsr_dtype_name(out[i].dtype));
  }
  release(out);
}

TEST(dtypes_are_as_the_table_says) {
  static const int dtypes[] = {TSR_BOOL, TSR_I8, TSR_I32, TSR_I64, TSR_U8, TSR_U64, TSR_F16, TSR_F32, TSR_F64, TSR_C64};
  for (int i = 0; i < COUNT_OF(calls); i++) {
    const tsr_op *const op = tsr_op_find(calls[i].name);
    for (int k = 0; op != NULL && op->takes != 0 && k < COUNT_OF(dtypes); k++) {
      if (dtypes[k] == TSR_F64 && has_name(op->name, "rotary")) continue; /* its tables are then f64 too */
      try_dtype(&calls[i], op, dtypes[k]);
    }
  }
}

TEST_MAIN(RUN(every_op_is_called_here), RUN(every_op_by_name_is_the_direct_call), RUN(dtypes_are_as_the_table_says))

#else

TEST(ops_by_name) { SKIP("not configured"); }
TEST_MAIN(RUN(ops_by_name))

#endif
