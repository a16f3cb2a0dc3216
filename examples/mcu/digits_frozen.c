/* The digits network in 8 bits, frozen (examples/freeze_digits.c): nothing of Tessera is linked but kernels and the loop over four
 * calls; no context, no tensors, no checks. The same scores as digits_int8.c. */
#include "data/digits_frozen.h"
#include "data/digits_test.h"
#include "report.h"

static _Alignas(8) uint8_t memory[digits_bytes];

static int argmax(const int8_t *scores) {
  int best = 0;
  for (int i = 1; i < digits_bytes_scores; i++) best = scores[i] > scores[best] ? i : best;
  return best;
}

int main(void) {
  const uint8_t *const images = digits_x.data, *const labels = digits_y.data;
  int8_t scores[digits_bytes_scores];
  int right = 0;
  tsr_status st = TSR_OK;
  report_paint();
  for (int i = 0; i < digits_x.shape[0] && st == TSR_OK; i++) {
    if (i == 0) port_mark();
    st = tsr_frozen_run(&digits, memory, (const void *const[]){images + i * digits_bytes_image},
                        (void *const[]){scores});
    const int found = argmax(scores);
    if (i == 0) port_mark();
    right += found == labels[i];
  }
  if (st != TSR_OK) port_say("failed\n");
  report("digits, int8, frozen", right, (int)digits_x.shape[0], sizeof memory, report_stack());
  return st;
}
