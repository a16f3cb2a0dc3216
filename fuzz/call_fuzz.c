/* Calls by name, one after another, with whatever tensors and attributes the bytes spell: any dtype, wild strides, no
 * elements, broadcast, overlapping, read-only, described, NULL; numbers at the ends of their ranges, NaN, lists that
 * are too long, values of another kind, names that there are not; outputs empty, given, in place, over an input.
 * Memory runs out at any block. A call that fails leaves every byte and every struct as they were; one that does not
 * writes to the elements of its outputs alone, what it gives can be read, and an output that overlaps an input holds
 * what it holds beside it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "promise.h"

#include <tessera/tessera.h>

enum { ARENA = 4096, SLOTS = 6, RESULTS = 8, STEPS = 6, MOST = 1 << 12, CAP = 1 << 22, LIST = 300, ATTRS = 12 };

/* ---- bytes ---- */

static const uint8_t *at, *end;

static unsigned byte(void) { return at < end ? *at++ : 0; }
static unsigned below(unsigned n) { return byte() % n; }

/* ---- memory that runs out ---- */

typedef struct limited {
  size_t in_use;
  int left; /* blocks until one is refused; negative: none is */
} limited;

static limited memory;

static void *limited_alloc(void *self, size_t bytes, size_t align, int hint) {
  limited *const m = self;
  (void)hint;
  if (bytes > CAP - m->in_use || m->left == 0) return NULL;
  m->left--;
  void *const block = aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
  if (block != NULL) m->in_use += bytes;
  return block;
}

static void limited_free(void *self, void *block, size_t bytes) {
  limited *const m = self;
  m->in_use -= bytes;
  free(block);
}

static const tsr_allocator allocator = {sizeof(tsr_allocator), limited_alloc, limited_free, &memory};

/* ---- tensors ---- */

static unsigned char *arena, *beside; /* where slots lie; a copy, for calls whose inputs are elsewhere */
static tsr_tensor slots[SLOTS], results[RESULTS];
static tsr_tensor kept[STEPS * 4]; /* what calls allocated for slots that were described */
static int made, keeping;          /* how many of results and of kept hold something */
static tsr_rng rng;

/* Small whole numbers of f32, then such of i64, which are also indices of i32. */
static void fill_arena(void) {
  for (int i = 0; i < ARENA / 8; i++) ((float *)(void *)arena)[i] = (float)(i * 5 % 8 - 3);
  for (int i = ARENA / 16; i < ARENA / 8; i++) ((int64_t *)(void *)arena)[i] = i * 3 % 4;
}

static tsr_index odd_number(void) {
  static const tsr_index numbers[] = {INT64_MAX,
                                      INT64_MIN,
                                      INT64_MIN + 1,
                                      INT64_MAX - 1,
                                      (tsr_index)1 << 62,
                                      0x5555555555555555,
                                      INT32_MAX,
                                      INT32_MIN,
                                      (tsr_index)1 << 32,
                                      (tsr_index)1 << 40,
                                      -1,
                                      -2,
                                      0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      5,
                                      7,
                                      8,
                                      16,
                                      100,
                                      1000,
                                      65536};
  return numbers[below(sizeof numbers / sizeof numbers[0])];
}

static tsr_index length(void) {
  static const tsr_index lengths[] = {1, 2, 3, 4, 2, 3, 4, 0, 1, 5, 6, 8};
  const unsigned which = byte();
  if (which >= 252) return odd_number();
  return lengths[which % (sizeof lengths / sizeof lengths[0])];
}

static void dense_strides(tsr_tensor *t, bool fortran) {
  tsr_index step = 1;
  for (int k = 0; k < t->ndim; k++) {
    const int i = fortran ? k : t->ndim - 1 - k;
    t->stride[i] = step;
    if (t->shape[i] > 0 && __builtin_mul_overflow(step, t->shape[i], &step)) step = 1;
  }
}

static void strides(tsr_tensor *t) {
  const unsigned way = below(8);
  dense_strides(t, way == 1);
  for (int i = 0; i < t->ndim; i++) {
    if (way == 2 && below(2) == 0) t->stride[i] = 0;
    if (way == 3 && below(2) == 0) t->stride[i] = (tsr_index)(0 - (uint64_t)t->stride[i]);
    if (way == 4) t->stride[i] = (tsr_index)below(8) - 3;
    if (way == 5 || (way == 6 && t->shape[i] <= 1)) t->stride[i] = odd_number();
  }
}

/* The bytes before and after the data that the elements lie in; false: more than there are. *size: the elements. */
static bool reach(const tsr_tensor *t, __int128 *low, __int128 *high, tsr_index *size) {
  const size_t item = tsr_dtype_size(t->dtype);
  __int128 count = 1;
  *low = 0;
  *high = (__int128)item;
  for (int i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) count = 0;
    if (t->shape[i] < 0 || t->shape[i] > MOST || count > MOST) return false;
    count *= t->shape[i];
    const __int128 last = (__int128)(t->shape[i] - 1) * t->stride[i] * (__int128)item;
    if (last < 0)
      *low += last;
    else
      *high += last;
  }
  *size = (tsr_index)count;
  return item > 0 && count <= MOST && (count == 0 || (*high - *low <= ARENA));
}

/* Data in the arena for all elements, at an offset that the bytes say; none where they do not fit. */
static void place(tsr_tensor *t) {
  __int128 low, high;
  tsr_index size;
  t->data = NULL;
  if (t->ndim > TSR_MAX_DIMS || !reach(t, &low, &high, &size)) return;
  if (size == 0) {
    if (below(2) == 0) t->data = arena + byte();
    return;
  }
  const size_t item = tsr_dtype_size(t->dtype), room = (size_t)(ARENA - (high - low));
  size_t offset = (byte() * 16 + (below(8) == 0 ? byte() : 0)) % (room + 1);
  if (below(16) != 0) offset -= offset % item;
  if ((t->dtype == TSR_I64 || t->dtype == TSR_I32) && below(4) != 0)
    offset = ARENA / 2 > room ? room - room % item : ARENA / 2;
  if (below(16) != 0) t->data = arena + offset + (ptrdiff_t)-low;
}

/* Shapes that ops go together with. */
static void usual_shape(tsr_tensor *t) {
  static const uint8_t shapes[][6] = {{2, 3, 4},          {2, 4, 4},          {1, 4},          {1, 3},       {2, 3, 4},
                                      {4, 1, 2, 4, 4},    {4, 2, 2, 3, 2},    {3, 1, 2, 6},    {3, 2, 2, 3}, {2, 3, 4},
                                      {5, 1, 1, 3, 3, 3}, {5, 1, 1, 2, 2, 2}, {4, 1, 8, 2, 2}, {1, 2},       {0},
                                      {2, 3, 1},          {2, 1, 4},          {2, 3, 2},       {2, 0, 4},    {2, 3, 0}};
  const uint8_t *const shape = shapes[below(sizeof shapes / sizeof shapes[0])];
  t->ndim = shape[0];
  for (int i = 0; i < TSR_MAX_DIMS; i++) t->shape[i] = i < t->ndim ? shape[1 + i] : 1;
}

static void any_shape(tsr_tensor *t, unsigned rank) {
  t->ndim = (uint8_t)(rank < 230 ? rank % 6 : rank < 250 ? rank % 10 : rank);
  for (int i = 0; i < TSR_MAX_DIMS; i++) t->shape[i] = i < t->ndim ? length() : 1;
}

static void make_slot(void) {
  static const uint8_t usual[] = {TSR_F32,  TSR_F32, TSR_F32, TSR_I64, TSR_I32,
                                  TSR_BOOL, TSR_F64, TSR_F16, TSR_U8,  TSR_C64};
  tsr_tensor *const t = &slots[below(SLOTS)];
  const unsigned kind = byte(), rank = byte();
  *t = (tsr_tensor){.dtype = (uint8_t)(kind < 240 ? usual[kind % sizeof usual] : below(TSR_DTYPE_COUNT + 3))};
  if (rank < 128)
    usual_shape(t);
  else
    any_shape(t, rank);
  if (t->ndim <= TSR_MAX_DIMS) strides(t);
  const unsigned more = byte();
  if (more >= 224) t->flags = TSR_READONLY;
  if (more % 16 == 1) t->layout = (uint8_t)below(TSR_LAYOUT_COUNT + 1);
  place(t);
}

/* ---- attributes ---- */

static tsr_index ints[ATTRS][LIST];
static tsr_real reals[ATTRS][LIST];
static char texts[ATTRS][24];

static tsr_index number(void) {
  const unsigned which = byte();
  return which < 160 ? (tsr_index)(which % 6) : which < 200 ? -(tsr_index)(which % 4) : odd_number();
}

static tsr_real real_number(void) {
  static const tsr_real numbers[] = {0,    1,    2,      3,      -1,           -0.0,     0.5,       0.25,
                                     1e-5, 1e30, -1e300, 9.3e18, 2147483648.0, INFINITY, -INFINITY, NAN};
  return numbers[below(sizeof numbers / sizeof numbers[0])];
}

static const char *text_for(const tsr_op_param *param, int i) {
  static const char *const equations[] = {"ij,jk->ik", "ij->ji",      "ii",  "...i->...", "i,i",
                                          "ij,ij->",   "abc,cd->abd", "i->", "ij,kj->ik"};
  const unsigned which = byte();
  const char *word = NULL;
  if (param->type == TSR_OP_WORD) word = tsr_op_word(param, (int)(which % 16));
  if (param->type == TSR_OP_DTYPE && which % TSR_DTYPE_COUNT > 0) word = tsr_dtype_name((int)(which % TSR_DTYPE_COUNT));
  if (param->type == TSR_OP_LAYOUT) word = tsr_layout_name((int)(which % TSR_LAYOUT_COUNT));
  if (param->type == TSR_OP_TEXT && which < 250) word = equations[which % (sizeof equations / sizeof equations[0])];
  if (word != NULL) return word;
  if (which == 255) return NULL;
  for (unsigned k = 0; k + 1 < sizeof texts[i]; k++) texts[i][k] = (char)byte();
  return texts[i];
}

static int list_count(const tsr_op_param *param, const tsr_tensor *first) {
  const unsigned which = byte();
  if (which >= 250) return (int)below(LIST);
  if (which >= 240) return -1;
  if (param->most == TSR_OP_RANK && first != NULL) return first->ndim <= TSR_MAX_DIMS ? first->ndim : 2;
  if (param->most == param->least) return param->most;
  return 1 + (int)(which % 3);
}

/* Structs of packed weights: whole ones, with a number that is none, and those of another kind. */
static tsr_packed packed;
static tsr_conv_packed conv_packed;
static tsr_qlayer conv_layer, dense_layer;

static void pack_all(void) {
  static float weights[64];
  static int8_t numbers[64];
  static bool done;
  for (int i = 0; i < 64; i++) weights[i] = (float)(numbers[i] = (int8_t)(i % 7 - 3));
  const tsr_index matrix[2] = {4, 4}, filters[4] = {2, 2, 2, 2}, image[4] = {1, 2, 4, 4};
  const tsr_quant q = {.dtype = TSR_I8, .scale = 0.5f};
  const tsr_qscheme scheme = {.x = q, .w = q, .out = q};
  tsr_tensor w = {0}, like = {0};
  if (done) return;
  done = tsr_from_memory(NULL, weights, TSR_F32, 2, matrix, &w) == TSR_OK &&
         tsr_pack(NULL, &w, TSR_NONE, &packed) == TSR_OK &&
         tsr_from_memory(NULL, weights, TSR_F32, 4, filters, &w) == TSR_OK &&
         tsr_desc_init(NULL, TSR_F32, 4, image, &like) == TSR_OK &&
         tsr_conv_pack(NULL, &w, NULL, NULL, &like, &conv_packed) == TSR_OK &&
         tsr_from_memory(NULL, numbers, TSR_I8, 4, filters, &w) == TSR_OK &&
         tsr_qconv_pack(NULL, &w, NULL, NULL, &scheme, &conv_layer) == TSR_OK &&
         tsr_from_memory(NULL, numbers, TSR_I8, 2, matrix, &w) == TSR_OK &&
         tsr_qdense_pack(NULL, &w, NULL, &scheme, &dense_layer) == TSR_OK;
}

static tsr_attr object_of(const tsr_op_param *param, const char *name) {
  static tsr_packed bad_packed;
  static tsr_conv_packed bad_conv;
  static tsr_qlayer bad_layer;
  const unsigned how = byte();
  const int kind = how >= 240 ? (int)below(4) : param->takes;
  pack_all();
  bad_packed = packed;
  bad_conv = conv_packed;
  bad_layer = how % 2 == 0 ? conv_layer : dense_layer;
  if (how >= 224) { /* numbers that a file could hold */
    bad_packed.rows = (tsr_index)byte() - 4;
    bad_packed.kernel = bad_conv.kernel = bad_layer.kernel = (uint8_t)byte();
    bad_conv.filter[below(4)] = (tsr_index)byte() - 4;
    bad_layer.x_zero = (int32_t)byte() * 16;
  }
  if (how >= 252) return tsr_attr_packed(name, NULL);
  if (kind == TSR_OBJECT_PACKED) return tsr_attr_packed(name, &bad_packed);
  if (kind == TSR_OBJECT_CONV_PACKED) return tsr_attr_conv_packed(name, &bad_conv);
  return tsr_attr_qlayer(name, &bad_layer);
}

static tsr_attr value_of(const tsr_op_param *param, int type, int i, const tsr_tensor *first) {
  const char *const name = param->name;
  const int count = type == TSR_OP_INTS || type == TSR_OP_AXES || type == TSR_OP_REALS ? list_count(param, first) : 0;
  for (int k = 0; k < count; k++) {
    ints[i][k] = k < 8 ? number() : 1;
    reals[i][k] = k < 8 ? real_number() : 1;
  }
  switch (type) {
    case TSR_OP_BOOL: return tsr_attr_bool(name, below(2) == 0);
    case TSR_OP_REAL: return tsr_attr_real(name, real_number());
    case TSR_OP_WORD:
    case TSR_OP_DTYPE:
    case TSR_OP_LAYOUT: return below(4) == 0 ? tsr_attr_int(name, number()) : tsr_attr_text(name, text_for(param, i));
    case TSR_OP_TEXT: return tsr_attr_text(name, text_for(param, i));
    case TSR_OP_INTS:
    case TSR_OP_AXES: return tsr_attr_ints(name, count, count < 0 || below(32) == 0 ? NULL : ints[i]);
    case TSR_OP_REALS: return tsr_attr_reals(name, count, count < 0 || below(32) == 0 ? NULL : reals[i]);
    case TSR_OP_RNG: return tsr_attr_rng(name, below(32) == 0 ? NULL : &rng);
    case TSR_OP_OBJECT: return object_of(param, name);
    default: return tsr_attr_int(name, number());
  }
}

/* NULL with a count is a mistake that can be seen; a list that is shorter than its count is not. */
static int make_attributes(const tsr_op *op, const tsr_tensor *first, tsr_attr *attrs) {
  const tsr_op_param *param;
  int count = 0;
  for (int i = 0; (param = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, i)) != NULL && count < ATTRS - 1; i++) {
    const unsigned how = byte();
    if ((param->flags & TSR_OP_OPTIONAL) != 0 && how % 3 != 0) continue;
    attrs[count] = value_of(param, how >= 248 ? (int)below(15) : param->type, count, first);
    count++;
  }
  if (byte() >= 252) attrs[count] = tsr_attr_int(below(2) == 0 ? "unknown" : NULL, 1), count++;
  return count;
}

/* ---- one call ---- */

typedef struct request {
  const tsr_op *op;
  int inputs, attributes, outputs;
  const tsr_tensor *in[8];
  tsr_attr attrs[ATTRS];
  tsr_tensor *out[4];
  tsr_tensor fresh[4];
} request;

static const tsr_tensor *any_tensor(void) {
  const unsigned which = byte();
  if (which >= 250) return NULL;
  return which % 4 == 0 && made > 0 ? &results[which % (unsigned)made] : &slots[which % SLOTS];
}

static int count_of(const tsr_op *op, int role, int most) {
  int n = 0;
  const tsr_op_param *param;
  while (n < most && (param = tsr_op_param_at(op, role, n)) != NULL) {
    n++;
    if (param->type == TSR_OP_TENSORS) n += (int)below(3);
  }
  if (byte() >= 252) n += (int)below(3) - 1;
  return n < 0 ? 0 : n > most ? most : n;
}

static void make_request(request *r) {
  memset(r, 0, sizeof *r);
  r->op = tsr_op_at((int)((byte() << 8 | byte()) % (unsigned)tsr_op_count()));
  r->inputs = count_of(r->op, TSR_OP_INPUT, 8);
  for (int i = 0; i < r->inputs; i++) r->in[i] = any_tensor();
  r->attributes = make_attributes(r->op, r->inputs > 0 ? r->in[0] : NULL, r->attrs);
  r->outputs = count_of(r->op, TSR_OP_OUTPUT, 4);
  for (int i = 0; i < r->outputs; i++) {
    const unsigned how = byte();
    r->out[i] = how == 255 ? NULL : how % 2 == 0 ? &r->fresh[i] : &slots[how / 2 % SLOTS];
  }
}

/* Says what is called, to see what an input does: FUZZ_TRACE in the environment. */
static void trace(const request *r) {
  char text[160];
  if (getenv("FUZZ_TRACE") == NULL) return;
  fprintf(stderr, "%s\n", r->op->name);
  for (int i = 0; i < r->inputs; i++) {
    if (r->in[i] == NULL || r->in[i]->ndim > TSR_MAX_DIMS) continue;
    (void)tsr_desc_format(r->in[i], text, sizeof text);
    fprintf(stderr, "  in %s at %td\n", text, (unsigned char *)r->in[i]->data - arena);
  }
  for (int i = 0; i < r->outputs; i++) {
    if (r->out[i] == NULL || r->out[i]->ndim > TSR_MAX_DIMS) continue;
    (void)tsr_desc_format(r->out[i], text, sizeof text);
    fprintf(stderr, "  out %s at %td\n", text, (unsigned char *)r->out[i]->data - arena);
  }
  for (int i = 0; i < r->attributes; i++) {
    const tsr_attr *const a = &r->attrs[i];
    fprintf(stderr, "  %s type %d count %d integer %lld real %g", a->name, a->type, a->count,
            (long long)a->value.integer, a->value.real);
    for (int k = 0; k < a->count && k < 8 && a->type == TSR_OP_INTS; k++)
      fprintf(stderr, " %lld", (long long)(a->value.ints != NULL ? a->value.ints[k] : 0));
    fputc('\n', stderr);
  }
}

static tsr_status run(tsr_ctx *ctx, const request *r) {
  trace(r);
  return tsr_op_call(ctx, r->op, r->inputs, r->in, r->attributes, r->attrs, r->outputs, r->out);
}

/* ---- what a call may not do ---- */

static bool in_arena(const tsr_tensor *t) {
  return (unsigned char *)t->data >= arena && (unsigned char *)t->data < arena + ARENA;
}

/* Marks the bytes of every element. */
static void mark(const tsr_tensor *t, unsigned char *marked) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  const size_t item = tsr_dtype_size(t->dtype);
  __int128 low, high;
  tsr_index size;
  if (!in_arena(t) || !reach(t, &low, &high, &size) || size == 0) return;
  for (;;) {
    ptrdiff_t offset = (unsigned char *)t->data - arena;
    for (int i = 0; i < t->ndim; i++)
      if (index[i] > 0) offset += (ptrdiff_t)(index[i] * t->stride[i]) * (ptrdiff_t)item;
    memset(marked + offset, 1, item);
    int axis = t->ndim - 1;
    while (axis >= 0 && ++index[axis] == t->shape[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

static void check_writes(const unsigned char *before, const tsr_tensor *outputs, int count) {
  unsigned char marked[ARENA] = {0};
  for (int i = 0; i < count; i++) mark(&outputs[i], marked);
  for (int i = 0; i < ARENA; i++) must(marked[i] || arena[i] == before[i]);
}

/* One that was empty is empty again, whatever its other fields held: they mean nothing there. */
static bool is_as_before(const tsr_tensor *t, const tsr_tensor *before) {
  if (memcmp(t, before, sizeof *t) == 0) return true;
  return tsr_is_none(before) && tsr_is_none(t) && t->data == NULL && t->storage == NULL && t->flags == 0;
}

static void check_failure(tsr_ctx *ctx, const request *r, const request *asked, const tsr_tensor *structs,
                          const unsigned char *before) {
  must(tsr_error(ctx)[0] != 0);
  must(memcmp(before, arena, ARENA) == 0);
  for (int i = 0; i < SLOTS; i++) must(is_as_before(&slots[i], &structs[i]));
  must(memcmp(r->fresh, asked->fresh, sizeof r->fresh) == 0);
}

/* ---- an output over an input ---- */

static bool same_numbers(const tsr_tensor *a, const tsr_tensor *b) {
  bool same = false;
  const int kind = tsr_dtype_describe(a->dtype)->class_;
  if (kind == TSR_CLASS_FLOAT || kind == TSR_CLASS_COMPLEX)
    return tsr_allclose(NULL, a, b, (tsr_real)1e-2, (tsr_real)1e-2, true, &same) != TSR_OK || same;
  return tsr_equal(NULL, a, b, &same) != TSR_OK || same;
}

/* The same call with its inputs elsewhere gives the same. The outputs are those that it was given, in the arena. */
static void check_overlap(tsr_ctx *ctx, request *r, const tsr_tensor *structs, const unsigned char *before,
                          tsr_rng then) {
  static unsigned char after[ARENA];
  tsr_tensor inputs[8], given[4], seen[4];
  memcpy(after, arena, ARENA);
  memcpy(arena, before, ARENA);
  memcpy(beside, before, ARENA);
  rng = then;
  for (int i = 0; i < r->inputs; i++) {
    if (r->in[i] == NULL) continue;
    const bool slot = r->in[i] >= slots && r->in[i] < slots + SLOTS;
    inputs[i] = slot ? structs[r->in[i] - slots] : *r->in[i];
    if (in_arena(&inputs[i])) inputs[i].data = beside + ((unsigned char *)inputs[i].data - arena);
    r->in[i] = &inputs[i];
  }
  for (int k = 0; k < r->outputs; k++) {
    given[k] = structs[r->out[k] - slots];
    seen[k] = *r->out[k];
    r->out[k] = &given[k];
  }
  memory.left = -1;
  const tsr_status again = run(ctx, r);
  must(again == TSR_OK || again == TSR_ESTATE); /* an output that must be the input itself, or empty */
  for (int k = 0; k < r->outputs && again == TSR_OK; k++) {
    if (!in_arena(&seen[k]) || !in_arena(&given[k])) continue;
    tsr_tensor first = seen[k];
    memcpy(beside, after, ARENA);
    first.data = beside + ((unsigned char *)first.data - arena);
    must(same_numbers(&first, &given[k]));
  }
  memcpy(arena, after, ARENA);
}

/* Whether every output was given with its memory, apart from the others, so that the call can be made again. */
static bool can_repeat(const request *r, const tsr_tensor *structs) {
  for (int k = 0; k < r->outputs; k++) {
    if (r->out[k] == NULL || r->out[k] < slots || r->out[k] >= slots + SLOTS) return false;
    const tsr_tensor *const was = &structs[r->out[k] - slots];
    if (was->data == NULL || memcmp(was, r->out[k], sizeof *was) != 0) return false; /* a view, or bound anew */
    for (int i = 0; i < k; i++)
      if (r->out[i] == r->out[k]) return false;
  }
  return r->outputs > 0;
}

/* ---- all of it ---- */

/* A slot that was described owns what the call allocated. From here on it borrows that, like the views of it. */
static void keep_slots(void) {
  for (int i = 0; i < SLOTS; i++) {
    if ((slots[i].flags & TSR_OWNS) == 0) continue;
    kept[keeping++] = slots[i];
    slots[i].flags &= (uint8_t)~TSR_OWNS;
  }
}

/* What a call gave can be read, and is an input of those that come. */
static void keep_results(tsr_ctx *ctx, request *r) {
  for (int i = 0; i < 4; i++) {
    tsr_tensor copy = {0};
    if (tsr_is_none(&r->fresh[i])) continue;
    if (tsr_size(&r->fresh[i]) <= MOST && tsr_clone(ctx, &r->fresh[i], &copy) == TSR_OK) tsr_release(&copy);
    if (made < RESULTS && tsr_size(&r->fresh[i]) <= MOST)
      results[made++] = r->fresh[i];
    else
      tsr_release(&r->fresh[i]);
  }
}

/* How many calls there were, how many of them did something, and of how many ops. */
static struct counts {
  unsigned long calls, done, repeated;
  bool op[512];
} counts;

static void print_counts(void) {
  int ops = 0;
  for (int i = 0; i < 512; i++) ops += counts.op[i];
  fprintf(stderr, "%lu calls, %lu without a failure, %lu made again apart; %d of %d ops without a failure\n",
          counts.calls, counts.done, counts.repeated, ops, tsr_op_count());
}

static void count_done(const request *r, bool again) {
  counts.done++;
  counts.repeated += again;
  for (int i = 0; i < tsr_op_count() && i < 512; i++) counts.op[i] = counts.op[i] || tsr_op_at(i) == r->op;
}

static void call(tsr_ctx *ctx) {
  static unsigned char before[ARENA];
  tsr_tensor structs[SLOTS], outputs[4] = {{0}};
  request r, asked;
  make_request(&r);
  asked = r;
  const tsr_rng then = rng;
  memory.left = byte() >= 240 ? (int)below(6) : -1;
  memcpy(before, arena, ARENA);
  memcpy(structs, slots, sizeof slots);
  const tsr_status st = run(ctx, &r);
  counts.calls++;
  memory.left = -1;
  if (st != TSR_OK) {
    check_failure(ctx, &r, &asked, structs, before);
    rng = then;
    return;
  }
  for (int i = 0; i < r.outputs; i++)
    if (r.out[i] != NULL) outputs[i] = *r.out[i];
  check_writes(before, outputs, r.outputs);
  keep_results(ctx, &r);
  const bool again = can_repeat(&r, structs);
  count_done(&r, again);
  if (again) check_overlap(ctx, &r, structs, before, then);
  keep_slots();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tsr_ctx ctx;
  at = data;
  end = data + size;
  if (size > 2048) return 0;
  if (arena == NULL) {
    arena = malloc(ARENA);
    beside = malloc(ARENA);
    (void)atexit(print_counts);
  }
  fill_arena();
  memset(slots, 0, sizeof slots);
  made = 0;
  rng = tsr_rng_seed(1);
  memory = (limited){.left = -1};
  must(tsr_context_init(&ctx, &allocator) == TSR_OK);
  for (int i = 0; i < STEPS && at < end; i++) {
    for (unsigned n = 1 + below(3); n > 0; n--) make_slot();
    call(&ctx);
  }
  while (keeping > 0) tsr_release(&kept[--keeping]);
  while (made > 0) tsr_release(&results[--made]);
  must(memory.in_use == 0);
  return 0;
}
