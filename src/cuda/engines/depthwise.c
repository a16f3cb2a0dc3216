/* Convolutions of one channel a group: kernels/depthwise.cuh. */
#include "cuda/engines/conv.h"

#include <string.h>

/* As in kernels/depthwise.cuh. */
typedef enum depthwise_kind { PLAIN, ROWS, CHANNELS } depthwise_kind;
typedef struct way {
  uint8_t kind, v, kh, kw, sh, sw, before;
} way;
enum { HIGH = 4, WIDE = 2, MOST_TAPS = 7, MOST_BEFORE = 3, MOST_KEPT = 9, AHEAD = 2, THREADS = 128 };

/* ---- which way ---- */

static bool are_multiples(const tsr__cuda_view *v, const int64_t *steps, int count, int64_t elements) {
  const int64_t item = (int64_t)tsr_dtype_size(v->tensor.dtype);
  int64_t bits = (int64_t)tsr__cuda_place_of(v);
  for (int i = 0; i < count; i++) bits |= steps[i] * item;
  return bits % (elements * item) == 0;
}

/* Small filters with steps of 1 or 2, and nothing between their taps. */
static bool is_plain(const tsr__cuda_conv *c) {
  for (int d = 1; d < 3; d++)
    if (c->axis[d].taps > MOST_TAPS || c->axis[d].tap != 1 || c->axis[d].step > 2) return false;
  return c->axis[0].taps == 1 && c->axis[0].in == 1 && c->axis[0].base == 0 && -c->axis[2].base <= MOST_BEFORE;
}

static bool choose_rows(const tsr__cuda_conv *c, way *w) {
  const tsr__cuda_conv_axis *const a = &c->axis[2];
  const int64_t xs[] = {c->x_sample, c->x_channel, c->axis[1].x}, os[] = {c->out_sample, c->out_filter, c->axis[1].o};
  int64_t v = 16 / (int64_t)tsr_dtype_size(c->dtype) / a->step;
  if ((a->in > 1 && a->x != 1) || (a->out > 1 && a->o != 1)) return false;
  for (v = v > 8 ? 8 : v; v > 0; v /= 2)
    if (a->out % v == 0 && a->out * a->step <= a->in && are_multiples(&c->x, xs, 3, v * a->step) &&
        are_multiples(&c->out, os, 3, v))
      break;
  w->kind = ROWS;
  w->v = (uint8_t)v;
  return v > 0;
}

static bool choose_channels(const tsr__cuda_conv *c, way *w) {
  const int64_t xs[] = {c->x_sample, c->axis[1].x, c->axis[2].x}, os[] = {c->out_sample, c->axis[1].o, c->axis[2].o};
  int64_t v = 16 / (int64_t)tsr_dtype_size(c->dtype);
  if (v > 4) v = 4; /* sums and filters are f32, in registers */
  if (tsr_dtype_describe(c->dtype)->class_ != TSR_CLASS_FLOAT || c->made != 1 || c->x_channel != 1 ||
      c->out_filter != 1)
    return false;
  for (; v > 1; v /= 2)
    if (c->groups % v == 0 && are_multiples(&c->x, xs, 3, v) && are_multiples(&c->out, os, 3, v)) break;
  w->kind = CHANNELS;
  w->v = (uint8_t)v;
  return true;
}

static way choose(const tsr__cuda_conv *c) {
  way w;
  memset(&w, 0, sizeof w);
  if (!is_plain(c)) return w;
  if (!choose_channels(c, &w) && !choose_rows(c, &w)) return memset(&w, 0, sizeof w), w;
  w.kh = (uint8_t)c->axis[1].taps;
  w.kw = (uint8_t)c->axis[2].taps;
  w.sh = (uint8_t)c->axis[1].step;
  w.sw = (uint8_t)c->axis[2].step;
  if (w.kind == ROWS) w.before = (uint8_t)-c->axis[2].base;
  return w;
}

/* Channels last: a filter that is not kept in registers. */
static bool has_many(const way *w) { return w->kind == CHANNELS && w->kh * w->kw > MOST_KEPT; }

static int rows_of(const way *w) { return has_many(w) ? 1 : HIGH; }

/* ---- kernels ---- */

static void write_text(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, const way *w, tsr__cuda_text *text) {
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#define LOAD TSR__LOAD_CONST\n#define STORE(p, v) (*(p) = (v))\n"
                        "#include \"cuda/kernels/words.cuh\"\n");
  tsr__cuda_conv_words(c, finish, text);
  tsr__cuda_text_format(text, "#define WAY %d\n#define V %d\n#define HIGH %d\n#define WIDE %d\n", w->kind, w->v,
                        rows_of(w), WIDE);
  tsr__cuda_text_format(text, "#define MANY %d\n#define AHEAD %d\n", (int)has_many(w), has_many(w) ? 0 : AHEAD);
  tsr__cuda_text_format(text, "#define KH %d\n#define KW %d\n#define SH %d\n#define SW %d\n#define BEFORE %d\n", w->kh,
                        w->kw, w->sh, w->sw, w->before);
  tsr__cuda_text_format(text, "#define MULTIPLY_ADD(x, y, z) %s\n", tsr__cuda_conv_multiply_add(c));
  tsr__cuda_text_expand(
      text, "#define QUANTISED 0\n#include \"cuda/kernels/conv_args.cuh\"\n#include \"cuda/kernels/depthwise.cuh\"\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                             const way *w, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  memcpy(key.part, &finish->kind, sizeof finish->kind);
  memcpy(key.part + 8, w, sizeof *w);
  key.part[16] = (uint8_t)c->dtype;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  write_text(c, finish, w, &text);
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_depthwise"};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, c->op, NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* Filters as (taps, channels), in what is summed in. */
static tsr_status plan_filters(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, size_t *place,
                               tsr__cuda_plan *plan) {
  const tsr_index shape[3] = {(tsr_index)c->axis[1].taps, (tsr_index)c->axis[2].taps, (tsr_index)c->groups};
  const int64_t steps[3] = {c->axis[1].w, c->axis[2].w, c->w_filter};
  const tsr__cuda_view to = tsr__cuda_temporary(plan, c->compute, 3, shape);
  tsr__cuda_view from = c->w;
  from.tensor.ndim = 3;
  from.tensor.layout = TSR_PLAIN;
  for (int d = 0; d < 3; d++)
    from.tensor.shape[d] = shape[d], from.tensor.stride[d] = shape[d] > 1 ? (tsr_index)steps[d] : 0;
  *place = (size_t)to.ref.offset;
  return tsr__cuda_plan_cast(gpu, ctx, &from, &to, plan);
}

/* Threads: see the kernel. */
static int64_t units_of(const tsr__cuda_conv *c, const way *w) {
  const int64_t high = c->axis[1].out, wide = c->axis[2].out;
  if (w->kind == ROWS) return c->n * c->groups * c->made * tsr__cuda_conv_over(high, HIGH) * (wide / w->v);
  if (w->kind == CHANNELS)
    return c->n * tsr__cuda_conv_over(high, rows_of(w)) * tsr__cuda_conv_over(wide, WIDE) * (c->groups / w->v);
  return tsr__cuda_conv_positions(c) * c->groups * c->made;
}

tsr_status tsr__cuda_conv_depthwise(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c,
                                    const tsr__cuda_finish *finish, bool *done, tsr__cuda_plan *plan) {
  const way w = choose(c);
  const tsr__cuda_kernel *kernel;
  tsr__cuda_conv_args args;
  size_t filters = SIZE_MAX;
  *done = false;
  if (c->each != 1 || c->exact || (c->groups == 1 && c->made > 4)) return TSR_OK;
  const int64_t blocks = tsr__cuda_conv_over(units_of(c, &w), THREADS);
  if (blocks > INT32_MAX) return TSR_OK;
  *done = true;
  tsr_status st = get_kernel(gpu, ctx, c, finish, &w, &kernel);
  if (st == TSR_OK && w.kind == CHANNELS) st = plan_filters(gpu, ctx, c, &filters, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_conv_set_args(c, finish, &args);
  if (w.kind != PLAIN) args.positions = c->n;
  if (w.kind == PLAIN) args.deep = c->n;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, THREADS, 0, &args, sizeof args);
  tsr__cuda_conv_addresses(c, filters, plan);
  return TSR_OK;
}
