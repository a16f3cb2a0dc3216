/* The plain kernels of quantised layers: what microcontrollers run, and the reference of every other kernel. */
#ifndef TSR_NN_QUANT_PLAIN_PLAIN_H
#define TSR_NN_QUANT_PLAIN_PLAIN_H

#include "nn/quant/plain/patch.h"

/* The temporary memory of a run, SIZE_MAX: too much; and the run. */
size_t tsr__q_plain_scratch(const tsr_ctx *ctx, tsr__q_run *run);
void tsr__q_plain_run(const tsr_ctx *ctx, const tsr__q_run *run);

/* The same for runs that are not depthwise; the memory of one worker. */
size_t tsr__q_plain_filters_scratch(const tsr__q_run *q);
void tsr__q_plain_filters(const tsr_ctx *ctx, const tsr__q_run *run);

/* Images of one pixel, one after the other, on this thread: a dense layer in less flash, and as fast as that for two rows. */
void tsr__q_plain_rows(const tsr__q_run *run);

#if TSR_HAVE_OPS
/* What is enough for one worker on every core: pairs of i16 take most, four patches together. */
size_t tsr__q_plain_scratch_anywhere(const tsr__q_run *q);
#endif

/* ---- parts of it ---- */

enum { TSR__Q_PLAIN_CHANNELS = 16 };   /* of the output, at a time */
enum { TSR__Q_PLAIN_GRAIN = 1 << 16 }; /* products that are worth a thread */
enum { TSR__Q_PLAIN_BLOCK = 4 };       /* outputs that are done together */

/* Runs whose filters have one channel each. */
size_t tsr__q_plain_depthwise_scratch(const tsr__q_run *q);
void tsr__q_plain_depthwise(const tsr_ctx *ctx, const tsr__q_run *q);

/* Results of n channels from first on, of one output. */
void tsr__q_plain_end(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out);

/* One output, the filters of a group, whose patch goes to room. */
void tsr__q_plain_one(const tsr__q_run *q, const tsr__q_place *p, tsr_index group, char *room);

/* A run that is not depthwise. points: filters have one tap, x is i8 side by side, and blocks of a row go
 * together. */
typedef struct tsr__q_plain {
  const tsr__q_run *q;
  tsr_index outputs; /* of all images, one channel */
  bool points;
#if defined(TSR__SMLAD)
  bool four; /* four patches can go together */
  void (*run)(tsr__smlad_four *f);
  tsr__smlad_four with; /* of the first group, but for the outputs */
#elif defined(TSR__MVE)
  bool vectors;             /* from the dots to the results */
  tsr__mve_filters filters; /* of the first group */
#endif
} tsr__q_plain;

/* What one worker has: the outputs of a block, and room for their patches. */
typedef struct tsr__q_plain_worker {
  tsr__q_place p[TSR__Q_PLAIN_BLOCK];
  char *room;
#if defined(TSR__SMLAD)
  tsr__smlad_four four;
#endif
} tsr__q_plain_worker;

#if defined(TSR__SMLAD) || defined(TSR__MVE)
/* Which of a run's ways are there. */
void tsr__q_plain_init(tsr__q_plain *a);
/* Blocks of points of a row, from w->p[0] on, at most so many; how many they were. */
tsr_index tsr__q_plain_points(const tsr__q_plain *a, tsr__q_plain_worker *w, tsr_index most);
#endif
#if defined(TSR__SMLAD)
/* Four outputs, every filter. */
void tsr__q_plain_fours(const tsr__q_plain *a, tsr__q_plain_worker *w);
#elif defined(TSR__MVE)
/* What follows the sums of count filters from first on. */
static inline tsr__mve_filters tsr__q_plain_mve_ends(const tsr__q_run *q, tsr_index first, tsr_index count) {
  return (tsr__mve_filters){.count = count,
                            .multiplier = q->table[TSR__Q_MULTIPLIER] + first,
                            .shift = q->table[TSR__Q_SHIFT] + first,
                            .zero = q->layer->out_zero,
                            .low = q->layer->low,
                            .high = q->layer->high};
}

/* One output of depthwise filters, count taps at the addresses x[k] + at: how many channels are done, all or none. */
tsr_index tsr__mve_depthwise(const tsr__q_run *q, int count, const uintptr_t *x, uintptr_t at, char *out);

/* One output, the filters of a group. */
void tsr__q_plain_vectors(const tsr__q_plain *a, const tsr__q_place *p, tsr_index group, char *room);
#endif

#endif
