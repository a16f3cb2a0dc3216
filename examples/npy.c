/* Files: real data from NumPy's format, a part of it back into a file. */
#include <stdio.h>
#include <tessera/tessera.h>

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif

int main(void) {
  static const char path[] = "npy_example_output.npy";
  tsr_tensor x = {0}, petals = {0}, again = {0};
  tsr_status st;
  bool same = false;
  TSR_TRY(st, tsr_npy_load(NULL, TSR_SOURCE_DIR "/examples/data/iris_x.npy", &x), done);
  TSR_TRY(st, tsr_print(NULL, &x, &(tsr_print_options){.name = "iris", .threshold = 100}, stdout), done);

  TSR_TRY(st, tsr_slice(NULL, &x, 1, 2, 4, 1, &petals), done); /* the last two of the four columns */
  TSR_TRY(st, tsr_slice(NULL, &petals, 0, 0, 5, 1, &petals), done);
  TSR_TRY(st, tsr_npy_save(NULL, path, &petals), done); /* a view is saved like any tensor */
  TSR_TRY(st, tsr_npy_load(NULL, path, &again), done);
  TSR_TRY(st, tsr_equal(NULL, &petals, &again, &same), done);
  TSR_TRY(st, tsr_print(NULL, &again, &(tsr_print_options){.name = "petals of the first five"}, stdout), done);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  (void)remove(path);
  tsr_release(&again);
  tsr_release(&x);
  return st == TSR_OK && same ? 0 : 1;
}
