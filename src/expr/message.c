/* Where something is wrong. */
#include "core/text.h"
#include "expr/expr.h"

#include <string.h>

#if TSR_HAVE_OPS

#if TSR_HAVE_TEXT
/* "line 2, column 9: ", without the line where the text has one. */
static void write_place(const tsr__expr_source *s, size_t at, tsr__text *text) {
  size_t line = 1, begin = 0;
  for (size_t i = 0; i < at && i < s->length; i++)
    if (s->text[i] == '\n') {
      line++;
      begin = i + 1;
    }
  if (line > 1 || memchr(s->text, '\n', s->length) != NULL) tsr__text_format(text, "line %z, ", line);
  tsr__text_format(text, "column %z: ", at - begin + 1);
}
#endif

tsr_status tsr__expr_fail(const tsr__expr_source *s, tsr_status status, size_t at, const char *format, ...) {
#if TSR_HAVE_TEXT
  char message[TSR_TEXT_BYTES];
  tsr__text text;
  va_list args;
  tsr__text_init(&text, message, sizeof message);
  write_place(s, at, &text);
  va_start(args, format);
  tsr__text_vformat(&text, format, args);
  va_end(args);
  return TSR__FAIL(s->ctx, status, s->op, NULL, "%s", message);
#else
  (void)at, (void)format;
  return tsr__fail_plain(s->ctx, status);
#endif
}

/* Bytes that are no characters of ASCII, and the ends of lines, are blanks in it. */
static char shown(char c) { return c >= ' ' && c <= '~' ? c : ' '; }

void tsr__expr_quote(const tsr__expr_source *s, tsr__expr_span span, char quote[TSR__QUOTE]) {
  const size_t length = span.end - span.begin, most = TSR__QUOTE - 1, half = (most - 3) / 2;
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    if (length > most && i == half) {
      memcpy(quote + n, "...", 3);
      n += 3;
      i = length - half;
    }
    quote[n++] = shown(s->text[span.begin + i]);
  }
  quote[n] = '\0';
}

#endif
