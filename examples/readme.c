#include <stdio.h>
#include <tessera/tessera.h>

int main(void) {
  tsr_tensor x = {0}, part = {0}, copy = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 12, 1, &x), done);     /* x was empty: allocated */
  TSR_TRY(st, tsr_reshape(NULL, &x, TSR_SHAPE(3, -1), &x), done); /* [3,4], the same memory */
  TSR_TRY(st, tsr_slice(NULL, &x, 1, 1, 3, 1, &part), done);      /* x[:, 1:3]: a view, no copy */
  TSR_TRY(st, tsr_transpose(NULL, &part, 0, 1, &part), done);     /* [2,3], still the same memory */
  TSR_AT(float, &part, 0, 2) = 100;                               /* writes to x[2, 1] */
  TSR_TRY(st, tsr_cast(NULL, &part, TSR_I32, &copy), done);       /* now a copy, as integers */
  TSR_TRY(st, tsr_print(NULL, &copy, NULL, stdout), done);
  if (tsr_reshape(NULL, &x, TSR_SHAPE(5, 5), &x) != TSR_OK) /* a mistake is a status, and x stays as it was */
    printf("%s\n", tsr_error(NULL));
done:
  tsr_release(&copy); /* part is a view: nothing to release */
  tsr_release(&x);
  return st;
}
