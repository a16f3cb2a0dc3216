/* The link between the host and the device: what the driver copies from pinned memory, and what is left of that for memory that is not
 * pinned and for a file that is mapped. */
#ifndef BENCH_GPU_LINK_H
#define BENCH_GPU_LINK_H

#include "bench.h"
#include "launch.h"

#include <unistd.h>

enum { LINK_TENSORS = 16 };

typedef struct link_bench {
  driver d;
  tsr_index each; /* bytes of a tensor; of all of them 1 GB */
  tsr_ctx pinned_ctx;
  tsr_tensor pinned, host, there, part[LINK_TENSORS]; /* there and its parts are on the device */
  void *plain;
  char path[512];
} link_bench;

/* One way of copying all of it. */
typedef tsr_status link_copy(bench *b, link_bench *l);

static tsr_status link_plain(bench *b, link_bench *l) {
  const size_t bytes = tsr_nbytes(&l->there);
  void *context = NULL;
  int device = 0;
  if (l->d.device(&device, b->gpu->index) != 0 || l->d.retain(&context, device) != 0 || l->d.push(context) != 0)
    return TSR_EDEVICE;
  if (l->plain == NULL && l->d.host_new(&l->plain, bytes, 0) == 0) memset(l->plain, 1, bytes);
  const int r = l->plain == NULL
                    ? 1
                    : l->d.copy((uint64_t)(uintptr_t)l->there.data, l->plain, bytes, tsr_queue_native(b->gpu, NULL));
  (void)l->d.pop(&context);
  return r == 0 ? TSR_OK : TSR_EDEVICE;
}

static tsr_status link_async(bench *b, link_bench *l) { return tsr_copy_async(&b->ctx, &l->pinned, &l->there); }
static tsr_status link_pageable(bench *b, link_bench *l) { return tsr_to_device(&b->ctx, &l->host, b->gpu, &l->there); }

/* Each tensor of a file, from the header on, to the device or to memory of the host. */
static tsr_status link_file(bench *b, link_bench *l, bool to_device) {
  tsr_bundle file = {0};
  tsr_status st = tsr_safetensors_load(&b->ctx, l->path, NULL, &file, NULL);
  for (int i = 0; i < LINK_TENSORS && st == TSR_OK; i++) {
    char name[8];
    tsr_tensor to = {0};
    (void)snprintf(name, sizeof name, "%02d", i);
    const tsr_tensor *const from = tsr_bundle_find(&file, name);
    if (from == NULL) return TSR_ENAME;
    if (to_device)
      st = tsr_to_device(&b->ctx, from, b->gpu, &l->part[i]);
    else if ((st = tsr_narrow(&b->ctx, &l->host, 0, i * l->each, l->each, &to)) == TSR_OK)
      st = tsr_copy(&b->ctx, from, &to);
  }
  tsr_bundle_release(&file);
  return st;
}

static tsr_status link_mapped(bench *b, link_bench *l) { return link_file(b, l, true); }
static tsr_status link_host(bench *b, link_bench *l) { return link_file(b, l, false); }

static tsr_status link_save(bench *b, link_bench *l) {
  const char *const folder = getenv("TMPDIR");
  tsr_bundle bundle;
  tsr_status st = tsr_bundle_init(&b->ctx, &bundle);
  (void)snprintf(l->path, sizeof l->path, "%s/tsr_bench_link_%d.safetensors", folder != NULL ? folder : "/tmp",
                 (int)getpid());
  for (int i = 0; i < LINK_TENSORS && st == TSR_OK; i++) {
    char name[8];
    tsr_tensor part = {0};
    (void)snprintf(name, sizeof name, "%02d", i);
    st = tsr_narrow(&b->ctx, &l->host, 0, i * l->each, l->each, &part);
    if (st == TSR_OK) st = tsr_bundle_add(&b->ctx, &bundle, name, &part);
  }
  if (st == TSR_OK) st = tsr_safetensors_save(&b->ctx, l->path, &bundle, NULL, NULL);
  tsr_bundle_release(&bundle);
  return st;
}

static tsr_status link_make(bench *b, link_bench *l) {
  const tsr_index all = LINK_TENSORS * l->each;
  if (!open_driver(&l->d, false)) return TSR_EDEVICE;
  tsr_status st = tsr_context_init(&l->pinned_ctx, tsr_device_host_allocator(b->gpu));
  if (st == TSR_OK) st = tsr_full(&l->pinned_ctx, TSR_U8, TSR_SHAPE(all), 1, &l->pinned);
  if (st == TSR_OK) st = tsr_full(NULL, TSR_U8, TSR_SHAPE(all), 1, &l->host);
  if (st == TSR_OK) st = tsr_empty(&b->ctx, TSR_U8, TSR_SHAPE(all), &l->there);
  for (int i = 0; i < LINK_TENSORS && st == TSR_OK; i++)
    st = tsr_empty(&b->ctx, TSR_U8, TSR_SHAPE(l->each), &l->part[i]);
  return st == TSR_OK ? link_save(b, l) : st;
}

/* GB/s: the best of some. */
static tsr_status link_time(bench *b, link_bench *l, link_copy *copy, double *rate) {
  tsr_status st = TSR_OK;
  for (int round = 0; round < (b->tiny ? 2 : 6) && st == TSR_OK; round++) {
    const double begun = now_ms();
    st = copy(b, l);
    if (st == TSR_OK) st = tsr_device_sync(&b->ctx, b->gpu);
    const double now = (double)tsr_nbytes(&l->there) / (now_ms() - begun) * 1e-6;
    if (now > *rate) *rate = now;
  }
  return st;
}

static void answer_link(bench *b) {
  static link_copy *const copies[] = {link_plain, link_async, link_pageable, link_mapped, link_host};
  link_bench l = {.each = b->tiny ? 5 << 20 : 64 << 20};
  double rate[5] = {0};
  tsr_status st = link_make(b, &l);
  for (int i = 0; i < 5 && st == TSR_OK; i++) st = link_time(b, &l, copies[i], &rate[i]);
  if (st == TSR_OK)
    printf("%.2f %.2f %.2f %.2f %.2f\n", rate[0], rate[1], rate[2], rate[3], rate[4]);
  else
    printf("error %s\n", tsr_error(&b->ctx));
  if (l.plain != NULL) (void)l.d.host_free(l.plain);
  if (l.path[0] != 0) (void)remove(l.path);
  for (int i = 0; i < LINK_TENSORS; i++) tsr_release(&l.part[i]);
  tsr_release(&l.pinned);
  tsr_release(&l.host);
  tsr_release(&l.there);
}

#endif
