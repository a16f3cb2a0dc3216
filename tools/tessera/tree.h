/* The tensors of a file as a tree: names that begin alike, up to a dot or a slash, hang on one branch. */
#ifndef TESSERA_TREE_H
#define TESSERA_TREE_H

#include "source.h"

typedef enum tree_order { TREE_BRANCHES, TREE_SIZE, TREE_FILE, TREE_ORDERS } tree_order;

/* A line: a tensor, or a branch. */
typedef struct tree_row {
  tsr_index tensor; /* the target's number; of a branch the first one on it */
  tsr_index count;  /* of a branch: its tensors; 0: it is a tensor */
  int depth;
  size_t from, length; /* the part of that tensor's name that is shown; up to its end a branch is named */
  bool open;
} tree_row;

typedef struct tree {
  const targets *found;
  tree_order order;
  tsr_index *sorted; /* the numbers of the targets in their order: owned */
  tree_row *rows;    /* what is shown: owned */
  size_t count, capacity;
  char **open; /* the names of branches that are: owned */
  size_t open_count, open_capacity;
} tree;

/* All branches are closed where there are more tensors than lines. */
bool tree_init(const targets *found, size_t lines, tree *out);
void tree_release(tree *t);

/* Other orders; opening and closing a branch. False: no memory. */
bool tree_sort(tree *t, tree_order order);
bool tree_toggle(tree *t, size_t row);

/* The line of a tensor, whose branches are opened for it; false: no memory. */
bool tree_show(tree *t, tsr_index tensor, size_t *row);

/* Bytes of a line's tensors. */
uint64_t tree_bytes(const tree *t, const tree_row *row);

#endif
