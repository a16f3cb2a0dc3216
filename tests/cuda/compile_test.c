/* Every kernel that calls of every op lead to, compiled by the real compiler: no GPU is needed for that. The engines plan for a device that
 * computes nothing. Skipped where NVRTC is not installed, and under MSan. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "cuda/engine.h"
#include "cuda/engines/conv.h"
#include "cuda/engines/product.h"
#include "cuda/fourier.h"
#include "memory/sanitizers.h"
#include "program/program.h"
#include "support/op_case.h"
#include "support/random_program.h"
#include "support/test.h"

#include <dlfcn.h>
#include <sys/mman.h>
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
  if (TEST_MSAN) return false; /* what it writes was not compiled with the sanitizer */
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
  const char *const options[] = {arch,         "-fmad=false",     "-prec-div=true",    "-prec-sqrt=true",
                                 "-ftz=false", "-default-device", "--ptxas-options=-v"};
  const bool tells = getenv("TSR_CUDA_TELL") != NULL;
  program *p = NULL;
  size_t bytes = 0;
  char log[1500] = "";
  if (rtc.create(&p, text, "generated.cu", 0, NULL, NULL) != 0) return;
  const int r = rtc.compile(p, tells ? 7 : 6, options);
  compiled++;
  if ((r != 0 || tells) && rtc.log_size(p, &bytes) == 0) {
    char *const all = malloc(bytes + 1);
    if (all != NULL && rtc.log(p, all) == 0) (void)snprintf(log, sizeof log, "%s", all);
    free(all);
    if (r == 0)
      printf("%s, %s: %s\n", name, arch, log);
    else if (refused++ == 0 && !test_check(false, __FILE__, __LINE__, "it compiles"))
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
  const bool newest = gpu.traits.capability == 90; /* kernels that only it has are for it alone */
  if (newest) compile(source->text, source->name, "-arch=sm_90a");
  if (!newest || (compiled % 5 == 0 && strstr(source->text, "wgmma") == NULL))
    compile(source->text, source->name, "-arch=sm_80");
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
void tsr__cuda_plan_fault_as(tsr__cuda_plan *plan, size_t at, const char *argument, tsr_status status,
                             const char *what) {
  (void)plan, (void)at, (void)argument, (void)status, (void)what;
}
size_t tsr__cuda_plan_scratch(tsr__cuda_plan *plan, size_t bytes) {
  (void)plan, (void)bytes;
  return 0;
}
void tsr__cuda_plan_set(tsr__cuda_plan *plan, tsr__cuda_ref to, int value, size_t bytes) {
  (void)plan, (void)to, (void)value, (void)bytes;
}
void tsr__cuda_plan_copy(tsr__cuda_plan *plan, tsr__cuda_ref to, tsr__cuda_ref from, size_t bytes) {
  (void)plan, (void)to, (void)from, (void)bytes;
}
void tsr__cuda_plan_sized(tsr__cuda_plan *plan, tsr__cuda_ref found, tsr__cuda_sized *sized) {
  (void)plan, (void)found, (void)sized;
}
size_t tsr__cuda_plan_constant(tsr__cuda_plan *plan, const void *bytes, size_t count) {
  (void)plan, (void)bytes, (void)count;
  return 0;
}
void tsr__cuda_plan_call(tsr__cuda_plan *plan, tsr__cuda_call *call, const void *args, size_t bytes) {
  (void)plan, (void)call, (void)args, (void)bytes;
}
tsr_status tsr__cuda_plan_blas(tsr__cuda *g, tsr_ctx *ctx, const tsr__cuda_product *p, const tsr__cuda_view *out,
                               const tsr__cuda_view *bias, bool *done, tsr__cuda_plan *plan) {
  (void)g, (void)ctx, (void)p, (void)out, (void)bias, (void)plan;
  *done = false;
  return TSR_OK;
}

tsr_status tsr__cuda_conv_dnn(tsr__cuda *g, tsr_ctx *ctx, const tsr__cuda_conv *c, bool *done, tsr__cuda_plan *plan) {
  (void)g, (void)ctx, (void)c, (void)plan;
  *done = false;
  return TSR_OK;
}
tsr_status tsr__cuda_plan_fourier(tsr__cuda *g, tsr_ctx *ctx, const char *op, const tsr__cuda_lines_of *f, bool *done,
                                  tsr__cuda_plan *plan) {
  (void)g, (void)ctx, (void)op, (void)f, (void)plan;
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
enum { HUGE = 1 << 30 }; /* bytes from which memory is addresses that nobody touches */

static tsr_status take(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  (void)self, (void)hint;
  if (bytes >= HUGE) {
    void *const pages = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *ptr = pages != MAP_FAILED ? pages : NULL;
  } else {
    *ptr = aligned_alloc(align < 256 ? 256 : align, (bytes + 511) / 256 * 256);
  }
  return *ptr != NULL ? TSR_OK : TSR_ENOMEM;
}
static void give(void *self, void *ptr, size_t bytes) {
  (void)self;
  if (bytes >= HUGE)
    (void)munmap(ptr, bytes);
  else
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

/* TSR_CUDA_ROUNDS=20: so many calls of each op. TSR_CUDA_OP=softmax: that op alone. TSR_CUDA_TELL=1: registers and memory of each. */
TEST(every_kernel) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  const char *const rounds = getenv("TSR_CUDA_ROUNDS"), *const only = getenv("TSR_CUDA_OP");
  const uint64_t most = rounds != NULL ? (uint64_t)atoi(rounds) : 1;
  long ops = 0;
  for (int i = 0; i < tsr_op_count(); i++) {
    if (tsr__cuda_op_find(tsr_op_at(i)->name) == NULL) continue;
    if (only != NULL && strcmp(only, tsr_op_at(i)->name) != 0) continue;
    ops++;
    for (uint64_t seed = 1; seed <= most; seed++) call(i, seed * 613 + (uint64_t)i);
  }
  printf("%ld ops, %ld kernels compiled, %ld refused\n", ops, compiled, refused);
  CHECK(only != NULL || (ops > 150 && compiled > ops / 2));
  CHECK(refused == 0);
}

/* Rows of lengths for which there are kernels of their own, which calls of tests are too small for. */
static void call_rows(int dtype, tsr_index count, tsr_index n) {
  tsr_ctx ctx;
  tsr_tensor host = {0}, x = {0}, row = {0}, y[8] = {{0}};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_zeros(NULL, dtype, TSR_SHAPE(count, n), &host));
  OK(&ctx, tsr_context_set_device(&ctx, &planner));
  OK(&ctx, tsr_to_device(&ctx, &host, &planner, &x));
  OK(&ctx, tsr_empty(&ctx, dtype, TSR_SHAPE(n), &row));
  OK(&ctx, tsr_softmax(&ctx, &x, 1, &y[0]));
  OK(&ctx, tsr_log_softmax(&ctx, &x, 1, &y[1]));
  OK(&ctx, tsr_layer_norm(&ctx, &x, &row, &row, 1, (tsr_real)1e-5, &y[2]));
  OK(&ctx, tsr_rms_norm(&ctx, &x, &row, 1, (tsr_real)1e-5, &y[3]));
  OK(&ctx, tsr_var(&ctx, &x, TSR_AXES(1), false, 1, &y[4]));
  OK(&ctx, tsr_logsumexp(&ctx, &x, TSR_AXES(1), false, &y[5]));
  OK(&ctx, tsr_sum(&ctx, &x, TSR_AXES(1), false, &y[6]));
  OK(&ctx, tsr_argmax(&ctx, &x, 1, false, &y[7]));
  for (int i = 0; i < 8; i++) tsr_release(&y[i]);
  OK(&ctx, tsr_eval(&ctx, "softmax(x*2 + r, axis=1)", TSR_NAMED({"x", &x}, {"r", &row}), &y[0]));
  OK(&ctx, tsr_eval(&ctx, "var(x*2 + r, axis=1)", TSR_NAMED({"x", &x}, {"r", &row}), &y[1]));
  for (int i = 0; i < 2; i++) tsr_release(&y[i]);
  tsr_release(&host);
  tsr_release(&x);
  tsr_release(&row);
}

TEST(rows_of_every_length) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  static const tsr_index lengths[] = {7, 64, 1000, 2048, 16384, 70000};
  const char *const only = getenv("TSR_CUDA_ROW");
  for (int i = 0; i < COUNT_OF(lengths); i++)
    if (only == NULL || atoi(only) == (int)lengths[i])
      call_rows(i == 3 ? TSR_F64 : i == 5 ? TSR_F16 : TSR_F32, 3, lengths[i]);
  CHECK(refused == 0);
}

/* Rows that no block has room for; wide: longer than 30 bits count, addresses alone. */
static void call_long_rows(int dtype, tsr_index n) {
  tsr_ctx ctx;
  tsr_tensor x = {0}, index = {0}, y[8] = {{0}};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, &planner));
  if (tsr_empty(&ctx, dtype, TSR_SHAPE(n), &x) != TSR_OK) return;
  OK(&ctx, tsr_sort(&ctx, &x, 0, false, &y[0]));
  OK(&ctx, tsr_argsort(&ctx, &x, 0, true, &y[1]));
  OK(&ctx, tsr_partition(&ctx, &x, 5, 0, &y[2]));
  OK(&ctx, tsr_argpartition(&ctx, &x, 5, 0, &y[3]));
  OK(&ctx, tsr_topk(&ctx, &x, 100, 0, true, true, &y[4], &y[5]));
  OK(&ctx, tsr_median(&ctx, &x, 0, NULL, false, &y[6]));
  OK(&ctx, tsr_empty(&ctx, TSR_I32, TSR_SHAPE(n), &index));
  OK(&ctx, tsr_put(&ctx, &x, &index, &x, 0, TSR_SCATTER_MAX, &y[7]));
  for (int i = 0; i < COUNT_OF(y); i++) tsr_release(&y[i]);
  tsr_release(&x);
  tsr_release(&index);
}

/* Attention of many queries and of some that share keys, for both kinds of products of warps. */
TEST(tiles_of_attention) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  static const tsr_index lengths[][2] = {{100, 64}, {100, 128}, {4, 64}, {4, 128}};
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, &planner));
  for (int capability = 80; capability <= 90; capability += 10)
    for (int dtype = TSR_F16; dtype <= TSR_BF16; dtype++)
      for (int i = 0; i < COUNT_OF(lengths); i++) {
        tsr_tensor host = {0}, x = {0}, y = {0};
        gpu.traits.capability = capability;
        OK(NULL, tsr_zeros(NULL, dtype, TSR_SHAPE(1, 1, lengths[i][0], lengths[i][1]), &host));
        OK(&ctx, tsr_to_device(&ctx, &host, &planner, &x));
        OK(&ctx, tsr_attention(&ctx, &x, &x, &x, NULL, NULL, &y));
        tsr_release(&y);
        tsr_release(&x);
        tsr_release(&host);
      }
  gpu.traits.capability = 90;
  CHECK(refused == 0);
}

TEST(rows_that_are_sorted) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_I64, TSR_U8};
  for (int i = 0; i < COUNT_OF(dtypes); i++) call_long_rows(dtypes[i], 70000);
  call_long_rows(TSR_F32, ((tsr_index)1 << 30) + 64);
  call_long_rows(TSR_I8, ((tsr_index)1 << 32) + 64);
  CHECK(refused == 0);
}

/* More elements than 31 bits count. Their memory is addresses alone. */
TEST(more_than_31_bits_of_elements) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  const tsr_index n = ((tsr_index)1 << 31) + 64;
  tsr_ctx ctx;
  tsr_tensor x = {0}, view = {0}, y = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_device(&ctx, &planner));
  if (tsr_empty(&ctx, TSR_I8, TSR_SHAPE(n), &x) != TSR_OK) SKIP("there are no addresses for it");
  OK(&ctx, tsr_neg(&ctx, &x, &y));
  OK(&ctx, tsr_sum(&ctx, &x, 0, NULL, false, &view));
  tsr_release(&view);
  OK(&ctx, tsr_reshape_view(&ctx, &x, TSR_SHAPE(64, n / 64), &view));
  OK(&ctx, tsr_transpose(&ctx, &view, 0, 1, &view));
  OK(&ctx, tsr_reshape_view(&ctx, &y, TSR_SHAPE(n / 64, 64), &y));
  OK(&ctx, tsr_copy(&ctx, &view, &y)); /* by tiles */
  OK(&ctx, tsr_slice(&ctx, &x, 0, TSR_OMIT, TSR_OMIT, -1, &view));
  OK(&ctx, tsr_reshape_view(&ctx, &y, TSR_SHAPE(n), &y));
  OK(&ctx, tsr_add(&ctx, &x, &view, &y)); /* by packs, one of them backwards */
  OK(&ctx, tsr_roll(&ctx, &x, 3, 0, &y));
  tsr_release(&x);
  tsr_release(&y);
  CHECK(refused == 0);
}

/* Random programs, fused: what their groups are compiled to. */
static void plan_program(uint64_t seed) {
  static made m;
  random_program p;
  tsr_ctx ctx, host;
  tsr_program *recorded = NULL;
  tsr_tensor in[INPUTS] = {{0}}, value[INPUTS] = {{0}}, got[MOST_OUTPUTS] = {{0}}, *out[MOST_OUTPUTS];
  const tsr_tensor *ins[INPUTS];
  OK(NULL, tsr_context_init(&host, NULL));
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, &planner));
  random_program_make(&host, &p, seed, -1);
  OK(&ctx, tsr_program_new(&ctx, &recorded));
  for (int i = 0; i < INPUTS; i++) OK(&ctx, tsr_to_device(&ctx, &p.in[i], &planner, &in[i]));
  OK(&ctx, tsr_program_begin(&ctx, recorded));
  for (int i = 0; i < INPUTS; i++) OK(&ctx, tsr__program_input_as(&ctx, recorded, "in", &in[i], &value[i]));
  random_calls(&ctx, &p, value, &m);
  for (int i = 0; i < m.outputs; i++) OK(&ctx, tsr_program_output(&ctx, recorded, "out", &m.t[m.output[i]]));
  OK(&ctx, tsr_program_end_fused(&ctx, recorded, NULL));
  for (int i = 0; i < INPUTS; i++) ins[i] = &in[i];
  for (int i = 0; i < MOST_OUTPUTS; i++) out[i] = &got[i];
  if (m.outputs > 0) OK(&ctx, tsr_program_run(&ctx, recorded, INPUTS, ins, m.outputs, out));
  for (int i = 0; i < MOST_OUTPUTS; i++) tsr_release(&got[i]);
  for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]), tsr_release(&value[i]), tsr_release(&p.in[i]);
  random_release(&m);
  tsr_program_free(recorded);
}

/* TSR_FUSE_PROGRAMS=500: so many of them. */
TEST(fused_kernels) {
  if (!open_compiler()) SKIP("there is no libnvrtc");
  const char *const text = getenv("TSR_FUSE_PROGRAMS");
  const uint64_t count = text != NULL ? (uint64_t)atoi(text) : 15;
  const long before = compiled;
  for (uint64_t seed = 1; seed <= count; seed++) plan_program(seed);
  printf("%ld kernels compiled, %ld refused\n", compiled - before, refused);
  CHECK(compiled > before && refused == 0);
}

TEST_MAIN(RUN(more_than_31_bits_of_elements), RUN(tiles_of_attention), RUN(rows_that_are_sorted),
          RUN(rows_of_every_length), RUN(every_kernel), RUN(fused_kernels))
