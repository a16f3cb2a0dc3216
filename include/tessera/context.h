/** @file context.h
 *  The context: everything a call needs that is not data. */
#ifndef TESSERA_CONTEXT_H
#define TESSERA_CONTEXT_H

#include <stddef.h>
#include <stdint.h>
#include <tessera/memory.h>
#include <tessera/status.h>
#include <tessera/threads.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The last failure of a context. */
typedef struct tsr_error_record {
  tsr_status status;
  const char *op;  /**< the function's name without tsr_, or NULL */
  const char *arg; /**< the argument's name, or NULL */
#if TSR_HAVE_TEXT
  char text[TSR_TEXT_BYTES];
#endif
} tsr_error_record;

struct tsr_device;
struct tsr_queue;
struct tsr_scope;
struct tsr_tensor;
struct tsr_prepared;

/** A call that has ended, for a trace. */
typedef struct tsr_trace_event {
  size_t size; /**< sizeof(tsr_trace_event) of the library */
  const char *op;
  tsr_status status;
  int inputs, outputs;
  const struct tsr_tensor *const *in; /**< NULL: one that was left out */
  struct tsr_tensor *const *out;
  const struct tsr_device *device; /**< who did it; NULL: the host */
  double seconds;                  /**< 0 where there is no clock; on another device, until it was handed over */
} tsr_trace_event;
typedef void tsr_trace_fn(void *user, const tsr_trace_event *event);

/** Allocator, threads, scratch memory, instruction set, error record. Every function takes one; NULL means the default
 *  configuration with an error record of the calling thread. A context is used by one thread at a time; several contexts
 *  may share an allocator and a pool. Tensors remember their allocator, never their context. */
typedef struct tsr_ctx {
  const tsr_allocator *allocator; /**< NULL: tsr_allocator_default() */
  const tsr_parallel *parallel;   /**< NULL: tsr_parallel_default() */
  void *scratch;                  /**< NULL: temporary memory comes from the allocator */
  size_t scratch_bytes;
  size_t scratch_used;   /**< by the call that runs now */
  size_t scratch_needed; /**< the most that a dry run (tsr_context_init_dry) would have used; yours to set to 0 */
  uint8_t private_modes; /**< what keeps small calls from the fast path */
  uint8_t isa;           /**< 0: the best one, or what TSR_ISA in the environment names; tsr_context_set_isa */
  uint8_t lapack;        /**< 0: where that is quicker; tsr_lapack_set */
  const struct tsr_io_limits *io_limits; /**< NULL: the defaults; <tessera/limits.h> */
  const struct tsr_device *device; /**< NULL: the host; where calls without inputs are done: tsr_context_set_device */
  tsr_trace_fn *trace;             /**< NULL: nobody traces; tsr_context_set_trace */
  void *trace_user;
  struct tsr_queue *queue;       /**< NULL: the default one of whatever device computes; tsr_context_set_queue */
  struct tsr_scope *scope;       /**< NULL: none is open; <tessera/scope.h> */
  struct tsr_prepared *prepared; /**< NULL: calls run; tsr_prepared_begin */
  void *reserved[5];             /**< NULL: room for what later versions add */
  tsr_error_record error;
} tsr_ctx;

/** Makes a context with an allocator (NULL: the default one). It holds nothing that needs a release, but for a scope that is open. */
TSR_API TSR_MUST_USE tsr_status TSR_ABI(tsr_context_init)(tsr_ctx *ctx, const tsr_allocator *allocator);
TSR_API TSR_MUST_USE tsr_status tsr_context_init(tsr_ctx *ctx,
                                                 const tsr_allocator *allocator); /**< for other languages */
#define tsr_context_init(ctx, allocator) TSR_ABI(tsr_context_init)(ctx, allocator)

/** Gives the context bytes for temporary memory, at any address. With it, no function takes temporary memory from the
 *  allocator: one that needs more fails with TSR_ESCRATCH and names the bytes. NULL and 0 turn it off. How much a call
 *  needs is what a dry run of it leaves in scratch_needed: tsr_context_init_dry in <tessera/device.h>. */
TSR_API TSR_MUST_USE tsr_status tsr_context_set_scratch(tsr_ctx *ctx, void *scratch, size_t bytes);

/** The device of calls that have no input: tsr_zeros and its kin make their outputs there. NULL: the host.
 *  TSR_EUNSUPPORTED where ops by name are configured out: there devices are memory, and the host computes. */
TSR_API TSR_MUST_USE tsr_status tsr_context_set_device(tsr_ctx *ctx, const struct tsr_device *device);

/** Calls trace after every call of an op with ctx, those that ops are made of too. NULL: no more. A context that is not
 *  traced pays nothing for it. TSR_EUNSUPPORTED where ops by name are configured out. */
TSR_API TSR_MUST_USE tsr_status tsr_context_set_trace(tsr_ctx *ctx, tsr_trace_fn *trace, void *user);

/** Chooses an instruction set by name: "base", "avx2", "avx512". TSR_EUNSUPPORTED when the machine or the build has none
 *  of that name. */
TSR_API TSR_MUST_USE tsr_status tsr_context_set_isa(tsr_ctx *ctx, const char *name);

/** The name of the instruction set that calls with ctx (NULL: the default context) use. By default the best one of the
 *  machine, or the one that the environment variable TSR_ISA names, read once. A name in TSR_ISA that this build or machine
 *  does not have is ignored, because no call is there that could fail: ask here when it matters. */
TSR_API const char *tsr_context_isa(const tsr_ctx *ctx);

/** The name of instruction set number isa, from 0 (base) on; NULL past the last one that this machine can run. */
TSR_API const char *tsr_isa_name(int isa);

/** The text of the last failure of ctx (NULL: of the calling thread's default context); "" when there was none. With text
 *  configured off, the meaning of its status. A failure is recorded where the call was made with: that of a call with
 *  &ctx is in tsr_error(&ctx), and not in tsr_error(NULL). */
TSR_API const char *tsr_error(const tsr_ctx *ctx);

/** The last failure of ctx (NULL: of the calling thread's default context). */
TSR_API const tsr_error_record *tsr_error_details(const tsr_ctx *ctx);

/** Forgets the last failure. */
TSR_API void tsr_error_clear(tsr_ctx *ctx);

/** For libraries that stand on this one, so that their failures are found where its own are: records "op: arg text", cut to what a
 *  record holds, and returns status. op and arg (NULL: none) are kept as they are, and must stay; text is copied. */
TSR_API tsr_status tsr_error_set(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const char *text);

/** Called by the checked build on a violation; the default writes the text to stderr where there is one, and traps. */
typedef void tsr_check_hook_fn(const char *file, int line, const char *text);

/** Sets the hook of the checked build, NULL for the default one; returns the former one. */
TSR_API tsr_check_hook_fn *tsr_check_hook(tsr_check_hook_fn *hook);

/** Turns the checked build's watch for NaN on or off; returns whether it was on. It is off at first, because log(-1) is
 *  NaN by right. While it is on, an elementwise op (unary, binary, ternary) whose inputs hold no NaN and whose output
 *  does calls the hook with a text that names the op and the first such index; file and line are the library's. Every
 *  input and output is read once more for it, by one thread. It is for all threads: set it before they run. In other
 *  builds there is no watch, and this returns false. */
TSR_API bool tsr_check_nan(bool on);

#ifdef __cplusplus
}
#endif

#endif
