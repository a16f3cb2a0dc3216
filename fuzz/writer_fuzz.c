/* Tensors and names from any bytes, written in every format and read back: the same dtypes, shapes and bits, whatever
 * the strides, layouts and names; sinks that fail at any byte; nothing written where a format refuses. */
#include <stdlib.h>
#include <tessera/elements.h>
#include <tessera/carray.h>
#include <tessera/csv.h>
#include <tessera/npz.h>
#include <tessera/png.h>
#include <tessera/pnm.h>
#include <tessera/raw.h>
#include <tessera/safetensors.h>
#include <tessera/view.h>
#include <unistd.h>

#include "bytes.h"
#include "c_text.h"

enum { TENSORS = 5, RANK = 4, ELEMENTS = 4096 };

static capped_memory memory = {.cap = (size_t)64 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* ---- what the input says ---- */

typedef struct input {
  const uint8_t *at;
  size_t left;
} input;

static uint8_t take(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->at++;
}

/* A string without zeros: bytes of the input, or words that are hard for some format. */
static void take_string(input *in, char *to, size_t room) {
  static const char *const words[] = {"int",   "_data", "w",  ".1", "x",    "__metadata__",   ".npy", "../", "\xc3\xa9",
                                      "t_int", "\"",    "\n", ",",  "\\u0", "tessera.order.", "NA",   "nan", " "};
  size_t n = 0;
  for (int pieces = take(in) % 4; pieces > 0; pieces--) {
    const uint8_t choice = take(in);
    const char *piece = words[choice % (sizeof words / sizeof words[0])];
    const char letter[2] = {(char)take(in), '\0'};
    if (choice >= 128) piece = letter;
    for (; *piece != '\0' && n + 1 < room; piece++) to[n++] = *piece;
  }
  to[n] = '\0';
}

/* Elements of an array of their own: the input's bytes, and from its end on numbers that follow from them. */
static void fill(input *in, tsr_tensor *t) {
  uint8_t *bytes = t->data;
  uint32_t state = 1;
  const size_t n = tsr_nbytes(t), given = n / 2 < in->left / 2 ? n / 2 : in->left / 2;
  for (size_t i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u + (i < given ? in->at[i] : 0u);
    bytes[i] = i < given ? in->at[i] : (uint8_t)(state >> 24);
    if (t->dtype == TSR_BOOL) bytes[i] &= 1;
  }
  in->at += given;
  in->left -= given;
}

/* Axes in another order, backwards, or every second: the handle is the view's. */
static void twist(tsr_ctx *ctx, input *in, tsr_tensor *t) {
  for (int changes = take(in) % 4; changes > 0 && t->ndim > 0; changes--) {
    const uint8_t choice = take(in);
    const int axis = choice / 4 % t->ndim;
    int axes[TSR_MAX_DIMS];
    tsr_tensor view = {0};
    for (int i = 0; i < t->ndim; i++) axes[i] = (i + axis) % t->ndim;
    if (choice % 4 == 0) must(tsr_flip(ctx, t, axis, &view) == TSR_OK);
    if (choice % 4 == 1) must(tsr_permute(ctx, t, axes, &view) == TSR_OK);
    if (choice % 4 == 2) must(tsr_slice(ctx, t, axis, 0, t->shape[axis], 2, &view) == TSR_OK);
    if (choice % 4 == 3) must(tsr_set_layout(ctx, t, choice / 4 % TSR_LAYOUT_COUNT, &view) == TSR_OK || true);
    if (view.dtype != TSR_NONE) *t = view;
  }
}

/* One tensor over memory, which is the caller's. */
static void make_tensor(tsr_ctx *ctx, input *in, uint8_t *data, tsr_tensor *t) {
  tsr_index shape[RANK];
  const int dtype = 1 + take(in) % (TSR_DTYPE_COUNT - 1), ndim = take(in) % (RANK + 1);
  for (int i = 0; i < ndim; i++) shape[i] = take(in) % 5;
  must(tsr_from_memory(ctx, data, dtype, ndim, shape, t) == TSR_OK);
  fill(in, t);
  twist(ctx, in, t);
}

/* ---- elements ---- */

/* All elements in row-major order, by their strides alone. */
static size_t gather(const tsr_tensor *t, uint8_t *to) {
  const size_t item = tsr_dtype_size(t->dtype);
  tsr_index at[TSR_MAX_DIMS] = {0};
  const tsr_index size = tsr_size(t);
  for (tsr_index i = 0; i < size; i++) {
    tsr_index offset = 0;
    for (int axis = 0; axis < t->ndim; axis++) offset += at[axis] * t->stride[axis];
    memcpy(to + (size_t)i * item, (const uint8_t *)t->data + offset * (tsr_index)item, item);
    for (int axis = t->ndim - 1; axis >= 0 && ++at[axis] == t->shape[axis]; axis--) at[axis] = 0;
  }
  return (size_t)size * item;
}

/* The same dtype, shape and bits. */
static bool same_bits(const tsr_tensor *a, const tsr_tensor *b) {
  static uint8_t left[ELEMENTS * 16], right[ELEMENTS * 16];
  if (a->dtype != b->dtype || a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] != b->shape[i]) return false;
  const size_t n = gather(a, left);
  return gather(b, right) == n && memcmp(left, right, n) == 0;
}

static bool same_bundle(const tsr_bundle *a, const tsr_bundle *b, bool layouts) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++) {
    const tsr_tensor *t = tsr_bundle_find(b, a->tensors[i].name);
    if (t == NULL || !same_bits(&a->tensors[i], t) || (layouts && t->layout != a->tensors[i].layout)) return false;
  }
  return true;
}

/* ---- sinks ---- */

/* One call of a writer. */
typedef struct job {
  tsr_ctx *ctx;
  const tsr_bundle *bundle;
  const tsr_metadata *metadata;
  const tsr_tensor *t;
  uint8_t choice; /* of options */
} job;

typedef tsr_status writer(const job *j, const tsr_sink *sink);

typedef struct broken {
  size_t left;
  bool failed;
} broken;

static tsr_status write_some(void *self, const void *bytes, size_t n) {
  broken *b = self;
  (void)bytes;
  must(!b->failed); /* nothing comes after a failure */
  b->failed = n > b->left;
  b->left -= b->failed ? 0 : n;
  return b->failed ? TSR_EDEVICE : TSR_OK;
}

static buffer out; /* of the writer that ran last */

/* Whether it was written; a sink that fails at a byte of its choice fails the call, with its status. */
static bool run(writer *write, const job *j, input *in) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &out};
  out.n = 0;
  const tsr_status st = write(j, &sink);
  must(st == TSR_OK || (out.n == 0 && tsr_error(j->ctx)[0] != '\0'));
  if (st != TSR_OK) return false;
  broken b = {.left = out.n > 0 ? (take(in) | (size_t)take(in) << 8) % out.n : 0};
  const tsr_sink failing = {.size = sizeof(tsr_sink), .write = write_some, .self = &b};
  must(write(j, &failing) == (out.n > 0 ? TSR_EDEVICE : TSR_OK));
  return true;
}

/* ---- the formats ---- */

static tsr_status write_npy(const job *j, const tsr_sink *sink) { return tsr_npy_write(j->ctx, j->t, sink); }

static void check_npy(const job *j, input *in) {
  const bool narrow = j->t->dtype == TSR_F8_E4M3 || j->t->dtype == TSR_F8_E5M2;
  const tsr_npy_options options = {.void_dtype = narrow ? j->t->dtype : 0};
  tsr_tensor read = {0};
  size_t used = 0;
  must(run(write_npy, j, in));
  must(tsr_npy_decode(j->ctx, out.at, out.n, &options, &used, &read) == TSR_OK && used == out.n);
  must(same_bits(j->t, &read));
  tsr_release(&read);
}

static tsr_status write_raw(const job *j, const tsr_sink *sink) {
  const tsr_raw_options options = {.big_endian = j->choice % 2 != 0};
  return tsr_raw_write(j->ctx, j->t, &options, sink);
}

static void check_raw(const job *j, input *in) {
  static uint8_t want[ELEMENTS * 16];
  const tsr_dtype_info *info = tsr_dtype_describe(j->t->dtype);
  const size_t n = gather(j->t, want), unit = info->class_ == TSR_CLASS_COMPLEX ? info->bytes / 2u : info->bytes;
  must(run(write_raw, j, in) && out.n == n);
  for (size_t i = 0; i < n; i++) must(out.at[i] == want[j->choice % 2 ? i / unit * unit + unit - 1 - i % unit : i]);
}

static tsr_status write_png(const job *j, const tsr_sink *sink) {
  const tsr_png_save_options options = {.level = j->choice % 11 - 1};
  return tsr_png_write(j->ctx, j->t, &options, sink);
}

static tsr_status write_pnm(const job *j, const tsr_sink *sink) {
  const tsr_pnm_save_options options = {.ascii = j->choice % 2 != 0};
  return tsr_pnm_write(j->ctx, j->t, &options, sink);
}

static bool is_image(const tsr_tensor *t, int channels) {
  if ((t->dtype != TSR_U8 && t->dtype != TSR_U16) || tsr_size(t) == 0) return false;
  return t->ndim == 2 || (t->ndim == 3 && t->shape[2] <= channels && (channels == 4 || t->shape[2] != 2));
}

/* [H,W,1] is read as [H,W]. */
static void check_image(const job *j, const tsr_tensor *read) {
  tsr_tensor flat = *j->t;
  if (flat.ndim == 3 && flat.shape[2] == 1) flat.ndim = 2;
  must(same_bits(&flat, read));
}

static void check_images(const job *j, input *in) {
  tsr_tensor png = {0}, pnm = {0};
  must(run(write_png, j, in) == (TSR_HAVE_PNG && is_image(j->t, 4)));
  if (out.n > 0) {
    must(tsr_png_decode(j->ctx, out.at, out.n, NULL, &png) == TSR_OK);
    check_image(j, &png);
  }
  must(run(write_pnm, j, in) == is_image(j->t, 3));
  if (out.n > 0) {
    must(tsr_pnm_decode(j->ctx, out.at, out.n, NULL, &pnm) == TSR_OK);
    check_image(j, &pnm);
  }
  tsr_release(&png);
  tsr_release(&pnm);
}

static tsr_status write_csv(const job *j, const tsr_sink *sink) {
  const tsr_csv_options options = {.separator = ",;\t|"[j->choice % 4]};
  return tsr_csv_write(j->ctx, j->t, j->metadata, &options, sink);
}

static bool is_nan(int dtype, void *element) {
  tsr_tensor t = {0};
  tsr_real value = 0;
  must(tsr_from_memory(NULL, element, dtype, 0, NULL, &t) == TSR_OK);
  must(tsr_get(NULL, &t, 0, NULL, &value) == TSR_OK);
  return value != value;
}

static bool has_names(const tsr_metadata *metadata, tsr_index columns) {
  char key[32];
  for (tsr_index i = 0; i < columns; i++) {
    (void)snprintf(key, sizeof key, "column.%d", (int)i);
    if (tsr_metadata_find(metadata, key) != NULL) return true;
  }
  return false;
}

/* Text has one NaN: any will do for another. */
static void check_table(const tsr_tensor *t, const tsr_tensor *read) {
  static uint8_t want[ELEMENTS * 16], got[ELEMENTS * 16];
  const size_t item = tsr_dtype_size(t->dtype), n = gather(t, want);
  must(read->ndim == 2 && gather(read, got) == n && read->shape[0] == (t->ndim > 0 ? t->shape[0] : 1));
  for (size_t i = 0; i < n; i += item) {
    if (memcmp(want + i, got + i, item) != 0) must(is_nan(t->dtype, want + i) && is_nan(t->dtype, got + i));
  }
}

static void check_csv(const job *j, input *in) {
  const bool fits = j->t->ndim <= 2 && tsr_dtype_describe(j->t->dtype)->class_ != TSR_CLASS_COMPLEX;
  tsr_csv_options options = {.separator = ",;\t|"[j->choice % 4], .dtype = j->t->dtype};
  const tsr_index columns = j->t->ndim == 2 ? j->t->shape[1] : 1;
  tsr_tensor read = {0};
  const bool written = run(write_csv, j, in);
  must(written == fits || (fits && has_names(j->metadata, columns))); /* they may not be UTF-8 */
  if (!written || tsr_size(j->t) == 0) return;
  options.header = has_names(j->metadata, columns) ? TSR_CSV_HEADER_FIRST : TSR_CSV_HEADER_NONE;
  must(tsr_csv_decode(j->ctx, out.at, out.n, &options, &read, NULL) == TSR_OK);
  check_table(j->t, &read);
  tsr_release(&read);
}

static tsr_status write_npz(const job *j, const tsr_sink *sink) {
  const tsr_npz_save_options options = {.deflate = TSR_HAVE_ZLIB && j->choice % 2 != 0, .level = j->choice / 2 % 10};
  return tsr_npz_write(j->ctx, j->bundle, &options, sink);
}

/* Narrow floats have no type in these files. */
static bool has_f8(const tsr_bundle *bundle) {
  for (tsr_index i = 0; i < bundle->count; i++)
    if (bundle->tensors[i].dtype == TSR_F8_E4M3 || bundle->tensors[i].dtype == TSR_F8_E5M2) return true;
  return false;
}

static void check_npz(const job *j, input *in) {
  tsr_bundle read = {0};
  if (!run(write_npz, j, in)) return; /* a name is not UTF-8 */
  const tsr_status st = tsr_npz_decode(j->ctx, out.at, out.n, NULL, &read);
  must(has_f8(j->bundle) ? st != TSR_OK : st == TSR_OK && same_bundle(j->bundle, &read, false));
  tsr_bundle_release(&read);
}

static tsr_status write_safetensors(const job *j, const tsr_sink *sink) {
  const tsr_safetensors_save_options options = {.align = (size_t)8 << j->choice % 10, .plain = (j->choice & 64) != 0};
  return tsr_safetensors_write(j->ctx, j->bundle, j->metadata, &options, sink);
}

static void check_safetensors(const job *j, input *in) {
  const tsr_safetensors_options options = {.plain = (j->choice & 64) != 0};
  tsr_bundle read = {0};
  tsr_metadata metadata = {0};
  if (!run(write_safetensors, j, in)) return; /* a name that it keeps, or that is not UTF-8 */
  must(tsr_safetensors_decode(j->ctx, out.at, out.n, &options, &read, &metadata) == TSR_OK);
  must(same_bundle(j->bundle, &read, !options.plain));
  for (tsr_index i = 0; i < j->metadata->count && !options.plain; i++) {
    const char *key = j->metadata->pairs[i].key, *value = tsr_metadata_find(&metadata, key);
    if (strncmp(key, "tessera.", 8) != 0) must(value != NULL && strcmp(value, j->metadata->pairs[i].value) == 0);
  }
  tsr_bundle_release(&read);
  tsr_metadata_release(&metadata);
}

static tsr_status write_c(const job *j, const tsr_sink *sink) {
  const tsr_carray_options options = {.prefix = j->choice % 3 == 1   ? "in"
                                                : j->choice % 3 == 2 ? "_"
                                                                     : NULL,
                                      .align = 1 << j->choice % 13};
  return tsr_carray_write(j->ctx, j->bundle, &options, sink);
}

static void check_c(const job *j, input *in) {
  static uint8_t elements[ELEMENTS * 16];
  static char names[TENSORS * 2][160];
  must(run(write_c, j, in));
  c_text c = {.at = (const char *)out.at, .end = (const char *)out.at + out.n};
  for (int i = 0; i < 2; i++) { /* #include <stdint.h> */
    c_want(&c, "#"), c_want(&c, "include"), c_want(&c, "<");
    while (strcmp(c_next(&c), ">") != 0) must(c.token[0] != '\0');
  }
  for (tsr_index i = 0; i < j->bundle->count; i++)
    c_tensor(&c, elements, gather(&j->bundle->tensors[i], elements), &names[2 * i]);
  must(c_next(&c)[0] == '\0');
  for (tsr_index i = 0; i < 2 * j->bundle->count; i++)
    for (tsr_index k = 0; k < i; k++) must(strcmp(names[i], names[k]) != 0);
}

/* An archive that grows, in a file: seldom, because each save waits for the disk. */
static void check_append(const job *j) {
  static char path[64];
  const tsr_npz_save_options options = {.deflate = TSR_HAVE_ZLIB && j->choice % 2 != 0};
  tsr_bundle more = {0}, read = {0};
  tsr_tensor t = {0};
  (void)snprintf(path, sizeof path, "/tmp/tessera_fuzz_%ld.npz", (long)getpid());
  if (has_f8(j->bundle) || tsr_npz_save(j->ctx, path, j->bundle, &options) != TSR_OK) return;
  must(tsr_view(j->ctx, j->t, &t) == TSR_OK && tsr_bundle_add(j->ctx, &more, "added", &t) == TSR_OK);
  const bool there = tsr_bundle_find(j->bundle, "added") != NULL;
  must(tsr_npz_append(j->ctx, path, &more, &options) == (there ? TSR_ENAME : TSR_OK));
  must(tsr_npz_load(j->ctx, path, NULL, &read) == TSR_OK && read.count == j->bundle->count + !there);
  if (!there) must(same_bits(j->t, tsr_bundle_find(&read, "added")));
  for (tsr_index i = 0; i < j->bundle->count; i++)
    must(same_bits(&j->bundle->tensors[i], tsr_bundle_find(&read, j->bundle->tensors[i].name)));
  tsr_bundle_release(&read);
  tsr_bundle_release(&more);
  (void)unlink(path);
}

/* ---- one input ---- */

static void check_all(job *j, input *in) {
  for (tsr_index i = 0; i < j->bundle->count; i++) {
    j->t = &j->bundle->tensors[i];
    j->choice = take(in);
    check_npy(j, in);
    check_raw(j, in);
    check_images(j, in);
    check_csv(j, in);
  }
  j->choice = take(in);
  check_npz(j, in);
  check_safetensors(j, in);
  check_c(j, in);
  if (j->t != NULL && take(in) == 77) check_append(j);
}

static void make_bundle(tsr_ctx *ctx, input *in, tsr_bundle *bundle, tsr_metadata *metadata) {
  static uint64_t data[TENSORS][625 * 16 / 8];
  for (int i = take(in) % (TENSORS + 1); i > 0; i--) {
    char name[96];
    tsr_tensor t = {0};
    take_string(in, name, sizeof name);
    make_tensor(ctx, in, (uint8_t *)data[i - 1], &t);
    if (name[0] != '\0' && tsr_bundle_find(bundle, name) == NULL) must(tsr_bundle_add(ctx, bundle, name, &t) == TSR_OK);
  }
  for (int i = take(in) % 4; i > 0; i--) {
    char key[96], value[96];
    take_string(in, key, sizeof key);
    take_string(in, value, sizeof value);
    if (take(in) % 2 != 0) (void)snprintf(key, sizeof key, "column.%d", i - 1);
    must(tsr_metadata_set(ctx, metadata, key, value) == TSR_OK);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t bytes[1 << 20];
  input in = {.at = data, .left = size};
  tsr_ctx ctx;
  tsr_bundle bundle = {0};
  tsr_metadata metadata = {0};
  out = (buffer){.at = bytes, .capacity = sizeof bytes};
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  make_bundle(&ctx, &in, &bundle, &metadata);
  job j = {.ctx = &ctx, .bundle = &bundle, .metadata = &metadata};
  check_all(&j, &in);
  tsr_bundle_release(&bundle);
  tsr_metadata_release(&metadata);
  must(memory.in_use == 0);
  return 0;
}
