/* A call of a public function. */
#ifndef TSR_NN_CONV_CALL_H
#define TSR_NN_CONV_CALL_H

#include "nn/conv/conv.h"

typedef struct tsr__conv_request {
  tsr__conv c;
  const tsr_tensor *x, *w, *bias;
  const tsr_conv_packed *packed; /* NULL: w and bias */
  tsr_tensor *out;
} tsr__conv_request;

/* The rest of a call whose inputs are checked and resolved. */
tsr_status tsr__conv_finish(tsr_ctx *ctx, const tsr__conv_request *r);
tsr_status tsr__conv_workspace(tsr_ctx *ctx, const tsr__conv_request *r, size_t *bytes);

/* Whether t has a dtype and a shape; it may have no data. */
tsr_status tsr__conv_check_shape_only(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

#endif
