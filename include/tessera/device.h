/** @file device.h
 *  Devices: a table of functions for memory that may not be the host's. */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/memory.h>
#include <tessera/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which way a device copies. */
typedef enum tsr_copy_direction {
  TSR_COPY_TO_DEVICE = 0,   /**< host to device */
  TSR_COPY_FROM_DEVICE = 1, /**< device to host */
  TSR_COPY_WITHIN = 2       /**< inside the device; the ranges may overlap */
} tsr_copy_direction;

struct tsr_tensor;
struct tsr_ctx;
struct tsr_queue;
struct tsr_device_queues;
struct tsr_device_details;

/** A call as a device gets it: checks, promotion, broadcasting and the description of the outputs are done. It and all it
 *  points to end with the call: a device that computes later copies it first (tsr_work_copy). */
typedef struct tsr_work {
  size_t size;    /**< sizeof(tsr_work) of the library */
  const char *op; /**< "softmax"; as in <tessera/registry.h> */
  int inputs, outputs;
  const struct tsr_tensor *const *in; /**< NULL: one that was left out */
  struct tsr_tensor *const *out;      /**< with memory of the device; empty where the size depends on data: the device
                                            gives it memory (tsr_allocate) */
  const void *attrs;                  /**< private: the attributes */
  const void *info;                   /**< private: the op */
  struct tsr_ctx *ctx; /**< of the call, never NULL: where a device that reports puts its messages. Of a copy: NULL */
  struct tsr_queue *queue; /**< in whose order it is computed; NULL: the device's default one */
} tsr_work;

/** A device is a table. It must outlive every storage on it. A function that fails returns a status. Tables grow at their
 *  end: the library reads no more than size bytes of one, and takes what is not there as NULL. */
typedef struct tsr_device {
  size_t size;      /**< sizeof(tsr_device) */
  const char *name; /**< "cpu", "cuda:0" */
  bool is_host;     /**< the CPU may dereference its pointers */
  tsr_status (*alloc)(void *self, size_t bytes, size_t align, int hint, void **ptr);
  void (*free)(void *self, void *ptr, size_t bytes);
  tsr_status (*copy)(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction);
  /** Writes count copies of the pattern_bytes bytes at pattern (host memory). */
  tsr_status (*fill)(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count);
  tsr_status (*sync)(void *self);
  void *self;
  /** Before outputs get their memory: whether the device can do it (TSR_EDEVICE: it has no such op), and what it wants to
   *  keep for run in *prepared. Outputs that are not given are described and have no data yet. NULL: nothing to prepare. */
  tsr_status (*prepare)(void *self, const tsr_work *work, void **prepared);
  /** Computes, now or later in the order of the calls. Comes once after every prepare that was TSR_OK, with work NULL when
   *  there was no memory for the outputs. NULL: a device for memory alone. */
  tsr_status (*run)(void *self, const tsr_work *work, void *prepared);
  bool takes_host; /**< inputs and given outputs may be the host's beside its own */
  bool defers;     /**< a recorder: nothing is computed before it is replayed, so that no size can depend on data */
  /** Whether it computes an op, by its name ("softmax"). NULL: it looks at each work itself. */
  bool (*has)(void *self, const char *op);
#if TSR_HAVE_OPS
  int kind;     /**< DLPack's number of its kind: 1 the CPU, 2 CUDA; 0: it has none */
  int index;    /**< which of its kind: 0 in "cuda:0" */
  bool reports; /**< prepare and run leave a message in work->ctx when they fail; else the library writes one */
  const struct tsr_device *takes; /**< another device whose tensors it takes beside its own; NULL: none */
  /** What it is and has; as many bytes as details->size says. NULL: nothing is known. */
  tsr_status (*describe)(void *self, struct tsr_ctx *ctx, struct tsr_device_details *details);
  const struct tsr_device_queues *queues; /**< memory, copies and works in the order of queues: <tessera/queue.h>; NULL:
                                               one order, and copies that are done when they return */
#endif
} tsr_device;

/** The host's own memory. */
TSR_API const tsr_device *tsr_device_cpu(void);

#if TSR_HAVE_OPS
/* ---- devices by name ---- */

/** What is known of a device; 0 and "" where nothing is. */
typedef struct tsr_device_details {
  size_t size;             /**< sizeof(tsr_device_details) */
  char name[64];           /**< the product: "NVIDIA H200" */
  size_t total, free;      /**< bytes of its memory; those that nobody in the system has */
  tsr_memory_stats memory; /**< what tensors of this process have of it, and what is kept for the next ones */
  int capability;          /**< CUDA's compute capability: 90 is 9.0 */
  int multiprocessors;
  int driver;              /**< the newest CUDA that its driver knows: 13000 is 13.0 */
  int compiler;            /**< of kernels: 1300 is NVRTC 13.0; 0: not opened yet, or not there */
  size_t kernels;          /**< loaded by this process */
  size_t kernels_compiled; /**< of them: compiled, and not found in the folder */
} tsr_device_details;

/** A device by its name: "cpu", "cuda:0" ("cuda" is the first one). It is opened once a process, never closed, and *device
 *  stays valid. A GPU needs the plug-in libtessera_cuda.so (beside the library, in a folder that TSR_PLUGINS in the
 *  environment names, or where the loader looks) and NVIDIA's driver. TSR_EDEVICE with a sentence that says what is
 *  missing: the plug-in, the driver, a GPU, that GPU. TSR_ENAME: no kind of device has that name.
 *
 *  "cuda:sm_90" is no GPU but a device that prepares calls for one of compute capability 9.0: their kernels are compiled
 *  and written to the folder, and nothing is computed; tensors have no elements, and copies to the host are refused. It
 *  needs the plug-in and NVIDIA's compiler, no driver. `tessera cuda warm --arch` uses it. */
TSR_API TSR_MUST_USE tsr_status tsr_device_open(struct tsr_ctx *ctx, const char *name, const tsr_device **device);

/** How many devices of a kind ("cpu", "cuda") there are: 0 as well where its plug-in or driver is missing. */
TSR_API TSR_MUST_USE tsr_status tsr_device_count(struct tsr_ctx *ctx, const char *kind, int *count);

/** What is known of a device. Set details->size first. */
TSR_API TSR_MUST_USE tsr_status tsr_device_info(struct tsr_ctx *ctx, const tsr_device *device,
                                                tsr_device_details *details);

/** A device without memory, for dry runs: calls on its tensors, or with a context whose device it is, check everything
 *  that can be checked without data, describe their outputs on it, and leave in the context's scratch_needed how much
 *  temporary memory they would have used. Its tensors are released like others; nothing can be read from them. */
TSR_API const tsr_device *tsr_device_dry(void);

/** A context for dry runs of what *like (NULL: the default one) would do: its allocator, threads and instruction set, on
 *  tsr_device_dry. How much scratch memory a call needs, for memory at any address (0: it takes none):
 *
 *      st = tsr_context_init_dry(&ctx, &dry);
 *      st = tsr_conv2d(&dry, &x, &w, NULL, &options, &y);    // y has a dtype, a shape and strides, no memory
 *      st = tsr_context_set_scratch(&ctx, memory, dry.scratch_needed);    // memory: so many bytes
 *
 *  Inputs are tensors as they will be, or made with &dry: tsr_empty(&dry, …) has no memory. A given output is checked, and
 *  counts as it lies: gaps and overlaps can take more. Several calls leave the most that one of them needs. */
TSR_API TSR_MUST_USE tsr_status tsr_context_init_dry(const struct tsr_ctx *like, struct tsr_ctx *dry);
#endif

/* ---- for those who write a device ---- */

/** Does a work on the host, with these tensors in place of its own: of the same descriptions, in memory that the CPU may
 *  touch. An output may be empty. What a device uses for ops that it has no kernel for, and whose memory it can reach. */
TSR_API TSR_MUST_USE tsr_status tsr_work_run(struct tsr_ctx *ctx, const tsr_work *work,
                                             const struct tsr_tensor *const *in, struct tsr_tensor *const *out);

#if TSR_HAVE_OPS
/** A work that outlives the call it came with: its tensors are handles with a count of their own (host memory that nobody counts
 *  stays the caller's, but for numbers of rank 0, which are copied), its lists and options are copied. A generator of
 *  random numbers stays the caller's. Ends with tsr_work_free. */
TSR_API TSR_MUST_USE tsr_status tsr_work_copy(struct tsr_ctx *ctx, const tsr_work *work, tsr_work **copy);
TSR_API void tsr_work_free(tsr_work *copy);
#endif

#ifdef __cplusplus
}
#endif

#endif
