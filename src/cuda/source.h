/* Kernel text: files that were embedded when the library was built, put together with what is generated. */
#ifndef TSR_CUDA_SOURCE_H
#define TSR_CUDA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file of src that kernel text includes: files of cuda/kernels, and headers of the host's mathematics and dtypes. */
typedef struct tsr__cuda_piece {
  const char *name; /* below src: "cuda/kernels/pack.cuh" */
  const char *text;
} tsr__cuda_piece;
extern const tsr__cuda_piece tsr__cuda_pieces[]; /* the last has no name; cmake/kernel_text.cmake writes them */

/* Text that grows. It ends with 0 always. Where there is no memory it stays as it is, and failed says so. */
typedef struct tsr__cuda_text {
  char *data;
  size_t length, room;
  uint64_t included[2]; /* which files, by their number */
  bool failed;
} tsr__cuda_text;

void tsr__cuda_text_add(tsr__cuda_text *text, const char *piece);
/* %s text, %d an int. */
void tsr__cuda_text_format(tsr__cuda_text *text, const char *format, ...);
/* piece, in which every line #include "…" is that file, once, whatever #if it
 * stands behind; with #line, so that messages of a compiler name file and line. */
void tsr__cuda_text_expand(tsr__cuda_text *text, const char *piece);
void tsr__cuda_text_free(tsr__cuda_text *text);

#endif
