/** @file prepare.h
 *  Prepared calls: a call is checked once (operands, shapes, memory, the choice of its kernel) and then run as often as you like, with
 *  nothing left to ask. For small calls whose checks take longer than their work, on microcontrollers and on hosts.
 *
 *      static _Alignas(8) uint8_t memory[1024];
 *      st = tsr_prepared_init(memory, sizeof memory, &network);
 *      st = tsr_prepared_begin(&ctx, &network);       // calls with ctx are checked and kept from here on, not run
 *      st = tsr_qconv2d(&ctx, &x, &conv1, &a);        // a gets its memory now, where it has none
 *      st = tsr_qmax_pool(&ctx, &a, TSR_SHAPE(2, 2), NULL, &b);
 *      st = tsr_prepared_end(&ctx, &network);         // ctx computes again
 *      st = tsr_prepared_run(&ctx, &network);         // both, in order: the same bits as the calls themselves
 *
 *  What is kept are addresses: of the elements of x, a, b, of layers and their weights, of the context's scratch. All of them stay
 *  where they are as long as the calls are run, and so does the memory of the kept calls; the structs of tensors may go.
 *
 *  These can be prepared, on the host: tsr_qconv2d, tsr_qdense, tsr_qmax_pool, tsr_qavg_pool, tsr_qadd and the other layers of
 *  quant.h but tsr_qmatmul; of floats tsr_conv2d, tsr_conv1d and
 *  their packed forms, tsr_dense, tsr_matmul, tsr_gemm, tsr_matvec, tsr_dot, tsr_max_pool, tsr_avg_pool, tsr_softmax, tsr_log_softmax; and the elementwise
 *  ops of tensors that need no conversion (tsr_add, tsr_relu, …). Another op, an output that overlaps an
 *  input, or strides that need a copy are refused with TSR_EUNSUPPORTED, and the memory is as before that call. Temporary memory
 *  has to be the context's (tsr_context_set_scratch): a call that needs some and finds none is refused with TSR_ESTATE.
 *  Other contexts may run kept calls, one at a time. */
#ifndef TESSERA_PREPARE_H
#define TESSERA_PREPARE_H

#include <stddef.h>
#include <tessera/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tsr_prepared_table;

/** Kept calls, in memory of yours. Its fields are the library's, but for reading how many bytes are used. */
typedef struct tsr_prepared {
  unsigned char *memory; /**< of the first call */
  size_t bytes;          /**< of memory */
  size_t used;           /**< of them */
  const struct tsr_prepared_table *table;
} tsr_prepared;

/** No calls yet, in memory at any address: some hundred bytes a call, 200 to 400 on 32-bit cores. TSR_EARG where memory is
 *  NULL. Nothing has to be released. */
TSR_API TSR_MUST_USE tsr_status tsr_prepared_init(void *memory, size_t bytes, tsr_prepared *prepared);

/** From here on calls with ctx are kept behind those that are there. TSR_EARG without a context; TSR_ESTATE where it
 *  prepares already. A call for which too few bytes are left is refused with TSR_ENOMEM. */
TSR_API TSR_MUST_USE tsr_status tsr_prepared_begin(tsr_ctx *ctx, tsr_prepared *prepared);

/** ctx computes again. TSR_ESTATE where it does not prepare these. */
TSR_API TSR_MUST_USE tsr_status tsr_prepared_end(tsr_ctx *ctx, tsr_prepared *prepared);

/** Runs all of them in order, with the threads of ctx (NULL: the default ones). TSR_EARG where prepared is NULL or not
 *  initialised. */
TSR_API TSR_MUST_USE tsr_status tsr_prepared_run(const tsr_ctx *ctx, const tsr_prepared *prepared);

#ifdef __cplusplus
}
#endif

#endif
