/** @file scope.h
 *  Scopes: temporaries of plain calls are released together. Where ops by name are configured out (TSR_HAVE_OPS 0, as on the mcu
 *  profile) this header declares nothing.
 *
 *      tsr_tensor d = {0}, squares = {0}, sums = {0};
 *      st = tsr_scope_begin(ctx);
 *      if (st == TSR_OK) st = tsr_sub(ctx, &a, &b, &d);
 *      if (st == TSR_OK) st = tsr_square(ctx, &d, &squares);
 *      if (st == TSR_OK) st = tsr_sum(ctx, &squares, 1, &(int){-1}, false, &sums);
 *      if (st == TSR_OK) st = tsr_scope_keep(ctx, &sums);
 *      tsr_scope_end(ctx);  // d and squares are gone, sums is yours
 */
#ifndef TESSERA_SCOPE_H
#define TESSERA_SCOPE_H

#include <tessera/context.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_OPS

/** From here to its end, memory that a call of an op, a program or an expression with ctx gives an empty or described output belongs
 *  to the scope: the handle borrows it, and releasing that does nothing. Outputs that are given, what files are loaded into, and the
 *  counts of tsr_share stay yours. Scopes nest. TSR_EARG where ctx is NULL: the default context has none. */
TSR_API TSR_MUST_USE tsr_status tsr_scope_begin(tsr_ctx *ctx);

/** Releases what was made since the last tsr_scope_begin; handles of it, and views, are not to be used any more. A context that has
 *  an open scope needs this before it goes. Nothing happens where none is open. */
TSR_API void tsr_scope_end(tsr_ctx *ctx);

/** Lets the memory of t, a tensor that was made in the innermost scope or a view of one, outlive that: it belongs to the scope
 *  around it, and where there is none to the handle t. TSR_EARG where it is not of that scope. */
TSR_API TSR_MUST_USE tsr_status tsr_scope_keep(tsr_ctx *ctx, tsr_tensor *t);

#endif

#ifdef __cplusplus
}
#endif

#endif
