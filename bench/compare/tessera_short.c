/* Tessera along short axes, an op by its name:
 *   sweep short op=sum dtype=f32 shape=1000,8 columns=0
 * The op goes along axis 1 of a matrix. columns=1: the matrix lies column by column, a transposed view. The output is
 * contiguous, and concat joins two such matrices. */
#include <stdio.h>
#include <string.h>

#include "tessera_contest.h"

enum { NAME = 32, NUMBERS = 65521 };

static const tsr_op *op;
static tsr_attr attribute;
static const tsr_tensor *inputs[2];
static int input_count;
static const tsr_index along[1] = {1};

static void run_short(long calls) {
  tsr_tensor *const outputs[] = {&out};
  for (long i = 0; i < calls; i++) must(tsr_op_call(&context, op, input_count, inputs, 1, &attribute, 1, outputs));
}

/* axis or axes, as the op has it. */
static tsr_attr axis_of(const tsr_op *any) {
  const tsr_op_param *const param = tsr_op_param_at(any, TSR_OP_ATTRIBUTE, 0);
  return param->type == TSR_OP_AXES ? tsr_attr_ints("axes", 1, along) : tsr_attr_int("axis", 1);
}

/* The numbers of the benchmark in a dtype; integers from -30 to 50. A few thousand of them over and over: what a cast
 * takes is not what is measured. */
static void *short_numbers(int dtype, tsr_index count) {
  const tsr_index some = count < NUMBERS ? count : NUMBERS, bytes = (tsr_index)tsr_dtype_size(dtype);
  float *const floats = contest_floats(some, 0);
  char *const data = contest_bytes(count * bytes);
  tsr_tensor from = {0}, to = {0};
  for (tsr_index i = 0; dtype != TSR_F32 && i < some; i++) floats[i] *= 10;
  must(tsr_from_memory(&context, floats, TSR_F32, TSR_SHAPE(some), &from));
  must(tsr_from_memory(&context, data, dtype, TSR_SHAPE(some), &to));
  must(tsr_cast(&context, &from, dtype, &to));
  for (tsr_index i = some, n; i < count; i += n) {
    n = count - i < some ? count - i : some;
    memcpy(data + i * bytes, data, (size_t)(n * bytes));
  }
  return data;
}

static void short_input(int dtype, const tsr_index *shape, bool columns, tsr_tensor *t) {
  void *const data = short_numbers(dtype, shape[0] * shape[1]);
  must(tsr_from_memory(&context, data, dtype, TSR_SHAPE(columns ? shape[1] : shape[0], columns ? shape[0] : shape[1]),
                       t));
  if (columns) must(tsr_transpose(&context, t, 0, 1, t));
}

/* What the op gives, in the memory of contest.h. */
static void short_output(void) {
  tsr_tensor *const outputs[] = {&out};
  out = (tsr_tensor){0};
  must(tsr_op_infer(&context, op, input_count, inputs, 1, &attribute, 1, outputs, NULL));
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < out.ndim; i++) shape[i] = out.shape[i];
  const int dtype = out.dtype, ndim = out.ndim;
  void *const data = contest_bytes((int64_t)tsr_nbytes(&out));
  must(tsr_from_memory(&context, data, dtype, ndim, shape, &out));
  contest_result(data, (int64_t)tsr_nbytes(&out), CONTEST_U8);
}

contest_run *contest_open_short(const char *spec) {
  char name[NAME], type[NAME];
  long long rows, length;
  int columns;
  if (sscanf(spec, "sweep short op=%31s dtype=%31s shape=%lld,%lld columns=%d", name, type, &rows, &length, &columns) !=
      5)
    return NULL;
  const tsr_index shape[] = {(tsr_index)rows, (tsr_index)length};
  const int dtype = tsr_dtype_find(type);
  op = tsr_op_find(name);
  if (op == NULL || dtype == TSR_NONE) return NULL;
  input_count = strcmp(name, "concat") == 0 ? 2 : 1;
  inputs[0] = inputs[1] = &a;
  attribute = axis_of(op);
  short_input(dtype, shape, columns != 0, &a);
  short_output();
  return run_short;
}
