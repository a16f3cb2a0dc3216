/* Files that are read: opened by content, the tensors that an address names found in them. */
#ifndef TESSERA_SOURCE_H
#define TESSERA_SOURCE_H

#include <stdbool.h>
#include <stdio.h>
#include <tessera/tessera.h>

#include "address.h"
#include "packed.h"
#include "rows.h"

/* An open file; `{0}` is none. */
typedef struct source {
  char *file;
  int format; /* TSR_FORMAT_NPY … */
  tsr_bundle bundle;
  tsr_metadata metadata;
  packed *table;            /* a row for each tensor where some are packed: owned; else NULL */
  tsr_npz_archive *archive; /* of an .npz, whose tensors are described until they are fetched; else NULL */
  FILE *stream;             /* that the archive reads */
  tsr_table rows;           /* of a text with columns that are no numbers: the bundle has their values; else empty */
} source;

/* A tensor of a file, or a part of one: a view that lives as long as the source. */
typedef struct target {
  const char *name;         /* the bundle's */
  char *label;              /* the name with its slice: owned; NULL: the name */
  tsr_tensor tensor;        /* of a packed one without data, until it is fetched */
  const packed *packed;     /* the source's; NULL: it is not packed */
  tsr_tensor blocks;        /* its bytes: a view */
  tsr_npz_archive *archive; /* the source's, where it is a member of one; else NULL */
  tsr_index member;
  tsr_tensor own;              /* its numbers, once they are fetched, or a copy that a list of indices made */
  char *held;                  /* the name, where the bundle has none: owned */
  const struct targets *group; /* the columns of a table that it stands for; NULL: itself */
} target;

typedef struct targets {
  target *list;
  tsr_index count;
} targets;

/* Opens the file of an address, standard input for "-", and finds what the rest of the address names: everything when
 * it is empty, the tensors whose names match where it holds * or ?. What is wrong is reported; then both are empty. */
bool source_open(tsr_ctx *ctx, const char *text, source *out, targets *found);

/* Loads all of a file without a report; *out needs source_release either way. raw may be NULL. */
tsr_status source_load(tsr_ctx *ctx, const char *file, const raw_form *raw, source *out);

/* Whether a path is a pipe that is open already: "-", and what a shell makes of <(COMMAND). */
bool source_is_open_pipe(const char *file);

/* Whether a path can be opened at once: no other pipe, folder or device, which can take for ever. Else it is reported
 * where loud. */
bool source_is_plain(const char *file, bool loud);

/* What messages call it. */
const char *source_shown(const char *file);

const char *target_label(const target *t);

/* What a column of a table of text is; NULL where the target is none. */
const tsr_column *target_column(const source *s, const target *t);

/* Sees to it that tensor has its elements; and gives back what that took. Whoever looks at elements calls both. */
tsr_status target_fetch(tsr_ctx *ctx, target *t);
void target_drop(target *t);

void targets_release(targets *t);
void source_release(source *s);

#endif
