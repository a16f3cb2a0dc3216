/** @file arrow.h
 *  Arrays to and from others in the same process by Arrow's C data interface, which readers of Parquet, Arrow files and
 *  databases speak. The structs are the interface's own, so nothing has to be linked. */
#ifndef TESSERA_ARROW_H
#define TESSERA_ARROW_H

#include <tessera/io.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/** What an array is. */
struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *schema); /**< NULL: it was released */
  void *private_data;
};

/** Its elements. */
struct ArrowArray {
  int64_t length;
  int64_t null_count; /**< -1: not counted */
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *array); /**< NULL: it was released */
  void *private_data;
};
#endif

/** An array as a tensor, without a copy where that is possible: integers, floats, dates, times and durations (as the
 *  integers that they are) as [length], fixed-size lists of them, "+w:3", as [length, 3] and so on. Booleans, which are
 *  bits there, and floats some of which are null, which become NaN, are copied. On success the array is taken over:
 *  array->release is NULL then, and its own is called when the last tensor ends; the tensor is TSR_READONLY. schema is
 *  only read. When it fails, everything is as it was: TSR_EDTYPE for text and other types, TSR_EFORMAT where lengths
 *  and buffers do not fit each other, TSR_EUNSUPPORTED for nulls of integers. *out must hold no count. Pointers cannot
 *  be checked: an array comes from someone who is trusted. */
TSR_API TSR_MUST_USE tsr_status tsr_from_arrow(tsr_ctx *ctx, const struct ArrowSchema *schema, struct ArrowArray *array,
                                               tsr_tensor *out);

/** A tensor of rank 1 or more as an array, whose last axes are fixed-size lists: without a copy where it lies in order and
 *  has a count to share, else of a copy. name may be NULL. Both structs are written, and whoever has them calls their
 *  release. TSR_EDTYPE of bf16, f8 and complex numbers, which Arrow has not. */
TSR_API TSR_MUST_USE tsr_status tsr_to_arrow(tsr_ctx *ctx, const tsr_tensor *t, const char *name,
                                             struct ArrowSchema *schema, struct ArrowArray *array);
#endif

#ifdef __cplusplus
}
#endif

#endif
