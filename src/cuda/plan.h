/* The inside of a plan: steps, their arguments, and which addresses go into those. */
#ifndef TSR_CUDA_PLAN_H
#define TSR_CUDA_PLAN_H

#include "cuda/api.h"
#include "cuda/cuda.h"
#include "cuda/fault.h"

#include <pthread.h>

typedef enum tsr__cuda_step_kind {
  TSR__CUDA_LAUNCH,
  TSR__CUDA_SET,
  TSR__CUDA_COPY,
  TSR__CUDA_CALL
} tsr__cuda_step_kind;

typedef struct tsr__cuda_step {
  tsr__cuda_step_kind kind;
  size_t args; /* where its arguments are */
  union {
    struct {
      const tsr__cuda_kernel *kernel;
      tsr__cuda_grid grid;
      unsigned threads, shared;
    } launch;
    struct {
      size_t bytes;
      int value;
    } move; /* args: the addresses, to and from */
    tsr__cuda_call *call;
  } of;
} tsr__cuda_step;

/* The address of ref goes to the arguments at `at`. */
typedef struct tsr__cuda_address {
  size_t at;
  tsr__cuda_ref ref;
} tsr__cuda_address;

typedef struct tsr__cuda_planned_fault {
  size_t at;
  const char *argument, *what;
  tsr_status status;
} tsr__cuda_planned_fault;

/* A list that keeps its memory from one plan to the next. */
typedef struct tsr__cuda_list {
  void *items;
  size_t count, capacity; /* of items */
} tsr__cuda_list;

/* What a call is known by: op, dtypes, axes, attributes, alignment, what lies over what. Two calls with one key have one plan, but for
 * the addresses. */
enum { TSR__CUDA_CALL_WORDS = 96, TSR__CUDA_SLOTS = 512 };
typedef struct tsr__cuda_call_key {
  int words; /* 0: none */
  int slot;
  uint64_t word[TSR__CUDA_CALL_WORDS];
} tsr__cuda_call_key;

struct tsr__cuda_plan {
  tsr_status status;        /* TSR_ENOMEM: a list did not grow */
  tsr__cuda_list steps;     /* tsr__cuda_step */
  tsr__cuda_list args;      /* bytes */
  tsr__cuda_list addresses; /* tsr__cuda_address */
  tsr__cuda_list faults;    /* tsr__cuda_planned_fault */
  tsr__cuda_list constants; /* bytes: place in the scratch memory, count, those bytes, and so on */
  size_t scratch;           /* bytes */
  tsr__cuda_sized *sized;   /* NULL: the outputs are known beforehand */
  tsr__cuda_ref found;      /* what it is told */
  size_t first;             /* steps before it is asked */
  tsr__cuda_plan *next;     /* of those that are free */
  tsr__cuda_call_key key;
};

static inline tsr__cuda_step *tsr__cuda_plan_step(const tsr__cuda_plan *plan, size_t i) {
  return (tsr__cuda_step *)plan->steps.items + i;
}
static inline char *tsr__cuda_plan_args(const tsr__cuda_plan *plan, size_t at) { return (char *)plan->args.items + at; }

/* Plans that are free: a call takes one and puts it back. */
typedef struct tsr__cuda_plans {
  pthread_mutex_t lock;
  tsr__cuda_plan *free;
  tsr__cuda_plan *slot[TSR__CUDA_SLOTS]; /* by keys; atomic */
} tsr__cuda_plans;

void tsr__cuda_plans_init(tsr__cuda_plans *plans);
tsr__cuda_plan *tsr__cuda_plan_take(tsr__cuda *gpu); /* empty; NULL: no memory */
void tsr__cuda_plan_put(tsr__cuda *gpu, tsr__cuda_plan *plan);

/* ---- remembering (recall.c) ---- */

/* false: this call is to be planned each time. */
bool tsr__cuda_key_of(const tsr_work *work, tsr__cuda_call_key *key);
/* The plan of a key, for this call alone; NULL: none. */
tsr__cuda_plan *tsr__cuda_plan_recall(tsr__cuda *gpu, tsr__cuda_call_key *key);
/* From now on the plan is remembered when it is put back. */
void tsr__cuda_plan_name(tsr__cuda_plan *plan, const tsr__cuda_call_key *key);
/* Remembers it; the one that was in its place, or NULL. */
tsr__cuda_plan *tsr__cuda_plan_keep(tsr__cuda *gpu, tsr__cuda_plan *plan);

/* ---- doing it (enqueue.c) ---- */

/* What a plan works on. */
typedef struct tsr__cuda_target {
  const tsr_work *work;
  CUdeviceptr scratch;                /* of the plan's size */
  const tsr__cuda_fault_args *faults; /* one for each of the plan */
} tsr__cuda_target;

/* Enqueues the steps from first to before end: addresses are set, nothing is ordered, the context is current. */
tsr_status tsr__cuda_plan_enqueue(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr__cuda_plan *plan,
                                  const tsr__cuda_target *target, size_t first, size_t end);

/* Outputs whose size the device has found, after ticket of the queue: they are checked, or have memory. undone (sized.c) takes back what
 * this gave. */
typedef struct tsr__cuda_given {
  tsr_tensor was[TSR__CALL_OUTPUTS];
  uint8_t fresh; /* bit k: output k got its memory */
} tsr__cuda_given;
tsr_status tsr__cuda_size_outputs(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_queue *queue,
                                  const tsr__cuda_plan *plan, CUdeviceptr scratch, tsr__cuda_given *given);
void tsr__cuda_unsize_outputs(const tsr_work *work, const tsr__cuda_given *given);

/* Constants go to the scratch memory: the driver takes a copy of them before this returns. */
CUresult tsr__cuda_plan_constants(const tsr__cuda *gpu, const tsr__cuda_queue *queue, const tsr__cuda_plan *plan,
                                  CUdeviceptr scratch);

/* Slots of the queue's fault record for each fault that the plan may find. */
enum { TSR__CUDA_PLAN_FAULTS = 4 };
tsr_status tsr__cuda_plan_faults(tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr__cuda_plan *plan, const char *op,
                                 uint64_t ticket, tsr__cuda_fault_args *args);

/* Prepare and run of the table. */
tsr_status tsr__cuda_prepare(void *self, const tsr_work *work, void **prepared);
tsr_status tsr__cuda_run(void *self, const tsr_work *work, void *prepared);

#endif
