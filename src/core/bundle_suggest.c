/* The nearest name, for messages about tensors that are not there. */
#include "core/bundle.h"
#include "core/suggest.h"

const char *tsr__bundle_suggest(const tsr_bundle *bundle, const char *name) {
  tsr__suggestion suggestion;
  tsr__suggest_init(&suggestion, name);
  for (tsr_index i = 0; i < bundle->count; i++) tsr__suggest_offer(&suggestion, bundle->tensors[i].name);
  return suggestion.found;
}
