/* Where the command begins. Not part of what fuzzers call. */
#include "command.h"
#include "interrupt.h"

int main(int argc, char **argv) {
  interrupt_start();
  return run_tessera(argc, argv);
}
