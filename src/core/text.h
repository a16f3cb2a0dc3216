/* Text without stdio: a bounded buffer and a small formatter. */
#ifndef TSR_CORE_TEXT_H
#define TSR_CORE_TEXT_H

#include <stdarg.h>
#include <tessera/tensor.h>

/* A buffer that is written to its end and then only counted. */
typedef struct tsr__text {
  char *at;        /* may be NULL when capacity is 0 */
  size_t capacity; /* bytes at at, the closing zero included */
  size_t length;   /* of the whole text, cut or not, without the zero */
} tsr__text;

/* The digits of a number, the last one first; returns how many. */
enum { TSR__DIGITS = 20 };
static inline int tsr__decimal_digits(uint64_t value, char digits[TSR__DIGITS]) {
  int n = 0;
  for (; n == 0 || value != 0; value /= 10) digits[n++] = (char)('0' + (int)(value % 10));
  return n;
}

void tsr__text_init(tsr__text *text, char *at, size_t capacity); /* writes the empty string */
void tsr__text_char(tsr__text *text, char c);
void tsr__text_string(tsr__text *text, const char *s); /* NULL prints as (null) */
void tsr__text_u64(tsr__text *text, uint64_t value);
void tsr__text_i64(tsr__text *text, int64_t value);
void tsr__text_shape(tsr__text *text, int ndim, const tsr_index *shape); /* [2,3] */
void tsr__text_real(tsr__text *text, tsr_real value);                    /* six significant digits, for messages */

/* Directives: %s string, %d int, %l int64_t (cast a tsr_index), %z size_t, %y int as a dtype's name,
 * %S int and const tsr_index *: a shape, %t const tsr_tensor *: dtype and shape, %r const tsr_real *, %c int, %%. */
void tsr__text_format(tsr__text *text, const char *format, ...);
void tsr__text_vformat(tsr__text *text, const char *format, va_list args);

#endif
