#include "io/call/outputs.h"

tsr_status tsr__outputs_check(tsr_ctx *ctx, const char *op, const tsr_bundle *out, const tsr_metadata *metadata) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out->count > 0)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds %l tensors: release them first", (int64_t)out->count);
  if (metadata != NULL && metadata->count > 0)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "metadata", "is not empty: release it first");
  return TSR_OK;
}

tsr__made tsr__made_start(const tsr_bundle *out, const tsr_metadata *metadata) {
  return (tsr__made){.bundle = {.allocator = out->allocator},
                     .pairs = {.allocator = metadata != NULL ? metadata->allocator : NULL}};
}

tsr_status tsr__made_end(tsr__made *made, tsr_status st, tsr_bundle *out, tsr_metadata *metadata) {
  if (st != TSR_OK) {
    tsr_metadata_release(&made->pairs);
    tsr_bundle_release(&made->bundle);
    return st;
  }
  if (made->bundle.count > 0) {
    tsr_bundle_release(out); /* a bundle that was emptied has room that is not needed now */
    *out = made->bundle;
  }
  if (made->pairs.count > 0) {
    tsr_metadata_release(metadata);
    *metadata = made->pairs;
  }
  return TSR_OK;
}
