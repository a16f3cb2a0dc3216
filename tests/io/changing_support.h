/* Pairs of whole files of every format, and readers that answer from the one and then from the other. */
#ifndef TSR_TEST_CHANGING_SUPPORT_H
#define TSR_TEST_CHANGING_SUPPORT_H

#include <tessera/csv.h>
#include <tessera/formats.h>
#include <tessera/gguf.h>
#include <tessera/ops.h>
#include <tessera/png.h>

#include <tessera/pnm.h>
#include "npz_support.h"

enum { VERSIONS = 4 };

/* What distinguishes the versions: one that grows from the other in one thing, and one in all. */
static const struct version {
  int tensors, name, elements, pairs, text;
} versions[VERSIONS] = {{1, 3, 2, 1, 2}, {6, 3, 2, 1, 2}, {1, 300, 2, 6, 300}, {4, 40, 700, 4, 40}};

typedef struct changing_file {
  uint8_t *at;
  size_t n, capacity;
} changing_file;

static inline tsr_status changing_add(void *self, const void *bytes, size_t n) {
  changing_file *f = self;
  if (n > f->capacity - f->n) return TSR_ENOMEM;
  if (n > 0) memcpy(f->at + f->n, bytes, n);
  f->n += n;
  return TSR_OK;
}

static inline const char *changing_name(int i, int length) {
  static char name[512];
  memset(name, 'a' + i, (size_t)length);
  name[length] = '\0';
  return name;
}

static inline void changing_bundle(const struct version *v, tsr_bundle *b, tsr_metadata *m) {
  for (int i = 0; i < v->tensors; i++) {
    tsr_tensor t = {0};
    OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(v->elements), &t));
    OK(NULL, tsr_bundle_add(NULL, b, changing_name(i, v->name), &t));
  }
  for (int i = 0; i < v->pairs; i++) {
    char value[512];
    (void)snprintf(value, sizeof value, "%s", changing_name(i, v->text));
    OK(NULL, tsr_metadata_set(NULL, m, changing_name(i, v->name), value));
  }
}

/* ---- GGUF: nothing writes it ---- */

static inline void put_number(changing_file *f, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    const uint8_t byte = (uint8_t)(value >> 8 * i);
    CHECK(changing_add(f, &byte, 1) == TSR_OK);
  }
}

static inline void put_name(changing_file *f, const char *name) {
  put_number(f, strlen(name), 8);
  CHECK(changing_add(f, name, strlen(name)) == TSR_OK);
}

static inline void changing_gguf(const struct version *v, changing_file *f) {
  CHECK(changing_add(f, "GGUF\3\0\0\0", 8) == TSR_OK);
  put_number(f, (uint64_t)v->tensors, 8);
  put_number(f, (uint64_t)v->pairs, 8);
  for (int i = 0; i < v->pairs; i++) { /* a string, an array of numbers, one of strings */
    put_name(f, changing_name(i, v->name));
    put_number(f, i % 3 == 0 ? 8 : 9, 4);
    if (i % 3 == 0) {
      put_name(f, changing_name(i, v->text));
    } else {
      put_number(f, i % 3 == 1 ? 6 : 8, 4);
      put_number(f, 2, 8);
      for (int k = 0; k < 2 && i % 3 == 1; k++) put_number(f, 0x40000000, 4);
      for (int k = 0; k < 2 && i % 3 == 2; k++) put_name(f, changing_name(k, v->text));
    }
  }
  const uint64_t bytes = ((uint64_t)v->elements * 4 + 31) / 32 * 32;
  for (int i = 0; i < v->tensors; i++) {
    put_name(f, changing_name(i, v->name));
    put_number(f, 1, 4);
    put_number(f, (uint64_t)v->elements, 8);
    put_number(f, TSR_GGUF_F32, 4);
    put_number(f, bytes * (uint64_t)i, 8);
  }
  while (f->n % 32 != 0) put_number(f, 0, 1);
  for (uint64_t i = 0; i < bytes * (uint64_t)v->tensors; i++) put_number(f, 0, 1);
}

/* ---- the formats ---- */

typedef enum changing_format {
  IN_NPY,
  IN_NPZ,
  IN_DEFLATED,
  IN_SAFETENSORS,
  IN_GGUF,
  IN_CSV,
  IN_PNG,
  IN_PNM,
  FORMATS
} changing_format;

static inline void changing_make(changing_format format, const struct version *v, changing_file *f) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = changing_add, .self = f};
  const tsr_npz_save_options deflate = {.deflate = format == IN_DEFLATED && TSR_HAVE_ZLIB};
  tsr_bundle b = {0};
  tsr_metadata m = {0};
  tsr_tensor image = {0};
  changing_bundle(v, &b, &m);
  f->n = 0;
  if (format == IN_NPY) OK(NULL, tsr_npy_write(NULL, &b.tensors[0], &sink));
  if (format == IN_NPZ || format == IN_DEFLATED) OK(NULL, tsr_npz_write(NULL, &b, &deflate, &sink));
  if (format == IN_SAFETENSORS) OK(NULL, tsr_safetensors_write(NULL, &b, &m, NULL, &sink));
  if (format == IN_GGUF) changing_gguf(v, f);
  if (format == IN_CSV) OK(NULL, tsr_csv_write(NULL, &b.tensors[0], NULL, NULL, &sink));
  if (format == IN_PNG || format == IN_PNM) {
    OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(v->tensors, v->elements), &image));
    if (format == IN_PNG) OK(NULL, tsr_png_write(NULL, &image, NULL, &sink));
    if (format == IN_PNM) OK(NULL, tsr_pnm_write(NULL, &image, NULL, &sink));
    tsr_release(&image);
  }
  tsr_bundle_release(&b);
  tsr_metadata_release(&m);
}

/* ---- what was read ---- */

/* Goes through all bytes: a sanitizer sees where they are not the tensor's. */
static inline unsigned all_bytes(const tsr_tensor *t) {
  unsigned sum = 0;
  if (t->data == NULL || !tsr_is_contiguous(t, TSR_ROW_MAJOR)) return 0;
  for (size_t i = 0; i < tsr_nbytes(t); i++) sum += ((const unsigned char *)t->data)[i];
  return sum;
}

/* A bundle and metadata are whole, or as empty as they were; both are released. */
static inline bool read_is_sound(tsr_status st, tsr_bundle *b, tsr_metadata *m) {
  bool sound = st == TSR_OK || (b->count == 0 && m->count == 0);
  unsigned sum = 0;
  for (tsr_index i = 0; i < b->count; i++) {
    sum += all_bytes(&b->tensors[i]);
    sound = sound && tsr_bundle_find(b, b->tensors[i].name) == &b->tensors[i];
  }
  for (tsr_index i = 0; i < m->count; i++)
    sum += (unsigned)strlen(m->pairs[i].key) + (unsigned)strlen(m->pairs[i].value);
  tsr_bundle_release(b);
  tsr_metadata_release(m);
  return sound && sum != 1;
}

#endif
