/* Weights of 4 bits: eight numbers in four bytes, the first four in the low halves, each more by 8. */
#ifndef TSR_NN_QUANT_PLAIN_NIBBLES_H
#define TSR_NN_QUANT_PLAIN_NIBBLES_H

#include <stddef.h>
#include <stdint.h>
#include <tessera/index.h>

/* Bytes of n numbers. */
static inline size_t tsr__q_nibbles_bytes(tsr_index n) { return ((size_t)n + 7) / 8 * 4; }

/* n numbers as i8; up to 31 bytes after them are written too. */
void tsr__q_nibbles(tsr_index n, const int8_t *from, int8_t *to);
enum { TSR__Q_NIBBLES_PAST = 32 };

#endif
