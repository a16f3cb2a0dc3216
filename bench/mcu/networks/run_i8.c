/* A frozen network of 8 bits: its result is compared with the host's. Compiled once for each network (NETWORK, HEADER).
 * A line: name|right|results|memory|stack|weights. */
#include HEADER

#include "../../../examples/mcu/report.h"

#define JOIN(a, b) a##b
#define NAME(part) NAMED(NETWORK, part)
#define NAMED(network, part) JOIN(network, part)
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

enum { RESULTS = sizeof NAME(_expected) };

static _Alignas(8) uint8_t memory[NAME(_bytes)];
static int8_t results[RESULTS];

int main(void) {
  report_paint();
  port_mark();
  const tsr_status st = tsr_frozen_run(&NETWORK, memory, (const void *const[]){NAME(_input)}, (void *const[]){results});
  port_mark();
  const long stack = report_stack();
  int right = 0;
  for (int i = 0; i < RESULTS; i++) right += results[i] == NAME(_expected)[i];
  port_say(TEXT(NETWORK));
  port_say("|");
  report_number(st == TSR_OK ? right : 0, "|");
  report_number(RESULTS, "|");
  report_number(sizeof memory, "|");
  report_number(stack, "|");
  report_number(NAME(_weights), "\n");
  return st;
}
