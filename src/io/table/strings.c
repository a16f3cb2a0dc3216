#include "io/table/strings.h"

#if TSR_HAVE_STDIO

#include "io/file/system.h"

enum { FIRST_SLOTS = 64, FIRST_PAGE = 1024, LARGEST_PAGE = 1 << 20 };

typedef struct item {
  uint64_t hash;
  size_t length;
} item;

void tsr__strings_start(tsr__strings *s, const tsr_allocator *allocator) {
  *s = (tsr__strings){.allocator = allocator, .seed = tsr__system_noise()};
}

void tsr__strings_end(tsr__strings *s) {
  tsr__room *page = s->page.at;
  for (size_t i = 0; i < s->pages; i++) tsr__room_free(s->allocator, &page[i]);
  tsr__room_free(s->allocator, &s->page);
  tsr__room_free(s->allocator, &s->item);
  tsr__room_free(s->allocator, &s->pointer);
  tsr__room_free(s->allocator, &s->slot);
}

/* ---- room ---- */

static uint32_t *find(const tsr__strings *s, const char *text, size_t length, uint64_t hash) {
  const item *items = s->item.at;
  const char *const *pointers = s->pointer.at;
  uint32_t *slot = s->slot.at;
  size_t at = (size_t)hash & (s->slots - 1);
  for (; slot[at] != 0; at = (at + 1) & (s->slots - 1)) {
    const item *one = &items[slot[at] - 1];
    if (one->hash == hash && one->length == length && memcmp(pointers[slot[at] - 1], text, length) == 0) break;
  }
  return &slot[at];
}

/* At most half of the slots are taken. */
static tsr_status make_slots(tsr_ctx *ctx, const char *op, tsr__strings *s) {
  if ((size_t)s->count < s->slots / 2) return TSR_OK;
  tsr__room larger = {0};
  const size_t slots = s->slots > 0 ? 2 * s->slots : FIRST_SLOTS;
  const tsr_status st = tsr__room_get(ctx, op, s->allocator, slots * sizeof(uint32_t), &larger);
  if (st != TSR_OK) return st;
  const item *items = s->item.at;
  uint32_t *to = larger.at;
  memset(to, 0, larger.bytes);
  for (size_t i = 0; i < (size_t)s->count; i++) {
    size_t at = (size_t)items[i].hash & (slots - 1);
    while (to[at] != 0) at = (at + 1) & (slots - 1);
    to[at] = (uint32_t)i + 1;
  }
  tsr__room_free(s->allocator, &s->slot);
  s->slot = larger;
  s->slots = slots;
  return TSR_OK;
}

static tsr_status make_page(tsr_ctx *ctx, const char *op, tsr__strings *s, size_t bytes) {
  if (bytes <= s->left) return TSR_OK;
  tsr__room *page = s->page.at;
  const size_t last = s->pages > 0 ? page[s->pages - 1].bytes : FIRST_PAGE / 2;
  const size_t usual = last < LARGEST_PAGE / 2 ? 2 * last : LARGEST_PAGE;
  tsr_status st =
      tsr__room_grow(ctx, op, s->allocator, (s->pages + 1) * sizeof *page, s->pages * sizeof *page, &s->page);
  if (st != TSR_OK) return st;
  page = s->page.at;
  st = tsr__room_get(ctx, op, s->allocator, bytes > usual ? bytes : usual, &page[s->pages]);
  if (st != TSR_OK) return st;
  s->left = page[s->pages].bytes;
  s->bytes += s->left;
  s->pages++;
  return TSR_OK;
}

static tsr_status make_room(tsr_ctx *ctx, const char *op, tsr__strings *s, size_t length) {
  const size_t count = (size_t)s->count;
  if (s->count == INT32_MAX) return TSR__FAIL(ctx, TSR_ELIMIT, op, NULL, "more texts than an i32 counts");
  tsr_status st = make_slots(ctx, op, s);
  if (st == TSR_OK)
    st = tsr__room_grow(ctx, op, s->allocator, (count + 1) * sizeof(item), count * sizeof(item), &s->item);
  if (st == TSR_OK)
    st = tsr__room_grow(ctx, op, s->allocator, (count + 1) * sizeof(char *), count * sizeof(char *), &s->pointer);
  return st == TSR_OK ? make_page(ctx, op, s, length + 1) : st;
}

tsr_status tsr__strings_add(tsr_ctx *ctx, const char *op, tsr__strings *s, const char *text, size_t length,
                            int32_t *number) {
  const uint64_t hash = tsr__hash(text, length, s->seed);
  if (s->slots > 0) {
    const uint32_t there = *find(s, text, length, hash);
    if (there != 0) return *number = (int32_t)(there - 1), TSR_OK;
  }
  const tsr_status st = make_room(ctx, op, s, length);
  if (st != TSR_OK) return st;
  const tsr__room *page = (const tsr__room *)s->page.at + (s->pages - 1);
  char *to = (char *)page->at + (page->bytes - s->left);
  memcpy(to, text, length);
  to[length] = '\0';
  s->left -= length + 1;
  ((item *)s->item.at)[s->count] = (item){.hash = hash, .length = length};
  ((const char **)s->pointer.at)[s->count] = to;
  *find(s, text, length, hash) = (uint32_t)s->count + 1;
  *number = (int32_t)s->count++;
  return TSR_OK;
}

#endif
