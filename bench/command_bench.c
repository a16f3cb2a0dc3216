/* The command as a process, beside the least that a process can do: map the same files and read every byte once, on the
 * same threads. bench_command [TESSERA [FOLDER]]: the command (beside this program), a folder in memory (/dev/shm). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tessera/tessera.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { ELEMENTS = 1 << 27, MANY = 10000, REPEATS = 7, PATH = 600 };

static char folder[PATH / 2], files[4][PATH]; /* numbers, near ones, the same again, many small tensors */

static void must(tsr_status st) {
  if (st == TSR_OK) return;
  fprintf(stderr, "%s\n", tsr_error(NULL));
  exit(1);
}

/* ---- files ---- */

static void write_numbers(void) {
  tsr_tensor x = {0};
  tsr_rng rng = tsr_rng_seed(1);
  must(tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(ELEMENTS / 1024, 1024), &x));
  must(tsr_npy_save(NULL, files[0], &x));
  must(tsr_npy_save(NULL, files[2], &x));
  must(tsr_mul_scalar(NULL, &x, 1.000001, &x));
  must(tsr_npy_save(NULL, files[1], &x));
  tsr_release(&x);
}

static void write_many(void) {
  tsr_bundle bundle = {0};
  must(tsr_bundle_init(NULL, &bundle));
  for (int i = 0; i < MANY; i++) {
    tsr_tensor x = {0};
    char name[64];
    snprintf(name, sizeof name, "model.layers.%d.block.%d.weight", i / 10, i % 10);
    must(tsr_zeros(NULL, TSR_F32, TSR_SHAPE(4, 4), &x));
    must(tsr_bundle_add(NULL, &bundle, name, &x));
  }
  must(tsr_bundle_save(NULL, files[3], TSR_FORMAT_AUTO, &bundle, NULL));
  tsr_bundle_release(&bundle);
}

/* ---- the bare reader: this program, called with --read ---- */

static uint64_t sums[256];

static void read_words(void *arg, tsr_index begin, tsr_index end, int worker) {
  const uint64_t *words = arg;
  uint64_t a = 0, b = 0, c = 0, d = 0;
  for (tsr_index i = begin * 8192; i < end * 8192; i += 4)
    a += words[i], b += words[i + 1], c += words[i + 2], d += words[i + 3];
  sums[worker & 255] += a + b + c + d;
}

static int read_all(int count, char **paths) {
  const tsr_parallel *parallel = tsr_parallel_default();
  for (int i = 0; i < count; i++) {
    tsr_tensor bytes = {0};
    must(tsr_mmap_load(NULL, paths[i], TSR_ACCESS_READ, &bytes));
    parallel->parallel_for(parallel->self, tsr_size(&bytes) / 65536, 16, read_words, bytes.data);
    tsr_release(&bytes);
  }
  return sums[0] == 42; /* they were read */
}

/* ---- processes ---- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The shortest of several runs; the exit code does not matter. */
static double timed(char **argv) {
  double best = 1e9;
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  for (int i = 0; i < REPEATS; i++) {
    pid_t pid;
    int status;
    const double begin = seconds();
    if (posix_spawn(&pid, argv[0], &quiet, NULL, argv, environ) != 0)
      return fprintf(stderr, "%s: %s\n", argv[0], strerror(errno)), exit(1), 0;
    waitpid(pid, &status, 0);
    const double took = seconds() - begin;
    best = took < best ? took : best;
  }
  posix_spawn_file_actions_destroy(&quiet);
  return best;
}

static void row(const char *what, double bytes, double took, double least) {
  printf("%-34s %8.1f ms %8.2f GB/s", what, 1e3 * took, bytes / took / 1e9);
  if (least > 0) printf(" %6.0f %% of reading", 100 * least / took);
  printf("\n");
}

int main(int argc, char **argv) {
  char command[PATH], out[PATH];
  if (argc > 1 && strcmp(argv[1], "--read") == 0) return read_all(argc - 2, argv + 2);
  const char *slash = strrchr(argv[0], '/');
  snprintf(command, sizeof command, "%.*s/tessera", slash != NULL ? (int)(slash - argv[0]) : 1,
           slash != NULL ? argv[0] : ".");
  if (argc > 1) snprintf(command, sizeof command, "%s", argv[1]);
  snprintf(folder, sizeof folder, "%s/tessera-bench-XXXXXX", argc > 2 ? argv[2] : "/dev/shm");
  if (mkdtemp(folder) == NULL) return fprintf(stderr, "%s: %s\n", folder, strerror(errno)), 1;
  static const char *const names[] = {"a.npy", "near.npy", "same.npy", "many.safetensors"};
  for (int i = 0; i < 4; i++) snprintf(files[i], PATH, "%s/%s", folder, names[i]);
  snprintf(out, sizeof out, "%s/out.safetensors", folder);
  write_numbers();
  write_many();
  const double bytes = 4.0 * ELEMENTS;
  const double one = timed((char *[]){argv[0], "--read", files[0], NULL});
  const double two = timed((char *[]){argv[0], "--read", files[0], files[1], NULL});
  row("read one file, mapped", bytes, one, 0);
  row("stats", bytes, timed((char *[]){command, "stats", files[0], NULL}), one);
  row("read two files, mapped", 2 * bytes, two, 0);
  row("diff, all elements differ", 2 * bytes, timed((char *[]){command, "diff", files[0], files[1], NULL}), two);
  row("diff, the same", 2 * bytes, timed((char *[]){command, "diff", files[0], files[2], NULL}), two);
  row("convert f32 to bf16", bytes, timed((char *[]){command, "convert", "--dtype", "bf16", files[0], out, NULL}), 0);
  printf("%-34s %8.1f ms\n", "ls of 10,000 tensors", 1e3 * timed((char *[]){command, "ls", files[3], NULL}));
  for (int i = 0; i < 4; i++) remove(files[i]);
  remove(out);
  rmdir(folder);
  return 0;
}
