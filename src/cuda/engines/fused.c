/* Groups of calls as one kernel: element by element here; those that end otherwise are reductions and rows whose elements are made. */
#include "cuda/engines/fused.h"

#include "cuda/engines/engines.h"
#include "fuse/loop.h"

#include <string.h>

enum { THREADS = 128, PACK_BYTES = 16, MOST_PACKED = 8, UNITS = 4 /* a thread, of single elements */ };

/* How a group goes through memory: axis 0 of the loop runs fastest; outputs are its first operands. */
typedef struct fused_way {
  tsr__group_loop loop;
  uint8_t mode[TSR__GROUP_OPERANDS]; /* tsr__cuda_mode along axis 0 */
  uint8_t vector;
  bool flat, wide;
} fused_way;

/* ---- the pattern ---- */

static int outputs_of(const tsr__cuda_made *m) { return m->group->outputs; }
static int operands_of(const tsr__cuda_made *m) { return outputs_of(m) + m->operands; }

/* Addresses are wanted for their alignment, and are none of memory that is not there yet: all are moved, so that axes can be turned. */
static void set_tensors(const tsr_work *work, const tsr__cuda_made *m, tsr_tensor *tensor) {
  for (int k = 0; k < operands_of(m); k++) {
    const tsr__cuda_view view = k < outputs_of(m) ? tsr__cuda_output(work, k) : m->in[k - outputs_of(m)];
    tensor[k] = view.tensor;
    tensor[k].data = (void *)((uintptr_t)(1u << 20) + tsr__cuda_place_of(&view));
  }
}

static tsr__cuda_mode mode_of(const tsr__group_loop *loop, int k) {
  if (loop->step[k][0] == 0) return TSR__CUDA_REPEATS;
  return loop->step[k][0] == (ptrdiff_t)loop->item[k] ? TSR__CUDA_RUNS : TSR__CUDA_STRIDES;
}

/* Whether packs of so many elements of all operands can be read along axis 0. */
static bool is_packed(const fused_way *way, int vector) {
  const tsr__group_loop *const loop = &way->loop;
  if (!way->flat && loop->length[0] % vector != 0) return false;
  for (int k = 0; k < loop->operands; k++) {
    const uintptr_t bytes = loop->item[k] * (uintptr_t)vector;
    uintptr_t bits = (uintptr_t)loop->base[k];
    if (way->mode[k] == TSR__CUDA_REPEATS) continue;
    if (way->mode[k] == TSR__CUDA_STRIDES) return false;
    for (int d = 1; d < loop->ndim; d++) bits |= (uintptr_t)loop->step[k][d];
    if (bits % bytes != 0) return false;
  }
  return true;
}

static void choose_way(const tsr_work *work, const tsr__cuda_made *m, fused_way *way) {
  tsr_tensor tensor[TSR__GROUP_OPERANDS];
  const tsr_tensor *tensors[TSR__GROUP_OPERANDS];
  size_t widest = 1;
  set_tensors(work, m, tensor);
  for (int k = 0; k < operands_of(m); k++) tensors[k] = &tensor[k];
  tsr__group_loop_init(&way->loop, operands_of(m), tensors);
  tsr__group_loop *const loop = &way->loop;
  way->flat = loop->ndim == 1;
  for (int k = 0; k < loop->operands; k++) {
    const tsr__cuda_mode mode = mode_of(loop, k);
    way->mode[k] = (uint8_t)mode;
    way->flat = way->flat && mode != TSR__CUDA_STRIDES;
    if (widest < loop->item[k]) widest = loop->item[k];
  }
  int vector = (int)(PACK_BYTES / widest);
  if (vector > MOST_PACKED) vector = MOST_PACKED;
  while (vector > 1 && !is_packed(way, vector)) vector /= 2;
  way->vector = (uint8_t)vector;
  way->wide = loop->size > INT32_MAX;
}

/* ---- text ---- */

static int dtype_of(const tsr__cuda_made *m, int k) {
  const tsr__group *const g = m->group;
  return k < g->outputs ? g->value[g->output[k]].dtype : m->in[k - g->outputs].tensor.dtype;
}

/* A call of the line: operands by a piece of text, in which %d is their number; one for all is a pack of one. */
static void add_call(const tsr__cuda_made *m, const fused_way *way, const char *out, const char *in, const char *one,
                     tsr__cuda_text *text) {
  tsr__cuda_text_add(text, "made_line::line(");
  for (int k = 0; k < operands_of(m); k++) {
    if (k > 0) tsr__cuda_text_add(text, ", ");
    const bool repeats = k >= outputs_of(m) && way->mode[k] == TSR__CUDA_REPEATS && one != NULL;
    tsr__cuda_text_format(text, k < outputs_of(m) ? out : repeats ? one : in, k);
  }
  tsr__cuda_made_numbers(m, "s", text);
  tsr__cuda_text_add(text, ");\n");
}

/* One piece for every operand of a kind: %d, twice or three times, is its number. */
static void each(const tsr__cuda_made *m, bool outputs, const char *piece, tsr__cuda_text *text) {
  const int first = outputs ? 0 : outputs_of(m), end = outputs ? outputs_of(m) : operands_of(m);
  for (int k = first; k < end; k++) tsr__cuda_text_format(text, piece, k, k, k, k, k);
}

static void add_loads(const tsr__cuda_made *m, const fused_way *way, const char *runs, const char *repeats,
                      tsr__cuda_text *text) {
  for (int k = outputs_of(m); k < operands_of(m); k++)
    tsr__cuda_text_format(text, way->mode[k] == TSR__CUDA_REPEATS ? repeats : runs, k, k, k, k, k);
}

/* One pack a thread, and element by element where it would leave the tensor. */
static void add_flat(const tsr__cuda_made *m, const fused_way *way, tsr__cuda_text *text) {
  tsr__cuda_text_add(text,
                     "  const uint64_t i = ((uint64_t)blockIdx.x * B + threadIdx.x) * V;\n"
                     "  if (i >= s.units) return;\n");
  add_loads(m, way, "", "  pack<T%d, 1> c%d;\n  c%d.load(x%d);\n", text);
  tsr__cuda_text_add(text, "  if (i + V <= s.units) {\n");
  add_loads(m, way, "    pack<T%d, V> p%d;\n    p%d.load(x%d + i);\n", "", text);
  each(m, true, "    pack<T%d, V> p%d;\n", text);
  tsr__cuda_text_add(text, "    TSR__UNROLL(8) for (int k = 0; k < V; k++) ");
  add_call(m, way, "p%d.v[k]", "p%d.v[k]", "c%d.v[0]", text);
  each(m, true, "    p%d.store(x%d + i);\n", text);
  tsr__cuda_text_add(text, "  } else {\n    for (uint64_t k = i; k < s.units; k++) ");
  add_call(m, way, "x%d[k]", "x%d[k]", "c%d.v[0]", text);
  tsr__cuda_text_add(text, "  }\n}\n");
}

/* Any strides: neighbours in a warp are neighbours on the fastest axis of the output. What a thread reads comes before what it writes. */
static void add_strided(const tsr__cuda_made *m, const fused_way *way, tsr__cuda_text *text) {
  tsr__cuda_text_add(text,
                     "  const uint64_t first = (uint64_t)blockIdx.x * (B * U) + threadIdx.x;\n"
                     "  int64_t at[U][OPERANDS];\n");
  add_loads(m, way, "  pack<T%d, V> p%d[U];\n", "  pack<T%d, 1> p%d[U];\n", text);
  tsr__cuda_text_add(text,
                     "  TSR__UNROLL(4) for (int k = 0; k < U; k++)\n    if (first + k * B < s.units) {\n"
                     "      fused_locate(s, first + k * B, at[k]);\n");
  each(m, false, "      p%d[k].load(x%d + at[k][%d]);\n", text);
  tsr__cuda_text_add(text, "    }\n  TSR__UNROLL(4) for (int k = 0; k < U; k++)\n    if (first + k * B < s.units) {\n");
  each(m, true, "      pack<T%d, V> p%d;\n", text);
  tsr__cuda_text_add(text, "      TSR__UNROLL(8) for (int i = 0; i < V; i++) ");
  add_call(m, way, "p%d.v[i]", "p%d[k].v[i]", "p%d[k].v[0]", text);
  each(m, true, "      p%d.store(x%d + at[k][%d]);\n", text);
  tsr__cuda_text_add(text, "    }\n}\n");
}

static tsr_status write_text(const tsr__cuda_made *m, tsr_ctx *ctx, const fused_way *way, tsr__cuda_text *text) {
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(text, "#define LOAD%s\n#define STORE(p, v) (*(p) = (v))\n",
                        m->in_place ? "(p) (*(p))" : " TSR__LOAD_CONST");
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/words.cuh\"\n");
  tsr__cuda_text_format(text, "#define FLAT %d\n#define WIDE %d\n#define OPERANDS %d\n#define NUMBERS %d\n",
                        (int)way->flat, (int)way->wide, operands_of(m), m->numbers > 0 ? m->numbers : 1);
  tsr__cuda_text_format(text, "enum { V = %d, U = %d, B = %d };\n", (int)way->vector, way->vector > 1 ? 1 : UNITS,
                        (int)THREADS);
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/fused.cuh\"\n");
  for (int k = 0; k < operands_of(m); k++)
    tsr__cuda_text_format(text, "typedef %s_mem T%d;\n", tsr__cuda_dtype(dtype_of(m, k)), k);
  const tsr_status st = tsr__cuda_made_line(m, ctx, text);
  if (st != TSR_OK) return st;
  tsr__cuda_text_add(
      text, "extern \"C\" __global__ void __launch_bounds__(B) tsr_fused(const __grid_constant__ fused_args s) {\n");
  each(m, true, "  T%d *const x%d = (T%d *)s.x[%d];\n", text);
  each(m, false, "  const T%d *const x%d = (const T%d *)s.x[%d];\n", text);
  (way->flat ? add_flat : add_strided)(m, way, text);
  return text->failed ? TSR__FAIL(ctx, TSR_ENOMEM, "fused", NULL, "no memory for the text of a kernel") : TSR_OK;
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_made *m, const fused_way *way,
                             const tsr__cuda_kernel **kernel) {
  uint8_t part[TSR__GROUP_OPERANDS + 2] = {way->vector, (uint8_t)(way->flat | way->wide << 1)};
  memcpy(part + 2, way->mode, (size_t)operands_of(m));
  const tsr__cuda_key key = tsr__cuda_made_key(m, part, sizeof part);
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr_status st = write_text(m, ctx, way, &text);
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_fused"};
  if (st == TSR_OK) st = tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* ---- arguments ---- */

/* The host's struct fused_args of kernels/fused.cuh, up to what depends on how many operands there are. */
typedef struct fused_head {
  uint64_t units;
  int32_t rank, padding;
  int64_t length[8];
  uint32_t magic[8], shift[8];
} fused_head;

typedef struct fused_args {
  size_t bytes, addresses; /* of all, and where the addresses are */
  _Alignas(16) char data[sizeof(fused_head) + TSR__GROUP_OPERANDS * 9 * 8 + 16 * TSR__CUDA_MADE_NUMBERS];
} fused_args;

static void put(fused_args *args, const void *bytes, size_t count) {
  memcpy(args->data + args->bytes, bytes, count);
  args->bytes += count;
}

/* n / length is n·magic >> shift for every n below 2^31. */
static void set_axis(fused_head *head, int d, uint64_t length) {
  unsigned log = 0;
  while (log < 32 && (uint64_t)1 << log < length) log++;
  head->length[d] = (int64_t)length;
  head->shift[d] = 31 + log;
  head->magic[d] = (uint32_t)(((uint64_t)1 << (31 + log)) / length + 1);
}

static void put_steps(const fused_way *way, fused_args *args) {
  const tsr__group_loop *const loop = &way->loop;
  for (int k = 0; k < loop->operands; k++) {
    int64_t step[8] = {0};
    for (int d = 0; d < loop->ndim; d++)
      step[d] = (int64_t)(loop->step[k][d] / (ptrdiff_t)loop->item[k]) * (d == 0 ? way->vector : 1);
    put(args, step, sizeof step);
  }
}

static void make_args(const tsr__cuda_made *m, const fused_way *way, fused_args *args) {
  static const char nothing[TSR__GROUP_OPERANDS * 8 + 16];
  const tsr__group_loop *const loop = &way->loop;
  fused_head head = {.units = (uint64_t)loop->size, .rank = loop->ndim};
  args->bytes = 0;
  if (!way->flat) {
    head.units /= way->vector;
    for (int d = 0; d < loop->ndim; d++)
      set_axis(&head, d, (uint64_t)loop->length[d] / (uint64_t)(d == 0 ? way->vector : 1));
  }
  put(args, &head, way->flat ? sizeof head.units : sizeof head);
  if (!way->flat) put_steps(way, args);
  args->addresses = args->bytes;
  put(args, nothing, (size_t)loop->operands * sizeof(uint64_t));
  put(args, nothing, -args->bytes % 16);
  put(args, m->number, (size_t)m->numbers * sizeof m->number[0]);
  if (m->numbers == 0) put(args, nothing, 16);
}

/* ---- planning ---- */

static void plan_addresses(const tsr_work *work, const tsr__cuda_made *m, const fused_way *way, const fused_args *args,
                           tsr__cuda_plan *plan) {
  tsr_tensor tensor[TSR__GROUP_OPERANDS];
  set_tensors(work, m, tensor);
  for (int k = 0; k < operands_of(m); k++) {
    tsr__cuda_ref ref = k < outputs_of(m) ? tsr__cuda_out(k) : m->in[k - outputs_of(m)].ref;
    ref.offset += (ptrdiff_t)((uintptr_t)way->loop.base[k] - (uintptr_t)tensor[k].data); /* of axes that were turned */
    tsr__cuda_plan_address(plan, args->addresses + (size_t)k * sizeof(uint64_t), ref);
  }
}

tsr_status tsr__cuda_plan_fused_elements(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_made *m,
                                         tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  fused_way way;
  fused_args args;
  if (tsr_size(work->out[0]) == 0) return TSR_OK;
  choose_way(work, m, &way);
  const tsr_status st = get_kernel(gpu, work->ctx, m, &way, &kernel);
  if (st != TSR_OK) return st;
  make_args(m, &way, &args);
  const uint64_t block = (uint64_t)THREADS * (way.vector > 1 ? (way.flat ? way.vector : 1) : way.flat ? 1 : UNITS);
  const uint64_t units = (uint64_t)way.loop.size / (way.flat ? 1 : way.vector);
  const tsr__cuda_grid grid = {(unsigned)((units + block - 1) / block), 1, 1};
  tsr__cuda_plan_launch(plan, kernel, grid, THREADS, 0, args.data, args.bytes);
  plan_addresses(work, m, &way, &args, plan);
  return TSR_OK;
}

tsr_status tsr__cuda_fused(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  tsr__cuda_made m;
  (void)op;
  const tsr_status st = tsr__cuda_made_begin(gpu, work, &m, plan);
  if (st != TSR_OK) return st;
  switch (m.group->end) {
    case TSR__ENDS_ELEMENTWISE: return tsr__cuda_plan_fused_elements(gpu, work, &m, plan);
    case TSR__ENDS_REDUCTION: return tsr__cuda_plan_fused_reduction(gpu, work, &m, plan);
    default: return tsr__cuda_plan_fused_softmax(gpu, work, &m, plan);
  }
}
