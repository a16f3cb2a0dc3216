/* One opened GPU, and what engines do with it: kernels from text, and plans of what a call launches.
 *
 * An engine prepares: it looks at a work (operands that are checked and described, outputs perhaps without memory), gets
 * its kernels, and writes down in a plan what is to be done. Nothing of the device is touched. The device then takes memory,
 * puts addresses into the arguments of the launches, orders them after other queues, and launches.
 *
 *     static tsr_status add_prepare(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
 *       const tsr__cuda_key key = {...};                               what the text depends on
 *       const tsr__cuda_kernel *kernel = tsr__cuda_kernel_find(gpu, &key);
 *       if (kernel == NULL) {                                          the first time: text, compiled or read from the folder
 *         const tsr__cuda_source source = {.text = text, .name = "tsr_add_f32"};
 *         const tsr_status st = tsr__cuda_kernel_get(gpu, work->ctx, &key, &source, &kernel);
 *         if (st != TSR_OK) return st;
 *       }
 *       const add_args args = {.n = n};                                the kernel's one parameter, a struct
 *       tsr__cuda_plan_launch(plan, kernel, grid, 128, 0, &args, sizeof args);
 *       tsr__cuda_plan_address(plan, offsetof(add_args, a), tsr__cuda_in(0));
 *       tsr__cuda_plan_address(plan, offsetof(add_args, out), tsr__cuda_out(0));
 *       return TSR_OK;
 *     } */
#ifndef TSR_CUDA_CUDA_H
#define TSR_CUDA_CUDA_H

#include "core/call.h"
#include "core/device.h"

typedef struct tsr__cuda tsr__cuda;             /* gpu.h */
typedef struct tsr__cuda_queue tsr__cuda_queue; /* queue.h */
typedef struct tsr__cuda_op tsr__cuda_op;       /* engine.h */

/* What engines may ask of a GPU. The first member of every tsr__cuda. */
typedef struct tsr__cuda_traits {
  int capability;      /* 90: sm_90 */
  int multiprocessors; /* 132 */
  int threads;         /* that a multiprocessor holds */
  int shared_block;    /* bytes of shared memory that a block may ask for */
  int shared_all;      /* bytes of shared memory of a multiprocessor */
  int l2_bytes;
  size_t memory_bytes;
} tsr__cuda_traits;

static inline const tsr__cuda_traits *tsr__cuda_traits_of(const tsr__cuda *gpu) {
  return (const tsr__cuda_traits *)(const void *)gpu;
}

/* ---- kernels ---- */

/* A function that is loaded; it lives as long as the GPU. */
typedef struct tsr__cuda_kernel {
  void *function;    /* CUfunction */
  int registers;     /* of a thread */
  int shared;        /* static bytes of a block */
  int threads_block; /* the most threads of a block */
  const char *name;
} tsr__cuda_kernel;

/* What makes a kernel what it is: all that its text is generated from. Compared byte by byte: set to 0 first. */
typedef struct tsr__cuda_key {
  const void *maker; /* whose key it is: the engine's row, or any address of its own */
  uint8_t part[24];  /* dtypes, pattern, rank, flags */
} tsr__cuda_key;

/* Text of a kernel, complete: it includes nothing. The function is extern "C" __global__ and has one parameter, a struct by
 * value. */
typedef struct tsr__cuda_source {
  const char *text;
  const char *name;    /* of the function */
  unsigned shared;     /* the most dynamic shared memory that launches ask for */
  const char *options; /* one more option of the compiler, or NULL */
} tsr__cuda_source;

/* The kernel of a key that was remembered, without a lock; NULL: none yet. */
const tsr__cuda_kernel *tsr__cuda_kernel_find(const tsr__cuda *gpu, const tsr__cuda_key *key);

/* The kernel of a text: from memory, from the folder, or compiled; remembered under key where that is not NULL. Any thread.
 * Fails with a message in ctx: the compiler is missing, the text is wrong (its first lines), the device is lost. */
tsr_status tsr__cuda_kernel_get(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_key *key, const tsr__cuda_source *source,
                                const tsr__cuda_kernel **kernel);

/* How many blocks of a kernel a multiprocessor holds at once. */
int tsr__cuda_kernel_blocks(tsr__cuda *gpu, const tsr__cuda_kernel *kernel, unsigned threads, unsigned shared);

/* ---- plans ---- */

typedef struct tsr__cuda_plan tsr__cuda_plan; /* plan.h */

/* Where something lies: in an operand of the work, or in the temporary memory of the plan. */
typedef enum tsr__cuda_place { TSR__CUDA_IN, TSR__CUDA_OUT, TSR__CUDA_SCRATCH } tsr__cuda_place;
typedef struct tsr__cuda_ref {
  tsr__cuda_place place;
  int operand;
  ptrdiff_t offset; /* in bytes, from the data pointer of the operand */
} tsr__cuda_ref;

static inline tsr__cuda_ref tsr__cuda_in(int k) { return (tsr__cuda_ref){TSR__CUDA_IN, k, 0}; }
static inline tsr__cuda_ref tsr__cuda_out(int k) { return (tsr__cuda_ref){TSR__CUDA_OUT, k, 0}; }
static inline tsr__cuda_ref tsr__cuda_scratch(size_t offset) {
  return (tsr__cuda_ref){TSR__CUDA_SCRATCH, 0, (ptrdiff_t)offset};
}

/* The shape of a launch. */
typedef struct tsr__cuda_grid {
  unsigned x, y, z; /* blocks */
} tsr__cuda_grid;

/* A plan cannot fail half-way: where there is no memory for it, it remembers that, and the device refuses it.
 * Steps are done in the order in which they were added. */

/* A launch. The bytes at args are copied: they are the parameter of the kernel. */
void tsr__cuda_plan_launch(tsr__cuda_plan *plan, const tsr__cuda_kernel *kernel, tsr__cuda_grid grid, unsigned threads,
                           unsigned shared, const void *args, size_t bytes);

/* The address of ref goes to 8 bytes at offset `at` of the args of the step that was added last. */
void tsr__cuda_plan_address(tsr__cuda_plan *plan, size_t at, tsr__cuda_ref ref);

/* What a kernel that checks data gets, as the 16 bytes at `at` of its args: see kernels/fault.cuh. argument: the name of
 * the operand for the message ("indices"), text that stays. */
void tsr__cuda_plan_fault(tsr__cuda_plan *plan, size_t at, const char *argument);

/* The same with another status than TSR_EINDEX, and words of its own: "has <what>, number 7 of them …". */
void tsr__cuda_plan_fault_as(tsr__cuda_plan *plan, size_t at, const char *argument, tsr_status status,
                             const char *what);

/* Temporary memory of the device for the whole plan, at a multiple of 256 bytes. */
size_t tsr__cuda_plan_scratch(tsr__cuda_plan *plan, size_t bytes);

/* The same, with these bytes of the host in it before the first step. */
size_t tsr__cuda_plan_constant(tsr__cuda_plan *plan, const void *bytes, size_t count);

/* Bytes set to a value; bytes copied within the device, ranges that do not overlap. */
void tsr__cuda_plan_set(tsr__cuda_plan *plan, tsr__cuda_ref to, int value, size_t bytes);
void tsr__cuda_plan_copy(tsr__cuda_plan *plan, tsr__cuda_ref to, tsr__cuda_ref from, size_t bytes);

/* Something else that is enqueued, by a library: call(gpu, ctx, queue, args) with a copy of the bytes, whose addresses are
 * set. It may neither wait nor take memory of the device. */
typedef tsr_status tsr__cuda_call(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, void *args);
void tsr__cuda_plan_call(tsr__cuda_plan *plan, tsr__cuda_call *call, const void *args, size_t bytes);

/* ---- sizes that depend on data ---- */

/* An output, once it is known how large it is. */
typedef struct tsr__cuda_size {
  int dtype, ndim, layout;
  tsr_index shape[TSR_MAX_DIMS];
} tsr__cuda_size;

/* What the device found, as TSR__CUDA_FOUND numbers, to what the outputs of the work are; or a failure, with its message. */
enum { TSR__CUDA_FOUND = 2 };
typedef tsr_status tsr__cuda_sized(const tsr_work *work, const int64_t *found, tsr__cuda_size *sizes);

/* The steps so far leave the numbers in temporary memory. The call waits for them, outputs are checked or get memory, and the steps that
 * are added from here on write them. Until then nothing is known of an output that is empty: its strides will be row-major. Once a plan. */
void tsr__cuda_plan_sized(tsr__cuda_plan *plan, tsr__cuda_ref found, tsr__cuda_sized *sized);

/* ---- for calls of libraries ---- */

void *tsr__cuda_queue_stream(const tsr__cuda_queue *queue); /* CUstream */

/* Memory of the queue for a library's own use, made when first asked for; NULL where there is none. */
enum { TSR__CUDA_WORKSPACE = 32 << 20 };
void *tsr__cuda_queue_workspace(tsr__cuda_queue *queue);

/* cuBLASLt's handle of the GPU (a cublasLtHandle_t), opened when first asked for; NULL: it is missing or does not start. Its
 * symbols. The lock of blas and the context are held. */
void *tsr__cuda_blas(tsr__cuda *gpu);
void *tsr__cuda_blas_symbol(tsr__cuda *gpu, const char *name);

#endif
