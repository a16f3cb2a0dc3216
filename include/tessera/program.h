/** @file program.h
 *  Programs: calls that are recorded once and replayed often, in memory that is planned for all of them. Where ops by name are
 *  configured out (TSR_HAVE_OPS 0) this header declares nothing.
 *
 *      st = tsr_program_new(ctx, &program);
 *      st = tsr_program_begin(ctx, program);                       // calls with ctx are recorded from here
 *      st = tsr_program_input(ctx, program, "x", &description, &x);
 *      st = tsr_matmul(ctx, &x, &weights, &y);                     // not computed: y is a value of the program
 *      st = tsr_softmax(ctx, &y, -1, &y);
 *      st = tsr_program_output(ctx, program, "y", &y);
 *      st = tsr_program_end(ctx, program);                         // memory is planned; ctx computes again
 *      st = tsr_program_run(ctx, program, 1, inputs, 1, outputs);  // the same bits as the calls themselves
 *
 *  A context that has a device when the recording begins (tsr_context_set_device) records for that device: constants, inputs and
 *  outputs are on it, its memory is planned, and a replay is one launch where the device can do that (a CUDA graph): it
 *  returns when it is enqueued in the context's queue. It is made again when inputs or outputs lie elsewhere than in
 *  the run before, so give it the same ones.
 *
 *  A value is a tensor whose device is the program: it has a dtype, a shape and strides, can be cut into views and be given
 *  to calls, and cannot be read. Tensors of the host in recorded calls are constants: a replay reads them where they lie.
 *  One that is counted is kept alive by the program; memory that nobody counts must outlive it. A host tensor that is given
 *  as an output is written by every replay.
 *
 *  What is decided by data while it is recorded stays decided. Ops whose result has a size that depends on data cannot be
 *  recorded (TSR_EUNSUPPORTED). A replay takes no memory but for outputs that have none, and for temporary memory where
 *  the context has no scratch (tsr_program_scratch says how much is enough). One program is run by one thread at a time. */
#ifndef TESSERA_PROGRAM_H
#define TESSERA_PROGRAM_H

#include <tessera/plan.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_OPS

/** A recorded sequence of calls. */
typedef struct tsr_program tsr_program;

/** An empty program, from the context's allocator. */
TSR_API TSR_MUST_USE tsr_status tsr_program_new(tsr_ctx *ctx, tsr_program **program);

/** Ends it. Its values must be released before. NULL is fine. */
TSR_API void tsr_program_free(tsr_program *program);

/** From here on calls with ctx are recorded, for the host or for the context's device: TSR_ESTATE when the program has been
 *  ended, or that device does not compute. */
TSR_API TSR_MUST_USE tsr_status tsr_program_begin(tsr_ctx *ctx, tsr_program *program);

/** A value that every run is given: as description, dense. *value must hold no count; release it. name is copied. */
TSR_API TSR_MUST_USE tsr_status tsr_program_input(tsr_ctx *ctx, tsr_program *program, const char *name,
                                                  const tsr_tensor *description, tsr_tensor *value);

/** Marks a value, or a view of one, as what runs give back. name is copied. */
TSR_API TSR_MUST_USE tsr_status tsr_program_output(tsr_ctx *ctx, tsr_program *program, const char *name,
                                                   const tsr_tensor *value);

/** Ends the recording and plans memory: every value gets bytes of one block, shared by those that are never needed at the
 *  same time; calls whose result nobody needs are left out. ctx computes again, also when this fails. */
TSR_API TSR_MUST_USE tsr_status tsr_program_end(tsr_ctx *ctx, tsr_program *program);

/** Replays it, on the host or on the device it was recorded for: inputs and outputs in the order in which they were recorded. An input has the dtype and shape of its
 *  description, and any strides. An output is empty, described or given, of the value's dtype and shape; it may not overlap an input. */
TSR_API TSR_MUST_USE tsr_status tsr_program_run(tsr_ctx *ctx, tsr_program *program, int inputs,
                                                const tsr_tensor *const *in, int outputs, tsr_tensor *const *out);

/** How many calls, inputs and outputs it has. */
TSR_API int tsr_program_calls(const tsr_program *program);
TSR_API int tsr_program_inputs(const tsr_program *program);
TSR_API int tsr_program_outputs(const tsr_program *program);

/** What the plan of its memory came to; zeros before its end. */
TSR_API tsr_plan_report tsr_program_memory(const tsr_program *program);

/** The most temporary memory that a call of a replay takes, on one thread. */
TSR_API size_t tsr_program_scratch(const tsr_program *program);

/** Input or output number i: its name, NULL out of range; and its description in *out, which may be NULL. */
TSR_API const char *tsr_program_input_at(const tsr_program *program, int i, tsr_tensor *out);
TSR_API const char *tsr_program_output_at(const tsr_program *program, int i, tsr_tensor *out);

/** Writes a line a call, "v3 = matmul(v0, constant f32 [4,4])  f32 [2,4]", to text, cut to capacity bytes with a closing zero; returns the
 *  bytes of the whole text without it. */
TSR_API size_t tsr_program_format(const tsr_program *program, char *text, size_t capacity);

#endif

#ifdef __cplusplus
}
#endif

#endif
