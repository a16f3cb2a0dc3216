/* Any convolution, by tiles of sums in registers: kernels/conv.cuh. */
#include "cuda/engines/conv.h"

#include <string.h>

enum { DEEP = 8 };

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

static int64_t blocks_of(const tsr__cuda_conv *c, const tile *t) {
  return tsr__cuda_conv_over(c->made, t->side_o) * tsr__cuda_conv_over(tsr__cuda_conv_positions(c), t->side_p) *
         c->groups;
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
  const int64_t tiles_all = tsr__cuda_conv_over(c->each * tsr__cuda_conv_taps(c), DEEP), most = tiles_all / 16;
  if (c->exact || blocks == 0 || tsr_dtype_describe(c->compute)->class_ != TSR_CLASS_FLOAT) return 1;
  const int64_t wanted = all / blocks;
  const int64_t splits = wanted < most ? wanted : most;
  return splits > 1 ? splits : 1;
}

static void write_text(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, const way *w, bool join,
                       tsr__cuda_text *text) {
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
  tsr__cuda_text_format(text, "#define JOIN %d\n", (int)join);
  tsr__cuda_text_format(text, "#define MULTIPLY_ADD(x, y, z) %s\n", tsr__cuda_conv_multiply_add(c));
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/conv_args.cuh\"\n#include \"cuda/kernels/conv.cuh\"\n");
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
  write_text(c, finish, w, join, &text);
  const tsr__cuda_source source = {.text = text.data, .name = join ? "tsr_conv_join" : "tsr_conv"};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, c->op, NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static tsr_status plan_join(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                            const way *w, const tsr__cuda_conv_args *args, size_t part, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(gpu, ctx, c, finish, w, true, &kernel);
  if (st != TSR_OK) return st;
  const int64_t blocks = tsr__cuda_conv_over(c->groups * c->made * args->positions, 128);
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, 128, 0, args, sizeof *args);
  tsr__cuda_conv_addresses(c, part, plan);
  return TSR_OK;
}

tsr_status tsr__cuda_conv_tiles(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                                tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  way w = {.tile = choose_tile(gpu, c), .wide = tsr__cuda_conv_is_wide(c), .masked = tsr__cuda_conv_has_few_taps(c)};
  tsr__cuda_conv_args args;
  size_t part = SIZE_MAX;
  tsr__cuda_conv_set_args(c, finish, &args);
  args.splits = splits_of(gpu, c, &w.tile);
  w.split = args.splits > 1;
  w.quads = !w.split && w.tile.each_p >= 4 && has_quads(c);
  args.blocks_o = tsr__cuda_conv_over(c->made, w.tile.side_o);
  args.blocks_p = tsr__cuda_conv_over(args.positions, w.tile.side_p);
  args.split = tsr__cuda_conv_over(tsr__cuda_conv_over(args.deep, DEEP), args.splits);
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
  tsr__cuda_conv_addresses(c, part, plan);
  return w.split ? plan_join(gpu, ctx, c, finish, &w, &args, part, plan) : TSR_OK;
}
