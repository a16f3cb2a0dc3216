/* DLPack on a GPU, both ways, with a consumer and a producer that work in streams of their own. */
#include "gpu_support.h"

#include "cuda/emulated.h"

/* What another library calls. */
typedef struct other {
  CUresult (*retain)(CUcontext *, CUdevice);
  CUresult (*push)(CUcontext);
  CUresult (*pop)(CUcontext *);
  CUresult (*make)(CUstream *, unsigned);
  CUresult (*destroy)(CUstream);
  CUresult (*wait)(CUstream);
  CUresult (*read)(void *, CUdeviceptr, size_t, CUstream);
  CUresult (*set)(CUdeviceptr, unsigned, size_t, CUstream);
  CUresult (*alloc)(CUdeviceptr *, size_t);
  CUresult (*release)(CUdeviceptr);
  CUstream stream;
} other;

static bool open_other(other *o) {
  CUcontext context = NULL;
  if (!gpu_emulator("cuDevicePrimaryCtxRetain", &o->retain) || !gpu_emulator("cuCtxPushCurrent_v2", &o->push) ||
      !gpu_emulator("cuCtxPopCurrent_v2", &o->pop) || !gpu_emulator("cuStreamCreate", &o->make) ||
      !gpu_emulator("cuStreamDestroy_v2", &o->destroy) || !gpu_emulator("cuStreamSynchronize", &o->wait) ||
      !gpu_emulator("cuMemcpyDtoHAsync_v2", &o->read) || !gpu_emulator("cuMemsetD32Async", &o->set) ||
      !gpu_emulator("cuMemAlloc_v2", &o->alloc) || !gpu_emulator("cuMemFree_v2", &o->release))
    return false;
  CHECK(o->retain(&context, 0) == 0 && o->push(context) == 0 && o->make(&o->stream, 1) == 0);
  return true;
}

static void close_other(other *o) {
  CUcontext context;
  CHECK(o->destroy(o->stream) == 0 && o->pop(&context) == 0);
}

static void run_late(bool late) {
  emulator_set_late_fn set;
  if (gpu_emulator("emulator_set_late", &set)) set(late);
}

TEST(the_stream_of_a_consumer_waits_for_the_writer) {
  GPU_OR_SKIP(gpu);
  other o;
  float got[100] = {0};
  if (!open_other(&o)) SKIP("the emulated driver is not there");
  run_late(true);
  tsr_tensor x = gpu_numbers(NULL, gpu, 100), y = {0};
  tsr_dl_managed_versioned *managed = NULL;
  OK(NULL, tsr_neg(NULL, &x, &y));
  OK(NULL, tsr_dlpack_export_to(NULL, &y, false, o.stream, &managed));
  REQUIRE(managed != NULL);
  CHECK(managed->dl_tensor.device.type == TSR_DL_CUDA && managed->dl_tensor.device.id == 0);
  CHECK(managed->dl_tensor.data == y.data);
  tsr_release(&y); /* the consumer has a count */
  CHECK(o.read(got, (CUdeviceptr)(uintptr_t)managed->dl_tensor.data, sizeof got, o.stream) == 0 &&
        o.wait(o.stream) == 0);
  CHECK(got[99] == -99);
  managed->deleter(managed);
  tsr_release(&x);
  run_late(false);
  close_other(&o);
}

TEST(without_a_stream_the_host_waits) {
  GPU_OR_SKIP(gpu);
  other o;
  float got[100] = {0};
  if (!open_other(&o)) SKIP("the emulated driver is not there");
  run_late(true);
  tsr_tensor x = gpu_numbers(NULL, gpu, 100), y = {0};
  tsr_dl_managed *managed = NULL;
  OK(NULL, tsr_neg(NULL, &x, &y));
  OK(NULL, tsr_dlpack_export_unversioned(NULL, &y, false, &managed));
  CHECK(o.read(got, (CUdeviceptr)(uintptr_t)managed->dl_tensor.data, sizeof got, o.stream) == 0 &&
        o.wait(o.stream) == 0);
  CHECK(got[42] == -42);
  managed->deleter(managed);
  tsr_release(&x);
  tsr_release(&y);
  run_late(false);
  close_other(&o);
}

/* ---- a tensor of somebody else ---- */

/* It has its memory back, and writes to it at once. */
static int deleted;
static void delete_theirs(tsr_dl_managed_versioned *self) {
  const other *const o = self->manager_ctx;
  if (o != NULL && o->set((CUdeviceptr)(uintptr_t)self->dl_tensor.data, 0, 100, o->stream) == 0)
    (void)o->wait(o->stream);
  deleted++;
}

TEST(a_tensor_of_another_library_is_used_where_it_lies) {
  GPU_OR_SKIP(gpu);
  other o;
  CUdeviceptr memory = 0;
  int64_t shape[] = {4, 25}, strides[] = {25, 1};
  if (!open_other(&o)) SKIP("the emulated driver is not there");
  CHECK(o.alloc(&memory, 400) == 0);
  tsr_dl_managed_versioned theirs = {.version = {1, 1},
                                     .deleter = delete_theirs,
                                     .manager_ctx = &o,
                                     .dl_tensor = {.data = (void *)(uintptr_t)memory,
                                                   .device = {TSR_DL_CUDA, 0},
                                                   .ndim = 2,
                                                   .dtype = {TSR_DL_FLOAT, 32, 1},
                                                   .shape = shape,
                                                   .strides = strides}};
  tsr_tensor x = {0}, y = {0};
  deleted = 0;
  OK(NULL, tsr_dlpack_import(NULL, &theirs, &x));
  CHECK(tsr_device_of(&x) == gpu && x.data == (void *)(uintptr_t)memory);
  /* written in our order: by their library, in the stream of our queue */
  CHECK(o.set(memory, 0x40000000u, 100, tsr_queue_native(gpu, NULL)) == 0);
  run_late(true);
  OK(NULL, tsr_add(NULL, &x, &x, &y));
  tsr_release(&x); /* waits for our use of it, then it is theirs again */
  CHECK(deleted == 1);
  run_late(false);
  CHECK(gpu_element(NULL, &y, 77) == 4);
  tsr_release(&y);
  CHECK(o.release(memory) == 0);
  close_other(&o);
}

TEST(a_device_that_is_not_there_is_refused) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  int64_t shape[] = {4};
  tsr_dl_managed_versioned theirs = {
      .version = {1, 1},
      .deleter = delete_theirs,
      .dl_tensor = {
          .data = shape, .device = {TSR_DL_CUDA, 63}, .ndim = 1, .dtype = {TSR_DL_FLOAT, 32, 1}, .shape = shape}};
  tsr_tensor x = {0};
  deleted = 0;
  FAILS(NULL, TSR_EDEVICE, tsr_dlpack_import(NULL, &theirs, &x));
  MESSAGE_HAS(NULL, "cuda:63");
  CHECK(deleted == 1 && tsr_is_none(&x));
}

TEST_MAIN(RUN(the_stream_of_a_consumer_waits_for_the_writer), RUN(without_a_stream_the_host_waits),
          RUN(a_tensor_of_another_library_is_used_where_it_lies), RUN(a_device_that_is_not_there_is_refused))
