/* Sums of products by label: what einsum makes of two tensors, of one, and of a mistake. */
#include <stdio.h>
#include <tessera/tessera.h>

static tsr_status show(const char *equation, const tsr_tensor *t) {
  const tsr_print_options options = {.name = equation};
  return tsr_print(NULL, t, &options, stdout);
}

/* The result of two operands, printed. */
static tsr_status multiply(const tsr_tensor *a, const tsr_tensor *b, const char *equation) {
  const tsr_tensor *const in[] = {a, b};
  tsr_tensor out = {0};
  tsr_status st;
  TSR_TRY(st, tsr_einsum(NULL, 2, in, equation, &out), done); /* empty: allocated */
  TSR_TRY(st, show(equation, &out), done);
done:
  tsr_release(&out);
  return st;
}

int main(void) {
  tsr_tensor a = {0}, b = {0}, trace = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 6, 1, &a), done);
  TSR_TRY(st, tsr_reshape(NULL, &a, TSR_SHAPE(2, 3), &a), done); /* (i, j) */
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 1, 7, 1, &b), done);
  TSR_TRY(st, tsr_reshape(NULL, &b, TSR_SHAPE(3, 2), &b), done); /* (j, k) */

  TSR_TRY(st, multiply(&a, &b, "ij,jk->ik"), done); /* the matrix product: j is not in the result, and is summed */
  TSR_TRY(st, multiply(&a, &b, "ij,ji->i"), done);  /* its diagonal, and nothing else */
  TSR_TRY(st, multiply(&a, &a, "ij,kj->ik"), done); /* rows by rows: nothing is transposed */
  TSR_TRY(st, multiply(&a, &a, "...,..."), done);   /* element by element */

  if (multiply(&a, &b, "ij,kj->ik") != TSR_OK) printf("%s\n", tsr_error(NULL)); /* says which label, and both sizes */

  TSR_TRY(st, tsr_slice(NULL, &b, 0, 0, 2, 1, &trace), done); /* a view of [2,2]: needs no release */
  tsr_tensor sum = {0};
  TSR_TRY(st, tsr_trace(NULL, &trace, 0, 0, 1, &sum), done);
  st = show("trace", &sum);
  tsr_release(&sum);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_release(&b);
  tsr_release(&a);
  return st;
}
