/* An expression over files that are larger than memory: computed part by part while the result is written. */
#ifndef TESSERA_CALC_PARTS_H
#define TESSERA_CALC_PARTS_H

#include "command.h"

typedef struct calc_parts {
  tsr_ctx *ctx;
  tsr_expr *expr;
  int names;
  const tsr_named *named; /* the whole tensors, in any order */
  tsr_named *part;        /* as many: what a run is given; owned */
  tsr_tensor *views;      /* of those that are cut; owned */
  int *cut;               /* of each of named: the axis, -1: it is used whole; owned */
  tsr_tensor out;         /* described */
  int axis;               /* of out, which parts are cut along; the axes before it have one step */
  tsr_index length;       /* of a part along it */
  tsr_index first, count; /* elements of out that are in block */
  void *block;
  bool reported;
} calc_parts;

/* Whether the result is made part by part: false, and nothing to release, where it depends on all of its tensors, or is small. What is
 * wrong with the text is not reported here. */
bool calc_parts_init(calc_parts *p, tsr_ctx *ctx, const char *text, int names, const tsr_named *named);
void calc_parts_release(calc_parts *p);

/* What the library asks for elements of out. */
tsr_producer calc_parts_producer(calc_parts *p);

#endif
