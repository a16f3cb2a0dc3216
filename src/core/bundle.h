/* What the parts of the bundle share. */
#ifndef TSR_CORE_BUNDLE_H
#define TSR_CORE_BUNDLE_H

#include <tessera/bundle.h>

/* The name that is the fewest changes of a byte away from name: at most three, and fewer than name has bytes. NULL when
 * there is none. */
const char *tsr__bundle_suggest(const tsr_bundle *bundle, const char *name);

/* ---- names: a binary tree by the bits in which they differ, so that no choice of names makes it slow ---- */

/* Numbers of a branch: the bit that it asks for, and where 0 and 1 lead. */
enum { TSR__BRANCH = 3 };

/* Where names are: count pointers, step bytes apart; and their tree, which has room for as many branches less one. */
typedef struct tsr__names {
  const char *first; /* the first pointer */
  size_t step;
  tsr_index count;
  tsr_index *tree;
  tsr_index *root;
} tsr__names;

/* The position of name, or -1. At most as many steps as the longest name has bits. */
tsr_index tsr__tree_find(const tsr__names *names, const char *name);

/* Adds the name that will be number count, for which there is room. False when it is there already. */
bool tsr__tree_add(const tsr__names *names, const char *name);

/* Forgets the name of a position; later ones move up by one. The names are still as they were. */
void tsr__tree_remove(const tsr__names *names, tsr_index position);

/* How many branches a search for name passes: for tests. */
size_t tsr__tree_steps(const tsr__names *names, const char *name);

/* The same of a bundle. Its root is changed through it only where the bundle may be. */
static inline tsr__names tsr__names_of(const tsr_bundle *bundle) {
  return (tsr__names){.first = bundle->count > 0 ? (const char *)(const void *)&bundle->tensors->name : NULL,
                      .step = sizeof *bundle->tensors,
                      .count = bundle->count,
                      .tree = bundle->private_tree,
                      .root = (tsr_index *)(uintptr_t)&bundle->private_root};
}
static inline tsr_index tsr__names_find(const tsr_bundle *bundle, const char *name) {
  const tsr__names names = tsr__names_of(bundle);
  return tsr__tree_find(&names, name);
}
static inline void tsr__names_add(tsr_bundle *bundle, const char *name) {
  const tsr__names names = tsr__names_of(bundle);
  (void)tsr__tree_add(&names, name); /* looked for before */
}
static inline void tsr__names_remove(tsr_bundle *bundle, tsr_index position) {
  const tsr__names names = tsr__names_of(bundle);
  tsr__tree_remove(&names, position);
}
static inline size_t tsr__names_steps(const tsr_bundle *bundle, const char *name) {
  const tsr__names names = tsr__names_of(bundle);
  return tsr__tree_steps(&names, name);
}

#endif
