/* tsr_searchsorted. Many needles: the sorted elements become keys once, and needles are searched for side by side. Few:
 * elements become keys where they are looked at. */
#include "cpu/iterate.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"
#include "ops/sort/keys.h"
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"

#include <string.h>

#define TEMPLATE "ops/search/search.tmpl.h"
#include "ops/sort/each_key.h"

/* Needles at a time, on the stack; what is worth a thread. */
enum { BLOCK = TSR_HAVE_MALLOC ? 128 : 8, GRAIN = 1024 };

typedef struct searching {
  tsr__keys keys;
  bool right;
  tsr_index n;
  const char *sorted; /* elements, step bytes apart; or contiguous keys */
  ptrdiff_t step;
  const int64_t *sorter; /* NULL: none */
  bool contiguous;       /* sorted is keys */
} searching;

static uint64_t key_at(const searching *s, tsr_index i) {
  const ptrdiff_t at = s->sorter != NULL ? (ptrdiff_t)s->sorter[i] : (ptrdiff_t)i;
  return tsr__key_of(&s->keys, s->sorted + at * s->step);
}

static tsr_index search_elements(const searching *s, uint64_t needle) {
  tsr_index low = 0, high = s->n;
  while (low < high) {
    const tsr_index middle = low + (high - low) / 2;
    const uint64_t key = key_at(s, middle);
    if (s->right ? key <= needle : key < needle)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void search_block(const searching *s, tsr_index count, const void *needles, tsr_index *found) {
  if (!s->contiguous) {
    for (tsr_index i = 0; i < count; i++) found[i] = search_elements(s, tsr__key_at(s->keys.bytes, needles, i));
    return;
  }
  switch (s->keys.bytes) {
    case 1: search_u8(s->n, s->sorted, count, needles, s->right, found); return;
    case 2: search_u16(s->n, s->sorted, count, needles, s->right, found); return;
    case 4: search_u32(s->n, s->sorted, count, needles, s->right, found); return;
    default: search_u64(s->n, s->sorted, count, needles, s->right, found);
  }
}

/* at[0] is the output, at[1] the needles. */
static void search_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const searching *const s = args->param;
  uint64_t needles[BLOCK];
  tsr_index found[BLOCK];
  for (tsr_index i = 0; i < n; i += BLOCK) {
    const tsr_index count = n - i < BLOCK ? n - i : BLOCK;
    (void)tsr__keys_fetch(&s->keys, count, at[1] + (ptrdiff_t)i * step[1], step[1], needles);
    search_block(s, count, needles, found);
    for (tsr_index k = 0; k < count; k++) memcpy(at[0] + (ptrdiff_t)(i + k) * step[0], &found[k], sizeof found[k]);
  }
}

/* ---- what is searched ---- */

static tsr_status check_sorter(const tsr__call *call, const tsr_tensor *sorted, const tsr_tensor *sorter) {
  const int kind = tsr_dtype_describe(sorter->dtype)->class_;
  if ((kind != TSR_CLASS_INT && kind != TSR_CLASS_UINT) || !tsr_dtype_supported(sorter->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "sorter", "is %t; indices are integers", sorter);
  if (sorter->ndim != 1 || sorter->shape[0] != sorted->shape[0])
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "sorter", "is %t and sorted is %t: one index for each is needed",
                     sorter, sorted);
  return TSR_OK;
}

static tsr_status check_search(const tsr__call *call) {
  const tsr_tensor *const sorted = call->in[0], *const values = call->in[1], *const sorter = call->in[2];
  tsr_status st = tsr__check_real(call, 0);
  if (st == TSR_OK) st = tsr__check_real(call, 1);
  if (st != TSR_OK) return st;
  if (sorted->ndim != 1) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "sorted", "is %t; it has one axis", sorted);
  if (sorted->dtype != values->dtype)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "values", "is %t and sorted is %t: the dtypes differ", values,
                     sorted);
  return sorter != NULL ? check_sorter(call, sorted, sorter) : TSR_OK;
}

/* Every index of the copied sorter must be in range. */
static tsr_status read_sorter(const tsr__call *call, const tsr_tensor *copy, searching *s) {
  tsr__copy_no_alias(call->ctx, call->in[2], copy);
  s->sorter = copy->data;
  for (tsr_index i = 0; i < s->n; i++)
    if (s->sorter[i] < 0 || s->sorter[i] >= s->n)
      return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "sorter",
                       "number %l is %l: out of range for sorted of length %l", (int64_t)i, s->sorter[i],
                       (int64_t)s->n);
  return TSR_OK;
}

/* Worth it when the needles look at a good part of the elements. */
static bool worth_keys(tsr_index n, tsr_index needles) { return n > 0 && needles >= 8 && needles >= n / 32; }

static void make_keys(searching *s, char *keys) {
  const size_t item = (size_t)s->keys.bytes;
  if (s->sorter == NULL) {
    (void)tsr__keys_fetch(&s->keys, s->n, s->sorted, s->step, keys);
  } else {
    for (tsr_index i = 0; i < s->n; i++)
      memcpy(keys + (size_t)i * item, s->sorted + (ptrdiff_t)s->sorter[i] * s->step, item);
    (void)tsr__keys_fetch(&s->keys, s->n, keys, s->keys.bytes, keys);
  }
  s->sorted = keys;
  s->sorter = NULL;
  s->contiguous = true;
}

/* ---- the call ---- */

static void search_all(const tsr__call *call, searching *s, tsr__target *target) {
  if (target->bytes > 0) {
    const tsr_tensor *const operands[2] = {&target->view, call->in[1]};
    tsr__loop loop;
    tsr__loop_init(&loop, 2, operands);
    tsr__loop_run_parallel(call->ctx, &loop, GRAIN, search_row, s);
  }
  tsr__target_end(call->ctx, call->out[0], target);
}

static tsr_status searchsorted(tsr__call *call) {
  const tsr__searchsorted_attrs *const attrs = call->attrs;
  const tsr_tensor *const sorted = call->in[0], *const values = call->in[1];
  tsr__target target;
  tsr_tensor order;
  void *keys = NULL;
  tsr_status st = check_search(call);
  if (st != TSR_OK) return st;
  const tsr__result result = {TSR__INDEX_DTYPE, values->layout, values->ndim, values->shape, values};
  searching s = {.keys = tsr__keys_of(call->ctx, sorted->dtype, false),
                 .right = attrs->right,
                 .n = sorted->shape[0],
                 .sorted = sorted->data};
  const bool by_sorter = call->in[2] != NULL && s.n > 0, by_keys = worth_keys(s.n, tsr_size(values));
  s.step = (ptrdiff_t)sorted->stride[0] * s.keys.bytes;
  if (by_sorter) st = tsr__call_copy_as(call, call->in[2], TSR_I64, &order);
  if (st == TSR_OK && by_keys) st = tsr__call_scratch(call, (size_t)s.n * (size_t)s.keys.bytes, &keys);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st == TSR_OK && by_sorter) st = read_sorter(call, &order, &s);
  if (st != TSR_OK) return st;
  if (by_keys) make_keys(&s, keys);
  search_all(call, &s, &target);
  return TSR_OK;
}

TSR__OP(searchsorted, searchsorted, 0)
tsr_status tsr_searchsorted(tsr_ctx *ctx, const tsr_tensor *sorted, const tsr_tensor *values, bool right,
                            const tsr_tensor *sorter, tsr_tensor *out) {
  return TSR__CALL(searchsorted, ctx, TSR__INPUTS(sorted, values, sorter), TSR__OUTPUTS(out), .right = right);
}
