/* Recording: a device that keeps what it is to compute. */
#include "core/storage.h"
#include "core/tensor.h"
#include "program/program.h"

#include <string.h>
#include <tessera/ops.h>

#if TSR_HAVE_OPS

/* ---- lists ---- */

enum { FIRST_CAPACITY = 16 };

static void *list_add(tsr_program *p, tsr__list *list, size_t item) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY, bytes = capacity * item;
    void *const items = p->allocator->alloc(p->allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
    if (items == NULL) return NULL;
    if (list->count > 0) memcpy(items, list->items, list->count * item);
    if (list->items != NULL) p->allocator->free(p->allocator->self, list->items, list->bytes);
    *list = (tsr__list){items, list->count, capacity, bytes};
  }
  char *const at = (char *)list->items + item * list->count++;
  memset(at, 0, item);
  return at;
}

static void list_free(const tsr_program *p, tsr__list *list) {
  if (list->items != NULL) p->allocator->free(p->allocator->self, list->items, list->bytes);
  *list = (tsr__list){0};
}

/* ---- values ---- */

/* Addresses of values: above these, so that views may begin before their first element. */
#define LOWEST ((uintptr_t)1 << 24)

static tsr_status record_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  tsr_program *const p = self;
  uintptr_t next = LOWEST;
  (void)hint;
  if (p->values.count > 0) {
    const tsr__value *const last = tsr__program_value(p, p->values.count - 1);
    next = last->address + last->bytes;
  }
  if (bytes > SIZE_MAX / 2 - align || next > SIZE_MAX / 2 - align - bytes || p->values.count >= INT32_MAX)
    return TSR_ENOMEM;
  tsr__value *const value = list_add(p, &p->values, sizeof *value);
  if (value == NULL) return TSR_ENOMEM;
  value->address = tsr__align_up(next, align) + align;
  value->bytes = bytes;
  value->first = value->last = -1;
  *ptr = (void *)value->address;
  return TSR_OK;
}

static void record_free(void *self, void *ptr, size_t bytes) { (void)self, (void)ptr, (void)bytes; }

tsr__operand_ref tsr__program_find(const tsr_program *p, const tsr_tensor *t) {
  size_t low = 0, high = p->values.count;
  if (t->storage == NULL || t->storage->device != &p->device) return (tsr__operand_ref){-1, 0};
  const uintptr_t at = (uintptr_t)t->storage->data; /* a view may begin anywhere, its storage where the value does */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (tsr__program_value(p, middle)->address <= at)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return (tsr__operand_ref){-1, 0};
  return (tsr__operand_ref){(int32_t)(low - 1), (size_t)((uintptr_t)t->data - tsr__program_value(p, low - 1)->address)};
}

/* ---- the device ---- */

static tsr_status record_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  (void)self, (void)dst, (void)src, (void)bytes, (void)direction;
  return TSR_EDEVICE; /* its values are not there yet */
}

static tsr_status record_fill(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count) {
  (void)self, (void)dst, (void)pattern, (void)pattern_bytes, (void)count;
  return TSR_EDEVICE;
}

static tsr_status record_sync(void *self) {
  (void)self;
  return TSR_OK;
}

static tsr_status record_run(void *self, const tsr_work *work, void *prepared) {
  tsr_program *const p = self;
  (void)prepared;
  if (work == NULL) return TSR_OK;
  if (p->state != TSR__PROGRAM_RECORDING) return TSR_ESTATE;
  tsr_ctx plain = {.allocator = p->allocator};
  tsr_work *copy;
  tsr_status st = tsr_work_copy(&plain, work, &copy);
  if (st != TSR_OK) return st;
  tsr__node *const node = list_add(p, &p->nodes, sizeof *node);
  if (node == NULL) {
    tsr_work_free(copy);
    return TSR_ENOMEM;
  }
  node->work = copy;
  return TSR_OK;
}

/* What is recorded for a device, that device has to have. */
static bool record_has(void *self, const char *op) {
  const tsr_program *const p = self;
  return p->home == NULL || tsr__device_computes(p->home, op);
}

/* ---- making and ending ---- */

tsr_status tsr_program_new(tsr_ctx *ctx, tsr_program **program) {
  static const char op[] = "program_new";
  if (program == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "program", "is NULL");
  const tsr_allocator *const allocator = tsr__allocator(ctx);
  tsr_program *const p = allocator->alloc(allocator->self, sizeof *p, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (p == NULL) return tsr__no_memory(ctx, op, sizeof *p);
  *p = (tsr_program){.allocator = allocator};
  p->device = (tsr_device){.size = sizeof p->device,
                           .name = "program",
                           .alloc = record_alloc,
                           .free = record_free,
                           .copy = record_copy,
                           .fill = record_fill,
                           .sync = record_sync,
                           .self = p,
                           .run = record_run,
                           .takes_host = true,
                           .defers = true,
                           .has = record_has};
  *program = p;
  return TSR_OK;
}

static void free_ports(const tsr_program *p, tsr__list *ports) {
  for (size_t i = 0; i < ports->count; i++) {
    char *const name = ((tsr__port *)ports->items + i)->name;
    p->allocator->free(p->allocator->self, name, strlen(name) + 1);
  }
  list_free(p, ports);
}

void tsr__program_forget(tsr_program *p) {
  if (p->block != NULL) p->allocator->free(p->allocator->self, p->block, p->block_bytes);
  p->block = NULL;
}

void tsr_program_free(tsr_program *p) {
  if (p == NULL) return;
  for (size_t i = 0; i < p->nodes.count; i++) tsr_work_free(tsr__program_node(p, i)->work);
  list_free(p, &p->nodes);
  list_free(p, &p->values);
  free_ports(p, &p->inputs);
  free_ports(p, &p->outputs);
  tsr__program_end_home(p);
  if (p->home == NULL && p->memory != NULL) p->allocator->free(p->allocator->self, p->memory, p->plan.planned);
  tsr__program_forget(p);
  p->allocator->free(p->allocator->self, p, sizeof *p);
}

static tsr_status check_recording(tsr_ctx *ctx, const char *op, const tsr_program *p) {
  if (p == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "program", "is NULL");
  if (ctx == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "ctx", "is NULL: the default context does not record");
  if (p->state == TSR__PROGRAM_RECORDING && ctx->device == &p->device) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTATE, op, "program", "is not being recorded with this context");
}

tsr_status tsr_program_begin(tsr_ctx *ctx, tsr_program *p) {
  static const char op[] = "program_begin";
  if (p == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "program", "is NULL");
  if (ctx == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "ctx", "is NULL: the default context does not record");
  if (p->state != TSR__PROGRAM_NEW) return TSR__FAIL(ctx, TSR_ESTATE, op, "program", "has been recorded already");
  const tsr_device *const home = ctx->device;
  if (home != NULL && (!tsr__device_runs(home) || tsr__device_defers(home)))
    return TSR__FAIL(ctx, TSR_ESTATE, op, "ctx", "has the device %s", home->name);
  p->home = home;
  if (home != NULL) p->device.name = home->name; /* what messages call it */
  p->device.takes = home;
  p->device.takes_host = home == NULL;
  p->state = TSR__PROGRAM_RECORDING;
  return tsr_context_set_device(ctx, &p->device);
}

/* ---- inputs and outputs ---- */

static tsr__port *add_port(tsr_program *p, tsr__list *ports, const char *name) {
  const size_t bytes = strlen(name) + 1;
  char *const copy = p->allocator->alloc(p->allocator->self, bytes, 1, TSR_HINT_DEFAULT);
  tsr__port *const port = copy != NULL ? list_add(p, ports, sizeof *port) : NULL;
  if (port == NULL && copy != NULL) p->allocator->free(p->allocator->self, copy, bytes);
  if (port == NULL) return NULL;
  memcpy(copy, name, bytes);
  port->name = copy;
  return port;
}

/* dtype, shape, strides and layout alone. */
static tsr_tensor described(const tsr_tensor *t) {
  tsr_tensor d = *t;
  d.flags = 0;
  d.data = NULL;
  d.storage = NULL;
  d.name = NULL;
  return d;
}

/* The port of an input whose value has been made; it goes to *value, or back. */
static tsr_status add_input(tsr_ctx *ctx, tsr_program *p, const char *name, tsr_tensor *made, tsr_tensor *value) {
  tsr__port *const port = add_port(p, &p->inputs, name);
  if (port == NULL) {
    tsr_release(made);
    return tsr__no_memory(ctx, "program_input", sizeof *port);
  }
  port->description = described(made);
  port->value = made->storage != NULL ? tsr__program_find(p, made).value : -1;
  *value = *made;
  return TSR_OK;
}

tsr_status tsr_program_input(tsr_ctx *ctx, tsr_program *p, const char *name, const tsr_tensor *description,
                             tsr_tensor *value) {
  static const char op[] = "program_input";
  tsr_status st = check_recording(ctx, op, p);
  if (st != TSR_OK) return st;
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (value == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "value", "is NULL");
  if (description == NULL || tsr_is_none(description))
    return TSR__FAIL(ctx, TSR_EARG, op, "description", "is %s", description == NULL ? "NULL" : "empty");
  tsr_tensor made = described(description);
  st = tsr_allocate(ctx, &p->device, TSR_HINT_DEFAULT, &made);
  return st == TSR_OK ? add_input(ctx, p, name, &made, value) : tsr__fail_as(ctx, st, op);
}

/* Memory for a tensor as it lies, gaps and all. */
static tsr_status allocate_strided(tsr_ctx *ctx, const char *op, tsr_program *p, const tsr_tensor *like,
                                   tsr_tensor *made) {
  tsr__extent extent;
  if (!tsr__extent_of(like->dtype, like->ndim, like->shape, like->stride, &extent))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "tensor", "%t: its strides leave the address space", like);
  tsr_tensor bytes = {.dtype = TSR_U8, .ndim = 1, .shape = {(tsr_index)(extent.high - extent.low)}, .stride = {1}};
  const tsr_status st = tsr__allocate(ctx, op, &p->device, TSR_HINT_DEFAULT, &bytes);
  if (st != TSR_OK) return st;
  *made = described(like);
  made->flags = bytes.flags;
  made->storage = bytes.storage;
  made->data = (void *)((uintptr_t)bytes.data - (uintptr_t)extent.low);
  return TSR_OK;
}

tsr_status tsr__program_input_as(tsr_ctx *ctx, tsr_program *p, const char *name, const tsr_tensor *tensor,
                                 tsr_tensor *value) {
  static const char op[] = "program_input";
  tsr_tensor made = TSR_EMPTY;
  if (tsr_size(tensor) == 0 || tsr_is_contiguous(tensor, TSR_MEMORY))
    return tsr_program_input(ctx, p, name, tensor, value);
  tsr_status st = check_recording(ctx, op, p);
  if (st == TSR_OK) st = allocate_strided(ctx, op, p, tensor, &made);
  return st == TSR_OK ? add_input(ctx, p, name, &made, value) : st;
}

/* Whether t is all of a value, as runs can write it to an output: no input's, and no other output's. */
static bool is_whole_value(const tsr_program *p, const tsr_tensor *t) {
  const tsr__operand_ref ref = tsr__program_find(p, t);
  if (ref.value < 0 || !tsr_is_contiguous(t, TSR_MEMORY)) return false;
  if (tsr_nbytes(t) != tsr__program_value(p, (size_t)ref.value)->bytes) return false;
  for (size_t i = 0; i < p->inputs.count; i++)
    if (tsr__program_input(p, i)->value == ref.value) return false;
  for (size_t i = 0; i < p->outputs.count; i++)
    if (tsr__program_output(p, i)->value == ref.value) return false;
  return true;
}

tsr_status tsr_program_output(tsr_ctx *ctx, tsr_program *p, const char *name, const tsr_tensor *value) {
  static const char op[] = "program_output";
  tsr_tensor whole = TSR_EMPTY;
  tsr_status st = check_recording(ctx, op, p);
  if (st == TSR_OK) st = tsr__check_given(ctx, op, "value", value);
  if (st != TSR_OK) return st;
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (tsr_size(value) > 0 && !is_whole_value(p, value)) {
    st = tsr_clone(ctx, value, &whole);
    if (st != TSR_OK) return tsr__fail_as(ctx, st, op);
    value = &whole;
  }
  tsr__port *const port = add_port(p, &p->outputs, name);
  if (port == NULL) st = tsr__no_memory(ctx, op, sizeof *port);
  if (port != NULL) {
    port->description = described(value);
    port->value =
        tsr_size(value) > 0 ? tsr__program_find(p, value).value : -1; /* a view of no elements is of no value */
  }
  tsr_release(&whole);
  return st;
}

tsr_status tsr__program_stop(tsr_ctx *ctx, const char *op, tsr_program *p) {
  const tsr_status st = check_recording(ctx, op, p);
  if (st != TSR_OK) return st;
  p->state = TSR__PROGRAM_ENDED;
  return tsr_context_set_device(ctx, p->home);
}

tsr_status tsr_program_end(tsr_ctx *ctx, tsr_program *p) {
  const tsr_status st = tsr__program_stop(ctx, "program_end", p);
  return st == TSR_OK ? tsr__program_plan(ctx, p) : st;
}

/* ---- what it says of itself ---- */

int tsr_program_inputs(const tsr_program *p) { return (int)p->inputs.count; }
int tsr_program_outputs(const tsr_program *p) { return (int)p->outputs.count; }
tsr_plan_report tsr_program_memory(const tsr_program *p) { return p->plan; }
size_t tsr_program_scratch(const tsr_program *p) { return p->scratch; }

int tsr_program_calls(const tsr_program *p) {
  int count = 0;
  for (size_t i = 0; i < p->nodes.count; i++)
    count += p->state != TSR__PROGRAM_ENDED || tsr__program_node(p, i)->needed;
  return count;
}

static const char *port_at(const tsr__list *ports, int i, tsr_tensor *out) {
  if (i < 0 || (size_t)i >= ports->count) return NULL;
  const tsr__port *const port = (const tsr__port *)ports->items + i;
  if (out != NULL) *out = port->description;
  return port->name;
}

const char *tsr_program_input_at(const tsr_program *p, int i, tsr_tensor *out) { return port_at(&p->inputs, i, out); }
const char *tsr_program_output_at(const tsr_program *p, int i, tsr_tensor *out) { return port_at(&p->outputs, i, out); }

#endif
