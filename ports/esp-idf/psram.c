/* Two kinds of memory of an ESP32, by ESP-IDF's heap. Not run here. */
#include "tessera_psram.h"

#include <esp_heap_caps.h>

enum { SRAM = MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT, PSRAM = MALLOC_CAP_SPIRAM | MALLOC_CAP_8BIT };

static void *psram_alloc(void *self, size_t bytes, size_t align, int hint) {
  const tessera_psram *const psram = self;
  const int choice = hint & TSR_HINT_MASK;
  if (choice == TSR_HINT_TIER0) return heap_caps_aligned_alloc(align, bytes, SRAM);
  if (choice == TSR_HINT_TIER0 + 1) return heap_caps_aligned_alloc(align, bytes, PSRAM);
  if (choice > TSR_HINT_TIER0) return NULL; /* no such region */
  const bool fast = choice == TSR_HINT_HOT || (choice == TSR_HINT_DEFAULT && bytes <= psram->limit);
  void *const block = heap_caps_aligned_alloc(align, bytes, fast ? SRAM : PSRAM);
  return block != NULL ? block : heap_caps_aligned_alloc(align, bytes, fast ? PSRAM : SRAM);
}

static void psram_free(void *self, void *ptr, size_t bytes) {
  (void)self;
  (void)bytes;
  heap_caps_free(ptr);
}

tsr_status tessera_psram_init(tessera_psram *psram, size_t limit) {
  if (psram == NULL) return TSR_EARG;
  *psram = (tessera_psram){.allocator = {sizeof(tsr_allocator), psram_alloc, psram_free, psram}, .limit = limit};
  return TSR_OK;
}
