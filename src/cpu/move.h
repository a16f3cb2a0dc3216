/* Moving elements of one size, whatever they mean. */
#ifndef TSR_CPU_MOVE_H
#define TSR_CPU_MOVE_H

#include "cpu/isa.h"
#include "cpu/iterate.h"
#include <tessera/tensor.h>

/* ---- rows ---- */

/* n elements of item bytes (1, 2, 4, 8, 16); steps in bytes, any sign, 0 repeats the source. The rows do not
 * overlap. */
void tsr__move_row(size_t item, tsr_index n, const char *src, ptrdiff_t src_step, char *dst, ptrdiff_t dst_step);

/* The item bytes at pattern to each of n contiguous elements. */
void tsr__fill_row(size_t item, tsr_index n, const void *pattern, char *dst);

/* ---- whole tensors ---- */

/* What is worth a thread, in bytes written. */
#define TSR__COPY_GRAIN_BYTES 131072

/* Large outputs are written by non-temporal stores where that is quicker: nothing is read that is about to
 * be overwritten, and nothing pushed out. How large is said in parts of this, the last-level cache. Tests make it
 * small. */
extern size_t tsr__stream_bytes;

/* Whether an output of so many bytes, made from so many, is such a one. slow: making an element takes longer than
 * writing it, and ordinary stores drain while the next elements are computed. */
bool tsr__is_nontemporal(const tsr_ctx *ctx, size_t written, size_t read, bool slow);

/* Copies operand 1 of a loop to operand 0, elements of item bytes, on the context's threads. whole: the bytes of the
 * output that operand 0 is, or is a part of. Axes of the loop may change their places. */
void tsr__move(const tsr_ctx *ctx, tsr__loop *loop, size_t item, size_t whole);

/* ---- kernels: two axes at a time ---- */

/* Axis 0 is the one along which the output runs fastest. */
typedef struct tsr__block {
  const char *src;
  char *dst;
  tsr_index n[2];
  ptrdiff_t src_step[2], dst_step[2]; /* in bytes */
  size_t item;
  bool stream;
  const void *arg; /* of functions that are no kernels */
} tsr__block;

typedef void tsr__block_fn(const tsr__block *block);

typedef struct tsr__move_kernels {
  tsr__block_fn *rows;      /* both run contiguously along axis 0 */
  tsr__block_fn *transpose; /* the output runs contiguously along axis 0, the source along axis 1 */
  tsr__block_fn *strided;   /* any steps */

  /* rows, with margin[0] bytes in front of each and margin[1] behind it filled with a pattern of item bytes; and
   * margin[2] bytes in front of all that, margin[3] behind it. */
  void (*framed)(const tsr__block *block, const size_t *margin, const unsigned char *pattern);

  /* bytes by non-temporal stores, in whole lines but for the ends; and what must come after the last of them. */
  void (*stream)(char *dst, const char *src, size_t bytes);
  void (*fence)(void);
  /* A pattern of item bytes over and over. */
  void (*fill)(char *dst, size_t bytes, const unsigned char *pattern, size_t item, bool stream);
} tsr__move_kernels;

/* Elements before the first whole line of a contiguous output, so that blocks that are written one after the other
 * meet between lines. */
static inline tsr_index tsr__before_line(const char *dst, size_t item) {
  const size_t bytes = (size_t)(-(uintptr_t)dst & 63u);
  return bytes % item == 0 ? (tsr_index)(bytes / item) : 0;
}

/* How the two operands of a loop lie to each other. */
typedef enum tsr__crossing {
  TSR__ALONG,         /* both take their smallest steps along axis 0 */
  TSR__ACROSS,        /* the output along axis 0, the source along axis 1, both contiguous */
  TSR__ACROSS_STRIDED /* the same with gaps */
} tsr__crossing;

/* Brings the source's fastest axis to place 1, and makes both axes run upwards. Items in bytes. */
tsr__crossing tsr__loop_cross(tsr__loop *loop, size_t dst_item, size_t src_item);

/* Calls run for blocks of most[0] by most[1] elements of a loop's first two axes, and for all indices of the others, on
 * the context's threads. like is what the blocks have in common. */
void tsr__move_blocks(const tsr_ctx *ctx, const tsr__loop *loop, tsr__block_fn *run, const tsr__block *like,
                      const tsr_index *most);

TSR__DECLARE_FOR_ISAS(const tsr__move_kernels, tsr__move)

const tsr__move_kernels *tsr__move_kernels_of(const tsr_ctx *ctx);

#endif
