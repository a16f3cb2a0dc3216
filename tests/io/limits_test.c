/* Every limit with every loader that it is for: at the limit a file is read, one below it is refused, with a message
 * that names the limit, and outputs are as they were. */
#include "files_support.h"

#include <tessera/raw.h>
#include "changing_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

enum { BYTES = 1 << 16 };

static uint8_t room[BYTES];
static changing_file file;

/* ---- ways to read ---- */

typedef struct read_call {
  tsr_ctx *ctx;
  const char *path; /* the file as one */
  tsr_bundle b;
  tsr_metadata m;
  tsr_tensor t;
} read_call;

typedef struct memory_source {
  size_t at;
} memory_source;

static tsr_status pull(void *self, void *bytes, size_t n, size_t *got) {
  memory_source *s = self;
  *got = n < file.n - s->at ? n : file.n - s->at;
  memcpy(bytes, file.at + s->at, *got);
  s->at += *got;
  return TSR_OK;
}

static tsr_status read_at_once(void *self, uint64_t offset, void *bytes, size_t n) {
  (void)self;
  memcpy(bytes, file.at + offset, n);
  return TSR_OK;
}

static tsr_reader reader_of_file(void) {
  return (tsr_reader){.size = sizeof(tsr_reader), .read = read_at_once, .bytes = file.n};
}

static tsr_status npy_stream(read_call *c) {
  memory_source s = {0};
  const tsr_source source = {.size = sizeof(tsr_source), .read = pull, .self = &s};
  return tsr_npy_read(c->ctx, &source, NULL, &c->t);
}
static tsr_status npy_bytes_of(read_call *c) { return tsr_npy_decode(c->ctx, file.at, file.n, NULL, NULL, &c->t); }
static tsr_status npy_path(read_call *c) { return tsr_npy_load(c->ctx, c->path, &c->t); }
static tsr_status npy_mapped(read_call *c) { return tsr_npy_mmap(c->ctx, c->path, TSR_ACCESS_COPY, NULL, &c->t); }
static tsr_status npz_reader(read_call *c) {
  const tsr_reader r = reader_of_file();
  return tsr_npz_read(c->ctx, &r, NULL, &c->b);
}
static tsr_status npz_bytes_copied(read_call *c) {
  const tsr_npz_options options = {.access = TSR_ACCESS_COPY};
  return tsr_npz_decode(c->ctx, file.at, file.n, &options, &c->b);
}
static tsr_status npz_path(read_call *c) {
  const tsr_npz_options options = {.access = TSR_ACCESS_COPY};
  return tsr_npz_load(c->ctx, c->path, &options, &c->b);
}
static tsr_status npz_one(read_call *c) {
  const tsr_reader r = reader_of_file();
  return tsr_npz_read_tensor(c->ctx, &r, NULL, "aaa", &c->t);
}
static tsr_status npz_open(read_call *c) {
  const tsr_reader r = reader_of_file();
  tsr_npz_archive *archive = NULL;
  tsr_status st = tsr_npz_archive_new(c->ctx, &r, NULL, &archive);
  for (tsr_index i = 0; st == TSR_OK && i < 6; i++) {
    tsr_release(&c->t);
    c->t = (tsr_tensor){0};
    st = tsr_npz_archive_read(c->ctx, archive, i, &c->t);
    if (st == TSR_OK) { /* a second time is not counted again */
      tsr_release(&c->t);
      c->t = (tsr_tensor){0};
      st = tsr_npz_archive_read(c->ctx, archive, i, &c->t);
    }
  }
  tsr_npz_archive_release(archive);
  return st;
}
static tsr_status st_reader_(read_call *c) {
  const tsr_reader r = reader_of_file();
  return tsr_safetensors_read(c->ctx, &r, NULL, &c->b, &c->m);
}
static tsr_status st_path(read_call *c) {
  const tsr_safetensors_options options = {.access = TSR_ACCESS_COPY};
  return tsr_safetensors_load(c->ctx, c->path, &options, &c->b, &c->m);
}
static tsr_status st_one(read_call *c) {
  const tsr_reader r = reader_of_file();
  return tsr_safetensors_read_tensor(c->ctx, &r, NULL, "aaa", &c->t);
}
static tsr_status st_each(read_call *c, tsr_status st, tsr_safetensors_file *open) {
  for (tsr_index i = 0; st == TSR_OK && i < 6; i++) {
    tsr_release(&c->t);
    c->t = (tsr_tensor){0};
    st = tsr_safetensors_file_read(c->ctx, open, i, &c->t);
  }
  tsr_safetensors_file_release(open);
  return st;
}
static tsr_status st_open(read_call *c) {
  const tsr_reader r = reader_of_file();
  tsr_safetensors_file *open = NULL;
  const tsr_status st = tsr_safetensors_file_new(c->ctx, &r, NULL, &open);
  return st_each(c, st, open);
}
static tsr_status st_open_path(read_call *c) {
  const tsr_safetensors_options options = {.access = TSR_ACCESS_COPY};
  tsr_safetensors_file *open = NULL;
  const tsr_status st = tsr_safetensors_file_open(c->ctx, c->path, &options, &open);
  return st_each(c, st, open);
}
static tsr_status st_described(read_call *c) {
  const tsr_reader r = reader_of_file();
  TSR_IGNORE(tsr_desc_init(NULL, TSR_F32, TSR_SHAPE(2), &c->t));
  const tsr_status st = tsr_safetensors_read_tensor(c->ctx, &r, NULL, "aaa", &c->t);
  if (st != TSR_OK && c->t.data == NULL) c->t = (tsr_tensor){0};
  return st;
}
static tsr_status gguf_reader(read_call *c) {
  const tsr_reader r = reader_of_file();
  return tsr_gguf_read(c->ctx, &r, NULL, &c->b, &c->m);
}
static tsr_status gguf_path(read_call *c) {
  const tsr_gguf_options options = {.access = TSR_ACCESS_COPY};
  return tsr_gguf_load(c->ctx, c->path, &options, &c->b, &c->m);
}
static tsr_status csv_source(read_call *c) {
  memory_source s = {0};
  const tsr_source source = {.size = sizeof(tsr_source), .read = pull, .self = &s};
  return tsr_csv_read(c->ctx, &source, NULL, &c->t, &c->m);
}
static tsr_status csv_path(read_call *c) { return tsr_csv_load(c->ctx, c->path, NULL, &c->t, &c->m); }
static tsr_status png_bytes_of(read_call *c) { return tsr_png_decode(c->ctx, file.at, file.n, NULL, &c->t); }
static tsr_status png_path(read_call *c) { return tsr_png_load(c->ctx, c->path, NULL, &c->t); }
static tsr_status png_source(read_call *c) {
  memory_source s = {0};
  const tsr_source source = {.size = sizeof(tsr_source), .read = pull, .self = &s};
  return tsr_png_read(c->ctx, &source, NULL, &c->t);
}
static tsr_status pnm_bytes_of(read_call *c) { return tsr_pnm_decode(c->ctx, file.at, file.n, NULL, &c->t); }
static tsr_status pnm_path(read_call *c) { return tsr_pnm_load(c->ctx, c->path, NULL, &c->t); }
static tsr_status any_path(read_call *c) { return tsr_bundle_load(c->ctx, c->path, &c->b, &c->m); }
static tsr_status raw_path(read_call *c) {
  const tsr_raw_options options = {.access = TSR_ACCESS_COPY};
  return tsr_raw_load(c->ctx, c->path, TSR_U8, TSR_SHAPE(-1), &options, &c->t);
}

/* ---- limits ---- */

/* What a way asks of each limit for version 1 of the files: 6 tensors of 2 floats with names of 3 bytes. 0: it is not
 * for this. FILE_: the bytes of the file count too. JSON: the file without its length and its data. */
enum { FILE_ = 1 << 20, JSON = 1 << 21 };

static const struct way {
  const char *name;
  changing_format format;
  tsr_status (*read)(read_call *c);
  uint64_t header, tensors, inflated, pixels, total;
} ways[] = {
    {"npy source", IN_NPY, npy_stream, 118, 0, 0, 0, 8},
    {"npy bytes", IN_NPY, npy_bytes_of, 118, 0, 0, 0, 8},
    {"npy path", IN_NPY, npy_path, 118, 0, 0, 0, 8},
    {"npy mapped", IN_NPY, npy_mapped, 118, 0, 0, 0, 8},
    {"npy any", IN_NPY, any_path, 118, 0, 0, 0, 0},
    {"npz reader", IN_NPZ, npz_reader, 6 * 53, 6, 0, 0, 48},
    {"npz bytes", IN_NPZ, npz_bytes_copied, 6 * 53, 6, 0, 0, 48},
    {"npz path", IN_NPZ, npz_path, 6 * 53, 6, 0, 0, 48},
    {"npz one", IN_NPZ, npz_one, 6 * 53, 6, 0, 0, 8},
    {"npz open", IN_NPZ, npz_open, 6 * 53, 6, 0, 0, 8},
    {"deflated reader", IN_DEFLATED, npz_reader, 6 * 53, 6, 6 * 136, 0, 48},
    {"deflated bytes", IN_DEFLATED, npz_bytes_copied, 6 * 53, 6, 6 * 136, 0, 48},
    {"deflated path", IN_DEFLATED, npz_path, 6 * 53, 6, 6 * 136, 0, 48},
    {"deflated any", IN_DEFLATED, any_path, 6 * 53, 6, 6 * 136, 0, 48},
    {"deflated one", IN_DEFLATED, npz_one, 6 * 53, 6, 136, 0, 8},
    {"deflated open", IN_DEFLATED, npz_open, 6 * 53, 6, 6 * 136, 0, 8},
    {"safetensors reader", IN_SAFETENSORS, st_reader_, JSON, 6, 0, 0, 48},
    {"safetensors path", IN_SAFETENSORS, st_path, JSON, 6, 0, 0, 48},
    {"safetensors any", IN_SAFETENSORS, any_path, JSON, 6, 0, 0, 0},
    {"safetensors one", IN_SAFETENSORS, st_one, JSON, 6, 0, 0, 8},
    {"safetensors open", IN_SAFETENSORS, st_open, JSON, 6, 0, 0, 8},
    {"safetensors open path", IN_SAFETENSORS, st_open_path, JSON, 6, 0, 0, 8},
    {"safetensors described", IN_SAFETENSORS, st_described, JSON, 6, 0, 0, 8},
    {"gguf reader", IN_GGUF, gguf_reader, 24 + 25 + 6 * 35, 6, 0, 0, 48},
    {"gguf path", IN_GGUF, gguf_path, 24 + 25 + 6 * 35, 6, 0, 0, 48},
    {"gguf any", IN_GGUF, any_path, 24 + 25 + 6 * 35, 6, 0, 0, 0},
    {"csv source", IN_CSV, csv_source, 0, 1, 0, 0, 16},
    {"csv path", IN_CSV, csv_path, 0, 1, 0, 0, 16},
    {"csv any", IN_CSV, any_path, 0, 1, 0, 0, 16},
    {"png bytes", IN_PNG, png_bytes_of, 0, 0, 12, 12, 12},
    {"png path", IN_PNG, png_path, 0, 0, 12, 12, FILE_ + 12},
    {"png source", IN_PNG, png_source, 0, 0, 12, 12, FILE_ + 12},
    {"png any", IN_PNG, any_path, 0, 0, 12, 12, FILE_ + 12},
    {"pnm bytes", IN_PNM, pnm_bytes_of, 0, 0, 0, 12, 12},
    {"pnm path", IN_PNM, pnm_path, 0, 0, 0, 12, FILE_ + 12},
    {"raw path", IN_PNM, raw_path, 0, 0, 0, 0, FILE_},
};

static bool has(const struct way *w) {
  return (w->format != IN_PNG || TSR_HAVE_PNG) && (w->format != IN_DEFLATED || TSR_HAVE_ZLIB);
}

static uint64_t limit_of(uint64_t said) {
  if ((said & FILE_) != 0) return file.n + (said & ~(uint64_t)FILE_);
  return said == JSON ? file.n - 8 - 48 : said;
}

static tsr_status call(const struct way *w, const tsr_io_limits *limits, const char *path, const char *name) {
  npy_memory memory;
  read_call c = {.ctx = memory_start(&memory, SIZE_MAX, false), .path = path};
  OK(c.ctx, tsr_context_set_io_limits(c.ctx, limits));
  const tsr_status st = w->read(&c);
  if (st == TSR_ELIMIT) {
    CHECK(tsr_is_none(&c.t) && c.b.count == 0 && c.m.count == 0);
    MESSAGE_HAS(c.ctx, "the limit is");
    MESSAGE_HAS(c.ctx, name);
  }
  tsr_release(&c.t);
  tsr_bundle_release(&c.b);
  tsr_metadata_release(&c.m);
  CHECK(memory.failing.live == 0);
  return st;
}

static void check_limit(const struct way *w, const char *path, int which) {
  static const char *const names[] = {"tsr_io_limits.header", "tsr_io_limits.tensors", "tsr_io_limits.inflated",
                                      "tsr_io_limits.pixels", "tsr_io_limits.total"};
  const uint64_t asked[] = {w->header, w->tensors, w->inflated, w->pixels, w->total};
  const uint64_t limit = limit_of(asked[which]);
  tsr_io_limits limits = {0};
  uint64_t *const fields[] = {&limits.header, &limits.tensors, &limits.inflated, &limits.pixels, &limits.total};
  *fields[which] = asked[which] != 0 ? limit : 1; /* one that is not for this way changes nothing */
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && which == 4 && asked[which] == 0)
    return; /* what is mapped elsewhere is copied */
  const int before = test_now.failures;
  CHECK(call(w, &limits, path, names[which]) == TSR_OK);
  if (asked[which] > 0) {
    *fields[which] = limit - 1;
    if (limit > 1) CHECK(call(w, &limits, path, names[which]) == TSR_ELIMIT);
  }
  if (test_now.failures > before) printf("   in %s, %s %llu\n", w->name, names[which], (unsigned long long)limit);
}

TEST(every_limit_of_every_loader) {
  REQUIRE(folder_make());
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char path[256];
    if (!has(&ways[i])) continue;
    file = (changing_file){.at = room, .capacity = sizeof room};
    changing_make(ways[i].format, &versions[1], &file);
    (void)snprintf(path, sizeof path, "%s", in_folder("limited"));
    FILE *stream = fopen(path, "wb");
    REQUIRE(stream != NULL && fwrite(file.at, 1, file.n, stream) == file.n && fclose(stream) == 0);
    for (int which = 0; which < 5; which++) check_limit(&ways[i], path, which);
    const tsr_io_limits none = {TSR_NO_LIMIT, TSR_NO_LIMIT, TSR_NO_LIMIT, TSR_NO_LIMIT, TSR_NO_LIMIT, {0}};
    CHECK(call(&ways[i], &none, path, "") == TSR_OK);
    CHECK(call(&ways[i], NULL, path, "") == TSR_OK);
  }
  folder_end();
}

TEST(columns_are_counted) {
  const tsr_io_limits two = {.tensors = 2}, three = {.tensors = 3};
  tsr_ctx ctx;
  tsr_tensor t = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_io_limits(&ctx, &two));
  FAILS(&ctx, TSR_ELIMIT, tsr_csv_decode(&ctx, "1,2,3\n", 6, NULL, &t, NULL));
  MESSAGE_HAS(&ctx, "csv_decode: it has at least 3 columns, the limit is 2; raise tsr_io_limits.tensors");
  OK(&ctx, tsr_context_set_io_limits(&ctx, &three));
  OK(&ctx, tsr_csv_decode(&ctx, "1,2,3\n", 6, NULL, &t, NULL));
  tsr_release(&t);
}

/* ---- defaults ---- */

/* Deflated zeros: the ratio is what is limited, not the size. */
TEST(a_small_file_does_not_become_large) {
  static const tsr_npz_save_options deflate = {.deflate = true, .level = 1};
  const size_t large = ((size_t)1 << 28) + 64;
  tsr_tensor zeros = {0}, pixels = {0}, out = {0};
  tsr_bundle b = {0}, back = {0};
  if (!TSR_HAVE_ZLIB || !TSR_HAVE_PNG) SKIP("this build has no zlib or no libpng");
  changing_file made = {.at = malloc((size_t)1 << 24), .capacity = (size_t)1 << 24};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = changing_add, .self = &made};
  REQUIRE(made.at != NULL);
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE((tsr_index)large), &zeros));
  OK(NULL, tsr_bundle_add(NULL, &b, "zeros", &zeros));
  OK(NULL, tsr_npz_write(NULL, &b, &deflate, &sink));
  FAILS(NULL, TSR_ELIMIT, tsr_npz_decode(NULL, made.at, made.n, NULL, &back));
  MESSAGE_HAS(NULL, "npz_decode: it inflates to 268435648 bytes, the limit is 268435456; raise tsr_io_limits.inflated");
  CHECK(back.count == 0);
  OK(NULL, tsr_reshape(NULL, &b.tensors[0], TSR_SHAPE(64, -1), &pixels));
  made.n = 0;
  OK(NULL, tsr_png_write(NULL, &pixels, NULL, &sink));
  FAILS(NULL, TSR_ELIMIT, tsr_png_decode(NULL, made.at, made.n, NULL, &out));
  MESSAGE_HAS(NULL, "it has 268435520 pixels, the limit is 268435456; raise tsr_io_limits.pixels");
  const tsr_png_options describe = {.describe = true};
  OK(NULL, tsr_png_decode(NULL, made.at, made.n, &describe, &out));
  CHECK(out.data == NULL && out.dtype == TSR_U8 && out.ndim == 2 && out.shape[0] == 64 && out.shape[1] == 4194305);
  tsr_release(&pixels);
  tsr_bundle_release(&b);
  free(made.at);
}

/* Zeros without an end behind the header of an image. */
static tsr_status pull_zeros(void *self, void *bytes, size_t n, size_t *got) {
  size_t *const at = self;
  static const char header[] = "P5 2 2 255\n1234";
  memset(bytes, 0, n);
  for (size_t i = 0; i < n && *at + i < sizeof header - 1; i++) ((char *)bytes)[i] = header[*at + i];
  *at += n;
  *got = n;
  return TSR_OK;
}

/* Memory is within the limit when it is refused, not after it; a file that says how long it is takes none. */
TEST(images_with_too_much_behind_them) {
  enum { TOTAL = 10000000 };
  tsr_counting counting;
  const tsr_io_limits limits = {.total = TOTAL};
  tsr_ctx ctx;
  tsr_tensor t = {0};
  size_t at = 0;
  const tsr_source source = {.size = sizeof(tsr_source), .read = pull_zeros, .self = &at};
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  OK(&ctx, tsr_context_set_io_limits(&ctx, &limits));
  FAILS(&ctx, TSR_ELIMIT, tsr_pnm_read(&ctx, &source, NULL, &t));
  CHECK(counting.stats.in_use == 0 && counting.largest <= TOTAL + 1 && at == TOTAL + 1);
  CHECK(counting.stats.peak <= 2 * TOTAL);
  REQUIRE(folder_make());
  const char *path = in_folder("long.pgm");
  FILE *f = fopen(path, "wb");
  REQUIRE(f != NULL);
  CHECK(fwrite("P5 2 2 255\n1234", 1, 15, f) == 15 && fseek(f, TOTAL, SEEK_SET) == 0 && fputc(0, f) == 0);
  CHECK(fclose(f) == 0);
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  FAILS(&ctx, TSR_ELIMIT, tsr_pnm_load(&ctx, path, NULL, &t));
  MESSAGE_HAS(&ctx, "its file takes 10000001 bytes, the limit is 10000000; raise tsr_io_limits.total");
  CHECK(counting.largest == 0 && tsr_is_none(&t));
  (void)remove(path);
}

/* ---- headers alone ---- */

/* A file whose header is in its first bytes, one with a comment longer than what is read of it, and one cut short. */
TEST(images_are_described_by_their_headers) {
  enum { COMMENT = 70000, LARGE = 100000 };
  static char text[COMMENT + LARGE + 64];
  const tsr_pnm_options describe = {.describe = true};
  tsr_tensor t = {0};
  REQUIRE(folder_make());
  for (int comment = 0; comment < 2; comment++) {
    const char *path = in_folder("described.pgm");
    int n = snprintf(text, sizeof text, "P5\n");
    if (comment) {
      memset(text + n, '#', COMMENT);
      n += COMMENT;
      text[n++] = '\n';
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "1000 100 255\n");
    for (int cut = 0; cut < 2; cut++) {
      const size_t bytes = (size_t)n + LARGE - (size_t)cut;
      FILE *stream = fopen(path, "wb");
      REQUIRE(stream != NULL && fwrite(text, 1, bytes, stream) == bytes && fclose(stream) == 0);
      if (cut) {
        FAILS(NULL, TSR_EFORMAT, tsr_pnm_load(NULL, path, &describe, &t));
        CHECK(tsr_is_none(&t));
      } else {
        OK(NULL, tsr_pnm_load(NULL, path, &describe, &t));
        CHECK(t.data == NULL && t.dtype == TSR_U8 && t.shape[0] == 100 && t.shape[1] == 1000 && t.stride[0] == 1000);
      }
      t = (tsr_tensor){0};
    }
  }
  FAILS(NULL, TSR_EIO, tsr_pnm_load(NULL, in_folder("no such file"), &describe, &t));
  folder_end();
}

static tsr_status count_member(void *user, const tsr_npz_entry *e) {
  CHECK(e->ndim == 1 && e->shape[0] == 2);
  return ++*(int *)user == 4 ? TSR_ESTATE : TSR_OK;
}

TEST(an_open_archive_is_listed) {
  tsr_npz_archive *archive = NULL;
  int seen = 0;
  file = (changing_file){.at = room, .capacity = sizeof room};
  changing_make(IN_NPZ, &versions[1], &file);
  const tsr_reader r = reader_of_file();
  OK(NULL, tsr_npz_archive_new(NULL, &r, NULL, &archive));
  FAILS(NULL, TSR_ESTATE, tsr_npz_archive_list(NULL, archive, count_member, &seen));
  CHECK(seen == 4);
  seen = 10;
  OK(NULL, tsr_npz_archive_list(NULL, archive, count_member, &seen));
  CHECK(seen == 16);
  tsr_npz_archive_release(archive);
}

/* Each allocation of opening and reading fails once. */
TEST(memory_that_fails) {
  file = (changing_file){.at = room, .capacity = sizeof room};
  changing_make(IN_NPZ, &versions[1], &file);
  for (size_t at = 0;; at++) {
    npy_memory memory;
    tsr_ctx *ctx = memory_start(&memory, at, false);
    tsr_npz_archive *archive = NULL;
    tsr_tensor t = {0};
    const tsr_reader r = reader_of_file();
    tsr_status st = tsr_npz_archive_new(ctx, &r, NULL, &archive);
    CHECK(st == TSR_OK || archive == NULL);
    if (st == TSR_OK) st = tsr_npz_archive_read(ctx, archive, 1, &t);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && tsr_is_none(&t)));
    tsr_release(&t);
    tsr_npz_archive_release(archive);
    CHECK(memory.failing.live == 0);
    if (st == TSR_OK) break;
    REQUIRE(at < 100);
  }
}

TEST(bad_calls) {
  tsr_npz_archive *archive = NULL;
  tsr_tensor t = {0};
  const tsr_png_options png = {.describe = true};
  const tsr_reader r = reader_of_file();
  file = (changing_file){.at = room, .capacity = sizeof room};
  FAILS(NULL, TSR_EARG, tsr_context_set_io_limits(NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_archive_new(NULL, NULL, NULL, &archive));
  FAILS(NULL, TSR_EARG, tsr_npz_archive_new(NULL, &r, NULL, NULL));
  FAILS(NULL, TSR_EFORMAT,
        tsr_npz_archive_new(NULL, &(tsr_reader){.size = sizeof(tsr_reader), .read = read_at_once}, NULL, &archive));
  MESSAGE_HAS(NULL, "npz_archive_new: byte 0: the file is too short");
  FAILS(NULL, TSR_EARG, tsr_npz_archive_list(NULL, NULL, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_archive_read(NULL, NULL, 0, &t));
  tsr_npz_archive_release(NULL);
  changing_make(IN_NPZ, &versions[1], &file);
  const tsr_reader whole = reader_of_file();
  OK(NULL, tsr_npz_archive_new(NULL, &whole, NULL, &archive));
  FAILS(NULL, TSR_EARG, tsr_npz_archive_list(NULL, archive, NULL, NULL));
  FAILS(NULL, TSR_EINDEX, tsr_npz_archive_read(NULL, archive, 6, &t));
  FAILS(NULL, TSR_EINDEX, tsr_npz_archive_read(NULL, archive, -1, &t));
  FAILS(NULL, TSR_EARG, tsr_npz_archive_read(NULL, archive, 0, NULL));
  OK(NULL, tsr_npz_archive_read(NULL, archive, 5, &t));
  FAILS(NULL, TSR_ESTATE, tsr_png_decode(NULL, room, 1, &png, &t));
  tsr_release(&t);
  tsr_npz_archive_release(archive);
}

/* An open archive keeps nothing in the scratch of the call that opened it. */
TEST(an_open_archive_and_scratch) {
  static _Alignas(64) uint8_t scratch[1 << 18];
  npy_memory memory;
  tsr_ctx *ctx = memory_start(&memory, SIZE_MAX, false);
  tsr_npz_archive *archive = NULL;
  tsr_tensor t = {0};
  file = (changing_file){.at = room, .capacity = sizeof room};
  changing_make(IN_NPZ, &versions[1], &file);
  const tsr_reader r = reader_of_file();
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  OK(ctx, tsr_npz_archive_new(ctx, &r, NULL, &archive));
  CHECK(ctx->scratch_used == 0);
  memset(scratch, 0xff, sizeof scratch);
  OK(ctx, tsr_npz_archive_read(ctx, archive, 5, &t));
  CHECK(tsr_size(&t) == 2);
  tsr_release(&t);
  tsr_npz_archive_release(archive);
  CHECK(memory.failing.live == 0);
}

TEST_MAIN(RUN(every_limit_of_every_loader), RUN(columns_are_counted), RUN(a_small_file_does_not_become_large),
          RUN(bad_calls), RUN(images_with_too_much_behind_them), RUN(images_are_described_by_their_headers),
          RUN(an_open_archive_is_listed), RUN(memory_that_fails), RUN(an_open_archive_and_scratch))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
