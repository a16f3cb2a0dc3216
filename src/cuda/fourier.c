/* cuFFT: its functions are declared here, so that building takes no header of it. Plans are kept by dtype, length and number of lines; their
 * temporary memory is the call's. */
#include "cuda/fourier.h"

#include "cuda/gpu.h"

#include <dlfcn.h>
#include <string.h>

enum { SUCCESS = 0, OF_C64 = 0x29, OF_C128 = 0x69, OF_F32 = 0x2a, OF_F64 = 0x6a, FORWARD = -1, INVERSE = 1 };

/* As in its header. A handle is an int; results are its enum's. */
typedef struct fourier_functions {
  int (*create)(int *handle);
  int (*destroy)(int handle);
  int (*set_allocation)(int handle, int automatic);
  int (*make_plan)(int handle, int rank, long long *n, long long *in_embed, long long in_step, long long in_apart,
                   long long *out_embed, long long out_step, long long out_apart, int type, long long batch,
                   size_t *bytes);
  int (*set_area)(int handle, void *area);
  int (*set_stream)(int handle, void *stream);
  int (*run_c64)(int handle, void *from, void *to, int direction);
  int (*run_c128)(int handle, void *from, void *to, int direction);
  int (*run_f32)(int handle, void *from, void *to);
  int (*run_f64)(int handle, void *from, void *to);
} fourier_functions;

struct fourier_plan {
  int dtype, handle;
  bool real;
  int64_t n, lines;
  size_t bytes; /* of temporary memory */
  struct fourier_plan *next;
};

/* What is enqueued. */
typedef struct fourier_call {
  const struct fourier_plan *plan;
  uint64_t from, to, area;
  int32_t direction;
} fourier_call;

/* Once: where it is missing it is not looked for again. The lock is held. */
static const fourier_functions *find_functions(tsr__cuda *gpu) {
  static const char *const files[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so", NULL};
  static const char *const names[] = {
      "cufftCreate",    "cufftDestroy", "cufftSetAutoAllocation", "cufftMakePlanMany64", "cufftSetWorkArea",
      "cufftSetStream", "cufftExecC2C", "cufftExecZ2Z",           "cufftExecR2C",        "cufftExecD2Z"};
  void *found[sizeof names / sizeof names[0]];
  fourier_functions *f = gpu->fourier_functions;
  _Static_assert(sizeof found == sizeof *f, "a function for each name");
  if (gpu->fourier_tried) return f;
  gpu->fourier_tried = true;
  void *const library = tsr__cuda_library(files);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (library == NULL || (found[i] = dlsym(library, names[i])) == NULL) return NULL;
  f = tsr__cuda_host_new(sizeof *f);
  if (f == NULL) return NULL;
  memcpy(f, found, sizeof *f);
  return gpu->fourier_functions = f;
}

static bool make_plan(const fourier_functions *f, struct fourier_plan *p) {
  const bool narrow = p->dtype == TSR_C64;
  const int type = p->real ? (narrow ? OF_F32 : OF_F64) : narrow ? OF_C64 : OF_C128;
  long long n = p->n, half = p->real ? n / 2 + 1 : n;
  if (f->create(&p->handle) != SUCCESS) return false;
  if (f->set_allocation(p->handle, 0) == SUCCESS &&
      f->make_plan(p->handle, 1, &n, &n, 1, n, &half, 1, half, type, p->lines, &p->bytes) == SUCCESS)
    return true;
  (void)f->destroy(p->handle);
  return false;
}

/* The lock is held. */
static const struct fourier_plan *find_plan(tsr__cuda *gpu, const tsr__cuda_lines_of *wanted) {
  const fourier_functions *const f = find_functions(gpu);
  if (f == NULL) return NULL;
  for (struct fourier_plan *p = gpu->fourier_plans; p != NULL; p = p->next)
    if (p->dtype == wanted->dtype && p->real == wanted->real && p->n == wanted->n && p->lines == wanted->lines)
      return p;
  struct fourier_plan *const p = tsr__cuda_host_new(sizeof *p);
  if (p == NULL) return NULL;
  *p = (struct fourier_plan){
      .dtype = wanted->dtype, .real = wanted->real, .n = wanted->n, .lines = wanted->lines, .next = gpu->fourier_plans};
  if (!make_plan(f, p)) {
    tsr__cuda_host_free(p, sizeof *p);
    return NULL;
  }
  return gpu->fourier_plans = p;
}

/* Stream and temporary memory are the handle's, which other threads use too: the lock is held until it is enqueued. */
static tsr_status transform(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, void *args) {
  const fourier_functions *const f = gpu->fourier_functions;
  fourier_call c;
  memcpy(&c, args, sizeof c);
  void *const from = (void *)(uintptr_t)c.from, *const to = (void *)(uintptr_t)c.to;
  const bool narrow = c.plan->dtype == TSR_C64;
  const int handle = c.plan->handle;
  (void)pthread_mutex_lock(&gpu->blas_lock);
  int r = f->set_stream(handle, tsr__cuda_queue_stream(queue));
  if (r == SUCCESS && c.plan->bytes > 0) r = f->set_area(handle, (void *)(uintptr_t)c.area);
  if (r == SUCCESS)
    r = c.plan->real ? (narrow ? f->run_f32 : f->run_f64)(handle, from, to)
                     : (narrow ? f->run_c64 : f->run_c128)(handle, from, to, c.direction);
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  return r == SUCCESS ? TSR_OK : TSR__FAIL(ctx, TSR_EDEVICE, "fft", NULL, "cuFFT refuses it: status %d", r);
}

tsr_status tsr__cuda_plan_fourier(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, const tsr__cuda_lines_of *f, bool *done,
                                  tsr__cuda_plan *plan) {
  fourier_call c = {.direction = f->inverse ? INVERSE : FORWARD};
  tsr__cuda_scope scope;
  *done = false;
  if (gpu->is_ahead) return TSR_OK;
  const tsr_status st = tsr__cuda_enter(gpu, ctx, op, &scope);
  if (st != TSR_OK) return st;
  (void)pthread_mutex_lock(&gpu->blas_lock);
  c.plan = find_plan(gpu, f);
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  tsr__cuda_leave(gpu, scope);
  if (c.plan == NULL) return TSR_OK; /* our own kernel does it */
  const size_t area = tsr__cuda_plan_scratch(plan, c.plan->bytes);
  tsr__cuda_plan_call(plan, transform, &c, sizeof c);
  tsr__cuda_plan_address(plan, offsetof(fourier_call, from), f->from);
  tsr__cuda_plan_address(plan, offsetof(fourier_call, to), f->to);
  tsr__cuda_plan_address(plan, offsetof(fourier_call, area), tsr__cuda_scratch(area));
  *done = true;
  return TSR_OK;
}
