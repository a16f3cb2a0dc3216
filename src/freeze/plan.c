/* Memory of a frozen program: its values and the scratch of its calls, aligned for microcontrollers. */
#include "freeze/freeze.h"

#if TSR_HAVE_OPS

#include "nn/quant/frozen/frozen.h"

/* The base of a value that runs bring; 0: it is planned. */
static uint32_t port_of(const tsr_program *p, int32_t value) {
  uint32_t base = 1;
  for (size_t i = 0; i < p->inputs.count; i++, base++)
    if (tsr__program_input(p, i)->value == value) return base;
  for (size_t i = 0; i < p->outputs.count; i++, base++)
    if (tsr__program_output(p, i)->value == value) return base;
  return 0;
}

/* items begin with a slot for each value that is planned, in their order. */
static void settle(const tsr_program *p, const tsr_plan_item *items, tsr_frozen_place *place) {
  const int32_t value = (int32_t)place->base;
  size_t before = 0;
  place->base = port_of(p, value);
  if (place->base != 0) return;
  for (int32_t i = 0; i < value; i++) before += tsr__program_value(p, (size_t)i)->is_planned;
  place->offset += (uint32_t)items[before].offset;
}

static void settle_call(const tsr_program *p, const tsr_plan_item *items, tsr__frozen_call *call) {
  if (call->kind == TSR__FROZEN_LAYER) {
    settle(p, items, &call->as.of_layer.x);
    settle(p, items, &call->as.of_layer.out);
  } else if (call->kind == TSR__FROZEN_POOL) {
    settle(p, items, &call->as.of_pool.x);
    settle(p, items, &call->as.of_pool.out);
  } else {
    settle(p, items, &call->as.of_sum.a);
    settle(p, items, &call->as.of_sum.b);
    settle(p, items, &call->as.of_sum.out);
  }
}

static size_t scratch_of(const tsr__frozen_call *call) {
  return call->kind == TSR__FROZEN_LAYER ? call->as.of_layer.scratch_bytes : 0;
}

static int32_t list_items(const tsr__freezing *f, tsr_plan_item *items) {
  const tsr_program *const p = f->p;
  int32_t count = 0;
  for (size_t i = 0; i < p->values.count; i++) {
    const tsr__value *const value = tsr__program_value(p, i);
    if (value->is_planned)
      items[count++] = (tsr_plan_item){.bytes = value->bytes, .first = value->first, .last = value->last};
  }
  for (size_t i = 0; i < f->count; i++)
    if (scratch_of(&f->calls[i]) > 0)
      items[count++] =
          (tsr_plan_item){.bytes = scratch_of(&f->calls[i]), .first = f->calls[i].node, .last = f->calls[i].node};
  return count;
}

static tsr_status place_items(tsr__freezing *f, tsr_plan_item *items) {
  const int32_t count = list_items(f, items);
  tsr_plan_report plan;
  tsr_status st = tsr_plan(f->ctx, count, items, TSR__FROZEN_ALIGN, &plan);
  if (st != TSR_OK) return tsr__fail_as(f->ctx, st, "freeze_write");
  if (plan.planned > INT32_MAX)
    return TSR__FAIL(f->ctx, TSR_EOVERFLOW, "freeze_write", "program", "takes %z bytes", plan.planned);
  f->report.memory = plan.planned;
  for (size_t i = f->count, at = (size_t)count; i-- > 0;) { /* scratch lies behind the values, in the order of calls */
    const size_t bytes = scratch_of(&f->calls[i]);
    if (bytes > f->report.scratch) f->report.scratch = bytes;
    if (bytes > 0) f->calls[i].as.of_layer.scratch.offset = (uint32_t)items[--at].offset;
  }
  for (size_t i = 0; i < f->count; i++) settle_call(f->p, items, &f->calls[i]);
  return TSR_OK;
}

tsr_status tsr__freeze_plan(tsr__freezing *f) {
  tsr__scratch scratch;
  tsr_status st =
      tsr__scratch_get(f->ctx, "freeze_write", (f->p->values.count + f->count) * sizeof(tsr_plan_item), &scratch);
  if (st != TSR_OK) return st;
  st = place_items(f, scratch.data);
  tsr__scratch_put(&scratch);
  return st;
}

#endif
