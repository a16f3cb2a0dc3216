/* Collectives on tensors beside MPI's own calls on the same memory: contiguous, where the library can only lose; and strided, beside MPI's derived
 * datatypes. Both in turns, the least of many rounds; a round is as long as its slowest rank.
 *
 *     scripts/mpi-run 2 build/bench/mpi/mpi_bench [LARGEST BYTES] */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/dist.h>
#include <tessera/tessera.h>

static tsr_comm *world;
static int rank, size;
static MPI_Comm comm;

/* What is measured: a tensor x, an output, and the same as memory. */
typedef struct subject {
  tsr_tensor x, y;
  float *from, *to;
  int count;
  MPI_Datatype column; /* of the strided one */
} subject;

typedef int run_fn(subject *s);

static int ours_allreduce(subject *s) { return tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &s->x, &s->y, NULL); }
static int mpi_allreduce(subject *s) { return MPI_Allreduce(s->from, s->to, s->count, MPI_FLOAT, MPI_SUM, comm); }
static int ours_allgather(subject *s) { return tsr_comm_allgather(NULL, world, 0, &s->x, &s->y, NULL); }
static int mpi_allgather(subject *s) {
  return MPI_Allgather(s->from, s->count, MPI_FLOAT, s->to, s->count, MPI_FLOAT, comm);
}
static int ours_alltoall(subject *s) { return tsr_comm_alltoall(NULL, world, 0, 0, &s->x, &s->y, NULL); }
static int mpi_alltoall(subject *s) {
  return MPI_Alltoall(s->from, s->count / size, MPI_FLOAT, s->to, s->count / size, MPI_FLOAT, comm);
}
static int ours_strided(subject *s) { return tsr_comm_allgather(NULL, world, 0, &s->x, &s->y, NULL); }
static int mpi_strided(subject *s) { return MPI_Allgather(s->from, 1, s->column, s->to, s->count, MPI_FLOAT, comm); }
static int ours_agreement(subject *s) { return (void)s, tsr_comm_barrier(NULL, world); }
static int mpi_barrier(subject *s) { return (void)s, MPI_Barrier(comm); }

/* Seconds of one call on the slowest rank. */
static double once(run_fn *run, subject *s) {
  static bool said;
  double all = 0;
  (void)MPI_Barrier(comm);
  const double began = MPI_Wtime();
  const bool failed = run(s) != 0;
  if (failed && !said) (void)fprintf(stderr, "%s\n", tsr_error(NULL));
  said = said || failed;
  const double took = MPI_Wtime() - began;
  (void)MPI_Allreduce(&took, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
  return all;
}

static void compare(const char *name, size_t bytes, run_fn *ours, run_fn *theirs, subject *s) {
  double a = 1e9, b = 1e9;
  const int rounds = bytes > 1u << 24 ? 7 : bytes > 1u << 18 ? 25 : 200;
  for (int i = 0; i < rounds; i++) {
    const double x = once(ours, s), y = once(theirs, s);
    a = x < a ? x : a;
    b = y < b ? y : b;
  }
  if (rank == 0) printf("%-24s %10zu %12.1f %12.1f %8.2f\n", name, bytes, a * 1e6, b * 1e6, a / b);
}

static void contiguous(size_t bytes) {
  subject s = {.count = (int)(bytes / sizeof(float))};
  if (s.count < size) s.count = size;
  const tsr_index n = s.count;
  tsr_tensor one = {0}, all = {0};
  tsr_status st = tsr_ones(NULL, TSR_F32, TSR_SHAPE(n), &one);
  if (st == TSR_OK) st = tsr_zeros(NULL, TSR_F32, TSR_SHAPE(n * size), &all);
  if (st != TSR_OK) return;
  s.from = one.data, s.to = all.data, s.x = one;
  st = tsr_narrow(NULL, &all, 0, 0, n, &s.y);
  compare("allreduce, fixed order", bytes, ours_allreduce, mpi_allreduce, &s);
  if (st == TSR_OK) st = tsr_comm_set_any_order(NULL, world, true);
  compare("allreduce, any order", bytes, ours_allreduce, mpi_allreduce, &s);
  if (st == TSR_OK) st = tsr_comm_set_checks(NULL, world, false);
  compare("  without checks", bytes, ours_allreduce, mpi_allreduce, &s);
  if (st == TSR_OK) st = tsr_comm_set_checks(NULL, world, true);
  if (st == TSR_OK) st = tsr_comm_set_any_order(NULL, world, false);
  s.y = all;
  compare("allgather", bytes, ours_allgather, mpi_allgather, &s);
  s.y = (tsr_tensor){0};
  if (st == TSR_OK && n % size == 0) {
    st = tsr_narrow(NULL, &all, 0, 0, n, &s.y);
    if (st == TSR_OK) compare("alltoall", bytes, ours_alltoall, mpi_alltoall, &s);
  }
  tsr_release(&one), tsr_release(&all);
  if (st != TSR_OK) (void)fprintf(stderr, "%s\n", tsr_error(NULL));
}

/* A matrix whose rows are its columns in memory: transposed. */
static void strided(size_t bytes) {
  tsr_index n = 1;
  while ((size_t)(4 * n * n) * sizeof(float) <= bytes) n *= 2;
  tsr_tensor matrix = {0}, all = {0};
  subject s = {.count = (int)(n * n)};
  MPI_Datatype row;
  tsr_status st = tsr_ones(NULL, TSR_F32, TSR_SHAPE(n, n), &matrix);
  if (st == TSR_OK) st = tsr_transpose(NULL, &matrix, 0, 1, &s.x);
  if (st == TSR_OK) st = tsr_zeros(NULL, TSR_F32, TSR_SHAPE(n * size, n), &all);
  if (st != TSR_OK) return;
  s.y = all, s.from = matrix.data, s.to = all.data;
  (void)MPI_Type_vector((int)n, 1, (int)n, MPI_FLOAT, &row);
  (void)MPI_Type_create_hvector((int)n, 1, sizeof(float), row, &s.column);
  (void)MPI_Type_commit(&s.column);
  compare("allgather, transposed", (size_t)s.count * sizeof(float), ours_strided, mpi_strided, &s);
  (void)MPI_Type_free(&s.column);
  (void)MPI_Type_free(&row);
  tsr_release(&matrix), tsr_release(&all);
}

int main(int argc, char **argv) {
  const size_t largest = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : (size_t)1 << 26;
  if (tsr_comm_new(NULL, NULL, &world) != TSR_OK) return 1;
  comm = *(const MPI_Comm *)tsr_comm_native(world);
  rank = tsr_comm_rank(world);
  size = tsr_comm_size(world);
  subject none = {.count = 0};
  if (rank == 0)
    printf("%d ranks; microseconds, the least\n%-24s %10s %12s %12s %8s\n", size, "", "bytes", "tessera", "MPI",
           "ratio");
  compare("barrier, agreement", 0, ours_agreement, mpi_barrier, &none);
  for (size_t bytes = 4; bytes <= largest; bytes *= 16) contiguous(bytes);
  for (size_t bytes = 1 << 14; bytes <= largest; bytes *= 16) strided(bytes);
  tsr_comm_release(world);
  return 0;
}
