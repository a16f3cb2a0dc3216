/* Arrays that grow. */
#include "plot/array.h"

#if TSR_HAVE_PLOT

#include <string.h>

#include "core/check.h"

static bool grow(const tsr__plot_memory *memory, tsr__plot_array *array, size_t item, size_t n) {
  enum { LEAST = 16 };
  size_t needed, bytes, capacity;
  if (!tsr__add_size(array->count, n, &needed)) return false;
  if (needed <= array->capacity && array->data != NULL) return true; /* none is an address too */
  if (!tsr__add_size(array->capacity, array->capacity / 2 + LEAST, &capacity)) return false;
  if (capacity < needed) capacity = needed;
  if (!tsr__mul_size(capacity, item, &bytes)) return false;
  void *const data = memory->allocator->alloc(memory->allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (data == NULL) return false;
  if (array->count > 0) memcpy(data, array->data, array->count * item);
  if (array->data != NULL) memory->allocator->free(memory->allocator->self, array->data, array->capacity * item);
  array->data = data;
  array->capacity = capacity;
  return true;
}

void *tsr__plot_push(tsr__plot_memory *memory, tsr__plot_array *array, size_t item, size_t n) {
  if (memory->failed || !grow(memory, array, item, n)) {
    memory->failed = true;
    return NULL;
  }
  char *const at = (char *)array->data + array->count * item;
  memset(at, 0, n * item);
  array->count += n;
  return at;
}

void tsr__plot_array_release(const tsr__plot_memory *memory, tsr__plot_array *array, size_t item) {
  if (array->data != NULL) memory->allocator->free(memory->allocator->self, array->data, array->capacity * item);
  *array = (tsr__plot_array){0};
}

#endif
