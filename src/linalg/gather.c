#include "linalg/gather.h"

#if TSR__HAVE_LANES
const tsr__gather *tsr__gather_of(int isa) {
  static const tsr__gather *const tables[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gather_lanes);
  return tables[isa];
}
#endif
