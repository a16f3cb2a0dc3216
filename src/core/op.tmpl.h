/* What the frame of a call knows of the ops of one family, from its rows:
 *
 *     #define TSR__ROWS "ops/move/ops.def"
 *     #include "core/op.tmpl.h"
 *
 * For each way to be called: tsr__roll_attrs, its attributes (lists and options by pointer, as the caller gave them);
 * tsr__roll_operands, its inputs and then its outputs; tsr__roll_pointers, what a copy of the attributes has to follow. For
 * each op: its tsr__op_info, which TSR__OP defines beside the function. */
#include "core/call.h"
#include "core/op_words.h"

#define LIKE(...)
#define EMIT(field, operand, pointer, input) TSR__WORD_UNWRAP field
#define KIND(kind, ...)                \
  typedef struct tsr__##kind##_attrs { \
    char none; /* of an op without */  \
    __VA_ARGS__                        \
  } tsr__##kind##_attrs;
#include TSR__ROWS
#undef EMIT
#undef KIND

#define EMIT(field, operand, pointer, input) TSR__WORD_UNWRAP operand
#define KIND(kind, ...) \
  static const tsr__operand_info tsr__##kind##_operands[] = {__VA_ARGS__{TSR__OPERAND_NAME("") TSR__OPERAND_END}};
#include TSR__ROWS
#undef EMIT
#undef KIND

#define EMIT(field, operand, pointer, input) TSR__WORD_UNWRAP input
#define KIND(kind, ...)                                                                             \
  enum {                                                                                            \
    tsr__##kind##_inputs = 0 __VA_ARGS__,                                                           \
    tsr__##kind##_outputs =                                                                         \
        sizeof tsr__##kind##_operands / sizeof tsr__##kind##_operands[0] - 1 - tsr__##kind##_inputs \
  };
#include TSR__ROWS
#undef EMIT
#undef KIND

#if TSR_HAVE_OPS
#define EMIT(field, operand, pointer, input) TSR__WORD_UNWRAP pointer
#define KIND(kind, ...)                                                                       \
  static inline const tsr__attr_pointer *tsr__##kind##_pointers(void) {                       \
    typedef tsr__##kind##_attrs attrs;                                                        \
    static const tsr__attr_pointer all[] = {__VA_ARGS__{sizeof(attrs), TSR__ATTR_END, 0, 0}}; \
    return all;                                                                               \
  }
#include TSR__ROWS
#undef EMIT
#undef KIND
#endif
#undef LIKE

#define EMIT(...)
#define KIND(...)
#define LIKE(name, kind, takes, gives)             \
  typedef tsr__##kind##_attrs tsr__##name##_attrs; \
  extern const tsr__op_info tsr__op_##name;
#include TSR__ROWS
#undef EMIT
#undef KIND
#undef LIKE

#include "core/op_words_end.h"
#undef TSR__ROWS
