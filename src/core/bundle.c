/* Bundles: an array of tensors in order, and a table of their positions by name. */
#include "core/bundle.h"
#include "core/check.h"
#include "core/tensor.h"
#include <string.h>

/* ---- names ---- */

static size_t length_of(const char *name) {
  size_t length = 0;
  while (name[length] != '\0') length++;
  return length;
}

static bool same_name(const char *a, const char *b) {
  while (*a == *b && *a != '\0') a++, b++;
  return *a == *b;
}

static void *allocate(const tsr_bundle *bundle, size_t bytes, size_t align) {
  return bundle->allocator->alloc(bundle->allocator->self, bytes, align, TSR_HINT_DEFAULT);
}

static void give_back(const tsr_bundle *bundle, void *at, size_t bytes) {
  if (at != NULL) bundle->allocator->free(bundle->allocator->self, at, bytes);
}

/* The bundle made the copy and lends it as const. */
static void free_name(const tsr_bundle *bundle, const char *name) {
  give_back(bundle, (void *)(uintptr_t)name, length_of(name) + 1);
}

/* ---- the table: open addressing, at most half full ---- */

static uint32_t turned(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

/* One round of HalfSipHash. */
static void mix(uint32_t v[4]) {
  v[0] += v[1], v[1] = turned(v[1], 5) ^ v[0], v[0] = turned(v[0], 16);
  v[2] += v[3], v[3] = turned(v[3], 8) ^ v[2];
  v[0] += v[3], v[3] = turned(v[3], 7) ^ v[0];
  v[2] += v[1], v[1] = turned(v[1], 13) ^ v[2], v[2] = turned(v[2], 16);
}

/* HalfSipHash-1-3, its key the address of the table: whoever writes a file does not know it, and cannot choose names that
 * all meet in one place. A larger table has another address, and is filled anew. */
static uint32_t hash_of(const tsr_bundle *bundle, const char *name) {
  const uint64_t key = (uint64_t)(uintptr_t)bundle->places * 0x9e3779b97f4a7c15u;
  const uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);
  uint32_t v[4] = {low, high, low ^ 0x6c796765u, high ^ 0x74656462u};
  uint32_t word = 0, length = 0;
  for (; name[length] != '\0'; length++) {
    word |= (uint32_t)(uint8_t)name[length] << 8 * (length & 3);
    if ((length & 3) != 3) continue;
    v[3] ^= word, mix(v), v[0] ^= word;
    word = 0;
  }
  word |= length << 24;
  v[3] ^= word, mix(v), v[0] ^= word;
  v[2] ^= 0xff;
  for (int i = 0; i < 3; i++) mix(v);
  return v[1] ^ v[3];
}

static tsr_index next_place(const tsr_bundle *bundle, tsr_index place) {
  return (place + 1) & (bundle->place_count - 1);
}

static tsr_index home_of(const tsr_bundle *bundle, const char *name) {
  return (tsr_index)(hash_of(bundle, name) & (uint32_t)(bundle->place_count - 1));
}

/* Where name stands in the table, or the free place where it would; the table is not empty. */
static tsr_index place_of(const tsr_bundle *bundle, const char *name) {
  tsr_index place = home_of(bundle, name);
  while (bundle->places[place] != 0 && !same_name(bundle->tensors[bundle->places[place] - 1].name, name)) {
    place = next_place(bundle, place);
  }
  return place;
}

/* The position of name, or -1. */
static tsr_index position_of(const tsr_bundle *bundle, const char *name) {
  return bundle->count == 0 ? -1 : bundle->places[place_of(bundle, name)] - 1;
}

/* Closes the gap that a freed place leaves in the run behind it: whoever stands past its home may move up. */
static void free_place(tsr_bundle *bundle, tsr_index gap) {
  const tsr_index mask = bundle->place_count - 1;
  for (tsr_index place = next_place(bundle, gap); bundle->places[place] != 0; place = next_place(bundle, place)) {
    const tsr_index home = home_of(bundle, bundle->tensors[bundle->places[place] - 1].name);
    if (((place - home) & mask) < ((place - gap) & mask)) continue;
    bundle->places[gap] = bundle->places[place];
    gap = place;
  }
  bundle->places[gap] = 0;
}

static void renumber_after(tsr_bundle *bundle, tsr_index position) {
  for (tsr_index place = 0; place < bundle->place_count; place++) {
    if (bundle->places[place] > position + 1) bundle->places[place]--;
  }
}

/* ---- growing ---- */

enum { FIRST_CAPACITY = 8, PLACES_PER_TENSOR = 2 };

typedef struct room {
  tsr_tensor *tensors;
  tsr_index  *places;
  tsr_index   capacity;
  size_t      tensor_bytes, place_bytes;
} room;

static bool measure(tsr_index count, room *wanted) {
  tsr_index places;
  if (count == 0) {
    wanted->capacity = FIRST_CAPACITY;
  } else if (!tsr__mul_index(count, 2, &wanted->capacity)) {
    return false;
  }
  return tsr__mul_index(wanted->capacity, PLACES_PER_TENSOR, &places) && places <= INT32_MAX &&
         tsr__mul_size((size_t)wanted->capacity, sizeof(tsr_tensor), &wanted->tensor_bytes) &&
         tsr__mul_size((size_t)places, sizeof(tsr_index), &wanted->place_bytes);
}

static void free_room(tsr_bundle *bundle) {
  give_back(bundle, bundle->tensors, (size_t)bundle->capacity * sizeof *bundle->tensors);
  give_back(bundle, bundle->places, (size_t)bundle->place_count * sizeof *bundle->places);
}

static void move_into(tsr_bundle *bundle, const room *new_room) {
  if (bundle->count > 0) memcpy(new_room->tensors, bundle->tensors, (size_t)bundle->count * sizeof *bundle->tensors);
  free_room(bundle);
  bundle->tensors = new_room->tensors;
  bundle->capacity = new_room->capacity;
  bundle->places = new_room->places;
  bundle->place_count = new_room->capacity * PLACES_PER_TENSOR;
  memset(bundle->places, 0, new_room->place_bytes);
  for (tsr_index i = 0; i < bundle->count; i++) bundle->places[place_of(bundle, bundle->tensors[i].name)] = i + 1;
}

static tsr_status make_room(tsr_ctx *ctx, const char *op, tsr_bundle *bundle) {
  if (bundle->count < bundle->capacity) return TSR_OK;
  room wanted;
  if (!measure(bundle->capacity, &wanted)) {
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "bundle", "of %l tensors cannot grow", (int64_t)bundle->count);
  }
  wanted.tensors = allocate(bundle, wanted.tensor_bytes, _Alignof(tsr_tensor));
  wanted.places = wanted.tensors == NULL ? NULL : allocate(bundle, wanted.place_bytes, _Alignof(tsr_index));
  if (wanted.places == NULL) {
    give_back(bundle, wanted.tensors, wanted.tensor_bytes);
    return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for a bundle of %l tensors", (int64_t)wanted.capacity);
  }
  move_into(bundle, &wanted);
  return TSR_OK;
}

static char *copy_name(const tsr_bundle *bundle, const char *name) {
  const size_t bytes = length_of(name) + 1;
  char *const copy = allocate(bundle, bytes, 1);
  if (copy != NULL) memcpy(copy, name, bytes);
  return copy;
}

/* ---- public ---- */

tsr_status tsr_bundle_init(tsr_ctx *ctx, tsr_bundle *bundle) {
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, "bundle_init", "bundle", "is NULL");
  *bundle = (tsr_bundle){.allocator = tsr__allocator(ctx)};
  return TSR_OK;
}

static tsr_status check_named(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *name) {
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  return TSR_OK;
}

static tsr_status check_addition(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *name,
                                 const tsr_tensor *t) {
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "t", "is NULL");
  if (tsr_is_empty(t)) return TSR__FAIL(ctx, TSR_ESTATE, op, "t", "is empty: describe it first");
  if (name[0] == '\0') return TSR__FAIL(ctx, TSR_ENAME, op, "name", "is the empty string");
  if (position_of(bundle, name) >= 0) return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is in the bundle already", name);
  return TSR_OK;
}

tsr_status tsr_bundle_add(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, tsr_tensor *t) {
  static const char op[] = "bundle_add";
  tsr_status st = check_addition(ctx, op, bundle, name, t);
  if (st != TSR_OK) return st;
  if (bundle->allocator == NULL) bundle->allocator = tsr__allocator(ctx); /* a bundle that is {0} */
  st = make_room(ctx, op, bundle);
  if (st != TSR_OK) return st;
  char *const copy = copy_name(bundle, name);
  if (copy == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, "name", "of %z bytes: no memory", length_of(name));
  const tsr_index place = place_of(bundle, copy);
  tsr_tensor *const added = &bundle->tensors[bundle->count++];
  *added = tsr_move(t);
  added->name = copy;
  if (added->data == NULL) tsr__default_strides(added); /* a description made by hand may have none */
  bundle->places[place] = bundle->count;
  return TSR_OK;
}

const tsr_tensor *tsr_bundle_find(const tsr_bundle *bundle, const char *name) {
  if (bundle == NULL || name == NULL) return NULL;
  const tsr_index position = position_of(bundle, name);
  return position < 0 ? NULL : &bundle->tensors[position];
}

static tsr_status unknown_name(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *name) {
  const char *const nearest = tsr__bundle_nearest(bundle, name);
  if (nearest != NULL) {
    return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is not in the bundle; the nearest is %s", name, nearest);
  }
  return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is not among the bundle's %l names, nor is one like it", name,
                   (int64_t)bundle->count);
}

tsr_status tsr_bundle_get(tsr_ctx *ctx, const tsr_bundle *bundle, const char *name, const tsr_tensor **out) {
  static const char op[] = "bundle_get";
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_tensor *const found = tsr_bundle_find(bundle, name);
  if (found == NULL) return unknown_name(ctx, op, bundle, name);
  *out = found;
  return TSR_OK;
}

tsr_status tsr_bundle_resize(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, int ndim, const tsr_index *shape) {
  static const char op[] = "bundle_resize";
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  const tsr_index position = position_of(bundle, name);
  return position >= 0 ? tsr_resize(ctx, &bundle->tensors[position], ndim, shape) : unknown_name(ctx, op, bundle, name);
}

tsr_status tsr_bundle_take(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, tsr_tensor *out) {
  static const char op[] = "bundle_take";
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if ((out->flags & TSR_OWNS) != 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count: release it first");
  const tsr_index position = position_of(bundle, name);
  if (position < 0) return unknown_name(ctx, op, bundle, name);
  tsr_tensor *const taken = &bundle->tensors[position];
  free_place(bundle, place_of(bundle, taken->name));
  renumber_after(bundle, position);
  free_name(bundle, taken->name);
  *out = tsr_move(taken);
  out->name = NULL;
  bundle->count--;
  memmove(taken, taken + 1, (size_t)(bundle->count - position) * sizeof *taken);
  return TSR_OK;
}

void tsr_bundle_release(tsr_bundle *bundle) {
  if (bundle == NULL) return;
  for (tsr_index i = bundle->count - 1; i >= 0; i--) { /* the newest first, as an arena likes it */
    free_name(bundle, bundle->tensors[i].name);
    tsr_release(&bundle->tensors[i]);
  }
  if (bundle->capacity > 0) free_room(bundle);
  *bundle = (tsr_bundle){.allocator = bundle->allocator};
}
