/* The words of the rows that describe ops. Every family has its rows in a file ops.def beside its sources, which the
 * build finds; docs/adding-an-op.md shows one.
 *
 *   OP(name, takes, gives, parameters)   the op tsr_name: parameters in the order of its prototype, without commas
 *   KIND(kind, parameters)               a way to be called, for ops that share it
 *   LIKE(name, kind, takes, gives)       an op that is called so; kind may also be an op
 *   WORDS(list, "one\0two\0")            what WORD chooses from, in the order of the enum's values
 *
 * takes: ALL, VALUES, REALS, NUMBERS, FLOATS, INTEGERS, BITS, NOTHING (below); gives: SAME, FLOAT, SUM, BOOL, INDEX, DTYPE,
 * OTHER (tsr_op_gives). The brief is the beginning of the function's comment in its header.
 *
 * The compiler holds a row to the prototype: a parameter of another type or in another place does not compile.
 *
 * Each parameter below is six things: its slot, the options that it declares, its type in the prototype, its
 * description, the statement that sets a field of the options, and what is passed. EMIT picks one of them: table.c
 * reads the rows once for each. */
#ifndef TSR_REGISTRY_ROWS_H
#define TSR_REGISTRY_ROWS_H

#include "registry/call.h"

#include <math.h>

#define TSR__UNWRAP(...) __VA_ARGS__

/* ---- dtypes ---- */

enum {
  TSR__TAKES_NOTHING = 0,
  TSR__TAKES_BOOL = 1 << TSR_CLASS_BOOL,
  TSR__TAKES_INTEGERS = 1 << TSR_CLASS_INT | 1 << TSR_CLASS_UINT,
  TSR__TAKES_FLOATS = 1 << TSR_CLASS_FLOAT,
  TSR__TAKES_COMPLEX = 1 << TSR_CLASS_COMPLEX,
  TSR__TAKES_MASKS = TSR__TAKES_BOOL | TSR__TAKES_FLOATS,
  TSR__TAKES_BITS = TSR__TAKES_BOOL | TSR__TAKES_INTEGERS,
  TSR__TAKES_NUMBERS = TSR__TAKES_INTEGERS | TSR__TAKES_FLOATS,
  TSR__TAKES_VALUES = TSR__TAKES_NUMBERS | TSR__TAKES_COMPLEX,
  TSR__TAKES_REALS = TSR__TAKES_BOOL | TSR__TAKES_NUMBERS,
  TSR__TAKES_ALL = TSR__TAKES_REALS | TSR__TAKES_COMPLEX
};

enum {
  TSR__GIVES_SAME = TSR_GIVES_SAME,
  TSR__GIVES_FLOAT = TSR_GIVES_FLOAT,
  TSR__GIVES_SUM = TSR_GIVES_SUM,
  TSR__GIVES_BOOL = TSR_GIVES_BOOL,
  TSR__GIVES_INDEX = TSR_GIVES_INDEX,
  TSR__GIVES_DTYPE = TSR_GIVES_DTYPE,
  TSR__GIVES_OTHER = TSR_GIVES_OTHER
};

/* ---- tensors ---- */

#define TSR__TENSOR(n, role_, type_, flags_, takes_, ...) \
  {.name = #n, .role = TSR_OP_##role_, .type = TSR_OP_##type_, .flags = (flags_), .takes = (takes_), __VA_ARGS__},

/* An input; one that may be NULL; each also of its own dtypes, whatever the others have. */
#define IN(n) TSR__IN(n, 0, 0)
#define IN_OF(n, takes) TSR__IN(n, 0, TSR__TAKES_##takes)
#define OPTIONAL(n) TSR__IN(n, TSR_OP_OPTIONAL, 0)
#define OPTIONAL_OF(n, takes) TSR__IN(n, TSR_OP_OPTIONAL, TSR__TAKES_##takes)
#define TSR__IN(n, flags, takes)                                                                                    \
  EMIT((tsr__op_slot n;), (), (, const tsr_tensor *), (TSR__TENSOR(n, INPUT, TENSOR, flags, takes, .most = 1)), (), \
       (, slots->n.in))
/* `int n, const tsr_tensor *const *in`. */
#define MANY(n)                                                   \
  EMIT((tsr__op_slot n;), (), (, int, const tsr_tensor *const *), \
       (TSR__TENSOR(n, INPUT, TENSORS, 0, 0, .most = TSR_OP_ANY_COUNT)), (), (, slots->n.count, slots->n.many))

/* An output; one that may be NULL; each also of its own dtype. */
#define OUT(n) TSR__OUT(n, 0, 0)
#define OUT_OF(n, gives) TSR__OUT(n, 0, TSR__GIVES_##gives)
#define OPTIONAL_OUT(n) TSR__OUT(n, TSR_OP_OPTIONAL, 0)
#define OPTIONAL_OUT_OF(n, gives) TSR__OUT(n, TSR_OP_OPTIONAL, TSR__GIVES_##gives)
#define TSR__OUT(n, flags, gives)                                                                              \
  EMIT((tsr__op_slot n;), (), (, tsr_tensor *), (TSR__TENSOR(n, OUTPUT, TENSOR, flags, gives, .most = 1)), (), \
       (, slots->n.out))
/* `int n, tsr_tensor *out`; and without the count, which is that of the list or the inputs before. */
#define OUTS(n)                                      \
  EMIT((tsr__op_slot n;), (), (, int, tsr_tensor *), \
       (TSR__TENSOR(n, OUTPUT, TENSORS, 0, 0, .most = TSR_OP_ANY_COUNT)), (), (, slots->n.count, slots->n.out))
#define OUTS_AS_MANY(n)                                                                                                \
  EMIT((tsr__op_slot n;), (), (, tsr_tensor *), (TSR__TENSOR(n, OUTPUT, TENSORS, 0, 0, .most = TSR_OP_AS_BEFORE)), (), \
       (, slots->n.out))

/* ---- attributes: the last argument is the default, or REQUIRED ---- */

#define REQUIRED (INT64_MIN + 1)
#define TSR__OPTIONAL_UNLESS(required) ((required) ? 0 : TSR_OP_OPTIONAL)
#define TSR__ATTRIBUTE(n, type_, flags_, ...) \
  {.name = #n, .role = TSR_OP_ATTRIBUTE, .type = TSR_OP_##type_, .flags = (flags_), __VA_ARGS__},
#define TSR__INTEGER(C, n, type, d, list)                                                                  \
  EMIT((tsr__op_slot n;), (), (, C),                                                                       \
       (TSR__ATTRIBUTE(n, type, TSR__OPTIONAL_UNLESS((d) == REQUIRED), .takes = (list), .most = sizeof(C), \
                       .default_value.integer = (d))),                                                     \
       (), (, (C)slots->n.integer))

#define FLAG(n, d) TSR__INTEGER(bool, n, BOOL, d, 0)
#define INT(n, d) TSR__INTEGER(tsr_index, n, INT, d, 0) /* a tsr_index */
#define INT32(n, d) TSR__INTEGER(int, n, INT, d, 0)
#define INT64(n, d) TSR__INTEGER(int64_t, n, INT, d, 0)
#define AXIS(n, d) TSR__INTEGER(int, n, AXIS, d, 0)
#define DTYPE(n, d) TSR__INTEGER(int, n, DTYPE, d, 0)
#define LAYOUT(n, d) TSR__INTEGER(int, n, LAYOUT, d, 0)
#define WORD(C, n, list, d) TSR__INTEGER(C, n, WORD, d, TSR__WORDS_##list)
#define REAL(n, d)                                                                         \
  EMIT((tsr__op_slot n;), (), (, tsr_real),                                                \
       (TSR__ATTRIBUTE(n, REAL, TSR__OPTIONAL_UNLESS((tsr_real)(d) == (tsr_real)REQUIRED), \
                       .default_value.real = (tsr_real)(d))),                              \
       (), (, slots->n.real))
/* `const tsr_real *`, NULL where it is left out. */
#define REAL_OR_NULL(n)                                                                     \
  EMIT((tsr__op_slot n;), (), (, const tsr_real *),                                         \
       (TSR__ATTRIBUTE(n, REAL, TSR_OP_OPTIONAL, .default_value.real = (tsr_real)NAN)), (), \
       (, slots->n.count > 0 ? &slots->n.real : NULL))
#define TEXT(n) \
  EMIT((tsr__op_slot n;), (), (, const char *), (TSR__ATTRIBUTE(n, TEXT, 0, .most = 1)), (), (, slots->n.text))
#define RNG(n) EMIT((tsr__op_slot n;), (), (, tsr_rng *), (TSR__ATTRIBUTE(n, RNG, 0, .most = 1)), (), (, slots->n.rng))

/* ---- lists ---- */

#define TSR__LIST(n, C, type, flags, least_, most_)                                                                    \
  EMIT((tsr__op_slot n;), (), (, const C *), (TSR__ATTRIBUTE(n, type, flags, .least = (least_), .most = (most_))), (), \
       (, slots->n.list))
/* With its count before it in the prototype. */
#define TSR__COUNTED(n, C, type, flags, least_, most_) \
  EMIT((tsr__op_slot n;), (), (, int, const C *),      \
       (TSR__ATTRIBUTE(n, type, flags, .least = (least_), .most = (most_))), (), (, slots->n.count, slots->n.list))

#define INTS(n) TSR__COUNTED(n, tsr_index, INTS, 0, 0, TSR_OP_ANY_COUNT)
#define REALS(n) TSR__COUNTED(n, tsr_real, REALS, 0, 0, TSR_OP_ANY_COUNT)
#define AXES(n) TSR__COUNTED(n, int, AXES, TSR_OP_OPTIONAL, 0, TSR_MAX_DIMS) /* left out: all */
#define SOME_AXES(n) TSR__COUNTED(n, int, AXES, 0, 0, TSR_MAX_DIMS)
/* Without a count: the order of all axes; a number for each axis of the first input; as many as the list before; 2. */
#define ORDER(n) TSR__LIST(n, int, AXES, 0, 0, TSR_OP_RANK)
#define EACH(n) TSR__LIST(n, tsr_index, INTS, TSR_OP_OPTIONAL, 0, TSR_OP_RANK)
#define AXES_AS_MANY(n) TSR__LIST(n, int, AXES, 0, 0, TSR_OP_AS_BEFORE)
#define AS_MANY(n) TSR__LIST(n, tsr_index, INTS, 0, 0, TSR_OP_AS_BEFORE)
#define TWO_REALS(n) TSR__LIST(n, tsr_real, REALS, TSR_OP_OPTIONAL, 2, 2)

/* ---- a struct of options, `const C *n`; behind it its fields in order, optional: as in a struct that is zero ---- */

#define OPTIONS(C, n) EMIT((), (C n;), (, const C *), (), (), (, &options->n))
#define TSR__FIELD(n, type, set, ...) \
  EMIT((tsr__op_slot n;), (), (), (TSR__ATTRIBUTE(n, type, TSR_OP_OPTIONAL | TSR_OP_FIELD, __VA_ARGS__)), (set;), ())
#define TSR__INTEGER_FIELD(C, in, n, type, list) \
  TSR__FIELD(n, type, options->in.n = (C)slots->n.integer, .takes = (list), .most = sizeof(C))

#define FIELD_FLAG(in, n) TSR__INTEGER_FIELD(bool, in, n, BOOL, 0)
#define FIELD_INT(in, n) TSR__INTEGER_FIELD(tsr_index, in, n, INT, 0)
#define FIELD_DTYPE(in, n) TSR__INTEGER_FIELD(uint8_t, in, n, DTYPE, 0)
#define FIELD_WORD(in, n, list) TSR__INTEGER_FIELD(uint8_t, in, n, WORD, TSR__WORDS_##list)
#define FIELD_REAL(in, n) TSR__FIELD(n, REAL, options->in.n = slots->n.real, .most = 1)
/* An array, of which least to most numbers can be given. */
#define FIELD_INTS(in, n, least_, most_) TSR__ARRAY_FIELD(in, n, INTS, least_, most_)
#define FIELD_REALS(in, n, least_, most_) TSR__ARRAY_FIELD(in, n, REALS, least_, most_)
#define TSR__ARRAY_FIELD(in, n, type, least_, most_)                                                          \
  TSR__FIELD(n, type, tsr__op_put_list(&slots->n, options->in.n, sizeof options->in.n[0]), .least = (least_), \
             .most = (most_))
/* A tensor among the options, which must be there; one that need not. */
#define FIELD_IN(in, n) TSR__TENSOR_FIELD(in, n, TSR_OP_FIELD, 0)
#define FIELD_OPTIONAL(in, n) TSR__TENSOR_FIELD(in, n, TSR_OP_OPTIONAL | TSR_OP_FIELD, 0)
#define FIELD_OPTIONAL_OF(in, n, takes) TSR__TENSOR_FIELD(in, n, TSR_OP_OPTIONAL | TSR_OP_FIELD, TSR__TAKES_##takes)
#define TSR__TENSOR_FIELD(options_, n, flags, takes)                                        \
  EMIT((tsr__op_slot n;), (), (), (TSR__TENSOR(n, INPUT, TENSOR, flags, takes, .most = 1)), \
       (options->options_.n = slots->n.in;), ())
/* The three fields of a tsr_activation. */
#define FIELD_ACTIVATION(in)                                                                      \
  TSR__FIELD(activation, WORD, options->in.kind = tsr__op_activation(&slots->activation),         \
             .takes = TSR__WORDS_activation, .most = 4)                                           \
  TSR__FIELD(activation_alpha, REAL, options->in.alpha = slots->activation_alpha.real, .most = 1) \
  TSR__FIELD(activation_beta, REAL, options->in.beta = slots->activation_beta.real, .most = 1)

/* ---- structs of packed weights, `const tsr_C *n`; behind one its tensors, which are operands of the call ---- */

enum {
  TSR__OBJECT_packed = TSR_OBJECT_PACKED,
  TSR__OBJECT_conv_packed = TSR_OBJECT_CONV_PACKED,
  TSR__OBJECT_qlayer = TSR_OBJECT_QLAYER
};
#define OBJECT(C, n)                                                                                             \
  EMIT((tsr__op_slot n;), (), (, const tsr_##C *), (TSR__ATTRIBUTE(n, OBJECT, 0, .takes = TSR__OBJECT_##C)), (), \
       (, slots->n.object))
#define PART(n)
#define OPTIONAL_PART(n)

/* ---- quantisations: `const tsr_quant *n`, `const tsr_qscheme *n`; each field an attribute, its name behind prefix ---- */

#define QUANT(n, prefix) EMIT((), (tsr_quant n;), (, const tsr_quant *), (), (), (, &options->n)) TSR__QUANT(n, prefix)
#define SCHEME(n)                                                              \
  EMIT((), (tsr_qscheme n;), (, const tsr_qscheme *), (), (), (, &options->n)) \
  TSR__QUANT(n.x, x_) TSR__QUANT(n.w, w_) TSR__QUANT(n.out, out_) FIELD_WORD(n, activation, qactivation)
#define TSR__QUANT(in, p)                                                                                  \
  TSR__FIELD(p##scale, REAL, options->in.scale = (float)slots->p##scale.real, .most = 1)                   \
  TSR__FIELD(p##zero, INT, options->in.zero = (int32_t)slots->p##zero.integer, .most = sizeof(int32_t))    \
  TSR__FIELD(p##scales, REALS, options->in.scales = slots->p##scales.list;                                 \
             options->in.count = slots->p##scales.count, .takes = TSR__LIST_F32, .most = TSR_OP_ANY_COUNT) \
  TSR__FIELD(p##zeros, INTS, options->in.zeros = slots->p##zeros.list, .takes = TSR__LIST_I32,             \
             .most = TSR_OP_AS_BEFORE)                                                                     \
  TSR__FIELD(p##axis, AXIS, options->in.axis = tsr__op_small_axis(&slots->p##axis), .most = sizeof(int))   \
  TSR__FIELD(p##dtype, DTYPE, options->in.dtype = (uint8_t)slots->p##dtype.integer, .most = sizeof(uint8_t))

/* ---- rows ---- */

#define OP(name, takes, gives, ...) KIND(name, __VA_ARGS__) LIKE(name, name, takes, gives)

#endif
