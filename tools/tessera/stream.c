#include "stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "progress.h"
#include "report.h"

enum { SMALL = 1 << 16 }; /* bytes of a tensor that is not worth it */

bool stream_init(tsr_ctx *ctx, const tsr_bundle *bundle, tsr_index most, stream *out) {
  *out = (stream){.ctx = ctx, .bundle = bundle, .of = -1};
  out->list = calloc((size_t)most + 1, sizeof *out->list);
  return out->list != NULL || (report("out of memory"), false);
}

static void hold(stream *s, target *t) {
  if (s->held != NULL && s->held != t) target_drop(s->held);
  s->held = t;
}

void stream_release(stream *s) {
  hold(s, NULL);
  tsr_release(&s->whole);
  free(s->list);
  *s = (stream){0};
}

/* ---- which ---- */

/* The shape that a layout gives, where that needs no elements. */
static bool describe(stream *s, target *from, int dtype, int layout, tsr_tensor *out) {
  tsr_ctx *ctx = s->ctx;
  const tsr_tensor *t = &from->tensor;
  if (from->archive != NULL && layout != t->layout) {
    hold(s, from);
    if (target_fetch(ctx, from) != TSR_OK) return false; /* whoever needs it says why */
  }
  tsr_tensor view = *t;
  view.flags &= (uint8_t)~TSR_OWNS;
  if (layout != t->layout && (t->data == NULL || tsr_to_layout_view(ctx, t, layout, &view) != TSR_OK)) {
    tsr_error_clear(ctx); /* blocked layouts have axes of their own: they are made at once */
    return false;
  }
  if (tsr_desc_init(ctx, dtype, view.ndim, view.shape, out) != TSR_OK) return false;
  out->layout = (uint8_t)layout;
  return true;
}

bool stream_takes(stream *s, target *from, int dtype, int layout, tsr_tensor *out) {
  const tsr_tensor *t = &from->tensor;
  if (from->archive != NULL) {
    if (tsr_size(t) == 0 || from->label != NULL) return false; /* a slice is in memory */
  } else if (from->packed != NULL && t->data == NULL) {
    const int class = tsr_dtype_describe(dtype)->class_;
    if (!packed_in_parts(from->packed) || tsr_size(t) == 0 || layout != t->layout || class != TSR_CLASS_FLOAT)
      return false;
  } else {
    if (dtype == t->dtype && layout == t->layout) return false; /* it is written from where it is */
    if (tsr_nbytes(t) < SMALL || !tsr_is_contiguous(t, TSR_ROW_MAJOR)) return false;
  }
  if (!describe(s, from, dtype, layout, out)) return false;
  s->list[s->bundle->count] = (streamed){.from = from, .dtype = dtype, .layout = layout};
  return true;
}

/* ---- elements ---- */

/* Only a map is read-only here. */
void stream_forget(const tsr_tensor *part) {
  const long page = sysconf(_SC_PAGESIZE);
  if ((part->flags & TSR_READONLY) == 0 || page <= 0) return;
  const uintptr_t mask = (uintptr_t)page - 1, start = ((uintptr_t)part->data + mask) & ~mask;
  const uintptr_t end = ((uintptr_t)part->data + tsr_nbytes(part)) & ~mask;
  if (end > start) (void)madvise((void *)start, end - start, MADV_DONTNEED);
}

static tsr_status cast_part(stream *s, const tsr_tensor *t, tsr_index first, tsr_index n, int dtype, void *elements) {
  tsr_tensor flat = {0}, part = {0}, to = {0};
  tsr_status st = tsr_flatten_view(s->ctx, t, &flat);
  if (st == TSR_OK) st = tsr_narrow(s->ctx, &flat, 0, first, n, &part);
  if (st == TSR_OK) st = tsr_from_memory(s->ctx, elements, dtype, 1, &n, &to);
  if (st == TSR_OK) st = tsr_cast(s->ctx, &part, dtype, &to);
  if (st == TSR_OK) stream_forget(&part);
  return st;
}

/* Another layout, or order of axes: the tensor as a whole, kept until the next one. */
static tsr_status make_contiguous(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  const tsr_status st = tsr_desc_init(ctx, t->dtype, t->ndim, t->shape, out);
  return st == TSR_OK ? tsr_copy(ctx, t, out) : st;
}

static tsr_status make_whole(stream *s, tsr_index i) {
  const streamed *one = &s->list[i];
  tsr_tensor cast = {0};
  if (s->of == i) return TSR_OK;
  tsr_release(&s->whole);
  s->whole = (tsr_tensor){0};
  s->of = -1;
  tsr_status st = tsr_cast(s->ctx, &one->from->tensor, one->dtype, &cast);
  if (st == TSR_OK) st = tsr_set_layout(s->ctx, &cast, one->from->tensor.layout, &cast);
  if (st == TSR_OK && one->layout != cast.layout) st = tsr_to_layout(s->ctx, &cast, one->layout, 0, &s->whole);
  if (st == TSR_OK && one->layout == cast.layout) st = make_contiguous(s->ctx, &cast, &s->whole);
  tsr_release(&cast);
  if (st == TSR_OK) s->of = i;
  return st;
}

static tsr_status produce(void *self, const tsr_tensor *t, tsr_index first, tsr_index n, void *elements) {
  stream *s = self;
  const tsr_index i = (tsr_index)(t - s->bundle->tensors);
  const streamed *one = &s->list[i];
  target *from = one->from;
  tsr_status st = first == 0 && from->packed == NULL ? tsr_mmap_check(s->ctx, &from->tensor) : TSR_OK;
  if (st == TSR_OK && from->archive != NULL) {
    hold(s, from);
    st = target_fetch(s->ctx, from);
  }
  if (st == TSR_OK && from->packed != NULL && from->tensor.data == NULL) {
    st = packed_numbers(s->ctx, from->packed, &from->blocks, first, n, one->dtype, elements);
  } else if (st == TSR_OK && one->layout == from->tensor.layout && tsr_is_contiguous(&from->tensor, TSR_ROW_MAJOR)) {
    st = cast_part(s, &from->tensor, first, n, one->dtype, elements);
  } else if (st == TSR_OK) {
    st = make_whole(s, i);
    if (st == TSR_OK)
      memcpy(elements, (const char *)s->whole.data + (size_t)first * tsr_dtype_size(one->dtype),
             (size_t)n * tsr_dtype_size(one->dtype));
  }
  if (st != TSR_OK) {
    report_failure(s->ctx, from->name);
    s->reported = true;
  }
  progress_add((uint64_t)n * tsr_dtype_size(one->dtype));
  return st;
}

tsr_producer stream_producer(stream *s) {
  return (tsr_producer){.size = sizeof(tsr_producer), .produce = produce, .self = s};
}
