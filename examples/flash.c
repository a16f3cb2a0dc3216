/* Constants that a program is compiled with: on a microcontroller they stay in flash, and nothing has to be loaded.
 * data/flash_weights.h was written by tsr_carray_save; `tessera convert weights.npz weights.h` writes one, too. */
#include <stdio.h>
#include <tessera/binary.h>
#include "data/flash_weights.h"

/* A pixel to what a network expects: (x - offset) * gain, channel by channel. Nothing is allocated. */
static tsr_status normalise(const float pixel[3], float result[3]) {
  tsr_tensor x = TSR_EMPTY, y = TSR_EMPTY;
  tsr_status st;
  TSR_TRY(st, tsr_from_const_memory(NULL, pixel, TSR_F32, TSR_SHAPE(3), &x), done);
  TSR_TRY(st, tsr_from_memory(NULL, result, TSR_F32, TSR_SHAPE(3), &y), done);
  TSR_TRY(st, tsr_sub(NULL, &x, &flash_offset, &y), done);
  TSR_TRY(st, tsr_mul(NULL, &y, &flash_gain, &y), done);
done:
  return st;
}

int main(void) {
  const float pixel[3] = {0.5f, 0.456f, 0.25f};
  float result[3];
  const signed char *edge = flash_edges.data;
  if (normalise(pixel, result) != TSR_OK) {
    puts(tsr_error(NULL));
    return 1;
  }
  for (int i = 0; i < 3; i++) printf("%d ", (int)(1000 * result[i]));
  printf("/ 1000; the filter begins %d, %d\n", edge[0], edge[1]);
  return edge[1] == -2 && flash_halves.shape[0] == 2 ? 0 : 1;
}
