/* Text without stdio. */
#include "core/text.h"

void tsr__text_init(tsr__text *text, char *at, size_t capacity) {
  text->at = at;
  text->capacity = capacity;
  text->length = 0;
  if (capacity > 0) at[0] = '\0';
}

void tsr__text_char(tsr__text *text, char c) {
  if (text->length + 1 < text->capacity) {
    text->at[text->length] = c;
    text->at[text->length + 1] = '\0';
  }
  text->length++;
}

void tsr__text_string(tsr__text *text, const char *s) {
  if (s == NULL) s = "(null)";
  while (*s != '\0') tsr__text_char(text, *s++);
}

void tsr__text_u64(tsr__text *text, uint64_t value) {
  char digits[TSR__DIGITS];
  int n = tsr__decimal_digits(value, digits);
  while (n > 0) tsr__text_char(text, digits[--n]);
}

void tsr__text_i64(tsr__text *text, int64_t value) {
  if (value < 0) tsr__text_char(text, '-');
  tsr__text_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void tsr__text_shape(tsr__text *text, int ndim, const tsr_index *shape) {
  tsr__text_char(text, '[');
  for (int i = 0; i < ndim; i++) {
    if (i > 0) tsr__text_char(text, ',');
    tsr__text_i64(text, shape[i]);
  }
  tsr__text_char(text, ']');
}

/* Six digits, the first one worth 10^exponent; trailing zeros left out. Plain from 1e-4 to 1e6, else with an exponent. */
static void write_digits(tsr__text *text, int32_t digits, int exponent) {
  const bool plain = exponent >= -4 && exponent < 6;
  int point = plain ? exponent + 1 : 1; /* digits before it; none when it is not positive */
  if (point <= 0) tsr__text_string(text, "0.");
  for (; point < 0; point++) tsr__text_char(text, '0');
  for (int32_t unit = 100000; unit > 0; digits %= unit, unit /= 10) {
    if (digits == 0 && point <= 0) break;
    tsr__text_char(text, (char)('0' + digits / unit));
    if (--point == 0 && digits % unit != 0) tsr__text_char(text, '.');
  }
  if (plain) return;
  tsr__text_char(text, 'e');
  tsr__text_i64(text, exponent);
}

void tsr__text_real(tsr__text *text, tsr_real value) {
  const tsr_real whole_limit = (tsr_real)1e9, six = (tsr_real)1e6, ten = 10, tenth = (tsr_real)0.1;
  const tsr_real largest = TSR_REAL_BITS == 64 ? (tsr_real)__DBL_MAX__ : (tsr_real)__FLT_MAX__;
  if (!(value == value)) {
    tsr__text_string(text, "nan");
    return;
  }
  if (value < 0) {
    tsr__text_char(text, '-');
    value = -value;
  }
  if (value > largest) {
    tsr__text_string(text, "inf");
  } else if (value < whole_limit && (tsr_real)(int32_t)value == value) {
    tsr__text_i64(text, (int32_t)value);
  } else {
    int exponent = 5; /* value = digits · 10^(exponent - 5), 1e5 <= digits < 1e6 */
    for (; value >= six; exponent++) value /= ten;
    for (; value < six * tenth; exponent--) value *= ten;
    int32_t digits = (int32_t)(value + (tsr_real)0.5);
    if (digits >= 1000000) {
      digits /= 10;
      exponent++;
    }
    write_digits(text, digits, exponent);
  }
}

static void write_tensor(tsr__text *text, const tsr_tensor *t) {
  tsr__text_string(text, tsr_dtype_name(t->dtype));
  tsr__text_char(text, ' ');
  tsr__text_shape(text, t->ndim <= TSR_MAX_DIMS ? t->ndim : 0, t->shape);
}

/* A macro because a va_list passed to a function and used there is indeterminate afterwards. */
#define NEXT(type) va_arg(args, type)

void tsr__text_vformat(tsr__text *text, const char *format, va_list args) {
  for (; *format != '\0'; format++) {
    if (*format != '%') {
      tsr__text_char(text, *format);
      continue;
    }
    switch (*++format) {
      case 's': tsr__text_string(text, NEXT(const char *)); break;
      case 'd': tsr__text_i64(text, NEXT(int)); break;
      case 'l': tsr__text_i64(text, NEXT(int64_t)); break;
      case 'z': tsr__text_u64(text, NEXT(size_t)); break;
      case 'c': tsr__text_char(text, (char)NEXT(int)); break;
      case 'y': tsr__text_string(text, tsr_dtype_name(NEXT(int))); break;
      case 't': write_tensor(text, NEXT(const tsr_tensor *)); break;
      case 'r': tsr__text_real(text, *NEXT(const tsr_real *)); break;
      case 'S': {
        const int ndim = NEXT(int);
        tsr__text_shape(text, ndim, NEXT(const tsr_index *));
        break;
      }
      case '\0': return;
      default: tsr__text_char(text, *format); break;
    }
  }
}

void tsr__text_format(tsr__text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tsr__text_vformat(text, format, args);
  va_end(args);
}
