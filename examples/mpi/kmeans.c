/* k-means on a file that is shared out between processes: the same centres, to the last bit, with any number of them.
 *
 *     scripts/mpi-run 4 build/examples/mpi/kmeans points.npy
 *
 * Without a file of that name, one is made first, by all processes together. */
#include <stdio.h>
#include <tessera/dist.h>
#include <tessera/tessera.h>
#include <unistd.h>

enum { CLUSTERS = 3, ROUNDS = 8, POINTS = 30000, DIMENSIONS = 2 };

/* Three clouds: normal numbers around three places, which one depends on the row. */
static tsr_status make_points(tsr_comm *world, const char *path) {
  tsr_dist noise = TSR_DIST_EMPTY, row = TSR_DIST_EMPTY, points = TSR_DIST_EMPTY;
  tsr_rng rng = tsr_rng_seed(7);
  tsr_status st;
  TSR_TRY(st, tsr_dist_rand_normal(NULL, world, &rng, TSR_F64, TSR_SHAPE(POINTS, DIMENSIONS), NULL, &noise), done);
  TSR_TRY(st, tsr_dist_rand_uniform(NULL, world, &rng, TSR_F64, TSR_SHAPE(POINTS, 1), 0, 3, NULL, &row), done);
  const tsr_dist_named named[] = {{"noise", &noise, NULL}, {"row", &row, NULL}};
  TSR_TRY(st, tsr_dist_eval(NULL, "noise + 4 * floor(row)", 2, named, NULL, &points), done);
  TSR_TRY(st, tsr_dist_save(NULL, path, TSR_FORMAT_NPY, 1, &(tsr_dist_named){"points", &points, NULL}, NULL), done);
done:
  tsr_dist_release(&noise), tsr_dist_release(&row), tsr_dist_release(&points);
  return st;
}

/* Squared distances of all points (N, 1) from a centre (D). */
static tsr_status distances(const tsr_dist *points, const tsr_tensor *centre, tsr_dist *out) {
  const tsr_dist_named named[] = {{"x", points, NULL}, {"c", NULL, centre}};
  return tsr_dist_eval(NULL, "sum((x - c) ** 2, axis=1, keepdims=True)", 2, named, NULL, out);
}

/* The mean of the points for which d is the least of all distances; a centre without points stays. */
static tsr_status move_centre(const tsr_dist *points, const tsr_dist *d, const tsr_dist *least, tsr_tensor *centre) {
  tsr_dist mine = TSR_DIST_EMPTY, is_mine = TSR_DIST_EMPTY, sum = TSR_DIST_EMPTY, count = TSR_DIST_EMPTY;
  const tsr_dist_named named[] = {{"x", points, NULL}, {"d", d, NULL}, {"least", least, NULL}};
  tsr_status st;
  TSR_TRY(st, tsr_dist_eval(NULL, "where(d == least, x, 0)", 3, named, NULL, &mine), done);
  TSR_TRY(st, tsr_dist_eval(NULL, "d == least", 3, named, NULL, &is_mine), done);
  TSR_TRY(st, tsr_dist_reduce(NULL, "sum", &mine, TSR_AXES(0), false, &sum), done);
  TSR_TRY(st, tsr_dist_reduce(NULL, "count_nonzero", &is_mine, 0, NULL, false, &count), done);
  const int64_t n = TSR_AT(int64_t, &count.local);
  tsr_tensor all = {0}; /* every rank's: a sum of two numbers can be divided too */
  TSR_TRY(st, tsr_dist_gather(NULL, &sum, -1, &all), done);
  if (n > 0) st = tsr_div_scalar(NULL, &all, (double)n, centre);
  tsr_release(&all);
done:
  tsr_dist_release(&mine), tsr_dist_release(&is_mine), tsr_dist_release(&sum), tsr_dist_release(&count);
  return st;
}

static tsr_status one_round(const tsr_dist *points, tsr_tensor *centres) {
  tsr_dist d[CLUSTERS] = {TSR_DIST_EMPTY}, least = TSR_DIST_EMPTY;
  tsr_status st = TSR_OK;
  for (int k = 0; k < CLUSTERS && st == TSR_OK; k++) st = distances(points, &centres[k], &d[k]);
  const tsr_dist_named named[] = {{"a", &d[0], NULL}, {"b", &d[1], NULL}, {"c", &d[2], NULL}};
  if (st == TSR_OK) st = tsr_dist_eval(NULL, "minimum(minimum(a, b), c)", CLUSTERS, named, NULL, &least);
  for (int k = 0; k < CLUSTERS && st == TSR_OK; k++) st = move_centre(points, &d[k], &least, &centres[k]);
  for (int k = 0; k < CLUSTERS; k++) tsr_dist_release(&d[k]);
  tsr_dist_release(&least);
  return st;
}

int main(int argc, char **argv) {
  const char *const path = argc > 1 ? argv[1] : "points.npy";
  double start[CLUSTERS][DIMENSIONS] = {{-1, -1}, {3, 5}, {9, 9}};
  tsr_tensor centres[CLUSTERS] = {{0}};
  tsr_dist points = TSR_DIST_EMPTY;
  tsr_comm *world = NULL;
  tsr_status st;
  TSR_TRY(st, tsr_comm_new(NULL, NULL, &world), done);
  int is_there = access(path, R_OK) == 0;
  tsr_tensor answer = {0}; /* of the first: a file that is made meanwhile is not there for all at one time */
  TSR_TRY(st, tsr_from_memory(NULL, &is_there, TSR_I32, 0, NULL, &answer), done);
  TSR_TRY(st, tsr_comm_broadcast(NULL, world, 0, &answer, NULL), done);
  if (!is_there) TSR_TRY(st, make_points(world, path), done);
  TSR_TRY(st, tsr_dist_load(NULL, world, path, NULL, NULL, &points), done);
  for (int k = 0; k < CLUSTERS; k++)
    TSR_TRY(st, tsr_from_memory(NULL, start[k], TSR_F64, TSR_SHAPE(DIMENSIONS), &centres[k]), done);
  for (int round = 0; round < ROUNDS; round++) TSR_TRY(st, one_round(&points, centres), done);
  for (int k = 0; k < CLUSTERS && tsr_comm_rank(world) == 0; k++)
    printf("centre %d: %.17g %.17g\n", k, start[k][0], start[k][1]);
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_dist_release(&points);
  tsr_comm_release(world);
  return st;
}
