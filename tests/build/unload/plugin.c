/* A plugin that the static library is linked into; it exports one function of its own. */
#include <tessera/tessera.h>

__attribute__((visibility("default"))) const tsr_parallel *the_pool(void);
const tsr_parallel *the_pool(void) { return tsr_parallel_default(); }
