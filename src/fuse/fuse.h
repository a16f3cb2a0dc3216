/* Finding calls of a program that can run as one, and making groups of them. */
#ifndef TSR_FUSE_FUSE_H
#define TSR_FUSE_FUSE_H

#include "fuse/group.h"
#include "program/program.h"

#if TSR_HAVE_OPS

/* What is known of a value while calls are gathered. */
typedef struct tsr__fuse_value {
  int32_t writers, writer; /* how many calls write it, and the last of them */
  int32_t readers;         /* operands that it is */
  int32_t inside;          /* of those, in calls of its own group */
  int16_t number;          /* in its group, once that is made */
  bool is_output;
} tsr__fuse_value;

/* What a call tells of itself. */
typedef enum tsr__fuse_kind {
  TSR__FUSE_NO,
  TSR__FUSE_ELEMENT, /* element by element, or a copy */
  TSR__FUSE_REDUCTION,
  TSR__FUSE_SOFTMAX
} tsr__fuse_kind;

typedef struct tsr__fuse_node {
  uint8_t kind;
  bool heavy;    /* of an elementwise op: takes longer than memory does */
  bool twice;    /* of a reduction: reads its elements two times */
  int32_t group; /* the call whose group it is in: each begins as its own; -1: it is in none */
  /* of a call that is its group's */
  int32_t members; /* elementwise calls of the group */
  int32_t first;   /* the first of them */
  int32_t last;    /* the last, where the group runs */
  int32_t end;     /* the call that the group ends with; -1: none */
  int32_t operands;
  bool any_heavy;
  bool is_closed; /* somebody outside reads of it: it runs before that */
} tsr__fuse_node;

typedef struct tsr__fusing {
  tsr_ctx *ctx;
  tsr_program *p;
  tsr_fuse_options options;
  tsr__fuse_value *values;
  tsr__fuse_node *nodes;
  bool writes_host; /* a call writes memory of the host: what others read there may change */
} tsr__fusing;

/* The group that a call is in: the number of the call that stands for it; -1: none. */
int32_t tsr__fuse_group_of(const tsr__fusing *f, int32_t node);

/* Which calls go together. The program is analysed; values and nodes are zero. */
void tsr__fuse_gather(tsr__fusing *f);

/* The group that stands at node, as a work; NULL: it is not worth one, or too large for one. */
tsr_status tsr__fuse_make(tsr__fusing *f, int32_t node, tsr__group *room, tsr_work **work);

/* Has a product and the sum that it goes into done by one kernel, with the same bits. The product is then of no use. */
void tsr__group_join_products(tsr__group *g);

/* Decides which steps run in registers, one after the other, and puts them in that order. Slots are chosen after it. */
void tsr__group_plan_chains(tsr__group *g);

/* Operand k of a call: inputs first. */
static inline tsr__operand_ref tsr__fuse_ref(const tsr__fusing *f, int32_t node, int k) {
  return f->p->refs[tsr__program_node(f->p, (size_t)node)->operands + (size_t)k];
}
static inline const tsr_work *tsr__fuse_work(const tsr__fusing *f, int32_t node) {
  return tsr__program_node(f->p, (size_t)node)->work;
}

#endif
#endif
