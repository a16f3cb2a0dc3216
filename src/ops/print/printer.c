#include "ops/print/printer.h"

#include "core/text.h"

void tsr__printer_init(tsr__printer *printer, const tsr_sink *sink) {
  printer->sink = sink;
  printer->status = TSR_OK;
  printer->spaces = 0;
  printer->used = 0;
}

static void flush(tsr__printer *printer) {
  if (printer->status == TSR_OK && printer->used > 0) {
    printer->status = printer->sink->write(printer->sink->self, printer->buffer, (size_t)printer->used);
  }
  printer->used = 0;
}

static void put(tsr__printer *printer, char c) {
  if (printer->used == TSR__PRINTER_BYTES) flush(printer);
  printer->buffer[printer->used++] = c;
}

void tsr__print_char(tsr__printer *printer, char c) {
  for (; printer->spaces > 0; printer->spaces--) put(printer, ' ');
  put(printer, c);
}

void tsr__print_string(tsr__printer *printer, const char *s) {
  for (; *s != '\0'; s++) tsr__print_char(printer, *s);
}

void tsr__print_u64(tsr__printer *printer, uint64_t value) {
  char digits[TSR__DIGITS];
  int count = tsr__decimal_digits(value, digits);
  while (count > 0) tsr__print_char(printer, digits[--count]);
}

void tsr__print_spaces(tsr__printer *printer, int count) {
  if (count > 0) printer->spaces += count;
}

void tsr__print_trim(tsr__printer *printer) { printer->spaces = 0; }

void tsr__print_line_end(tsr__printer *printer) {
  tsr__print_trim(printer);
  put(printer, '\n');
}

tsr_status tsr__printer_finish(tsr__printer *printer) {
  for (; printer->spaces > 0; printer->spaces--) put(printer, ' ');
  flush(printer);
  return printer->status;
}

int tsr__u64_length(uint64_t value) {
  int length = 1;
  for (; value >= 10; value /= 10) length++;
  return length;
}
