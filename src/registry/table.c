/* The table of ops: the rows of every family, read once for each thing that is made of them. */
#include "registry/table.h"

#if TSR_HAVE_OPS

#include "registry/rows.h"
#include "registry/rules.h"

#include <string.h>
#include <tessera/tessera.h>

#include "tsr_op_briefs.h" /* written by the build: the beginning of every function's comment */

#define ROWS "tsr_op_rows.h" /* written by the build: includes every ops.def */

/* Words: their numbers, then their texts. */
#define EMIT(...)
#define KIND(...)
#define LIKE(...)
#define WORDS(list, text) TSR__WORDS_##list,
enum {
  TSR__WORDS_none,
#include ROWS
};
#undef WORDS
#define WORDS(list, text) [TSR__WORDS_##list] = (text),
const char *const tsr__op_words[] = {
    "",
#include ROWS
};
#undef WORDS
#undef KIND
#define WORDS(list, text)

/* Numbers of the ways to be called. */
#define KIND(kind, ...) TSR__KIND_##kind,
enum {
#include ROWS
};
#undef KIND
#undef EMIT

/* The slots of a call: those of tsr__op_call, by their names. */
#define EMIT(slot, options, type, description, set, pass) TSR__UNWRAP slot
#define KIND(kind, ...)         \
  typedef struct slots_##kind { \
    __VA_ARGS__                 \
  } slots_##kind;               \
  _Static_assert(sizeof(slots_##kind) <= TSR__OP_SLOTS * sizeof(tsr__op_slot), #kind ": more than TSR__OP_SLOTS");
#include ROWS
#undef EMIT
#undef KIND

/* Structs of options. */
#define EMIT(slot, options, type, description, set, pass) TSR__UNWRAP options
#define KIND(kind, ...)           \
  typedef struct options_##kind { \
    char none;                    \
    __VA_ARGS__                   \
  } options_##kind;
#include ROWS
#undef EMIT
#undef KIND

/* The type of the function. */
#define EMIT(slot, options, type, description, set, pass) TSR__UNWRAP type
#define KIND(kind, ...) typedef tsr_status fn_##kind(tsr_ctx *ctx __VA_ARGS__);
#include ROWS
#undef EMIT
#undef KIND

/* The parameters. */
#define EMIT(slot, options, type, description, set, pass) TSR__UNWRAP description
#define KIND(kind, ...) static const tsr_op_param params_##kind[] = {__VA_ARGS__};
#include ROWS
#undef EMIT
#undef KIND

/* Setting the options, which are zero. */
#define EMIT(slot, options, type, description, set, pass) TSR__UNWRAP set
#define KIND(kind, ...)                                                               \
  static inline void set_##kind(const slots_##kind *slots, options_##kind *options) { \
    (void)slots, (void)options;                                                       \
    __VA_ARGS__                                                                       \
  }
#include ROWS
#undef EMIT
#undef KIND

/* The call. */
#define EMIT(slot, options, type, description, set, pass) TSR__UNWRAP pass
#define KIND(kind, ...)                                                                \
  static tsr_status run_##kind(tsr__op_call *call) {                                   \
    const slots_##kind *const slots = (const slots_##kind *)(const void *)call->slots; \
    options_##kind options[1];                                                         \
    memset(options, 0, sizeof options);                                                \
    set_##kind(slots, options);                                                        \
    return ((fn_##kind *)call->op->function)(call->ctx __VA_ARGS__);                   \
  }
#include ROWS
#undef EMIT
#undef KIND
#define EMIT(...)

/* Both by the number of the way. */
#define KIND(kind, ...) \
  [TSR__KIND_##kind] = {params_##kind, run_##kind, sizeof params_##kind / sizeof params_##kind[0]},
const tsr__op_kind_row tsr__op_kinds[] = {
#include ROWS
};
#undef KIND
#undef LIKE
#define KIND(...)

/* Whether the functions are called so, and the names fit. */
#define LIKE(op, kind, takes, gives)                                                                                  \
  _Static_assert(_Generic(&tsr_##op, fn_##kind * : 1, default : 0), "tsr_" #op " has other parameters than its row"); \
  _Static_assert(sizeof #op <= sizeof((const tsr_op *)0)->name, "the name of " #op " is too long");
#include ROWS
#undef LIKE

/* Texts, one behind the other, so that rows need no pointers to them. */
#define LIKE(op, kind, takes, gives) char op[sizeof(TSR__BRIEF_##op)];
static const struct briefs {
#include ROWS
#undef LIKE
#define LIKE(op, kind, takes, gives) TSR__BRIEF_##op,
} briefs = {
#include ROWS
};
#undef LIKE
#define LIKE(op, kind, takes, gives) offsetof(struct briefs, op),
static const uint16_t brief_at[] = {
#include ROWS
};
#undef LIKE

const char *tsr__op_brief(const tsr_op *op) { return (const char *)&briefs + brief_at[op - tsr__op_table]; }

#define LIKE(op, way, takes_, gives_) \
  {.name = #op,                       \
   .takes = TSR__TAKES_##takes_,      \
   .gives = TSR__GIVES_##gives_,      \
   .kind = TSR__KIND_##way,           \
   .function = (void (*)(void))tsr_##op},
const tsr_op tsr__op_table[] = {
#include ROWS
};
const int tsr__op_table_count = sizeof tsr__op_table / sizeof tsr__op_table[0];
_Static_assert(sizeof tsr__op_table / sizeof tsr__op_table[0] <= 512, "find.c: half of its slots are free");

#endif
