#include "looks.h"

#include <stdio.h>
#include <string.h>

typedef struct mark {
  size_t offset, length;
  const char *bytes;
  const char *what;
} mark;

/* The surest first. */
static const mark marks[] = {
    {0, 6, "\x93NUMPY", "a NumPy array (.npy)"},
    {0, 8, "\x89PNG\r\n\x1a\n", "a PNG picture"},
    {0, 4, "GGUF", "a GGUF model"},
    {0, 4, "ggml", "an old ggml model"},
    {0, 8, "\x89HDF\r\n\x1a\n", "an HDF5 file (.h5, .keras)"},
    {0, 4, "PK\x03\x04", "a zip archive (.npz, .pt, .keras and others are such)"},
    {0, 4, "PK\x05\x06", "an empty zip archive"},
    {0, 3, "\xff\xd8\xff", "a JPEG picture"},
    {0, 4, "GIF8", "a GIF picture"},
    {0, 2, "BM", "a BMP picture"},
    {0, 2, "\x1f\x8b", "a gzip archive: unpack it first"},
    {0, 4, "\x28\xb5\x2f\xfd", "a zstd archive: unpack it first"},
    {0, 6,
     "\xfd"
     "7zXZ\0",
     "an xz archive: unpack it first"},
    {0, 6, "7z\xbc\xaf\x27\x1c", "a 7-zip archive"},
    {257, 5, "ustar", "a tar archive: unpack it first"},
    {0, 5, "%PDF-", "a PDF document"},
    {0, 4,
     "\x7f"
     "ELF",
     "a program or library (ELF)"},
    {0, 6, "MATLAB", "a MATLAB file (.mat)"},
    {4, 4, "TFL3", "a TensorFlow Lite model"},
    {0, 4, "PAR1", "a Parquet file"},
    {0, 6, "ARROW1", "an Arrow file"},
    {0, 16, "SQLite format 3\0", "an SQLite database"},
    {0, 2, "P5", "a PGM picture"},
    {0, 2, "P6", "a PPM picture"},
    {0, 2, "#!", "a script"},
};

static bool is_text(const unsigned char *start, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (start[i] < 0x20 && start[i] != '\n' && start[i] != '\r' && start[i] != '\t') return false;
  return n > 0;
}

static const char *text_like(const unsigned char *start, size_t n) {
  size_t i = 0;
  while (i < n && (start[i] == ' ' || start[i] == '\n' || start[i] == '\r' || start[i] == '\t')) i++;
  if (i < n && (start[i] == '{' || start[i] == '[')) return "JSON text";
  if (i < n && start[i] == '<') return "HTML or XML text";
  return "text";
}

/* Pickles of protocol 2 and later begin with their protocol and open a frame, a dict, a tuple or a name. */
static bool is_pickle(const unsigned char *start, size_t n) {
  return n > 2 && start[0] == 0x80 && start[1] >= 2 && start[1] <= 5 && strchr("}](c\x8a\x95", start[2]) != NULL;
}

const char *looks_like(const char *path) {
  unsigned char start[512];
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  const size_t n = fread(start, 1, sizeof start, f);
  (void)fclose(f);
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    const mark *m = &marks[i];
    if (n >= m->offset + m->length && memcmp(start + m->offset, m->bytes, m->length) == 0) return m->what;
  }
  if (is_pickle(start, n)) return "a Python pickle (PyTorch's older .pt and .bin are such)";
  return is_text(start, n) ? text_like(start, n) : NULL;
}

bool looks_like_text(const char *path) {
  const char *what = looks_like(path);
  return what != NULL && strcmp(what, "text") == 0;
}
