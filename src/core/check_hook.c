/* The checked build's last word: the one place in the library that may write to stderr and stop the program. */
#include "core/check.h"

#include <tessera/elements.h>

#if TSR_HAVE_STDIO
#include <stdio.h>
#endif

static void report_and_trap(const char *file, int line, const char *text) {
#if TSR_HAVE_STDIO
  fprintf(stderr, "%s:%d: %s\n", file, line, text);
#else
  (void)file;
  (void)line;
  (void)text;
#endif
  __builtin_trap();
}

static tsr_check_hook_fn *current_hook = report_and_trap;

tsr_check_hook_fn *tsr_check_hook(tsr_check_hook_fn *hook) {
  tsr_check_hook_fn *const former = current_hook;
  current_hook = hook != NULL ? hook : report_and_trap;
  return former;
}

void tsr__violation(const char *file, int line, const char *text) { current_hook(file, line, text); }

static const char *find_violation(const tsr_tensor *t, size_t item, bool is_float, bool is_row, int n,
                                  const tsr_index *index) {
  const tsr_dtype_info *const info = tsr_dtype_describe(t->dtype);
  if (info == NULL || t->data == NULL) return "the tensor has no data";
  if (info->bytes != item) return "the C type has another size than the dtype";
  const bool has_c_float = t->dtype == TSR_F32 || t->dtype == TSR_F64;
  if (is_float != has_c_float && info->class_ != TSR_CLASS_COMPLEX)
    return "the C type is of another kind than the dtype";
  if (n != t->ndim - (is_row ? 1 : 0)) return "the number of indices is not the rank";
  for (int i = 0; i < n; i++)
    if (index[i] < 0 || index[i] >= t->shape[i]) return "an index is out of range";
  if (is_row && t->shape[n] > 1 && t->stride[n] != 1) return "the row does not have stride 1";
  return NULL;
}

void *tsr__checked_at(const char *file, int line, size_t item, bool is_float, bool is_row, int n, const tsr_tensor *t,
                      const tsr_index *index) {
  const char *const violation = find_violation(t, item, is_float, is_row, n, index);
  if (violation != NULL) current_hook(file, line, violation);
  char *at = t->data;
  for (int i = 0; i < n && i < TSR_MAX_DIMS; i++) at += (ptrdiff_t)(index[i] * t->stride[i]) * (ptrdiff_t)item;
  return at;
}
