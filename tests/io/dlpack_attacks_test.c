/* The threat model of DLPack (scripts/attacks_dlpack.py): each description becomes a struct, which gets its status and
 * its message in both forms; its deleter runs exactly once, nothing that was there changes, nothing stays behind. */
#include <errno.h>
#include <stdlib.h>
#include <tessera/dlpack.h>
#include "attacks_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MALLOC && TSR_MAX_DIMS == 8 && TSR_INDEX_BITS == 64 && PTRDIFF_MAX > INT32_MAX

static const attack attacks[] = {
#include "attacks/dlpack/table.inc"
};

/* ---- from a description to a struct ---- */

typedef struct foreign {
  tsr_dl_managed_versioned versioned;
  tsr_dl_managed plain;
  int deleted;
  int64_t shape[16], strides[16];
  _Alignas(64) uint8_t bytes[256];
} foreign;

static void delete_plain(tsr_dl_managed *self) { ((foreign *)self->manager_ctx)->deleted++; }
static void delete_versioned(tsr_dl_managed_versioned *self) { ((foreign *)self->manager_ctx)->deleted++; }

static void foreign_init(foreign *f) {
  *f = (foreign){.shape = {2, 3}, .strides = {3, 1}};
  for (int i = 2; i < 16; i++) f->shape[i] = f->strides[i] = 1;
  f->versioned = (tsr_dl_managed_versioned){.version = {1, 0},
                                            .manager_ctx = f,
                                            .deleter = delete_versioned,
                                            .dl_tensor = {.data = f->bytes,
                                                          .device = {TSR_DL_CPU, 0},
                                                          .ndim = 2,
                                                          .dtype = {TSR_DL_FLOAT, 32, 1},
                                                          .shape = f->shape,
                                                          .strides = f->strides}};
}

/* The numbers behind a field's name; how many there are. A number that does not fit either sign is a fault of the
 * description. */
static int numbers_of(const char *at, uint64_t *out) {
  int n = 0;
  for (char *end = NULL; n < 16; at = end) {
    errno = 0;
    const bool negative = strchr(at, '-') != NULL && at[strspn(at, " ")] == '-';
    out[n] = negative ? (uint64_t)strtoll(at, &end, 10) : strtoull(at, &end, 10);
    if (end == at) break;
    CHECK(errno == 0);
    n++;
  }
  return n;
}

static bool apply(foreign *f, const char *line) {
  tsr_dl_tensor *d = &f->versioned.dl_tensor;
  uint64_t v[16] = {0};
  const size_t length = strcspn(line, " ");
  const bool null = strcmp(line + length, " null") == 0;
  const int n = null ? 0 : numbers_of(line + length, v);
  const bool known = null || n > 0;
#define IS(name) (length == strlen(name) && strncmp(line, name, length) == 0)
  if (IS("version"))
    f->versioned.version.major = (uint32_t)v[0];
  else if (IS("device"))
    d->device = (tsr_dl_device){(int32_t)v[0], (int32_t)v[1]};
  else if (IS("dtype"))
    d->dtype = (tsr_dl_type){(uint8_t)v[0], (uint8_t)v[1], (uint16_t)v[2]};
  else if (IS("ndim"))
    d->ndim = (int32_t)v[0];
  else if (IS("data"))
    d->data = null ? NULL : (void *)(uintptr_t)v[0];
  else if (IS("byte_offset"))
    d->byte_offset = v[0];
  else if (IS("shape") && null)
    d->shape = NULL;
  else if (IS("strides") && null)
    d->strides = NULL;
  else if (IS("shape"))
    memcpy(f->shape, v, (size_t)n * sizeof v[0]);
  else if (IS("strides"))
    memcpy(f->strides, v, (size_t)n * sizeof v[0]);
  else
    return false;
#undef IS
  return known;
}

static bool describe(const attack *a, foreign *f) {
  static uint8_t text[1024];
  char name[128];
  (void)snprintf(name, sizeof name, "%s.txt", a->name);
  const size_t n = file_bytes("tests/attacks/dlpack", name, text, sizeof text - 1);
  text[n] = '\0';
  foreign_init(f);
  bool ok = n > 0;
  for (char *line = strtok((char *)text, "\n"); line != NULL && ok; line = strtok(NULL, "\n")) ok = apply(f, line);
  f->plain = (tsr_dl_managed){.dl_tensor = f->versioned.dl_tensor, .manager_ctx = f, .deleter = delete_plain};
  return ok;
}

/* ---- the table ---- */

TEST(refused_in_both_forms) {
  for (int i = 0; i < (int)(sizeof attacks / sizeof attacks[0]); i++) {
    for (int form = 0; form < 2; form++) {
      foreign f;
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_tensor t = {0};
      REQUIRE(describe(&attacks[i], &f));
      if (form == 1 && f.versioned.version.major != 1) continue; /* the old form has no version */
      if (form == 0) FAILS(ctx, attacks[i].status, tsr_dlpack_import(ctx, &f.versioned, &t));
      if (form == 1) FAILS(ctx, attacks[i].status, tsr_dlpack_import_unversioned(ctx, &f.plain, &t));
      CHECK(message_fits(ctx, &attacks[i]));
      CHECK(f.deleted == 1 && tsr_is_none(&t) && m.failing.live == 0);
      if (test_now.failures > 0) printf("   up to %s\n", attacks[i].name);
    }
  }
}

/* What the descriptions change is all that is wrong with them. */
TEST(otherwise_right) {
  foreign f;
  tsr_tensor t = {0};
  foreign_init(&f);
  OK(NULL, tsr_dlpack_import(NULL, &f.versioned, &t));
  CHECK(t.dtype == TSR_F32 && t.ndim == 2 && t.data == f.bytes);
  tsr_release(&t);
  CHECK(f.deleted == 1);
}

TEST_MAIN(RUN(refused_in_both_forms), RUN(otherwise_right))

#else

TEST(files) { SKIP("no files, or other limits, in this profile"); }
TEST_MAIN(RUN(files))

#endif
