/* What is in a file, without reading a tensor. */
#ifndef TESSERA_LISTING_H
#define TESSERA_LISTING_H

#include <stdbool.h>
#include <tessera/tessera.h>

typedef struct listed {
  char *name;
  char dtype[24]; /* "f32"; of types that no tensor has, the file's word */
  char layout[16];
  int ndim;
  tsr_index *shape; /* ndim of them; NULL for none */
  uint64_t bytes;
} listed;

typedef struct listing {
  char *file;
  int format;
  listed *list;
  tsr_index count, capacity;
  tsr_metadata metadata;
} listing;

/* Lists what an address names, with the file's metadata where that is wanted; false: reported, and *out is empty. */
bool listing_read(tsr_ctx *ctx, const char *text, bool metadata, listing *out);
/* The same for a file of a folder: false where it is of no format that is known, in silence, or broken: reported. */
bool listing_try(tsr_ctx *ctx, const char *path, listing *out);
void listing_release(listing *l);

#endif
