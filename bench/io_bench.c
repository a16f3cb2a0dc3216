/* What files cost: opening safetensors of 1 GB and of 10,000 tensors, .npy read and mapped. Files are in the system's
 * cache; medians of rounds. bench_io [FOLDER]: where the files go (1.1 GB), /dev/shm or /tmp when it is not given. */
#define _XOPEN_SOURCE 700 /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 9, MANY = 10000 };

static double now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void must(tsr_status st) {
  if (st == TSR_OK) return;
  (void)fprintf(stderr, "bench_io: %s\n", tsr_error(NULL));
  exit(1);
}

static char path[512];
static const char *file_in(const char *folder, const char *name) {
  (void)snprintf(path, sizeof path, "%s/tessera_bench_%ld_%s", folder, (long)getpid(), name);
  return path;
}

/* ---- what is measured ---- */

static void open_one(const char *file) {
  tsr_bundle b = TSR_EMPTY;
  const tsr_tensor *t;
  must(tsr_safetensors_load(NULL, file, NULL, &b, NULL));
  must(tsr_bundle_get(NULL, &b, "layer.15", &t));
  if (t->ndim != 2) exit(1);
  tsr_bundle_release(&b);
}

static void list_many(const char *file) {
  tsr_bundle b = TSR_EMPTY;
  must(tsr_safetensors_load(NULL, file, NULL, &b, NULL));
  if (b.count != MANY) exit(1);
  tsr_bundle_release(&b);
}

static void read_npy(const char *file) {
  tsr_tensor t = TSR_EMPTY;
  must(tsr_npy_load(NULL, file, &t));
  tsr_release(&t);
}

static void map_npy(const char *file) {
  tsr_tensor t = TSR_EMPTY;
  must(tsr_npy_map(NULL, file, TSR_ACCESS_READ, NULL, &t));
  tsr_release(&t);
}

static void row(const char *title, void (*run)(const char *), const char *file) {
  double times[ROUNDS];
  run(file);
  for (int i = 0; i < ROUNDS; i++) {
    const double start = now_ms();
    run(file);
    times[i] = now_ms() - start;
  }
  qsort(times, ROUNDS, sizeof times[0], by_size);
  printf("%-52s %10.3f ms  (%.3f … %.3f)\n", title, times[ROUNDS / 2], times[0], times[ROUNDS - 1]);
}

/* Memory of this process now, without what the map has in the system's cache and has not touched. */
static long resident_kb(void) {
  long all = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL) return 0;
  if (fscanf(f, "%ld %ld", &all, &resident) != 2) resident = 0;
  (void)fclose(f);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void print_resident(const char *file) {
  tsr_bundle b = TSR_EMPTY;
  const long before = resident_kb();
  must(tsr_safetensors_load(NULL, file, NULL, &b, NULL));
  printf("%-52s %10ld KB\n", "  more resident memory while it is open", resident_kb() - before);
  tsr_bundle_release(&b);
}

/* ---- the files ---- */

/* 32 tensors of 32 MB over one buffer. */
static void make_large(const char *file) {
  tsr_bundle b = TSR_EMPTY;
  tsr_tensor data = TSR_EMPTY;
  must(tsr_zeros(NULL, TSR_F32, TSR_SHAPE(8192, 1024), &data));
  for (int i = 0; i < 32; i++) {
    char name[32];
    tsr_tensor t = TSR_EMPTY;
    (void)snprintf(name, sizeof name, "layer.%d", i);
    must(tsr_share(NULL, &data, &t));
    must(tsr_bundle_add(NULL, &b, name, &t));
  }
  must(tsr_safetensors_save(NULL, file, &b, NULL, NULL));
  tsr_bundle_release(&b);
  tsr_release(&data);
}

static void make_many(const char *file) {
  static const float zeros[64];
  tsr_bundle b = TSR_EMPTY;
  for (int i = 0; i < MANY; i++) {
    char name[64];
    tsr_tensor t = TSR_EMPTY;
    (void)snprintf(name, sizeof name, "model.layers.%d.attention.projection.weight", i);
    must(tsr_from_const_memory(NULL, zeros, TSR_F32, TSR_SHAPE(8, 8), &t));
    must(tsr_bundle_add(NULL, &b, name, &t));
  }
  must(tsr_safetensors_save(NULL, file, &b, NULL, NULL));
  tsr_bundle_release(&b);
}

static void make_npy(const char *file, tsr_index rows) {
  tsr_tensor data = TSR_EMPTY;
  must(tsr_zeros(NULL, TSR_F32, TSR_SHAPE(rows, 1024), &data));
  must(tsr_npy_save(NULL, file, &data));
  tsr_release(&data);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  const char *file = file_in(folder, "many");
  make_many(file);
  row("safetensors, 10,000 tensors: open and list", list_many, file);
  (void)remove(file);
  file = file_in(folder, "large");
  make_large(file);
  row("safetensors, 1 GB: open and describe one tensor", open_one, file);
  print_resident(file);
  (void)remove(file);
  file = file_in(folder, "npy");
  make_npy(file, 64);
  row(".npy, 256 KB: map", map_npy, file);
  make_npy(file, 262144);
  row(".npy, 1 GB: map", map_npy, file);
  row(".npy, 1 GB: read", read_npy, file);
  (void)remove(file);
  return 0;
}
