#include <stdio.h>
#include <tessera/tessera.h>

int main(int argc, char **argv) {
  tsr_tensor table = {0}, mean = {0}, inside = {0}, outside = {0}, warmer = {0}, centred = {0};
  tsr_metadata columns = {0};
  tsr_status st;
  if (argc != 3) return printf("usage: first sensors.csv centred.npy\n"), 2;

  /* The file: its numbers as f64 [rows, columns], the names of its first row beside them. */
  TSR_TRY(st, tsr_csv_load(NULL, argv[1], NULL, &table, &columns), done);
  printf("%d rows, %d columns\n", (int)table.shape[0], (int)table.shape[1]);

  /* The mean of each column: over axis 0. A missing field is NaN, and is left out here. */
  const tsr_selection known = {.skip_nan = true};
  TSR_TRY(st, tsr_mean_where(NULL, &table, &known, TSR_AXES(0), false, &mean), done);
  for (tsr_index i = 0; i < columns.count; i++)
    printf("%-8s %6.2f\n", columns.pairs[i].value, TSR_AT(double, &mean, i));

  /* Columns are views of the table: no copies, nothing to release. */
  TSR_TRY(st, tsr_select(NULL, &table, 1, 1, &inside), done);
  TSR_TRY(st, tsr_select(NULL, &table, 1, 2, &outside), done);
  TSR_TRY(st, tsr_sub(NULL, &inside, &outside, &warmer), done);
  TSR_TRY(st, tsr_print(NULL, &warmer, NULL, stdout), done);

  /* Shapes broadcast: [8,4] - [4]. The result is a file that NumPy reads. */
  TSR_TRY(st, tsr_sub(NULL, &table, &mean, &centred), done);
  TSR_TRY(st, tsr_npy_save(NULL, argv[2], &centred), done);
done:
  if (st != TSR_OK) printf("%s\n", tsr_error(NULL));
  tsr_release(&centred);
  tsr_release(&warmer);
  tsr_release(&mean);
  tsr_release(&table);
  tsr_metadata_release(&columns);
  return st;
}
