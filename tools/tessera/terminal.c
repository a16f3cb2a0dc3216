#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report.h"

static int width_of_output(void) {
  const char *columns = getenv("COLUMNS");
  const long asked = columns != NULL ? strtol(columns, NULL, 10) : 0;
  if (asked >= 20 && asked <= 10000) return (int)asked;
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return 80;
}

static bool speaks_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *value = getenv(names[i]);
    if (value == NULL || value[0] == '\0') continue;
    const char *dot = strrchr(value, '.');
    return dot != NULL && (strcasecmp(dot, ".UTF-8") == 0 || strcasecmp(dot, ".utf8") == 0);
  }
  return false;
}

static bool takes_color(bool is_terminal) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return is_terminal && (no == NULL || no[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0;
}

bool terminal_init(terminal *t, const char *when) {
  t->is_terminal = isatty(STDOUT_FILENO) == 1;
  t->width = width_of_output();
  t->utf8 = speaks_utf8();
  t->color = takes_color(t->is_terminal);
  if (strcmp(when, "auto") == 0) return true;
  t->color = strcmp(when, "always") == 0;
  if (t->color || strcmp(when, "never") == 0) return true;
  report("--color: '%s' is none of auto, always, never", when);
  return false;
}

bool terminal_on_stderr(void) { return isatty(STDERR_FILENO) == 1; }

static void set_color(const terminal *t, int plane, uint32_t color) {
  if (t->color)
    (void)printf("\x1b[%d;2;%u;%u;%um", plane, (unsigned)(color >> 16 & 255), (unsigned)(color >> 8 & 255),
                 (unsigned)(color & 255));
}

void terminal_foreground(const terminal *t, uint32_t color) { set_color(t, 38, color); }
void terminal_background(const terminal *t, uint32_t color) { set_color(t, 48, color); }

static void set_mode(const terminal *t, const char *mode) {
  if (t->color) (void)printf("\x1b[%sm", mode);
}

void terminal_bold(const terminal *t) { set_mode(t, "1"); }
void terminal_dim(const terminal *t) { set_mode(t, "2"); }
void terminal_reset(const terminal *t) { set_mode(t, "0"); }
