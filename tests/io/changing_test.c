/* Files that are not the same the next time that one looks: readers and sources that go over to another version of the
 * file after any number of reads, for all pairs of versions, and files by their path that a thread writes to. The worst
 * that may come of it is an error; a sanitizer watches. */
#include "files_support.h"

#include "changing_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_THREADS

#include <fcntl.h>
#include <pthread.h>
#include <time.h>

enum { BYTES = 1 << 16 };

/* ---- readers ---- */

typedef struct shifty {
  const changing_file *files[2];
  size_t calls, after; /* the reads up to this one are answered from the first file */
  bool back;           /* from then on by turns */
  uint64_t bytes;
  size_t taken; /* of a source */
} shifty;

static const changing_file *now(shifty *s) {
  const size_t call = s->calls++;
  if (call < s->after) return s->files[0];
  return s->files[s->back ? (call - s->after + 1) % 2 : 1];
}

/* What is past the end of the shorter one reads as zeros. */
static tsr_status read_shifty(void *self, uint64_t offset, void *bytes, size_t n) {
  shifty *s = self;
  const changing_file *f = now(s);
  if (offset > s->bytes || n > s->bytes - offset) return TSR_EINDEX; /* never asked for */
  const size_t left = offset < f->n ? f->n - (size_t)offset : 0;
  memset(bytes, 0, n);
  if (left > 0) memcpy(bytes, f->at + offset, n < left ? n : left);
  return TSR_OK;
}

static tsr_status pull_shifty(void *self, void *bytes, size_t n, size_t *got) {
  shifty *s = self;
  const changing_file *f = now(s);
  const size_t left = s->taken < f->n ? f->n - s->taken : 0;
  if (n > 50) n = 50;
  *got = n < left ? n : left;
  if (*got > 0) memcpy(bytes, f->at + s->taken, *got);
  s->taken += *got;
  return TSR_OK;
}

static tsr_status see_entry(void *user, const tsr_safetensors_entry *e) {
  return *(size_t *)user += strlen(e->name), TSR_OK;
}
static tsr_status see_member(void *user, const tsr_npz_entry *e) { return *(size_t *)user += strlen(e->name), TSR_OK; }
static tsr_status see_blocks(void *user, const tsr_gguf_entry *e) { return *(size_t *)user += strlen(e->name), TSR_OK; }

enum { WAYS = 4 };

/* Through a handle: the file goes over to another version before it is opened, while it is open, or later. */
static tsr_status read_open(tsr_ctx *ctx, const tsr_reader *reader, tsr_bundle *b, tsr_metadata *m) {
  tsr_safetensors_file *file = NULL;
  tsr_status st = tsr_safetensors_file_new(ctx, reader, NULL, &file);
  for (tsr_index i = 0; st == TSR_OK && i < tsr_safetensors_file_count(file); i++) {
    tsr_safetensors_entry e = {0};
    tsr_tensor t = {0};
    OK(ctx, tsr_safetensors_file_entry(ctx, file, i, &e));
    CHECK(tsr_safetensors_file_find(file, e.name) == i);
    st = tsr_safetensors_file_read_tensor(ctx, file, e.name, &t);
    if (st == TSR_OK) st = tsr_bundle_add(ctx, b, e.name, &t);
  }
  if (st == TSR_OK) st = tsr_safetensors_file_metadata(ctx, file, m);
  tsr_safetensors_file_release(file);
  if (st != TSR_OK) tsr_bundle_release(b);
  return st;
}

/* One of the ways to read a format; false when the format has no such way. */
static bool read_once(tsr_ctx *ctx, changing_format format, int way, shifty *s, tsr_status *st) {
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_shifty, .self = s, .bytes = s->bytes};
  const tsr_source source = {.size = sizeof(tsr_source), .read = pull_shifty, .self = s};
  tsr_bundle b = {0};
  tsr_metadata m = {0};
  tsr_tensor t = {0};
  size_t seen = 0;
  *st = TSR_OK;
  if (way == 3 && format != IN_SAFETENSORS) return false;
  if (format == IN_NPZ || format == IN_DEFLATED) {
    if (way == 0) *st = tsr_npz_read(ctx, &reader, NULL, &b);
    if (way == 1) *st = tsr_npz_list(ctx, &reader, NULL, see_member, &seen);
    if (way == 2) *st = tsr_npz_read_tensor(ctx, &reader, NULL, "aaa", &t);
  } else if (format == IN_SAFETENSORS) {
    if (way == 0) *st = tsr_safetensors_read(ctx, &reader, NULL, &b, &m);
    if (way == 1) *st = tsr_safetensors_list(ctx, &reader, NULL, see_entry, &seen);
    if (way == 2) *st = tsr_safetensors_read_tensor(ctx, &reader, NULL, "aaa", &t);
    if (way == 3) *st = read_open(ctx, &reader, &b, &m);
  } else if (format == IN_GGUF) {
    if (way == 2) return false;
    if (way == 0) *st = tsr_gguf_read(ctx, &reader, NULL, &b, &m);
    if (way == 1) *st = tsr_gguf_list(ctx, &reader, NULL, see_blocks, &seen);
  } else {
    if (way > 0) return false;
    if (format == IN_NPY) *st = tsr_npy_read(ctx, &source, NULL, &t);
    if (format == IN_CSV) *st = tsr_csv_read(ctx, &source, NULL, &t, &m);
    if (format == IN_PNG) *st = tsr_png_read(ctx, &source, NULL, &t);
    if (format == IN_PNM) *st = tsr_pnm_read(ctx, &source, NULL, &t);
  }
  CHECK(*st == TSR_OK || tsr_is_none(&t));
  CHECK(all_bytes(&t) != 1);
  tsr_release(&t);
  CHECK(read_is_sound(*st, &b, &m));
  return true;
}

static uint8_t room[2][BYTES];

static void make_pair(changing_format format, int from, int to, changing_file files[2]) {
  for (int i = 0; i < 2; i++) {
    files[i] = (changing_file){.at = room[i], .capacity = BYTES};
    changing_make(format, &versions[i == 0 ? from : to], &files[i]);
  }
}

/* Goes over after 0 reads, after 1 and so on, until the call has ended before. */
static void read_all_shifts(changing_format format, int way, const changing_file files[2], bool back) {
  for (size_t after = 0;; after++) {
    npy_memory memory;
    tsr_ctx *ctx = memory_start(&memory, SIZE_MAX, false);
    shifty s = {.files = {&files[0], &files[1]}, .after = after, .back = back, .bytes = files[0].n};
    tsr_status st;
    if (!read_once(ctx, format, way, &s, &st)) return;
    CHECK(memory.failing.live == 0);
    if (s.calls <= after) {
      CHECK(st == TSR_OK || (way == 2 && st == TSR_ENAME)); /* it has seen nothing but the first */
      return;
    }
    REQUIRE(after < 100000);
  }
}

/* Whether this build has the libraries for it. */
static bool is_written(int format) {
  return (format != IN_PNG || TSR_HAVE_PNG) && (format != IN_DEFLATED || TSR_HAVE_ZLIB);
}

TEST(readers_that_answer_differently) {
  changing_file files[2];
  for (int format = 0; format < FORMATS; format++) {
    if (!is_written(format)) continue;
    for (int pair = 0; pair < VERSIONS * VERSIONS; pair++) {
      if (pair / VERSIONS == pair % VERSIONS) continue;
      make_pair((changing_format)format, pair / VERSIONS, pair % VERSIONS, files);
      for (int way = 0; way < WAYS; way++)
        for (int back = 0; back < 2; back++) read_all_shifts((changing_format)format, way, files, back);
    }
  }
}

/* ---- files by their path ---- */

typedef struct toggle {
  int descriptor;
  const changing_file *files;
  size_t n; /* of both: the shorter one is filled up */
  int stop;
} toggle;

static void *toggle_run(void *user) {
  toggle *t = user;
  for (int i = 0; __atomic_load_n(&t->stop, __ATOMIC_RELAXED) == 0; i = !i)
    if (pwrite(t->descriptor, t->files[i].at, t->n, 0) != (ssize_t)t->n) break;
  return NULL;
}

static double seconds(void) {
  struct timespec now_;
  (void)clock_gettime(CLOCK_MONOTONIC, &now_);
  return (double)now_.tv_sec + 1e-9 * (double)now_.tv_nsec;
}

/* Opened by its path: every tensor, twice. */
static tsr_status load_open(const char *path, const tsr_safetensors_options *options) {
  tsr_safetensors_file *file = NULL;
  tsr_status st = tsr_safetensors_file_open(NULL, path, options, &file);
  for (tsr_index i = 0; st == TSR_OK && i < 2 * tsr_safetensors_file_count(file); i++) {
    tsr_tensor t = {0};
    st = tsr_safetensors_file_read(NULL, file, i / 2, &t);
    CHECK(st == TSR_OK || tsr_is_none(&t));
    CHECK(all_bytes(&t) != 1);
    tsr_release(&t);
  }
  tsr_safetensors_file_release(file);
  return st;
}

static void load_once(changing_format format, int turn, const char *path) {
  const int access = turn % 3;
  tsr_bundle b = {0};
  tsr_metadata m = {0};
  tsr_tensor t = {0};
  tsr_status st = TSR_OK;
  const tsr_npz_options npz = {.access = access, .lazy = turn % 2 != 0};
  const tsr_safetensors_options safetensors = {.access = access};
  const tsr_gguf_options gguf = {.access = access};
  if (turn % 4 == 3)
    st = tsr_bundle_load(NULL, path, &b, &m);
  else if (format == IN_NPY)
    st = turn % 4 == 0 ? tsr_npy_load(NULL, path, &t) : tsr_npy_mmap(NULL, path, (tsr_access)access, NULL, &t);
  else if (format == IN_NPZ || format == IN_DEFLATED)
    st = tsr_npz_load(NULL, path, &npz, &b);
  else if (format == IN_SAFETENSORS && turn % 8 >= 4)
    (void)load_open(path, &safetensors);
  else if (format == IN_SAFETENSORS)
    st = tsr_safetensors_load(NULL, path, &safetensors, &b, &m);
  else if (format == IN_GGUF)
    st = tsr_gguf_load(NULL, path, &gguf, &b, &m);
  else if (format == IN_CSV)
    st = tsr_csv_load(NULL, path, NULL, &t, &m);
  else if (format == IN_PNG)
    st = tsr_png_load(NULL, path, NULL, &t);
  else if (format == IN_PNM)
    st = tsr_pnm_load(NULL, path, NULL, &t);
  CHECK(st == TSR_OK || tsr_is_none(&t));
  CHECK(all_bytes(&t) != 1);
  tsr_release(&t);
  CHECK(read_is_sound(st, &b, &m));
}

static void load_toggled(changing_format format, int from, int to, double time) {
  changing_file files[2];
  pthread_t thread;
  const char *path = in_folder("toggled");
  make_pair(format, from, to, files);
  const size_t n = files[0].n > files[1].n ? files[0].n : files[1].n;
  for (int i = 0; i < 2; i++) memset(files[i].at + files[i].n, 0, n - files[i].n);
  toggle t = {.descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), .files = files, .n = n};
  REQUIRE(t.descriptor >= 0 && pwrite(t.descriptor, files[0].at, n, 0) == (ssize_t)n);
  REQUIRE(pthread_create(&thread, NULL, toggle_run, &t) == 0);
  const double end = seconds() + time;
  for (int turn = 0; seconds() < end; turn++) load_once(format, turn, path);
  __atomic_store_n(&t.stop, 1, __ATOMIC_RELAXED);
  CHECK(pthread_join(thread, NULL) == 0);
  (void)close(t.descriptor);
}

TEST(files_that_a_thread_writes_to) {
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++)
    for (int to = 1; to < VERSIONS && is_written(format); to++) load_toggled((changing_format)format, 0, to, 0.06);
  folder_end();
}

TEST_MAIN(RUN(readers_that_answer_differently), RUN(files_that_a_thread_writes_to))

#else

TEST(files) { SKIP("no mapped files, or no threads, in this profile"); }
TEST_MAIN(RUN(files))

#endif
