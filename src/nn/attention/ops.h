/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_ATTENTION_OPS_H
#define TSR_NN_ATTENTION_OPS_H

#include <tessera/attention.h>
#include <tessera/kv_cache.h>

#define TSR__ROWS "nn/attention/ops.def"
#include "core/op.tmpl.h"

#endif
