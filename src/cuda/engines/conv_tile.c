/* Any convolution, by tiles of sums in registers: kernels/conv.cuh. */
#include "cuda/engines/conv.h"

#include <string.h>

/* As in kernels/conv.cuh. */
typedef struct conv_axis_args {
  int64_t in, out, taps, base, step, tap, x, w, o;
} conv_axis_args;
typedef struct conv_args {
  uint64_t x, w, bias, out, part;
  int64_t positions, made, each, groups, deep;
  int64_t x_group, x_sample, x_channel, w_group, w_filter, w_channel, out_group, out_sample, out_filter, bias_step;
  int64_t blocks_o, blocks_p, splits, split;
  conv_axis_args axis[3];
  double number[2];
} conv_args;

enum { DEEP = 8, MOST_MASKED = 32 };

/* Filters and positions of a block, and of a thread. */
typedef struct tile {
  uint8_t side_o, side_p, each_o, each_p;
} tile;
static const tile tiles[] = {{128, 128, 8, 8}, {64, 128, 8, 8}, {32, 128, 8, 4},
                             {16, 128, 4, 4},  {4, 128, 4, 1},  {64, 32, 4, 4}};
enum { LARGE, MIDDLE, LOW, FLAT, THIN, SMALL };

typedef struct way {
  tile tile;
  bool wide, masked, quads, split;
} way;

static int64_t over(int64_t n, int64_t by) { return (n + by - 1) / by; }

static int64_t blocks_of(const tsr__cuda_conv *c, const tile *t) {
  return over(c->made, t->side_o) * over(tsr__cuda_conv_positions(c), t->side_p) * c->groups;
}

/* As large as the filters of a group are many and there is work for all multiprocessors. Numbers of 8 bytes take twice the registers. */
static tile choose_tile(const tsr__cuda *gpu, const tsr__cuda_conv *c) {
  const int64_t all = 2 * (int64_t)tsr__cuda_traits_of(gpu)->multiprocessors;
  const bool wide = tsr_dtype_size(c->compute) == 8;
  int k = c->made > 64 ? LARGE : c->made > 32 ? MIDDLE : c->made > 16 ? LOW : c->made > 4 ? FLAT : THIN;
  if (wide && k <= MIDDLE) return tiles[blocks_of(c, &tiles[LOW]) < all ? SMALL : LOW];
  if (k == LARGE && blocks_of(c, &tiles[k]) < all) k = MIDDLE;
  if (k == MIDDLE && blocks_of(c, &tiles[k]) < all) k = SMALL;
  return tiles[k];
}

static int64_t size_of(int64_t n) { return n < 0 ? -n : n; }

/* Whether places within a sample and a filter need more than 31 bits. */
static bool needs_wide(const tsr__cuda_conv *c) {
  int64_t x = size_of(c->x_channel) * c->each, w = size_of(c->w_channel) * c->each;
  for (int d = 0; d < 3; d++) {
    x += size_of(c->axis[d].tap * c->axis[d].x) * c->axis[d].taps;
    w += size_of(c->axis[d].w) * c->axis[d].taps;
  }
  return x > INT32_MAX || w > INT32_MAX;
}

/* Whether four positions side by side are one aligned pack of the output. */
static bool has_quads(const tsr__cuda_conv *c) {
  const tsr__cuda_conv_axis *const a = c->axis;
  const int64_t bits = a[2].out | (a[1].out > 1 ? a[1].o : 0) | (a[0].out > 1 ? a[0].o : 0) |
                       (c->n > 1 ? c->out_sample : 0) | (c->made * c->groups > 1 ? c->out_filter : 0);
  return a[2].o == 1 && bits % 4 == 0 && tsr__cuda_place_of(&c->out) % (4 * tsr_dtype_size(c->dtype)) == 0;
}

/* How many parts a sum is cut into, where blocks would be few: of at least 16 tiles each. The bits of plain loops allow none. */
static int64_t splits_of(const tsr__cuda *gpu, const tsr__cuda_conv *c, const tile *t) {
  const int64_t all = 2 * (int64_t)tsr__cuda_traits_of(gpu)->multiprocessors, blocks = blocks_of(c, t);
  const int64_t tiles_all = over(c->each * tsr__cuda_conv_taps(c), DEEP), most = tiles_all / 16;
  if (c->exact || blocks == 0 || tsr_dtype_describe(c->compute)->class_ != TSR_CLASS_FLOAT) return 1;
  const int64_t wanted = all / blocks;
  const int64_t splits = wanted < most ? wanted : most;
  return splits > 1 ? splits : 1;
}

static const char *multiply_add(const tsr__cuda_conv *c) {
  if (c->exact) return "(z) + (x) * (y)";
  return c->compute == TSR_F32   ? "__builtin_fmaf(x, y, z)"
         : c->compute == TSR_F64 ? "__builtin_fma(x, y, z)"
                                 : "(x) * (y) + (z)";
}

static void write_text(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, const way *w, tsr__cuda_text *text) {
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#define LOAD TSR__LOAD_CONST\n#define STORE(p, v) (*(p) = (v))\n"
                        "#include \"cuda/kernels/words.cuh\"\n");
  tsr__cuda_conv_words(c, finish, text);
  tsr__cuda_text_format(text, "#define SIDE_O %d\n#define SIDE_P %d\n#define EACH_O %d\n#define EACH_P %d\n",
                        w->tile.side_o, w->tile.side_p, w->tile.each_o, w->tile.each_p);
  tsr__cuda_text_format(text,
                        "typedef %s INDEX;\n#define MASKED %d\n#define EXACT %d\n#define SPLIT %d\n#define QUADS %d\n",
                        w->wide ? "int64_t" : "int32_t", (int)w->masked, (int)c->exact, (int)w->split, (int)w->quads);
  tsr__cuda_text_format(text, "#define MULTIPLY_ADD(x, y, z) %s\n", multiply_add(c));
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/conv.cuh\"\n");
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                             const way *w, bool join, const tsr__cuda_kernel **kernel) {
  static const char maker[2];
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker[join];
  memcpy(key.part, &finish->kind, sizeof finish->kind);
  memcpy(key.part + 8, &w->tile, sizeof w->tile);
  key.part[12] = (uint8_t)c->dtype;
  key.part[13] = (uint8_t)(w->wide | w->masked << 1 | w->quads << 2 | w->split << 3 | c->exact << 4);
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  write_text(c, finish, w, &text);
  const tsr__cuda_source source = {.text = text.data, .name = join ? "tsr_conv_join" : "tsr_conv"};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, c->op, NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static void set_args(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, conv_args *args) {
  *args = (conv_args){.positions = tsr__cuda_conv_positions(c),
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
  for (int d = 0; d < 3; d++) {
    const tsr__cuda_conv_axis *const a = &c->axis[d];
    args->axis[d] = (conv_axis_args){a->in, a->out, a->taps, a->base, a->step, a->tap, a->x, a->w, a->o};
  }
}

static void plan_addresses(const tsr__cuda_conv *c, size_t part, tsr__cuda_plan *plan) {
  tsr__cuda_plan_address(plan, offsetof(conv_args, x), c->x.ref);
  tsr__cuda_plan_address(plan, offsetof(conv_args, w), c->w.ref);
  if (c->biased) tsr__cuda_plan_address(plan, offsetof(conv_args, bias), c->bias.ref);
  tsr__cuda_plan_address(plan, offsetof(conv_args, out), c->out.ref);
  if (part != SIZE_MAX) tsr__cuda_plan_address(plan, offsetof(conv_args, part), tsr__cuda_scratch(part));
}

static tsr_status plan_join(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                            const way *w, const conv_args *args, size_t part, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(gpu, ctx, c, finish, w, true, &kernel);
  if (st != TSR_OK) return st;
  const int64_t blocks = over(c->groups * c->made * args->positions, 128);
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, 128, 0, args, sizeof *args);
  plan_addresses(c, part, plan);
  return TSR_OK;
}

tsr_status tsr__cuda_conv_tiles(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                                tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  way w = {.tile = choose_tile(gpu, c), .wide = needs_wide(c), .masked = tsr__cuda_conv_taps(c) <= MOST_MASKED};
  conv_args args;
  size_t part = SIZE_MAX;
  set_args(c, finish, &args);
  args.splits = splits_of(gpu, c, &w.tile);
  w.split = args.splits > 1;
  w.quads = !w.split && w.tile.each_p >= 4 && has_quads(c);
  args.blocks_o = over(c->made, w.tile.side_o);
  args.blocks_p = over(args.positions, w.tile.side_p);
  args.split = over(over(args.deep, DEEP), args.splits);
  const int64_t blocks = args.blocks_o * args.blocks_p * c->groups * args.splits;
  if (blocks > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EDEVICE, c->op, "out", "has %l elements: more than a grid has",
                     (int64_t)tsr_size(&c->out.tensor));
  if (w.split)
    part = tsr__cuda_plan_scratch(
        plan, (size_t)(args.splits * c->groups * c->made * args.positions) * tsr_dtype_size(c->compute));
  const tsr_status st = get_kernel(gpu, ctx, c, finish, &w, false, &kernel);
  if (st != TSR_OK) return st;
  const unsigned threads = (unsigned)(w.tile.side_o / w.tile.each_o * (w.tile.side_p / w.tile.each_p));
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, 0, &args, sizeof args);
  plan_addresses(c, part, plan);
  return w.split ? plan_join(gpu, ctx, c, finish, &w, &args, part, plan) : TSR_OK;
}
