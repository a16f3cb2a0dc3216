/** @file metadata.h
 *  What a file says about itself beside its tensors: strings by key. */
#ifndef TESSERA_METADATA_H
#define TESSERA_METADATA_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One key and its value: UTF-8, closed by a zero. */
typedef struct tsr_metadata_pair {
  const char *key;
  const char *value;
} tsr_metadata_pair;

/** Keys with their values, in order, each key once. `{0}` is an empty one; owns its strings. A key is found in as many
 *  steps as it has bits at the most, whatever the others are. */
typedef struct tsr_metadata {
  tsr_metadata_pair *pairs; /**< count of them; read only */
  tsr_index count;
  tsr_index capacity;
  const tsr_allocator *allocator; /**< NULL until the first pair comes: that of its context */
} tsr_metadata;

/** Keeps copies of key and value; the value of a key that is there is replaced. */
TSR_API TSR_MUST_USE tsr_status tsr_metadata_set(tsr_ctx *ctx, tsr_metadata *metadata, const char *key,
                                                 const char *value);

/** The value of key; NULL when there is none. */
TSR_API const char *tsr_metadata_find(const tsr_metadata *metadata, const char *key);

/** Releases every string and leaves it empty. */
TSR_API void tsr_metadata_release(tsr_metadata *metadata);

#ifdef __cplusplus
}
#endif

#endif
