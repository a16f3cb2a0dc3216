/* The table of ops, and what its rows point into. */
#ifndef TSR_REGISTRY_TABLE_H
#define TSR_REGISTRY_TABLE_H

#include "registry/call.h"

#if TSR_HAVE_OPS

extern const tsr_op tsr__op_table[];
extern const int tsr__op_table_count;

/* How functions are called: their parameters in order, and what calls one with the slots of a call. By tsr_op.kind. */
typedef struct tsr__op_kind_row {
  const tsr_op_param *params;
  tsr_status (*run)(tsr__op_call *call);
  int count;
} tsr__op_kind_row;
extern const tsr__op_kind_row tsr__op_kinds[];

/* Lists of words, each ended by a zero, each list by one more; by tsr_op_param.takes. */
extern const char *const tsr__op_words[];

const char *tsr__op_brief(const tsr_op *op);

#endif
#endif
