/* A plug-in as an older build of the library would have left it. */
#include "core/plugin.h"

static int none(tsr_ctx *ctx) {
  (void)ctx;
  return 0;
}

static tsr_status never(tsr_ctx *ctx, int index, const tsr_device **device) {
  (void)ctx, (void)index, (void)device;
  return TSR_EDEVICE;
}

TSR_API const tsr__plugin *tsr_plugin(void);
const tsr__plugin *tsr_plugin(void) {
  static const tsr__plugin plugin = {sizeof plugin, "0.0.1", TSR_ABI_TAG, none, never, never};
  return &plugin;
}
