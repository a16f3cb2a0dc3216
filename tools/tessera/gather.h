/* Tensors of several files in one bundle, which is written while they are read. */
#ifndef TESSERA_GATHER_H
#define TESSERA_GATHER_H

#include "source.h"
#include "stream.h"

/* Files that are open, and what of them is written. */
typedef struct gathered {
  tsr_ctx *ctx;
  source *files;  /* owned */
  targets *found; /* of each file: owned */
  int count;
  tsr_bundle bundle;
  tsr_metadata metadata;
  stream stream;
} gathered;

/* Opens addresses; false: reported. *out needs gather_release either way. */
bool gather_open(tsr_ctx *ctx, int count, const char *const *addresses, gathered *out);

/* Takes a tensor under a name, as it is; false: reported. */
bool gather_add(gathered *g, target *t, const char *name);

/* Takes what a tensor has become: *made is given up. */
bool gather_add_made(gathered *g, const char *name, tsr_tensor *made);

/* Takes a file's metadata, where the key is not there already; the names of columns only where they are wanted. */
bool gather_metadata(gathered *g, const source *from, bool columns);

/* Writes all of it; false: reported. */
bool gather_save(gathered *g, const char *path, int format);

void gather_release(gathered *g);

#endif
