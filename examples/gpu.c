/* A GPU: batches are copied in one queue while another one computes with the batch before. Where there is no GPU it says so.
 *
 *   queue "copy"     | batch 0 |  batch 1    |  batch 2    | ...
 *   queue "compute"            | y0 = f(x0)  | y1 = f(x1)  | ...
 *
 * The order between the two needs no word: a call that reads what another queue writes waits for it on the device, and so does a
 * copy into memory that is still being read. */
#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

#if TSR_HAVE_OPS

enum { BATCHES = 6, ROWS = 64, COLUMNS = 256 };

/* Two contexts, each with a queue of its own, and pinned memory, which the device reads by itself. */
typedef struct pipeline {
  tsr_ctx pinned, copy, compute;
  tsr_queue *copies, *computes;
  tsr_tensor staged[2], x[2]; /* on the host; on the device */
} pipeline;

static tsr_status open_pipeline(const tsr_device *gpu, pipeline *p) {
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&p->pinned, tsr_device_host_allocator(gpu)), done);
  TSR_TRY(st, tsr_context_init(&p->copy, NULL), done);
  TSR_TRY(st, tsr_context_init(&p->compute, NULL), done);
  TSR_TRY(st, tsr_queue_new(&p->copy, gpu, &p->copies), done);
  TSR_TRY(st, tsr_queue_new(&p->compute, gpu, &p->computes), done);
  TSR_TRY(st, tsr_context_set_queue(&p->copy, p->copies), done);
  TSR_TRY(st, tsr_context_set_queue(&p->compute, p->computes), done);
  for (int i = 0; i < 2; i++) {
    TSR_TRY(st, tsr_zeros(&p->pinned, TSR_F32, TSR_SHAPE(ROWS, COLUMNS), &p->staged[i]), done);
    TSR_TRY(st, tsr_to_device(&p->copy, &p->staged[i], gpu, &p->x[i]), done);
  }
done:
  return st;
}

static void close_pipeline(pipeline *p) {
  for (int i = 0; i < 2; i++) {
    tsr_release(&p->staged[i]);
    tsr_release(&p->x[i]);
  }
  tsr_queue_release(p->copies);
  tsr_queue_release(p->computes);
}

/* A number for every row of a batch: the greatest of exp(-x). */
static tsr_status compute(pipeline *p, const tsr_tensor *x, tsr_tensor *y) {
  tsr_tensor t = {0};
  tsr_status st;
  TSR_TRY(st, tsr_neg(&p->compute, x, &t), done);
  TSR_TRY(st, tsr_exp(&p->compute, &t, &t), done);
  TSR_TRY(st, tsr_max(&p->compute, &t, TSR_AXES(1), false, y), done); /* (ROWS) */
done:
  tsr_release(&t);
  return st;
}

static tsr_status run_batches(pipeline *p, tsr_tensor *y) {
  tsr_event *read[2] = {NULL, NULL}; /* a buffer of the host is written again after the copy that reads it */
  tsr_status st = TSR_OK;
  for (int i = 0; i < 2 && st == TSR_OK; i++) st = tsr_event_new(NULL, p->copies->device, &read[i]);
  for (int b = 0; b < BATCHES && st == TSR_OK; b++) {
    const int i = b % 2;
    TSR_TRY(st, tsr_event_sync(NULL, read[i]), done);
    TSR_TRY(st, tsr_fill(NULL, b + 1, &p->staged[i]), done); /* where a program reads its data */
    TSR_TRY(st, tsr_copy_async(&p->copy, &p->staged[i], &p->x[i]), done);
    TSR_TRY(st, tsr_event_record(&p->copy, read[i], p->copies), done);
    TSR_TRY(st, compute(p, &p->x[i], &y[b]), done); /* waits for the copy, on the device */
  }
done:
  for (int i = 0; i < 2; i++) tsr_event_release(read[i]);
  return st;
}

static tsr_status show(pipeline *p, tsr_tensor *y) {
  tsr_status st = tsr_queue_sync(&p->compute, p->computes); /* what went wrong in data would be said here */
  for (int b = 0; b < BATCHES && st == TSR_OK; b++) {
    tsr_tensor host = {0};
    st = tsr_to_device(&p->compute, &y[b], NULL, &host);
    if (st == TSR_OK) printf("batch %d: exp(-%d) = %.6f\n", b, b + 1, (double)((const float *)host.data)[0]);
    tsr_release(&host);
  }
  return st;
}

int main(void) {
  const tsr_device *gpu;
  pipeline p;
  tsr_tensor y[BATCHES];
  tsr_device_details details = {.size = sizeof details};
  if (tsr_device_open(NULL, "cuda:0", &gpu) != TSR_OK) {
    printf("no GPU: %s\n", tsr_error(NULL));
    return 0;
  }
  memset(&p, 0, sizeof p);
  memset(y, 0, sizeof y);
  tsr_status st = tsr_device_info(NULL, gpu, &details);
  printf("%s: %s, %d multiprocessors\n", gpu->name, details.name, details.multiprocessors);
  if (st == TSR_OK) st = open_pipeline(gpu, &p);
  if (st == TSR_OK) st = run_batches(&p, y);
  if (st == TSR_OK) st = show(&p, y);
  if (st != TSR_OK) printf("failed: %s\n", tsr_status_name(st));
  for (int b = 0; b < BATCHES; b++) tsr_release(&y[b]);
  close_pipeline(&p);
  return st != TSR_OK;
}

#else

int main(void) {
  printf("no GPU: this build computes on the host alone\n");
  return 0;
}

#endif
