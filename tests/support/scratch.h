/* The scratch memory of a call: what is said of it, and what it takes. */
#ifndef TSR_TEST_SCRATCH_H
#define TSR_TEST_SCRATCH_H

#include "support/helpers.h"
#include "support/test.h"

#include <stdlib.h>

/* A call with an output that is given; its scratch memory depends on no data. */
typedef tsr_status test_call(tsr_ctx *ctx, void *arg);

/* As badly aligned as can be. */
static inline tsr_status test_call_within(tsr_ctx *ctx, test_call *call, void *arg, unsigned char *memory,
                                          size_t bytes) {
  unsigned char *const at = memory + (-(uintptr_t)memory & (TSR_DATA_ALIGN - 1)) + 1;
  OK(ctx, tsr_context_set_scratch(ctx, at, bytes > 0 ? bytes : 1));
  const tsr_status st = call(ctx, arg);
  CHECK(ctx->scratch_used == 0);
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  return st;
}

#if TSR_HAVE_OPS
static inline size_t test_scratch_needed(const tsr_ctx *ctx, test_call *call, void *arg) {
  tsr_ctx dry;
  OK(NULL, tsr_context_init_dry(ctx, &dry));
  OK(&dry, call(&dry, arg));
  return dry.scratch_needed;
}
#else
static unsigned char test_scratch_room[8192 + 2 * TSR_DATA_ALIGN];

/* No dry runs: the least that is enough. */
static inline size_t test_scratch_needed(tsr_ctx *ctx, test_call *call, void *arg) {
  size_t least = 0, most = 8192;
  while (least < most) {
    const size_t bytes = (least + most) / 2;
    if (test_call_within(ctx, call, arg, test_scratch_room, bytes) == TSR_ESCRATCH)
      least = bytes + 1;
    else
      most = bytes;
  }
  return least > 1 ? least : 0;
}
#endif

/* What it needs, by a dry run where there is one: with so much memory, wherever that lies, it works and takes no other; with
 * a byte less it is TSR_ESCRATCH. */
static inline size_t test_scratch(tsr_ctx *ctx, test_call *call, void *arg) {
  const size_t bytes = test_scratch_needed(ctx, call, arg), calls = test_failing()->calls;
#if TSR_HAVE_OPS
  unsigned char *const memory = malloc(bytes + 2 * TSR_DATA_ALIGN);
#else
  unsigned char *const memory = test_scratch_room;
#endif
  OK(ctx, test_call_within(ctx, call, arg, memory, bytes));
  CHECK(test_failing()->calls == calls);
  if (bytes > 0) FAILS(ctx, TSR_ESCRATCH, test_call_within(ctx, call, arg, memory, bytes - 1));
#if TSR_HAVE_OPS
  free(memory);
#endif
  return bytes;
}

#endif
