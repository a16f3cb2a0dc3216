/* Distributed tensors from and to files. */
#include "mpi/file.h"

#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

static tsr_status find_tensor(tsr__comm_call *call, const char *path, const char *name, tsr_bundle *bundle,
                              const tsr_tensor **t) {
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  if (path == NULL) return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "path", "is NULL");
  tsr_status st = tsr_bundle_load(&inner, path, bundle, NULL);
  if (st == TSR_OK && name != NULL) st = tsr_bundle_get(&inner, bundle, name, t);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  if (name == NULL && bundle->count != 1)
    return tsr__comm_fail(call->ctx, TSR_ENAME, call->op, "name", "is NULL, and %s has %lld tensors", path,
                          (long long)bundle->count);
  if (name == NULL) *t = &bundle->tensors[0];
  return TSR_OK;
}

/* The file itself, where the part lies in one piece of a map; else a copy of it, halos too. */
static tsr_status take_part(tsr__comm_call *call, const tsr_tensor *t, const tsr__division *d, tsr_dist *out) {
  const tsr_index origin[TSR_MAX_DIMS] = {0};
  const int rank = call->comm->rank;
  const tsr__box own = tsr__box_own(d, rank), halos = tsr__box_halos(d, rank);
  tsr_tensor part = {0}, to = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  bool bare = true;
  for (int i = 0; i < d->ndim; i++) bare = bare && d->layout.halo[i] == 0;
  tsr_status st = tsr__box_view(&inner, t, origin, &halos, &part);
  if (st == TSR_OK && bare && (t->flags & TSR_READONLY) != 0 && tsr_is_contiguous(&part, TSR_ROW_MAJOR) &&
      tsr_size(&part) > 0 && out->comm == NULL) {
    *out = (tsr_dist){.layout = d->layout};
    st = tsr_share(&inner, &part, &out->local);
    for (int i = 0; i < TSR_MAX_DIMS; i++) out->shape[i] = i < d->ndim ? d->shape[i] : 1;
    for (int i = 0; i < d->ndim; i++) out->first[i] = own.first[i];
    out->comm = st == TSR_OK ? call->comm : NULL;
  } else if (st == TSR_OK) {
    tsr_index first[TSR_MAX_DIMS];
    for (int i = 0; i < d->ndim; i++) first[i] = own.first[i] - d->layout.halo[i];
    st = tsr__dist_make(call, t->dtype, d, out);
    if (st != TSR_OK) return st;
    st = tsr__box_view(&inner, &out->local, first, &halos, &to);
    if (st == TSR_OK) st = tsr_copy(&inner, &part, &to);
    if (st != TSR_OK) tsr_dist_release(out);
  }
  return st == TSR_OK ? st : tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
}

tsr_status tsr_dist_load(tsr_ctx *ctx, tsr_comm *comm, const char *path, const char *name,
                         const tsr_dist_layout *layout, tsr_dist *out) {
  static const char op[] = "dist_load";
  tsr__comm_call call;
  tsr_bundle bundle = {0};
  const tsr_tensor *t = NULL;
  tsr__division d = {0};
  tsr_status st = tsr__dist_begin(ctx, comm, op, &call);
  if (st != TSR_OK) return st;
  bool made = false;
  st = find_tensor(&call, path, name, &bundle, &t);
  if (st == TSR_OK) st = tsr__dist_divide(&call, t->ndim, t->shape, layout, &d);
  if (st == TSR_OK && out == NULL) st = tsr__comm_fail(ctx, TSR_EARG, op, "out", "is NULL");
  if (st == TSR_OK) st = take_part(&call, t, &d, out), made = st == TSR_OK;
  if (made) tsr__dist_note_dist(&call, out);
  st = tsr__comm_agree(&call, st);
  tsr_bundle_release(&bundle);
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}

/* ---- saving ---- */

/* A part goes to the file run by run: elements that follow each other in the whole. */
static tsr_status put_part(tsr__comm_call *call, tsr__shared_file *f, uint64_t offset, const tsr_tensor *part,
                           const tsr__box *box, const tsr_index *shape) {
  const size_t item = tsr_dtype_size(part->dtype);
  int axis = part->ndim;
  tsr_index index[TSR_MAX_DIMS] = {0}, run = 1;
  while (axis > 0 && box->length[axis - 1] == shape[axis - 1]) run *= shape[--axis];
  if (axis > 0) run *= box->length[--axis];
  if (tsr_size(part) == 0) return TSR_OK;
  const char *at = part->data;
  for (;;) {
    uint64_t place = 0;
    for (int i = 0; i < part->ndim; i++) place = place * (uint64_t)shape[i] + (uint64_t)(box->first[i] + index[i]);
    const tsr_status st = tsr__file_put(call, f, offset + place * item, at, (size_t)run * item);
    if (st != TSR_OK) return st;
    at += (size_t)run * item;
    int i = axis - 1;
    while (i >= 0 && ++index[i] == box->length[i]) index[i--] = 0;
    if (i < 0) return TSR_OK;
  }
}

static tsr_status put_named(tsr__comm_call *call, tsr__shared_file *f, uint64_t offset, const tsr_dist_named *n) {
  tsr_tensor own = {0}, plain = {0};
  tsr_status st;
  if (n->dist == NULL ||
      tsr__dist_is_copies(&n->dist->layout, n->dist->local.ndim)) { /* all have it: the first writes it */
    if (call->comm->rank != 0) return TSR_OK;
    const tsr_tensor *t = n->tensor;
    st = n->dist != NULL ? tsr_dist_own(call->ctx, n->dist, &own) : TSR_OK;
    if (n->dist != NULL) t = &own;
    if (st == TSR_OK) st = tsr__comm_stage_in(call, n->name, t, &plain);
    if (st == TSR_OK) st = tsr__file_put(call, f, offset, plain.data, tsr_nbytes(&plain));
  } else {
    const tsr__division d = tsr__dist_division(n->dist);
    const tsr__box box = tsr__box_own(&d, call->comm->rank);
    st = tsr_dist_own(call->ctx, n->dist, &own);
    if (st == TSR_OK) st = tsr__comm_stage_in(call, n->name, &own, &plain);
    if (st == TSR_OK) st = put_part(call, f, offset, &plain, &box, d.shape);
  }
  tsr_release(&plain);
  return st;
}

/* The whole tensors, described. */
static tsr_status describe(tsr__comm_call *call, int count, const tsr_dist_named *named, tsr_bundle *bundle) {
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr_bundle_init(&inner, bundle);
  for (int i = 0; i < count && st == TSR_OK; i++) {
    const tsr_dist_named *const n = &named[i];
    tsr_tensor t = {0};
    if (n->name == NULL || (n->dist == NULL) == (n->tensor == NULL))
      return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "named", "%d has no name, or not one of dist and tensor", i);
    if (n->dist != NULL) {
      st = tsr__dist_check(call, n->name, n->dist);
      if (st != TSR_OK) return st;
    }
    st = tsr_desc_init(&inner, n->dist != NULL ? n->dist->local.dtype : n->tensor->dtype,
                       n->dist != NULL ? n->dist->local.ndim : n->tensor->ndim,
                       n->dist != NULL ? n->dist->shape : n->tensor->shape, &t);
    if (st == TSR_OK) st = tsr_bundle_add(&inner, bundle, n->name, &t);
  }
  return st == TSR_OK ? st : tsr__comm_fail_as(call->ctx, st, call->op, "named", &inner);
}

tsr_status tsr_dist_save(tsr_ctx *ctx, const char *path, tsr_format format, int count, const tsr_dist_named *named,
                         const tsr_metadata *metadata) {
  static const char op[] = "dist_save";
  tsr__comm_call call;
  tsr_comm *comm = NULL;
  tsr_bundle bundle = {0};
  tsr__shared_file f = {.open = false};
  for (int i = 0; i < count && named != NULL && comm == NULL; i++)
    if (named[i].dist != NULL) comm = named[i].dist->comm;
  if (path == NULL || comm == NULL)
    return tsr__comm_fail(ctx, TSR_EARG, op, path == NULL ? "path" : "named",
                          path == NULL ? "is NULL" : "has no distributed tensor");
  tsr_status st = tsr__dist_begin(ctx, comm, op, &call);
  if (st != TSR_OK) return st;
  tsr__dist_note(&call, path, strlen(path));
  st = describe(&call, count, named, &bundle);
  if (st == TSR_OK) st = tsr__file_plan(&call, format, path, &bundle, metadata, &f);
  if (st == TSR_OK) tsr__dist_note(&call, f.header, f.header_bytes);
  st = tsr__comm_agree(&call, st);
  const bool agreed = st == TSR_OK;
  if (agreed) st = tsr__file_open(&call, st, &f);
  for (int i = 0; i < count && st == TSR_OK; i++) st = put_named(&call, &f, f.offsets[i], &named[i]);
  if (agreed)
    st = tsr__file_close(&call, st, &f);
  else
    free(f.header), free(f.offsets), free(f.temporary);
  tsr_bundle_release(&bundle);
  return st;
}

/* ---- a bundle that every rank has ---- */

enum { PRODUCED = 1 << 22 }; /* bytes at a time */

static tsr_status put_produced(tsr__comm_call *call, tsr__shared_file *f, uint64_t offset, const tsr_tensor *t,
                               const tsr_producer *producer, char *room) {
  const tsr_index item = (tsr_index)tsr_dtype_size(t->dtype), most = PRODUCED / item;
  tsr_index first;
  const tsr_index count = tsr_comm_part(tsr_size(t), call->comm->size, call->comm->rank, &first);
  tsr_status st = TSR_OK;
  if (t->data != NULL)
    return tsr__file_put(call, f, offset + (uint64_t)(first * item), (const char *)t->data + first * item,
                         (size_t)(count * item));
  for (tsr_index done = 0; done < count && st == TSR_OK; done += most) {
    const tsr_index n = count - done < most ? count - done : most;
    st = producer->produce(producer->self, t, first + done, n, room);
    if (st != TSR_OK)
      return tsr__comm_fail(call->ctx, st, call->op, t->name, "could not be made: %s", tsr_status_text(st));
    st = tsr__file_put(call, f, offset + (uint64_t)((first + done) * item), room, (size_t)(n * item));
  }
  return st;
}

static tsr_status check_bundle(tsr__comm_call *call, const tsr_bundle *bundle, const tsr_producer *producer) {
  if (bundle == NULL) return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "bundle", "is NULL");
  for (tsr_index i = 0; i < bundle->count; i++) {
    const tsr_tensor *const t = &bundle->tensors[i];
    const tsr_device *const device = tsr_device_of(t);
    if (t->data == NULL && tsr_size(t) > 0 && (producer == NULL || producer->produce == NULL))
      return tsr__comm_fail(call->ctx, TSR_ESTATE, call->op, t->name, "has no elements, and nobody makes them");
    if (t->data != NULL && (!tsr_is_contiguous(t, TSR_ROW_MAJOR) || (device != NULL && !device->is_host)))
      return tsr__comm_fail(call->ctx, TSR_EUNSUPPORTED, call->op, t->name, "is not row-major memory of the host");
  }
  return TSR_OK;
}

tsr_status tsr_comm_save_from(tsr_ctx *ctx, tsr_comm *comm, const char *path, tsr_format format,
                              const tsr_bundle *bundle, const tsr_metadata *metadata, const tsr_producer *producer) {
  static const char op[] = "comm_save_from";
  tsr__comm_call call;
  tsr__shared_file f = {.open = false};
  tsr_status st = tsr__comm_begin(ctx, comm, op, TSR__CALL_FILE, &call);
  if (st != TSR_OK) return st;
  char *const room = malloc(PRODUCED);
  if (path == NULL) st = tsr__comm_fail(ctx, TSR_EARG, op, "path", "is NULL");
  if (st == TSR_OK && room == NULL) st = tsr__comm_fail(ctx, TSR_ENOMEM, op, NULL, "no memory for elements");
  if (st == TSR_OK) st = check_bundle(&call, bundle, producer);
  if (st == TSR_OK) st = tsr__file_plan(&call, format, path, bundle, metadata, &f);
  if (st == TSR_OK) tsr__dist_note(&call, f.header, f.header_bytes);
  st = tsr__comm_agree(&call, st);
  const bool agreed = st == TSR_OK;
  if (agreed) st = tsr__file_open(&call, st, &f);
  for (tsr_index i = 0; agreed && i < bundle->count && st == TSR_OK; i++)
    st = put_produced(&call, &f, f.offsets[i], &bundle->tensors[i], producer, room);
  if (agreed)
    st = tsr__file_close(&call, st, &f);
  else
    free(f.header), free(f.offsets), free(f.temporary);
  free(room);
  return st;
}
