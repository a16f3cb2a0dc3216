/* EXIF: which way up an image is. */
#include "io/image/jpeg.h"

#if TSR_HAVE_STDIO

#include <string.h>

enum { HEAD = 6, ENTRY = 12, ORIENTATION = 0x112, SHORT = 3 };

/* A block of TIFF, whose numbers have either byte order. */
typedef struct tiff {
  const uint8_t *at;
  size_t n;
  bool big;
} tiff;

/* bytes of a number at offset; 0 where the block is too short for it. */
static uint32_t number_at(const tiff *t, size_t offset, int bytes) {
  uint32_t value = 0;
  if (offset > t->n || t->n - offset < (size_t)bytes) return 0;
  for (int i = 0; i < bytes; i++) value = value << 8 | t->at[offset + (size_t)(t->big ? i : bytes - 1 - i)];
  return value;
}

int tsr__exif_orientation(const uint8_t *bytes, size_t n) {
  if (n < HEAD + 8 || memcmp(bytes, "Exif\0\0", HEAD) != 0) return 1;
  tiff t = {.at = bytes + HEAD, .n = n - HEAD};
  if (t.at[0] != t.at[1] || (t.at[0] != 'I' && t.at[0] != 'M')) return 1;
  t.big = t.at[0] == 'M';
  if (number_at(&t, 2, 2) != 42) return 1;
  const size_t first = number_at(&t, 4, 4), count = number_at(&t, first, 2);
  for (size_t i = 0; i < count; i++) {
    const size_t entry = first + 2 + i * ENTRY;
    if (entry > t.n || t.n - entry < ENTRY) return 1;
    if (number_at(&t, entry, 2) != ORIENTATION || number_at(&t, entry + 2, 2) != SHORT) continue;
    const uint32_t value = number_at(&t, entry + 8, 2);
    return value >= 1 && value <= 8 ? (int)value : 1;
  }
  return 1;
}

#endif
