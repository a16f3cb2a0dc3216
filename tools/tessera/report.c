#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "text.h"

static const char *speaker;
static bool said; /* that standard output cannot be written */

void report_start(void) {
  speaker = NULL;
  said = false;
}

void report_command(const char *name) { speaker = name; }

int report(const char *format, ...) {
  char text[2048];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(text, sizeof text, format, list);
  va_end(list);
  (void)fflush(stdout); /* what was said before stands before it */
  (void)fprintf(stderr, speaker != NULL ? "tessera %s: " : "tessera: ", speaker);
  text_write(stderr, text, TEXT_LINE);
  (void)fputc('\n', stderr);
  return FAILED;
}

int report_unwritten(const FILE *stream, const char *name) {
  const bool again = stream == stdout && said;
  if (stream == stdout) said = true;
  return again ? FAILED : report("%s: writing failed: %s", name, strerror(errno));
}

const char *failure_text(const tsr_ctx *ctx) {
  const char *text = tsr_error(ctx), *op = tsr_error_details(ctx)->op;
  const size_t length = op != NULL ? strlen(op) : 0;
  if (text[0] == '\0') return "out of memory"; /* the command's own: the library has a text for each of its failures */
  if (length > 0 && strncmp(text, op, length) == 0 && text[length] == ':') return text + length + 2;
  return text;
}

int report_failure(const tsr_ctx *ctx, const char *about) {
  const char *text = failure_text(ctx);
  if (about == NULL || strncmp(text, about, strlen(about)) == 0) return report("%s", text);
  return report("%s: %s", about, text);
}
