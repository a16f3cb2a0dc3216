/* A program that uses an installed Tessera; also compiled as C++17. */
#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

int main(void) {
  static tsr_tensor x, row; /* empty: {0} in C, {} in C++ */
  char text[64];
  memset(&x, 0, sizeof x);
  memset(&row, 0, sizeof row);
  if (strcmp(tsr_version(), TSR_VERSION_STRING) != 0) return 1;
  if (tsr_full(NULL, TSR_F32, TSR_SHAPE(2, 3), 1.5, &x) != TSR_OK) return 2;
  if (tsr_select(NULL, &x, 0, 1, &row) != TSR_OK) return 3;
  if (tsr_desc_format(&row, text, sizeof text) == 0 || strcmp(text, "f32 [3]") != 0) return 4;
  tsr_release(&x);
  if (tsr_axis(&x, 0) != -1) return 5;
  puts(tsr_build_info());
  return 0;
}
