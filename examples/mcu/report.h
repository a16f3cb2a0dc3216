/* What the examples tell: one line each, name|right|tested|arena|stack, in bytes. No stdio. */
#ifndef TSR_EXAMPLES_MCU_REPORT_H
#define TSR_EXAMPLES_MCU_REPORT_H

#include <mark.h>
#include <semihost.h>
#include <stddef.h>

enum { REPORT_STACK = 6144, REPORT_PAINT = 0x5A, REPORT_MARGIN = 128 };

/* The bytes below the caller's frame, as far as a program may use them here. */
__attribute__((noinline)) static volatile unsigned char *report_floor(void) {
  return (volatile unsigned char *)__builtin_frame_address(0) - REPORT_STACK;
}

/* Paints the stack that is not used yet; report_stack tells later how much of it was. Both from the same function. */
static void report_paint(void) {
  volatile unsigned char *const floor = report_floor();
  for (int i = 0; i < REPORT_STACK - REPORT_MARGIN; i++) floor[i] = REPORT_PAINT;
}

static long report_stack(void) {
  const volatile unsigned char *const floor = report_floor();
  int i = 0;
  while (i < REPORT_STACK && floor[i] == REPORT_PAINT) i++;
  return REPORT_STACK - i;
}

static void report_number(long value, const char *after) {
  char text[24];
  char *at = text + sizeof text - 1;
  *at = 0;
  do *--at = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  port_say(at);
  port_say(after);
}

static void report(const char *name, int right, int tested, size_t arena, long stack) {
  port_say(name);
  port_say("|");
  report_number(right, "|");
  report_number(tested, "|");
  report_number((long)arena, "|");
  report_number(stack, "\n");
}

#endif
