/* One open safetensors file, several threads: each gets the tensors that it asks for, whatever the others do. */
#include "files_support.h"

#include "safetensors_support.h"

#include <tessera/ops.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_THREADS

#include <pthread.h>

enum { TENSORS = 60, ELEMENTS = 40, THREADS = 4, TURNS = 3000 };

static int waiting; /* threads that have not begun: they begin together */

static void name_of(int i, char name[32]) { (void)snprintf(name, 32, "layer.%d.weight", i); }

static bool save_file(const char *path) {
  tsr_bundle b = {0};
  for (int i = 0; i < TENSORS; i++) {
    tsr_tensor t = {0};
    char name[32];
    name_of(i, name);
    OK(NULL, tsr_full(NULL, TSR_F32, TSR_SHAPE(ELEMENTS), i, &t));
    OK(NULL, tsr_bundle_add(NULL, &b, name, &t));
  }
  const tsr_status st = tsr_safetensors_save(NULL, path, &b, NULL, NULL);
  tsr_bundle_release(&b);
  return st == TSR_OK;
}

typedef struct reader_thread {
  pthread_t thread;
  const tsr_safetensors_file *file;
  int first, wrong;
} reader_thread;

static bool is_right(const tsr_tensor *t, int i) {
  const float *at = t->data;
  return at[0] == (float)i && at[ELEMENTS - 1] == (float)i;
}

/* Empty outputs and given ones, and a name that is not there. */
static void *read_some(void *user) {
  reader_thread *r = user;
  tsr_ctx ctx;
  float given[ELEMENTS];
  tsr_tensor into = {0};
  r->wrong = tsr_context_init(&ctx, NULL) != TSR_OK;
  r->wrong += tsr_from_memory(&ctx, given, TSR_F32, TSR_SHAPE(ELEMENTS), &into) != TSR_OK;
  (void)__atomic_sub_fetch(&waiting, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) > 0) {
  }
  for (int turn = 0; turn < TURNS; turn++) {
    const int i = (r->first + turn * 7) % TENSORS;
    char name[32];
    tsr_tensor t = {0};
    name_of(i, name);
    r->wrong += tsr_safetensors_file_read_tensor(&ctx, r->file, name, &t) != TSR_OK || !is_right(&t, i);
    tsr_release(&t);
    r->wrong += tsr_safetensors_file_read_tensor(&ctx, r->file, name, &into) != TSR_OK || !is_right(&into, i);
    r->wrong += tsr_safetensors_file_read_tensor(&ctx, r->file, "none", &t) != TSR_ENAME;
  }
  return NULL;
}

TEST(threads_that_share_an_open_file) {
  REQUIRE(folder_make());
  const char *const path = in_folder("a.safetensors");
  REQUIRE(save_file(path));
  for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
    reader_thread threads[THREADS];
    tsr_safetensors_file *file = NULL;
    const tsr_safetensors_options options = {.access = access};
    OK(NULL, tsr_safetensors_file_open(NULL, path, &options, &file));
    waiting = THREADS;
    for (int i = 0; i < THREADS; i++) {
      threads[i] = (reader_thread){.file = file, .first = i * 11};
      REQUIRE(pthread_create(&threads[i].thread, NULL, read_some, &threads[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
      CHECK(pthread_join(threads[i].thread, NULL) == 0);
      CHECK(threads[i].wrong == 0);
    }
    tsr_safetensors_file_release(file);
  }
  folder_end();
}

TEST_MAIN(RUN(threads_that_share_an_open_file))

#else

TEST(files) { SKIP("no mapped files, or no threads, in this profile"); }
TEST_MAIN(RUN(files))

#endif
