/* Typical calls: what programs compute, so that the kernels for it can be compiled before one runs. */
#ifndef TESSERA_TYPICAL_H
#define TESSERA_TYPICAL_H

#include <tessera/tessera.h>

/* One call of the list. */
typedef struct typical_call {
  const char *inputs, *attrs;
  char op[32], dtype[8];
} typical_call;

/* Call number i whose op's name matches a pattern of the shell; false: there are no more. */
bool typical_at(int i, const char *pattern, typical_call *out);

/* Makes it on the device of ctx, with operands of its own. TSR_OK as well where the device does not compute that op. */
tsr_status typical_make(tsr_ctx *ctx, const typical_call *call);

#endif
