/* Every kernel that calls of every op lead to, compiled by the real compiler: no GPU is needed for that. The engines plan for a device that
 * computes nothing. Skipped where NVRTC is not installed. */
#include "cuda/engine.h"
#include "cuda/engines/product.h"
#include "support/op_case.h"
#include "support/test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- the compiler ---- */

typedef struct program program;
static struct {
  int (*create)(program **, const char *, const char *, int, const char *const *, const char *const *);
  int (*compile)(program *, int, const char *const *);
  int (*log_size)(program *, size_t *);
  int (*log)(program *, char *);
  int (*destroy)(program **);
} rtc;

static bool open_compiler(void) {
  static const char *const files[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                      "/usr/local/cuda/lib64/libnvrtc.so"};
  static const char *const names[] = {"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize",
                                      "nvrtcGetProgramLog", "nvrtcDestroyProgram"};
  void *library = NULL, *found[5];
  for (size_t i = 0; i < sizeof files / sizeof files[0] && library == NULL; i++)
    library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; i < 5; i++)
    if (library == NULL || (found[i] = dlsym(library, names[i])) == NULL) return false;
  memcpy(&rtc, found, sizeof rtc);
  return true;
}

static long compiled, refused;

static void compile(const char *text, const char *name, const char *arch) {
  const char *const options[] = {arch,         "-fmad=false",    "-prec-div=true", "-prec-sqrt=true",
                                 "-ftz=false", "-default-device"};
  program *p = NULL;
  size_t bytes = 0;
  char log[1500] = "";
  if (rtc.create(&p, text, "generated.cu", 0, NULL, NULL) != 0) return;
  const int r = rtc.compile(p, 6, options);
  compiled++;
  if (r != 0 && rtc.log_size(p, &bytes) == 0) {
    char *const all = malloc(bytes + 1);
    if (all != NULL && rtc.log(p, all) == 0) (void)snprintf(log, sizeof log, "%s", all);
    free(all);
    if (refused++ == 0 && !test_check(false, __FILE__, __LINE__, "it compiles"))
      printf("  %s for %s:\n%s\n", name, arch, log);
  }
  (void)rtc.destroy(&p);
}

/* ---- what engines ask of a GPU ---- */

struct tsr__cuda {
  tsr__cuda_traits traits;
};
static tsr__cuda gpu = {
    {.capability = 90, .multiprocessors = 132, .threads = 2048, .shared_block = 227 << 10, .shared_all = 228 << 10}};

enum { SEEN = 1 << 16 };
static uint64_t seen[SEEN];

/* Whether a text is new. */
static bool remember(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text != 0; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  for (size_t i = hash % SEEN;; i = (i + 1) % SEEN) {
    if (seen[i] == hash) return false;
    if (seen[i] != 0) continue;
    seen[i] = hash;
    return true;
  }
}

const tsr__cuda_kernel *tsr__cuda_kernel_find(const tsr__cuda *g, const tsr__cuda_key *key) {
  (void)g, (void)key;
  return NULL;
}

tsr_status tsr__cuda_kernel_get(tsr__cuda *g, tsr_ctx *ctx, const tsr__cuda_key *key, const tsr__cuda_source *source,
                                const tsr__cuda_kernel **kernel) {
  static const tsr__cuda_kernel some = {.name = "some"};
  (void)g, (void)ctx, (void)key;
  *kernel = &some;
  if (!remember(source->text)) return TSR_OK;
  compile(source->text, source->name, "-arch=sm_90");
  if (compiled % 5 == 0) compile(source->text, source->name, "-arch=sm_80");
  return TSR_OK;
}

void tsr__cuda_plan_launch(tsr__cuda_plan *plan, const tsr__cuda_kernel *kernel, tsr__cuda_grid grid, unsigned threads,
                           unsigned shared, const void *args, size_t bytes) {
  (void)plan, (void)kernel, (void)args;
  CHECK(grid.x > 0 && grid.y > 0 && grid.y <= 65535 && grid.z > 0 && grid.z <= 65535);
  CHECK(threads > 0 && threads <= 1024 && shared <= 227 << 10 && bytes <= 4096);
}
void tsr__cuda_plan_address(tsr__cuda_plan *plan, size_t at, tsr__cuda_ref ref) { (void)plan, (void)at, (void)ref; }
void tsr__cuda_plan_fault(tsr__cuda_plan *plan, size_t at, const char *argument) {
  (void)plan, (void)at, (void)argument;
}
size_t tsr__cuda_plan_scratch(tsr__cuda_plan *plan, size_t bytes) {
  (void)plan, (void)bytes;
  return 0;
}
void tsr__cuda_plan_call(tsr__cuda_plan *plan, tsr__cuda_call *call, const void *args, size_t bytes) {
  (void)plan, (void)call, (void)args, (void)bytes;
}
tsr_status tsr__cuda_plan_blas(tsr__cuda *g, tsr_ctx *ctx, const tsr__cuda_product *p, tsr__cuda_ref out, bool *done,
                               tsr__cuda_plan *plan) {
  (void)g, (void)ctx, (void)p, (void)out, (void)plan;
  *done = false;
  return TSR_OK;
}

/* ---- a device that plans ---- */

static tsr_status plan_work(void *self, const tsr_work *work, void **prepared) {
  const tsr__cuda_op *const op = tsr__cuda_op_find(work->op);
  (void)self, (void)prepared;
  return op->prepare(&gpu, op, work, NULL);
}
static tsr_status run_nothing(void *self, const tsr_work *work, void *prepared) {
  (void)self, (void)work, (void)prepared;
  return TSR_OK;
}
static bool has_op(void *self, const char *op) {
  (void)self;
  return tsr__cuda_op_find(op) != NULL;
}
static tsr_status take(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  (void)self, (void)hint;
  *ptr = aligned_alloc(align < 256 ? 256 : align, (bytes + 511) / 256 * 256);
  return *ptr != NULL ? TSR_OK : TSR_ENOMEM;
}
static void give(void *self, void *ptr, size_t bytes) {
  (void)self, (void)bytes;
  free(ptr);
}
static tsr_status copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  (void)self, (void)direction;
  memmove(dst, src, bytes);
  return TSR_OK;
}
static tsr_status fill(void *self, void *dst, const void *pattern, size_t bytes, size_t count) {
  (void)self;
  for (size_t i = 0; i < count; i++) memcpy((char *)dst + i * bytes, pattern, bytes);
  return TSR_OK;
}
static tsr_status wait(void *self) {
  (void)self;
  return TSR_OK;
}
static const tsr_device planner = {.size = sizeof planner,
                                   .name = "plan",
                                   .alloc = take,
                                   .free = give,
                                   .copy = copy,
                                   .fill = fill,
                                   .sync = wait,
                                   .prepare = plan_work,
                                   .run = run_nothing,
                                   .has = has_op};

static void call(int i, uint64_t seed) {
  op_case c;
  tsr_ctx ctx;
  tsr_tensor in[OP_INPUTS] = {{0}}, out[OP_OUTPUTS] = {{0}};
  const tsr_tensor *ins[OP_INPUTS];
  tsr_tensor *outs[OP_OUTPUTS];
  tsr_attr attrs[OP_ATTRS];
  tsr_rng rng = tsr_rng_seed(seed);
  op_case_init(&c, i, seed, seed % 3 == 0);
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, &planner));
  for (int k = 0; k < c.inputs; k++) {
    ins[k] = c.in[k].dtype == TSR_NONE ? NULL : &in[k];
    if (ins[k] != NULL) OK(&ctx, tsr_to_device(&ctx, &c.in[k], &planner, &in[k]));
  }
  for (int k = 0; k < c.attrs; k++) {
    attrs[k] = c.attr[k];
    if (attrs[k].type == TSR_OP_RNG) attrs[k].value.rng = &rng;
  }
  for (int k = 0; k < c.outputs; k++) {
    outs[k] = &out[k];
    if (c.given[k].dtype != TSR_NONE) OK(&ctx, tsr_to_device(&ctx, &c.given[k], &planner, &out[k]));
  }
  if (c.object == OP_NO_OBJECT) (void)!tsr_op_call(&ctx, c.op, c.inputs, ins, c.attrs, attrs, c.outputs, outs);
  for (int k = 0; k < c.outputs; k++) tsr_release(&out[k]);
  for (int k = 0; k < c.inputs; k++) tsr_release(&in[k]);
  op_case_release(&c);
}

/* TSR_CUDA_ROUNDS=20: so many calls of each op. */
TEST(every_kernel) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  const char *const rounds = getenv("TSR_CUDA_ROUNDS");
  const uint64_t most = rounds != NULL ? (uint64_t)atoi(rounds) : 1;
  long ops = 0;
  for (int i = 0; i < tsr_op_count(); i++) {
    if (tsr__cuda_op_find(tsr_op_at(i)->name) == NULL) continue;
    ops++;
    for (uint64_t seed = 1; seed <= most; seed++) call(i, seed * 613 + (uint64_t)i);
  }
  printf("%ld ops, %ld kernels compiled, %ld refused\n", ops, compiled, refused);
  CHECK(ops > 150 && compiled > ops / 2);
  CHECK(refused == 0);
}

TEST_MAIN(RUN(every_kernel))
