/* Tessera as a contestant: files. They lie in CONTEST_FOLDER, which scripts/bench makes and removes; Tessera opens a
 * workload before its peers do, so that it makes the file for all of them. */
#define _XOPEN_SOURCE 700 /* fseeko */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tessera_contest.h"

enum { LAYERS = 32, MANY = 10000, HOLE = 1 << 20 };

static char path[512];

/* Whether there is a folder, and the file is not there yet: it is to be made. */
static bool is_missing(const contest_workload *w) {
  const char *folder = getenv("CONTEST_FOLDER");
  (void)snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "", w->name);
  return access(path, F_OK) != 0;
}

/* ---- sparse files: of large pieces only the last byte is written ---- */

static tsr_status write_sparse(void *self, const void *bytes, size_t n) {
  FILE *file = self;
  if (n < HOLE) return fwrite(bytes, 1, n, file) == n ? TSR_OK : TSR_EIO;
  return fseeko(file, (off_t)n - 1, SEEK_CUR) == 0 && fputc(0, file) == 0 ? TSR_OK : TSR_EIO;
}

static FILE *start_sparse(tsr_sink *sink) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  *sink = (tsr_sink){.size = sizeof(tsr_sink), .write = write_sparse, .self = file};
  return file;
}

static void add_named(tsr_bundle *bundle, const char *before, int number, const char *after, const tsr_tensor *t) {
  char name[64];
  tsr_tensor view = {0};
  (void)snprintf(name, sizeof name, "%s%d%s", before, number, after);
  must(tsr_view(&context, t, &view));
  must(tsr_bundle_add(&context, bundle, name, &view));
}

/* ---- safetensors ---- */

/* 32 tensors of 32 MB. */
static void open_st_1G(const contest_workload *w) {
  if (!is_missing(w)) return;
  tsr_bundle bundle = {0};
  tsr_sink sink;
  contest_input(&a, 0, TSR_SHAPE(8192, 1024));
  for (int i = 0; i < LAYERS; i++) add_named(&bundle, "layer.", i, "", &a);
  FILE *file = start_sparse(&sink);
  must(tsr_safetensors_write(&context, &bundle, NULL, NULL, &sink));
  (void)fclose(file);
  tsr_bundle_release(&bundle);
}

static void open_st_10k(const contest_workload *w) {
  if (!is_missing(w)) return;
  tsr_bundle bundle = {0};
  contest_input(&a, 0, TSR_SHAPE(8, 8));
  for (int i = 0; i < MANY; i++) add_named(&bundle, "model.layers.", i, ".attention.projection.weight", &a);
  must(tsr_safetensors_save(&context, path, &bundle, NULL, NULL));
  tsr_bundle_release(&bundle);
}

static void run_st_1G(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_bundle bundle = {0};
    const tsr_tensor *t = NULL;
    must(tsr_safetensors_load(&context, path, NULL, &bundle, NULL));
    must(tsr_bundle_get(&context, &bundle, "layer.15", &t));
    contest_keep(t->shape);
    tsr_bundle_release(&bundle);
  }
}

static void run_st_10k(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_bundle bundle = {0};
    must(tsr_safetensors_load(&context, path, NULL, &bundle, NULL));
    if (bundle.count != MANY) contest_failed();
    tsr_bundle_release(&bundle);
  }
}

/* ---- .npy ---- */

static tsr_tensor loaded; /* the last one: a sample of it makes the checksum */

static void open_npy_read(const contest_workload *w) {
  if (!is_missing(w)) return;
  contest_input(&a, 0, TSR_SHAPE(w->elements / 1024, 1024));
  must(tsr_npy_save(&context, path, &a));
}

static void run_npy_read(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_release(&loaded);
    must(tsr_npy_load(&context, path, &loaded));
  }
  contest_result(loaded.data, tsr_size(&loaded), CONTEST_F32);
}

static void open_npy_map(const contest_workload *w) {
  if (!is_missing(w)) return;
  tsr_sink sink;
  contest_input(&a, 0, TSR_SHAPE(w->elements / 1024, 1024));
  FILE *file = start_sparse(&sink);
  must(tsr_npy_write(&context, &a, &sink));
  (void)fclose(file);
}

static void run_npy_map(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_tensor t = {0};
    must(tsr_npy_mmap(&context, path, TSR_ACCESS_READ, NULL, &t));
    contest_keep(t.shape);
    tsr_release(&t);
  }
}

/* ---- .npz ---- */

/* Whole numbers from 0 to 255 as f32, deflated at the level that NumPy takes. */
static void open_npz(const contest_workload *w) {
  if (!is_missing(w)) return;
  const tsr_npz_save_options deflate = {.deflate = true};
  tsr_bundle bundle = {0};
  float *values = contest_positive(w->elements);
  for (int64_t i = 0; i < w->elements; i++) values[i] = (float)(int)values[i];
  must(tsr_from_memory(&context, values, TSR_F32, TSR_SHAPE(w->elements), &a));
  add_named(&bundle, "x", 0, "", &a);
  must(tsr_npz_save(&context, path, &bundle, &deflate));
  tsr_bundle_release(&bundle);
}

static void run_npz(long calls) {
  for (long i = 0; i < calls; i++) {
    tsr_bundle bundle = {0};
    tsr_release(&loaded);
    must(tsr_npz_load(&context, path, NULL, &bundle));
    must(tsr_bundle_take(&context, &bundle, "x0", &loaded));
    tsr_bundle_release(&bundle);
  }
  contest_result(loaded.data, tsr_size(&loaded), CONTEST_F32);
}

void contest_close_files(void) { tsr_release(&loaded); }

const contest_row contest_file_rows[] = {
    {"st_open_1G", open_st_1G, run_st_1G},
    {"st_list_10k", open_st_10k, run_st_10k},
    {"npy_read_128M", open_npy_read, run_npy_read},
    {"npy_map_1M", open_npy_map, run_npy_map},
    {"npy_map_512M", open_npy_map, run_npy_map},
    {"npz_inflate_16M", open_npz, run_npz},
    {NULL, NULL, NULL},
};
