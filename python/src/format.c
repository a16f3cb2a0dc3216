/* Formats of buffers, as the module struct writes them. */
#include "module.h"

#include "format.h"

static const char *const formats[TSR_DTYPE_COUNT] = {
    [TSR_BOOL] = "?", [TSR_I8] = "b",  [TSR_I16] = "h",  [TSR_I32] = "i",  [TSR_I64] = "q",
    [TSR_U8] = "B",   [TSR_U16] = "H", [TSR_U32] = "I",  [TSR_U64] = "Q",  [TSR_F16] = "e",
    [TSR_F32] = "f",  [TSR_F64] = "d", [TSR_C64] = "Zf", [TSR_C128] = "Zd"};

const char *py_format_of(int dtype) { return formats[dtype]; }

/* An integer of so many bytes. */
static int whole(bool is_signed, Py_ssize_t item) {
  switch (item) {
    case 1: return is_signed ? TSR_I8 : TSR_U8;
    case 2: return is_signed ? TSR_I16 : TSR_U16;
    case 4: return is_signed ? TSR_I32 : TSR_U32;
    case 8: return is_signed ? TSR_I64 : TSR_U64;
    default: return TSR_NONE;
  }
}

static bool is_little(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 1;
}

int py_format_dtype(const char *format, Py_ssize_t item, bool *swapped) {
  *swapped = false;
  if (format == NULL) return TSR_U8;
  if (strchr("@=<>!", format[0]) != NULL && format[0] != 0) {
    const bool little = format[0] == '<', big = format[0] == '>' || format[0] == '!';
    *swapped = item > 1 && (is_little() ? big : little);
    format++;
  }
  if (format[0] == 0 || (format[1] != 0 && format[0] != 'Z')) return TSR_NONE;
  if (strchr("bhilqn", format[0]) != NULL) return whole(true, item);
  if (strchr("BHILQN", format[0]) != NULL) return whole(false, item);
  for (int i = 1; i < TSR_DTYPE_COUNT; i++)
    if (formats[i] != NULL && strcmp(formats[i], format) == 0 && (Py_ssize_t)tsr_dtype_size(i) == item) return i;
  return TSR_NONE;
}
