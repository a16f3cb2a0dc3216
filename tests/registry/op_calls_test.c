/* Every op called by its name, beside the same call of its function: the same status, the same bytes. And the dtypes
 * that the table says of it: taken or refused, and what comes out. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS

#include "registry/calls.h"

/* Numbers of f32 of both signs, no two alike in a tensor. */
static void set_floats(void) {
  set_dtype(TSR_F32, 2);
  for (int k = 0; k < COUNT_OF(followers); k++)
    for (int i = 0; i < ROOM && followers[k] != &part && followers[k] != &regular; i++)
      ((float *)(void *)room[k].bytes)[i] = (float)((i * 29 + k * 7) % ROOM) / 16 - 1.5f;
}

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
    const bool same =
        tsr_desc_equal(&direct[i], turned[i]) && (is_left_empty(e->name) || test_same_elements(&direct[i], turned[i]));
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

static int part_of(int dtype) { return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype; }
static int float_of(int dtype) {
  const int class = tsr_dtype_describe(dtype)->class_;
  return class == TSR_CLASS_FLOAT || class == TSR_CLASS_COMPLEX ? dtype
         : tsr_dtype_size(dtype) <= 2                           ? TSR_F32
                                                                : TSR_F64;
}

/* What an output has where the op's inputs have dtype; TSR_NONE: not for the table to say. */
static int expected_dtype(const tsr_op *op, int output, int dtype) {
  const tsr_op_param *const param = tsr_op_param_at(op, TSR_OP_OUTPUT, output); /* NULL: one more of several */
  const int own = param != NULL ? param->takes : 0, class = tsr_dtype_describe(dtype)->class_;
  switch (own != 0 ? own : op->gives) {
    case TSR_GIVES_SAME: return dtype;
    case TSR_GIVES_FLOAT: return float_of(dtype);
    case TSR_GIVES_REAL: return part_of(dtype);
    case TSR_GIVES_REAL_FLOAT: return part_of(float_of(dtype));
    case TSR_GIVES_SUM:
      return class == TSR_CLASS_FLOAT || class == TSR_CLASS_COMPLEX ? dtype
             : class == TSR_CLASS_UINT                              ? TSR_U64
                                                                    : TSR_I64;
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
  static const int dtypes[] = {TSR_BOOL, TSR_I8,  TSR_I32, TSR_I64, TSR_U8,  TSR_U64,
                               TSR_F16,  TSR_F32, TSR_F64, TSR_C64, TSR_C128};
  for (int i = 0; i < COUNT_OF(calls); i++) {
    const tsr_op *const op = tsr_op_find(calls[i].name);
    for (int k = 0; op != NULL && op->takes != 0 && k < COUNT_OF(dtypes); k++) {
      if (dtypes[k] == TSR_F64 && has_name(op->name, "rotary")) continue; /* its tables are then f64 too */
      if (tsr_dtype_describe(dtypes[k])->class_ == TSR_CLASS_COMPLEX && has_name(op->name, "gemm"))
        continue; /* it has an activation here, which takes real numbers: matmul_complex_test */
      try_dtype(&calls[i], op, dtypes[k]);
    }
  }
}

TEST_MAIN(RUN(every_op_is_called_here), RUN(every_op_by_name_is_the_direct_call), RUN(dtypes_are_as_the_table_says))

#else

TEST(ops_by_name) { SKIP("not configured"); }
TEST_MAIN(RUN(ops_by_name))

#endif
