/* Any numbers as a DLPack tensor, in both forms: its deleter runs exactly once, a refusal changes nothing, and what is
 * taken over lies inside the bytes that it describes, and goes out and in again as it was. Nothing is read through its
 * pointer. */
#include <string.h>
#include <tessera/dlpack.h>

#include "promise.h"

static capped_memory memory = {.cap = (size_t)1 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* The numbers of an input, 0 past its end. */
typedef struct input {
  const uint8_t *at;
  size_t left;
} input;

static uint64_t next(input *in, size_t bytes) {
  uint64_t value = 0;
  const size_t n = bytes < in->left ? bytes : in->left;
  if (n > 0) memcpy(&value, in->at, n); /* seeds are little-endian, as the machines that fuzz */
  in->at += n;
  in->left -= n;
  return value;
}

static int deleted;
static void delete_plain(tsr_dl_managed *self) { deleted += self->manager_ctx == &deleted; }
static void delete_versioned(tsr_dl_managed_versioned *self) { deleted += self->manager_ctx == &deleted; }

/* Mostly small numbers, sometimes any. */
static int64_t number(input *in) {
  const uint8_t kind = (uint8_t)next(in, 1);
  return kind < 200 ? (int8_t)next(in, 1) : (int64_t)next(in, 8);
}

static void there_and_back(tsr_ctx *ctx, const tsr_tensor *t) {
  tsr_dl_managed_versioned *out = NULL;
  tsr_tensor back = {0};
  must(tsr_dlpack_export(ctx, t, false, &out) == TSR_OK);
  must(((out->flags & TSR_DL_FLAG_READONLY) != 0) == ((t->flags & TSR_READONLY) != 0));
  must(tsr_dlpack_import(ctx, out, &back) == TSR_OK);
  must(tsr_same_shape(t, &back) && t->dtype == back.dtype && (tsr_size(t) == 0 || back.data == t->data));
  tsr_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const tsr_dl_type types[] = {{2, 32, 1}, {0, 8, 1},  {6, 8, 1}, {5, 128, 1},
                                      {4, 16, 1}, {10, 8, 1}, {1, 64, 1}};
  static _Alignas(64) uint8_t bytes[64];
  input in = {.at = data, .left = size};
  int64_t shape[40], strides[40];
  const uint8_t choice = (uint8_t)next(&in, 1);
  tsr_dl_tensor d = {
      .device = {.type = choice & 1 ? (int32_t)next(&in, 4) : TSR_DL_CPU}, .shape = shape, .strides = strides};
  d.data = choice & 2 ? bytes : (void *)(uintptr_t)next(&in, 8);
  d.dtype = choice & 4 ? types[next(&in, 1) % 7]
                       : (tsr_dl_type){(uint8_t)next(&in, 1), (uint8_t)next(&in, 1), (uint16_t)next(&in, 2)};
  d.ndim = choice & 8 ? (int32_t)(next(&in, 1) % 10) : (int32_t)next(&in, 4);
  d.byte_offset = choice & 16 ? next(&in, 8) : 0;
  if ((choice & 32) != 0) d.strides = NULL;
  for (int i = 0; i < 40; i++) shape[i] = number(&in);
  for (int i = 0; i < 40; i++) strides[i] = number(&in);
  if (d.ndim > 40) d.shape = NULL; /* a rank that is a lie has no shape to read */
  tsr_dl_managed plain = {.dl_tensor = d, .manager_ctx = &deleted, .deleter = delete_plain};
  tsr_dl_managed_versioned versioned = {.version = {choice & 64 ? 1 : (uint32_t)next(&in, 4), 0},
                                        .manager_ctx = &deleted,
                                        .deleter = delete_versioned,
                                        .flags = choice >> 7,
                                        .dl_tensor = d};
  tsr_ctx ctx;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  for (int form = 0; form < 2; form++) {
    tsr_tensor t = {0};
    deleted = 0;
    const tsr_status st =
        form == 0 ? tsr_dlpack_import_unversioned(&ctx, &plain, &t) : tsr_dlpack_import(&ctx, &versioned, &t);
    must(deleted == (st != TSR_OK) && (st == TSR_OK || tsr_is_none(&t)));
    if (st == TSR_OK) {
      must(t.ndim == d.ndim && (tsr_size(&t) == 0 || t.data == (char *)d.data + d.byte_offset));
      there_and_back(&ctx, &t);
      must(deleted == 0);
      tsr_release(&t);
      must(deleted == 1);
    }
    must(memory.in_use == 0);
  }
  return 0;
}
