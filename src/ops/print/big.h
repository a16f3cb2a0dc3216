/* Natural numbers of a fixed capacity, on the stack: just enough of them for exact decimal digits. */
#ifndef TSR_OPS_PRINT_BIG_H
#define TSR_OPS_PRINT_BIG_H

#include <stdint.h>
#include <tessera/config.h>

/* The largest numbers are those of the smallest floats: ten times 2^(mantissa bits + 3) · 10^(the largest power of ten),
 * which is 1083 bits for f64 and 157 for f32. */
#if TSR_HAVE_F64
enum { TSR__BIG_WORDS = 35 };
#else
enum { TSR__BIG_WORDS = 6 };
#endif

typedef struct tsr__big {
  int length;                    /* words in use; the highest of them is not 0 */
  uint32_t word[TSR__BIG_WORDS]; /* the lowest first */
} tsr__big;

void tsr__big_set(tsr__big *a, uint64_t value);
void tsr__big_multiply(tsr__big *a, uint32_t factor);
void tsr__big_multiply_power10(tsr__big *a, int power);
void tsr__big_shift_left(tsr__big *a, int bits);
void tsr__big_subtract(tsr__big *a, const tsr__big *b); /* a ≥ b */

/* The sign of a - b. */
int tsr__big_compare(const tsr__big *a, const tsr__big *b);
/* The sign of a + times·b - c, without memory for the sum; times is small. */
int tsr__big_compare_sum(const tsr__big *a, const tsr__big *b, uint32_t times, const tsr__big *c);

#endif
