/* Reading the elements of outputs, whatever their dtype and steps: rows of the kernel's type, contiguous. */
#ifndef TSR_OPS_REDUCE_SOURCE_H
#define TSR_OPS_REDUCE_SOURCE_H

#include "cpu/move.h"
#include "ops/reduce/reduce.h"

/* What rows are made from. Where the elements of an output follow one another in large steps, but those some way on
 * lie beside them (a sum over all of a transposed matrix), a slab is copied at a time: rows numbers of one axis with
 * everything inside. */
typedef struct tsr__source {
  const tsr__reduced *reduced;
  int isa;
  int dtype, compute;
  ptrdiff_t size; /* bytes of an element of x */
  ptrdiff_t item; /* bytes of a compute element */
  bool same;      /* no conversion */
  bool unordered; /* elements may come in pieces of any length: the order does not matter */
  const tsr__move_kernels *move;
  int axis;                      /* of slabs */
  tsr_index rows;                /* of a slab; 0: there are none */
  tsr_index inner;               /* elements of a row */
  const tsr__produced *produced; /* NULL: elements lie in memory */
  const char *origin;            /* where the first of those that are produced would lie */
} tsr__source;

static inline tsr__source tsr__source_of(const tsr_ctx *ctx, const tsr__reduced *reduced, int dtype, int compute) {
  return (tsr__source){.reduced = reduced,
                       .isa = tsr__isa_of(ctx),
                       .dtype = dtype,
                       .compute = compute,
                       .size = tsr__item_sizes[dtype],
                       .item = tsr__item_sizes[compute],
                       .same = tsr__reduce_reads(compute, dtype),
                       .move = TSR__REDUCE_FAST ? tsr__move_kernels_of(ctx) : NULL};
}

/* n elements that are produced, from x on: to at. */
static inline void tsr__source_make(const tsr__source *s, int worker, tsr_index n, const char *x, void *at) {
  s->produced->make(s->produced, worker, (tsr_index)((x - s->origin) / s->item), n, at);
}

/* Elements that a reader has produced at a time: what a kernel takes at once. */
#define TSR__REDUCE_PRODUCED (TSR__REDUCE_GROUP * TSR__REDUCE_BLOCK)

/* Decides on slabs; returns the bytes of one, which every worker needs. Without this there are none. */
size_t tsr__source_use_slabs(tsr__source *s);

/* n elements, step bytes apart, to at: contiguous and converted. */
void tsr__source_copy(const tsr__source *s, tsr_index n, const char *x, ptrdiff_t step, void *at);

/* Outputs of few elements, side by side: width of them from x on, kept bytes apart, as compute elements. Returns where
 * their first elements lie, contiguous, and in *step how far on the next ones do: in memory as it is, or in room, which has
 * tsr__source_beside_bytes. There is one reduced axis. Of width outputs, tsr__source_beside_width at a time are best. */
size_t tsr__source_beside_bytes(const tsr__source *s, tsr_index width);
tsr_index tsr__source_beside_width(const tsr__source *s, ptrdiff_t kept, tsr_index width);
const char *tsr__source_beside(const tsr__source *s, tsr_index width, const char *x, ptrdiff_t kept, char *room,
                               ptrdiff_t *step);

/* Where element r of the output at x lies. */
const char *tsr__source_at(const tsr__source *s, const char *x, tsr_index r);

/* ---- one output, element after element ---- */

enum { TSR__REDUCE_CHUNK_BYTES = TSR_HAVE_MALLOC ? 2048 : 128 };

typedef struct tsr__reader {
  const tsr__source *source;
  const char *x; /* element 0 */
  char *slab;    /* NULL where the source has none */
  int worker;
  tsr_index first, end; /* the elements in it */
  _Alignas(64) char chunk[TSR__REDUCE_CHUNK_BYTES];
} tsr__reader;

static inline void tsr__reader_init(tsr__reader *reader, const tsr__source *source, const char *x, char *slab,
                                    int worker) {
  reader->source = source;
  reader->worker = worker;
  reader->x = x;
  reader->slab = slab;
  reader->first = reader->end = 0;
}

/* Elements from number r on, at most most of them, contiguous: where they lie, or copied; valid until the next call.
 * *count says how many: all of them, or so many that the next ones begin at lane 0. */
const void *tsr__reader_next(tsr__reader *reader, tsr_index r, tsr_index most, tsr_index *count);

/* n elements from number r on, where they lie; NULL when they are not contiguous there as they are wanted. */
const void *tsr__reader_direct(tsr__reader *reader, tsr_index r, tsr_index n);

#endif
