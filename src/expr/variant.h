/* A parsed text that was typed for one set of inputs. */
#ifndef TSR_EXPR_VARIANT_H
#define TSR_EXPR_VARIANT_H

#include "expr/expr.h"

#if TSR_HAVE_OPS

/* What one name was: dtype, shape and strides, or a number, whose bits are shape[0]. */
typedef struct tsr__expr_key {
  uint8_t dtype, ndim;
  bool is_number;
  tsr_index shape[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
} tsr__expr_key;

typedef struct tsr__expr_variant {
  const tsr_allocator *allocator;
  size_t bytes;
  const tsr_device *home; /* of the tensors; NULL: the host */
  tsr_program *program;   /* NULL: calls are made one by one, a size depends on data; or the text gives a number */
  uint32_t inputs;        /* names that are tensors: the inputs of the program, in order */
  bool has_numbers;       /* other names are not */
  uint8_t input_of[TSR_EXPR_NAMES];
  tsr__expr_key keys[]; /* one for each name */
} tsr__expr_variant;

enum { TSR__EXPR_VARIANTS = 4 };
struct tsr_expr {
  const tsr_allocator *allocator;
  tsr__expr_tree tree;
  bool keeps_wide;
  tsr__expr_variant *variants[TSR__EXPR_VARIANTS]; /* the one used last first */
};

/* The names' tensors in the order of the tree. */
typedef struct tsr__expr_binding {
  const char *op;
  uint8_t flags; /* of all of them: one may be a number */
  const tsr_tensor *tensors[TSR_EXPR_NAMES];
} tsr__expr_binding;

/* Where a tensor is; NULL: on the host. */
const tsr_device *tsr__expr_home_of(const tsr_tensor *t);

/* The variant for these tensors; NULL: there is none. */
tsr__expr_variant *tsr__expr_variant_find(tsr_expr *expr, const tsr__expr_binding *binding);

/* Makes it, for tensors that have been checked and are all there, on a device that replays programs, or on the host. */
tsr_status tsr__expr_variant_make(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding,
                                  const tsr_device *home, tsr__expr_variant **variant);
void tsr__expr_variant_free(tsr__expr_variant *variant);

/* Types the text and describes its result; *can: parts of that along an axis are made of parts of the names, along cut of each (-1:
 * all of it). TSR_EUNSUPPORTED where that is not known before data is. */
tsr_status tsr__expr_parts(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, int axis, tsr_tensor *out,
                           int *cut, bool *can);

/* Makes the calls one by one, at once, and writes out. */
tsr_status tsr__expr_run_calls(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, tsr_tensor *out);

#endif
#endif
