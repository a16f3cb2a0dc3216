/* The nearest name, for messages about tensors that are not there. */
#include "core/bundle.h"
#include "core/nearest.h"

const char *tsr__bundle_nearest(const tsr_bundle *bundle, const char *name) {
  tsr__nearest nearest;
  tsr__nearest_init(&nearest, name);
  for (tsr_index i = 0; i < bundle->count; i++) tsr__nearest_offer(&nearest, bundle->tensors[i].name);
  return nearest.found;
}
