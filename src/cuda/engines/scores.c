/* How well classes were read. */
#include "cuda/engines/engines.h"
#include "cuda/engines/loss.h"

#include "nn/loss/ops.h"

#include <string.h>

static tsr_status plan_line_of(tsr__cuda *gpu, tsr_ctx *ctx, const char *line, int compute, int result,
                               const tsr__cuda_view *a, const tsr__cuda_view *b, double number,
                               const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {.maker = line, .out = *out};
  tsr__cuda_add_view(&e, a);
  if (b != NULL)
    tsr__cuda_add_view(&e, b);
  else
    tsr__cuda_add_number(&e, TSR_F64, &number);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .inputs = 2,
                                          .in = {0, 1},
                                          .dtype = {(uint8_t)compute, (uint8_t)compute},
                                          .compute = (uint8_t)compute,
                                          .result = (uint8_t)result,
                                          .out = out->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}

/* The share of rows whose greatest score is that of their class. */
tsr_status tsr__cuda_accuracy(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const char same[] = "a == b", share[] = "a / b";
  const tsr__cuda_view scores = tsr__cuda_input(work, 0), classes = tsr__cuda_input(work, 1),
                       out = tsr__cuda_output(work, 0);
  const tsr_index n = scores.tensor.shape[0], *const rows = &scores.tensor.shape[0];
  const tsr__cuda_view found = tsr__cuda_temporary(plan, TSR_I64, 1, rows),
                       right = tsr__cuda_temporary(plan, TSR_BOOL, 1, rows),
                       own = tsr__cuda_temporary(plan, scores.tensor.dtype, 1, rows),
                       count = tsr__cuda_temporary(plan, TSR_F64, 0, NULL);
  const tsr__cuda_fold fold = tsr__cuda_fold_of(TSR__FOLD_COUNT, TSR_BOOL);
  const tsr__cuda_reduction r = {.fold = &fold, .compute = TSR_BOOL, .x = right, .axes = 1, .out = count};
  tsr_status st = TSR_OK;
  (void)op;
  if (n > 0 && scores.tensor.shape[1] > 0) { /* the classes' scores are looked up for the sake of the check */
    st = tsr__cuda_plan_classes(gpu, work->ctx, &scores, &classes, INT64_MIN, &own, plan);
    if (st == TSR_OK) st = tsr__cuda_plan_place(gpu, work->ctx, &scores, 2, false, &found, plan);
    if (st == TSR_OK) st = plan_line_of(gpu, work->ctx, same, TSR_I64, TSR_BOOL, &found, &classes, 0, &right, plan);
  }
  if (st == TSR_OK) st = tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan);
  return st == TSR_OK ? plan_line_of(gpu, work->ctx, share, TSR_F64, TSR_F64, &count, NULL, (double)n, &out, plan) : st;
}

/* The kernel's struct confusion_args. */
typedef struct confusion_args {
  uint64_t target, predicted, out;
  int64_t n, classes;
  uint64_t bad_target[2], bad_predicted[2];
} confusion_args;

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/scores.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_confusion"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

tsr_status tsr__cuda_confusion_matrix(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                      tsr__cuda_plan *plan) {
  const tsr__confusion_matrix_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const tsr_index n = work->in[0]->shape[0];
  const tsr__cuda_view counts = tsr__cuda_temporary(plan, TSR_I64, 2, out.tensor.shape);
  confusion_args args = {.n = n, .classes = attrs->classes};
  tsr__cuda_view in[2];
  const tsr__cuda_kernel *kernel;
  tsr_status st = get_kernel(gpu, work->ctx, &kernel);
  (void)op;
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    const tsr__cuda_view given = tsr__cuda_input(work, k);
    in[k] = tsr__cuda_temporary(plan, TSR_I64, 1, given.tensor.shape);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &given, &in[k], plan);
  }
  if (st != TSR_OK) return st;
  tsr__cuda_plan_set(plan, counts.ref, 0, tsr_nbytes(&counts.tensor));
  if (n > 0) {
    if (n > (tsr_index)INT32_MAX * 256)
      return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "target", "%t: more than a grid has threads", work->in[0]);
    tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)((n + 255) / 256), 1, 1}, 256, 0, &args,
                          sizeof args);
    tsr__cuda_plan_address(plan, offsetof(confusion_args, target), in[0].ref);
    tsr__cuda_plan_address(plan, offsetof(confusion_args, predicted), in[1].ref);
    tsr__cuda_plan_address(plan, offsetof(confusion_args, out), counts.ref);
    tsr__cuda_plan_fault(plan, offsetof(confusion_args, bad_target), "target");
    tsr__cuda_plan_fault(plan, offsetof(confusion_args, bad_predicted), "predicted");
  }
  return tsr__cuda_plan_cast(gpu, work->ctx, &counts, &out, plan);
}
