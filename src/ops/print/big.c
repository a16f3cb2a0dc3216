#include "ops/print/big.h"

/* Adds a word on top. The capacity follows from the dtypes; a word past it would be a bug, and is not written. */
static void append(tsr__big *a, uint32_t word) {
  if (word != 0 && a->length < TSR__BIG_WORDS) a->word[a->length++] = word;
}

static uint32_t word_at(const tsr__big *a, int i) { return i < a->length ? a->word[i] : 0; }

void tsr__big_set(tsr__big *a, uint64_t value) {
  a->length = 0;
  for (; value != 0; value >>= 32) a->word[a->length++] = (uint32_t)value;
}

void tsr__big_multiply(tsr__big *a, uint32_t factor) {
  uint64_t carry = 0;
  for (int i = 0; i < a->length; i++) {
    carry += (uint64_t)a->word[i] * factor;
    a->word[i] = (uint32_t)carry;
    carry >>= 32;
  }
  append(a, (uint32_t)carry);
}

void tsr__big_multiply_power10(tsr__big *a, int power) {
  for (; power >= 9; power -= 9) tsr__big_multiply(a, 1000000000);
  uint32_t rest = 1;
  for (; power > 0; power--) rest *= 10;
  tsr__big_multiply(a, rest);
}

void tsr__big_shift_left(tsr__big *a, int bits) {
  const int words = bits / 32;
  tsr__big_multiply(a, UINT32_C(1) << (bits % 32));
  if (words == 0 || a->length == 0 || a->length + words > TSR__BIG_WORDS) return;
  for (int i = a->length - 1; i >= 0; i--) a->word[i + words] = a->word[i];
  for (int i = 0; i < words; i++) a->word[i] = 0;
  a->length += words;
}

void tsr__big_subtract(tsr__big *a, const tsr__big *b) {
  uint64_t borrow = 0;
  for (int i = 0; i < a->length; i++) {
    const uint64_t difference = (uint64_t)a->word[i] - word_at(b, i) - borrow;
    a->word[i] = (uint32_t)difference;
    borrow = difference >> 63;
  }
  while (a->length > 0 && a->word[a->length - 1] == 0) a->length--;
}

int tsr__big_compare(const tsr__big *a, const tsr__big *b) {
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  for (int i = a->length - 1; i >= 0; i--) {
    if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
  }
  return 0;
}

int tsr__big_compare_sum(const tsr__big *a, const tsr__big *b, uint32_t times, const tsr__big *c) {
  const int longer = a->length > b->length ? a->length : b->length;
  const int length = longer > c->length ? longer : c->length;
  uint64_t carry = 0;
  int sign = 0; /* the highest word that differs decides: it comes last */
  for (int i = 0; i < length; i++) {
    carry += (uint64_t)word_at(b, i) * times + word_at(a, i);
    const uint32_t sum = (uint32_t)carry;
    if (sum != word_at(c, i)) sign = sum < word_at(c, i) ? -1 : 1;
    carry >>= 32;
  }
  return carry != 0 ? 1 : sign;
}
