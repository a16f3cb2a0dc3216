/** @file queue.h
 *  Queues: calls on a device that return when they are enqueued, in an order of their own. Where ops by name are configured out
 *  (TSR_HAVE_OPS 0) this header declares nothing.
 *
 *      st = tsr_device_open(ctx, "cuda:0", &gpu);
 *      st = tsr_queue_new(ctx, gpu, &queue);
 *      st = tsr_context_set_queue(ctx, queue);       // calls with ctx on that device go there
 *      st = tsr_matmul(ctx, &a, &b, &y);             // returns at once
 *      st = tsr_queue_sync(ctx, queue);              // y is computed; what went wrong in it is said here
 *
 *  Work of one queue is done in the order of the calls. Two queues know nothing of each other, but for tensors: a call that reads
 *  what another queue writes, or writes what another one reads, waits for it on the device, by itself. A context without a
 *  queue uses the device's default one. Copies to the host, tsr_queue_sync and tsr_event_sync wait; nothing else does. */
#ifndef TESSERA_QUEUE_H
#define TESSERA_QUEUE_H

#include <tessera/device.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_OPS

/** An order of work on a device. What begins with this struct is the device's. */
typedef struct tsr_queue {
  const tsr_device *device;
} tsr_queue;

/** A place in a queue, which can be waited for, asked for, and measured from. */
typedef struct tsr_event {
  const tsr_device *device;
} tsr_event;

/** A new queue. TSR_EUNSUPPORTED: the device has none (the host). */
TSR_API TSR_MUST_USE tsr_status tsr_queue_new(tsr_ctx *ctx, const tsr_device *device, tsr_queue **queue);

/** Ends it; what was enqueued is still done, in order. No context may have it. NULL is fine. */
TSR_API void tsr_queue_release(tsr_queue *queue);

/** Waits until everything in it is done. Reports what its calls found in their data since the last wait: the op, the
 *  argument and the first bad position (TSR_EINDEX). */
TSR_API TSR_MUST_USE tsr_status tsr_queue_sync(tsr_ctx *ctx, tsr_queue *queue);

/** The same for all queues of a device. Nothing to wait for on the host. */
TSR_API TSR_MUST_USE tsr_status tsr_device_sync(tsr_ctx *ctx, const tsr_device *device);

/** Calls with ctx on the queue's device go there; NULL: to the device's default one. A call on another device with it
 *  is refused: TSR_EDEVICE. */
TSR_API TSR_MUST_USE tsr_status tsr_context_set_queue(tsr_ctx *ctx, tsr_queue *queue);

/** The stream of a queue (NULL: the default one of the device) as the device's own library knows it: a CUstream. NULL: the
 *  device has none. */
TSR_API void *tsr_queue_native(const tsr_device *device, tsr_queue *queue);

/** A copy between the host and a device, or two devices, that returns when it is enqueued. in and out have the same dtype and
 *  shape and are contiguous in the same order; out is given. The host's memory is to be left alone until the queue
 *  has been waited for. It overlaps with other work where that memory is of tsr_device_host_allocator; else it may be
 *  done when this returns. */
TSR_API TSR_MUST_USE tsr_status tsr_copy_async(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);

/** Memory of the host that the device reaches by itself (pinned), as an allocator: for tsr_context_init. What is freed
 *  while a copy uses it is given out again after the copy. NULL: the device has none. */
TSR_API const tsr_allocator *tsr_device_host_allocator(const tsr_device *device);

/** Gives memory of the device that is kept for the next tensors back to it; waits for what still uses it. Returns
 *  how many bytes that were. */
TSR_API size_t tsr_device_trim(const tsr_device *device);

/* ---- events ---- */

/** A new event of a device. TSR_EUNSUPPORTED: it has no queues. */
TSR_API TSR_MUST_USE tsr_status tsr_event_new(tsr_ctx *ctx, const tsr_device *device, tsr_event **event);
TSR_API void tsr_event_release(tsr_event *event); /**< NULL is fine */

/** Marks the place where a queue (NULL: the default one) is now. */
TSR_API TSR_MUST_USE tsr_status tsr_event_record(tsr_ctx *ctx, tsr_event *event, tsr_queue *queue);

/** What is enqueued in queue (NULL: the default one) from now on is done after the event. The host does not wait. */
TSR_API TSR_MUST_USE tsr_status tsr_queue_wait(tsr_ctx *ctx, tsr_queue *queue, const tsr_event *event);

/** The host waits for the event. One that was never recorded is over. */
TSR_API TSR_MUST_USE tsr_status tsr_event_sync(tsr_ctx *ctx, const tsr_event *event);

/** Whether the event is over, without waiting. */
TSR_API TSR_MUST_USE tsr_status tsr_event_query(tsr_ctx *ctx, const tsr_event *event, bool *done);

/** Seconds of the device between two events of it that are recorded; waits for the second. */
TSR_API TSR_MUST_USE tsr_status tsr_event_elapsed(tsr_ctx *ctx, const tsr_event *from, const tsr_event *to,
                                                  double *seconds);

/* ---- for those who write a device ---- */

/** Bytes to be moved, contiguous on both sides. */
typedef struct tsr_transfer {
  size_t size;    /**< sizeof(tsr_transfer) of the library */
  const char *op; /**< for messages */
  tsr_queue *queue;
  void *to;
  const void *from;
  size_t bytes;
  tsr_copy_direction direction;
  void *to_memory, *from_memory; /**< what memory_new gave; NULL: the host's, or a device's without queues */
  const tsr_device *source;      /**< not NULL: from is of this device, of the same kind */
  bool early;                    /**< it may return before the host's memory is read or written */
  const tsr_parallel *parallel;  /**< threads for the host's part; NULL: none */
} tsr_transfer;

/** What a device with queues has beside the rest. ctx is never NULL and takes the message of a failure; queue NULL is
 *  the default one. Every function may be called by any thread. */
typedef struct tsr_device_queues {
  size_t size; /**< sizeof(tsr_device_queues) */
  tsr_status (*queue_new)(void *self, tsr_ctx *ctx, tsr_queue **queue);
  void (*queue_release)(void *self, tsr_queue *queue);
  tsr_status (*queue_sync)(void *self, tsr_ctx *ctx, tsr_queue *queue, bool all);
  tsr_status (*queue_wait)(void *self, tsr_ctx *ctx, tsr_queue *queue, const tsr_event *event);
  tsr_status (*event_new)(void *self, tsr_ctx *ctx, tsr_event **event);
  void (*event_release)(void *self, tsr_event *event);
  tsr_status (*event_record)(void *self, tsr_ctx *ctx, tsr_event *event, tsr_queue *queue);
  tsr_status (*event_sync)(void *self, tsr_ctx *ctx, const tsr_event *event);
  tsr_status (*event_query)(void *self, tsr_ctx *ctx, const tsr_event *event, bool *done);
  tsr_status (*event_elapsed)(void *self, tsr_ctx *ctx, const tsr_event *from, const tsr_event *to, double *seconds);
  /** Memory for work of a queue. *memory is what the device wants to know it by: it comes back in transfers, and ends
   *  with memory_free. */
  tsr_status (*memory_new)(void *self, tsr_ctx *ctx, tsr_queue *queue, size_t bytes, void **ptr, void **memory);
  /** Memory of the device that somebody else made: release is called when nothing here uses it any more. */
  tsr_status (*memory_adopt)(void *self, tsr_ctx *ctx, void *ptr, size_t bytes, tsr_release_fn *release, void *user,
                             void **memory);
  void (*memory_free)(void *self, void *memory);
  void *(*queue_native)(void *self, tsr_queue *queue);
  /** A stream of another library waits for whoever writes the memory (DLPack). NULL: the host does. */
  tsr_status (*memory_order)(void *self, tsr_ctx *ctx, void *memory, void *stream);
  tsr_status (*transfer)(void *self, tsr_ctx *ctx, const tsr_transfer *transfer);
  size_t (*trim)(void *self);
  const tsr_allocator *host; /**< tsr_device_host_allocator */
  /** Works that are replayed together often: prepared once, launched as one. Their operands are as they will be. *graph is
   *  NULL, or a graph of the same works with other operands, which becomes the new one. */
  tsr_status (*graph_new)(void *self, tsr_ctx *ctx, int count, const tsr_work *const *works, void **graph);
  tsr_status (*graph_run)(void *self, tsr_ctx *ctx, tsr_queue *queue, void *graph);
  void (*graph_free)(void *self, void *graph);
} tsr_device_queues;

/** What the device knows the memory of a storage by; NULL: it is no memory of a device with queues. */
TSR_API void *tsr_storage_memory(const tsr_storage *storage);

#endif

#ifdef __cplusplus
}
#endif

#endif
