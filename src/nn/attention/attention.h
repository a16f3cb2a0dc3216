/* An attention that is about to run. */
#ifndef TSR_NN_ATTENTION_ATTENTION_H
#define TSR_NN_ATTENTION_ATTENTION_H

#include <tessera/attention.h>
#include "core/check.h"
#include "cpu/isa.h"

/* One operand by (batch, head, row, column); steps in bytes, any sign, 0 repeats. */
typedef struct tsr__attention_part {
  char *data; /* NULL: none */
  int dtype;
  ptrdiff_t step[4];
} tsr__attention_part;

typedef struct tsr__attention {
  const tsr_ctx *ctx;
  int isa, dtype, compute;
  tsr_index b, h, hkv, t, s, d, dv;
  tsr_index group; /* heads of q to one of k and v */
  tsr__attention_part q, k, v, mask, out;
  tsr_real scale;
  bool causal;
  tsr_index offset;
} tsr__attention;

static inline char *tsr__attention_at(const tsr__attention_part *p, tsr_index b, tsr_index h, tsr_index row,
                                      tsr_index column) {
  if (p->data == NULL) return NULL; /* no elements, and none are read */
  return p->data + (ptrdiff_t)b * p->step[0] + (ptrdiff_t)h * p->step[1] + (ptrdiff_t)row * p->step[2] +
         (ptrdiff_t)column * p->step[3];
}

/* How many keys, from the first on, take part for a query or one before it. */
static inline tsr_index tsr__attention_keys(const tsr__attention *a, tsr_index query) {
  if (!a->causal) return a->s;
  if (a->offset >= a->s - query) return a->s;
  const tsr_index keys = query + a->offset + 1;
  return keys > 0 ? keys < a->s ? keys : a->s : 0;
}

/* The inputs, as tsr_attention has them. */
enum { TSR__ATTENTION_Q, TSR__ATTENTION_K, TSR__ATTENTION_V, TSR__ATTENTION_MASK, TSR__ATTENTION_INPUTS };

/* Checks dtypes, shapes and attributes; the shape of the result has q's rank. */
tsr_status tsr__attention_check(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in,
                                const tsr_attention_options *options, tsr__attention *a, tsr_index *shape);

/* The temporary memory where there is something to do, SIZE_MAX: more than there can be; and the work, which cannot
 * fail. */
size_t tsr__attention_scratch(const tsr__attention *a);
void tsr__attention_run(const tsr__attention *a, char *scratch);

/* The same for few queries, and whether they are. */
bool tsr__attention_decode_fits(const tsr__attention *a);
size_t tsr__attention_decode_scratch(const tsr__attention *a);
void tsr__attention_decode_run(const tsr__attention *a, char *scratch);

/* ---- kernels ---- */

/* Scores of some keys for as many queries as a panel of the products has columns: x (keys, lanes). */
typedef struct tsr__attention_block {
  tsr_index keys;
  void *x;          /* scores; become weights */
  const void *mask; /* the same shape, or NULL */
  bool mask_bool;   /* 0: does not take part; else it is added */
  tsr_real scale;
  bool causal;
  tsr_index first; /* key j takes part for lane i where j ≤ i + first */
  void *top, *sum; /* (lanes): the greatest score and the sum of weights, of these and earlier keys */
  void *factor;    /* (lanes): what weights of earlier keys are to be multiplied with */
  bool fresh;      /* there are none: top and sum are not read */
} tsr__attention_block;

/* x (queries, keys) = q (queries, d) · kᵀ; contiguous columns, steps from row to row in numbers. */
typedef struct tsr__attention_scores {
  tsr_index queries, keys, d;
  const void *q, *k;
  void *x;
  tsr_index q_step, k_step, x_step;
  ptrdiff_t ahead; /* bytes: how far ahead of what is read memory is asked for */
} tsr__attention_scores;

/* sums (queries, columns) += x (queries, keys) · v (keys, columns), rows of sums with room for whole vectors. */
typedef struct tsr__attention_sums {
  tsr_index queries, keys, columns;
  const void *x, *v;
  void *sums;
  tsr_index x_step, v_step, sums_step;
  ptrdiff_t ahead;
} tsr__attention_sums;

/* Scores of some keys for one query, with room for whole vectors: x (keys). */
typedef struct tsr__attention_row {
  tsr_index keys, end; /* those from end on do not take part */
  void *x;             /* scores; become weights */
  const void *mask;    /* (end), or NULL; as above */
  bool mask_bool;
  tsr_real scale;
  void *state;       /* the greatest score, the sum of weights; at TSR_DATA_ALIGN bytes the sums of values */
  tsr_index columns; /* of these, whole vectors */
} tsr__attention_row;

typedef struct tsr__attention_kernels {
  /* Turns scores into weights; true when factor is not 1 throughout. */
  bool (*softmax_block)(const tsr__attention_block *b);
  /* x (rows, lanes) times factor (lanes). */
  void (*multiply)(tsr_index rows, const void *factor, void *x);
  /* 1 / sum, 0 for a sum of 0. */
  void (*invert)(const void *sum, void *factor);
  void (*score)(const tsr__attention_scores *s);
  void (*add)(const tsr__attention_sums *s);
  /* Turns scores into weights, and scales what was summed up with earlier ones. */
  void (*softmax_row_part)(const tsr__attention_row *b);
  /* States of one query, of parts of the keys, step numbers apart: the first one's sums become the output. */
  void (*join)(tsr_index parts, tsr_index step, tsr_index columns, void *states);
} tsr__attention_kernels;
typedef const tsr__attention_kernels tsr__attention_table[2]; /* f32, f64 */

/* Without kernels of products, in plain loops: one query. f32; q has room for d numbers, out for dv, row for either. */
typedef struct tsr__attention_query {
  const tsr__attention *a;
  tsr_index b, h, t;
  float *q, *out, *row;
} tsr__attention_query;
typedef void tsr__attention_query_fn(const tsr__attention_query *w);

#if TSR_HAVE_MALLOC
TSR__DECLARE_FOR_ISAS(tsr__attention_table, tsr__attention)
#else
TSR__DECLARE_FOR_ISAS(tsr__attention_query_fn *const, tsr__attention)
#endif

#endif
