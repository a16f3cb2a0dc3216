#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "keys.h"
#include "report.h"

enum { WAIT = 60 /* milliseconds in which the rest of a key comes */ };

static struct {
  int from; /* where keys come from; -1: nothing was started */
  struct termios before;
  unsigned char bytes[64]; /* that came, and are no key yet */
  size_t count;
  volatile sig_atomic_t resized;
} tty = {.from = -1};

static void put_back(void) {
  static const char text[] = "\x1b[0m\x1b[?25h\x1b[?1049l";
  if (tty.from < 0) return;
  (void)!write(STDOUT_FILENO, text, sizeof text - 1);
  (void)tcsetattr(tty.from, TCSAFLUSH, &tty.before);
}

static void on_resize(int number) {
  (void)number;
  tty.resized = 1;
}

static void on_end(int number) {
  put_back();
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

static void set_handlers(void) {
  static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_resize; /* no SA_RESTART: poll is to end */
  (void)sigaction(SIGWINCH, &action, NULL);
  action.sa_handler = on_end;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) (void)sigaction(ends[i], &action, NULL);
}

bool tty_start(void) {
  struct termios raw;
  if (isatty(STDOUT_FILENO) != 1) return report("standard output is no terminal: show and stats write to files"), false;
  tty.from = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC);
  if (tty.from < 0 || tcgetattr(tty.from, &tty.before) != 0) {
    tty.from = -1;
    return report("there is no terminal for keys: %s", strerror(errno)), false;
  }
  raw = tty.before;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  set_handlers();
  (void)tcsetattr(tty.from, TCSAFLUSH, &raw);
  (void)fputs("\x1b[?1049h\x1b[?25l", stdout);
  return true;
}

void tty_end(void) {
  (void)fflush(stdout);
  put_back();
  if (tty.from > STDERR_FILENO) (void)close(tty.from);
  tty.from = -1;
}

static int number_of(const char *name, int otherwise) {
  const char *text = getenv(name);
  const long value = text != NULL ? strtol(text, NULL, 10) : 0;
  return value > 0 && value < 1000 ? (int)value : otherwise;
}

void tty_size(int *width, int *height) {
  struct winsize size;
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  *width = known ? size.ws_col : number_of("COLUMNS", 80);
  *height = known ? size.ws_row : number_of("LINES", 24);
  if (*width > 1000) *width = 1000;
  if (*height > 1000) *height = 1000;
}

/* ---- keys ---- */

/* More bytes within so many milliseconds (-1: however long). 1: there are; 0: there are none; -1: there will be none. */
static int wait_for_bytes(int milliseconds) {
  struct pollfd from = {.fd = tty.from, .events = POLLIN};
  const int ready = poll(&from, 1, milliseconds);
  if (ready <= 0) return ready == 0 || errno == EINTR ? 0 : -1;
  const ssize_t n = read(tty.from, tty.bytes + tty.count, sizeof tty.bytes - tty.count);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
  if (n <= 0) return -1;
  tty.count += (size_t)n;
  return 1;
}

static void drop(size_t n) {
  memmove(tty.bytes, tty.bytes + n, tty.count - n);
  tty.count -= n;
}

/* The key at the start of what came; where its end does not come in time, its first byte alone. */
static int take_key(void) {
  size_t used = 0;
  int key = keys_decode(tty.bytes, tty.count, &used);
  while (key == KEY_MORE && tty.count < sizeof tty.bytes && wait_for_bytes(WAIT) > 0)
    key = keys_decode(tty.bytes, tty.count, &used);
  if (key != KEY_MORE) return drop(used), key;
  key = tty.bytes[0];
  drop(1);
  return key == KEY_ESCAPE ? key : KEY_NONE;
}

int tty_key(void) {
  for (;;) {
    if (tty.resized != 0) return tty.resized = 0, TTY_RESIZED;
    if (tty.count > 0) {
      const int key = take_key();
      if (key != KEY_NONE) return key;
    } else if (wait_for_bytes(-1) < 0) {
      return TTY_CLOSED;
    }
  }
}
