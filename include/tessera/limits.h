/** @file limits.h
 *  How much a file may take: the one place for limits on files that one does not trust. A context carries them to
 *  everything that reads with it: .npy, .npz, safetensors, GGUF, CSV, PNG, PGM, PPM, raw. What is over one is
 *  TSR_ELIMIT, before memory is taken for it, and the message names the limit, what was asked for and what is allowed;
 *  outputs are as they were.
 *
 *  Limits are for what a small file makes large. Apart from them, nothing is allocated from a number in a file that the
 *  bytes there do not bear out. */
#ifndef TESSERA_LIMITS_H
#define TESSERA_LIMITS_H

#include <tessera/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** For a field of tsr_io_limits: as much as there is. */
#define TSR_NO_LIMIT UINT64_MAX

/** Limits of one call; 0 in a field is its default, so that `{0}` and fields to come are safe. */
typedef struct tsr_io_limits {
  uint64_t header;   /**< bytes of a header: the one of safetensors (0: 100,000,000, as the format has it), all that is
                          before the data of GGUF (0: 2^28), the directory of an .npz (0: 2^28), each .npy header
                          (0: 10,000, as NumPy has it) */
  uint64_t tensors;  /**< of a file; the keys of its metadata, and the columns of a table, are counted by the same
                          number; 0: 1,000,000 */
  uint64_t inflated; /**< bytes that compressed data becomes: all deflated members of an .npz that are read together,
                          the pixels of a PNG; 0: 2^28, or 16 times the file's bytes where that is more */
  uint64_t pixels;   /**< width times height of an image; 0: 2^28 */
  uint64_t total;    /**< bytes of memory that the tensors of one call take together, and the file that an image is
                          decoded from; what is mapped, borrowed or written into given outputs takes none. 0: 2^28, or
                          16 times the file's bytes where that is more; the file of an image 2^30, and where its end is
                          not known (a pipe) half as much again while room for it grows */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_io_limits;

/** Gives a context limits, which must live as long as it reads; NULL: the defaults. */
TSR_API TSR_MUST_USE tsr_status tsr_context_set_io_limits(tsr_ctx *ctx, const tsr_io_limits *limits);

#ifdef __cplusplus
}
#endif

#endif
