/* What the parts of the bundle share. */
#ifndef TSR_CORE_BUNDLE_H
#define TSR_CORE_BUNDLE_H

#include <tessera/bundle.h>

/* The name that is the fewest changes of a byte away from name: at most three, and fewer than name has bytes. NULL when
 * there is none. */
const char *tsr__bundle_nearest(const tsr_bundle *bundle, const char *name);

/* ---- names: a binary tree by the bits in which they differ, so that no choice of names makes it slow ---- */

/* Numbers of a branch: the bit that it asks for, and where 0 and 1 lead. */
enum { TSR__BRANCH = 3 };

/* The position of name, or -1. At most as many steps as the longest name has bits. */
tsr_index tsr__names_find(const tsr_bundle *bundle, const char *name);

/* Adds the name of the tensor that will be number count; it is not there yet, and there is room. */
void tsr__names_add(tsr_bundle *bundle, const char *name);

/* Forgets the name of a position; later ones move up by one. The tensors are still as they were. */
void tsr__names_remove(tsr_bundle *bundle, tsr_index position);

/* How many branches a search for name passes: for tests. */
size_t tsr__names_steps(const tsr_bundle *bundle, const char *name);

#endif
