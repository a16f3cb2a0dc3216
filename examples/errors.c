/* Failures: a status for every one, a message that names what did not fit, and outputs as they were. */
#include <stdio.h>
#include <tessera/tessera.h>

static void report(tsr_status st) {
  if (st != TSR_OK) printf("%-14s %s\n", tsr_status_name(st), tsr_error(NULL));
}

int main(void) {
  tsr_tensor x = {0}, y = {0}, bytes = {0};
  tsr_real value = 0;
  if (tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3, 4), &x) != TSR_OK) return 1;
  if (tsr_zeros(NULL, TSR_U8, TSR_SHAPE(2), &bytes) != TSR_OK) return 1;

  report(tsr_get(NULL, &x, TSR_INDEX(3, 0), &value));
  report(tsr_select(NULL, &x, 2, 0, &y));
  report(tsr_reshape(NULL, &x, TSR_SHAPE(5, -1), &y));
  report(tsr_broadcast_to(NULL, &x, TSR_SHAPE(3, 5), &y));
  report(tsr_fill(NULL, 256, &bytes));
  report(tsr_copy(NULL, &bytes, &x));
  report(tsr_reallocate(NULL, &x, TSR_SHAPE(100)));
  report(tsr_zeros(NULL, TSR_F32, TSR_SHAPE(1 << 30, 1 << 30, 1 << 30), &y));
  report(tsr_npy_load(NULL, "no such file.npy", &y));

  const tsr_error_record *const last = tsr_error_details(NULL); /* for programs: the parts of the last one */
  printf("the last: %s in tsr_%s\n", tsr_status_name(last->status), last->op);
  tsr_release(&bytes);
  tsr_release(&x);
  return tsr_is_none(&y) ? 0 : 1; /* none of them touched its output */
}
