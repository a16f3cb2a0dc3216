/* Depthwise convolutions: loops for the usual filters (3×3 with stride 1 and 2, 5×5), and one for all others. */
#include "nn/conv/depthwise.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"

#include <stdbool.h>

enum { LANES = TSR__VF32_LANES };

#include "nn/conv/depthwise_first.tmpl.h"
#include "nn/conv/depthwise_last.tmpl.h"

const tsr__depthwise TSR__ISA_NAME(tsr__depthwise) = {last, first};
#else
typedef int tsr__depthwise_none; /* a file has to declare something */
#endif
