#include "ops/print/element.h"
#include <string.h>

/* An integer of any width: its magnitude and its sign. */
typedef struct integer {
  uint64_t magnitude;
  bool negative;
} integer;

static integer from_signed(int64_t value) {
  return value < 0 ? (integer){~(uint64_t)value + 1, true} : (integer){(uint64_t)value, false};
}

static integer load_signed(int dtype, const void *element) {
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (dtype) {
    case TSR_I8: memcpy(&i8, element, sizeof i8); return from_signed(i8);
    case TSR_I16: memcpy(&i16, element, sizeof i16); return from_signed(i16);
    case TSR_I32: memcpy(&i32, element, sizeof i32); return from_signed(i32);
    default: memcpy(&i64, element, sizeof i64); return from_signed(i64);
  }
}

static integer load_integer(int dtype, const void *element) {
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  switch (dtype) {
    case TSR_U8: memcpy(&u8, element, sizeof u8); return (integer){u8, false};
    case TSR_U16: memcpy(&u16, element, sizeof u16); return (integer){u16, false};
    case TSR_U32: memcpy(&u32, element, sizeof u32); return (integer){u32, false};
    case TSR_U64: memcpy(&u64, element, sizeof u64); return (integer){u64, false};
    default: return load_signed(dtype, element);
  }
}

static int integer_length(const integer *value) {
  return tsr__u64_length(value->magnitude) + (value->negative ? 1 : 0);
}

static void write_integer(const integer *value, tsr__printer *printer) {
  if (value->negative) tsr__print_char(printer, '-');
  tsr__print_u64(printer, value->magnitude);
}

static bool load_bool(const void *element) { return *(const unsigned char *)element != 0; }

static const char *bool_text(const void *element) { return load_bool(element) ? "True" : "False"; }

static uint8_t class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

/* ---- the format of many ---- */

void tsr__element_format_init(tsr__element_format *format, int dtype, bool alone, int precision, bool suppress) {
  format->dtype = (uint8_t)dtype;
  format->class_ = class_of(dtype);
  format->pass = 0;
  format->width = format->class_ == TSR_CLASS_BOOL && !alone ? 5 : 0;
  tsr__float_format_init(&format->real, precision, suppress, false);
  tsr__float_format_init(&format->imaginary, precision, suppress, true);
}

int tsr__element_passes(const tsr__element_format *format) {
  switch (format->class_) {
    case TSR_CLASS_BOOL: return 0;
    case TSR_CLASS_FLOAT:
    case TSR_CLASS_COMPLEX: return 2;
    default: return 1;
  }
}

static void see_part(tsr__element_format *format, int part, const void *element) {
  tsr__float_format *const floats = part == 0 ? &format->real : &format->imaginary;
  tsr__float value;
  tsr__float_load(format->dtype, part, element, &value);
  if (format->pass == 0) {
    tsr__float_format_see(floats, &value);
  } else {
    tsr__float_format_measure(floats, &value);
  }
}

void tsr__element_see(tsr__element_format *format, const void *element) {
  if (format->class_ == TSR_CLASS_FLOAT || format->class_ == TSR_CLASS_COMPLEX) {
    see_part(format, 0, element);
    if (format->class_ == TSR_CLASS_COMPLEX) see_part(format, 1, element);
    return;
  }
  const integer value = load_integer(format->dtype, element);
  const int length = integer_length(&value);
  if (length > format->width) format->width = length;
}

static void float_pass_end(const tsr__element_format *format, tsr__float_format *floats) {
  if (format->pass == 0) {
    tsr__float_format_choose(floats, tsr__float_division_bits(format->dtype));
  } else {
    tsr__float_format_finish(floats);
  }
}

void tsr__element_pass_end(tsr__element_format *format) {
  if (format->class_ == TSR_CLASS_FLOAT || format->class_ == TSR_CLASS_COMPLEX) {
    float_pass_end(format, &format->real);
    format->width = tsr__float_format_width(&format->real);
  }
  if (format->class_ == TSR_CLASS_COMPLEX) {
    float_pass_end(format, &format->imaginary);
    format->width += tsr__float_format_width(&format->imaginary) + 1;
  }
  format->pass++;
}

static void write_bool(const tsr__element_format *format, const void *element, tsr__printer *printer) {
  const char *const text = bool_text(element);
  tsr__print_spaces(printer, format->width - (int)strlen(text));
  tsr__print_string(printer, text);
}

static void write_floats(const tsr__element_format *format, const void *element, tsr__printer *printer) {
  tsr__float value;
  tsr__float_load(format->dtype, 0, element, &value);
  tsr__float_write(&format->real, &value, '\0', printer);
  if (format->class_ != TSR_CLASS_COMPLEX) return;
  tsr__float_load(format->dtype, 1, element, &value);
  tsr__float_write(&format->imaginary, &value, 'j', printer);
}

void tsr__element_write(const tsr__element_format *format, const void *element, tsr__printer *printer) {
  switch (format->class_) {
    case TSR_CLASS_BOOL: write_bool(format, element, printer); return;
    case TSR_CLASS_FLOAT:
    case TSR_CLASS_COMPLEX: write_floats(format, element, printer); return;
    default: break;
  }
  const integer value = load_integer(format->dtype, element);
  tsr__print_spaces(printer, format->width - integer_length(&value));
  write_integer(&value, printer);
}

/* ---- one alone ---- */

/* 2j where the real part is +0, else (1+2j). */
static void write_complex_alone(int dtype, const void *element, tsr__printer *printer) {
  tsr__float real, imaginary;
  tsr__float_load(dtype, 0, element, &real);
  tsr__float_load(dtype, 1, element, &imaginary);
  const bool only_imaginary = real.kind == TSR__FINITE && real.mantissa == 0 && !real.negative;
  if (!only_imaginary) {
    tsr__print_char(printer, '(');
    tsr__float_write_alone(&real, false, false, printer);
  }
  tsr__float_write_alone(&imaginary, !only_imaginary, false, printer);
  tsr__print_string(printer, only_imaginary ? "j" : "j)");
}

void tsr__element_write_alone(int dtype, const void *element, tsr__printer *printer) {
  switch (class_of(dtype)) {
    case TSR_CLASS_BOOL: tsr__print_string(printer, bool_text(element)); return;
    case TSR_CLASS_COMPLEX: write_complex_alone(dtype, element, printer); return;
    case TSR_CLASS_FLOAT: {
      tsr__float value;
      tsr__float_load(dtype, 0, element, &value);
      tsr__float_write_alone(&value, false, true, printer);
      return;
    }
    default: break;
  }
  const integer value = load_integer(dtype, element);
  write_integer(&value, printer);
}
