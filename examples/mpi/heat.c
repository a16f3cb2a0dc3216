/* The heat equation on a plate that is divided into rows, with halos: what needs no neighbour is computed while theirs arrive. The picture and
 * the numbers are the same with any number of processes.
 *
 *     scripts/mpi-run 4 build/examples/mpi/heat plate.png */
#include <stdio.h>
#include <tessera/dist.h>
#include <tessera/png.h>
#include <tessera/tessera.h>

enum { ROWS = 120, COLUMNS = 160, STEPS = 400 };

/* Rows [first, first + count) of the part, from u to v; both have a halo of one row and one column. */
static tsr_status update(const tsr_dist *u, tsr_dist *v, tsr_index first, tsr_index count) {
  tsr_tensor middle = {0}, north = {0}, south = {0}, west = {0}, east = {0}, to = {0}, rows = {0};
  tsr_status st;
  if (count <= 0) return TSR_OK;
  TSR_TRY(st, tsr_narrow(NULL, &u->local, 0, 1 + first, count, &rows), done);
  TSR_TRY(st, tsr_narrow(NULL, &rows, 1, 1, COLUMNS, &middle), done);
  TSR_TRY(st, tsr_narrow(NULL, &rows, 1, 0, COLUMNS, &west), done);
  TSR_TRY(st, tsr_narrow(NULL, &rows, 1, 2, COLUMNS, &east), done);
  TSR_TRY(st, tsr_narrow(NULL, &u->local, 0, first, count, &rows), done);
  TSR_TRY(st, tsr_narrow(NULL, &rows, 1, 1, COLUMNS, &north), done);
  TSR_TRY(st, tsr_narrow(NULL, &u->local, 0, 2 + first, count, &rows), done);
  TSR_TRY(st, tsr_narrow(NULL, &rows, 1, 1, COLUMNS, &south), done);
  TSR_TRY(st, tsr_narrow(NULL, &v->local, 0, 1 + first, count, &rows), done);
  TSR_TRY(st, tsr_narrow(NULL, &rows, 1, 1, COLUMNS, &to), done);
  st = tsr_eval(NULL, "u + 0.24 * ((n + s) + (w + e) - 4 * u)",
                TSR_NAMED({"u", &middle}, {"n", &north}, {"s", &south}, {"w", &west}, {"e", &east}), &to);
done:
  return st;
}

/* One step; the outermost rows wait for the neighbours. */
static tsr_status step(tsr_dist *u, tsr_dist *v) {
  tsr_comm_request *request = NULL;
  const tsr_index rows = u->local.shape[0] - 2;
  tsr_status st = tsr_dist_exchange(NULL, u, false, &request);
  if (st == TSR_OK) st = update(u, v, 1, rows - 2);
  const tsr_status arrived = tsr_comm_wait(NULL, &request);
  if (st == TSR_OK) st = arrived;
  if (st == TSR_OK) st = update(u, v, 0, 1);
  if (st == TSR_OK && rows > 1) st = update(u, v, rows - 1, 1);
  return st;
}

/* A hot square, of which each rank has what is in its rows. */
static void heat_square(tsr_dist *u) {
  for (tsr_index i = 40; i < 80; i++)
    for (tsr_index j = 50; j < 90; j++) {
      const tsr_index row = i - u->first[0] + 1; /* behind the halo */
      if (row >= 1 && row < u->local.shape[0] - 1) TSR_AT(float, &u->local, row, j + 1) = 100;
    }
}

/* The whole on the first rank, as a picture. */
static tsr_status draw(const tsr_dist *u, const char *path) {
  tsr_tensor whole = {0}, scaled = {0}, picture = {0};
  tsr_status st;
  const bool is_first = tsr_comm_rank(u->comm) == 0;
  TSR_TRY(st, tsr_dist_gather(NULL, u, 0, is_first ? &whole : NULL), done);
  if (!is_first) goto done;
  TSR_TRY(st, tsr_eval(NULL, "minimum(u * 2.55, 255)", TSR_NAMED({"u", &whole}), &scaled), done);
  TSR_TRY(st, tsr_cast(NULL, &scaled, TSR_U8, &picture), done);
  TSR_TRY(st, tsr_png_save(NULL, path, &picture, NULL), done);
done:
  tsr_release(&whole), tsr_release(&scaled), tsr_release(&picture);
  return st;
}

int main(int argc, char **argv) {
  tsr_comm *world = NULL;
  tsr_dist u = TSR_DIST_EMPTY, v = TSR_DIST_EMPTY, sum = TSR_DIST_EMPTY, most = TSR_DIST_EMPTY;
  tsr_status st;
  TSR_TRY(st, tsr_comm_new(NULL, NULL, &world), done);
  const tsr_dist_layout rows = {.grid = {tsr_comm_size(world)}, .halo = {1, 1}};
  TSR_TRY(st, tsr_dist_zeros(NULL, world, TSR_F32, TSR_SHAPE(ROWS, COLUMNS), &rows, &u), done);
  TSR_TRY(st, tsr_dist_zeros(NULL, world, TSR_F32, TSR_SHAPE(ROWS, COLUMNS), &rows, &v), done);
  heat_square(&u);
  for (int i = 0; i < STEPS; i += 2) {
    TSR_TRY(st, step(&u, &v), done);
    TSR_TRY(st, step(&v, &u), done);
  }
  TSR_TRY(st, tsr_dist_reduce(NULL, "sum", &u, 0, NULL, false, &sum), done);
  TSR_TRY(st, tsr_dist_reduce(NULL, "max", &u, 0, NULL, false, &most), done);
  if (tsr_comm_rank(world) == 0)
    printf("after %d steps: heat %.9g, at most %.9g\n", STEPS, (double)TSR_AT(float, &sum.local),
           (double)TSR_AT(float, &most.local));
  if (argc > 1) st = draw(&u, argv[1]);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_dist_release(&u), tsr_dist_release(&v), tsr_dist_release(&sum), tsr_dist_release(&most);
  tsr_comm_release(world);
  return st;
}
