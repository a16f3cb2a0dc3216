/* A call by name while it is taken apart: every parameter of the op has a slot, in order, which is bound to what the
 * function gets. The first one that does not fit ends it. */
#ifndef TSR_REGISTRY_CALL_H
#define TSR_REGISTRY_CALL_H

#include "core/check.h"

#include <tessera/activation.h>
#include <tessera/registry.h>

#if TSR_HAVE_OPS

/* A parameter as it is passed: the member that its type says. */
typedef struct tsr__op_slot {
  union {
    int64_t integer; /* also bools, axes, words, dtypes, layouts */
    tsr_real real;
    const char *text;
    tsr_rng *rng;
    const void *list; /* tsr_index, tsr_real or, of axes, int; or what TSR__LIST_F32 and TSR__LIST_I32 say */
    const void *object;
    const tsr_tensor *in;
    const tsr_tensor *const *many;
    tsr_tensor *out;
  };
  int count; /* of list, many, and out where there are several; 1 for a real that is given */
} tsr__op_slot;

/* No op has more parameters, or more lists that are converted. */
enum { TSR__OP_SLOTS = 24, TSR__OP_CONVERTED = 6 };

/* Lists that a function takes as other numbers than a call by name: takes of their parameters. */
enum { TSR__LIST_F32 = 1, TSR__LIST_I32 = 2 };

typedef struct tsr__op_call {
  tsr_ctx *ctx;
  const tsr_op *op;
  int inputs, attributes, outputs; /* given */
  const tsr_tensor *const *in;
  const tsr_attr *attrs;
  tsr_tensor *const *out;
  int next_input, next_output;
  int list;        /* how many the last list or the inputs were */
  tsr_tensor *row; /* outputs that must lie one after another: NULL, or the scratch that they are in */
  tsr__scratch scratch;
  tsr__scratch converted[TSR__OP_CONVERTED];
  int converted_used;
  int axes[2][TSR_MAX_DIMS]; /* lists of axes: an op has two at most */
  int axes_used;
  tsr__op_slot slots[TSR__OP_SLOTS];
} tsr__op_call;

/* Bind one parameter to its slot. */
tsr_status tsr__op_bind_tensor(tsr__op_call *call, const tsr_op_param *param, tsr__op_slot *slot);
tsr_status tsr__op_bind_attribute(tsr__op_call *call, const tsr_op_param *param, tsr__op_slot *slot);
tsr_status tsr__op_bind_list(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, tsr__op_slot *slot);

/* What a struct is called in messages and texts: a tsr_op_object. */
const char *tsr__op_object_name(int object);

/* What the function returned, once the outputs are where the caller wants them. */
tsr_status tsr__op_done(tsr__op_call *call, tsr_status status);

/* Fails: the parameter is given as another type. */
tsr_status tsr__op_refuse_type(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr);

/* ---- for structs of options ---- */

/* A list that was given, into an array that is long enough. */
void tsr__op_put_list(const tsr__op_slot *slot, void *array, size_t item);

/* An axis as a tsr_quant has it; one that it has not is one that no tensor has. */
static inline int8_t tsr__op_small_axis(const tsr__op_slot *slot) {
  return (int8_t)(slot->integer < INT8_MIN || slot->integer > INT8_MAX ? INT8_MAX : slot->integer);
}

/* The kind of a word of "activation". */
const tsr_activation_kind *tsr__op_activation(const tsr__op_slot *slot);

/* The number of two parts. */
static inline tsr_complex tsr__op_complex(const tsr__op_slot *slot) {
  const tsr_real *const parts = slot->list;
  return (tsr_complex){parts[0], parts[1]};
}

#endif
#endif
