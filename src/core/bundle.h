/* What the parts of the bundle share. */
#ifndef TSR_CORE_BUNDLE_H
#define TSR_CORE_BUNDLE_H

#include <tessera/bundle.h>

/* The name that is the fewest changes of a byte away from name: at most three, and fewer than name has bytes. NULL when
 * there is none. */
const char *tsr__bundle_nearest(const tsr_bundle *bundle, const char *name);

#endif
