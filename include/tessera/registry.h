/** @file registry.h
 *  Ops by their names: what each takes, what it gives, and one call for all of them. Where it is configured out
 *  (TSR_HAVE_OPS 0, as on the mcu profile) this header declares nothing.
 *
 *  Every function on tensors is there, but for those whose parameters are no tensors and attributes: packing and
 *  calibration, devices, functions and arrays of the program, single elements, and answers that are no tensors (tsr_equal,
 *  tsr_allclose, tsr_summarize, tsr_compare).
 *
 *  An op is called what its function is called, without tsr_: "softmax" is tsr_softmax, with its parameters, names and
 *  order. Functions that take a struct of options have an attribute for each of its fields; of a tsr_quant they are scale,
 *  zero, scales, zeros, axis and dtype, behind the name of what is quantised where there are several: a_scale, out_zero.
 *  Packed weights and layers are attributes themselves (tsr_attr_packed). tsr_op_call ends in that function, so that
 *  everything its header says holds: outputs, overlaps, dtypes, messages.
 *
 *      const tsr_tensor *in[] = {&x};
 *      tsr_tensor       *out[] = {&y};
 *      const tsr_attr    axis = tsr_attr_int("axis", 0);
 *      st = tsr_op_call(ctx, tsr_op_find("softmax"), 1, in, 1, &axis, 1, out);    // tsr_softmax(ctx, &x, 0, &y)
 *
 *  A program that calls none of these functions links none of the table; one that does links every op. */
#ifndef TESSERA_OP_H
#define TESSERA_OP_H

#include <tessera/random.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_OPS

struct tsr_packed;
struct tsr_conv_packed;
struct tsr_qlayer;

/** What a parameter is. */
typedef enum tsr_op_role { TSR_OP_INPUT = 0, TSR_OP_ATTRIBUTE = 1, TSR_OP_OUTPUT = 2 } tsr_op_role;

/** The type of a parameter; in a tsr_attr, of a value. */
typedef enum tsr_op_type {
  TSR_OP_TENSOR = 0,  /**< an input or output */
  TSR_OP_TENSORS = 1, /**< any number of them */
  TSR_OP_BOOL = 2,
  TSR_OP_INT = 3,
  TSR_OP_AXIS = 4,   /**< takes an int; negative ones count from the end */
  TSR_OP_REAL = 5,   /**< takes an int too */
  TSR_OP_WORD = 6,   /**< one of tsr_op_word's: takes the word, or its number */
  TSR_OP_DTYPE = 7,  /**< takes its name or its number */
  TSR_OP_LAYOUT = 8, /**< the same; "auto" is TSR_AUTO */
  TSR_OP_INTS = 9,   /**< a list; a shape */
  TSR_OP_AXES = 10,  /**< takes ints */
  TSR_OP_REALS = 11,
  TSR_OP_TEXT = 12,
  TSR_OP_RNG = 13,   /**< a generator, which the call advances */
  TSR_OP_OBJECT = 14 /**< a struct of packed weights, a tsr_op_object */
} tsr_op_type;

/** Which struct an attribute of type TSR_OP_OBJECT is: takes of its parameter. */
typedef enum tsr_op_object {
  TSR_OBJECT_PACKED = 1,      /**< a tsr_packed */
  TSR_OBJECT_CONV_PACKED = 2, /**< a tsr_conv_packed */
  TSR_OBJECT_QLAYER = 3       /**< a tsr_qlayer */
} tsr_op_object;

/** What a parameter has besides. */
enum {
  TSR_OP_OPTIONAL = 1, /**< may be left out */
  TSR_OP_FIELD = 2     /**< the field of a struct of options, in the function's C form */
};

/** How many numbers a list has where that is no fixed number. */
enum {
  TSR_OP_ANY_COUNT = 255, /**< any number */
  TSR_OP_RANK = 254,      /**< one for each axis of the first input */
  TSR_OP_AS_BEFORE = 253  /**< as many as the list before */
};

/** The dtype of an output. */
typedef enum tsr_op_gives {
  TSR_GIVES_SAME = 1, /**< what the inputs that follow the op's own rule promote to */
  TSR_GIVES_FLOAT =
      2, /**< floats and complex numbers their own; bool and integers to 16 bits f32, larger ones f64 (f32 where there is none) */
  TSR_GIVES_SUM = 3, /**< floats and complex numbers their own; bool and signed integers i64, unsigned ones u64 */
  TSR_GIVES_BOOL = 4,
  TSR_GIVES_INDEX = 5,     /**< i64, or i32 where tsr_index has 32 bits */
  TSR_GIVES_DTYPE = 6,     /**< what the attribute dtype says */
  TSR_GIVES_OTHER = 7,     /**< what the function's header says */
  TSR_GIVES_REAL = 8,      /**< as TSR_GIVES_SAME; of complex numbers the dtype of their parts */
  TSR_GIVES_REAL_FLOAT = 9 /**< as TSR_GIVES_FLOAT; of complex numbers the dtype of their parts */
} tsr_op_gives;

/** A parameter of an op. */
typedef struct tsr_op_param {
  char name[18];
  uint8_t role;  /**< a tsr_op_role */
  uint8_t type;  /**< a tsr_op_type */
  uint8_t flags; /**< TSR_OP_OPTIONAL, TSR_OP_FIELD */
  uint8_t takes; /**< of an input: bits 1 << TSR_CLASS_… of the dtypes that it takes whatever the others have; 0: the
                      op's rule. Of an output: its tsr_op_gives; 0: the op's. Of an object: its tsr_op_object. Of words
                      and lists: private */
  uint8_t least; /**< how many numbers a list has at least */
  uint8_t most;  /**< and at most; or TSR_OP_ANY_COUNT, TSR_OP_RANK, TSR_OP_AS_BEFORE */
  union {
    int64_t integer;
    tsr_real real; /**< of TSR_OP_REAL; NaN: none */
  } default_value; /**< the value of an optional attribute that is left out; a list is empty then, a text NULL */
} tsr_op_param;

/** An op: constant, and there as long as the program. */
typedef struct tsr_op {
  char name[28];
  uint8_t takes;          /**< bits 1 << TSR_CLASS_… of the dtypes of its inputs; 0: it has none */
  uint8_t gives;          /**< a tsr_op_gives: of its outputs that have none of their own */
  uint16_t kind;          /**< private: how its function is called */
  void (*function)(void); /**< private: tsr_softmax, as a function of no type in particular */
} tsr_op;

/* ---- finding ---- */

/** The op of that name, or NULL. */
TSR_API const tsr_op *tsr_op_find(const char *name);

/** The same with a message: TSR_ENAME, which names the nearest one. */
TSR_API TSR_MUST_USE tsr_status tsr_op_get(tsr_ctx *ctx, const char *name, const tsr_op **op);

/** How many ops there are, and op number i of them; NULL out of range. */
TSR_API int tsr_op_count(void);
TSR_API const tsr_op *tsr_op_at(int i); /**< families lie together */

/** One line of what it does: the beginning of its function's comment. */
TSR_API const char *tsr_op_brief(const tsr_op *op);

/** Parameter number i of a role, or of all in the order of the function's (role -1), counted from 0; NULL when it has
 *  no more. */
TSR_API const tsr_op_param *tsr_op_param_at(const tsr_op *op, int role, int i);

/** The attribute of that name, or NULL. */
TSR_API const tsr_op_param *tsr_op_attribute(const tsr_op *op, const char *name);

/** Word number i of a parameter of type TSR_OP_WORD; NULL past the last. */
TSR_API const char *tsr_op_word(const tsr_op_param *param, int i);

/** Writes "topk(x, k: int, axis: axis = -1, …) -> values?, index?" to text, cut to capacity bytes with a closing zero;
 *  returns the bytes of the whole text without it. Inputs come first, then attributes; "?" marks a tensor that may be
 *  left out; "default" is what the field of the function's options means when it is 0. */
TSR_API size_t tsr_op_format(const tsr_op *op, char *text, size_t capacity);

/** The same for its dtypes: "bool, integers, floats -> the same". Behind the arrow stands a tsr_op_gives for each
 *  output: the same, float, sum, bool, index, dtype, other. */
TSR_API size_t tsr_op_format_dtypes(const tsr_op *op, char *text, size_t capacity);

/** Whether a device (NULL: the host) computes the op: by its `has`, or where it has none by having a `run` at all. A device for
 *  memory alone computes nothing; copies, fills and creation go there all the same. */
TSR_API bool tsr_op_on(const tsr_op *op, const tsr_device *device);

/* ---- calling ---- */

/** The value of an attribute in a call. */
typedef struct tsr_attr {
  const char *name;
  uint8_t type; /**< TSR_OP_BOOL, INT, REAL, TEXT, INTS, REALS, RNG or OBJECT */
  int count;    /**< of the list; of an object its tsr_op_object */
  union {
    bool boolean;
    int64_t integer;
    tsr_real real;
    const char *text;
    const tsr_index *ints;
    const tsr_real *reals;
    tsr_rng *rng;
    const void *object;
  } value;
} tsr_attr;

/** @cond internal */
static inline tsr_attr tsr__attr(const char *name, int type, int count) {
  tsr_attr attr;
  attr.name = name;
  attr.type = (uint8_t)type;
  attr.count = count;
  attr.value.integer = 0;
  return attr;
}
/** @endcond */

/** A truth. */
static inline tsr_attr tsr_attr_bool(const char *name, bool value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_BOOL, 0);
  attr.value.boolean = value;
  return attr;
}
/** A whole number: also an axis, a dtype, a layout, the number of a word. */
static inline tsr_attr tsr_attr_int(const char *name, int64_t value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_INT, 0);
  attr.value.integer = value;
  return attr;
}
/** A number. */
static inline tsr_attr tsr_attr_real(const char *name, tsr_real value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_REAL, 0);
  attr.value.real = value;
  return attr;
}
/** A text, or a word: "reflect", "f32", "NCHW". It stays the caller's. */
static inline tsr_attr tsr_attr_text(const char *name, const char *value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_TEXT, 0);
  attr.value.text = value;
  return attr;
}
/** Whole numbers, as two arguments: tsr_attr_ints("shape", TSR_SHAPE(2, 3)). They stay the caller's, and must be there
 *  when the op is called (in C++ TSR_SHAPE is not, in the next statement). */
static inline tsr_attr tsr_attr_ints(const char *name, int count, const tsr_index *values) {
  tsr_attr attr = tsr__attr(name, TSR_OP_INTS, count);
  attr.value.ints = values;
  return attr;
}
/** Numbers. They stay the caller's. */
static inline tsr_attr tsr_attr_reals(const char *name, int count, const tsr_real *values) {
  tsr_attr attr = tsr__attr(name, TSR_OP_REALS, count);
  attr.value.reals = values;
  return attr;
}
/** A generator of random numbers. */
static inline tsr_attr tsr_attr_rng(const char *name, tsr_rng *value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_RNG, 0);
  attr.value.rng = value;
  return attr;
}

/** Packed weights and layers. The struct and its tensors stay the caller's; the tensors are operands of the call, on the
 *  device of the others. */
static inline tsr_attr tsr_attr_packed(const char *name, const struct tsr_packed *value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_OBJECT, TSR_OBJECT_PACKED);
  attr.value.object = value;
  return attr;
}
static inline tsr_attr tsr_attr_conv_packed(const char *name, const struct tsr_conv_packed *value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_OBJECT, TSR_OBJECT_CONV_PACKED);
  attr.value.object = value;
  return attr;
}
static inline tsr_attr tsr_attr_qlayer(const char *name, const struct tsr_qlayer *value) {
  tsr_attr attr = tsr__attr(name, TSR_OP_OBJECT, TSR_OBJECT_QLAYER);
  attr.value.object = value;
  return attr;
}

/** Calls an op. Inputs and outputs are in the order of its function's, which tsr_op_param_at counts; optional ones may
 *  be NULL, and left out at the end. Attributes come in any order; those that are left out have their default.
 *
 *  TSR_EARG: too few or too many inputs or outputs, an attribute that is missing, given twice, or of another type.
 *  TSR_ENAME: an attribute or a word that there is not; the message names the nearest. TSR_ERANGE: a number that its C
 *  type does not hold. Everything else is the function's. */
TSR_API TSR_MUST_USE tsr_status tsr_op_call(tsr_ctx *ctx, const tsr_op *op, int inputs, const tsr_tensor *const *in,
                                            int attributes, const tsr_attr *attrs, int outputs, tsr_tensor *const *out);

/** What tsr_op_call would give, without memory: descriptions in, descriptions out. Inputs need a dtype and a shape (all
 *  strides 0: row-major); their data is not read. Outputs are empty, described or given, as in the call; after it they
 *  are described as the call would leave them, have no data and hold nothing. *scratch_bytes (may be NULL) is the most temporary memory
 *  that the call takes on the way, as tsr_context_set_scratch has to give it.
 *
 *  TSR_EUNSUPPORTED: the size of the result depends on data (nonzero, unique, masked_select, bincount). Everything that
 *  the call refuses without a look at data is refused here, with the same message. */
TSR_API TSR_MUST_USE tsr_status tsr_op_infer(tsr_ctx *ctx, const tsr_op *op, int inputs, const tsr_tensor *const *in,
                                             int attributes, const tsr_attr *attrs, int outputs, tsr_tensor *const *out,
                                             size_t *scratch_bytes);

#endif

#ifdef __cplusplus
}
#endif

#endif
