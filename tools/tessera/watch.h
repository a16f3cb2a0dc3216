/* How far one long call is: its parallel work passes through here, and what is done of it moves the bar. */
#ifndef TESSERA_WATCH_H
#define TESSERA_WATCH_H

#include <stdint.h>
#include <tessera/context.h>
#include <tessera/threads.h>

typedef struct watch {
  tsr_parallel parallel; /* for a context: `under`, in smaller pieces */
  const tsr_parallel *under;
  uint64_t bytes; /* that the bar moves by when a call is done as a whole */
} watch;

/* Over what the context computes with. */
void watch_init(watch *w, const tsr_ctx *ctx, uint64_t bytes);

#endif
