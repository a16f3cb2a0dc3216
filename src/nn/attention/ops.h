/* The ops of the family. */
#ifndef TSR_NN_ATTENTION_OPS_H
#define TSR_NN_ATTENTION_OPS_H

#include <tessera/attention.h>
#include <tessera/kv_cache.h>

#include "tsr_ops/nn/attention.h" /* written by the build from ops.def */

#endif
