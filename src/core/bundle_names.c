/* Names of tensors, keys of metadata: a binary tree (crit-bit). Each branch asks for the first bit in which the names below it
 * differ; a search goes down by the bits of the name, at most one branch a bit, and compares once, at the end. Names
 * come from files that anyone may have made: there is no hash to collide and no order of arrival that makes it slow,
 * and it needs no random seed, which small machines do not have.
 *
 * Links: a branch's number, or ~position of a name. n names have n - 1 branches, the first n - 1 of the array. */
#include <string.h>
#include "core/bundle.h"

enum { BIT = 0, ZERO = 1 };

static tsr_index *branch_of(const tsr__names *names, tsr_index number) { return names->tree + number * TSR__BRANCH; }

static const char *name_at(const tsr__names *names, tsr_index link) {
  return *(const char *const *)(const void *)(names->first + (size_t)~link * names->step);
}

/* ---- bits: of byte 0 first, the highest first; past the end they are 0 ---- */

static unsigned bit_of(const char *name, size_t length, tsr_index bit) {
  const size_t byte = (size_t)(bit / 8);
  return byte < length ? (unsigned)((uint8_t)name[byte] >> (7 - bit % 8)) & 1u : 0u;
}

/* The first bit in which two names differ; -1 when they are the same. */
static tsr_index first_difference(const char *a, const char *b) {
  tsr_index byte = 0;
  while (a[byte] == b[byte] && a[byte] != '\0') byte++;
  const unsigned differs = (unsigned)((uint8_t)a[byte] ^ (uint8_t)b[byte]);
  if (differs == 0) return -1;
  tsr_index bit = 0;
  while ((differs >> (7 - bit) & 1u) == 0) bit++;
  return byte * 8 + bit;
}

/* ---- the way down ---- */

/* Follows the bits of name to another, or to a branch that asks for bit number end or a later one. */
static tsr_index *follow(const tsr__names *names, const char *name, tsr_index end) {
  const size_t length = strlen(name);
  tsr_index *link = names->root;
  while (*link >= 0) {
    tsr_index *const branch = branch_of(names, *link);
    if (branch[BIT] >= end) break;
    link = &branch[ZERO + bit_of(name, length, branch[BIT])];
  }
  return link;
}

/* The name that it must be, if it is any; there is one. */
static tsr_index only_candidate(const tsr__names *names, const char *name, size_t *steps) {
  const size_t length = strlen(name);
  tsr_index link = *names->root;
  for (*steps = 0; link >= 0; ++*steps) {
    const tsr_index *const branch = branch_of(names, link);
    link = branch[ZERO + bit_of(name, length, branch[BIT])];
  }
  return link;
}

size_t tsr__tree_steps(const tsr__names *names, const char *name) {
  size_t steps = 0;
  if (names->count > 0) (void)only_candidate(names, name, &steps);
  return steps;
}

tsr_index tsr__tree_find(const tsr__names *names, const char *name) {
  size_t steps;
  if (names->count == 0) return -1;
  const tsr_index link = only_candidate(names, name, &steps);
  return strcmp(name_at(names, link), name) == 0 ? ~link : -1;
}

/* ---- changes ---- */

bool tsr__tree_add(const tsr__names *names, const char *name) {
  size_t steps;
  if (names->count == 0) {
    *names->root = ~(tsr_index)0;
    return true;
  }
  const tsr_index bit = first_difference(name, name_at(names, only_candidate(names, name, &steps)));
  if (bit < 0) return false;
  const unsigned side = bit_of(name, strlen(name), bit);
  tsr_index *const link = follow(names, name, bit);
  tsr_index *const branch = branch_of(names, names->count - 1);
  branch[BIT] = bit;
  branch[ZERO + side] = ~names->count;
  branch[ZERO + (1 - side)] = *link;
  *link = names->count - 1;
  return true;
}

/* The last branch moves to the place of one that is free. */
static void fill_gap(const tsr__names *names, tsr_index gap) {
  const tsr_index last = names->count - 2;
  if (gap == last) return;
  const tsr_index *const moved = branch_of(names, last);
  tsr_index below = last;
  while (below >= 0) below = branch_of(names, below)[ZERO];
  tsr_index *const link = follow(names, name_at(names, below), moved[BIT]); /* the one that leads to it */
  memcpy(branch_of(names, gap), moved, TSR__BRANCH * sizeof *moved);
  *link = gap;
}

static void renumber(tsr_index *link, tsr_index position) {
  if (*link < 0 && ~*link > position) ++*link;
}

void tsr__tree_remove(const tsr__names *names, tsr_index position) {
  const char *const name = name_at(names, ~position);
  const size_t length = strlen(name);
  tsr_index *above = NULL, *link = names->root; /* the link to the last branch before the name, and the name's */
  while (*link >= 0) {
    tsr_index *const branch = branch_of(names, *link);
    above = link;
    link = &branch[ZERO + bit_of(name, length, branch[BIT])];
  }
  if (above == NULL) return; /* it was the only one */
  const tsr_index gap = *above;
  tsr_index *const branch = branch_of(names, gap);
  *above = branch[link == &branch[ZERO] ? ZERO + 1 : ZERO];
  fill_gap(names, gap);
  renumber(names->root, position);
  for (tsr_index i = 0; i < names->count - 2; i++) {
    renumber(&branch_of(names, i)[ZERO], position);
    renumber(&branch_of(names, i)[ZERO + 1], position);
  }
}
