/* Convolutions of f16 and bf16 by products of warps: kernels/conv_half.cuh. Channels of x and of filters lie side by side, in packs of 8: where
 * they do not, copies come before. */
#include "cuda/engines/conv.h"

#include <string.h>

enum { DEEP = 64, PACK = 8, LEAST_FILTERS = 16, LEAST_TILES = 4, NEAR_ROWS = 384, LEAST_NEAR = 4 };

/* Positions and filters of a block, its warps, and how many blocks a multiprocessor should have room for. */
typedef struct tile {
  uint16_t side_p, side_o;
  uint8_t warps_p, warps_o, resident, stages; /* stages: the most */
} tile;
/* Many positions and fewer filters: of x the first cache has what the taps of a stage share. It wants room beside the stages. */
static const tile tiles[] = {
    {256, 128, 4, 2, 1, 3}, {128, 128, 2, 2, 2, 3}, {128, 64, 2, 2, 2, 4}, {64, 64, 2, 2, 3, 4}};
enum { LARGE, MIDDLE, NARROW, SMALL };

typedef struct way {
  tile tile;
  int stages;
  bool packs, split, chunks;
  int near; /* turns of x a tap; 0: as stages */
} way;

/* ---- which tile ---- */

static bool is_for_warps(const tsr__cuda *gpu, const tsr__cuda_conv *c) {
  return (c->dtype == TSR_F16 || c->dtype == TSR_BF16) && !c->exact && tsr__cuda_traits_of(gpu)->capability >= 80 &&
         c->made >= LEAST_FILTERS && c->each > 0 && (c->each > 2 || c->groups == 1) && c->each <= INT32_MAX / 2 &&
         tsr__cuda_conv_has_few_taps(c);
}

static unsigned stage_bytes(const tile *t) { return (unsigned)(t->side_p + t->side_o) * DEEP * 2; }

/* As many stages as the blocks of a multiprocessor have room for; 0: not even two. */
static int stages_of(const tsr__cuda *gpu, const tile *t) {
  const tsr__cuda_traits *const traits = tsr__cuda_traits_of(gpu);
  const unsigned own = 8192; /* what the kernel has beside them, and a block takes anyway */
  const unsigned all = (unsigned)traits->shared_all / t->resident, block = (unsigned)traits->shared_block;
  const unsigned room = all < block ? all : block, most = room > own ? (room - own) / stage_bytes(t) : 0;
  return most > t->stages ? t->stages : most >= 2 ? (int)most : (block - own) / stage_bytes(t) >= 2 ? 2 : 0;
}

static unsigned near_bytes(const tile *t) { return (2 * NEAR_ROWS + 3u * t->side_o + 1) * DEEP * 2; }

static unsigned shared_of(const way *w) {
  return w->near > 0 ? near_bytes(&w->tile) : stage_bytes(&w->tile) * (unsigned)w->stages;
}

static int64_t blocks_of(const tsr__cuda_conv *c, const tile *t) {
  return tsr__cuda_conv_over(c->made, t->side_o) * tsr__cuda_conv_over(tsr__cuda_conv_positions(c), t->side_p) *
         c->groups;
}

static bool choose_tile(const tsr__cuda *gpu, const tsr__cuda_conv *c, way *w) {
  const int64_t all = tsr__cuda_traits_of(gpu)->multiprocessors;
  int k = c->made > 64 ? LARGE : NARROW;
  if (k == LARGE && blocks_of(c, &tiles[k]) < all) k = MIDDLE;
  if (k == MIDDLE && blocks_of(c, &tiles[k]) < all) k = NARROW;
  if (k == NARROW && blocks_of(c, &tiles[k]) < all) k = SMALL;
  for (; k <= SMALL; k++) {
    w->tile = tiles[k];
    w->stages = stages_of(gpu, &tiles[k]);
    if (w->stages > 0) return true;
  }
  return false;
}

/* Parts of each sum, where blocks would be few. */
static int64_t splits_of(const tsr__cuda *gpu, const tsr__cuda_conv *c, int64_t deep, const way *w) {
  const int64_t all = (int64_t)tsr__cuda_traits_of(gpu)->multiprocessors * w->tile.resident,
                blocks = blocks_of(c, &w->tile);
  const int64_t wanted = all / blocks, most = tsr__cuda_conv_over(deep, DEEP) / LEAST_TILES;
  const int64_t splits = wanted < most ? wanted : most;
  return splits > 1 ? splits : 1;
}

/* Where neighbouring positions' windows are neighbours in x, and the rows that a block needs fit: see the kernel. How many turns of copies each
 * tap has; 0: it is not so. Copies end two taps before they are read. */
static int turns_near(const tsr__cuda *gpu, const tsr__cuda_conv *c, const way *w) {
  const tsr__cuda_conv_axis *const a = c->axis, *const high = &a[1], *const wide = &a[2];
  const int64_t taps = high->taps * wide->taps, needed = w->tile.side_p + (high->taps - 1) * wide->in + wide->taps - 1;
  const unsigned turns = NEAR_ROWS / 32;
  if (w->split || !w->chunks || w->tile.side_p != tiles[LARGE].side_p || taps < LEAST_NEAR || needed > NEAR_ROWS)
    return 0;
  if (a[0].taps != 1 || a[0].in != 1 || a[0].base != 0) return 0;
  if (high->step != 1 || wide->step != 1 || high->tap != 1 || wide->tap != 1) return 0;
  if (high->in != high->out || wide->in != wide->out || wide->in == 1 || high->in == 1) return 0;
  if (high->x != wide->in * wide->x || (c->n > 1 && c->x_sample != high->in * high->x)) return 0;
  if (near_bytes(&w->tile) + 8192 > (unsigned)tsr__cuda_traits_of(gpu)->shared_block) return 0;
  return (int)((turns + (unsigned)taps - 2) / ((unsigned)taps - 1));
}

/* ---- operands as the kernel reads them ---- */

static bool are_packs(const tsr__cuda_view *v, const int64_t *steps, int count) {
  int64_t bits = 0;
  for (int i = 0; i < count; i++) bits |= steps[i];
  return bits % PACK == 0 && tsr__cuda_place_of(v) % 16 == 0;
}

static tsr__cuda_view seen_as(const tsr__cuda_view *v, int ndim, const int64_t *lengths, const int64_t *steps) {
  tsr__cuda_view seen = *v;
  seen.tensor.ndim = (uint8_t)ndim;
  seen.tensor.layout = TSR_PLAIN;
  for (int d = 0; d < ndim; d++) {
    seen.tensor.shape[d] = (tsr_index)lengths[d];
    seen.tensor.stride[d] = lengths[d] > 1 ? (tsr_index)steps[d] : 0;
  }
  return seen;
}

/* A copy whose last axis, of channels, is as long as packs are, with zeros behind them. */
static tsr_status plan_packed(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *from, int64_t whole,
                              tsr__cuda_view *copy, tsr__cuda_plan *plan) {
  const tsr_tensor *const t = &from->tensor;
  const int last = t->ndim - 1;
  const uint16_t zero = 0;
  tsr_index shape[TSR_MAX_DIMS];
  for (int d = 0; d <= last; d++) shape[d] = t->shape[d];
  shape[last] = (tsr_index)whole;
  *copy = tsr__cuda_temporary(plan, t->dtype, t->ndim, shape);
  tsr_status st = t->shape[last] < whole ? tsr__cuda_plan_fill(gpu, ctx, &zero, copy, plan) : TSR_OK;
  tsr__cuda_view to = *copy;
  to.tensor.shape[last] = t->shape[last];
  return st == TSR_OK ? tsr__cuda_plan_cast(gpu, ctx, from, &to, plan) : st;
}

/* x as (n, d, h, w, groups, channels). */
static tsr_status take_x(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_conv *c, int64_t whole, int64_t *group,
                         tsr__cuda_plan *plan) {
  const int64_t steps[] = {c->x_sample, c->axis[0].x, c->axis[1].x, c->axis[2].x, c->each};
  *group = c->each;
  if ((c->x_channel == 1 || c->each * c->groups == 1) && c->each == whole && are_packs(&c->x, steps, 5)) return TSR_OK;
  const int64_t lengths[] = {c->n, c->axis[0].in, c->axis[1].in, c->axis[2].in, c->groups, c->each};
  const int64_t strides[] = {c->x_sample,  c->axis[0].x,           c->axis[1].x,
                             c->axis[2].x, c->each * c->x_channel, c->x_channel};
  const tsr__cuda_view from = seen_as(&c->x, 6, lengths, strides);
  const tsr_status st = plan_packed(gpu, ctx, &from, whole, &c->x, plan);
  const tsr_index *const s = c->x.tensor.stride;
  c->x_sample = s[0];
  for (int d = 0; d < 3; d++) c->axis[d].x = s[1 + d];
  *group = whole;
  return st;
}

/* Filters as (filters, taps, channels). */
static tsr_status take_w(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_conv *c, int64_t whole, tsr__cuda_plan *plan) {
  const tsr__cuda_conv_axis *const a = c->axis;
  const int64_t width = a[2].taps * whole, height = a[1].taps * width, depth = a[0].taps * height;
  const bool lies = (a[2].taps == 1 || a[2].w == whole) && (a[1].taps == 1 || a[1].w == width) &&
                    (a[0].taps == 1 || a[0].w == height);
  if (lies && c->each == whole && c->w_channel == 1 && c->w_filter == depth && tsr__cuda_place_of(&c->w) % 16 == 0)
    return TSR_OK;
  const int64_t lengths[] = {c->groups * c->made, a[0].taps, a[1].taps, a[2].taps, c->each};
  const int64_t strides[] = {c->w_filter, a[0].w, a[1].w, a[2].w, c->w_channel};
  const tsr__cuda_view from = seen_as(&c->w, 5, lengths, strides);
  c->w_filter = depth;
  c->w_group = depth * c->made;
  return plan_packed(gpu, ctx, &from, whole, &c->w, plan);
}

/* ---- kernels ---- */

static void write_text(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, const way *w, bool join,
                       tsr__cuda_text *text) {
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#include \"cuda/kernels/matrix.cuh\"\n#include \"cuda/kernels/stages.cuh\"\n");
  tsr__cuda_conv_words(c, finish, text);
  tsr__cuda_text_format(text, "#define SIDE_P %d\n#define SIDE_O %d\n#define WARPS_P %d\n#define WARPS_O %d\n",
                        w->tile.side_p, w->tile.side_o, w->tile.warps_p, w->tile.warps_o);
  tsr__cuda_text_format(
      text, "#define BRAIN %s\n#define STAGES %d\n#define SPLIT %d\n#define PACKS %d\n#define CHUNKS %d\n",
      c->dtype == TSR_BF16 ? "true" : "false", w->stages, (int)w->split, (int)w->packs, (int)w->chunks);
  tsr__cuda_text_format(text, "#define NEAR %d\n#define A_TAP %d\n", (int)(w->near > 0), w->near);
  tsr__cuda_text_format(text, "#define JOIN %d\n#define RESIDENT %d\n", (int)join, w->tile.resident);
  tsr__cuda_text_expand(
      text, "#define QUANTISED 0\n#include \"cuda/kernels/conv_args.cuh\"\n#include \"cuda/kernels/conv_half.cuh\"\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                             const way *w, bool join, const tsr__cuda_kernel **kernel) {
  static const char maker[2];
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker[join];
  memcpy(key.part, &finish->kind, sizeof finish->kind);
  key.part[8] = (uint8_t)(w->tile.side_p / 2);
  key.part[9] = (uint8_t)(w->tile.side_o / 2);
  key.part[10] = (uint8_t)w->stages;
  key.part[11] = (uint8_t)c->dtype;
  key.part[13] = (uint8_t)w->near;
  key.part[12] = (uint8_t)(w->packs | w->split << 1 | w->chunks << 2);
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  write_text(c, finish, w, join, &text);
  const tsr__cuda_source source = {
      .text = text.data, .name = join ? "tsr_conv_join" : "tsr_conv_half", .shared = join ? 0 : shared_of(w)};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, c->op, NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* ---- a call ---- */

static tsr_status plan_tiles(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                             way *w, tsr__cuda_conv_args *args, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel, *join = NULL;
  const int64_t sums = c->groups * c->made * args->positions;
  size_t part = SIZE_MAX;
  tsr_status st = get_kernel(gpu, ctx, c, finish, w, false, &kernel);
  if (st == TSR_OK && w->split) st = get_kernel(gpu, ctx, c, finish, w, true, &join);
  if (st != TSR_OK) return st;
  if (w->split) part = tsr__cuda_plan_scratch(plan, (size_t)(args->splits * sums) * sizeof(float));
  const int64_t blocks = args->blocks_o * args->blocks_p * c->groups * args->splits;
  const unsigned threads = 32u * w->tile.warps_p * w->tile.warps_o;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, shared_of(w), args,
                        sizeof *args);
  tsr__cuda_conv_addresses(c, part, plan);
  if (join == NULL) return TSR_OK;
  tsr__cuda_plan_launch(plan, join, (tsr__cuda_grid){(unsigned)tsr__cuda_conv_over(sums, 128), 1, 1}, 128, 0, args,
                        sizeof *args);
  tsr__cuda_conv_addresses(c, part, plan);
  return TSR_OK;
}

tsr_status tsr__cuda_conv_halves(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *whole,
                                 const tsr__cuda_finish *finish, bool *done, tsr__cuda_plan *plan) {
  tsr__cuda_conv c = *whole;
  tsr__cuda_conv_args args;
  way w;
  memset(&w, 0, sizeof w);
  const int64_t each = tsr__cuda_conv_over(c.each, PACK) * PACK, deep = each * tsr__cuda_conv_taps(&c);
  *done = false;
  if (!is_for_warps(gpu, &c) || !choose_tile(gpu, &c, &w)) return TSR_OK;
  const int64_t sample =
      c.groups * each * c.axis[0].in * c.axis[1].in * c.axis[2].in; /* of a copy: places in it have 31 bits */
  const int64_t splits = splits_of(gpu, &c, deep, &w), blocks = blocks_of(&c, &w.tile) * splits;
  if (blocks > INT32_MAX || sample > INT32_MAX || deep > INT32_MAX || tsr__cuda_conv_is_wide(&c)) return TSR_OK;
  *done = true;
  int64_t group;
  tsr_status st = take_x(gpu, ctx, &c, each, &group, plan);
  if (st == TSR_OK) st = take_w(gpu, ctx, &c, each, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_conv_set_args(&c, finish, &args);
  const int64_t steps[] = {c.out_sample, c.axis[0].o, c.axis[1].o, c.axis[2].o, c.made};
  w.split = splits > 1;
  w.packs = !w.split && c.out_filter == 1 && are_packs(&c.out, steps, 5);
  w.chunks = each % DEEP == 0;
  w.near = turns_near(gpu, &c, &w);
  args.x_group = group;
  args.each = each;
  args.deep = deep;
  args.splits = splits;
  args.split = tsr__cuda_conv_over(tsr__cuda_conv_over(deep, DEEP), splits);
  args.blocks_o = tsr__cuda_conv_over(c.made, w.tile.side_o);
  args.blocks_p = tsr__cuda_conv_over(args.positions, w.tile.side_p);
  return plan_tiles(gpu, ctx, &c, finish, &w, &args, plan);
}
