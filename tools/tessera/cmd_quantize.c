/* tessera quantize: weights of floats as 8 bits, with scales and zero points beside them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "formats.h"
#include "gather.h"
#include "report.h"
#include "rules.h"
#include "table.h"
#include "terminal.h"
#include "text.h"

typedef struct quantizing {
  tsr_ctx *ctx;
  const arguments *args;
  gathered all;
  int dtype;
  tsr_quant_kind kind;
  bool per_channel;
  long axis;
  double percent;
  table lines;
  uint64_t before, after;
} quantizing;

/* Scales and zero points of one tensor. */
typedef struct numbers {
  tsr_tensor scale, zero;
  tsr_quant quant;
} numbers;

static bool is_weight(const quantizing *q, const target *t) {
  const tsr_tensor *x = &t->tensor;
  return tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_FLOAT && x->ndim >= 2 && tsr_size(x) > 0 &&
         rules_select(q->args, t->name);
}

/* Scales have the tensor's rank, and length 1 but along the axis that they belong to: they broadcast. */
static tsr_status make_numbers(const quantizing *q, const tsr_tensor *x, numbers *out) {
  tsr_index shape[TSR_MAX_DIMS];
  const int axis = (int)(q->axis < 0 ? q->axis + x->ndim : q->axis);
  for (int i = 0; i < x->ndim; i++) shape[i] = q->per_channel && i == axis ? x->shape[i] : 1;
  tsr_status st = tsr_zeros(q->ctx, TSR_F32, x->ndim, shape, &out->scale);
  if (st == TSR_OK) st = tsr_zeros(q->ctx, TSR_I32, x->ndim, shape, &out->zero);
  if (st != TSR_OK) return st;
  float *scales = out->scale.data;
  int32_t *zeros = out->zero.data;
  if (q->per_channel) return tsr_quant_params_axis(q->ctx, x, axis, q->dtype, q->kind, scales, zeros, &out->quant);
  st = q->percent < 100 ? tsr_quant_percentile(q->ctx, x, (float)q->percent, q->dtype, q->kind, &out->quant)
                        : tsr_quant_params(q->ctx, x, q->dtype, q->kind, &out->quant);
  scales[0] = out->quant.scale;
  zeros[0] = out->quant.zero;
  return st;
}

/* The noise that was added, in decibels below the numbers themselves. */
static tsr_status noise_of(const quantizing *q, const tsr_tensor *x, const tsr_tensor *small, const numbers *n,
                           double *decibels) {
  tsr_tensor back = {0}, wide = {0};
  tsr_summary of_error, of_all;
  tsr_status st = tsr_dequantize(q->ctx, small, &n->quant, &back);
  if (st == TSR_OK) st = tsr_cast(q->ctx, x, TSR_F32, &wide);
  if (st == TSR_OK) st = tsr_sub(q->ctx, &back, &wide, &back);
  if (st == TSR_OK) st = tsr_summarize(q->ctx, &back, &of_error);
  if (st == TSR_OK) st = tsr_summarize(q->ctx, &wide, &of_all);
  tsr_release(&back);
  tsr_release(&wide);
  if (st != TSR_OK) return st;
  const double noise = of_error.std * of_error.std + of_error.mean * of_error.mean;
  const double power = of_all.std * of_all.std + of_all.mean * of_all.mean;
  *decibels = noise > 0 ? 10 * log10(power / noise) : (double)INFINITY;
  return TSR_OK;
}

static void put_line(quantizing *q, const target *t, const numbers *n, double decibels) {
  char text[TEXT_SHAPE];
  table_cell(&q->lines, t->name);
  table_cell(&q->lines, tsr_dtype_name(t->tensor.dtype));
  table_cell(&q->lines, text_shape(t->tensor.ndim, t->tensor.shape, text));
  table_cell(&q->lines, text_count(tsr_size(&n->scale), text));
  (void)snprintf(text, sizeof text, isinf(decibels) ? "exact" : "%.1f dB", decibels);
  table_cell(&q->lines, text);
}

static bool add_beside(quantizing *q, const char *name, const char *end, tsr_tensor *t) {
  const size_t size = strlen(name) + strlen(end) + 1;
  char *full = malloc(size);
  if (full == NULL) return tsr_release(t), report("out of memory"), false;
  (void)snprintf(full, size, "%s%s", name, end);
  q->after += tsr_nbytes(t);
  const bool ok = gather_add_made(&q->all, full, t);
  free(full);
  return ok;
}

static bool quantize(quantizing *q, target *t) {
  numbers n = {0};
  tsr_tensor small = {0};
  double decibels = 0;
  tsr_status st = target_fetch(q->ctx, t);
  if (st == TSR_OK) st = make_numbers(q, &t->tensor, &n);
  if (st == TSR_OK) st = tsr_quantize(q->ctx, &t->tensor, &n.quant, &small);
  if (st == TSR_OK) st = noise_of(q, &t->tensor, &small, &n, &decibels);
  if (st == TSR_OK) {
    put_line(q, t, &n, decibels);
  } else {
    report_failure(q->ctx, t->name);
  }
  bool ok = st == TSR_OK && add_beside(q, t->name, "", &small);
  ok = ok && add_beside(q, t->name, ".scale", &n.scale) && add_beside(q, t->name, ".zero_point", &n.zero);
  tsr_release(&small);
  tsr_release(&n.scale);
  tsr_release(&n.zero);
  return ok;
}

static bool add(quantizing *q, target *t) {
  q->before += tsr_nbytes(&t->tensor);
  if (is_weight(q, t)) {
    if (q->per_channel && (q->axis >= t->tensor.ndim || q->axis < -t->tensor.ndim))
      return report("--axis: %s has no axis %ld", t->name, q->axis), false;
    const bool ok = quantize(q, t);
    target_drop(t);
    return ok;
  }
  q->after += tsr_nbytes(&t->tensor);
  return gather_add(&q->all, t, t->name);
}

static bool put_report(quantizing *q) {
  terminal to;
  char count[32], before[32], after[32];
  if (!terminal_init(&to, args_value(q->args, "color", "auto"))) return false;
  const bool ok = q->lines.rows == 0 || table_write(&q->lines, &to);
  (void)printf("%s %s as %s, %s to %s\n", text_count((int64_t)(q->lines.rows / 5), count),
               q->lines.rows == 5 ? "tensor" : "tensors", tsr_dtype_name(q->dtype), text_bytes(q->before, before),
               text_bytes(q->after, after));
  return ok;
}

static bool read_options(const arguments *args, quantizing *q) {
  const char *dtype = args_value(args, "dtype", "i8");
  q->dtype = strcmp(dtype, "i8") == 0 ? TSR_I8 : strcmp(dtype, "u8") == 0 ? TSR_U8 : TSR_NONE;
  if (q->dtype == TSR_NONE) return report("--dtype: '%s' is none of i8, u8", dtype), false;
  q->kind = args_has(args, "affine") ? TSR_QUANT_AFFINE : TSR_QUANT_SYMMETRIC;
  q->per_channel = args_has(args, "per-channel") || args_has(args, "axis");
  if (!args_integer(args, "axis", -TSR_MAX_DIMS, TSR_MAX_DIMS - 1, 0, &q->axis)) return false;
  if (!args_real(args, "percent", 100, &q->percent)) return false;
  if (!(q->percent > 0 && q->percent <= 100)) return report("--percent: it is from 0 to 100"), false;
  if (q->per_channel && q->percent < 100) return report("--percent is for whole tensors, without --per-channel"), false;
  return rules_check(args);
}

static void start_lines(table *t) {
  table_column(t, "name", false);
  table_column(t, "from", false);
  table_column(t, "shape", false);
  table_column(t, "scales", true);
  table_column(t, "signal to noise", true);
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *to = args_value(args, "to", NULL), *path = args_value(args, "output", NULL);
  const int format = to != NULL ? format_find(to) : TSR_FORMAT_AUTO;
  quantizing q = {.ctx = ctx, .args = args};
  if ((to != NULL && format == 0) || !read_options(args, &q)) return FAILED;
  if (path == NULL) return report("--output says where it goes: tessera quantize %s", args->command->usage);
  start_lines(&q.lines);
  bool ok = gather_open(ctx, 1, args->operands, &q.all) && rules_meet(args, &q.all.found[0]);
  for (tsr_index i = 0; ok && i < q.all.found[0].count; i++) ok = add(&q, &q.all.found[0].list[i]);
  if (ok && q.lines.failed) ok = (report("out of memory"), false); /* before anything is written */
  ok = ok && gather_metadata(&q.all, &q.all.files[0], false) && gather_save(&q.all, path, format);
  if (ok && strcmp(path, "-") != 0) ok = put_report(&q);
  gather_release(&q.all);
  table_release(&q.lines);
  return ok ? DONE : FAILED;
}

static const option options[] = {
    {"output", 'o', "FILE", "what is written"},
    {"to", 't', "FORMAT", "its format; else the end of its name says it"},
    {"per-channel", 'c', NULL, "a scale for each index of an axis, output channels"},
    {"axis", 'x', "AXIS", "that axis (0)"},
    {"affine", 0, NULL, "zero points where the numbers want them; else they are 0 (u8: 128)"},
    {"percent", 0, "NUMBER", "so many of the numbers are within the range, others saturate"},
    {"dtype", 'd', "DTYPE", "i8 or u8 (i8)"},
    {"select", 's', "PATTERN", "tensors whose names match, with * and ?; may be repeated"},
    {0}};

const command quantize_command = {
    .name = "quantize",
    .summary = "makes 8 bits of weights, with scales and zero points",
    .usage = "[OPTION]... IN[:NAME] --output FILE",
    .about =
        "Tensors of floats with two axes or more become NAME of i8, NAME.scale of f32 and NAME.zero_point of i32, "
        "which\n"
        "have the rank of NAME and length 1 but along the axis of the channels, so that by broadcasting\n"
        "  real = NAME.scale * (NAME - NAME.zero_point)\n"
        "All others stay as they are. tsr_quant_get reads the three back for tsr_qdense_pack and tsr_qconv_pack. "
        "Printed\n"
        "is how far the noise of rounding is below the numbers: each bit is some 6 dB.",
    .examples =
        "  tessera quantize model.safetensors -o m8.safetensors --per-channel\n"
        "  tessera quantize --select 'encoder.*' --affine model.safetensors -o m8.safetensors\n"
        "  tessera quantize --percent 99.9 model.safetensors -o m8.npz\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
