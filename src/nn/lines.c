#include "nn/lines.h"

void tsr__lines_init(tsr__lines *lines, int ndim, const tsr_index *shape) {
  lines->ndim = ndim; /* not the whole struct: small machines clear memory byte by byte */
  lines->operands = 0;
  lines->count = 1;
  for (int i = 0; i < ndim; i++) lines->count *= shape[i];
  for (int i = 0; i < ndim; i++) lines->length[i] = shape[i];
}

void tsr__lines_add(tsr__lines *lines, const tsr_tensor *t, int first) {
  const int number = lines->operands++;
  lines->base[number] = t->data;
  for (int i = 0; i < lines->ndim; i++) lines->step[number][i] = 0;
  for (int i = 0; i < t->ndim && first + i < lines->ndim; i++) {
    if (lines->length[first + i] <= 1 || lines->count == 0) continue; /* its stride may be anything */
    lines->step[number][first + i] = (ptrdiff_t)t->stride[i] * tsr__item(t);
  }
}

static bool is_mergeable(const tsr__lines *lines, int before, int axis) {
  for (int k = 0; k < lines->operands; k++)
    if (lines->step[k][before] != lines->step[k][axis] * (ptrdiff_t)lines->length[axis]) return false;
  return true;
}

void tsr__lines_merge(tsr__lines *lines) {
  int kept = 0;
  for (int i = 0; i < lines->ndim; i++) {
    if (lines->length[i] == 1) continue;
    const bool joins = kept > 0 && is_mergeable(lines, kept - 1, i);
    const int to = joins ? kept - 1 : kept++;
    lines->length[to] = joins ? lines->length[to] * lines->length[i] : lines->length[i];
    for (int k = 0; k < lines->operands; k++) lines->step[k][to] = lines->step[k][i];
  }
  if (kept == 0) lines->length[kept++] = 1;
  lines->ndim = kept;
}

char *tsr__lines_at(const tsr__lines *lines, int operand, tsr_index number) {
  const ptrdiff_t *const step = lines->step[operand];
  char *at = lines->base[operand];
  for (int axis = lines->ndim - 1; axis > 0; axis--) {
    at += step[axis] * (ptrdiff_t)(number % lines->length[axis]);
    number /= lines->length[axis];
  }
  return lines->ndim > 0 ? at + step[0] * (ptrdiff_t)number : at;
}
