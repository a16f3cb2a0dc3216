/* Random numbers, and dropout: contiguous outputs are written as they are made, others through temporary memory. */
#include "cuda/engines/engines.h"

#include "nn/dropout/ops.h"
#include "ops/cast/convert.h"
#include "ops/promote.h"
#include "ops/random/ops.h"
#include "ops/random/philox.h"

#include <string.h>

typedef enum random_kind { UNIFORM, NORMAL, INTEGERS, BERNOULLI, DROPOUT } random_kind; /* as in kernels/random.cuh */

typedef struct random_args {
  uint64_t x, out, block, n, range, threshold;
  int64_t low_integer;
  double low, scale, most;
  float low_f32, scale_f32, most_f32;
  uint32_t stream, key[2 * TSR__PHILOX_ROUNDS], skipped, packed;
} random_args;

typedef struct drawing {
  random_kind kind;
  int value, each; /* the dtype of numbers before they are converted; elements of a block */
  tsr_rng *rng;
  random_args args;
} drawing;

/* Blocks that a thread draws. */
static uint64_t blocks_of(const drawing *d) {
  return (d->kind == UNIFORM || d->kind == NORMAL) && d->each == 4 ? 2 : 1;
}

static void write_text(const drawing *d, int dtype, tsr__cuda_text *text) {
  const int compute = tsr__compute_of(dtype);
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n#include "
                        "\"cuda/kernels/elementary.cuh\"\n#define LOAD(p) (*(p))\n#define STORE TSR__STORE\n"
                        "#include \"cuda/kernels/words.cuh\"\n");
  tsr__cuda_text_format(
      text, "typedef %s_mem T;\ntypedef %s_mem VALUE;\n#define KIND %d\n#define EACH %d\n#define BLOCKS %d\n",
      tsr__cuda_dtype(dtype), tsr__cuda_dtype(d->value), (int)d->kind, d->each, (int)blocks_of(d));
  const int from = d->kind == DROPOUT ? compute : d->value;
  tsr__cuda_text_format(text, "typedef %s_mem C;\nstatic __device__ inline T stored(%s_mem v) { return ",
                        tsr__cuda_dtype(compute), tsr__cuda_dtype(from));
  tsr__cuda_add_cast(text, from, dtype, "v");
  tsr__cuda_text_add(text, "; }\nstatic __device__ inline C loaded(T t) { return ");
  tsr__cuda_add_cast(text, dtype, compute, "t");
  tsr__cuda_text_expand(
      text, "; }\n#define STORED(v) stored(v)\n#define LOADED(t) loaded(t)\n#include \"cuda/kernels/random.cuh\"\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const drawing *d, int dtype,
                             const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)d->kind;
  key.part[1] = (uint8_t)d->value;
  key.part[2] = (uint8_t)d->each;
  key.part[3] = (uint8_t)dtype;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  write_text(d, dtype, &text);
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_random"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* The generator counts when the numbers are enqueued, not when they are planned: what is refused in between draws none. */
typedef struct counting {
  tsr_rng *rng;
  uint64_t count;
} counting;

static tsr_status count_drawn(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, void *args) {
  counting c;
  (void)gpu, (void)ctx, (void)queue;
  memcpy(&c, args, sizeof c);
  c.rng->counter += c.count;
  return TSR_OK;
}

/* Where the generator stands, and its key in each round. */
static void set_stream(drawing *d) {
  random_args *const args = &d->args;
  const uint64_t each = (uint64_t)d->each;
  uint32_t key0 = (uint32_t)d->rng->key, key1 = (uint32_t)(d->rng->key >> 32);
  for (int round = 0; round < TSR__PHILOX_ROUNDS; round++) {
    args->key[2 * round] = key0;
    args->key[2 * round + 1] = key1;
    key0 += TSR__PHILOX_KEY0;
    key1 += TSR__PHILOX_KEY1;
  }
  args->stream = d->rng->stream;
  args->block = d->rng->counter / each;
  args->skipped = (uint32_t)(d->rng->counter % each);
  args->low_f32 = (float)args->low;
  args->scale_f32 = (float)args->scale;
  args->most_f32 = (float)args->most;
}

static tsr_status plan_drawing(tsr__cuda *gpu, const tsr_work *work, drawing *d, const tsr__cuda_view *x,
                               tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const tsr_tensor *const t = &out.tensor;
  const tsr__cuda_kernel *kernel;
  const uint64_t n = (uint64_t)tsr_size(t);
  if (n == 0) return TSR_OK;
  const bool direct = tsr_is_contiguous(t, TSR_ROW_MAJOR);
  const tsr__cuda_view to = direct ? out : tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
  tsr_status st = get_kernel(gpu, work->ctx, d, t->dtype, &kernel);
  if (st != TSR_OK) return st;
  const uint64_t each = (uint64_t)d->each;
  set_stream(d);
  d->args.n = n;
  const size_t pack = tsr_dtype_size(t->dtype) * (size_t)d->each, align = pack < 16 ? pack : 16;
  d->args.packed =
      d->args.skipped == 0 && tsr__cuda_place_of(&to) % align == 0 && (x == NULL || tsr__cuda_place_of(x) % align == 0);
  const uint64_t blocks = (d->args.skipped + n + each - 1) / each;
  const uint64_t threads = (blocks + blocks_of(d) - 1) / blocks_of(d);
  const tsr__cuda_grid grid = {(unsigned)((threads + 127) / 128), 1, 1};
  tsr__cuda_plan_launch(plan, kernel, grid, 128, 0, &d->args, sizeof d->args);
  tsr__cuda_plan_address(plan, offsetof(random_args, out), to.ref);
  if (x != NULL) tsr__cuda_plan_address(plan, offsetof(random_args, x), x->ref);
  if (!direct) st = tsr__cuda_plan_cast(gpu, work->ctx, &to, &out, plan);
  const counting c = {d->rng, n};
  tsr__cuda_plan_call(plan, count_drawn, &c, sizeof c);
  return st;
}

static drawing floats(random_kind kind, int dtype, tsr_rng *rng) {
  const bool wide = dtype == TSR_F64;
  return (drawing){.kind = kind, .value = wide ? TSR_F64 : TSR_F32, .each = wide ? 2 : 4, .rng = rng};
}

/* ---- the ops ---- */

/* A number as the dtype has it, and the largest of the dtype below it (ops/random/uniform.c). */
static tsr_status rounded(tsr_ctx *ctx, const char *op, int dtype, tsr_real value, tsr_real *number, tsr_real *below) {
  unsigned char element[16] = {0};
  const size_t bytes = tsr_dtype_size(dtype);
  uint64_t bits = 0;
  tsr_status st = tsr__scalar_from_real(ctx, op, "high", dtype, value, element);
  if (st == TSR_OK) st = tsr__scalar_to_real(ctx, op, dtype, element, number);
  if (st != TSR_OK) return st;
  memcpy(&bits, element, bytes); /* the machine of a GPU has its bytes in this order */
  bits = *number > 0 ? bits - 1 : *number == 0 ? ((uint64_t)1 << (8 * bytes - 1) | 1) : bits + 1;
  memcpy(element, &bits, bytes);
  return tsr__scalar_to_real(ctx, op, dtype, element, below);
}

tsr_status tsr__cuda_rand_uniform(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__rand_uniform_attrs *const attrs = work->attrs;
  drawing d = floats(UNIFORM, attrs->dtype, attrs->rng);
  tsr_real low, high, below, most;
  tsr_status st = rounded(work->ctx, op->name, attrs->dtype, attrs->low, &low, &below);
  if (st == TSR_OK) st = rounded(work->ctx, op->name, attrs->dtype, attrs->high, &high, &most);
  if (st != TSR_OK) return st;
  d.args.low = (double)low;
  d.args.scale = attrs->dtype == TSR_F64 ? (double)(high - low) : (double)((float)high - (float)low);
  d.args.most = (double)most;
  return plan_drawing(gpu, work, &d, NULL, plan);
}

static tsr_status plan_normal(tsr__cuda *gpu, const tsr_work *work, int dtype, tsr_rng *rng, tsr_real mean,
                              tsr_real std, tsr__cuda_plan *plan) {
  drawing d = floats(NORMAL, dtype, rng);
  d.args.low = (double)mean;
  d.args.scale = (double)std;
  return plan_drawing(gpu, work, &d, NULL, plan);
}
tsr_status tsr__cuda_rand_normal(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__rand_normal_attrs *const attrs = work->attrs;
  (void)op;
  return plan_normal(gpu, work, attrs->dtype, attrs->rng, 0, 1, plan);
}
tsr_status tsr__cuda_rand_normal_scaled(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                        tsr__cuda_plan *plan) {
  const tsr__rand_normal_scaled_attrs *const attrs = work->attrs;
  (void)op;
  return plan_normal(gpu, work, attrs->dtype, attrs->rng, attrs->mean, attrs->std, plan);
}

tsr_status tsr__cuda_rand_integers(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__rand_integers_attrs *const attrs = work->attrs;
  const uint64_t range = (uint64_t)attrs->high - (uint64_t)attrs->low;
  const bool small = range >> 32 == 0;
  drawing d = {.kind = INTEGERS, .value = TSR_I64, .each = small ? 4 : 2, .rng = attrs->rng};
  (void)op;
  d.args.range = range;
  d.args.low_integer = attrs->low;
  d.args.threshold = small ? (((uint64_t)1 << 32) - range) % range : 0;
  return plan_drawing(gpu, work, &d, NULL, plan);
}

/* How many of the 2^32 words are true: rounded down, but for 1. */
static uint64_t words_below(tsr_real p) { return p < 1 ? (uint32_t)(p * (tsr_real)0x1p32f) : (uint64_t)1 << 32; }

tsr_status tsr__cuda_rand_bernoulli(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                    tsr__cuda_plan *plan) {
  const tsr__rand_bernoulli_attrs *const attrs = work->attrs;
  drawing d = {.kind = BERNOULLI, .value = TSR_BOOL, .each = 4, .rng = attrs->rng};
  (void)op;
  d.args.threshold = words_below(attrs->p);
  return plan_drawing(gpu, work, &d, NULL, plan);
}

tsr_status tsr__cuda_dropout(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__dropout_attrs *const attrs = work->attrs;
  const tsr_real keep = 1 - attrs->rate;
  drawing d = {.kind = DROPOUT, .value = TSR_BOOL, .each = 4, .rng = attrs->rng};
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  const tsr_tensor *const t = &x.tensor, *const out = work->out[0];
  tsr_status st = TSR_OK;
  (void)op;
  d.args.threshold = words_below(keep);
  d.args.scale = keep > 0 ? (double)(1 / keep) : 0;
  const bool same = t->data != NULL && t->data == out->data && tsr_is_contiguous(out, TSR_ROW_MAJOR);
  if (!tsr_is_contiguous(t, TSR_ROW_MAJOR) || (!same && out->data != NULL && tsr__overlap(t, out))) {
    const tsr__cuda_view copy = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &x, &copy, plan);
    x = copy;
  }
  return st == TSR_OK ? plan_drawing(gpu, work, &d, &x, plan) : st;
}
