/* What kernels of convolutions are told: what is done with a sum, and where everything lies. */
#include "cuda/engines/conv.h"

#include "cuda/engines/product.h"
#include "ops/activation/activation.h"

/* ---- what is done with a sum ---- */

tsr_status tsr__cuda_conv_finish(tsr_ctx *ctx, const tsr__cuda_conv *c, tsr__cuda_finish *finish) {
  const tsr_activation *const a = &c->activation;
  const bool is_float = tsr_dtype_describe(c->compute)->class_ == TSR_CLASS_FLOAT;
  const int dtype = is_float ? c->compute : c->dtype;
  int numbers = 0;
  *finish = (tsr__cuda_finish){.kind = a->kind};
  finish->lines.inputs = 3;
  finish->lines.dtype[0] = (uint8_t)dtype;
  finish->lines.dtype[1] = finish->lines.dtype[2] = TSR_F64;
  if (a->kind == NULL) return TSR_OK;
  const tsr__cuda_line *const line = tsr__cuda_activation_line(a->kind->name, &numbers);
  if (line == NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, c->op, "activation", "%s is computed on the host only", a->kind->name);
  const tsr__dtypes dtypes = {dtype, dtype, dtype};
  finish->number[0] = (double)(a->alpha == 0 && !a->kind->bounds ? a->kind->alpha : a->alpha);
  finish->number[1] = (double)a->beta;
  tsr__cuda_add_step(&finish->lines, line, &dtypes, 1 + numbers, (const int[]){0, 1, 2});
  return TSR_OK;
}

void tsr__cuda_conv_words(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, tsr__cuda_text *text) {
  const tsr__cuda_lines *const l = &finish->lines;
  const tsr__cuda_chain chain = {l->inputs, l->steps, l->dtype, l->step};
  const bool is_float = tsr_dtype_describe(c->compute)->class_ == TSR_CLASS_FLOAT;
  tsr__cuda_text_add(text, "struct table_args {};\n");
  tsr__cuda_add_steps(text, &chain);
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem C;\nstatic __device__ inline C loaded(T t) { return ",
                        tsr__cuda_dtype(c->dtype), tsr__cuda_dtype(c->compute));
  if (is_float)
    tsr__cuda_add_cast(text, c->dtype, c->compute, "t");
  else
    tsr__cuda_text_add(text, "(C)t");
  tsr__cuda_text_format(text,
                        "; }\n#define LOADED(t) loaded(t)\n"
                        "static __device__ inline T finished(C c, double v01, double v02) {\n"
                        "  const table_args table = table_args();\n  (void)table, (void)v01, (void)v02;\n"
                        "  const %s v00 = (%s)c;\n",
                        is_float ? "C" : "T", is_float ? "C" : "T");
  tsr__cuda_add_values(text, &chain, false);
  const tsr__cuda_value_name last = tsr__cuda_value(l->steps > 0 ? l->inputs + l->steps - 1 : 0);
  tsr__cuda_text_add(text, "  return ");
  if (is_float)
    tsr__cuda_add_cast(text, c->compute, c->dtype, last.text);
  else
    tsr__cuda_text_add(text, last.text);
  tsr__cuda_text_add(text, ";\n}\n");
}

const char *tsr__cuda_conv_multiply_add(const tsr__cuda_conv *c) {
  if (c->exact) return "(z) + (x) * (y)";
  return c->compute == TSR_F32   ? "__builtin_fmaf(x, y, z)"
         : c->compute == TSR_F64 ? "__builtin_fma(x, y, z)"
                                 : "(x) * (y) + (z)";
}

/* ---- arguments ---- */

static int64_t size_of(int64_t n) { return n < 0 ? -n : n; }

/* Whether places within a sample and a filter need more than 31 bits. */
bool tsr__cuda_conv_is_wide(const tsr__cuda_conv *c) {
  int64_t x = size_of(c->x_channel) * c->each, w = size_of(c->w_channel) * c->each;
  for (int d = 0; d < 3; d++) {
    x += size_of(c->axis[d].tap * c->axis[d].x) * c->axis[d].taps;
    w += size_of(c->axis[d].w) * c->axis[d].taps;
  }
  return x > INT32_MAX || w > INT32_MAX || c->each * tsr__cuda_conv_taps(c) > INT32_MAX - 64;
}

bool tsr__cuda_conv_has_few_taps(const tsr__cuda_conv *c) {
  enum { AXIS_TAPS = 10, MOST_TAPS = 128 }; /* as in kernels/conv_args.cuh */
  for (int d = 0; d < 3; d++)
    if (c->axis[d].taps > AXIS_TAPS) return false;
  return tsr__cuda_conv_taps(c) <= MOST_TAPS;
}

void tsr__cuda_conv_set_args(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, tsr__cuda_conv_args *args) {
  *args = (tsr__cuda_conv_args){.positions = tsr__cuda_conv_positions(c),
                                .made = c->made,
                                .each = c->each,
                                .groups = c->groups,
                                .deep = c->each * tsr__cuda_conv_taps(c),
                                .x_group = c->each * c->x_channel,
                                .x_sample = c->x_sample,
                                .x_channel = c->x_channel,
                                .w_group = c->w_group,
                                .w_filter = c->w_filter,
                                .w_channel = c->w_channel,
                                .out_group = c->made * c->out_filter,
                                .out_sample = c->out_sample,
                                .out_filter = c->out_filter,
                                .bias_step = c->bias_step,
                                .splits = 1,
                                .number = {finish->number[0], finish->number[1]}};
  for (int d = 0; d < 3; d++) args->axis[d] = c->axis[d];
}

void tsr__cuda_conv_addresses(const tsr__cuda_conv *c, size_t part, tsr__cuda_plan *plan) {
  tsr__cuda_plan_address(plan, offsetof(tsr__cuda_conv_args, x), c->x.ref);
  tsr__cuda_plan_address(plan, offsetof(tsr__cuda_conv_args, w), c->w.ref);
  if (c->biased) tsr__cuda_plan_address(plan, offsetof(tsr__cuda_conv_args, bias), c->bias.ref);
  tsr__cuda_plan_address(plan, offsetof(tsr__cuda_conv_args, out), c->out.ref);
  if (part != SIZE_MAX) tsr__cuda_plan_address(plan, offsetof(tsr__cuda_conv_args, part), tsr__cuda_scratch(part));
}
