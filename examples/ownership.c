/* Ownership: handles that count, views that borrow, memory that someone else made. */
#include <stdio.h>
#include <tessera/tessera.h>

static void on_release(void *user, void *data, size_t bytes) {
  (void)data;
  printf("%s: %zu bytes given back\n", (const char *)user, bytes);
}

int main(void) {
  static float buffer[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static char label[] = "wrapped buffer";
  tsr_tensor a = {0}, row = {0}, kept = {0}, copy = {0}, wrapped = {0}, borrowed = {0};
  tsr_storage *storage = NULL;
  tsr_status st;
  TSR_TRY(st, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(2, 3), &a), done);
  TSR_TRY(st, tsr_select(NULL, &a, 0, 1, &row), done);
  printf("a and a view of it: %d count\n", tsr_refcount(&a)); /* views hold none */
  TSR_TRY(st, tsr_share(NULL, &row, &kept), done);
  printf("the view shared: %d counts\n", tsr_refcount(&a));
  tsr_release(&a); /* a is gone, its bytes are not: kept holds them */
  printf("after releasing a: %d count\n", tsr_refcount(&kept));
  TSR_TRY(st, tsr_clone(NULL, &kept, &copy), done); /* bytes of its own */
  a = tsr_move(&copy);                              /* copy is empty now */
  printf("after the move: copy is %s\n", tsr_is_none(&copy) ? "empty" : "not empty");

  TSR_TRY(st, tsr_from_memory(NULL, buffer, TSR_F32, TSR_SHAPE(2, 4), &borrowed), done); /* no count at all */
  printf("borrowed memory: %d counts\n", tsr_refcount(&borrowed));
  TSR_TRY(st, tsr_storage_wrap(NULL, NULL, buffer, sizeof buffer, on_release, label, &storage), done);
  TSR_TRY(st, tsr_from_storage(NULL, storage, 0, TSR_F32, TSR_SHAPE(8), NULL, &wrapped), done);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_storage_release(storage);
  tsr_release(&wrapped); /* the last count: on_release is called, once */
  tsr_release(&kept);
  tsr_release(&a);
  return st;
}
