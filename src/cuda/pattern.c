#include "cuda/pattern.h"

#include <string.h>

enum {
  FLAT_THREADS = 128,
  TILE_THREADS = 256,
  TILE = 64,
  PACK_BYTES = 16,
  MOST_PACKED = 8,
  LEAST_TILED = 32,
  MOST_SHARED = 49152
};
enum { ELEMENTS_A_THREAD = 4 }; /* of the pattern by elements */
static const int64_t most_narrow = INT32_MAX;

static int64_t size_of_step(int64_t step) { return step < 0 ? -step : step; }

/* ---- axes ---- */

/* Where the output runs backwards, everything does, so that it runs forwards. */
static void flip_forwards(tsr__cuda_loop *loop, int axis) {
  for (int k = 0; k < loop->operands; k++) {
    tsr__cuda_operand *const o = &loop->operand[k];
    const ptrdiff_t item = o->item != 0 ? (ptrdiff_t)o->item : 1;
    const ptrdiff_t moved = (ptrdiff_t)((loop->length[axis] - 1) * o->stride[axis]) * item;
    o->moved += moved;
    o->address += (uintptr_t)moved;
    o->stride[axis] = -o->stride[axis];
  }
}

static void swap_axes(tsr__cuda_loop *loop, int i, int j) {
  const int64_t length = loop->length[i];
  loop->length[i] = loop->length[j];
  loop->length[j] = length;
  for (int k = 0; k < loop->operands; k++) {
    int64_t *const stride = loop->operand[k].stride;
    const int64_t step = stride[i];
    stride[i] = stride[j];
    stride[j] = step;
  }
}

/* The last axis comes first; then by the output's strides. */
static void sort_axes(tsr__cuda_loop *loop) {
  for (int i = 0, j = loop->rank - 1; i < j; i++, j--) swap_axes(loop, i, j);
  const int64_t *const stride = loop->operand[0].stride;
  for (int i = 1; i < loop->rank; i++)
    for (int j = i; j > 0 && stride[j - 1] > stride[j]; j--) swap_axes(loop, j - 1, j);
}

static void drop_ones(tsr__cuda_loop *loop) {
  int kept = 0;
  for (int d = 0; d < loop->rank; d++) {
    if (loop->length[d] == 1) continue;
    swap_axes(loop, kept, d);
    kept++;
  }
  loop->rank = kept;
}

static bool is_mergeable(const tsr__cuda_loop *loop, int last, int axis) {
  for (int k = 0; k < loop->operands; k++) {
    const int64_t *const stride = loop->operand[k].stride;
    if (stride[axis] != stride[last] * loop->length[last]) return false;
  }
  return true;
}

/* Axes that run on from one another in all operands become one. */
static void merge_axes(tsr__cuda_loop *loop) {
  int last = 0;
  for (int d = 1; d < loop->rank; d++) {
    if (is_mergeable(loop, last, d)) {
      loop->length[last] *= loop->length[d];
      continue;
    }
    swap_axes(loop, ++last, d);
  }
  if (loop->rank > 0) loop->rank = last + 1;
}

static void simplify(tsr__cuda_loop *loop) {
  for (int d = 0; d < loop->rank; d++)
    if (loop->operand[0].stride[d] < 0) flip_forwards(loop, d);
  drop_ones(loop);
  sort_axes(loop);
  merge_axes(loop);
  if (loop->rank > 0) return;
  loop->rank = 1;
  loop->length[0] = 1;
  for (int k = 0; k < loop->operands; k++) loop->operand[k].stride[0] = 1;
}

/* ---- the pattern ---- */

/* Whether packs of so many elements can be read along the fastest axis. */
static bool is_packed(const tsr__cuda_loop *loop, int k, int vector) {
  const tsr__cuda_operand *const o = &loop->operand[k];
  const uint64_t bytes = o->item * (uint64_t)vector;
  const int64_t step = o->stride[0];
  if (o->item == 0) return size_of_step(step) <= most_narrow; /* mode has 32 bits */
  if (step == 0) return true;
  if (size_of_step(step) != 1 || (step < 0 && k == 0)) return false;
  uint64_t bits = o->address - (step < 0 ? bytes - o->item : 0);
  for (int d = 1; d < loop->rank; d++) bits |= (uint64_t)o->stride[d] * o->item;
  return bits % bytes == 0;
}

typedef struct finding {
  bool dense, packed;
  int y; /* the axis that transposed inputs run along */
  unsigned transposed;
  size_t tile; /* bytes of an element of all tiles */
} finding;

/* An input with a step of 1 on an axis that is not the fastest. Tiles of all inputs fit the 48 KB of a block. */
static void look_for_tiles(const tsr__cuda_loop *loop, int k, finding *f) {
  const size_t item = loop->operand[k].item;
  if ((f->tile + item) * TILE * (TILE + 1) > MOST_SHARED) return;
  for (int d = 1; d < loop->rank; d++)
    if ((f->transposed >> k & 1) == 0 && loop->operand[k].stride[d] == 1 && loop->length[d] >= LEAST_TILED &&
        loop->length[0] >= LEAST_TILED && (f->y == 0 || f->y == d)) {
      f->y = d;
      f->transposed |= 1u << k;
      f->tile += item;
    }
}

static finding look(const tsr__cuda_loop *loop, int vector) {
  finding f = {.dense = loop->rank == 1, .packed = loop->length[0] % vector == 0};
  for (int k = 0; k < loop->operands; k++) {
    const bool packed = is_packed(loop, k, vector);
    f.dense = f.dense && packed && loop->operand[k].stride[0] == 1;
    f.packed = f.packed && packed && (k > 0 || loop->operand[0].stride[0] == 1);
    if (k > 0 && !packed && size_of_step(loop->operand[k].stride[0]) != 1) look_for_tiles(loop, k, &f);
  }
  if (loop->operand[0].stride[0] != 1) f.transposed = 0;
  return f;
}

static int pack_of(const tsr__cuda_loop *loop) {
  size_t widest = 1;
  for (int k = 0; k < loop->operands; k++)
    if (loop->operand[k].item > widest) widest = loop->operand[k].item;
  const int vector = (int)(PACK_BYTES / widest);
  return vector > MOST_PACKED ? MOST_PACKED : vector;
}

/* ---- arguments: the wide ones, which narrow ones are cut from ---- */

/* n / length is n·magic >> shift for every n below 2^31. */
static void set_axis(tsr__cuda_wide_args *args, int d, uint64_t length) {
  unsigned log = 0;
  while (log < 32 && (uint64_t)1 << log < length) log++;
  args->length[d] = length;
  args->shift[d] = 31 + log;
  args->magic[d] = (uint32_t)(((uint64_t)1 << (31 + log)) / length + 1);
}

static void set_strided(const tsr__cuda_loop *loop, int vector, tsr__cuda_wide_args *args) {
  args->rank = loop->rank;
  args->units = 1;
  for (int d = 0; d < loop->rank; d++) {
    const uint64_t length = (uint64_t)loop->length[d] / (uint64_t)(d == 0 ? vector : 1);
    set_axis(args, d, length);
    args->units *= length;
    for (int k = 0; k < loop->operands; k++) args->stride[k][d] = loop->operand[k].stride[d] * (d == 0 ? vector : 1);
  }
}

static bool is_whole(const tsr__cuda_loop *loop, int k, bool transposed) {
  const tsr__cuda_operand *const o = &loop->operand[k];
  if (!transposed || o->item == 0) return is_packed(loop, k, 4);
  uint64_t bits = o->address;
  for (int d = 0; d < loop->rank; d++)
    if (o->stride[d] != 1) bits |= (uint64_t)o->stride[d] * o->item;
  return bits % (4 * o->item) == 0;
}

/* Rows of a tile that are longer have fewer sectors that belong to two tiles. */
static void choose_tile(const tsr__cuda_loop *loop, const finding *f, tsr__cuda_pattern *p) {
  bool whole = true;
  for (int k = 0; k < loop->operands; k++) whole = whole && is_whole(loop, k, (f->transposed >> k & 1) != 0);
  p->kind = whole ? TSR__CUDA_TILED : TSR__CUDA_ODD_TILES;
  p->tile = !whole && f->tile * 2 * TILE * (TILE + 1) <= MOST_SHARED ? 2 * TILE : TILE;
}

static uint64_t set_tiled(const tsr__cuda_loop *loop, const finding *f, uint64_t tile, tsr__cuda_wide_args *args) {
  args->length_x = (uint64_t)loop->length[0];
  args->length_y = (uint64_t)loop->length[f->y];
  args->tiles_x = (args->length_x + tile - 1) / tile;
  args->tiles_y = (args->length_y + TILE - 1) / TILE;
  args->units = 1;
  for (int k = 0; k < loop->operands; k++) {
    args->stride_x[k] = loop->operand[k].stride[0];
    args->stride_y[k] = loop->operand[k].stride[f->y];
  }
  for (int d = 1; d < loop->rank; d++) {
    if (d == f->y) continue;
    set_axis(args, args->rank, (uint64_t)loop->length[d]);
    for (int k = 0; k < loop->operands; k++) args->stride[k][args->rank] = loop->operand[k].stride[d];
    args->units *= (uint64_t)loop->length[d];
    args->rank++;
  }
  return args->units * args->tiles_x * args->tiles_y;
}

static bool needs_wide(const tsr__cuda_loop *loop, const tsr__cuda_wide_args *args, uint64_t blocks) {
  if (args->units > (uint64_t)most_narrow || blocks > (uint64_t)most_narrow) return true;
  for (int k = 0; k < loop->operands; k++)
    for (int d = 0; d < loop->rank; d++)
      if (size_of_step(loop->operand[k].stride[d]) > most_narrow / MOST_PACKED) return true;
  return false;
}

static void narrow(const tsr__cuda_wide_args *wide, tsr__cuda_narrow_args *args) {
  *args = (tsr__cuda_narrow_args){.flat = wide->flat,
                                  .units = wide->units,
                                  .rank = wide->rank,
                                  .tiles_x = (uint32_t)wide->tiles_x,
                                  .tiles_y = (uint32_t)wide->tiles_y,
                                  .length_x = (uint32_t)wide->length_x,
                                  .length_y = (uint32_t)wide->length_y};
  for (int d = 0; d < TSR__CUDA_RANK; d++) args->length[d] = (uint32_t)wide->length[d];
  memcpy(args->magic, wide->magic, sizeof args->magic);
  memcpy(args->shift, wide->shift, sizeof args->shift);
  memcpy(args->mode, wide->mode, sizeof args->mode);
  for (int k = 0; k < TSR__CUDA_OPERANDS; k++) {
    args->stride_x[k] = (int32_t)wide->stride_x[k];
    args->stride_y[k] = (int32_t)wide->stride_y[k];
    for (int d = 0; d < TSR__CUDA_RANK; d++) args->stride[k][d] = (int32_t)wide->stride[k][d];
  }
}

static uint64_t ceil_div(uint64_t n, uint64_t d) { return n / d + (n % d != 0); }

static void set_flat(const tsr__cuda_loop *loop, tsr__cuda_way *way) {
  way->pattern.kind = TSR__CUDA_CONTIGUOUS;
  way->args.flat = (tsr__cuda_flat_args){.n = (uint64_t)loop->length[0]};
  way->args_bytes = sizeof way->args.flat;
  way->blocks = ceil_div(way->args.flat.n, (uint64_t)FLAT_THREADS * way->pattern.vector);
}

void tsr__cuda_find_way(tsr__cuda_loop *loop, bool wide, tsr__cuda_way *way) {
  simplify(loop);
  int vector = pack_of(loop);
  finding f = look(loop, vector);
  while (!f.packed && !(f.dense && !wide) && f.transposed == 0 && vector > 2) f = look(loop, vector /= 2);
  *way = (tsr__cuda_way){.pattern = {.vector = (uint8_t)vector}, .threads = FLAT_THREADS};
  if (f.dense && !wide) {
    set_flat(loop, way);
    return;
  }
  tsr__cuda_wide_args args = {.flat = {.n = 0}};
  const bool tiled = !f.packed && f.transposed != 0;
  way->pattern.kind = f.packed ? TSR__CUDA_PACKS : tiled ? TSR__CUDA_TILED : TSR__CUDA_ELEMENTS;
  for (int k = 0; k < loop->operands; k++) args.mode[k] = (int32_t)(f.packed || tiled ? loop->operand[k].stride[0] : 1);
  if (tiled) {
    way->pattern.vector = 4;
    way->pattern.transposed = (uint8_t)f.transposed;
    way->threads = TILE_THREADS;
    choose_tile(loop, &f, &way->pattern);
    way->blocks = set_tiled(loop, &f, way->pattern.tile, &args);
  } else {
    way->pattern.vector = (uint8_t)(f.packed ? vector : 1);
    set_strided(loop, way->pattern.vector, &args);
    way->blocks = ceil_div(args.units, (uint64_t)FLAT_THREADS * (f.packed ? 1 : ELEMENTS_A_THREAD));
  }
  way->pattern.wide = wide || needs_wide(loop, &args, way->blocks);
  way->args_bytes = way->pattern.wide ? sizeof way->args.wide : sizeof way->args.narrow;
  if (way->pattern.wide)
    way->args.wide = args;
  else
    narrow(&args, &way->args.narrow);
}

void tsr__cuda_look_up(tsr__cuda_way *way, size_t item, int multiprocessors, tsr__cuda_way *all) {
  enum { THREADS = 256 };
  *all = *way;
  all->pattern.kind = TSR__CUDA_ALL_VALUES;
  all->threads = THREADS;
  all->blocks = TSR__CUDA_VALUES_16 / THREADS;
  way->pattern.kind = TSR__CUDA_LOOKED_UP;
  way->threads = TSR__CUDA_LOOKED_UP_THREADS;
  way->blocks = (uint64_t)multiprocessors;
  way->shared = (unsigned)(TSR__CUDA_VALUES_16 * item);
}
