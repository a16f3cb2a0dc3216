/* A rank that is gone in the middle of allreduces: killed, or ended as if nothing were. The others must not wait for ever; what they say is read
 * by dying.sh. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tessera/mpi.h>
#include <tessera/ops.h>
#include <unistd.h>

int main(int argc, char **argv) {
  tsr_comm *world = NULL;
  tsr_tensor x = {0}, y = {0};
  if (argc < 2 || tsr_comm_new(NULL, NULL, &world) != TSR_OK) return 2;
  tsr_status st = tsr_comm_set_timeout(NULL, world, 1.5, NULL, NULL);
  if (st == TSR_OK) st = tsr_ones(NULL, TSR_F32, TSR_SHAPE(100000), &x);
  for (int i = 0; st == TSR_OK && i < 1000; i++) {
    if (i == 20 && tsr_comm_rank(world) == tsr_comm_size(world) - 1) {
      if (strcmp(argv[1], "killed") == 0) (void)raise(SIGKILL);
      if (strcmp(argv[1], "silent") == 0) (void)sleep(600);
    }
    st = tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &x, &y, NULL);
  }
  if (st != TSR_OK) (void)fprintf(stderr, "%s\n", tsr_error(NULL));
  return st == TSR_OK ? 0 : 1;
}
