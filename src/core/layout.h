/* Layout tags, for functions that convert between them. */
#ifndef TSR_CORE_LAYOUT_H
#define TSR_CORE_LAYOUT_H

#include "core/check.h"

int tsr__layout_block(int layout);       /* channels of a block; 0 when it is not blocked */
int tsr__layout_auto(int ndim);          /* N, NC, NCL, NCHW, NCDHW; else TSR_PLAIN */
int tsr__layout_of(const tsr_tensor *t); /* its tag, or what its rank suggests */

/* Whether number is a layout: TSR_ELAYOUT. */
tsr_status tsr__check_layout(tsr_ctx *ctx, const char *op, const char *arg, int layout);

/* Whether a tensor of t's shape can have this tag: TSR_ELAYOUT. */
tsr_status tsr__check_tag(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int layout);

/* tsr_to_layout_view under the caller's name. */
tsr_status tsr__layout_view(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_tensor *out);

#endif
