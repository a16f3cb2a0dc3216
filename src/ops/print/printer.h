/* Characters on their way to a sink: gathered, and spaces held back so that a line can end without them. */
#ifndef TSR_OPS_PRINT_PRINTER_H
#define TSR_OPS_PRINT_PRINTER_H

#include <tessera/print.h>

#if TSR_HAVE_F64
enum { TSR__PRINTER_BYTES = 128 };
#else
enum { TSR__PRINTER_BYTES = 32 };
#endif

typedef struct tsr__printer {
  const tsr_sink *sink;
  tsr_status status; /* the sink's first failure; nothing is written after it */
  int spaces;        /* not written yet */
  int used;
  char buffer[TSR__PRINTER_BYTES];
} tsr__printer;

void tsr__printer_init(tsr__printer *printer, const tsr_sink *sink);
void tsr__print_char(tsr__printer *printer, char c);
void tsr__print_string(tsr__printer *printer, const char *s);
void tsr__print_u64(tsr__printer *printer, uint64_t value);
void tsr__print_spaces(tsr__printer *printer, int count);
void tsr__print_trim(tsr__printer *printer);     /* drops the spaces that were printed last */
void tsr__print_line_end(tsr__printer *printer); /* without the spaces before it */

/* Everything to the sink; returns the first status that is not TSR_OK. */
tsr_status tsr__printer_finish(tsr__printer *printer);

/* Decimal digits of value. */
int tsr__u64_length(uint64_t value);

#endif
