/* ONNX Runtime as a contestant: graphs of one or two nodes, inputs and outputs in given memory. Its package for Node
 * carries the library without headers, so that the few entries of its table of functions that are needed are declared
 * here; that table only ever grows at its end. ORT_LIBRARY in the environment is the library's path. */
#define _GNU_SOURCE /* dlopen under -std=c11 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compare/contest.h"

enum { API_VERSION = 13, ALL_OPTIMIZATIONS = 99, WARNINGS_OFF = 3, OPSET = 20, IR_VERSION = 9 };
enum {
  FLOAT = 1,
  UINT8 = 2,
  INT8 = 3,
  INT32 = 6,
  INT64 = 7,
  FLOAT16 = 10,
  BFLOAT16 = 16
}; /* ONNX's numbers of element types */
#define MANY(count) ((int64_t)1048576 * (count))

/* ---- the library ---- */

typedef struct ort_status ort_status; /* NULL: fine */
typedef struct ort_env ort_env;
typedef struct ort_options ort_options;
typedef struct ort_session ort_session;
typedef struct ort_memory ort_memory;
typedef struct ort_value ort_value;
typedef void (*entry)(void);

typedef struct ort_base {
  const entry *(*get_api)(uint32_t version);
  const char *(*get_version)(void);
} ort_base;

/* Places in the table, and what is there. */
enum {
  AT_ERROR_MESSAGE = 2,
  AT_CREATE_ENV = 3,
  AT_CREATE_SESSION = 8,
  AT_RUN = 9,
  AT_CREATE_OPTIONS = 10,
  AT_SET_OPTIMIZATION = 23,
  AT_SET_THREADS = 24,
  AT_CREATE_TENSOR = 49,
  AT_CREATE_MEMORY = 69,
  AT_RELEASE_SESSION = 95,
  AT_RELEASE_VALUE = 96
};
typedef const char *error_message_fn(const ort_status *);
typedef ort_status *create_env_fn(int level, const char *name, ort_env **);
typedef ort_status *create_session_fn(const ort_env *, const void *, size_t, const ort_options *, ort_session **);
typedef ort_status *run_fn(ort_session *, const void *, const char *const *, const ort_value *const *, size_t,
                           const char *const *, size_t, ort_value **);
typedef ort_status *create_options_fn(ort_options **);
typedef ort_status *set_fn(ort_options *, int);
typedef ort_status *create_tensor_fn(const ort_memory *, void *, size_t, const int64_t *, size_t, int, ort_value **);
typedef ort_status *create_memory_fn(int allocator, int kind, ort_memory **);
typedef void release_session_fn(ort_session *);
typedef void release_value_fn(ort_value *);

static const entry *api;
static ort_env *env;
static ort_options *options;
static ort_memory *memory;
static run_fn *run_session;

static bool fine(ort_status *status) {
  if (status != NULL) fprintf(stderr, "onnxruntime: %s\n", ((error_message_fn *)api[AT_ERROR_MESSAGE])(status));
  return status == NULL;
}

static const char *load(void) {
  const char *path = getenv("ORT_LIBRARY");
  void *library = dlopen(path != NULL && path[0] != 0 ? path : "libonnxruntime.so.1", RTLD_NOW);
  const ort_base *(*get_base)(void) = NULL;
  if (library != NULL) *(void **)&get_base = dlsym(library, "OrtGetApiBase");
  if (get_base == NULL) return NULL;
  api = get_base()->get_api(API_VERSION);
  if (api == NULL || !fine(((create_env_fn *)api[AT_CREATE_ENV])(WARNINGS_OFF, "bench", &env)) ||
      !fine(((create_options_fn *)api[AT_CREATE_OPTIONS])(&options)) ||
      !fine(((set_fn *)api[AT_SET_OPTIMIZATION])(options, ALL_OPTIMIZATIONS)) ||
      !fine(((set_fn *)api[AT_SET_THREADS])(options, contest_threads())) ||
      !fine(((create_memory_fn *)api[AT_CREATE_MEMORY])(0, 0, &memory)))
    return NULL;
  run_session = (run_fn *)api[AT_RUN];
  return get_base()->get_version();
}

/* ---- models, as protocol buffers ---- */

typedef struct message {
  size_t size;
  unsigned char bytes[2048];
} message;

/* Weights are part of the graph, so that they are packed once; its memory is touched as far as it is used. */
enum { LARGE_BYTES = 96 << 20 };
typedef struct large_message {
  size_t size;
  unsigned char bytes[LARGE_BYTES];
} large_message;

static size_t varint(unsigned char *to, uint64_t value) {
  size_t size = 0;
  for (; value > 127; value >>= 7) to[size++] = (unsigned char)(value | 128);
  to[size++] = (unsigned char)value;
  return size;
}

static void put_varint(message *m, uint64_t value) { m->size += varint(m->bytes + m->size, value); }

static void put_int(message *m, unsigned field, int64_t value) {
  put_varint(m, field << 3);
  put_varint(m, (uint64_t)value);
}

static void put_bytes(message *m, unsigned field, const void *bytes, size_t size) {
  put_varint(m, field << 3 | 2);
  put_varint(m, size);
  memcpy(m->bytes + m->size, bytes, size);
  m->size += size;
}

static void put_text(message *m, unsigned field, const char *text) { put_bytes(m, field, text, strlen(text)); }
static void put_message(message *m, unsigned field, const message *p) { put_bytes(m, field, p->bytes, p->size); }

static large_message graph, model;
static message node;

static void put_large(large_message *m, unsigned field, const void *bytes, size_t size) {
  m->size += varint(m->bytes + m->size, field << 3 | 2);
  m->size += varint(m->bytes + m->size, size);
  memcpy(m->bytes + m->size, bytes, size);
  m->size += size;
}

static void put_in_graph(unsigned field, const message *p) { put_large(&graph, field, p->bytes, p->size); }

/* A tensor that comes from or goes to the caller. */
static void put_value(unsigned field, const char *name, int type, int ndim, const int64_t *shape) {
  message dims = {0}, tensor = {0}, kind = {0}, value = {0};
  for (int i = 0; i < ndim; i++) {
    message dim = {0};
    put_int(&dim, 1, shape[i]);
    put_message(&dims, 1, &dim);
  }
  put_int(&tensor, 1, type);
  put_message(&tensor, 2, &dims);
  put_message(&kind, 1, &tensor);
  put_text(&value, 1, name);
  put_message(&value, 2, &kind);
  put_in_graph(field, &value);
}

/* A constant list of integers. */
static void put_numbers(const char *name, int count, const int64_t *numbers) {
  message tensor = {0};
  put_int(&tensor, 1, count);
  put_int(&tensor, 2, INT64);
  put_text(&tensor, 8, name);
  put_bytes(&tensor, 9, numbers, (size_t)count * sizeof numbers[0]);
  put_in_graph(5, &tensor);
}

static void begin_node(const char *op, const char *inputs[], const char *out) {
  node.size = 0;
  for (int i = 0; inputs[i] != NULL; i++) put_text(&node, 1, inputs[i]);
  put_text(&node, 2, out);
  put_text(&node, 4, op);
}

static void put_attribute(const char *name, int64_t value) {
  message attribute = {0};
  put_text(&attribute, 1, name);
  put_int(&attribute, 3, value);
  put_int(&attribute, 20, 2);
  put_message(&node, 5, &attribute);
}

static void put_attribute_text(const char *name, const char *value) {
  message attribute = {0};
  put_text(&attribute, 1, name);
  put_text(&attribute, 4, value);
  put_int(&attribute, 20, 3);
  put_message(&node, 5, &attribute);
}

static void put_attribute_list(const char *name, int count, const int64_t *values) {
  message attribute = {0};
  put_text(&attribute, 1, name);
  for (int i = 0; i < count; i++) put_int(&attribute, 8, values[i]);
  put_int(&attribute, 20, 7);
  put_message(&node, 5, &attribute);
}

static void end_node(void) { put_in_graph(1, &node); }

/* A constant tensor: its description and its bytes are written apart, the bytes only once. */
static void put_weights(const char *name, int type, int ndim, const int64_t *shape, const void *data, size_t size) {
  message head = {0};
  unsigned char field[16];
  for (int i = 0; i < ndim; i++) put_int(&head, 1, shape[i]);
  put_int(&head, 2, type);
  put_text(&head, 8, name);
  size_t field_size = varint(field, 9 << 3 | 2);
  field_size += varint(field + field_size, size);
  graph.size += varint(graph.bytes + graph.size, 5 << 3 | 2);
  graph.size += varint(graph.bytes + graph.size, head.size + field_size + size);
  memcpy(graph.bytes + graph.size, head.bytes, head.size);
  memcpy(graph.bytes + graph.size + head.size, field, field_size);
  memcpy(graph.bytes + graph.size + head.size + field_size, data, size);
  graph.size += head.size + field_size + size;
}

/* ---- the workload that is open ---- */

static ort_session *session;
static ort_value *inputs[3], *output;
static size_t input_count;
static const char *const input_names[] = {"a", "b", "c"}, *const output_names[] = {"out"};

static ort_value *tensor(void *data, int type, int64_t item, int ndim, const int64_t *shape) {
  int64_t bytes = item;
  for (int i = 0; i < ndim; i++) bytes *= shape[i];
  create_tensor_fn *create = (create_tensor_fn *)api[AT_CREATE_TENSOR];
  ort_value *value = NULL;
  (void)fine(create(memory, data, (size_t)bytes, shape, (size_t)ndim, type, &value));
  return value;
}

static void add_input(void *data, int type, int64_t item, int ndim, const int64_t *shape) {
  put_value(11, input_names[input_count], type, ndim, shape);
  inputs[input_count++] = tensor(data, type, item, ndim, shape);
}

static int64_t size_of(int ndim, const int64_t *shape) {
  int64_t n = 1;
  for (int i = 0; i < ndim; i++) n *= shape[i];
  return n;
}

static void add_floats(int ndim, const int64_t *shape) {
  add_input(contest_floats(size_of(ndim, shape), input_count == 0 ? 0 : 7), FLOAT, 4, ndim, shape);
}

static void set_output(int type, int64_t item, contest_kind kind, int ndim, const int64_t *shape) {
  const int64_t n = size_of(ndim, shape);
  void *data = contest_bytes(item * n);
  put_value(12, "out", type, ndim, shape);
  output = tensor(data, type, item, ndim, shape);
  contest_result(data, n, kind);
}

static void set_floats(int ndim, const int64_t *shape) { set_output(FLOAT, 4, CONTEST_F32, ndim, shape); }

static bool make_session(void) {
  message opset = {0}, version = {0};
  put_large(&graph, 2, "g", 1);
  put_text(&opset, 1, "");
  put_int(&opset, 2, OPSET);
  put_int(&version, 1, IR_VERSION);
  memcpy(model.bytes, version.bytes, version.size);
  model.size = version.size;
  put_large(&model, 7, graph.bytes, graph.size);
  put_large(&model, 8, opset.bytes, opset.size);
  return fine(((create_session_fn *)api[AT_CREATE_SESSION])(env, model.bytes, model.size, options, &session));
}

#define LIST(...) \
  (int)(sizeof((const int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]) { __VA_ARGS__ }
#define NAMES(...) \
  (const char *[]) { __VA_ARGS__, NULL }

/* ---- workloads ---- */

static void one_node(const char *op) {
  begin_node(op, input_count == 2 ? NAMES("a", "b") : NAMES("a"), "out");
  end_node();
}

static void open_add(const contest_workload *w) {
  add_floats(LIST(w->elements));
  add_floats(LIST(w->elements));
  set_floats(LIST(w->elements));
  one_node("Add");
}

static void open_bcast_row(const contest_workload *w) {
  (void)w;
  add_floats(LIST(1024, 1024));
  add_floats(LIST(1024));
  set_floats(LIST(1024, 1024));
  one_node("Add");
}

static void open_bcast_col(const contest_workload *w) {
  (void)w;
  add_floats(LIST(1024, 1024));
  add_floats(LIST(1024, 1));
  set_floats(LIST(1024, 1024));
  one_node("Add");
}

static void open_bcast_3d(const contest_workload *w) {
  (void)w;
  add_floats(LIST(64, 1, 256));
  add_floats(LIST(1, 128, 256));
  set_floats(LIST(64, 128, 256));
  one_node("Add");
}

static void open_addT(const contest_workload *w) {
  (void)w;
  add_floats(LIST(2048, 2048));
  add_floats(LIST(2048, 2048));
  set_floats(LIST(2048, 2048));
  begin_node("Transpose", NAMES("b"), "t");
  put_attribute_list("perm", LIST(1, 0));
  end_node();
  begin_node("Add", NAMES("a", "t"), "out");
  end_node();
}

static void open_unary(const contest_workload *w, const char *op) {
  add_floats(LIST(w->elements));
  set_floats(LIST(w->elements));
  begin_node(op, NAMES("a"), "out");
}

static void open_plain(const contest_workload *w, const char *op) {
  open_unary(w, op);
  end_node();
}

static void open_exp(const contest_workload *w) { open_plain(w, "Exp"); }
static void open_tanh(const contest_workload *w) { open_plain(w, "Tanh"); }
static void open_sigmoid(const contest_workload *w) { open_plain(w, "Sigmoid"); }
static void open_relu(const contest_workload *w) { open_plain(w, "Relu"); }
static void open_gelu_erf(const contest_workload *w) { open_plain(w, "Gelu"); }

static void open_gelu_tanh(const contest_workload *w) {
  open_unary(w, "Gelu");
  put_attribute_text("approximate", "tanh");
  end_node();
}

static void open_reduce(const char *op, int64_t axis, int ndim, const int64_t *shape, int64_t results) {
  add_floats(ndim, shape);
  set_floats(LIST(results));
  put_numbers("axes", LIST(axis));
  begin_node(op, NAMES("a", "axes"), "out");
  put_attribute("keepdims", ndim == 1);
  end_node();
}

static void open_sum_16M(const contest_workload *w) { open_reduce("ReduceSum", 0, LIST(w->elements), 1); }
static void open_sum_ax0(const contest_workload *w) { (void)w, open_reduce("ReduceSum", 0, LIST(4096, 4096), 4096); }
static void open_sum_ax1(const contest_workload *w) { (void)w, open_reduce("ReduceSum", 1, LIST(4096, 4096), 4096); }
static void open_max_ax0(const contest_workload *w) { (void)w, open_reduce("ReduceMax", 0, LIST(4096, 4096), 4096); }
static void open_max_ax1(const contest_workload *w) { (void)w, open_reduce("ReduceMax", 1, LIST(4096, 4096), 4096); }

static void open_argmax(int64_t axis, int ndim, const int64_t *shape, int64_t results) {
  add_floats(ndim, shape);
  set_output(INT64, 8, CONTEST_I64, LIST(results));
  begin_node("ArgMax", NAMES("a"), "out");
  put_attribute("axis", axis);
  put_attribute("keepdims", ndim == 1);
  end_node();
}

static void open_argmax_16M(const contest_workload *w) { open_argmax(0, LIST(w->elements), 1); }
static void open_argmax_ax0(const contest_workload *w) { (void)w, open_argmax(0, LIST(4096, 4096), 4096); }
static void open_argmax_ax1(const contest_workload *w) { (void)w, open_argmax(1, LIST(4096, 4096), 4096); }

static void open_transpose(const contest_workload *w) {
  (void)w;
  add_floats(LIST(4096, 4096));
  set_floats(LIST(4096, 4096));
  begin_node("Transpose", NAMES("a"), "out");
  put_attribute_list("perm", LIST(1, 0));
  end_node();
}

static void open_nchw2nhwc(const contest_workload *w) {
  (void)w;
  add_floats(LIST(8, 64, 56, 56));
  set_floats(LIST(8, 56, 56, 64));
  begin_node("Transpose", NAMES("a"), "out");
  put_attribute_list("perm", LIST(0, 2, 3, 1));
  end_node();
}

static void open_nhwc2nchw(const contest_workload *w) {
  (void)w;
  add_floats(LIST(8, 56, 56, 64));
  set_floats(LIST(8, 64, 56, 56));
  begin_node("Transpose", NAMES("a"), "out");
  put_attribute_list("perm", LIST(0, 3, 1, 2));
  end_node();
}

static void open_cast(void *data, int from, int64_t from_item, int to, int64_t to_item, contest_kind kind) {
  add_input(data, from, from_item, LIST(MANY(16)));
  set_output(to, to_item, kind, LIST(MANY(16)));
  begin_node("Cast", NAMES("a"), "out");
  put_attribute("to", to);
  end_node();
}

static void open_f16(const contest_workload *w) {
  open_cast(contest_floats(w->elements, 0), FLOAT, 4, FLOAT16, 2, CONTEST_F16);
}
static void open_bf16(const contest_workload *w) {
  open_cast(contest_floats(w->elements, 0), FLOAT, 4, BFLOAT16, 2, CONTEST_BF16);
}
static void open_u8(const contest_workload *w) {
  open_cast(contest_positive(w->elements), FLOAT, 4, UINT8, 1, CONTEST_U8);
}
static void open_from_f16(const contest_workload *w) {
  open_cast(contest_halves(w->elements, CONTEST_F16), FLOAT16, 2, FLOAT, 4, CONTEST_F32);
}
static void open_from_bf16(const contest_workload *w) {
  open_cast(contest_halves(w->elements, CONTEST_BF16), BFLOAT16, 2, FLOAT, 4, CONTEST_F32);
}
static void open_from_u8(const contest_workload *w) {
  open_cast(contest_u8(w->elements), UINT8, 1, FLOAT, 4, CONTEST_F32);
}

static void open_slice_cols2(const contest_workload *w) {
  (void)w;
  add_floats(LIST(4096, 4096));
  set_floats(LIST(4096, 2048));
  put_numbers("from", LIST(0));
  put_numbers("to", LIST(4096));
  put_numbers("axes", LIST(1));
  put_numbers("steps", LIST(2));
  begin_node("Slice", NAMES("a", "from", "to", "axes", "steps"), "out");
  end_node();
}

static void open_slice_block(const contest_workload *w) {
  (void)w;
  add_floats(LIST(4096, 4096));
  set_floats(LIST(2000, 2000));
  put_numbers("from", LIST(1000, 1000));
  put_numbers("to", LIST(3000, 3000));
  begin_node("Slice", NAMES("a", "from", "to"), "out");
  end_node();
}

static void open_concat(int64_t axis, int64_t rows, int64_t cols) {
  add_floats(LIST(2048, 2048));
  add_floats(LIST(2048, 2048));
  set_floats(LIST(rows, cols));
  begin_node("Concat", NAMES("a", "b"), "out");
  put_attribute("axis", axis);
  end_node();
}

static void open_concat_ax0(const contest_workload *w) { (void)w, open_concat(0, 4096, 2048); }
static void open_concat_ax1(const contest_workload *w) { (void)w, open_concat(1, 2048, 4096); }

static void open_pad(const contest_workload *w) {
  (void)w;
  add_floats(LIST(8, 64, 56, 56));
  set_floats(LIST(8, 64, 58, 58));
  put_numbers("around", LIST(0, 0, 1, 1, 0, 0, 1, 1));
  begin_node("Pad", NAMES("a", "around"), "out");
  end_node();
}

/* ---- products ---- */

static void put_floats(const char *name, int64_t start, int ndim, const int64_t *shape) {
  const int64_t n = size_of(ndim, shape);
  put_weights(name, FLOAT, ndim, shape, contest_floats(n, start), (size_t)n * 4);
}

static void open_product(int64_t m, int64_t k, int64_t n, bool packed) {
  add_floats(LIST(m, k));
  if (packed) put_floats("w", 7, LIST(k, n));
  if (!packed) add_floats(LIST(k, n));
  set_floats(LIST(m, n));
  begin_node("MatMul", packed ? NAMES("a", "w") : NAMES("a", "b"), "out");
  end_node();
}

static void open_64(const contest_workload *w) { (void)w, open_product(64, 64, 64, false); }
static void open_256(const contest_workload *w) { (void)w, open_product(256, 256, 256, false); }
static void open_1024(const contest_workload *w) { (void)w, open_product(1024, 1024, 1024, false); }
static void open_2048(const contest_workload *w) { (void)w, open_product(2048, 2048, 2048, false); }
static void open_256_packed(const contest_workload *w) { (void)w, open_product(256, 256, 256, true); }
static void open_1024_packed(const contest_workload *w) { (void)w, open_product(1024, 1024, 1024, true); }
static void open_2048_packed(const contest_workload *w) { (void)w, open_product(2048, 2048, 2048, true); }
static void open_gemv(const contest_workload *w) { (void)w, open_product(1, 4096, 4096, false); }
static void open_32(const contest_workload *w) { (void)w, open_product(32, 4096, 4096, false); }
static void open_32_packed(const contest_workload *w) { (void)w, open_product(32, 4096, 4096, true); }

static void open_batch(const contest_workload *w) {
  (void)w;
  add_floats(LIST(64, 128, 64));
  add_floats(LIST(64, 64, 128));
  set_floats(LIST(64, 128, 128));
  one_node("MatMul");
}

static void open_int8(const contest_workload *w) {
  (void)w;
  add_input(contest_u8(MANY(1)), UINT8, 1, LIST(1024, 1024));
  put_weights("w", INT8, LIST(1024, 1024), contest_i8(MANY(1)), (size_t)MANY(1));
  set_output(INT32, 4, CONTEST_I32, LIST(1024, 1024));
  begin_node("MatMulInteger", NAMES("a", "w"), "out");
  end_node();
}

/* ---- convolutions and what goes with them ---- */

typedef struct image_op {
  int ndim;
  int64_t x[4], w[4], y[4], stride[2], pad[4], groups;
} image_op;

static void open_conv(const image_op *i) {
  add_floats(i->ndim, i->x);
  put_floats("w", 7, i->ndim, i->w);
  set_floats(i->ndim, i->y);
  begin_node("Conv", NAMES("a", "w"), "out");
  put_attribute_list("strides", i->ndim - 2, i->stride);
  put_attribute_list("pads", 2 * (i->ndim - 2), i->pad);
  put_attribute("group", i->groups);
  end_node();
}

/* ---- quantised layers ---- */

static void put_scales(void) {
  static const float one = 1, over = 1 / CONTEST_SCALE;
  static const uint8_t none = 0;
  put_weights("one", FLOAT, 0, NULL, &one, sizeof one);
  put_weights("over", FLOAT, 0, NULL, &over, sizeof over);
  put_weights("zero_u8", UINT8, 0, NULL, &none, 1);
  put_weights("zero_i8", INT8, 0, NULL, &none, 1);
}

static void open_qmatmul(const contest_workload *w) {
  (void)w;
  add_input(contest_u8(MANY(1)), UINT8, 1, LIST(1024, 1024));
  put_weights("w", INT8, LIST(1024, 1024), contest_i8(MANY(1)), (size_t)MANY(1));
  put_scales();
  set_output(UINT8, 1, CONTEST_U8, LIST(1024, 1024));
  begin_node("QLinearMatMul", NAMES("a", "one", "zero_u8", "w", "one", "zero_i8", "over", "zero_u8"), "out");
  end_node();
}

static void open_qconv(const image_op *i) {
  const int64_t filters = size_of(4, i->w);
  add_input(contest_u8(size_of(4, i->x)), UINT8, 1, 4, i->x);
  put_weights("w", INT8, 4, i->w, contest_i8(filters), (size_t)filters);
  put_scales();
  set_output(UINT8, 1, CONTEST_U8, 4, i->y);
  begin_node("QLinearConv", NAMES("a", "one", "zero_u8", "w", "one", "zero_i8", "over", "zero_u8"), "out");
  put_attribute_list("pads", 4, i->pad);
  put_attribute("group", i->groups);
  end_node();
}

static void open_qconv3(const contest_workload *w) {
  (void)w;
  open_qconv(&(image_op){4, {1, 64, 56, 56}, {64, 64, 3, 3}, {1, 64, 56, 56}, {1, 1}, {1, 1, 1, 1}, 1});
}
static void open_qconv1x1(const contest_workload *w) {
  (void)w;
  open_qconv(&(image_op){4, {1, 256, 56, 56}, {64, 256, 1, 1}, {1, 64, 56, 56}, {1, 1}, {0, 0, 0, 0}, 1});
}
static void open_qconvdw3(const contest_workload *w) {
  (void)w;
  open_qconv(&(image_op){4, {1, 32, 112, 112}, {32, 1, 3, 3}, {1, 32, 112, 112}, {1, 1}, {1, 1, 1, 1}, 32});
}

static void open_conv7s2(const contest_workload *w) {
  (void)w;
  open_conv(&(image_op){4, {1, 3, 224, 224}, {64, 3, 7, 7}, {1, 64, 112, 112}, {2, 2}, {3, 3, 3, 3}, 1});
}
static void open_conv3_64(const contest_workload *w) {
  (void)w;
  open_conv(&(image_op){4, {1, 64, 56, 56}, {64, 64, 3, 3}, {1, 64, 56, 56}, {1, 1}, {1, 1, 1, 1}, 1});
}
static void open_conv3_256(const contest_workload *w) {
  (void)w;
  open_conv(&(image_op){4, {1, 256, 14, 14}, {256, 256, 3, 3}, {1, 256, 14, 14}, {1, 1}, {1, 1, 1, 1}, 1});
}
static void open_conv1x1(const contest_workload *w) {
  (void)w;
  open_conv(&(image_op){4, {1, 128, 28, 28}, {512, 128, 1, 1}, {1, 512, 28, 28}, {1, 1}, {0, 0, 0, 0}, 1});
}
static void open_convdw3(const contest_workload *w) {
  (void)w;
  open_conv(&(image_op){4, {1, 32, 112, 112}, {32, 1, 3, 3}, {1, 32, 112, 112}, {1, 1}, {1, 1, 1, 1}, 32});
}
static void open_conv1d(const contest_workload *w) {
  (void)w;
  open_conv(&(image_op){3, {8, 64, 1024}, {64, 64, 5}, {8, 64, 1024}, {1}, {2, 2}, 1});
}

static void open_maxpool(const contest_workload *w) {
  (void)w;
  add_floats(LIST(1, 64, 112, 112));
  set_floats(LIST(1, 64, 56, 56));
  begin_node("MaxPool", NAMES("a"), "out");
  put_attribute_list("kernel_shape", LIST(3, 3));
  put_attribute_list("strides", LIST(2, 2));
  put_attribute_list("pads", LIST(1, 1, 1, 1));
  end_node();
}

static void open_softmax(int64_t m, int64_t n) {
  add_floats(LIST(m, n));
  set_floats(LIST(m, n));
  begin_node("Softmax", NAMES("a"), "out");
  put_attribute("axis", 1);
  end_node();
}

static void open_softmax_1024(const contest_workload *w) { (void)w, open_softmax(1024, 1024); }
static void open_softmax_words(const contest_workload *w) { (void)w, open_softmax(64, 50257); }

static void open_layernorm(const contest_workload *w) {
  (void)w;
  add_floats(LIST(1024, 1024));
  put_floats("scale", 3, LIST(1024));
  put_floats("offset", 11, LIST(1024));
  set_floats(LIST(1024, 1024));
  begin_node("LayerNormalization", NAMES("a", "scale", "offset"), "out");
  put_attribute("axis", -1);
  end_node();
}

/* Heads of q that share one of k and v are that one's queries. */
static void make_attention(int64_t batch, int64_t heads, int64_t queries, int64_t keys, int64_t columns, float scale) {
  const int64_t few = batch * heads * queries * columns, many = batch * heads * keys * columns;
  add_input(contest_floats(few, 0), FLOAT, 4, LIST(batch, heads, queries, columns));
  add_input(contest_floats(many, 7), FLOAT, 4, LIST(batch, heads, keys, columns));
  add_input(contest_floats(many, 13), FLOAT, 4, LIST(batch, heads, keys, columns));
  set_floats(LIST(batch, heads, queries, columns));
  put_weights("scale", FLOAT, 0, NULL, &scale, sizeof scale);
  begin_node("Transpose", NAMES("b"), "t");
  put_attribute_list("perm", LIST(0, 1, 3, 2));
  end_node();
  begin_node("MatMul", NAMES("a", "t"), "s");
  end_node();
  begin_node("Mul", NAMES("s", "scale"), "scaled");
  end_node();
  begin_node("Softmax", NAMES("scaled"), "p");
  put_attribute("axis", -1);
  end_node();
  begin_node("MatMul", NAMES("p", "c"), "out");
  end_node();
}

static void open_attention(const contest_workload *w) { (void)w, make_attention(1, 8, 512, 512, 64, 0.125f); }
static void open_decode_gqa(const contest_workload *w) { (void)w, make_attention(1, 8, 4, 4096, 128, 0.0883883476f); }
static void open_decode(const contest_workload *w) { (void)w, make_attention(8, 16, 1, 1024, 64, 0.125f); }

static const struct {
  const char *name;
  void (*open)(const contest_workload *w);
} rows[] = {
    {"add_1k", open_add},
    {"add_100k", open_add},
    {"add_16M", open_add},
    {"add4_given", open_add},
    {"bcast_row", open_bcast_row},
    {"bcast_col", open_bcast_col},
    {"bcast_3d", open_bcast_3d},
    {"addT_2048", open_addT},
    {"exp_1M", open_exp},
    {"tanh_1M", open_tanh},
    {"sigmoid_1M", open_sigmoid},
    {"relu_1M", open_relu},
    {"gelu_erf_1M", open_gelu_erf},
    {"gelu_tanh_1M", open_gelu_tanh},
    {"sum_16M", open_sum_16M},
    {"sum_ax0", open_sum_ax0},
    {"sum_ax1", open_sum_ax1},
    {"max_ax0", open_max_ax0},
    {"max_ax1", open_max_ax1},
    {"argmax_16M", open_argmax_16M},
    {"argmax_ax0", open_argmax_ax0},
    {"argmax_ax1", open_argmax_ax1},
    {"transpose_4096", open_transpose},
    {"perm_nchw2nhwc", open_nchw2nhwc},
    {"perm_nhwc2nchw", open_nhwc2nchw},
    {"cast_f16", open_f16},
    {"cast_bf16", open_bf16},
    {"cast_u8", open_u8},
    {"cast_f16_to_f32", open_from_f16},
    {"cast_bf16_to_f32", open_from_bf16},
    {"cast_u8_to_f32", open_from_u8},
    {"slice_cols2", open_slice_cols2},
    {"slice_block", open_slice_block},
    {"concat_ax0", open_concat_ax0},
    {"concat_ax1", open_concat_ax1},
    {"pad_1", open_pad},
    {"sgemm_64", open_64},
    {"sgemm_256", open_256},
    {"sgemm_1024", open_1024},
    {"sgemm_2048", open_2048},
    {"sgemm_256_packed", open_256_packed},
    {"sgemm_1024_packed", open_1024_packed},
    {"sgemm_2048_packed", open_2048_packed},
    {"gemv_4096", open_gemv},
    {"gemm_32x4096", open_32},
    {"gemm_32x4096_packed", open_32_packed},
    {"bmm_64", open_batch},
    {"int8gemm_1024", open_int8},
    {"qmatmul_1024", open_qmatmul},
    {"qconv3_64", open_qconv3},
    {"qconv1x1", open_qconv1x1},
    {"qconvdw3", open_qconvdw3},
    {"conv7s2", open_conv7s2},
    {"conv3_64", open_conv3_64},
    {"conv3_256", open_conv3_256},
    {"conv1x1", open_conv1x1},
    {"convdw3", open_convdw3},
    {"conv1d", open_conv1d},
    {"maxpool", open_maxpool},
    {"softmax_1024", open_softmax_1024},
    {"softmax_64x50257", open_softmax_words},
    {"layernorm_1024", open_layernorm},
    {"attn", open_attention},
    {"attn_decode_gqa", open_decode_gqa},
    {"attn_decode", open_decode},
};

/* ---- the contestant ---- */

static void close_row(void) {
  if (session != NULL) ((release_session_fn *)api[AT_RELEASE_SESSION])(session);
  for (size_t i = 0; i < input_count; i++) ((release_value_fn *)api[AT_RELEASE_VALUE])(inputs[i]);
  if (output != NULL) ((release_value_fn *)api[AT_RELEASE_VALUE])(output);
  session = NULL;
  output = NULL;
  input_count = graph.size = 0;
}

static bool run_once(void) {
  const ort_value *const *values = (const ort_value *const *)inputs;
  return fine(run_session(session, NULL, input_names, values, input_count, output_names, 1, &output));
}

static bool open_row(const char *spec) {
  const contest_workload *w = contest_find(spec);
  for (size_t i = 0; w != NULL && i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].name, spec) != 0) continue;
    rows[i].open(w);
    if (make_session() && run_once()) return true;
    close_row();
  }
  return false;
}

static void run(long calls) {
  for (long i = 0; i < calls; i++) (void)run_once();
}

int main(void) {
  const char *version = load();
  if (version == NULL) {
    fprintf(stderr, "onnxruntime: its library does not load\n");
    return 1;
  }
  const contestant self = {version, open_row, run, close_row};
  return contest_main(&self);
}
