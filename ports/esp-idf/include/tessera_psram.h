/** @file tessera_psram.h
 *  Internal SRAM and PSRAM of an ESP32 behind one allocator. Not run here. */
#ifndef TESSERA_PSRAM_H
#define TESSERA_PSRAM_H

#include <tessera/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Blocks of at most limit bytes, and hot ones, come from internal SRAM, larger and cold ones from PSRAM; where one has no
 *  memory left, from the other. TSR_HINT_TIER0 is SRAM and no other, TSR_HINT_TIER0 + 1 PSRAM. Over heap_caps_malloc: blocks
 *  may be freed in any order, from any task. */
typedef struct tessera_psram {
  tsr_allocator allocator; /**< give &psram.allocator to a context */
  size_t limit;
} tessera_psram;

TSR_API TSR_MUST_USE tsr_status tessera_psram_init(tessera_psram *psram, size_t limit);

#ifdef __cplusplus
}
#endif

#endif
