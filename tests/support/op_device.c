/* Runs on a device: each buffer of a run is a tensor of bytes there while the call lasts, and operands are views of it. */
#include "support/op_case.h"

#if TSR_HAVE_OPS

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tsr_device *op_test_device(void) {
  static const tsr_device *device;
  const char *const name = getenv("TSR_TEST_DEVICE");
  if (device != NULL || name == NULL || name[0] == 0) return device;
  if (tsr_device_open(NULL, name, &device) == TSR_OK) return device;
  printf("TSR_TEST_DEVICE=%s: %s\n", name, tsr_error(NULL));
  exit(1); /* who asks for a device does not want the host's results */
}

bool op_is_there(int op) { return op_test_device() == NULL || tsr_op_on(tsr_op_at(op), op_test_device()); }

static tsr_tensor bytes_of_buffer(const op_buffer *b) {
  return (tsr_tensor){.dtype = TSR_U8, .ndim = 1, .shape = {(tsr_index)b->size}, .stride = {1}, .data = b->bytes};
}

/* An operand in its buffer on the device; one without elements has no place. */
static tsr_status move_there(const op_run *r, const tsr_tensor *whole, int buffer, tsr_tensor *t) {
  tsr_tensor there = {0};
  if (t->dtype == TSR_NONE || buffer < 0) return TSR_OK;
  if (t->data == NULL || r->buffer[buffer].size == 0) {
    const tsr_status st = tsr_to_device(NULL, t, r->device, &there);
    if (st == TSR_OK) *t = there;
    return st;
  }
  t->data = (unsigned char *)whole[buffer].data + ((unsigned char *)t->data - r->buffer[buffer].bytes);
  t->storage = whole[buffer].storage;
  return TSR_OK;
}

tsr_status op_device_begin(op_run *r, tsr_tensor *whole) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < r->buffers && st == TSR_OK; i++) {
    const tsr_tensor bytes = bytes_of_buffer(&r->buffer[i]);
    if (r->buffer[i].size > 0) st = tsr_to_device(NULL, &bytes, r->device, &whole[i]);
  }
  for (int i = 0; i < r->c->inputs && st == TSR_OK; i++) st = move_there(r, whole, r->in_at[i], &r->in[i]);
  for (int i = 0; i < r->c->outputs && st == TSR_OK; i++) st = move_there(r, whole, r->out_at[i], &r->out[i]);
  return st;
}

/* Which buffer a tensor lies in, or -1. */
static int buffer_of(const op_run *r, const tsr_tensor *whole, const tsr_tensor *t) {
  for (int i = 0; i < r->buffers; i++)
    if (whole[i].storage != NULL && whole[i].storage == t->storage) return i;
  return -1;
}

/* What lies in a buffer is there again; an output with memory of its own is copied, and is the host's then. */
static tsr_status move_back(const op_run *r, const tsr_tensor *whole, tsr_tensor *t) {
  if (t->dtype == TSR_NONE) return TSR_OK;
  const int buffer = buffer_of(r, whole, t);
  if (buffer >= 0) {
    void *const data = r->buffer[buffer].bytes + ((unsigned char *)t->data - (unsigned char *)whole[buffer].data);
    if ((t->flags & TSR_OWNS) != 0) tsr_storage_release(t->storage);
    t->flags &= (uint8_t)~TSR_OWNS;
    t->storage = NULL;
    t->data = data;
    return TSR_OK;
  }
  if (t->storage == NULL) return TSR_OK;
  tsr_tensor host = {0};
  const tsr_status st = tsr_to_device(NULL, t, tsr_device_cpu(), &host);
  if (st == TSR_OK) host.layout = t->layout;
  if ((t->flags & TSR_OWNS) != 0) tsr_release(t);
  *t = host;
  return st;
}

tsr_status op_device_end(op_run *r, tsr_tensor *whole, tsr_status status) {
  const tsr_status late = tsr_device_sync(NULL, r->device);
  tsr_status st = status != TSR_OK ? status : late;
  if (late != TSR_OK) strncpy(r->error, tsr_error(NULL), sizeof r->error - 1);
  for (int i = 0; i < r->buffers; i++) {
    tsr_tensor bytes = bytes_of_buffer(&r->buffer[i]);
    if (whole[i].storage == NULL) continue;
    const tsr_status back = tsr_copy(NULL, &whole[i], &bytes);
    if (st == TSR_OK) st = back;
  }
  for (int i = 0; i < r->c->inputs; i++) {
    const tsr_status back = move_back(r, whole, &r->in[i]);
    if (st == TSR_OK) st = back;
    if ((r->in[i].flags & TSR_OWNS) != 0) tsr_release(&r->in[i]); /* one without elements */
  }
  for (int i = 0; i < r->c->outputs; i++) {
    const tsr_status back = move_back(r, whole, &r->out[i]);
    if (st == TSR_OK) st = back;
  }
  for (int i = 0; i < r->buffers; i++) tsr_release(&whole[i]);
  return st;
}

#endif
