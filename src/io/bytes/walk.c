/* Elements of any tensor in file order: row by row, through the strides. */
#include "io/bytes/walk.h"

#include <string.h>

void tsr__element_walk_init(tsr__element_walk *walk, const tsr_tensor *t, bool fortran) {
  memset(walk, 0, sizeof *walk);
  walk->base = (char *)t->data;
  walk->item = tsr_dtype_size(t->dtype);
  for (int i = 0; i < t->ndim; i++) {
    const int axis = fortran ? i : t->ndim - 1 - i;
    if (t->shape[axis] == 1) continue; /* its stride may be any number, and rows of one element are slow */
    walk->shape[walk->ndim] = t->shape[axis];
    walk->step[walk->ndim] = (ptrdiff_t)t->stride[axis] * (ptrdiff_t)walk->item;
    walk->ndim++;
  }
  if (walk->ndim == 0) {
    walk->shape[0] = 1;
    walk->ndim = 1;
  }
}

/* Goes count elements on in the fastest axis, and to the next row when this one is through. */
static void advance(tsr__element_walk *walk, tsr_index count) {
  walk->index[0] += count;
  walk->offset += (ptrdiff_t)count * walk->step[0];
  for (int i = 0; i < walk->ndim && walk->index[i] == walk->shape[i]; i++) {
    walk->offset -= (ptrdiff_t)walk->shape[i] * walk->step[i];
    walk->index[i] = 0;
    if (i + 1 == walk->ndim) break; /* past the last element: back at the first */
    walk->index[i + 1]++;
    walk->offset += walk->step[i + 1];
  }
}

/* How many of count elements the present row still has. */
static size_t row_part(const tsr__element_walk *walk, size_t count) {
  const size_t rest = (size_t)(walk->shape[0] - walk->index[0]);
  return count < rest ? count : rest;
}

/* Copies count elements; a memcpy of a constant size is one move. */
static void copy_items(size_t item, size_t count, char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step) {
  for (size_t i = 0; i < count; i++) {
    char *target = to + (ptrdiff_t)i * to_step;
    const char *value = from + (ptrdiff_t)i * from_step;
    switch (item) {
      case 1: *target = *value; break;
      case 2: memcpy(target, value, 2); break;
      case 4: memcpy(target, value, 4); break;
      case 8: memcpy(target, value, 8); break;
      default: memcpy(target, value, item); break;
    }
  }
}

void tsr__element_gather(tsr__element_walk *walk, size_t count, void *to) {
  const ptrdiff_t item = (ptrdiff_t)walk->item;
  char *target = to;
  while (count > 0) {
    const size_t part = row_part(walk, count);
    copy_items(walk->item, part, target, item, walk->base + walk->offset, walk->step[0]);
    advance(walk, (tsr_index)part);
    target += part * walk->item;
    count -= part;
  }
}

void tsr__element_scatter(tsr__element_walk *walk, size_t count, const void *from) {
  const ptrdiff_t item = (ptrdiff_t)walk->item;
  const char *value = from;
  while (count > 0) {
    const size_t part = row_part(walk, count);
    copy_items(walk->item, part, walk->base + walk->offset, walk->step[0], value, item);
    advance(walk, (tsr_index)part);
    value += part * walk->item;
    count -= part;
  }
}
