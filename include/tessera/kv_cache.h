/** @file kv_cache.h
 *  Appending to the cache of keys or of values that a decoder keeps.
 *
 *  The cache is the caller's: one tensor for the keys and one for the values, as long as the longest sequence. The part
 *  that is filled is a view, `tsr_narrow(ctx, &cache, -2, 0, position + T, &keys)`, which tsr_attention reads as it is;
 *  causal attention of the last T of S rows has the offset S - T. */
#ifndef TESSERA_KV_CACHE_H
#define TESSERA_KV_CACHE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rows into the cache from position on: cache[..., position + t, :] = rows[..., t, :] for rows [B,H,T,D] and cache
 *  [B,H,S,D], or [H,T,D] and [H,S,D], or [T,D] and [S,D]; everything else in the cache stays. One dtype, any, and any
 *  strides. Nothing is allocated.
 *
 *  position + T beyond S, or position below 0: TSR_EINDEX. Another dtype: TSR_EDTYPE; other axes than the last but one
 *  that differ, or another rank: TSR_ESHAPE. An empty cache: TSR_ESTATE; one that is read-only: TSR_EREADONLY; one
 *  that overlaps rows: TSR_EOVERLAP. */
TSR_API TSR_MUST_USE tsr_status tsr_kv_append(tsr_ctx *ctx, const tsr_tensor *rows, tsr_index position,
                                              tsr_tensor *cache);

#ifdef __cplusplus
}
#endif

#endif
