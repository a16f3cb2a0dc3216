/** @file print.h
 *  Tensors as text, through a sink, without malloc and without stdio. */
#ifndef TESSERA_PRINT_H
#define TESSERA_PRINT_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where bytes go. write takes all n bytes, or returns a status that ends the call. */
typedef struct tsr_sink {
  size_t size; /**< sizeof(tsr_sink) */
  tsr_status (*write)(void *self, const void *bytes, size_t n);
  void *self;
} tsr_sink;

/** How tensors print; 0 is the default of each. */
typedef struct tsr_print_options {
  const char *name;     /**< with it, a line "name: f32 [2,3]" comes first */
  int precision;        /**< digits after the point at the most; 0: 8; -1: none */
  int line_width;       /**< characters of a line; 0: 75 */
  tsr_index threshold;  /**< more elements than this are summarised; 0: 1000 */
  tsr_index edge_items; /**< shown at each end of a summarised axis; 0: 3 */
  tsr_index head;       /**< not 0: the description, then this many elements in row-major order, then how many more */
  char separator;       /**< between the elements of a row, before its space; 0: none */
  bool suppress;        /**< never the exponent form for floats */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_print_options;

/** Writes a tensor to a sink as NumPy's str() does: nested brackets, aligned, wrapped, long axes summarised. options may be
 *  NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_print_to(tsr_ctx *ctx, const tsr_tensor *t, const tsr_print_options *options,
                                             const tsr_sink *sink);

/** Writes the same to text, cut to capacity bytes with a closing zero; *needed (may be NULL) is the bytes of the whole
 *  text without it. */
TSR_API TSR_MUST_USE tsr_status tsr_print_text(tsr_ctx *ctx, const tsr_tensor *t, const tsr_print_options *options,
                                               char *text, size_t capacity, size_t *needed);

#ifdef __cplusplus
}
#endif

#endif
