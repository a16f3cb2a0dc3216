/* The frame of a call: what every op does before its first element and after its last one.
 *
 *     static tsr_status roll(tsr__call *call) {
 *       const tsr__roll_attrs *const attrs = call->attrs;     attributes, by name
 *       const tsr_tensor *const in = call->in[0];             operands: checked, normalised, on one device
 *       ...                                                   what the op asks of them; the shape of the result
 *       st = tsr__call_output(call, 0, &result);              a given output is checked
 *       st = tsr__call_outputs(call);                         memory; a device takes the call over here
 *       st = tsr__call_scratch(call, bytes, &memory);         as much as the op needs
 *       st = tsr__call_start(call);                           a dry run ends here; data may be read
 *       ...                                                   indices are checked, then elements
 *       return TSR_OK;
 *     }
 *     TSR__OP(roll, roll, 0)
 *     tsr_status tsr_roll(tsr_ctx *ctx, const tsr_tensor *in, tsr_index shift, int axis, tsr_tensor *out) {
 *       return TSR__CALL(roll, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .shift = shift, .axis = axis);
 *     }
 *
 * A status that is not TSR_OK goes back at once, whatever it is: after it the frame puts scratch memory back and takes
 * memory from outputs that had none before. So an op has nothing to undo. TSR__STOP is one of them: the call is done, but
 * not here. */
#ifndef TSR_CORE_CALL_H
#define TSR_CORE_CALL_H

#include "core/check.h"

#include <tessera/device.h>
#include <tessera/random.h>

typedef struct tsr__call tsr__call;

/* ---- ops that say what they would do ---- */

/* What a family makes of a call before it runs: dtypes, kernels, numbers as elements. Passes over programs (src/fuse) ask for it, so
 * that there is one set of rules. */
typedef enum tsr__telling {
  TSR__TELLS_ELEMENTWISE, /* a tsr__elementwise */
  TSR__TELLS_COPY,        /* an int: the dtype that input 0 is converted to */
  TSR__TELLS_REDUCTION,   /* a tsr__reduce of input 0 */
  TSR__TELLS_SOFTMAX      /* a tsr__softmax_told of input 0 */
} tsr__telling;

typedef struct tsr__listener tsr__listener;
struct tsr__listener {
  void (*hear)(tsr__listener *self, tsr__telling telling, const void *what); /* copies of it what is to stay */
};

/* ---- what is known of an op ---- */

enum {
  TSR__OPERAND_OPTIONAL = 1, /* may be NULL */
  TSR__OPERAND_OUTPUT = 2,
  TSR__OPERAND_MANY = 4, /* any number of them: the last of its kind */
  TSR__OPERAND_END = 128
};

typedef struct tsr__operand_info {
#if TSR_HAVE_TEXT
  char name[15]; /* the argument's */
#endif
  uint8_t flags;
} tsr__operand_info;
#if TSR_HAVE_TEXT
#define TSR__OPERAND_NAME(name) name,
#else
#define TSR__OPERAND_NAME(name)
#endif

/* A pointer among the attributes: where it is, where its count is, and the bytes of one item. Of one inside of the struct
 * that was followed last, the places are those in the struct, and its count is a tsr_index. */
typedef struct tsr__attr_pointer {
  uint16_t at, count, item, inside;
} tsr__attr_pointer;
enum {
  TSR__ATTR_INSIDE = 1,     /* of the struct */
  TSR__ATTR_INSIDE_WITH = 2 /* and not looked at where the pointer before it is NULL */
};
enum {
  TSR__ATTR_TEXT = 0,     /* item: a string */
  TSR__ATTR_ONE = 0xffff, /* count: there is one */
  TSR__ATTR_END = 0xfffe  /* count: the end of the list, whose at is the bytes of the attributes */
};

/* Flags of an op. */
enum {
  TSR__OP_DATA_SIZED = 1, /* the size of an output depends on data: no dry run */
  TSR__OP_SCALARS = 2,    /* a host input of rank 0 may stand beside those of a device */
  TSR__OP_DESCRIBED = 4,  /* inputs may be described: none of their elements is read */
  TSR__OP_ANY_DEVICE = 8, /* operands may be on several devices, or on one that computes nothing: where call->device is
                             NULL, the op moves bytes by the tables of the operands' devices */
  TSR__OP_RANDOM = 16,    /* draws numbers: a call does something even where nobody needs its result */
  TSR__OP_STRIDES =
      64, /* bits do not depend on strides: in a replay operands may lie otherwise than they were recorded */
  TSR__OP_IN_PLACE = 128, /* an output may be the memory of an input that lies alike, where there is one output */
  TSR__OP_TELLS = 32,     /* a call with a listener tells it what it would do, and does nothing */
  TSR__OP_PREPARES = 256  /* ends with tsr__call_finish (core/prepare.h) */
};

struct tsr__op_info {
  const char *name; /* the function's without tsr_; "" of what other ops are made of, in a frame under the op's name */
  tsr_status (*run)(tsr__call *call);
  const tsr__operand_info *operands; /* inputs, then outputs */
  const void *kernels;               /* what the family's run needs to know of this op; NULL: nothing */
  uint16_t flags;
  uint8_t inputs, outputs; /* how many there are; of many: 1 */
#if TSR_HAVE_OPS
  const tsr__attr_pointer *(*pointers)(void);
#endif
};
typedef struct tsr__op_info tsr__op_info;

#if TSR_HAVE_OPS
#define TSR__OP_POINTERS(kind) , tsr__##kind##_pointers
#else
#define TSR__OP_POINTERS(kind)
#endif

/* Defines the tsr__op_info of an op of the family's header, run by a function; of one that is called as another; and of
 * one of a family that has a function for all. */
#define TSR__OP(name, function, flags) TSR__OP_ROW(name, name, function, NULL, flags)
#define TSR__OP_LIKE(name, kind, function, flags) TSR__OP_ROW(name, kind, function, NULL, flags)
#define TSR__OP_ROW(name, kind, function, kernels, flags)      \
  const tsr__op_info tsr__op_##name = {#name,                  \
                                       function,               \
                                       tsr__##kind##_operands, \
                                       kernels,                \
                                       flags,                  \
                                       tsr__##kind##_inputs,   \
                                       tsr__##kind##_outputs TSR__OP_POINTERS(kind)};

/* A build for the least flash, where every operand of a call is packed and has its memory, and outputs lie apart from inputs: all else is
 * refused, and what would make something of it is not linked. */
#ifndef TSR_PACKED_CALLS
#define TSR_PACKED_CALLS 0
#endif

/* ---- a call ---- */

enum { TSR__CALL_OUTPUTS = 4, TSR__CALL_SCRATCH = 6 };

struct tsr__call {
  tsr_ctx *ctx;
  const tsr__op_info *info;
  const char *op;              /* its name */
  const void *attrs;           /* tsr__<kind>_attrs */
  const tsr_tensor *const *in; /* as the prototype has them, those in a struct of options in their place */
  tsr_tensor *const *out;
  int inputs, outputs;
  int scratches;
  const tsr_device *device; /* NULL: the host computes */
  const tsr_device *home;   /* where outputs are or get their memory; NULL: the host. An op that takes any device may
                                      choose another one before its first tsr__call_output */
  const tsr__result *result[TSR__CALL_OUTPUTS];
  uint8_t had[TSR__CALL_OUTPUTS]; /* before the call got it memory */
  tsr__scratch *scratch;          /* TSR__CALL_SCRATCH of them, on the frame's stack */
#if TSR_HAVE_OPS
  size_t scratch_bytes;    /* of all of them, behind each other: what a dry run tells */
  tsr__listener *listener; /* NULL: the call is to run */
#endif
};

#define TSR__INPUTS(...) ((const tsr_tensor *const[]){__VA_ARGS__})
#define TSR__OUTPUTS(...) ((tsr_tensor *const[]){__VA_ARGS__})
#define TSR__NO_INPUT NULL

/* A call of an op, with its attributes by name. */
#define TSR__CALL(name, ctx, in, out, ...) \
  tsr__call_op(ctx, &tsr__op_##name, &(const tsr__##name##_attrs){.none = 0, __VA_ARGS__}, in, out)

/* Makes the call of an op with as many operands as its row has. */
tsr_status tsr__call_op(tsr_ctx *ctx, const tsr__op_info *info, const void *attrs, const tsr_tensor *const *in,
                        tsr_tensor *const *out);

/* The same for any number of inputs and one output. */
tsr_status tsr__call_many(tsr_ctx *ctx, const tsr__op_info *info, const void *attrs, int n, const tsr_tensor *const *in,
                          tsr_tensor *out);

/* The call is done, but not by the function that asked: it returns this, and the frame makes TSR_OK of it. */
#define TSR__STOP ((tsr_status)-1)

/* Checks and normalises the operands, finds the device, runs the op, and ends the call. */
tsr_status tsr__call_run(tsr__call *call);

/* The same for operands that have been seen before: on the host, well formed and normalised. */
tsr_status tsr__call_run_seen(tsr__call *call);

/* The result for output k, which lives until the op returns: an output that is given is checked. One that is NULL, where
 * that may be, has none. */
tsr_status tsr__call_output(tsr__call *call, int k, const tsr__result *result);

/* Memory for all outputs that have none; or the call's device takes it over, and TSR__STOP. */
tsr_status tsr__call_outputs(tsr__call *call);

/* Both for an op with one output. */
tsr_status tsr__call_result(tsr__call *call, const tsr__result *result);

/* Temporary memory, aligned to TSR_DATA_ALIGN, which the frame puts back; TSR__CALL_SCRATCH times at most. It is not to be
 * touched before tsr__call_start; where call->device is not NULL it is never touched, and none is taken. */
tsr_status tsr__call_scratch(tsr__call *call, size_t bytes, void **memory);

/* Whether somebody listens, who now knows: the op returns TSR__STOP. Asked when its plan is made, before the output. */
static inline bool tsr__call_tells(const tsr__call *call, tsr__telling telling, const void *what) {
#if TSR_HAVE_OPS
  if (call->listener == NULL) return false;
  call->listener->hear(call->listener, telling, what);
  return true;
#else
  (void)call, (void)telling, (void)what;
  return false;
#endif
}

/* Whether somebody listens, to a call that has nothing to tell: the op returns TSR__STOP. */
static inline bool tsr__call_is_asked(const tsr__call *call) {
#if TSR_HAVE_OPS
  return call->listener != NULL;
#else
  (void)call;
  return false;
#endif
}

/* What an op that tells would do with the operands of a work: its status, and TSR_OK where the listener has heard it. */
tsr_status tsr__work_ask(tsr_ctx *ctx, const tsr_work *work, tsr__listener *listener);

/* Says that the op may take so much more on the way, by what data it finds: for dry runs. */
static inline void tsr__call_may_take(tsr__call *call, size_t bytes) {
#if TSR_HAVE_OPS
  const size_t before = call->scratch_bytes, pad = (size_t)-before & (TSR_DATA_ALIGN - 1);
  if (bytes != 0) call->scratch_bytes = bytes > SIZE_MAX - pad - before ? SIZE_MAX : before + pad + bytes;
#else
  (void)call, (void)bytes;
#endif
}

/* Whether output k has the memory that the caller gave it. */
static inline bool tsr__call_was_given(const tsr__call *call, int k) { return call->had[k] == 0; }

/* Everything is there: data may be read now, and the last that can fail after this are checks of it. */
static inline tsr_status tsr__call_start(const tsr__call *call) { return call->device == NULL ? TSR_OK : TSR__STOP; }

/* Whether small calls have fast paths around the frame: not where flash is dearer than time. */
#define TSR__FAST_PATHS TSR_HAVE_MALLOC

/* Whether calls with ctx are the host's without a question: neither is its device another one, nor does somebody trace, nor are
 * they prepared. */
static inline bool tsr__is_plain_context(const tsr_ctx *ctx) { return ctx == NULL || ctx->private_modes == 0; }

/* The name of operand k of a role for messages. */
const char *tsr__call_input_name(const tsr__call *call, int k);
const char *tsr__call_output_name(const tsr__call *call, int k);

/* Resolves an attribute that is an axis: TSR_EAXIS. */
static inline tsr_status tsr__call_axis(const tsr__call *call, const char *name, int limit, int *axis) {
  return tsr__check_axis(call->ctx, call->op, name, *axis, limit, axis);
}

#endif
