/* Sorting: rows that a block has room for by a network (kernels/sort_rows.cuh), others by their digits (kernels/radix.cuh). */
#include "cuda/engines/sort.h"

#include "cuda/engines/engines.h"
#include "ops/sort/ops.h"

#include <stdio.h>
#include <string.h>

/* ---- kernels ---- */

enum { WORDS = 256 };

tsr_status tsr__cuda_sort_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_key *key, const char *words,
                                 const char *file, const char *name, unsigned shared, const tsr__cuda_kernel **kernel) {
  *kernel = tsr__cuda_kernel_find(gpu, key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n");
  tsr__cuda_text_add(&text, words);
  char include[96];
  (void)snprintf(include, sizeof include, "#include \"%s\"\n", file);
  tsr__cuda_text_expand(&text, include);
  const tsr__cuda_source source = {.text = text.data, .name = name, .shared = shared};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static tsr__cuda_key key_of(const void *maker, const tsr__cuda_sorting *s, int part, int more) {
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = maker;
  key.part[0] = (uint8_t)s->keys.bytes;
  key.part[1] = s->keys.floats;
  key.part[2] = s->index;
  key.part[3] = (uint8_t)part;
  key.part[4] = (uint8_t)more;
  return key;
}

typedef struct key_args { /* of kernels/keys.cuh */
  uint64_t flip, limit;
} key_args;

/* ---- rows that a block has room for ---- */

enum { EACH = 8, NETWORK_THREADS = 512, NETWORK_MOST = EACH * NETWORK_THREADS, NETWORK_LEAST_THREADS = 128 };

typedef struct sort_args { /* of kernels/sort_rows.cuh */
  uint64_t x, values, index;
  key_args keys;
  uint64_t rows, pivots;
  uint32_t length, threads, narrow;
} sort_args;

/* Whether places go with the keys: where they are wanted, and where one key has elements of several bits. */
static bool is_indexed(const tsr__cuda_sorting *s) { return s->index || s->keys.floats || s->pivots; }

static unsigned item_bytes(const tsr__cuda_sorting *s) {
  if (s->pivots) return 4;
  if (s->keys.bytes == 8) return is_indexed(s) ? 16 : 8;
  return is_indexed(s) && s->keys.bytes == 4 ? 8 : 4;
}

static tsr_status network_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s,
                                 const tsr__cuda_kernel **kernel) {
  static const char maker;
  const tsr__cuda_key key = key_of(&maker, s, is_indexed(s), s->pivots);
  char words[WORDS];
  (void)snprintf(words, sizeof words, "#define BITS %d\n#define FLOATS %d\n#define INDEXED %d\n#define PIVOTS %d\n",
                 8 * s->keys.bytes, (int)s->keys.floats, (int)is_indexed(s), (int)s->pivots);
  return tsr__cuda_sort_kernel(gpu, ctx, &key, words, "cuda/kernels/sort_rows.cuh", "tsr_sort_rows",
                               (NETWORK_MOST + NETWORK_THREADS) * item_bytes(s), kernel);
}

static tsr_status plan_network(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = network_kernel(gpu, ctx, s, &kernel);
  if (st != TSR_OK) return st;
  sort_args args = {.keys = {s->keys.flip, s->keys.limit},
                    .rows = s->rows,
                    .length = (uint32_t)s->length,
                    .threads = 1,
                    .narrow = s->narrow};
  while (args.threads * EACH < args.length) args.threads *= 2;
  const unsigned threads = args.threads > NETWORK_LEAST_THREADS ? args.threads : NETWORK_LEAST_THREADS;
  const uint64_t rows_of_block = threads / args.threads;
  const tsr__cuda_grid grid = {(unsigned)((s->rows + rows_of_block - 1) / rows_of_block), 1, 1};
  tsr__cuda_plan_launch(plan, kernel, grid, threads, threads * (EACH + 1) * item_bytes(s), &args, sizeof args);
  tsr__cuda_plan_address(plan, offsetof(sort_args, x), s->x.ref);
  if (s->values) tsr__cuda_plan_address(plan, offsetof(sort_args, values), s->values_to);
  if (s->index) tsr__cuda_plan_address(plan, offsetof(sort_args, index), s->index_to);
  if (s->pivots) tsr__cuda_plan_address(plan, offsetof(sort_args, pivots), s->pivot);
  return TSR_OK;
}

/* ---- others ---- */

enum { DIGITS = 256, COUNTERS = 256, RADIX_THREADS = 512, RADIX_WARPS = RADIX_THREADS / 32, COUNTED = 16384 };

typedef struct radix_args { /* of kernels/radix.cuh */
  uint64_t from, to, index_from, index_to, starts, states, ticket, pivots;
  key_args keys;
  uint64_t length, rows;
  uint32_t tiles, pass, passes, index_bytes;
} radix_args;

typedef struct radix {
  const tsr__cuda_sorting *s;
  bool wide;
  int items, passes;
  uint64_t tiles;                  /* of a row */
  size_t starts, states, tickets;  /* in the scratch memory */
  size_t count_bytes, pass_states; /* bytes of a count, and of a pass's states */
} radix;

int tsr__cuda_sort_index(uint64_t length) { return length >> 30 != 0 ? TSR_U64 : TSR_U32; }

static int items_of(const tsr__cuda_sorting *s) { return s->keys.bytes == 8 ? 8 : 16; }

static unsigned radix_shared(const radix *r) {
  const unsigned key = (unsigned)r->s->keys.bytes, index = r->s->index ? (unsigned)r->count_bytes : 0;
  const unsigned each = key > index ? key : index, stage = each * (unsigned)r->items * RADIX_THREADS;
  return (stage + 15) / 16 * 16 + RADIX_WARPS * DIGITS * 4 + DIGITS * (unsigned)r->count_bytes + 64;
}

static tsr_status radix_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const radix *r, int part,
                               const tsr__cuda_kernel **kernel) {
  static const char *const names[] = {"tsr_radix_count", "tsr_radix_sum", "tsr_radix_pass"};
  static const char maker;
  const tsr__cuda_sorting *const s = r->s;
  tsr__cuda_sorting plain = *s; /* what part does not depend on */
  if (part < 2) plain.index = false;
  if (part == 1) plain.keys = (tsr__keys){.bytes = 1};
  const tsr__cuda_key key = key_of(&maker, &plain, part, (int)r->wide | (part != 1 && s->pivots) << 1);
  char words[WORDS];
  (void)snprintf(words, sizeof words,
                 "#define BITS %d\n#define FLOATS %d\n#define INDEXED %d\n#define PART %d\n#define WIDE %d\n"
                 "#define PIVOTS %d\n#define ITEMS %d\n",
                 8 * plain.keys.bytes, (int)plain.keys.floats, (int)plain.index, part, (int)r->wide,
                 (int)(part != 1 && s->pivots), part == 2 ? r->items : 1);
  return tsr__cuda_sort_kernel(gpu, ctx, &key, words, "cuda/kernels/radix.cuh", names[part],
                               part == 2 ? radix_shared(r) : 0, kernel);
}

/* Memory for counts, states and tickets, of 0. */
static void plan_states(radix *r, tsr__cuda_plan *plan) {
  const size_t rows = (size_t)r->s->rows, passes = (size_t)r->passes, count = r->count_bytes;
  const size_t starts = rows * passes * DIGITS * count;
  r->pass_states = r->tiles > 1 ? rows * (size_t)r->tiles * DIGITS * count : 0;
  const size_t all = starts + passes * r->pass_states + passes * sizeof(uint32_t);
  r->starts = tsr__cuda_plan_scratch(plan, all);
  r->states = r->starts + starts;
  r->tickets = r->states + passes * r->pass_states;
  tsr__cuda_plan_set(plan, tsr__cuda_scratch(r->starts), 0, all);
}

static radix_args args_of(const radix *r) {
  const tsr__cuda_sorting *const s = r->s;
  return (radix_args){.keys = {s->keys.flip, s->keys.limit},
                      .length = s->length,
                      .rows = s->rows,
                      .tiles = (uint32_t)r->tiles,
                      .passes = (uint32_t)r->passes};
}

static tsr_status plan_counts(tsr__cuda *gpu, tsr_ctx *ctx, const radix *r, tsr__cuda_plan *plan) {
  const tsr__cuda_sorting *const s = r->s;
  const uint64_t most = 8u * (uint64_t)tsr__cuda_traits_of(gpu)->multiprocessors;
  const tsr__cuda_kernel *count, *sum;
  tsr_status st = radix_kernel(gpu, ctx, r, 0, &count);
  if (st == TSR_OK) st = radix_kernel(gpu, ctx, r, 1, &sum);
  if (st != TSR_OK) return st;
  radix_args args = args_of(r);
  uint64_t blocks = (s->length + COUNTED - 1) / COUNTED;
  const uint64_t enough = (most + s->rows - 1) / s->rows;
  if (blocks > enough) blocks = enough;
  if (r->wide && blocks < s->length >> 31) blocks = s->length >> 31; /* a block counts by 32 bits */
  args.tiles = (uint32_t)blocks;
  tsr__cuda_plan_launch(plan, count, (tsr__cuda_grid){(unsigned)(blocks * s->rows), 1, 1}, COUNTERS, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(radix_args, from), s->x.ref);
  tsr__cuda_plan_address(plan, offsetof(radix_args, starts), tsr__cuda_scratch(r->starts));
  if (s->pivots) tsr__cuda_plan_address(plan, offsetof(radix_args, pivots), s->pivot);
  tsr__cuda_plan_launch(plan, sum, (tsr__cuda_grid){(unsigned)(s->rows * (uint64_t)r->passes), 1, 1}, DIGITS, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(radix_args, starts), tsr__cuda_scratch(r->starts));
  return TSR_OK;
}

/* Where passes put what they bring: the last one where it is wanted, those before there and to another place by turns. */
typedef struct buffers {
  tsr__cuda_ref last, other;
} buffers;
static tsr__cuda_ref buffer_of(const buffers *t, int pass, int passes) {
  return (passes - 1 - pass) % 2 == 0 ? t->last : t->other;
}

static void plan_pass(const radix *r, const tsr__cuda_kernel *kernel, int pass, const buffers *keys,
                      const buffers *index, tsr__cuda_plan *plan) {
  const tsr__cuda_sorting *const s = r->s;
  const bool last = pass == r->passes - 1;
  radix_args args = args_of(r);
  args.pass = (uint32_t)pass;
  args.index_bytes = last && !s->narrow ? 8 : (uint32_t)r->count_bytes;
  const tsr__cuda_grid grid = {(unsigned)(r->tiles * s->rows), 1, 1};
  tsr__cuda_plan_launch(plan, kernel, grid, RADIX_THREADS, radix_shared(r), &args, sizeof args);
  tsr__cuda_plan_address(plan, offsetof(radix_args, from), pass == 0 ? s->x.ref : buffer_of(keys, pass - 1, r->passes));
  if (!last || s->values) tsr__cuda_plan_address(plan, offsetof(radix_args, to), buffer_of(keys, pass, r->passes));
  tsr__cuda_plan_address(plan, offsetof(radix_args, starts), tsr__cuda_scratch(r->starts));
  tsr__cuda_plan_address(plan, offsetof(radix_args, states),
                         tsr__cuda_scratch(r->states + (size_t)pass * r->pass_states));
  tsr__cuda_plan_address(plan, offsetof(radix_args, ticket),
                         tsr__cuda_scratch(r->tickets + (size_t)pass * sizeof(uint32_t)));
  if (s->pivots) tsr__cuda_plan_address(plan, offsetof(radix_args, pivots), s->pivot);
  if (!s->index) return;
  tsr__cuda_plan_address(plan, offsetof(radix_args, index_to), last ? s->index_to : buffer_of(index, pass, r->passes));
  if (pass > 0) tsr__cuda_plan_address(plan, offsetof(radix_args, index_from), buffer_of(index, pass - 1, r->passes));
}

static tsr__cuda_ref room(tsr__cuda_plan *plan, uint64_t elements, size_t bytes) {
  return tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, (size_t)elements * bytes));
}

/* Passes that go to the output and back need one more place; where there is an odd number of them, the first one would write what is
 * still read if the output lay over x. */
static tsr_status plan_radix(tsr__cuda *gpu, tsr_ctx *ctx, radix *r, tsr__cuda_plan *plan) {
  const tsr__cuda_sorting *const s = r->s;
  const uint64_t all = s->rows * s->length;
  const tsr__cuda_kernel *kernel;
  r->wide = s->length >> 30 != 0;
  r->count_bytes = r->wide ? 8 : 4;
  r->items = items_of(s);
  const uint64_t tile = (uint64_t)r->items * RADIX_THREADS;
  r->tiles = (s->length + tile - 1) / tile;
  tsr_status st = radix_kernel(gpu, ctx, r, 2, &kernel);
  plan_states(r, plan);
  if (st == TSR_OK) st = plan_counts(gpu, ctx, r, plan);
  if (st != TSR_OK) return st;
  const size_t bytes = (size_t)s->keys.bytes;
  const bool direct = s->values && r->passes % 2 == 0;
  buffers keys = {s->values_to, {0}}, index = {{0}, {0}};
  if (!direct && (s->values || r->passes > 2)) keys.last = room(plan, all, bytes);
  if (r->passes > 1) keys.other = room(plan, all, bytes);
  if (s->index && r->passes > 1) index.other = room(plan, all, r->count_bytes);
  if (s->index && r->passes > 2) index.last = room(plan, all, r->count_bytes);
  for (int pass = 0; pass < r->passes; pass++) plan_pass(r, kernel, pass, &keys, &index, plan);
  if (s->values && !direct) tsr__cuda_plan_copy(plan, s->values_to, keys.last, (size_t)all * bytes);
  return TSR_OK;
}

tsr_status tsr__cuda_plan_sort(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s, tsr__cuda_plan *plan) {
  radix r = {.s = s, .passes = s->pivots ? 1 : s->passes > 0 ? s->passes : s->keys.bytes};
  if (s->rows == 0 || s->length == 0) return TSR_OK;
  return s->length <= NETWORK_MOST ? plan_network(gpu, ctx, s, plan) : plan_radix(gpu, ctx, &r, plan);
}

/* ---- rows of a tensor ---- */

tsr__cuda_rows tsr__cuda_rows_of(const tsr__cuda_view *v, uint32_t axes) {
  tsr__cuda_rows rows = {*v, 1, 1};
  const tsr_tensor *const t = &v->tensor;
  int to = 0;
  for (int last = 0; last < 2; last++)
    for (int d = 0; d < t->ndim; d++) {
      if ((int)(axes >> d & 1u) != last) continue;
      rows.view.tensor.shape[to] = t->shape[d];
      rows.view.tensor.stride[to++] = t->stride[d];
      *(last == 1 ? &rows.length : &rows.rows) *= (uint64_t)t->shape[d];
    }
  return rows;
}

static tsr_status copy_rows(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_rows *rows, tsr__cuda_plan *plan) {
  const tsr_tensor *const t = &rows->view.tensor;
  const tsr__cuda_view copy = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
  const tsr_status st = tsr__cuda_plan_cast(gpu, ctx, &rows->view, &copy, plan);
  rows->view = copy;
  return st;
}

/* Whether an output lies over t, and not just as it does where that may be. */
static bool is_in_the_way(const tsr_work *work, const tsr_tensor *t, bool in_place) {
  for (int i = 0; i < work->outputs; i++) {
    const tsr_tensor *const out = work->out[i];
    if (out == NULL || out->data == NULL || t->data == NULL || !tsr__overlap(t, out)) continue;
    if (!in_place || !tsr__same_view(t, out)) return true;
  }
  return false;
}

tsr_status tsr__cuda_rows_in(tsr__cuda *gpu, const tsr_work *work, uint32_t axes, bool in_place, tsr__cuda_rows *rows,
                             tsr__cuda_plan *plan) {
  const tsr__cuda_view x = tsr__cuda_input(work, 0);
  *rows = tsr__cuda_rows_of(&x, axes);
  if (tsr_is_contiguous(&rows->view.tensor, TSR_ROW_MAJOR) && !is_in_the_way(work, &x.tensor, in_place)) return TSR_OK;
  return copy_rows(gpu, work->ctx, rows, plan);
}

tsr__cuda_sorting tsr__cuda_sorting_of(const tsr__cuda_rows *rows, bool descending) {
  return (tsr__cuda_sorting){.keys = tsr__keys_of_dtype(rows->view.tensor.dtype, descending),
                             .rows = rows->rows,
                             .length = rows->length,
                             .x = rows->view};
}

tsr__cuda_rows tsr__cuda_rows_out(const tsr_work *work, int output, uint32_t axes, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, output);
  tsr__cuda_rows rows = tsr__cuda_rows_of(&out, axes);
  const tsr_tensor *const t = &rows.view.tensor;
  if (!tsr_is_contiguous(t, TSR_ROW_MAJOR)) rows.view = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
  return rows;
}

tsr_status tsr__cuda_rows_end(tsr__cuda *gpu, const tsr_work *work, int output, uint32_t axes,
                              const tsr__cuda_rows *rows, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, output);
  const tsr__cuda_rows to = tsr__cuda_rows_of(&out, axes);
  if (rows->view.ref.place == TSR__CUDA_OUT) return TSR_OK;
  return tsr__cuda_plan_cast(gpu, work->ctx, &rows->view, &to.view, plan);
}

/* ---- the ops ---- */

static tsr_status plan_sorted(tsr__cuda *gpu, const tsr_work *work, bool index, tsr__cuda_plan *plan) {
  const tsr__sort_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  const uint32_t axes = 1u << tsr__cuda_axis(attrs->axis, x->ndim);
  tsr__cuda_rows in;
  if (tsr_size(x) == 0) return TSR_OK;
  tsr_status st = tsr__cuda_rows_in(gpu, work, axes, !index, &in, plan);
  if (st != TSR_OK) return st;
  const tsr__cuda_rows out = tsr__cuda_rows_out(work, 0, axes, plan);
  tsr__cuda_sorting s = tsr__cuda_sorting_of(&in, attrs->descending);
  s.values = !index;
  s.index = index;
  s.values_to = s.index_to = out.view.ref;
  st = tsr__cuda_plan_sort(gpu, work->ctx, &s, plan);
  return st == TSR_OK ? tsr__cuda_rows_end(gpu, work, 0, axes, &out, plan) : st;
}

tsr_status tsr__cuda_sort(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_sorted(gpu, work, false, plan);
}
tsr_status tsr__cuda_argsort(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_sorted(gpu, work, true, plan);
}
