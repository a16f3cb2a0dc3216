/* Failing: refuses one allocation, or all from one on, so that a test can walk through every failure of a function. */
#include <tessera/memory.h>

static bool refuses(const tsr_failing *failing, size_t call) {
  return failing->sticky ? call >= failing->fail_at && failing->fail_at != SIZE_MAX : call == failing->fail_at;
}

static void *failing_alloc(void *self, size_t bytes, size_t align, int hint) {
  tsr_failing *const failing = self;
  if (refuses(failing, failing->calls++)) return NULL;
  void *const block = failing->upstream->alloc(failing->upstream->self, bytes, align, hint);
  if (block != NULL) failing->live++;
  return block;
}

static void failing_free(void *self, void *ptr, size_t bytes) {
  tsr_failing *const failing = self;
  if (ptr == NULL) return;
  failing->live--;
  failing->upstream->free(failing->upstream->self, ptr, bytes);
}

tsr_status tsr_failing_init(const tsr_allocator *upstream, size_t fail_at, bool sticky, tsr_failing *failing) {
  if (failing == NULL) return TSR_EARG;
  *failing = (tsr_failing){.allocator = {sizeof(tsr_allocator), failing_alloc, failing_free, failing},
                           .upstream = upstream != NULL ? upstream : tsr_allocator_system(),
                           .fail_at = fail_at,
                           .sticky = sticky};
  return TSR_OK;
}
