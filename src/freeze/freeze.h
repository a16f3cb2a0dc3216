/* Programs as constants: the calls of a program, as what <tessera/frozen.h> runs.
 *
 * Each call is prepared, not run: its op makes all checks and a plan, and what a prepared call would keep (core/prepare.h) becomes a
 * struct of constants. So there is one set of rules, and what can be frozen is found where it can be prepared. */
#ifndef TSR_FREEZE_FREEZE_H
#define TSR_FREEZE_FREEZE_H

#include "core/prepare.h"
#include "program/program.h"

#include <tessera/freeze.h>
#include <tessera/frozen.h>
#include <tessera/quant.h>

#if TSR_HAVE_OPS

/* What a call became. */
typedef enum tsr__frozen_kind {
  TSR__FROZEN_NONE, /* nothing to do: no elements */
  TSR__FROZEN_LAYER,
  TSR__FROZEN_POOL,
  TSR__FROZEN_SUM
} tsr__frozen_kind;

/* Places have the number of a value as their base until memory is planned. Pointers among the constants stay NULL. */
typedef struct tsr__frozen_call {
  tsr__frozen_kind kind;
  const char *run; /* the function, in C */
  int32_t node;
  const tsr_qlayer *layer; /* of weights */
  union {
    tsr_frozen_layer of_layer;
    tsr_frozen_pool of_pool;
    tsr_frozen_sum of_sum;
  } as;
} tsr__frozen_call;

typedef struct tsr__freezing {
  tsr_prepared prepared; /* first: it is how what is kept finds the rest */
  tsr_ctx *ctx;
  const tsr_program *p;
  const char *name;
  tsr__frozen_call *calls; /* as many as the program has nodes */
  size_t count;            /* of those that do something */
  const tsr__node *node;   /* that is being looked at */
  tsr__frozen_call *call;
  tsr_freeze_report report;
} tsr__freezing;

/* Every call, as constants. */
tsr_status tsr__freeze_gather(tsr__freezing *f);

/* Offsets in place of values. */
tsr_status tsr__freeze_plan(tsr__freezing *f);

/* All of it as text. */
tsr_status tsr__freeze_text(const tsr__freezing *f, const tsr_sink *sink);

#endif

#endif
