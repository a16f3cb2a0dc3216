/* The words of ops.def (registry/rows.h says what each means), as far as the frame of a call needs them. No guard: a header
 * of a family includes this through core/op.tmpl.h, which takes the words back at its end.
 *
 * Each word is four things: the fields that it adds to the op's struct of attributes, the operand that it is, the
 * pointer that a copy of the attributes has to follow, and 1 for an input. EMIT picks one of them. */
#define TSR__WORD_UNWRAP(...) __VA_ARGS__
#define TSR__WORD_OPERAND(n, flags) \
  EMIT((), ({TSR__OPERAND_NAME(#n)(flags)}, ), (), (+(((flags)&TSR__OPERAND_OUTPUT) == 0)))
#define TSR__WORD_VALUE(C, n) EMIT((C n;), (), (), ())
#define TSR__WORD_POINTER(C, n, item) \
  EMIT((const C *n;), (), ({offsetof(attrs, n), TSR__ATTR_ONE, (uint16_t)(item), 0}, ), ())
#define TSR__WORD_LIST(C, n)                                                                                           \
  EMIT((const C *n; int n##_count;), (), ({offsetof(attrs, n), offsetof(attrs, n##_count), (uint16_t)sizeof(C), 0}, ), \
       ())

#define IN(n) TSR__WORD_OPERAND(n, 0)
#define IN_OF(n, takes) TSR__WORD_OPERAND(n, 0)
#define OPTIONAL(n) TSR__WORD_OPERAND(n, TSR__OPERAND_OPTIONAL)
#define OPTIONAL_OF(n, takes) TSR__WORD_OPERAND(n, TSR__OPERAND_OPTIONAL)
#define MANY(n) TSR__WORD_OPERAND(n, TSR__OPERAND_MANY)
#define FIELD_IN(in, n) TSR__WORD_OPERAND(n, 0)
#define FIELD_OPTIONAL(in, n) TSR__WORD_OPERAND(n, TSR__OPERAND_OPTIONAL)
#define FIELD_OPTIONAL_OF(in, n, takes) TSR__WORD_OPERAND(n, TSR__OPERAND_OPTIONAL)
#define OUT(n) TSR__WORD_OPERAND(n, TSR__OPERAND_OUTPUT)
#define OUT_OF(n, gives) TSR__WORD_OPERAND(n, TSR__OPERAND_OUTPUT)
#define OPTIONAL_OUT(n) TSR__WORD_OPERAND(n, TSR__OPERAND_OUTPUT | TSR__OPERAND_OPTIONAL)
#define OPTIONAL_OUT_OF(n, gives) TSR__WORD_OPERAND(n, TSR__OPERAND_OUTPUT | TSR__OPERAND_OPTIONAL)
#define OUTS(n) TSR__WORD_OPERAND(n, TSR__OPERAND_OUTPUT | TSR__OPERAND_MANY)
#define OUTS_AS_MANY(n) TSR__WORD_OPERAND(n, TSR__OPERAND_OUTPUT | TSR__OPERAND_MANY)

#define FLAG(n, d) TSR__WORD_VALUE(bool, n)
#define INT(n, d) TSR__WORD_VALUE(tsr_index, n)
#define INT32(n, d) TSR__WORD_VALUE(int, n)
#define INT64(n, d) TSR__WORD_VALUE(int64_t, n)
#define AXIS(n, d) TSR__WORD_VALUE(int, n)
#define DTYPE(n, d) TSR__WORD_VALUE(int, n)
#define LAYOUT(n, d) TSR__WORD_VALUE(int, n)
#define WORD(C, n, list, d) TSR__WORD_VALUE(C, n)
#define REAL(n, d) TSR__WORD_VALUE(tsr_real, n)
#define RNG(n) TSR__WORD_VALUE(tsr_rng *, n) /* the caller's generator, also in a copy */
#define REAL_OR_NULL(n) TSR__WORD_POINTER(tsr_real, n, sizeof(tsr_real))
#define TEXT(n) TSR__WORD_POINTER(char, n, TSR__ATTR_TEXT)
#define OPTIONS(C, n) TSR__WORD_POINTER(C, n, sizeof(C))

#define INTS(n) TSR__WORD_LIST(tsr_index, n)
#define REALS(n) TSR__WORD_LIST(tsr_real, n)
#define AXES(n) TSR__WORD_LIST(int, n)
#define SOME_AXES(n) TSR__WORD_LIST(int, n)
#define ORDER(n) TSR__WORD_LIST(int, n)
#define EACH(n) TSR__WORD_LIST(tsr_index, n)
#define AXES_AS_MANY(n) TSR__WORD_LIST(int, n)
#define AS_MANY(n) TSR__WORD_LIST(tsr_index, n)
#define TWO_REALS(n) TSR__WORD_LIST(tsr_real, n)

/* A struct that the library made, by pointer; the tensors in it are operands. */
#define OBJECT(C, n) TSR__WORD_POINTER(tsr_##C, n, sizeof(tsr_##C))
#define PART(n) TSR__WORD_OPERAND(n, 0)
#define OPTIONAL_PART(n) TSR__WORD_OPERAND(n, TSR__OPERAND_OPTIONAL)

/* Quantisations, with their lists. */
#define TSR__WORD_LISTS(C, in)                                                                     \
  EMIT((), (),                                                                                     \
       ({offsetof(C, in scales), offsetof(C, in count), sizeof(float), TSR__ATTR_INSIDE},          \
        {offsetof(C, in zeros), offsetof(C, in count), sizeof(int32_t), TSR__ATTR_INSIDE_WITH}, ), \
       ())
#define QUANT(n, prefix) OPTIONS(tsr_quant, n) TSR__WORD_LISTS(tsr_quant, )
#define SCHEME(n)         \
  OPTIONS(tsr_qscheme, n) \
  TSR__WORD_LISTS(tsr_qscheme, x.) TSR__WORD_LISTS(tsr_qscheme, w.) TSR__WORD_LISTS(tsr_qscheme, out.)

/* Fields of a struct of options are copied with it. */
#define FIELD_FLAG(in, n)
#define FIELD_INT(in, n)
#define FIELD_DTYPE(in, n)
#define FIELD_WORD(in, n, list)
#define FIELD_REAL(in, n)
#define FIELD_INTS(in, n, least, most)
#define FIELD_REALS(in, n, least, most)
#define FIELD_ACTIVATION(in)

#define WORDS(list, text)
#define OP(name, takes, gives, ...) KIND(name, __VA_ARGS__) LIKE(name, name, takes, gives)
