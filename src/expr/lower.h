/* From nodes to calls. Every node becomes a value: a tensor, or a number that no tensor has met yet. Calls are made by name, with a
 * context that records them, or that computes: so types, shapes and refusals are those of the ops. */
#ifndef TSR_EXPR_LOWER_H
#define TSR_EXPR_LOWER_H

#include "expr/expr.h"

#if TSR_HAVE_OPS

typedef enum tsr__expr_value_kind {
  TSR__VALUE_OTHER, /* no operand of arithmetic: its node says what it is */
  TSR__VALUE_BOOL,
  TSR__VALUE_INT,
  TSR__VALUE_REAL,
  TSR__VALUE_COMPLEX,
  TSR__VALUE_SHAPE, /* of tensor */
  TSR__VALUE_TENSOR
} tsr__expr_value_kind;

typedef struct tsr__expr_value {
  uint8_t kind;
  union {
    int64_t whole; /* of BOOL too */
    double real;   /* of COMPLEX too */
  };
  double imaginary;
  tsr_tensor tensor;
} tsr__expr_value;

/* A number as an element of a tensor of rank 0. */
typedef struct tsr__expr_element {
  _Alignas(16) char bytes[16];
  tsr_tensor tensor;
} tsr__expr_element;

/* A call as it is put together. */
enum { TSR__CALL_INPUTS = 64, TSR__CALL_ATTRS = 24, TSR__CALL_LIST = 64, TSR__CALL_TEXT = 512, TSR__CALL_RESULTS = 32 };
typedef struct tsr__expr_call {
  const tsr_op *op;
  uint32_t node;
  int inputs, attributes, listed;
  size_t text_used;
  const tsr_tensor *in[TSR__CALL_INPUTS];
  const tsr__expr_value *value[TSR__CALL_INPUTS]; /* what in[i] is made of; NULL: left out */
  tsr_attr attrs[TSR__CALL_ATTRS];
  tsr_index ints[TSR__CALL_LIST]; /* the lists of attributes, one after the other */
  tsr_real reals[TSR__CALL_LIST];
  char text[TSR__CALL_TEXT];
  tsr__expr_element elements[8]; /* numbers that became inputs */
  int elements_used;
} tsr__expr_call;

typedef struct tsr__expr_lowering {
  tsr__expr_source source; /* its context is the user's, for messages */
  const tsr__expr_tree *tree;
  tsr_ctx *ctx;             /* for the calls */
  tsr_ctx *plain;           /* computes: for numbers */
  const tsr_tensor *inputs; /* by the number of the name */
  tsr__expr_value *values;  /* one for each node, released by the caller */
  tsr__expr_call *call;
} tsr__expr_lowering;

/* Makes the calls of all nodes. */
tsr_status tsr__expr_lower(tsr__expr_lowering *l);

static inline bool tsr__value_is_number(const tsr__expr_value *v) {
  return v->kind >= TSR__VALUE_BOOL && v->kind <= TSR__VALUE_COMPLEX;
}
/* Of a complex number its real part. */
static inline double tsr__value_real(const tsr__expr_value *v) {
  return v->kind == TSR__VALUE_REAL || v->kind == TSR__VALUE_COMPLEX ? v->real : (double)v->whole;
}

static inline bool tsr__value_truth(const tsr__expr_value *v) {
  return tsr__value_real(v) != 0 || (v->kind == TSR__VALUE_COMPLEX && v->imaginary != 0);
}

static inline const tsr__expr_node *tsr__lower_operand(const tsr__expr_lowering *l, const tsr__expr_node *node,
                                                       uint32_t k) {
  return &l->tree->nodes[l->tree->operands[node->first + k]];
}
static inline tsr__expr_value *tsr__lower_value(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  return &l->values[node - l->tree->nodes];
}

/* ---- parts ---- */

/* Arithmetic of numbers: b is NULL for one operand. */
tsr_status tsr__expr_fold(const tsr__expr_source *s, const tsr__expr_node *node, const tsr__expr_value *a,
                          const tsr__expr_value *b, tsr__expr_value *out);

/* x op y, and op x where y is NULL. */
tsr_status tsr__lower_binary(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_op *op,
                             const tsr__expr_value *x, const tsr__expr_value *y, tsr__expr_value *out);

/* A node with a call in it; x if c else y; x[parts]. */
tsr_status tsr__lower_call(tsr__expr_lowering *l, const tsr__expr_node *node);
tsr_status tsr__lower_if(tsr__expr_lowering *l, const tsr__expr_node *node);
tsr_status tsr__lower_index(tsr__expr_lowering *l, const tsr__expr_node *node);

/* Calls op with values as its inputs; numbers become tensors of rank 0. */
tsr_status tsr__lower_inputs(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_op *op, int inputs,
                             const tsr__expr_value *const *values, tsr__expr_value *out);

/* The number as a tensor of that dtype: what does not fit is the op's refusal. */
tsr_status tsr__lower_element(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr__expr_value *number,
                              int dtype, tsr__expr_element *element);

/* The number that a tensor of rank 0 holds. */
tsr_status tsr__lower_number(tsr__expr_lowering *l, const tsr_tensor *t, tsr__expr_value *out);

/* ---- messages ---- */

/* The message of a call that failed, with its column and what stands there. */
TSR__COLD tsr_status tsr__lower_failed(const tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_ctx *failed,
                                       tsr_status status);

/* Fails: the node is not what it has to be. */
TSR__COLD tsr_status tsr__lower_refuse(const tsr__expr_lowering *l, const tsr__expr_node *node, const char *what);

#endif
#endif
