/* Memory and wide types, load, and store from every wide, of every dtype of this configuration: dt_mem, dt_load,
 * dt_from_w. All of it is inline. */
#ifndef TSR_CORE_DTYPES_H
#define TSR_CORE_DTYPES_H

#include "core/dtype/wide.h"
#include <tessera/dtype.h>

#define TEMPLATE "core/dtype/none.h"
#include "core/each_dtype.h"

#endif
