/** @file index.h
 *  The integer that counts elements. */
#ifndef TESSERA_INDEX_H
#define TESSERA_INDEX_H

#include <stdint.h>
#include <tessera/config.h>

/** Counts and positions of elements, signed. */
#if TSR_INDEX_BITS == 64
typedef int64_t tsr_index;
#define TSR_INDEX_MAX INT64_MAX
#define TSR_INDEX_MIN INT64_MIN
#else
typedef int32_t tsr_index;
#define TSR_INDEX_MAX INT32_MAX
#define TSR_INDEX_MIN INT32_MIN
#endif

#endif
