#include "cuda/engines/product.h"

#include "cuda/engines/engines.h"
#include "cuda/lines.h"
#include "nn/dense/ops.h"
#include "ops/activation/activation.h"
#include "ops/matmul/ops.h"
#include "ops/parts.h"

#include <string.h>
#include <tessera/binary.h>

int tsr__cuda_sum_dtype(int dtype) {
  const int class_ = tsr_dtype_describe(dtype)->class_;
  if (class_ == TSR_CLASS_COMPLEX) return dtype;
  if (class_ == TSR_CLASS_FLOAT) return tsr__compute_of(dtype);
  return class_ == TSR_CLASS_INT ? TSR_I64 : TSR_U64;
}

/* ---- our own kernel ---- */

typedef struct product_args {
  uint64_t a, b, out;
  int64_t m, n, k, batches;
  int64_t a_row, a_col, b_row, b_col;
  int64_t length[8], a_step[8], b_step[8];
  int32_t rank;
} product_args;

/* x·y + z by two fused operations for each part. */
static const char complex_sums[] =
    "#include \"cuda/kernels/complex.cuh\"\n"
    "static __device__ inline C complex_sum(C x, C y, C z) {\n"
    "  z.re = fused_parts(-x.im, y.im, fused_parts(x.re, y.re, z.re));\n"
    "  z.im = fused_parts(x.im, y.re, fused_parts(x.re, y.im, z.im));\n"
    "  return z;\n}\n";

static void add_load(tsr__cuda_text *text, const char *name, int from, int to) {
  tsr__cuda_text_format(text, "static __device__ inline %s_mem %s(%s_mem x) { return ", tsr__cuda_dtype(to), name,
                        tsr__cuda_dtype(from));
  tsr__cuda_add_cast(text, from, to, "x");
  tsr__cuda_text_add(text, "; }\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, int sum,
                             const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)p->a.dtype;
  key.part[1] = (uint8_t)p->b.dtype;
  key.part[2] = (uint8_t)sum;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s_mem TA;\ntypedef %s_mem TB;\ntypedef %s_mem C;\n",
                        tsr__cuda_dtype(p->a.dtype), tsr__cuda_dtype(p->b.dtype), tsr__cuda_dtype(sum));
  add_load(&text, "LOADED_A", p->a.dtype, sum);
  add_load(&text, "LOADED_B", p->b.dtype, sum);
  tsr__cuda_text_format(&text, "#define MULTIPLY_ADD(x, y, z) %s\n",
                        sum == TSR_F32         ? "__builtin_fmaf(x, y, z)"
                        : sum == TSR_F64       ? "__builtin_fma(x, y, z)"
                        : tsr__is_complex(sum) ? "complex_sum(x, y, z)"
                                               : "(C)((uint64_t)(x) * (uint64_t)(y) + (uint64_t)(z))");
  if (tsr__is_complex(sum)) tsr__cuda_text_expand(&text, complex_sums);
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/product.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_product"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static tsr_status plan_own(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, int sum, tsr__cuda_ref out,
                           tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  product_args args = {.m = p->m,
                       .n = p->n,
                       .k = p->k,
                       .batches = 1,
                       .a_row = p->a.row,
                       .a_col = p->a.col,
                       .b_row = p->b.row,
                       .b_col = p->b.col,
                       .rank = p->axes};
  for (int d = 0; d < p->axes; d++) {
    const int from = p->axes - 1 - d;
    args.length[d] = p->length[from];
    args.a_step[d] = p->a.batch[from];
    args.b_step[d] = p->b.batch[from];
    args.batches *= p->length[from];
  }
  const tsr_status st = get_kernel(gpu, ctx, p, sum, &kernel);
  if (st != TSR_OK) return st;
  if ((p->m + 63) / 64 > 65535)
    return TSR__FAIL(ctx, TSR_EDEVICE, "matmul", "a", "has %l rows: more than a grid has", p->m);
  const tsr__cuda_grid grid = {(unsigned)((p->n + 63) / 64), (unsigned)((p->m + 63) / 64),
                               (unsigned)(args.batches < 65535 ? args.batches : 65535)};
  tsr__cuda_plan_launch(plan, kernel, grid, 256, 0, &args, sizeof args);
  tsr__cuda_plan_address(plan, offsetof(product_args, a), p->a.ref);
  tsr__cuda_plan_address(plan, offsetof(product_args, b), p->b.ref);
  tsr__cuda_plan_address(plan, offsetof(product_args, out), out);
  return TSR_OK;
}

tsr_status tsr__cuda_plan_product(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, const tsr__cuda_view *out,
                                  tsr__cuda_plan *plan) {
  bool done = false;
  const tsr_status st = tsr__cuda_plan_blas(gpu, ctx, p, out, NULL, &done, plan);
  if (st != TSR_OK || done) return st;
  return plan_own(gpu, ctx, p, out->tensor.dtype, out->ref, plan);
}

/* ---- operands ---- */

static tsr__cuda_matrix matrix_of(const tsr__cuda_view *v, bool column, int axes) {
  const tsr_tensor *const t = &v->tensor;
  tsr__cuda_matrix m = {.ref = v->ref, .address = tsr__cuda_place_of(v), .dtype = t->dtype};
  const int own = t->ndim > 2 ? t->ndim - 2 : 0;
  if (t->ndim > 1) {
    m.row = t->stride[t->ndim - 2];
    m.col = t->stride[t->ndim - 1];
  } else {
    *(column ? &m.row : &m.col) = t->stride[0];
  }
  for (int i = 0; i < axes; i++) {
    const int at = i - (axes - own);
    m.batch[i] = at >= 0 && t->shape[at] > 1 ? t->stride[at] : 0;
  }
  return m;
}

static void set_product(const tsr__cuda_view *a, const tsr__cuda_view *b, tsr__cuda_product *p) {
  const tsr_tensor *const x = &a->tensor, *const y = &b->tensor;
  const int own_x = x->ndim > 2 ? x->ndim - 2 : 0, own_y = y->ndim > 2 ? y->ndim - 2 : 0;
  p->axes = own_x > own_y ? own_x : own_y;
  for (int i = 0; i < p->axes; i++) {
    const int at_x = i - (p->axes - own_x), at_y = i - (p->axes - own_y);
    const tsr_index l = at_x >= 0 ? x->shape[at_x] : 1, r = at_y >= 0 ? y->shape[at_y] : 1;
    p->length[i] = l == 1 ? r : l;
  }
  p->m = x->ndim > 1 ? x->shape[x->ndim - 2] : 1;
  p->k = x->shape[x->ndim - 1];
  p->n = y->ndim > 1 ? y->shape[y->ndim - 1] : 1;
  p->a = matrix_of(a, false, p->axes);
  p->b = matrix_of(b, true, p->axes);
}

/* ---- what follows ---- */

typedef struct following {
  double alpha, beta;
  bool with_c, with_bias;
  tsr__cuda_view c, bias;
  tsr_activation activation;
} following;

static void add_plain_step(tsr__cuda_lines *lines, const char *line, int dtype, int inputs, int a, int b, int c) {
  lines->step[lines->steps++] = (tsr__cuda_line_step){.line = line,
                                                      .inputs = (uint8_t)inputs,
                                                      .in = {(uint8_t)a, (uint8_t)b, (uint8_t)c},
                                                      .dtype = {(uint8_t)dtype, (uint8_t)dtype, (uint8_t)dtype},
                                                      .compute = (uint8_t)dtype,
                                                      .integers = TSR__CUDA_WRAPPING,
                                                      .result = (uint8_t)dtype,
                                                      .out = (uint8_t)dtype};
}

/* The activation's line over value a; its numbers are the next inputs, added before any step. */
const tsr__cuda_line *tsr__cuda_activation_line(const char *name, int *numbers) {
#define KNOWN(op, count) \
  { #op, &tsr__cuda_line_of[TSR__LINE_##op], count }
  static const struct {
    const char *name;
    const tsr__cuda_line *line;
    int numbers;
  } known[] = {KNOWN(relu, 0),
               KNOWN(leaky_relu, 1),
               KNOWN(elu, 1),
               KNOWN(gelu, 0),
               KNOWN(gelu_tanh, 0),
               KNOWN(silu, 0),
               KNOWN(sigmoid, 0),
               KNOWN(hard_sigmoid, 0),
               KNOWN(hard_swish, 0),
               KNOWN(softplus, 0),
               KNOWN(mish, 0),
               KNOWN(tanh, 0),
               {"clip", &tsr__cuda_line_of[TSR__LINE_clamp], 2}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0) {
      *numbers = known[i].numbers;
      return known[i].line;
    }
  return NULL;
}

/* sum (values of dtype) → alpha·sum + beta·c + bias, the activation of that, as out. */
static tsr_status plan_following(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *sum, const following *f,
                                 const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  const int dtype = sum->tensor.dtype;
  const bool floats = dtype == TSR_F32 || dtype == TSR_F64;
  const tsr_activation_kind *const kind = f->activation.kind;
  int numbers = 0, c = -1, bias = -1, alpha = -1, beta = -1, param = -1;
  const tsr__cuda_line *const line = kind != NULL ? tsr__cuda_activation_line(kind->name, &numbers) : NULL;
  const double value =
      (double)(f->activation.alpha == 0 && kind != NULL && !kind->bounds ? kind->alpha : f->activation.alpha);
  const double other = (double)f->activation.beta;
  static const char none;
  tsr__cuda_elements e = {.maker = kind != NULL ? (const void *)kind : &none, .out = *out};
  if (kind != NULL && line == NULL)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "activation", "%s is computed on the host only", kind->name);
  tsr__cuda_add_view(&e, sum);
  if (f->with_c) c = e.lines.inputs, tsr__cuda_add_view(&e, &f->c);
  if (f->with_bias) bias = e.lines.inputs, tsr__cuda_add_view(&e, &f->bias);
  if (floats && f->alpha != 1) alpha = e.lines.inputs, tsr__cuda_add_number(&e, TSR_F64, &f->alpha);
  if (floats && f->with_c && f->beta != 1) beta = e.lines.inputs, tsr__cuda_add_number(&e, TSR_F64, &f->beta);
  if (numbers > 0) param = e.lines.inputs, tsr__cuda_add_number(&e, TSR_F64, &value);
  if (numbers > 1) tsr__cuda_add_number(&e, TSR_F64, &other);
  e.form = (uint8_t)((alpha >= 0) | (beta >= 0) << 1 | (c >= 0) << 2 | (bias >= 0) << 3);
  int at = 0;
  if (alpha >= 0) add_plain_step(&e.lines, "a * b", dtype, 2, at, alpha, 0), at = e.lines.inputs + e.lines.steps - 1;
  if (c >= 0 && beta >= 0)
    add_plain_step(&e.lines, "a + b * c", dtype, 3, at, beta, c), at = e.lines.inputs + e.lines.steps - 1;
  if (c >= 0 && beta < 0)
    add_plain_step(&e.lines, "a + b", dtype, 2, at, c, 0), at = e.lines.inputs + e.lines.steps - 1;
  if (bias >= 0) add_plain_step(&e.lines, "a + b", dtype, 2, at, bias, 0), at = e.lines.inputs + e.lines.steps - 1;
  if (line != NULL) {
    const tsr__dtypes dtypes = {dtype, dtype, dtype};
    tsr__cuda_add_step(&e.lines, line, &dtypes, 1 + numbers, (const int[]){at, param, param + 1});
  }
  if (e.lines.steps == 0) add_plain_step(&e.lines, "a", dtype, 1, 0, 0, 0);
  e.lines.step[e.lines.steps - 1].out = e.out.tensor.dtype;
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

/* ---- the ops ---- */

static bool is_plain(const following *f) {
  return f->alpha == 1 && !f->with_c && !f->with_bias && f->activation.kind == NULL;
}

/* The product, or the product and a bias, straight into the output: where cuBLASLt rounds to the output's dtype once. */
static tsr_status plan_direct(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, const tsr__cuda_view *out,
                              const following *f, bool *done, tsr__cuda_plan *plan) {
  const tsr_tensor *const bias = &f->bias.tensor;
  *done = false;
  if (f->alpha != 1 || f->with_c || f->activation.kind != NULL) return TSR_OK;
  if (f->with_bias && (bias->ndim != 1 || bias->shape[0] != p->n || (p->n > 1 && bias->stride[0] != 1) ||
                       bias->dtype != out->tensor.dtype || tsr__cuda_place_of(&f->bias) % 16 != 0))
    return TSR_OK;
  return tsr__cuda_plan_blas(gpu, ctx, p, out, f->with_bias ? &f->bias : NULL, done, plan);
}

static tsr_status plan_multiplied(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *a,
                                  const tsr__cuda_view *b, following *f, const tsr__cuda_view *out,
                                  tsr__cuda_plan *plan) {
  const tsr_tensor *const t = &out->tensor;
  tsr__cuda_product p = {.m = 0};
  if (tsr_size(t) == 0) return TSR_OK;
  if (tsr__is_complex(t->dtype) && !is_plain(f))
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, NULL,
                     "of complex numbers there is the product alone on a device");
  set_product(a, b, &p);
  const int sum = tsr__cuda_sum_dtype(tsr_dtype_promote(a->tensor.dtype, b->tensor.dtype));
  const bool over = t->data != NULL && ((a->tensor.data != NULL && tsr__overlap(&a->tensor, t)) ||
                                        (b->tensor.data != NULL && tsr__overlap(&b->tensor, t)));
  const bool whole =
      tsr_is_contiguous(t, TSR_ROW_MAJOR) && !over &&
      !(f->with_bias && t->data != NULL && f->bias.tensor.data != NULL && tsr__overlap(&f->bias.tensor, t));
  bool done = false;
  tsr_status st = whole ? plan_direct(gpu, work->ctx, &p, out, f, &done, plan) : TSR_OK;
  if (st != TSR_OK || done) return st;
  const bool direct = is_plain(f) && t->dtype == sum && whole;
  const tsr__cuda_view made = direct ? *out : tsr__cuda_temporary(plan, sum, t->ndim, t->shape);
  st = tsr__cuda_plan_product(gpu, work->ctx, &p, &made, plan);
  return st == TSR_OK && !direct ? plan_following(gpu, work, &made, f, out, plan) : st;
}

tsr_status tsr__cuda_matmul(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_view a = tsr__cuda_input(work, 0), b = tsr__cuda_input(work, 1), out = tsr__cuda_output(work, 0);
  following f = {.alpha = 1};
  (void)op;
  return plan_multiplied(gpu, work, &a, &b, &f, &out, plan);
}

/* c where beta asks for it: a tensor, or what the output holds. */
tsr_status tsr__cuda_gemm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__gemm_attrs *const attrs = work->attrs;
  const tsr__cuda_view a = tsr__cuda_input(work, 0), b = tsr__cuda_input(work, 1), out = tsr__cuda_output(work, 0);
  following f = {.alpha = (double)attrs->alpha,
                 .beta = (double)attrs->beta,
                 .with_c = attrs->beta != 0,
                 .with_bias = work->in[3] != NULL};
  (void)op;
  if (f.with_c) f.c = work->in[2] != NULL ? tsr__cuda_input(work, 2) : tsr__cuda_output(work, 0);
  if (f.with_bias) f.bias = tsr__cuda_input(work, 3);
  if (attrs->options != NULL) f.activation = attrs->options->activation;
  return plan_multiplied(gpu, work, &a, &b, &f, &out, plan);
}

static tsr_status plan_layer(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *x,
                             const tsr__cuda_view *weights, following *f, const tsr__cuda_view *out,
                             tsr__cuda_plan *plan) {
  tsr__cuda_view w = *weights;
  for (int d = 0; d < 2; d++) {
    w.tensor.shape[d] = weights->tensor.shape[1 - d];
    w.tensor.stride[d] = weights->tensor.stride[1 - d];
  }
  return plan_multiplied(gpu, work, x, &w, f, out, plan);
}

tsr_status tsr__cuda_plan_dense(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *x, const tsr__cuda_view *w,
                                const tsr__cuda_view *bias, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  following f = {.alpha = 1, .with_bias = bias != NULL};
  if (bias != NULL) f.bias = *bias;
  return plan_layer(gpu, work, x, w, &f, out, plan);
}

tsr_status tsr__cuda_dense(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__dense_attrs *const attrs = work->attrs;
  const tsr__cuda_view x = tsr__cuda_input(work, 0), w = tsr__cuda_input(work, 1), out = tsr__cuda_output(work, 0);
  following f = {.alpha = 1, .with_bias = work->in[2] != NULL};
  (void)op;
  if (f.with_bias) f.bias = tsr__cuda_input(work, 2);
  if (attrs->activation != NULL) f.activation = *attrs->activation;
  return plan_layer(gpu, work, &x, &w, &f, &out, plan);
}

/* A column by a row: products that broadcast. */
tsr_status tsr__cuda_outer(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_line *const line = &tsr__cuda_line_of[TSR__LINE_mul];
  tsr__cuda_view a = tsr__cuda_input(work, 0);
  const tsr__cuda_view b = tsr__cuda_input(work, 1);
  tsr__cuda_elements e = {.maker = op, .out = tsr__cuda_output(work, 0)};
  tsr__dtypes dtypes;
  const tsr_status st = tsr__cuda_line_dtypes(line, work->ctx, 2, work->in, &dtypes);
  if (st != TSR_OK) return st;
  a.tensor.ndim = 2;
  a.tensor.shape[1] = 1;
  a.tensor.stride[1] = 0;
  tsr__cuda_add_view(&e, &a);
  tsr__cuda_add_view(&e, &b);
  tsr__cuda_add_step(&e.lines, line, &dtypes, 2, (const int[]){0, 1});
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}
