/* Where the first NaN and the first infinity of a tensor are. */
#ifndef TESSERA_WHERE_H
#define TESSERA_WHERE_H

#include <stdbool.h>
#include <tessera/tessera.h>

/* Their places in row-major order; -1 where there is none. */
typedef struct where {
  int64_t nan, inf;
} where;

/* Of a tensor of real numbers. */
tsr_status where_find(tsr_ctx *ctx, const tsr_tensor *t, where *out);

/* "[3, 17]": the index of a place; "" for -1. out has room for WHERE_TEXT. */
enum { WHERE_TEXT = 200 };
const char *where_text(const tsr_tensor *t, int64_t place, char *out);

/* The index of a place, t->ndim numbers. */
void where_index(const tsr_tensor *t, int64_t place, tsr_index *index);

#endif
