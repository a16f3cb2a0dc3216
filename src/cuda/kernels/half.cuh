/* f16 and bf16 by the device's own conversions, which round as those of the host do; a NaN may have other bits. */
#include "core/dtype/narrow.h"

typedef uint16_t f16_mem;
static inline float f16_load(f16_mem x) { return tsr__f32_of_f16(x); }
static inline f16_mem f16_from_f32(float x) { return tsr__f16_of_f32(x); }
TSR__ROUNDS_ONCE(f16)

typedef uint16_t bf16_mem;
static inline float bf16_load(bf16_mem x) { return tsr__f32_of_bits((uint32_t)x << 16); }
static inline bf16_mem bf16_from_f32(float x) { return tsr__bf16_of_f32(x); }
TSR__ROUNDS_ONCE(bf16)
