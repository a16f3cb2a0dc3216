/* The end of a recording whose calls run together where they can. */
#include "fuse/fuse.h"

#include "core/table.h"

#include <string.h>

#if TSR_HAVE_OPS

static const char op[] = "program_end_fused";

/* Puts a group in the place of its last call, and takes its calls out. */
static void replace_calls(tsr__fusing *f, tsr_work *const *works) {
  tsr_program *const p = f->p;
  size_t kept = 0;
  for (size_t i = 0; i < p->nodes.count; i++) {
    tsr__node *const node = tsr__program_node(p, i);
    const int32_t group = tsr__fuse_group_of(f, (int32_t)i);
    tsr_work *const work = node->needed ? works[group] : NULL;
    if (node->needed && work == NULL) {
      *tsr__program_node(p, kept++) = *node;
      continue;
    }
    tsr_work_free(node->work);
    if (work != NULL && f->nodes[group].last == (int32_t)i) *tsr__program_node(p, kept++) = (tsr__node){.work = work};
  }
  p->nodes.count = kept;
}

static tsr_status make_groups(tsr__fusing *f, tsr_work **works) {
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(f->ctx, op, sizeof(tsr__group), &scratch);
  if (st != TSR_OK) return st;
  for (size_t i = 0; i < f->p->values.count; i++) f->values[i].number = -1;
  for (size_t i = 0; i < f->p->nodes.count && st == TSR_OK; i++)
    if (tsr__program_node(f->p, i)->needed && f->nodes[i].kind == TSR__FUSE_ELEMENT && f->nodes[i].group == (int32_t)i)
      st = tsr__fuse_make(f, (int32_t)i, scratch.data, &works[i]);
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status fuse_calls(tsr__fusing *f, void *memory) {
  tsr_program *const p = f->p;
  tsr_work **const works = memory;
  f->values = (tsr__fuse_value *)(void *)(works + p->nodes.count);
  f->nodes = (tsr__fuse_node *)(void *)(f->values + p->values.count);
  tsr__fuse_gather(f);
  const tsr_status st = make_groups(f, works);
  if (st == TSR_OK) replace_calls(f, works);
  for (size_t i = 0; i < p->nodes.count && st != TSR_OK; i++) tsr_work_free(works[i]);
  return st;
}

static tsr_status fuse_program(tsr_ctx *ctx, tsr_program *p, const tsr_fuse_options *options) {
  tsr__fusing f = {.ctx = ctx, .p = p, .options = options != NULL ? *options : (tsr_fuse_options){0}};
  tsr__scratch scratch;
  const size_t bytes = p->nodes.count * (sizeof(tsr_work *) + sizeof *f.nodes) + p->values.count * sizeof *f.values;
  tsr_status st = tsr__scratch_get(ctx, op, bytes, &scratch);
  if (st != TSR_OK) return st;
  memset(scratch.data, 0, bytes);
  st = fuse_calls(&f, scratch.data);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_program_end_fused(tsr_ctx *ctx, tsr_program *p, const tsr_fuse_options *options) {
  tsr_status st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = tsr__program_stop(ctx, op, p);
  if (st == TSR_OK && p->home != NULL && !tsr__device_computes(p->home, tsr__op_fused.name))
    return tsr__program_plan(ctx, p);
  if (st == TSR_OK) st = tsr__program_analyse(ctx, p);
  if (st == TSR_OK && p->nodes.count > 0) st = fuse_program(ctx, p, options);
  if (st != TSR_OK) return st;
  tsr__program_forget(p);
  return tsr__program_plan(ctx, p);
}

#endif
