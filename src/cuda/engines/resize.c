/* Resizing, and pixels that become channels: kernels/resize.cuh, kernels/shuffle.cuh, and copies. */
#include "cuda/engines/engines.h"

#include "nn/image.h"
#include "nn/resize/ops.h"
#include "nn/resize/resize.h"
#include "nn/shuffle/ops.h"
#include "ops/promote.h"

#include <string.h>

/* As in kernels/resize.cuh. */
typedef struct resize_axis {
  int64_t in, out, x, o;
  double scale;
} resize_axis;
typedef struct resize_args {
  uint64_t x, out, places;
  int64_t units, channels, parts;
  int64_t x_sample, x_channel, out_sample, out_channel;
  resize_axis row, column;
  int64_t coordinates, nearest;
} resize_args;

enum { PLACE_BYTES = 24, ROWS = 8 };

typedef struct resizing {
  bool linear, last;
  bool far; /* a row of x does not fit 31 bits */
  int v;    /* channels of a pack, or columns */
  tsr__cuda_view x, out;
  resize_args args;
} resizing;

/* ---- kernels ---- */

static const char *moved_type(size_t item) {
  return item == 1 ? "uint8_t" : item == 2 ? "uint16_t" : item == 4 ? "uint32_t" : item == 8 ? "uint64_t" : "uint4";
}

static void write_text(const resizing *r, tsr__cuda_text *text) {
  const int dtype = r->x.tensor.dtype, compute = tsr__compute_of(dtype);
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#define LOAD TSR__LOAD_CONST\n#define STORE(p, v) (*(p) = (v))\n"
                        "#include \"cuda/kernels/words.cuh\"\n");
  if (r->linear) {
    tsr__cuda_text_format(text,
                          "typedef %s_mem T;\ntypedef %s_mem C;\nstatic __device__ inline C loaded(T t) { return ",
                          tsr__cuda_dtype(dtype), tsr__cuda_dtype(compute));
    tsr__cuda_add_cast(text, dtype, compute, "t");
    tsr__cuda_text_add(text, "; }\nstatic __device__ inline T stored(C c) { return ");
    tsr__cuda_add_cast(text, compute, dtype, "c");
    tsr__cuda_text_add(text, "; }\n#define LOADED(t) loaded(t)\n#define STORED(c) stored(c)\n");
  } else {
    tsr__cuda_text_format(text, "typedef %s T;\n", moved_type(tsr_dtype_size(dtype)));
  }
  tsr__cuda_text_format(text, "#define LINEAR %d\n#define LAST %d\n#define V %d\n", (int)r->linear, (int)r->last, r->v);
  tsr__cuda_text_format(text, "typedef %s AT;\n", r->far ? "int64_t" : "int32_t");
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/resize.cuh\"\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const resizing *r, bool places,
                             const tsr__cuda_kernel **kernel) {
  static const char maker[2];
  const int dtype = r->x.tensor.dtype;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker[places];
  key.part[0] = r->linear ? (uint8_t)dtype : (uint8_t)tsr_dtype_size(dtype);
  key.part[1] = (uint8_t)(r->linear | r->last << 1 | r->far << 2);
  key.part[2] = (uint8_t)r->v;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  write_text(r, &text);
  const tsr__cuda_source source = {.text = text.data, .name = places ? "tsr_places" : "tsr_resize"};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, "resize", NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static void plan_launch(const resizing *r, const tsr__cuda_kernel *kernel, int64_t blocks, unsigned threads,
                        size_t places, tsr__cuda_plan *plan) {
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, 0, &r->args, sizeof r->args);
  tsr__cuda_plan_address(plan, offsetof(resize_args, x), r->x.ref);
  tsr__cuda_plan_address(plan, offsetof(resize_args, out), r->out.ref);
  tsr__cuda_plan_address(plan, offsetof(resize_args, places), tsr__cuda_scratch(places));
}

/* ---- the call ---- */

static bool are_multiples(const tsr__cuda_view *v, const int64_t *steps, int64_t bytes) {
  const int64_t item = (int64_t)tsr_dtype_size(v->tensor.dtype);
  int64_t bits = (int64_t)tsr__cuda_place_of(v);
  for (int i = 0; i < 3; i++) bits |= steps[i] * item;
  return bits % bytes == 0;
}

/* Packs of channels, or of columns of the output, that lie side by side: up to 16 bytes. */
static int pack_of(const resizing *r) {
  const resize_args *const a = &r->args;
  const int64_t item = (int64_t)tsr_dtype_size(r->x.tensor.dtype), length = r->last ? a->channels : a->column.out;
  const int64_t xs[] = {a->x_sample, a->row.x, a->column.x};
  const int64_t os[] = {a->out_sample, a->row.o, r->last ? a->column.o : a->out_channel};
  int v = item >= 16 ? 1 : (int)(16 / item);
  if (v > 8) v = 8;
  if (r->last ? a->x_channel != 1 || a->out_channel != 1 : a->column.o != 1) return 1;
  while (v > 1 &&
         (length % v != 0 || (r->last && !are_multiples(&r->x, xs, v * item)) || !are_multiples(&r->out, os, v * item)))
    v /= 2;
  return v;
}

static bool is_far(const resize_axis *a) {
  const int64_t step = a->x < 0 ? -a->x : a->x;
  return step > INT32_MAX || a->in > INT32_MAX || step * a->in > INT32_MAX;
}

/* Threads: see the kernel. */
static int64_t units_of(const resizing *r, int64_t n) {
  const resize_args *const a = &r->args;
  if (r->last) return n * (a->channels / r->v) * a->row.out * a->column.out;
  return n * a->channels * ((a->row.out + ROWS - 1) / ROWS) * (a->column.out / r->v);
}

static tsr_status plan_resized(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, resizing *r, int64_t n,
                               tsr__cuda_plan *plan) {
  resize_args *const a = &r->args;
  const tsr__cuda_kernel *find, *pick;
  r->v = pack_of(r);
  r->far = !r->last && is_far(&a->column);
  a->units = units_of(r, n);
  a->parts = (a->row.out + ROWS - 1) / ROWS;
  if (r->last) a->channels /= r->v;
  const int64_t places = a->row.out + a->column.out, blocks = (a->units + 255) / 256;
  if (blocks > INT32_MAX || places > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "out", "has %l elements: more than a grid has",
                     (int64_t)tsr_size(&r->out.tensor));
  tsr_status st = get_kernel(gpu, ctx, r, true, &find);
  if (st == TSR_OK) st = get_kernel(gpu, ctx, r, false, &pick);
  if (st != TSR_OK) return st;
  const size_t at = tsr__cuda_plan_scratch(plan, (size_t)places * PLACE_BYTES);
  plan_launch(r, find, (places + 127) / 128, 128, at, plan);
  plan_launch(r, pick, blocks, 256, at, plan);
  return TSR_OK;
}

static int64_t stride_of(const tsr_tensor *t, int axis) {
  return axis < 0 || t->shape[axis] <= 1 ? 0 : (int64_t)t->stride[axis];
}

static tsr_status plan_resize(tsr__cuda *gpu, const tsr_work *work, bool linear, tsr__cuda_plan *plan) {
  static const tsr_resize_options none = {.coordinates = TSR_COORDINATES_HALF_PIXEL};
  const tsr__resize_nearest_attrs *const attrs = work->attrs;
  const tsr_resize_options *const o = attrs->options != NULL ? attrs->options : &none;
  const bool two = attrs->size_count == 2;
  resizing r = {.linear = linear, .x = tsr__cuda_input(work, 0), .out = tsr__cuda_output(work, 0)};
  resize_args *const a = &r.args;
  tsr__image image;
  tsr_status st = tsr__image_init(work->ctx, work->op, work->in[0], 1, 2, &image);
  if (st != TSR_OK || tsr_size(work->out[0]) == 0) return st;
  st = tsr__cuda_unaliased(gpu, work->ctx, &r.out, &r.x, plan);
  if (st != TSR_OK) return st;
  const tsr_tensor *const x = &r.x.tensor, *const out = &r.out.tensor;
  const int *const axis = image.axis;
  r.last = image.last;
  a->channels = image.shape[TSR__IMAGE_C];
  a->x_sample = stride_of(x, 0), a->out_sample = stride_of(out, 0);
  a->x_channel = x->stride[axis[TSR__IMAGE_C]], a->out_channel = out->stride[axis[TSR__IMAGE_C]];
  a->row = (resize_axis){image.shape[TSR__IMAGE_H], two ? attrs->size[0] : 1, stride_of(x, axis[TSR__IMAGE_H]),
                         stride_of(out, axis[TSR__IMAGE_H]), two ? (double)o->scale[0] : 0};
  a->column = (resize_axis){image.shape[TSR__IMAGE_W], attrs->size[two], stride_of(x, axis[TSR__IMAGE_W]),
                            stride_of(out, axis[TSR__IMAGE_W]), (double)o->scale[two]};
  a->coordinates = o->coordinates;
  a->nearest = o->nearest;
  return plan_resized(gpu, work->ctx, work->op, &r, image.shape[TSR__IMAGE_N], plan);
}

tsr_status tsr__cuda_resize_nearest(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                    tsr__cuda_plan *plan) {
  (void)op;
  return plan_resize(gpu, work, false, plan);
}
tsr_status tsr__cuda_resize_linear(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_resize(gpu, work, true, plan);
}

/* ---- pixels and channels ---- */

/* As (n, c, y, x, h, w): channel c of a block, its pixel (y, x), the block. deep has the pixels among its channels, wide among its rows and
 * columns. */
static tsr__cuda_view blocks_of(const tsr__image *image, const tsr__cuda_view *v, const tsr_index *lengths,
                                tsr_index factor, bool deep, bool inner) {
  tsr__cuda_view b = *v;
  const tsr_index *const s = v->tensor.stride;
  const tsr_index n = s[image->axis[TSR__IMAGE_N]], c = s[image->axis[TSR__IMAGE_C]], h = s[image->axis[TSR__IMAGE_H]],
                  w = s[image->axis[TSR__IMAGE_W]];
  const tsr_index pixel = inner ? c : c * lengths[1];
  const tsr_index of_deep[6] = {n, inner ? c * factor * factor : c, pixel * factor, pixel, h, w};
  const tsr_index of_wide[6] = {n, c, h, w, h * factor, w * factor};
  b.tensor.ndim = 6;
  b.tensor.layout = TSR_PLAIN;
  for (int d = 0; d < 6; d++) {
    b.tensor.shape[d] = lengths[d];
    b.tensor.stride[d] = lengths[d] > 1 ? (deep ? of_deep : of_wide)[d] : 0;
  }
  return b;
}

/* As in kernels/shuffle.cuh. */
typedef struct shuffle_args {
  uint64_t deep, wide;
  int64_t units, packs, parts, rows, channels;
  int64_t deep_n, deep_c, deep_y, deep_x, deep_h, wide_n, wide_c, wide_h;
} shuffle_args;
enum { SHUFFLED_ROWS = 4, MOST_FACTOR = 8 };

/* Packs of a row of the wide tensor, 16 bytes or less, whose parts of the deep one are packs too; 0: there are none. */
static int shuffled_pack(const tsr__cuda_view *deep, const tsr__cuda_view *wide, int64_t factor) {
  const int64_t item = (int64_t)tsr_dtype_size(wide->tensor.dtype), length = factor * wide->tensor.shape[5];
  const tsr_index *const d = deep->tensor.stride, *const w = wide->tensor.stride;
  const int64_t deep_steps[] = {d[0], d[1], d[2], d[3], d[4]}, wide_steps[] = {w[0], w[1], w[2], w[4]};
  int64_t deep_bits = (int64_t)tsr__cuda_place_of(deep), wide_bits = (int64_t)tsr__cuda_place_of(wide);
  if (factor > MOST_FACTOR || (deep->tensor.shape[5] > 1 && d[5] != 1) || w[3] != 1) return 0;
  if (wide->tensor.shape[5] > 1 && w[5] != factor) return 0;
  for (int i = 0; i < 5; i++) deep_bits |= deep_steps[i] * item;
  for (int i = 0; i < 4; i++) wide_bits |= wide_steps[i] * item;
  for (int64_t v = 16 / item > 8 ? 8 : 16 / item; v >= factor; v /= 2)
    if (v % factor == 0 && length % v == 0 && wide_bits % (v * item) == 0 && deep_bits % (v / factor * item) == 0)
      return (int)v;
  return 0;
}

static tsr_status get_shuffle(tsr__cuda *gpu, tsr_ctx *ctx, size_t item, int64_t factor, int v, bool to_pixels,
                              const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)item;
  key.part[1] = (uint8_t)factor;
  key.part[2] = (uint8_t)v;
  key.part[3] = to_pixels;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#define LOAD TSR__LOAD_CONST\n"
                        "#define STORE(p, v) (*(p) = (v))\n#include \"cuda/kernels/words.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s T;\n#define F %d\n#define V %d\n#define TO_PIXELS %d\n", moved_type(item),
                        (int)factor, v, (int)to_pixels);
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/shuffle.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_shuffle"};
  const tsr_status st = text.failed
                            ? TSR__FAIL(ctx, TSR_ENOMEM, "pixel_shuffle", NULL, "no memory for the text of a kernel")
                            : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* deep, wide: as (n, c, y, x, h, w). */
static tsr_status plan_shuffle(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *deep, const tsr__cuda_view *wide,
                               int v, bool to_pixels, tsr__cuda_plan *plan) {
  const tsr_index *const length = wide->tensor.shape, *const d = deep->tensor.stride, *const w = wide->tensor.stride;
  const tsr__cuda_kernel *kernel;
  const int64_t factor = length[2];
  shuffle_args args = {.packs = factor * length[5] / v,
                       .rows = factor * length[4],
                       .channels = length[1],
                       .deep_n = d[0],
                       .deep_c = d[1],
                       .deep_y = d[2],
                       .deep_x = d[3],
                       .deep_h = d[4],
                       .wide_n = w[0],
                       .wide_c = w[1],
                       .wide_h = w[2]};
  args.parts = (args.rows + SHUFFLED_ROWS - 1) / SHUFFLED_ROWS;
  args.units = length[0] * length[1] * args.parts * args.packs;
  const tsr_status st = get_shuffle(gpu, ctx, tsr_dtype_size(wide->tensor.dtype), factor, v, to_pixels, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)((args.units + 255) / 256), 1, 1}, 256, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(shuffle_args, deep), deep->ref);
  tsr__cuda_plan_address(plan, offsetof(shuffle_args, wide), wide->ref);
  return TSR_OK;
}

static tsr_status plan_pixels(tsr__cuda *gpu, const tsr_work *work, bool to_pixels, tsr__cuda_plan *plan) {
  const tsr__pixel_shuffle_attrs *const attrs = work->attrs;
  const tsr_index f = attrs->factor;
  const bool inner = attrs->order == TSR_PIXELS_INNER;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  tsr__image image;
  tsr_status st = tsr__image_init(work->ctx, work->op, work->in[0], 2, 2, &image);
  if (st != TSR_OK || tsr_size(&out.tensor) == 0) return st;
  st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  if (st != TSR_OK) return st;
  const tsr_index *const in = image.shape;
  const tsr_index c = to_pixels ? in[TSR__IMAGE_C] / f / f : in[TSR__IMAGE_C],
                  h = to_pixels ? in[TSR__IMAGE_H] : in[TSR__IMAGE_H] / f,
                  w = to_pixels ? in[TSR__IMAGE_W] : in[TSR__IMAGE_W] / f;
  const tsr_index lengths[6] = {in[TSR__IMAGE_N], c, f, f, h, w};
  const tsr__cuda_view from = blocks_of(&image, &x, lengths, f, to_pixels, inner),
                       to = blocks_of(&image, &out, lengths, f, !to_pixels, inner);
  const tsr__cuda_view *const deep = to_pixels ? &from : &to, *const wide = to_pixels ? &to : &from;
  const int v = f > 1 && tsr_size(&out.tensor) / 256 < INT32_MAX ? shuffled_pack(deep, wide, f) : 0;
  if (v > 0) return plan_shuffle(gpu, work->ctx, deep, wide, v, to_pixels, plan);
  return tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
}

tsr_status tsr__cuda_pixel_shuffle(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_pixels(gpu, work, true, plan);
}
tsr_status tsr__cuda_pixel_unshuffle(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                     tsr__cuda_plan *plan) {
  (void)op;
  return plan_pixels(gpu, work, false, plan);
}
