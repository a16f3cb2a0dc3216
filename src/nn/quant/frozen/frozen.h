/* Frozen calls: from constants to what plain kernels take. */
#ifndef TSR_NN_QUANT_FROZEN_FROZEN_H
#define TSR_NN_QUANT_FROZEN_FROZEN_H

#include "nn/quant/quant.h"

#include <tessera/frozen.h>

/* What tsr_frozen.form has to be: the structs of <tessera/frozen.h>, counted up when they change, and the rounding. */
enum { TSR__FROZEN_FORM = 1 | TSR_QUANT_ROUNDING << 8 };

/* Memory is aligned so. */
enum { TSR__FROZEN_ALIGN = 8 };

static inline char *tsr__frozen_at(tsr_frozen_place place, char *const *bases) {
  return bases[place.base] + place.offset;
}

#endif
