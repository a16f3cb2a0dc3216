/* Rolling statistics: reductions over a view of all windows. The view repeats no element in memory, and no window is
 * copied. */
#include <stdio.h>
#include <tessera/tessera.h>

typedef tsr_status reduce(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                          tsr_tensor *out);

static tsr_status show_rolling(const char *name, reduce *function, const tsr_tensor *windows) {
  const tsr_print_options options = {.name = name};
  tsr_tensor out = {0};
  tsr_status st;
  TSR_TRY(st, function(NULL, windows, TSR_AXES(-1), false, &out), done);
  TSR_TRY(st, tsr_print(NULL, &out, &options, stdout), done);
done:
  tsr_release(&out);
  return st;
}

static tsr_status population_std(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                 tsr_tensor *out) {
  return tsr_std(ctx, x, naxes, axes, keepdims, 0, out);
}

int main(void) {
  float values[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
  tsr_tensor x = {0}, windows = {0};
  tsr_status st;
  TSR_TRY(st, tsr_from_memory(NULL, values, TSR_F32, TSR_SHAPE(10), &x), done);
  TSR_TRY(st, tsr_sliding_window(NULL, &x, 0, 4, 1, &windows), done); /* (7, 4): strides 1 and 1 */
  TSR_TRY(st, show_rolling("mean of four", tsr_mean, &windows), done);
  TSR_TRY(st, show_rolling("least", tsr_min, &windows), done);
  TSR_TRY(st, show_rolling("greatest", tsr_max, &windows), done);
  TSR_TRY(st, show_rolling("standard deviation", population_std, &windows), done);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  return st;
}
