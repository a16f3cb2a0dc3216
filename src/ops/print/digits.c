#include "ops/print/digits.h"
#include "ops/print/big.h"
#include <limits.h>

/* What is left of a number while its digits come off: rest / unit is it, in units of the present digit. */
typedef struct generator {
  tsr__big rest;
  tsr__big unit;
  tsr__big below;       /* half the way to the next float towards 0, to the same scale */
  uint32_t above_times; /* half the way up, in terms of below: 1 or 2 */
  bool even;            /* a tie at the half-way point reads back as this float */
} generator;

/* ⌊position · log10(2)⌋, or one next to it. */
static int power10_below(int position) {
  return position >= 0 ? position * 30103 / 100000 : -((-position * 30103 + 99999) / 100000);
}

/* Sets 1 ≤ rest / unit < 10, and returns the power of ten that this digit stands at. */
static int start(generator *g, const tsr__float *value) {
  const int spare = value->closer_below ? 2 : 1; /* bits, so that half-way points are integers */
  const int shift = value->exponent;
  int power = power10_below(shift + 63 - __builtin_clzll(value->mantissa));
  g->even = (value->mantissa & 1) == 0;
  g->above_times = value->closer_below ? 2 : 1;
  tsr__big_set(&g->rest, value->mantissa);
  tsr__big_set(&g->unit, 1);
  tsr__big_set(&g->below, 1);
  tsr__big_shift_left(&g->rest, spare + (shift > 0 ? shift : 0));
  tsr__big_shift_left(&g->below, shift > 0 ? shift : 0);
  tsr__big_shift_left(&g->unit, spare + (shift < 0 ? -shift : 0));
  if (power > 0) tsr__big_multiply_power10(&g->unit, power);
  if (power < 0) tsr__big_multiply_power10(&g->rest, -power);
  if (power < 0) tsr__big_multiply_power10(&g->below, -power);
  if (tsr__big_compare(&g->rest, &g->unit) < 0) {
    tsr__big_multiply(&g->rest, 10);
    tsr__big_multiply(&g->below, 10);
    return power - 1;
  }
  if (tsr__big_compare_sum(&g->unit, &g->unit, 9, &g->rest) > 0) return power;
  tsr__big_multiply(&g->unit, 10);
  return power + 1;
}

/* Takes the digit at the present position off. */
static int next_digit(generator *g) {
  int digit = 0;
  for (; tsr__big_compare(&g->rest, &g->unit) >= 0; digit++) tsr__big_subtract(&g->rest, &g->unit);
  return digit;
}

/* Whether the digits so far, and those plus one at the last place, read back as this float. */
static bool reads_back_down(const generator *g) {
  const int sign = tsr__big_compare(&g->rest, &g->below);
  return g->even ? sign <= 0 : sign < 0;
}

static bool reads_back_up(const generator *g) {
  const int sign = tsr__big_compare_sum(&g->rest, &g->below, g->above_times, &g->unit);
  return g->even ? sign >= 0 : sign > 0;
}

/* Whether what is left rounds the last digit up. */
static bool nearer_up(const generator *g, int last_digit) {
  const int sign = tsr__big_compare_sum(&g->rest, &g->rest, 1, &g->unit);
  return sign > 0 || (sign == 0 && (last_digit & 1) != 0);
}

/* Adds one at the last place; nines become zeros, which are not kept. */
static void round_up(tsr__digits *digits) {
  while (digits->count > 0 && digits->digit[digits->count - 1] == 9) digits->count--;
  if (digits->count > 0) {
    digits->digit[digits->count - 1]++;
    return;
  }
  digits->digit[digits->count++] = 1;
  digits->exponent++;
}

static void drop_zeros(tsr__digits *digits) {
  while (digits->count > 0 && digits->digit[digits->count - 1] == 0) digits->count--;
  if (digits->count == 0) digits->exponent = 0;
}

/* All of the number is below the last place that may be written: nothing, or one there. */
static void round_below(generator *g, int power, int last, tsr__digits *digits) {
  if (power < last - 1) return;
  tsr__big_multiply(&g->unit, 10);
  if (!nearer_up(g, 0)) return;
  digits->digit[digits->count++] = 1;
  digits->exponent = last;
}

void tsr__digits_of(const tsr__float *value, const tsr__digit_limits *limits, tsr__digits *digits) {
  digits->count = 0;
  digits->exponent = 0;
  if (value->mantissa == 0) return;
  generator g;
  const int first = start(&g, value);
  const int origin = limits->after_first ? first : 0;
  const int enough = limits->at_least >= 0 ? origin - limits->at_least : INT_MAX;
  const int last = limits->at_most >= 0 ? origin - limits->at_most : INT_MIN;
  if (first < last) {
    round_below(&g, first, last, digits);
    return;
  }
  digits->exponent = first;
  for (int position = first;; position--) {
    const int digit = next_digit(&g);
    digits->digit[digits->count++] = (uint8_t)digit;
    const bool down = reads_back_down(&g);
    const bool up = reads_back_up(&g);
    const bool done = (down || up) && position <= enough;
    if (done || position == last || digits->count == TSR__DIGITS_MAX) {
      if (down == up ? nearer_up(&g, digit) : up) round_up(digits);
      break;
    }
    tsr__big_multiply(&g.rest, 10);
    tsr__big_multiply(&g.below, 10);
  }
  drop_zeros(digits);
}

int tsr__digits_at(const tsr__digits *digits, int position) {
  const int i = digits->exponent - position;
  return i >= 0 && i < digits->count ? digits->digit[i] : 0;
}
