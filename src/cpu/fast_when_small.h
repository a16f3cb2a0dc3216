/* Included first by sources whose loops are to be fast where everything else is compiled for size. */
#ifndef TSR_CPU_FAST_WHEN_SMALL_H
#define TSR_CPU_FAST_WHEN_SMALL_H

#if defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2")
#endif

#endif
