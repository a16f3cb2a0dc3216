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
  char *base;               /* its memory in a run */
  const tsr_tensor *relaid; /* in a run: the tensor that it is, where its layout is not the recorded one; else NULL */
  const struct tsr__port *port; /* and of which input or output */
  bool was_relaid;              /* in some run: operands are set again with their strides */
  tsr_storage *storage;         /* on a device: what base is in; not counted */
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
  bool is_new;   /* the first run makes the calls: many programs have no second one */
  bool is_moved; /* operands lie elsewhere than when the graph was made */
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

/* tsr_program_input for tensors as they lie, gaps and all: runs with tensors of these strides copy nothing. */
tsr_status tsr__program_input_as(tsr_ctx *ctx, tsr_program *p, const char *name, const tsr_tensor *tensor,
                                 tsr_tensor *value);

/* Checks that p is being recorded with ctx, and ends that: ctx computes again. */
tsr_status tsr__program_stop(tsr_ctx *ctx, const char *op, tsr_program *p);

/* Places the operands of every call and finds out which calls are needed and how long values live. */
tsr_status tsr__program_analyse(tsr_ctx *ctx, tsr_program *p);

/* Of a program that was analysed: whether parts of its first output along an axis can be made of parts of inputs, with the same bits; cut is, for
 * each input, along which of its axes, -1 where it is used whole (src/fuse). */
tsr_status tsr__program_parts(tsr_ctx *ctx, const tsr_program *p, int axis, int8_t *cut, bool *can);

/* Undoes that: before calls are changed. */
void tsr__program_forget(tsr_program *p);

/* The same, and plans their memory. */
tsr_status tsr__program_plan(tsr_ctx *ctx, tsr_program *p);

/* Whether every call that uses a port's value can do with t in its place, whatever its layout. */
bool tsr__program_takes_layout(const tsr_program *p, const tsr__port *port, const tsr_tensor *t);

/* A recorded operand, a view of a port's value, where the value is t. */
bool tsr__program_relay(const tsr__port *port, const tsr_tensor *t, const tsr_tensor *recorded, tsr__operand_ref ref,
                        tsr_tensor *operand);

/* Whether an output may be written where an input lies: both lie alike, and the one call that writes it reads nothing else
 * of the input, which nobody reads later. */
bool tsr__program_is_in_place(const tsr_program *p, const tsr__port *in, const tsr__port *out);

/* Runs it where all inputs and outputs are given as they were recorded, and apart; false: they are not, and nothing was done. As many are
 * there as it has, and ctx has no device. */
bool tsr__program_run_usual(tsr_ctx *ctx, const tsr_program *p, const tsr_tensor *const *in, tsr_tensor *const *out,
                            tsr_status *status);

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
