/* The inside of a program. */
#ifndef TSR_PROGRAM_PROGRAM_H
#define TSR_PROGRAM_PROGRAM_H

#include "core/call.h"
#include "core/device.h"

#include <tessera/program.h>

#if TSR_HAVE_OPS

/* Memory that a call made while it was recorded, or an input. */
typedef struct tsr__value {
  uintptr_t address; /* that its tensors have while they are recorded: of no memory */
  size_t bytes;
  int32_t first, last; /* the calls that write it first and use it last; first -1: nobody writes it */
  bool needed;         /* an output depends on it */
  bool is_planned;     /* its memory is the program's, at offset; else a run brings it */
  size_t offset;
  char *base;           /* its memory in a run */
  tsr_storage *storage; /* the same on a device; not counted */
} tsr__value;

/* Where an operand of a call is: in a value, or where it was when it was recorded (value -1). */
typedef struct tsr__operand_ref {
  int32_t value;
  size_t offset;
} tsr__operand_ref;

/* A recorded call: the work, and where its operands begin among all. */
typedef struct tsr__node {
  tsr_work *work;
  size_t operands; /* the number of the first */
  bool needed;
} tsr__node;

/* An input or an output. */
typedef struct tsr__port {
  char *name;
  int32_t value; /* -1: it has no elements */
  tsr_tensor description;
} tsr__port;

/* A list that grows. */
typedef struct tsr__list {
  void *items;
  size_t count, capacity, bytes;
} tsr__list;

typedef enum tsr__program_state { TSR__PROGRAM_NEW, TSR__PROGRAM_RECORDING, TSR__PROGRAM_ENDED } tsr__program_state;

struct tsr_program {
  tsr_device device;      /* records what it is to compute */
  const tsr_device *home; /* replays it; NULL: the host */
  const tsr_allocator *allocator;
  tsr__program_state state;
  tsr__list values, nodes, inputs, outputs; /* tsr__value (by rising addresses), tsr__node, tsr__port */
  /* since its end: the operands of all calls, one after the other */
  size_t operands;
  tsr__operand_ref *refs;
  tsr_tensor *tensors;
  const tsr_tensor **pointers;
  void *block; /* in which they are */
  size_t block_bytes;
  char *memory;       /* planned */
  tsr_storage *store; /* of home */
  /* what home replays as one; see device.c */
  tsr_work *works; /* of the calls that are needed */
  const tsr_work **work_pointers;
  int work_count;
  bool is_graph; /* no call differs from one replay to the next */
  void *graph;
  tsr_plan_report plan;
  size_t scratch;
};

static inline tsr__value *tsr__program_value(const tsr_program *p, size_t i) {
  return (tsr__value *)p->values.items + i;
}
static inline tsr__node *tsr__program_node(const tsr_program *p, size_t i) { return (tsr__node *)p->nodes.items + i; }
static inline tsr__port *tsr__program_input(const tsr_program *p, size_t i) { return (tsr__port *)p->inputs.items + i; }
static inline tsr__port *tsr__program_output(const tsr_program *p, size_t i) {
  return (tsr__port *)p->outputs.items + i;
}

/* The value that t is in and its offset there; value -1 where it is in none. */
tsr__operand_ref tsr__program_find(const tsr_program *p, const tsr_tensor *t);

/* Places the operands of every call, finds out how long values live, and plans their memory. */
tsr_status tsr__program_plan(tsr_ctx *ctx, tsr_program *p);

/* Sets the operands of a call from the base of their values. Whether one of them is elsewhere than in the run before. */
bool tsr__program_bind(const tsr_program *p, const tsr__node *node);

/* Runs a call with the operands as they are bound. */
tsr_status tsr__program_step(tsr_ctx *ctx, const tsr_program *p, const tsr__node *node);

/* ---- on another device ---- */

/* At the end of a recording: the calls as works of home. */
tsr_status tsr__program_make_works(tsr_ctx *ctx, tsr_program *p);

/* Runs all calls there, as one graph where home has such. */
tsr_status tsr__program_run_home(tsr_ctx *ctx, tsr_program *p);
void tsr__program_end_home(tsr_program *p);

#endif
#endif
