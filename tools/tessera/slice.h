/* Slices as in Python: [0, :, ::2], [..., -1], [None, 3:7], [:, [4, 1]]. */
#ifndef TESSERA_SLICE_H
#define TESSERA_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/view.h>

typedef enum slice_kind { SLICE_INDEX, SLICE_RANGE, SLICE_REST, SLICE_NEW, SLICE_LIST } slice_kind;

/* One part between commas: an index (in start), a range, "...", None, or the list. */
typedef struct slice_part {
  slice_kind kind;
  tsr_index start, stop, step; /* TSR_OMIT where left out; a step left out is 1 */
} slice_part;

enum { SLICE_PARTS = 2 * TSR_MAX_DIMS, SLICE_LISTED = 1024 };

typedef struct slice {
  int count;
  slice_part parts[SLICE_PARTS];
  tsr_index listed; /* numbers of the list, which one part may be */
  tsr_index list[SLICE_LISTED];
} slice;

/* What is wrong with a text, and at which byte of it. */
typedef struct slice_error {
  const char *what;
  size_t at;
} slice_error;

/* Reads the n bytes of text, brackets included. When it returns false, *out is untouched. */
bool slice_parse(const char *text, size_t n, slice *out, slice_error *error);

/* The view of a tensor that a slice names, which holds no count; with a list a copy, which needs tsr_release. *out stays
 * as it is when it fails. */
tsr_status slice_apply(tsr_ctx *ctx, const tsr_tensor *in, const slice *s, tsr_tensor *out);

/* Writes a slice in its shortest form, closed by a zero, cut to capacity; returns the bytes of the whole. */
size_t slice_format(const slice *s, char *text, size_t capacity);

#endif
