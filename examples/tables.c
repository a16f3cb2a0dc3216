/* A table of dates, names and numbers with a gap: read, counted by name, and written. The page docs/first-program.md shows it. */
#include <stdio.h>
#include <tessera/tessera.h>

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif

int main(int argc, char **argv) {
  const char *const path = argc > 1 ? argv[1] : TSR_SOURCE_DIR "/examples/data/trips.csv";
  tsr_table trips = {0};
  tsr_csv_form form = {0};
  tsr_tensor mask = {0}, mean = {0};
  tsr_status st;

  /* What the file is, is found: separator, decimal comma, header, the kind of each column. */
  TSR_TRY(st, tsr_csv_table_load(NULL, path, NULL, &trips, &form), done);
  printf("%d rows, fields end at '%c', decimals have '%c'\n", (int)trips.rows, form.separator, form.decimal);
  for (tsr_index i = 0; i < trips.values.count; i++)
    printf("%-8s %s, %d missing\n", trips.values.tensors[i].name, tsr_dtype_name(trips.values.tensors[i].dtype),
           (int)trips.columns[i].missing);

  /* A column is a tensor. Texts are the numbers of strings, so that names are compared as numbers. */
  const tsr_index city = tsr_table_find(&trips, "city"), distance = tsr_table_find(&trips, "distance");
  if (city < 0 || distance < 0) return printf("no such columns\n"), 2;
  for (tsr_index i = 0; i < trips.columns[city].string_count; i++) {
    TSR_TRY(st, tsr_eq_scalar(NULL, &trips.values.tensors[city], (tsr_real)i, &mask), done);
    const tsr_selection here = {.where = &mask, .skip_nan = true};
    TSR_TRY(st, tsr_mean_where(NULL, &trips.values.tensors[distance], &here, TSR_AXES(0), false, &mean), done);
    printf("%-14s %.2f km\n", trips.columns[city].strings[i], TSR_AT(double, &mean));
  }

  /* A field as text; and dates are whole numbers, here of microseconds since 1970. */
  char text[64];
  TSR_TRY(st, tsr_table_text(NULL, &trips, 0, 2, text, sizeof text, NULL), done);
  printf("the third begins %s\n", text);
done:
  if (st != TSR_OK) printf("%s\n", tsr_error(NULL));
  tsr_release(&mean);
  tsr_release(&mask);
  tsr_table_release(&trips);
  return st;
}
