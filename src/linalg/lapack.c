/* LAPACK that is installed: found, and called as Fortran has it. */
#define _GNU_SOURCE /* secure_getenv */
#include "linalg/lapack.h"

#include <tessera/linalg.h>

#include "core/fail.h"
#include "core/notes.h"
#include "linalg/stack.h"

static tsr_status check_use(tsr_ctx *ctx, tsr_lapack_use use) {
  static const char op[] = "lapack_set";
  if (ctx == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "ctx", "is NULL");
  if ((unsigned)use <= TSR_LAPACK_NEVER) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, "use", "is %d: no tsr_lapack_use", (int)use);
}

#if TSR__HAVE_LAPACK

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__ELF__) /* a program without a loader has none, and does without */
#pragma weak dlopen
#pragma weak dlsym
#endif

/* Sanitizers that see every store do not see those of a library that was not built for them. */
#if defined(__SANITIZE_THREAD__)
#define BLIND 1
#elif defined(__has_feature)
#if __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define BLIND 1
#endif
#endif
#ifndef BLIND
#define BLIND 0
#endif

/* ---- the functions, of each type; the lengths of words stand at the end, as Fortran compilers pass them ---- */

typedef void syevd_fn(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
                      const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
typedef void heevd_fn(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
                      const int *lwork, void *rwork, const int *lrwork, int *iwork, const int *liwork, int *info,
                      size_t, size_t);
typedef void real_geev_fn(const char *left, const char *right, const int *n, void *a, const int *lda, void *re,
                          void *im, void *vl, const int *ldvl, void *vr, const int *ldvr, void *work, const int *lwork,
                          int *info, size_t, size_t);
typedef void complex_geev_fn(const char *left, const char *right, const int *n, void *a, const int *lda, void *values,
                             void *vl, const int *ldvl, void *vr, const int *ldvr, void *work, const int *lwork,
                             void *rwork, int *info, size_t, size_t);
typedef void real_gesdd_fn(const char *jobz, const int *m, const int *n, void *a, const int *lda, void *s, void *u,
                           const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork, int *iwork,
                           int *info, size_t);
typedef void complex_gesdd_fn(const char *jobz, const int *m, const int *n, void *a, const int *lda, void *s, void *u,
                              const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork, void *rwork,
                              int *iwork, int *info, size_t);

/* f32 and f64, c64 and c128. */
typedef struct functions {
  syevd_fn *syevd[2];
  heevd_fn *heevd[2];
  real_geev_fn *real_geev[2];
  complex_geev_fn *complex_geev[2];
  real_gesdd_fn *real_gesdd[2];
  complex_gesdd_fn *complex_gesdd[2];
} functions;

/* ---- finding it ---- */

static struct {
  pthread_once_t once;
  const char *name; /* NULL: none */
  functions of;
} lapack = {.once = PTHREAD_ONCE_INIT};

/* Whether a symbol is there; whatever pointer to a function is at slot becomes it. */
static bool find(void *library, const char *name, void *slot) {
  void *const symbol = dlsym(library, name);
  memcpy(slot, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool find_all(void *library, functions *of) {
  return find(library, "ssyevd_", &of->syevd[0]) && find(library, "dsyevd_", &of->syevd[1]) &&
         find(library, "cheevd_", &of->heevd[0]) && find(library, "zheevd_", &of->heevd[1]) &&
         find(library, "sgeev_", &of->real_geev[0]) && find(library, "dgeev_", &of->real_geev[1]) &&
         find(library, "cgeev_", &of->complex_geev[0]) && find(library, "zgeev_", &of->complex_geev[1]) &&
         find(library, "sgesdd_", &of->real_gesdd[0]) && find(library, "dgesdd_", &of->real_gesdd[1]) &&
         find(library, "cgesdd_", &of->complex_gesdd[0]) && find(library, "zgesdd_", &of->complex_gesdd[1]);
}

static bool load(const char *name) {
  void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  return library != NULL && find_all(library, &lapack.of);
}

static const char *asked_for(void) {
#if defined(__GLIBC__)
  return secure_getenv("TSR_LAPACK");
#else
  return getenv("TSR_LAPACK");
#endif
}

/* TSR_LAPACK names a library, or is "none"; without it, the usual ones: the reference one stands on whatever BLAS it was set up with.
 * libflame is not among them: it ends the process where it has no function for a case. Never unloaded: its threads may be at work. */
static void look(void) {
  static const char *const usual[] = {"libopenblas.so.0", "libopenblas.so", "liblapack.so.3", "libopenblas.dylib"};
  const char *const name = asked_for();
  const bool none = BLIND || dlopen == NULL || dlsym == NULL || (name != NULL && strcmp(name, "none") == 0);
  if (!none && name != NULL && name[0] != 0) {
    if (load(name)) lapack.name = name;
  } else {
    for (size_t i = 0; i < sizeof usual / sizeof usual[0] && !none && lapack.name == NULL; i++)
      if (load(usual[i])) lapack.name = usual[i];
  }
  tsr__note_lapack(lapack.name != NULL ? lapack.name : "none");
}

const char *tsr_lapack_name(void) {
  (void)pthread_once(&lapack.once, look);
  return lapack.name;
}

tsr_status tsr_lapack_set(tsr_ctx *ctx, tsr_lapack_use use) {
  const tsr_status st = check_use(ctx, use);
  if (st != TSR_OK) return st;
  if (use == TSR_LAPACK_ALWAYS && tsr_lapack_name() == NULL)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "lapack_set", NULL, "no LAPACK was found");
  ctx->lapack = (uint8_t)use;
  return TSR_OK;
}

/* The side from which it is quicker than our own, both on one thread (docs/performance.md); 0: none was found. */
static tsr_index quicker_from(tsr__lapack_task task, bool vectors) {
  switch (task) {
    case TSR__LAPACK_SVD: return TSR__LANES_SIDE + 1;
    case TSR__LAPACK_EIGH: return vectors ? 320 : 192;
    default: return 0;
  }
}

bool tsr__lapack_takes(const tsr__work *w, tsr__lapack_task task, bool vectors, tsr_index side) {
  const tsr_index most = 1 << 14, from = quicker_from(task, vectors); /* sizes of work areas are ints */
  const int use = w->ctx != NULL ? w->ctx->lapack : TSR_LAPACK_QUICKER;
  if (use == TSR_LAPACK_NEVER || side <= TSR__LANES_SIDE || side > most) return false;
  if (use == TSR_LAPACK_QUICKER && (from == 0 || side < from)) return false;
  return tsr_lapack_name() != NULL;
}

/* ---- calling it ---- */

/* The answer to a question for a size: the first number of a work area. */
static int size_in(const tsr__work *w, const void *answer) {
  const double wide = tsr__work_type(w) % 2 == 1 ? *(const double *)answer : (double)*(const float *)answer;
  return wide < 2147483000.0 ? (int)(wide * (1 + 1e-6)) + 1 : 2147483000; /* an f32 may have been rounded down */
}

static size_t item(const tsr__work *w) { return (size_t)tsr__work_item(w); }
static size_t part(const tsr__work *w) { return tsr__work_type(w) % 2 == 1 ? 8 : 4; }

tsr_index tsr__lapack_eigh(tsr__work *w, tsr_index side, bool vectors, void *a, void *values) {
  const int n = (int)side, lda = n > 0 ? n : 1, ask = -1, which = tsr__work_type(w) % 2;
  const char *const jobz = vectors ? "V" : "N";
  const bool is_complex = tsr__work_is_complex(w);
  double work_size[2] = {0}, rwork_size[1] = {0};
  int iwork_size = 0, info = 0;
  if (is_complex)
    lapack.of.heevd[which](jobz, "L", &n, NULL, &lda, NULL, work_size, &ask, rwork_size, &ask, &iwork_size, &ask, &info,
                           1, 1);
  else
    lapack.of.syevd[which](jobz, "L", &n, NULL, &lda, NULL, work_size, &ask, &iwork_size, &ask, &info, 1, 1);
  const int lwork = size_in(w, work_size), lrwork = is_complex ? size_in(w, rwork_size) : 1;
  const size_t mark = tsr__work_mark(w);
  void *const work = tsr__work_take(w, (size_t)lwork * item(w));
  void *const rwork = tsr__work_take(w, (size_t)lrwork * part(w));
  int *const iwork = tsr__work_take(w, (size_t)iwork_size * sizeof(int));
  tsr__work_release(w, mark);
  if (w->base == NULL) return 0;
  if (is_complex)
    lapack.of.heevd[which](jobz, "L", &n, a, &lda, values, work, &lwork, rwork, &lrwork, iwork, &iwork_size, &info, 1,
                           1);
  else
    lapack.of.syevd[which](jobz, "L", &n, a, &lda, values, work, &lwork, iwork, &iwork_size, &info, 1, 1);
  return info > 0 ? (info < n ? info : n) : 0;
}

tsr_index tsr__lapack_eig(tsr__work *w, tsr_index side, void *a, void *re, void *im, void *vt) {
  const int n = (int)side, lda = n > 0 ? n : 1, ask = -1, which = tsr__work_type(w) % 2;
  const bool is_complex = tsr__work_is_complex(w);
  const bool vectors = vt != NULL || w->base == NULL; /* at most */
  const char *const jobz = vectors ? "V" : "N";
  double size[2] = {0}, rwork_size[1] = {0};
  int info = 0;
  const size_t mark = tsr__work_mark(w);
  if (is_complex)
    lapack.of.complex_geev[which]("N", jobz, &n, NULL, &lda, NULL, NULL, &lda, NULL, &lda, size, &ask, rwork_size,
                                  &info, 1, 1);
  else
    lapack.of.real_geev[which]("N", jobz, &n, NULL, &lda, NULL, NULL, NULL, &lda, NULL, &lda, size, &ask, &info, 1, 1);
  const int lwork = size_in(w, size);
  void *const transposed = tsr__work_take(w, (size_t)(side * side) * item(w));
  void *const work = tsr__work_take(w, (size_t)lwork * item(w));
  void *const rwork = tsr__work_take(w, (size_t)(2 * side) * part(w));
  tsr__work_release(w, mark);
  if (w->base == NULL) return 0;
  const tsr__submatrix from = tsr__submatrix_of(w, a, side);
  tsr__submatrix_copy(w, side, side, tsr__submatrix_transposed(from), tsr__submatrix_of(w, transposed, side));
  if (is_complex)
    lapack.of.complex_geev[which]("N", jobz, &n, transposed, &lda, re, NULL, &lda, vt, &lda, work, &lwork, rwork, &info,
                                  1, 1);
  else
    lapack.of.real_geev[which]("N", jobz, &n, transposed, &lda, re, im, NULL, &lda, vt, &lda, work, &lwork, &info, 1,
                               1);
  return info > 0 ? info : 0;
}

/* Row-major A is the column-major Aᵀ, whose U is Vᴴ and whose Vᴴ is U, row-major. */
tsr_index tsr__lapack_svd(tsr__work *w, tsr_index rows, tsr_index cols, bool full, void *a, void *s, void *u,
                          void *vh) {
  const int m = (int)cols, n = (int)rows, k = m < n ? m : n, lda = m, ldvt = full ? n : k, ask = -1;
  const int which = tsr__work_type(w) % 2;
  const bool is_complex = tsr__work_is_complex(w), vectors = u != NULL || w->base == NULL;
  const char *const jobz = !vectors ? "N" : full ? "A" : "S";
  const size_t least = (size_t)k, most = (size_t)(m > n ? m : n);
  const size_t rwork_count = is_complex ? least * (5 * least + 7 + 2 * most + 2 * least + 1) : 0;
  double size[2] = {0}, rwork_size[1] = {0};
  int info = 0;
  const size_t mark = tsr__work_mark(w);
  int *const iwork = tsr__work_take(w, 8 * least * sizeof(int));
  if (is_complex)
    lapack.of.complex_gesdd[which](jobz, &m, &n, NULL, &lda, NULL, NULL, &m, NULL, &ldvt, size, &ask, rwork_size, NULL,
                                   &info, 1);
  else
    lapack.of.real_gesdd[which](jobz, &m, &n, NULL, &lda, NULL, NULL, &m, NULL, &ldvt, size, &ask, NULL, &info, 1);
  const int lwork = size_in(w, size);
  void *const work = tsr__work_take(w, (size_t)lwork * item(w));
  void *const rwork = tsr__work_take(w, rwork_count * part(w));
  tsr__work_release(w, mark);
  if (w->base == NULL) return 0;
  if (is_complex)
    lapack.of.complex_gesdd[which](jobz, &m, &n, a, &lda, s, vh, &m, u, &ldvt, work, &lwork, rwork, iwork, &info, 1);
  else
    lapack.of.real_gesdd[which](jobz, &m, &n, a, &lda, s, vh, &m, u, &ldvt, work, &lwork, iwork, &info, 1);
  return info > 0 ? 1 : 0;
}

#else

const char *tsr_lapack_name(void) { return NULL; }

tsr_status tsr_lapack_set(tsr_ctx *ctx, tsr_lapack_use use) {
  const tsr_status st = check_use(ctx, use);
  if (st != TSR_OK || use != TSR_LAPACK_ALWAYS) return st;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "lapack_set", NULL, "this build looks for none");
}

#endif
