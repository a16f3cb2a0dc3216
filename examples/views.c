/* Views: other tensors over the same memory. None of these calls allocates or copies. */
#include <stdio.h>
#include <tessera/tessera.h>

static tsr_status show(const char *name, const tsr_tensor *t) {
  const tsr_print_options options = {.name = name};
  return tsr_print(NULL, t, &options, stdout);
}

int main(void) {
  tsr_tensor x = {0}, v = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(NULL, TSR_I32, 0, 24, 1, &x), done);
  TSR_TRY(st, tsr_reshape(NULL, &x, TSR_SHAPE(4, 6), &x), done);
  TSR_TRY(st, show("x", &x), done);

  TSR_TRY(st, tsr_select(NULL, &x, 0, -1, &v), done); /* x[-1] */
  TSR_TRY(st, show("the last row", &v), done);
  TSR_TRY(st, tsr_slice(NULL, &x, 1, TSR_OMIT, TSR_OMIT, -2, &v), done); /* x[:, ::-2] */
  TSR_TRY(st, show("every other column, backwards", &v), done);
  TSR_TRY(st, tsr_transpose(NULL, &x, 0, 1, &v), done);   /* x.T */
  TSR_TRY(st, tsr_slice(NULL, &v, 0, 0, 2, 1, &v), done); /* a view of a view: out may be the input */
  TSR_TRY(st, show("the first two columns as rows", &v), done);
  TSR_TRY(st, tsr_diagonal(NULL, &x, 1, 0, 1, &v), done);
  TSR_TRY(st, show("the diagonal above the main one", &v), done);
  TSR_TRY(st, tsr_select(NULL, &x, 0, 0, &v), done);
  TSR_TRY(st, tsr_sliding_window(NULL, &v, 0, 3, 1, &v), done);
  TSR_TRY(st, show("windows of three over the first row", &v), done);

  TSR_TRY(st, tsr_slice(NULL, &x, 0, 1, 3, 1, &v), done);
  TSR_TRY(st, tsr_fill(NULL, -1, &v), done); /* writing to a view writes to x */
  TSR_TRY(st, show("x with its middle rows filled", &x), done);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_release(&x); /* views need no release */
  return st;
}
