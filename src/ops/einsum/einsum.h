/* Sums of products by label: operands with a label for each axis, and the way from them to one result.
 *
 * parse.c makes labels of an equation; bind.c makes terms of labels and tensors; run.c has the order of a call; order.c
 * says which two terms come next; pair.c multiplies two of them, by product.c (a matrix product), multiply.c (nothing
 * is summed) or both of multiply.c and sum.c. */
#ifndef TSR_OPS_EINSUM_EINSUM_H
#define TSR_OPS_EINSUM_EINSUM_H

#include <tessera/einsum.h>
#include "core/call.h"
#include "ops/parts.h"

/* 52 letters, and the axes of an ellipsis: the last of them is TSR__LABEL_LAST. */
enum { TSR__LETTERS = 52, TSR__LABELS = TSR__LETTERS + TSR_MAX_DIMS, TSR__LABEL_LAST = TSR__LABELS - 1 };

typedef uint64_t tsr__labels; /* a set: bit l is label l */

static inline tsr__labels tsr__label_bit(int label) { return (tsr__labels)1 << label; }

/* A tensor whose axes have labels, each at most once; its layout is plain and it holds no count. */
typedef struct tsr__term {
  tsr_tensor t;
  uint8_t label[TSR_MAX_DIMS];
  bool conjugate; /* complex elements count as their conjugates */
} tsr__term;

/* Temporary memory, the newest block first; a block begins with its own record. */
typedef struct tsr__held {
  tsr__scratch scratch;
  struct tsr__held *before;
} tsr__held;

/* The temporary memory of a call, as a stack: each step takes its own. A dry run measures how much that gets, by the
 * same steps, which touch no element then. */
typedef struct tsr__einsum_room {
  bool measuring;
  tsr__held *held;
  size_t used, most; /* measured */
  size_t sums;       /* the most that a sum takes for itself */
} tsr__einsum_room;

/* What a call asks for. */
typedef struct tsr__einsum {
  const char *op;
  tsr__einsum_room *room;
  int terms;
  int ndim; /* of the result */
  uint8_t label[TSR_MAX_DIMS];
  tsr_index shape[TSR_MAX_DIMS];
  tsr__labels wanted;          /* those of the result that are not 1 */
  bool empty;                  /* a label is 0 */
  int dtype;                   /* of the result */
  int work;                    /* of what comes between: f32 where dtype is a smaller float */
  tsr_index size[TSR__LABELS]; /* 1 where an operand may still say otherwise */
  tsr__term term[TSR_EINSUM_OPERANDS];
} tsr__einsum;

/* ---- from a call to terms ---- */

/* The labels of n operands, axis by axis as the equation has them (one may come twice), into label[operand], and those
 * of the result into e->label; e->op and e->terms are set. */
tsr_status tsr__einsum_parse(tsr_ctx *ctx, const char *equation, const tsr_tensor *const *in, tsr__einsum *e,
                             uint8_t (*label)[TSR_MAX_DIMS]);

/* Operand number k, which is checked, with its labels: takes diagonals, drops axes of length 1, notes sizes. TSR_ESHAPE
 * when two of them differ. */
tsr_status tsr__einsum_bind(tsr_ctx *ctx, tsr__einsum *e, int k, const tsr_tensor *in, const uint8_t *label);

/* Makes labels that no operand has said anything about 1. */
void tsr__einsum_init(const tsr__call *call, int terms, tsr__einsum *e);

/* In a frame, when the terms are bound. The dtype and shape of the result: */
tsr_status tsr__einsum_settle(tsr_ctx *ctx, tsr__einsum *e);
/* for a dry run the temporary memory, when there is an output, of the result's labels; */
tsr_status tsr__einsum_plan(tsr__call *call, tsr__einsum *e, const tsr_tensor *out);
/* elements, when the call has started. */
tsr_status tsr__einsum_run(tsr_ctx *ctx, tsr__einsum *e, const tsr_tensor *out);

/* All of it, for a call that has nothing else to do. */
tsr_status tsr__einsum_call(tsr__call *call, tsr__einsum *e);

/* ---- steps: each of them writes nothing when it fails ---- */

/* Notes that a step takes so much; and gives back what was taken since *room was before. */
void tsr__einsum_measure(tsr__einsum_room *room, size_t bytes);
void tsr__einsum_put(tsr__einsum_room *room, tsr__einsum_room before);

tsr__labels tsr__term_labels(const tsr__term *x);

/* The product of the sizes of labels. */
tsr_real tsr__labels_size(const tsr__einsum *e, tsr__labels labels);

/* A term without data: dtype, and labels in order; its strides are row-major. TSR_EOVERFLOW, TSR_EUNSUPPORTED. */
tsr_status tsr__term_describe(tsr_ctx *ctx, const tsr__einsum *e, int dtype, int ndim, const uint8_t *label,
                              tsr__term *x);
/* The same with memory. */
tsr_status tsr__term_new(tsr_ctx *ctx, const tsr__einsum *e, int dtype, int ndim, const uint8_t *label, tsr__term *x);
/* A copy of x with its labels in that order, converted to dtype. */
tsr_status tsr__term_copy(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, int dtype, const uint8_t *label,
                          tsr__term *copy);

/* x seen with the labels of like: stride 0 where it has none. */
tsr_tensor tsr__term_as(const tsr__term *x, const tsr__term *like);

/* The step in elements of a label, 0 where x has none. */
tsr_index tsr__term_step(const tsr__term *x, int label);

/* Sums over n axes, the last of x, or what that takes of the call's memory. */
tsr_status tsr__einsum_sum_last(tsr_ctx *ctx, const char *op, tsr__einsum_room *room, const tsr_tensor *x, int n,
                                const tsr_tensor *z);

/* z = x, summed over the labels that z has not. */
tsr_status tsr__einsum_sum(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *z);

/* z = x · y, every label of both in z; cannot fail. */
void tsr__einsum_multiply(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                          const tsr__term *z);

/* z = x · y, summed over the labels that z has not, all of which are in both: as matrices. */
tsr_status tsr__einsum_product(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                               const tsr__term *z);

/* z = x · y, summed over the labels that z has not, all of which are in both. */
tsr_status tsr__einsum_pair(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                            const tsr__term *z);

/* Which two of count terms come next, by their labels; false when there are none whose product has few enough labels.
 */
bool tsr__einsum_order(const tsr__einsum *e, int count, const tsr__labels *have, tsr__labels wanted, int *first,
                       int *second);

/* ---- dtypes ---- */

/* The dtype of what comes between: complex only where a factor is. */
static inline int tsr__work_of(const tsr__einsum *e, bool is_complex) {
  return is_complex ? e->work : tsr__part_dtype(e->work);
}

#endif
