/* Works: calls that somebody else does, later or elsewhere. */
#include "core/call.h"
#include "core/device.h"
#include "core/storage.h"

#include <string.h>

tsr_status tsr_work_run(tsr_ctx *ctx, const tsr_work *work, const tsr_tensor *const *in, tsr_tensor *const *out) {
  static const char op[] = "work_run";
  if (work == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "work", "is NULL");
  if (in == NULL && work->inputs > 0) return TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
  if (out == NULL && work->outputs > 0) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return tsr__call_run(&(tsr__call){.ctx = ctx,
                                    .info = work->info,
                                    .op = work->op,
                                    .attrs = work->attrs,
                                    .in = in,
                                    .inputs = work->inputs,
                                    .out = out,
                                    .outputs = work->outputs});
}

#if TSR_HAVE_OPS

tsr_status tsr__work_ask(tsr_ctx *ctx, const tsr_work *work, tsr__listener *listener) {
  tsr__call call = {.ctx = ctx,
                    .info = work->info,
                    .op = work->op,
                    .attrs = work->attrs,
                    .in = work->in,
                    .inputs = work->inputs,
                    .out = work->out,
                    .outputs = work->outputs,
                    .device = &tsr__dry, /* no fast path: those do what they find */
                    .listener = listener};
  const tsr_status st = call.info->run(&call);
  return st == TSR__STOP ? TSR_OK : st;
}

/* A copy in one block: this, the attributes and what they point to, the tensors, the pointers to them. */
typedef struct work_copy {
  tsr_work work;
  const tsr_allocator *allocator;
  size_t bytes;
} work_copy;

typedef struct number {
  _Alignas(16) char bytes[16];
} number;

/* ---- attributes ---- */

/* A way through the pointers of some attributes: where they are, and the struct that was followed last. */
typedef struct pointer_walk {
  const char *attrs, *inside;
  const void *before; /* the pointer before */
} pointer_walk;

/* What the pointer points to, NULL: nothing that counts; and how many bytes. */
static const void *follow(pointer_walk *walk, const tsr__attr_pointer *p, size_t *bytes) {
  const char *const in = p->inside != 0 ? walk->inside : walk->attrs;
  const void *from = NULL;
  tsr_index many = 1;
  int count = 1;
  *bytes = 0;
  if (in != NULL && !(p->inside == TSR__ATTR_INSIDE_WITH && walk->before == NULL))
    memcpy(&from, in + p->at, sizeof from);
  walk->before = from;
  if (p->inside == 0) walk->inside = from;
  if (from == NULL) return NULL;
  if (p->inside != 0)
    memcpy(&many, in + p->count, sizeof many);
  else if (p->count != TSR__ATTR_ONE)
    memcpy(&count, in + p->count, sizeof count);
  if (p->inside == 0) many = count;
  *bytes = p->item == TSR__ATTR_TEXT ? strlen(from) + 1 : many > 0 ? (size_t)many * p->item : 0;
  return from;
}

static size_t attrs_bytes(const tsr__op_info *info, const char *attrs) {
  const tsr__attr_pointer *p = info->pointers();
  pointer_walk walk = {.attrs = attrs};
  size_t all = 0;
  for (; p->count != TSR__ATTR_END; p++) {
    size_t bytes;
    (void)follow(&walk, p, &bytes);
    all += tsr__align_up(bytes, 16);
  }
  return tsr__align_up(p->at, 16) + all;
}

/* Writes them, and returns the byte behind. */
static char *copy_attrs(const tsr__op_info *info, const char *attrs, char *to) {
  const tsr__attr_pointer *p = info->pointers(), *last = p;
  while (last->count != TSR__ATTR_END) last++;
  pointer_walk walk = {.attrs = attrs};
  char *next = to + tsr__align_up(last->at, 16), *inside = NULL;
  memcpy(to, attrs, last->at);
  for (; p != last; p++) {
    size_t bytes;
    const void *const from = follow(&walk, p, &bytes);
    char *const in = p->inside != 0 ? inside : to, *const copy = from != NULL ? next : NULL;
    if (p->inside == 0) inside = copy;
    if (in != NULL) memcpy(in + p->at, &copy, sizeof copy);
    if (bytes > 0) memcpy(next, from, bytes);
    next += tsr__align_up(bytes, 16);
  }
  return next;
}

/* ---- tensors ---- */

/* A handle of its own. A number of rank 0 in the caller's memory travels by value where room is not NULL. */
static tsr_tensor *copy_tensor(const tsr_tensor *from, tsr_tensor *to, number *room) {
  if (from == NULL) return NULL;
  *to = *from;
  to->flags &= (uint8_t)~TSR_OWNS;
  to->name = NULL;
  if (from->storage != NULL) {
    (void)tsr_storage_share(from->storage);
    to->flags |= TSR_OWNS;
  } else if (room != NULL && from->ndim == 0 && from->data != NULL) {
    memcpy(room->bytes, from->data, (size_t)tsr__item(from));
    to->data = room->bytes;
  }
  return to;
}

static void copy_operands(const tsr_work *work, char *at, tsr_work *copy) {
  const size_t n = (size_t)work->inputs, m = (size_t)work->outputs;
  number *const room = (number *)(void *)at;
  tsr_tensor *const tensor = (tsr_tensor *)(void *)(room + n);
  const tsr_tensor **const in = (const tsr_tensor **)(void *)(tensor + n + m);
  tsr_tensor **const out = (tsr_tensor **)(void *)(in + n);
  for (size_t i = 0; i < n; i++) in[i] = copy_tensor(work->in[i], &tensor[i], &room[i]);
  for (size_t i = 0; i < m; i++) out[i] = copy_tensor(work->out[i], &tensor[n + i], NULL);
  copy->in = in;
  copy->out = out;
}

tsr_status tsr_work_copy(tsr_ctx *ctx, const tsr_work *work, tsr_work **out) {
  static const char op[] = "work_copy";
  if (work == NULL || out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, work == NULL ? "work" : "copy", "is NULL");
  const tsr_allocator *const allocator = tsr__allocator(ctx);
  const size_t operands = (size_t)work->inputs + (size_t)work->outputs, head = tsr__align_up(sizeof(work_copy), 16);
  const size_t bytes =
      head + attrs_bytes(work->info, work->attrs) + operands * (sizeof(number) + sizeof(tsr_tensor) + sizeof(void *));
  char *const block = allocator->alloc(allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (block == NULL) return tsr__no_memory(ctx, op, bytes);
  work_copy *const copy = (work_copy *)(void *)block;
  *copy = (work_copy){*work, allocator, bytes};
  copy->work.ctx = NULL; /* which may end before it */
  copy->work.queue = NULL;
  copy->work.attrs = block + head;
  copy_operands(work, copy_attrs(work->info, work->attrs, block + head), &copy->work);
  *out = &copy->work;
  return TSR_OK;
}

static void release_operand(const tsr_tensor *t) {
  if (t != NULL && (t->flags & TSR_OWNS) != 0) tsr_storage_release(t->storage);
}

void tsr_work_free(tsr_work *work) {
  if (work == NULL) return;
  work_copy *const copy = (work_copy *)(void *)work;
  for (int i = 0; i < work->inputs; i++) release_operand(work->in[i]);
  for (int i = 0; i < work->outputs; i++) release_operand(work->out[i]);
  copy->allocator->free(copy->allocator->self, copy, copy->bytes);
}

#endif
