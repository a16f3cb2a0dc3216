/* Files of all ranks: the same bytes as one process writes, and what is read of them. */
#include "mpi/ranks.h"

#include <tessera/dist.h>

static char folder[256];

static void in_folder(const char *name, char *path, size_t capacity) {
  (void)snprintf(path, capacity, "%s/%s", folder, name);
}

/* A folder that all ranks know: the first one's. */
static void make_folder(void) {
  (void)snprintf(folder, sizeof folder, "%s/tsr-mpi-%ld", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp",
                 (long)getpid());
  (void)MPI_Bcast(folder, sizeof folder, MPI_BYTE, 0, MPI_COMM_WORLD);
  char command[300];
  (void)snprintf(command, sizeof command, "mkdir -p '%s'", folder);
  if (rank == 0) CHECK(system(command) == 0);
  OK(NULL, tsr_comm_barrier(NULL, world));
}

static void remove_folder(void) {
  char command[300];
  OK(NULL, tsr_comm_barrier(NULL, world));
  (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
  if (rank == 0) CHECK(system(command) == 0);
}

static bool same_files(const char *a, const char *b) {
  tsr_tensor x = {0}, y = {0};
  bool same =
      tsr_mmap_load(NULL, a, TSR_ACCESS_READ, &x) == TSR_OK && tsr_mmap_load(NULL, b, TSR_ACCESS_READ, &y) == TSR_OK;
  same = same && same_bits(&x, &y);
  tsr_release(&x), tsr_release(&y);
  return same;
}

static void make(int dtype, int ndim, const tsr_index *shape, const tsr_dist_layout *layout, tsr_tensor *whole,
                 tsr_dist *x) {
  *whole = (tsr_tensor){0};
  *x = (tsr_dist){.comm = NULL};
  OK(NULL, tsr_empty(NULL, dtype, ndim, shape, whole));
  fill_random(whole, (uint64_t)dtype);
  OK(NULL, tsr_dist_scatter(NULL, world, 0, rank == 0 ? whole : NULL, layout, x));
}

static void npy_case(int dtype, int ndim, const tsr_index *shape, const tsr_dist_layout *layout) {
  char one[300], many[300];
  tsr_tensor whole, all = {0};
  tsr_dist x, y = TSR_DIST_EMPTY;
  in_folder("one.npy", one, sizeof one);
  in_folder("many.npy", many, sizeof many);
  make(dtype, ndim, shape, layout, &whole, &x);
  if (rank == 0) OK(NULL, tsr_npy_save(NULL, one, &whole));
  OK(NULL, tsr_dist_save(NULL, many, TSR_FORMAT_AUTO, 1, &(tsr_dist_named){"x", &x, NULL}, NULL));
  if (rank == 0) CHECK(same_files(one, many));
  const tsr_dist_layout halos = {.grid = {layout != NULL ? 1 : size, layout != NULL ? size : 1}, .halo = {1}};
  OK(NULL, tsr_dist_load(NULL, world, many, NULL, layout == NULL || dtype == TSR_BF16 ? NULL : &halos, &y));
  if (layout == NULL && dtype != TSR_BF16 && shape[0] >= size && tsr_size(&whole) > 0)
    CHECK((y.local.flags & TSR_READONLY) != 0);
  OK(NULL, tsr_dist_gather(NULL, &y, -1, &all));
  CHECK(same_bits(&all, &whole));
  OK(NULL, tsr_comm_barrier(NULL, world)); /* before the files are written anew */
  tsr_release(&whole), tsr_release(&all), tsr_dist_release(&x), tsr_dist_release(&y);
}

TEST(npy_files_are_those_of_one_process) {
  static const tsr_index shape[] = {11, 13, 3}, flat[] = {1000}, none[] = {7, 0};
  const tsr_dist_layout columns = {.grid = {1, size}};
  make_folder();
  npy_case(TSR_F32, 3, shape, NULL);
  npy_case(TSR_F32, 3, shape, &columns);
  npy_case(TSR_BF16, 3, shape, &columns);
  npy_case(TSR_C128, 1, flat, NULL);
  npy_case(TSR_BOOL, 1, flat, NULL);
  npy_case(TSR_I16, 2, none, NULL);
  remove_folder();
}

TEST(safetensors_are_those_of_one_process) {
  static const tsr_index shape[] = {8, 9, 4}, flat[] = {77}, few[] = {5};
  const tsr_dist_layout columns = {.grid = {1, size}}, copies = {.grid = {1}};
  char one[300], many[300];
  tsr_tensor whole[4] = {{0}}, held = {0};
  tsr_dist x[3], y = TSR_DIST_EMPTY;
  tsr_bundle bundle;
  make_folder();
  in_folder("one.safetensors", one, sizeof one);
  in_folder("many.safetensors", many, sizeof many);
  make(TSR_F16, 3, shape, &columns, &whole[0], &x[0]);
  make(TSR_F64, 1, flat, NULL, &whole[1], &x[1]);
  make(TSR_I32, 1, few, &copies, &whole[2], &x[2]);
  OK(NULL, tsr_ones(NULL, TSR_U8, TSR_SHAPE(3), &whole[3]));
  const tsr_dist_named named[] = {
      {"w", &x[0], NULL}, {"bias", &x[1], NULL}, {"steps", &x[2], NULL}, {"flags", NULL, &whole[3]}};
  OK(NULL, tsr_dist_save(NULL, many, TSR_FORMAT_AUTO, 4, named, NULL));
  OK(NULL, tsr_bundle_init(NULL, &bundle));
  for (int i = 0; i < 4; i++) {
    OK(NULL, tsr_share(NULL, &whole[i], &held));
    OK(NULL, tsr_bundle_add(NULL, &bundle, named[i].name, &held));
  }
  if (rank == 0) {
    OK(NULL, tsr_bundle_save(NULL, one, TSR_FORMAT_AUTO, &bundle, NULL));
    CHECK(same_files(one, many));
  }
  OK(NULL, tsr_dist_load(NULL, world, many, "w", NULL, &y));
  tsr_tensor all = {0};
  OK(NULL, tsr_dist_gather(NULL, &y, -1, &all));
  CHECK(same_bits(&all, &whole[0]));
  tsr_dist_release(&y);
  FAILS(NULL, TSR_ENAME, tsr_dist_load(NULL, world, many, NULL, NULL, &y));
  FAILS(NULL, TSR_ENAME, tsr_dist_load(NULL, world, many, "v", NULL, &y));
  OK(NULL, tsr_comm_save_from(NULL, world, many, TSR_FORMAT_AUTO, &bundle, NULL, NULL));
  if (rank == 0) CHECK(same_files(one, many));
  remove_folder();
  tsr_bundle_release(&bundle);
  tsr_release(&all);
  for (int i = 0; i < 4; i++) tsr_release(&whole[i]);
  for (int i = 0; i < 3; i++) tsr_dist_release(&x[i]);
}

TEST(a_file_that_cannot_be_is_an_error_on_every_rank) {
  static const tsr_index shape[] = {4};
  tsr_dist x = TSR_DIST_EMPTY, y = TSR_DIST_EMPTY;
  OK(NULL, tsr_dist_zeros(NULL, world, TSR_F32, 1, shape, NULL, &x));
  const tsr_dist_named named = {"x", &x, NULL};
  FAILS(NULL, TSR_EIO, tsr_dist_save(NULL, "/no/such/folder/x.npy", TSR_FORMAT_AUTO, 1, &named, NULL));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_dist_save(NULL, "/tmp/x.csv", TSR_FORMAT_AUTO, 1, &named, NULL));
  FAILS(NULL, TSR_EIO, tsr_dist_load(NULL, world, "/no/such/file.npy", NULL, NULL, &y));
  CHECK(y.comm == NULL);
  tsr_dist_release(&x);
}

RANKS_MAIN(RUN(npy_files_are_those_of_one_process), RUN(safetensors_are_those_of_one_process),
           RUN(a_file_that_cannot_be_is_an_error_on_every_rank))
