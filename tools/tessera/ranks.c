#include "ranks.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/mpi.h>
#include <unistd.h>

#include "report.h"

#define FILE_NAME "libtessera_mpi.so"

/* What is used of it. */
static struct {
  void *handle;
  tsr_comm *world;
  tsr_status (*new_)(tsr_ctx *, const void *, tsr_comm **);
  void (*release)(tsr_comm *);
  int (*rank)(const tsr_comm *);
  int (*size)(const tsr_comm *);
  tsr_status (*allreduce)(tsr_ctx *, tsr_comm *, tsr_comm_reduction, const tsr_tensor *, tsr_tensor *,
                          tsr_comm_request **);
  tsr_status (*save)(tsr_ctx *, tsr_comm *, const char *, tsr_format, const tsr_bundle *, const tsr_metadata *,
                     const tsr_producer *);
} mpi;

/* A number that a launcher gives its processes: Open MPI, and those that follow PMI (MPICH, Intel MPI). */
static int given(const char *open_mpi, const char *pmi, int otherwise) {
  const char *text = getenv(open_mpi);
  if (text == NULL) text = getenv(pmi);
  const long value = text != NULL ? strtol(text, NULL, 10) : otherwise;
  return value >= 0 && value < 1 << 24 ? (int)value : otherwise;
}

int ranks_place(void) { return given("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0); }
static int launched(void) { return given("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1); }

/* Beside the program, where it is installed with it, or where the loader looks. */
static void *load(void) {
  static const char *const below[] = {"", "../lib/", "../lib64/"};
  char path[1024];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  void *handle = NULL;
  if (length > 0) path[length] = '\0';
  char *const end = length > 0 ? strrchr(path, '/') : NULL;
  for (int i = 0; i < 3 && handle == NULL && end != NULL; i++) {
    (void)snprintf(end + 1, 48, "%s%s", below[i], FILE_NAME);
    if (access(path, R_OK) == 0)
      handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI loads parts of its own, which look for it */
  }
  return handle != NULL ? handle : dlopen(FILE_NAME, RTLD_NOW | RTLD_GLOBAL);
}

static bool find(const char *name, void *function, size_t size) {
  void *const symbol = dlsym(mpi.handle, name);
  if (symbol != NULL && size == sizeof symbol) memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}
#define FIND(name, function) find(name, &mpi.function, sizeof mpi.function)

static bool find_all(void) {
  return FIND("tsr_comm_new", new_) && FIND("tsr_comm_release", release) && FIND("tsr_comm_rank", rank) &&
         FIND("tsr_comm_size", size) && FIND("tsr_comm_allreduce", allreduce) && FIND("tsr_comm_save_from", save);
}

void ranks_start(tsr_ctx *ctx) {
  if (launched() < 2) return;
  mpi.handle = load();
  const bool loaded = mpi.handle != NULL && find_all();
  if (!loaded && ranks_place() == 0)
    (void)report("note: " FILE_NAME " cannot be loaded: the first process does everything");
  if (loaded && mpi.new_(ctx, NULL, &mpi.world) != TSR_OK) (void)report_failure(ctx, NULL);
}

void ranks_end(void) {
  if (mpi.world != NULL) mpi.release(mpi.world);
  mpi.world = NULL;
}

int ranks_count(void) { return mpi.world != NULL ? mpi.size(mpi.world) : 1; }
int ranks_rank(void) { return mpi.world != NULL ? mpi.rank(mpi.world) : ranks_place(); }

bool ranks_add(tsr_ctx *ctx, int64_t *numbers, tsr_index count) {
  tsr_tensor t = {0};
  if (mpi.world == NULL) return true;
  if (tsr_from_memory(ctx, numbers, TSR_I64, 1, &count, &t) == TSR_OK &&
      mpi.allreduce(ctx, mpi.world, TSR_COMM_SUM, &t, &t, NULL) == TSR_OK)
    return true;
  return report_failure(ctx, NULL), false;
}

bool ranks_all(tsr_ctx *ctx, bool ok) {
  int64_t failures = ok ? 0 : 1;
  return ranks_add(ctx, &failures, 1) && failures == 0;
}

tsr_status ranks_save(tsr_ctx *ctx, const char *path, tsr_format format, const tsr_bundle *bundle,
                      const tsr_metadata *metadata, const tsr_producer *producer) {
  return mpi.world != NULL ? mpi.save(ctx, mpi.world, path, format, bundle, metadata, producer) : TSR_EUNSUPPORTED;
}
