#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "text.h"

static const char *speaker;
static bool is_mute; /* another process says it */
static bool said;    /* that standard output cannot be written */

void report_start(void) {
  speaker = NULL;
  said = false;
}

void report_command(const char *name) { speaker = name; }
void report_mute(void) { is_mute = true; }

int report(const char *format, ...) {
  char text[2048];
  va_list list;
  if (is_mute) return FAILED;
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

/* A limit is the library's struct; here it is an option. */
static const char *with_option(const char *text) {
  static const char field[] = "raise tsr_io_limits.";
  static char advice[TSR_TEXT_BYTES + 64];
  const char *at = strstr(text, field);
  if (at == NULL) return text;
  (void)snprintf(advice, sizeof advice, "%.*sraise it with --limit %s=N", (int)(at - text), text, at + strlen(field));
  return advice;
}

const char *failure_text(const tsr_ctx *ctx) {
  const char *text = tsr_error(ctx), *op = tsr_error_details(ctx)->op;
  const size_t length = op != NULL ? strlen(op) : 0;
  if (text[0] == '\0') return "out of memory"; /* the command's own: the library has a text for each of its failures */
  if (length > 0 && strncmp(text, op, length) == 0 && text[length] == ':') text += length + 2;
  return tsr_error_details(ctx)->status == TSR_ELIMIT ? with_option(text) : text;
}

int report_failure(const tsr_ctx *ctx, const char *about) {
  const char *text = failure_text(ctx);
  if (about == NULL || strncmp(text, about, strlen(about)) == 0) return report("%s", text);
  return report("%s: %s", about, text);
}
