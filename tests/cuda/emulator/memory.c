#define _GNU_SOURCE
#include "memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RANGES = 16384, KEPT = 256, ALIGNMENT = 256, POISONED = 1 << 24 };

static range ranges[RANGES];
static int range_count, freed_count;
static int opened;

static size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }
static int access_now(const range *r) { return r->device < 0 || opened > 0 ? PROT_READ | PROT_WRITE : PROT_NONE; }

/* Forgets the oldest that were freed: their addresses may come again. */
static void forget_freed(void) {
  int kept = 0, forget = freed_count - KEPT / 2;
  for (int i = 0; i < range_count; i++) {
    if (ranges[i].live || forget-- <= 0)
      ranges[kept++] = ranges[i];
    else
      (void)munmap(ranges[i].pages, ranges[i].page_bytes);
  }
  freed_count -= range_count - kept;
  range_count = kept;
}

/* Its end lies at the end of a page, but for what alignment takes; a page before and one behind cannot be touched. */
CUresult memory_alloc(int number, size_t bytes, char **data) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (number >= 0 && bytes > emulator.device[number].capacity - emulator.device[number].live)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (freed_count > KEPT) forget_freed();
  if (range_count == RANGES) return CUDA_ERROR_OUT_OF_MEMORY;
  range r = {.bytes = bytes, .page_bytes = round_up(bytes, page) + 2 * page, .device = number, .live = true};
  void *const pages = mmap(NULL, r.page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  r.pages = pages;
  r.data = r.pages + r.page_bytes - page - round_up(bytes, ALIGNMENT);
  (void)mprotect(r.pages + page, r.page_bytes - 2 * page, PROT_READ | PROT_WRITE);
  memset(r.pages + page, 0xff, bytes < POISONED ? r.page_bytes - 2 * page : POISONED); /* NaN */
  (void)mprotect(r.pages + page, r.page_bytes - 2 * page, access_now(&r));
  ranges[range_count++] = r;
  if (number >= 0) emulator.device[number].live += bytes;
  *data = r.data;
  return CUDA_SUCCESS;
}

static void end_range(range *r) {
  r->live = false;
  freed_count++;
  (void)mmap(r->pages, r->page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (r->device >= 0) emulator.device[r->device].live -= r->bytes;
}

CUresult memory_free(int number, const void *data) {
  for (int i = range_count - 1; i >= 0; i--) {
    range *const r = &ranges[i];
    if (!r->live || r->data != data || r->registered || (r->device < 0) != (number < 0)) continue;
    end_range(r);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

void memory_free_all(int number) {
  for (int i = 0; i < range_count; i++)
    if (ranges[i].live && ranges[i].device == number) end_range(&ranges[i]);
}

CUresult memory_register(void *data, size_t bytes, bool add) {
  if (add) {
    if (range_count == RANGES || bytes == 0) return CUDA_ERROR_OUT_OF_MEMORY;
    ranges[range_count++] = (range){.data = data, .bytes = bytes, .device = -1, .live = true, .registered = true};
    return CUDA_SUCCESS;
  }
  for (int i = 0; i < range_count; i++) {
    if (!ranges[i].live || !ranges[i].registered || ranges[i].data != data) continue;
    ranges[i] = ranges[--range_count];
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

const range *memory_find(const void *data, size_t bytes) {
  const uintptr_t at = (uintptr_t)data;
  for (int i = range_count - 1; i >= 0; i--) {
    const uintptr_t first = (uintptr_t)ranges[i].data;
    if (ranges[i].live && at >= first && at - first <= ranges[i].bytes && bytes <= ranges[i].bytes - (at - first))
      return &ranges[i];
  }
  return NULL;
}

const range *memory_near(const void *data) {
  const uintptr_t at = (uintptr_t)data;
  for (int live = 1; live >= 0; live--)
    for (int i = range_count - 1; i >= 0; i--) {
      const uintptr_t first = (uintptr_t)ranges[i].pages;
      if (ranges[i].live == (live != 0) && first != 0 && at >= first && at - first < ranges[i].page_bytes)
        return &ranges[i];
    }
  return NULL;
}

void memory_describe(const void *address, char *text, size_t size) {
  const range *const r = memory_near(address);
  const uintptr_t at = (uintptr_t)address;
  if (r == NULL) {
    (void)snprintf(text, size, "not in the device's memory");
    return;
  }
  const uintptr_t first = (uintptr_t)r->data;
  const char *const what = r->live ? "an allocation" : "a freed allocation";
  if (at < first)
    (void)snprintf(text, size, "%zu bytes before %s of %zu bytes", (size_t)(first - at), what, r->bytes);
  else if (at - first >= r->bytes)
    (void)snprintf(text, size, "%zu bytes behind the end of %s of %zu bytes", (size_t)(at - first - r->bytes), what,
                   r->bytes);
  else
    (void)snprintf(text, size, "byte %zu of %s of %zu bytes", (size_t)(at - first), what, r->bytes);
}

int memory_list(range *list, int room) {
  int count = 0;
  for (int i = 0; i < range_count; i++) {
    if (!ranges[i].live) continue;
    if (count < room) list[count] = ranges[i];
    count++;
  }
  return count;
}

static void protect(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < range_count; i++)
    if (ranges[i].live && ranges[i].device >= 0)
      (void)mprotect(ranges[i].pages + page, ranges[i].page_bytes - 2 * page, access_now(&ranges[i]));
}

void memory_open(void) {
  if (opened++ == 0) protect();
}
void memory_close(void) {
  if (--opened == 0) protect();
}
