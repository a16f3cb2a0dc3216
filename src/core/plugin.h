/* What a plug-in tells the library: devices of a kind that it can open. */
#ifndef TSR_CORE_PLUGIN_H
#define TSR_CORE_PLUGIN_H

#include "core/device.h"

typedef struct tsr__plugin {
  size_t size;         /* sizeof(tsr__plugin) */
  const char *version; /* TSR_VERSION_STRING and TSR_ABI_TAG of its build: works and attributes are private structs */
  const char *tag;
  /* How many devices there are; 0 with a message in ctx that says why. */
  int (*count)(tsr_ctx *ctx);
  /* Opens one, the same pointer each time. Any thread; the library holds a lock. */
  tsr_status (*open)(tsr_ctx *ctx, int index, const tsr_device **device);
  /* The same of a device that prepares calls for a compute capability, 90 of 9.0, and computes nothing. */
  tsr_status (*open_ahead)(tsr_ctx *ctx, int capability, const tsr_device **device);
} tsr__plugin;

/* The one symbol of a plug-in. */
#define TSR__PLUGIN_SYMBOL "tsr_plugin"
typedef const tsr__plugin *tsr__plugin_fn(void);

#endif
