/* Packed weights of cases, each made for the call that uses it. */
#include "support/op_case.h"

#if TSR_HAVE_OPS

#include <string.h>

#define OBJECT(kind, type, attr, release, ...)                                                                  \
  static tsr_status pack_##kind(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias, \
                                tsr_##type *o) {                                                                \
    (void)x, (void)bias;                                                                                        \
    __VA_ARGS__                                                                                                 \
  }
#include "support/op_objects.def"
#undef OBJECT

tsr_status op_pack(tsr_ctx *ctx, const op_case *c, const tsr_tensor *x, op_object *o) {
  const tsr_tensor *const w = &c->weights, *const bias = c->bias.dtype != TSR_NONE ? &c->bias : NULL;
  memset(o, 0, sizeof *o);
  switch (c->object) {
#define OBJECT(kind, type, attr, release, ...) \
  case OP_##kind:                              \
    return pack_##kind(ctx, x, w, bias, &o->type);
#include "support/op_objects.def"
#undef OBJECT
    default: return TSR_OK;
  }
}

void op_set_object(const op_case *c, const op_object *o, tsr_attr *attrs) {
  for (int i = 0; i < c->attrs; i++)
    if (attrs[i].type == TSR_OP_OBJECT) attrs[i].value.object = o;
}

void op_unpack(const op_case *c, op_object *o) {
  switch (c->object) {
#define OBJECT(kind, type, attr, release, ...) \
  case OP_##kind:                              \
    release(&o->type);                         \
    break;
#include "support/op_objects.def"
#undef OBJECT
    default: break;
  }
}

const char *op_object_body(const op_case *c) {
  switch (c->object) {
#define OBJECT(kind, type, attr, release, ...)                                                                       \
  case OP_##kind:                                                                                                    \
    return "static tsr_" #type                                                                                       \
           " object;\n"                                                                                              \
           "#define OBJECT_ATTR(name) tsr_attr_" #attr                                                               \
           "(name, &object)\n"                                                                                       \
           "#define OBJECT_RELEASE() " #release                                                                      \
           "(&object)\n"                                                                                             \
           "static tsr_status pack(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias, " \
           "tsr_" #type " *o) {\n  (void)x, (void)bias;\n  " #__VA_ARGS__ "\n}\n";
#include "support/op_objects.def"
#undef OBJECT
    default: return "";
  }
}

static tsr_status send(const tsr_device *device, tsr_tensor *t) {
  tsr_tensor there = {0};
  if (tsr_is_none(t)) return TSR_OK;
  const tsr_status st = tsr_to_device(NULL, t, device, &there);
  if (st != TSR_OK) return st;
  tsr_release(t);
  *t = there;
  return TSR_OK;
}

/* The weights of a layer are borrowed: they stay where they are unless they are read. */
tsr_status op_send(const op_case *c, const tsr_device *device, op_object *o) {
  if (c->object == OP_PACKED) return send(device, &o->packed.panels);
  if (c->object == OP_CONV_PACKED) return send(device, &o->conv_packed.panels);
  if (c->object == OP_NO_OBJECT) return TSR_OK;
  tsr_status st = send(device, &o->qlayer.table);
  if (st == TSR_OK) st = send(device, tsr_is_none(&o->qlayer.panels) ? &o->qlayer.w : &o->qlayer.panels);
  return st;
}

void op_unsend(const op_case *c, op_object *o) {
  if (c->object >= OP_QDENSE && (o->qlayer.w.flags & TSR_OWNS) != 0) tsr_release(&o->qlayer.w);
  op_unpack(c, o);
}

#endif
