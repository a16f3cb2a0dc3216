/** @file embedding.h
 *  Embedding lookup: rows of a table, picked by number.
 *
 *  Elements are moved, not computed: any dtype, any strides, the same bits everywhere (class A). An output that
 *  overlaps an input works as if that had been copied first, in temporary memory; else none is needed. */
#ifndef TESSERA_EMBEDDING_H
#define TESSERA_EMBEDDING_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** No number stands for padding. */
#define TSR_NO_PADDING (-1)

/** out[..., :] = table[index[...], :] for table [V,D] and index of any shape and integer dtype: out has the axes of
 *  index, then D, and the table's dtype. Rows of the number padding are zeros, whatever the table holds there;
 *  TSR_NO_PADDING, or any negative number: there are none.
 *
 *  A number that is not in 0 … V-1 is refused with TSR_EINDEX, and the message names the first and where it stands;
 *  none counts from the end. padding beyond the table: TSR_EARG. A table of another rank, or an index of a rank that
 *  leaves no axis for D: TSR_ESHAPE. An index that is no integer: TSR_EDTYPE. */
TSR_API TSR_MUST_USE tsr_status tsr_embedding(tsr_ctx *ctx, const tsr_tensor *table, const tsr_tensor *index,
                                              int64_t padding, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
