#include "where.h"

#include <math.h>
#include <stdio.h>

#include "numbers.h"

typedef struct search {
  where *found;
  int64_t at;
} search;

static void look(void *user, const double *values, tsr_index n) {
  search *s = user;
  for (tsr_index i = 0; i < n && (s->found->nan < 0 || s->found->inf < 0); i++) {
    if (isnan(values[i]) && s->found->nan < 0) s->found->nan = s->at + i;
    if (isinf(values[i]) && s->found->inf < 0) s->found->inf = s->at + i;
  }
  s->at += n;
}

tsr_status where_find(tsr_ctx *ctx, const tsr_tensor *t, where *out) {
  search s = {.found = out};
  *out = (where){-1, -1};
  return numbers_visit(ctx, t, look, &s);
}

void where_index(const tsr_tensor *t, int64_t place, tsr_index *index) {
  for (int i = t->ndim - 1; i >= 0; i--) {
    index[i] = (tsr_index)(place % t->shape[i]);
    place /= t->shape[i];
  }
}

const char *where_text(const tsr_tensor *t, int64_t place, char *out) {
  tsr_index index[TSR_MAX_DIMS];
  int at = 0;
  out[0] = '\0';
  if (place < 0) return out;
  where_index(t, place, index);
  at = snprintf(out, WHERE_TEXT, "[");
  for (int i = 0; i < t->ndim; i++)
    at += snprintf(out + at, WHERE_TEXT - (size_t)at, i > 0 ? ", %lld" : "%lld", (long long)index[i]);
  (void)snprintf(out + at, WHERE_TEXT - (size_t)at, "]");
  return out;
}
