/* Fails each allocation in turn through every function that allocates: a status, no leak, nothing changed. */
#include "support/helpers.h"
#include "support/test.h"

/* What a case works on. Everything that must not change when it fails is in here. */
typedef struct state {
  tsr_tensor in, aux, out;
  tsr_storage *storage, *made;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  tsr_plan_report report;
  int released; /* calls of a release function */
  _Alignas(64) int32_t values[64];
} state;

static state s, before;
static test_device device, second;
static tsr_memory_pool *pool;
static unsigned char file_bytes[512];
static size_t file_size;

static void note_release(void *user, void *data, size_t bytes) {
  (void)data;
  (void)bytes;
  ++*(int *)user;
}

static tsr_status sink_write(void *self, const void *bytes, size_t n) {
  (void)self;
  if (n > sizeof file_bytes - file_size) return TSR_EIO;
  memcpy(file_bytes + file_size, bytes, n);
  file_size += n;
  return TSR_OK;
}

/* ---- what is there before a case ---- */

static void matrix(tsr_ctx *ctx) { /* [3,4], columns first, borrowed */
  for (int i = 0; i < 64; i++) s.values[i] = i;
  OK(ctx, tsr_from_memory(ctx, s.values, TSR_I32, TSR_SHAPE(4, 3), &s.in));
  OK(ctx, tsr_transpose(ctx, &s.in, 0, 1, &s.in));
}
static void overlapping(tsr_ctx *ctx) { /* and an output one element further on */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_I32, TSR_SHAPE(3, 4), &s.out));
}
static void described(tsr_ctx *ctx) {
  matrix(ctx);
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, TSR_SHAPE(3, 4), TSR_FORTRAN, &s.out));
}
static void owner(tsr_ctx *ctx) { /* a handle that must be replaced by a copy of itself */
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(4, 3), &s.out));
  OK(ctx, tsr_transpose(ctx, &s.out, 0, 1, &s.out));
}
static const int64_t index_values[4] = {2, 0, 1, 2};
static void picked(tsr_ctx *ctx) { /* and indices of its first axis */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, (void *)(uintptr_t)index_values, TSR_I64, TSR_SHAPE(3, 1), &s.aux));
}
static void picked_overlapping(tsr_ctx *ctx) {
  picked(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_I32, TSR_SHAPE(3, 4), &s.out));
}
static void rows_overlapping(tsr_ctx *ctx) { /* rows of it, by number, over them */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, (void *)(uintptr_t)index_values, TSR_I64, TSR_SHAPE(3), &s.aux));
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_I32, TSR_SHAPE(3, 4), &s.out));
}
static void floats_overlapping(tsr_ctx *ctx) { /* six, and an output one element further on */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values, TSR_F32, TSR_SHAPE(6), &s.in));
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_F32, TSR_SHAPE(6), &s.out));
}
static void scores_overlapping(tsr_ctx *ctx) { /* rows with their classes, and an output among the rows */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values, TSR_I32, TSR_SHAPE(3), &s.aux));
  OK(ctx, tsr_from_memory(ctx, s.values + 3, TSR_F32, TSR_SHAPE(3, 4), &s.in));
  OK(ctx, tsr_from_memory(ctx, s.values + 4, TSR_F32, TSR_SHAPE(3), &s.out));
}
static void scored(tsr_ctx *ctx) {
  scores_overlapping(ctx);
  s.out = (tsr_tensor){0};
}
static void wide_overlapping(tsr_ctx *ctx) { /* an output that is two longer each way */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_I32, TSR_SHAPE(5, 6), &s.out));
}
static void long_overlapping(tsr_ctx *ctx) { /* twice as many rows */
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_I32, TSR_SHAPE(6, 4), &s.out));
}
static void image(tsr_ctx *ctx) {
  matrix(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values, TSR_I32, TSR_SHAPE(1, 5, 2, 3), &s.in));
}
#if TSR_MAX_DIMS >= 5
static void blocked(tsr_ctx *ctx) {
  image(ctx);
  OK(ctx, tsr_to_layout(ctx, &s.in, TSR_NC4HW, 0, &s.aux));
}
static void image_overlapping(tsr_ctx *ctx) {
  image(ctx);
  OK(ctx, tsr_from_memory(ctx, s.values + 1, TSR_I32, TSR_SHAPE(1, 2, 2, 3, 4), &s.out));
}
#endif
static void some_storage(tsr_ctx *ctx) { OK(ctx, tsr_storage_new(ctx, NULL, 256, 0, &s.storage)); }
static void on_device(tsr_ctx *ctx) {
  matrix(ctx);
  test_device_init(&device, "odd:0", 0);
  test_device_init(&second, "odd:1", 1);
  OK(ctx, tsr_to_device(ctx, &s.in, &device.device, &s.aux));
}
static void full_bundle(tsr_ctx *ctx) { /* so full that one more needs room */
  OK(ctx, tsr_bundle_init(ctx, &s.bundle));
  char name[2] = "a";
  do {
    tsr_tensor t = {0};
    OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2), &t));
    OK(ctx, tsr_bundle_add(ctx, &s.bundle, name, &t));
    name[0]++;
  } while (s.bundle.count < s.bundle.capacity);
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2), &s.aux));
}
static void new_bundle(tsr_ctx *ctx) {
  OK(ctx, tsr_bundle_init(ctx, &s.bundle));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2), &s.aux));
}
static void plan(tsr_ctx *ctx) {
  static const tsr_plan_item items[3] = {{100, 0, 1, 0, 7}, {200, 1, 2, 0, 7}, {100, 2, 3, 1, 7}};
  (void)ctx;
  memcpy(s.items, items, sizeof items);
}
static void planned_bundle(tsr_ctx *ctx) {
  plan(ctx);
  OK(ctx, tsr_bundle_init(ctx, &s.bundle));
  for (int i = 0; i < 3; i++) {
    tsr_tensor t = {0};
    const char name[2] = {(char)('a' + i), '\0'};
    OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(20), &t));
    OK(ctx, tsr_bundle_add(ctx, &s.bundle, name, &t));
    s.items[i].offset = 128 * (size_t)i;
  }
  some_storage(ctx);
  tsr_storage_release(s.storage);
  OK(ctx, tsr_storage_new(ctx, NULL, 512, 0, &s.storage));
}
static void encoded(tsr_ctx *ctx) {
  static const tsr_sink sink = {sizeof(tsr_sink), sink_write, NULL};
  matrix(ctx);
  file_size = 0;
  OK(ctx, tsr_npy_write(ctx, &s.in, &sink));
}
static void sink_only(tsr_ctx *ctx) {
  matrix(ctx);
  OK(ctx, tsr_slice(ctx, &s.in, 1, TSR_OMIT, TSR_OMIT, 2, &s.in));
  file_size = 0;
}

#if TSR_HAVE_STDIO
static const char path[] = "alloc_sweep_test.npy"; /* in the folder that the test runs in */
static void saved(tsr_ctx *ctx) {
  matrix(ctx);
  OK(ctx, tsr_npy_save(ctx, path, &s.in));
}
#endif

/* ---- the cases ---- */

static tsr_real add_one(tsr_real x, void *user) { return (void)user, x + 1; }
static int32_t add_one_i32(int32_t x, void *user) { return (void)user, x + 1; }

#define CASE(name, call) \
  static tsr_status name(tsr_ctx *ctx) { return call; }
CASE(do_empty, tsr_empty(ctx, TSR_F32, TSR_SHAPE(2, 3), &s.out))
CASE(do_zeros, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3), &s.out))
CASE(do_ones, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 3), &s.out))
CASE(do_full, tsr_full(ctx, TSR_F32, TSR_SHAPE(2, 3), 2, &s.out))
CASE(do_zeros_ordered, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3), TSR_FORTRAN, &s.out))
CASE(do_empty_like, tsr_empty_like(ctx, &s.in, &s.out))
CASE(do_zeros_like, tsr_zeros_like(ctx, &s.in, &s.out))
CASE(do_ones_like, tsr_ones_like(ctx, &s.in, &s.out))
CASE(do_full_like, tsr_full_like(ctx, &s.in, 7, &s.out))
CASE(do_arange, tsr_arange(ctx, TSR_F32, 0, 9, 1, &s.out))
CASE(do_arange_i64, tsr_arange_i64(ctx, TSR_I8, 0, 9, 1, &s.out))
CASE(do_linspace, tsr_linspace(ctx, TSR_F32, 0, 9, 4, &s.out))
CASE(do_eye, tsr_eye(ctx, TSR_F32, 3, 3, 1, &s.out))
CASE(do_from_array, tsr_from_array(ctx, s.values, 12, TSR_I32, TSR_SHAPE(3, 4), TSR_FORTRAN, &s.out))
CASE(do_to_array, tsr_to_array(ctx, &s.in, TSR_ROW_MAJOR, 12, s.values + 2))
CASE(do_fill, tsr_fill(ctx, 3, &s.out))
CASE(do_copy, tsr_copy(ctx, &s.in, &s.out))
CASE(do_cast, tsr_cast(ctx, &s.in, TSR_F32, &s.out))
CASE(do_cast_overlapping, tsr_cast(ctx, &s.in, TSR_I32, &s.out))
CASE(do_clone, tsr_clone(ctx, &s.in, &s.out))
CASE(do_reshape, tsr_reshape(ctx, &s.in, TSR_SHAPE(12), &s.out))
CASE(do_reshape_fortran, tsr_reshape_ordered(ctx, &s.in, TSR_SHAPE(2, 15), TSR_FORTRAN, &s.out))
CASE(do_reshape_in_place, tsr_reshape(ctx, &s.out, TSR_SHAPE(12), &s.out))
CASE(do_flatten, tsr_flatten(ctx, &s.in, TSR_ROW_MAJOR, &s.out))
CASE(do_contiguous, tsr_contiguous(ctx, &s.in, &s.out))
CASE(do_contiguous_in_place, tsr_contiguous(ctx, &s.out, &s.out))
CASE(do_to_layout, tsr_to_layout(ctx, &s.in, TSR_NHWC, 0, &s.out))
CASE(do_map, tsr_map(ctx, &s.in, add_one, NULL, &s.out))
CASE(do_map_i32, tsr_map_i32(ctx, &s.in, add_one_i32, NULL, &s.out))
CASE(do_concat, tsr_concat(ctx, 2, (const tsr_tensor *[]){&s.in, &s.in}, 0, &s.out))
CASE(do_stack, tsr_stack(ctx, 2, (const tsr_tensor *[]){&s.in, &s.in}, 1, &s.out))
CASE(do_tile, tsr_tile(ctx, &s.in, 2, (const tsr_index[]){2, 1}, &s.out))
CASE(do_repeat, tsr_repeat(ctx, &s.in, 2, 0, &s.out))
CASE(do_roll, tsr_roll(ctx, &s.in, 1, 1, &s.out))
CASE(do_pad, tsr_pad_2d(ctx, &s.in, 1, 1, 1, 1, 5, &s.out))
CASE(do_reflect, tsr_pad(ctx, &s.in, (const tsr_index[]){1, 1}, (const tsr_index[]){1, 1}, TSR_PAD_REFLECT, 0, &s.out))
CASE(do_tril, tsr_tril(ctx, &s.in, 0, &s.out))
CASE(do_triu, tsr_triu(ctx, &s.in, 0, &s.out))
CASE(do_take, tsr_take(ctx, &s.in, &s.aux, 0, &s.out))
CASE(do_gather, tsr_gather(ctx, &s.in, &s.aux, 0, &s.out))
CASE(do_scatter, tsr_scatter(ctx, &s.in, &s.aux, &s.in, 0, TSR_SCATTER_ADD, &s.out))
CASE(do_put, tsr_put(ctx, &s.in, &s.aux, &s.in, 0, TSR_SCATTER_SET, &s.out))
CASE(do_gather_nd, tsr_gather_nd(ctx, &s.in, &s.aux, 0, &s.out))
CASE(do_scatter_nd, tsr_scatter_nd(ctx, &s.in, &s.aux, &s.in, TSR_SCATTER_MAX, &s.out))
static const bool bool_values[4] = {true, false, true, true};
static const tsr_tensor bools = {
    .dtype = TSR_BOOL, .ndim = 1, .shape = {4, 1, 1, 1}, .stride = {1}, .data = (void *)(uintptr_t)bool_values};
static const tsr_selection some = {.where = &bools, .has_initial = true};
CASE(do_masked_fill, tsr_masked_fill(ctx, &s.in, &bools, 7, &s.out))
CASE(do_masked_scatter, tsr_masked_scatter(ctx, &s.in, &bools, &s.in, &s.out))
CASE(do_masked_select, tsr_masked_select(ctx, &s.in, &bools, &s.out))
CASE(do_nonzero, tsr_nonzero(ctx, &s.in, &s.out))
CASE(do_unique_within, tsr_unique_within(ctx, &s.in, 5, &s.out, NULL, NULL, NULL))
CASE(do_nonzero_within, tsr_nonzero_within(ctx, &s.in, 5, &s.out, NULL))
CASE(do_masked_select_within, tsr_masked_select_within(ctx, &s.in, &bools, 5, &s.out, NULL))
CASE(do_sum_where, tsr_sum_where(ctx, &s.in, &some, 0, NULL, false, &s.out))
CASE(do_mean_where, tsr_mean_where(ctx, &s.in, &some, 0, NULL, false, &s.out))
CASE(do_std_where, tsr_std_where(ctx, &s.in, &some, 1, (const int[]){1}, false, 0, &s.out))
CASE(do_max_where, tsr_max_where(ctx, &s.in, &some, 1, (const int[]){0}, false, &s.out))
CASE(do_argmin_where, tsr_argmin_where(ctx, &s.in, &some, 1, false, &s.out))
CASE(do_embedding, tsr_embedding(ctx, &s.in, &s.aux, 1, &s.out))
CASE(do_one_hot, tsr_one_hot(ctx, &s.aux, 3, 1, 0, TSR_F32, &s.out))
CASE(do_mse_loss, tsr_mse_loss(ctx, &s.in, &s.in, TSR_REDUCE_NONE, &s.out))
CASE(do_nll_loss, tsr_nll_loss(ctx, &s.in, &s.aux, TSR_IGNORE_INDEX, TSR_REDUCE_NONE, &s.out))
CASE(do_cross_entropy, tsr_cross_entropy(ctx, &s.in, &s.aux, TSR_IGNORE_INDEX, 0, TSR_REDUCE_MEAN, &s.out))
CASE(do_accuracy, tsr_accuracy(ctx, &s.in, &s.aux, &s.out))
CASE(do_confusion_matrix, tsr_confusion_matrix(ctx, &s.aux, &s.aux, 3, &s.out))
CASE(do_allocate, tsr_allocate(ctx, NULL, 0, &s.out))
CASE(do_allocate_device, tsr_allocate(ctx, &device.device, 0, &s.out))
CASE(do_storage_new, tsr_storage_new(ctx, NULL, 100, 0, &s.made))
CASE(do_storage_device, tsr_storage_new(ctx, &device.device, 100, 0, &s.made))
CASE(do_storage_wrap, tsr_storage_wrap(ctx, NULL, file_bytes, 100, note_release, &s.released, &s.made))
CASE(do_storage_sub, tsr_storage_sub(ctx, s.storage, 8, 16, &s.made))
CASE(do_from_storage, tsr_from_storage(ctx, s.storage, 8, TSR_F32, TSR_SHAPE(2, 3), NULL, &s.out))
CASE(do_to_device, tsr_to_device(ctx, &s.in, &device.device, &s.out))
CASE(do_from_device, tsr_copy(ctx, &s.aux, &s.out))
CASE(do_between_devices, tsr_to_device(ctx, &s.aux, &second.device, &s.out))
CASE(do_clone_device, tsr_clone(ctx, &s.aux, &s.out))
CASE(do_bundle_add, tsr_bundle_add(ctx, &s.bundle, "name", &s.aux))
CASE(do_bundle_take, tsr_bundle_take(ctx, &s.bundle, "c", &s.out))
CASE(do_bundle_bind, tsr_bundle_bind(ctx, &s.bundle, 3, s.items, 512, NULL))
CASE(do_bundle_bind_to, tsr_bundle_bind(ctx, &s.bundle, 3, s.items, 512, s.storage))
CASE(do_plan, tsr_plan(ctx, 3, s.items, 0, &s.report))
CASE(do_pool_new, tsr_memory_pool_new(ctx->allocator, 1000, &pool))
CASE(do_npy_decode, tsr_npy_decode(ctx, file_bytes, file_size, NULL, NULL, &s.out))
CASE(do_npy_write, tsr_npy_write(ctx, &s.in, &(const tsr_sink){sizeof(tsr_sink), sink_write, NULL}))
#if TSR_HAVE_STDIO
CASE(do_npy_save, tsr_npy_save(ctx, path, &s.in))
CASE(do_npy_load, tsr_npy_load(ctx, path, &s.out))
#endif
#if TSR_MAX_DIMS >= 5
CASE(do_to_blocked, tsr_to_layout(ctx, &s.in, TSR_NC4HW, 0, &s.out))
CASE(do_from_blocked, tsr_to_layout(ctx, &s.aux, TSR_NHWC, 5, &s.out))
CASE(do_between_blocked, tsr_to_layout(ctx, &s.aux, TSR_NC8HW, 5, &s.out))
#endif

typedef struct sweep_case {
  const char *name;
  void (*setup)(tsr_ctx *ctx); /* NULL: nothing */
  tsr_status (*call)(tsr_ctx *ctx);
  int least;  /* allocations that it makes at least */
  bool grows; /* what it works on may keep room that it made before it failed */
} sweep_case;

static const sweep_case cases[] = {
    {"empty", NULL, do_empty, 1, false},
    {"zeros", NULL, do_zeros, 1, false},
    {"ones", NULL, do_ones, 1, false},
    {"full", NULL, do_full, 1, false},
    {"zeros_ordered", NULL, do_zeros_ordered, 1, false},
    {"empty_like", matrix, do_empty_like, 1, false},
    {"zeros_like", matrix, do_zeros_like, 1, false},
    {"zeros_like, described", described, do_zeros_like, 1, false},
    {"ones_like", matrix, do_ones_like, 1, false},
    {"full_like", matrix, do_full_like, 1, false},
    {"arange", NULL, do_arange, 1, false},
    {"arange_i64", NULL, do_arange_i64, 1, false},
    {"linspace", NULL, do_linspace, 1, false},
    {"eye", NULL, do_eye, 1, false},
    {"from_array", matrix, do_from_array, 1, false},
    {"from_array, described", described, do_from_array, 1, false},
    {"from_array, overlapping", overlapping, do_from_array, 1, false},
    {"to_array, overlapping", matrix, do_to_array, 1, false},
    {"fill, described", described, do_fill, 1, false},
    {"copy", matrix, do_copy, 1, false},
    {"copy, described", described, do_copy, 1, false},
    {"copy, overlapping", overlapping, do_copy, 1, false},
    {"cast", matrix, do_cast, 1, false},
    {"cast, overlapping", overlapping, do_cast_overlapping, 1, false},
    {"clone", matrix, do_clone, 1, false},
    {"reshape", matrix, do_reshape, 1, false},
    {"reshape, columns first", overlapping, do_reshape_in_place, 0, false},
    {"reshape_ordered", image, do_reshape_fortran, 1, false},
    {"reshape, in place", owner, do_reshape_in_place, 1, false},
    {"flatten", matrix, do_flatten, 1, false},
    {"contiguous", matrix, do_contiguous, 1, false},
    {"contiguous, in place", owner, do_contiguous_in_place, 1, false},
    {"to_layout", image, do_to_layout, 1, false},
    {"map", matrix, do_map, 1, false},
    {"map, overlapping", overlapping, do_map, 1, false},
    {"map_i32, overlapping", overlapping, do_map_i32, 1, false},
    {"concat", matrix, do_concat, 1, false},
    {"concat, overlapping", long_overlapping, do_concat, 1, false},
    {"stack", matrix, do_stack, 1, false},
    {"tile", matrix, do_tile, 1, false},
    {"tile, overlapping", long_overlapping, do_tile, 1, false},
    {"repeat", matrix, do_repeat, 1, false},
    {"repeat, overlapping", long_overlapping, do_repeat, 1, false},
    {"roll", matrix, do_roll, 1, false},
    {"roll, overlapping", overlapping, do_roll, 1, false},
    {"pad", matrix, do_pad, 1, false},
    {"pad, overlapping", wide_overlapping, do_pad, 1, false},
    {"pad, reflected", matrix, do_reflect, 1, false},
    {"pad, reflected, overlapping", wide_overlapping, do_reflect, 1, false},
    {"tril", matrix, do_tril, 1, false},
    {"tril, described", described, do_tril, 1, false},
    {"triu, overlapping", overlapping, do_triu, 1, false},
    {"take", picked, do_take, 1, false},
    {"gather", picked, do_gather, 1, false},
    {"gather, overlapping", picked_overlapping, do_gather, 1, false},
    {"scatter", picked, do_scatter, 1, false},
    {"scatter, overlapping", picked_overlapping, do_scatter, 2, false},
    {"put, overlapping", rows_overlapping, do_put, 1, false},
    {"gather_nd", picked, do_gather_nd, 2, false},
    {"scatter_nd", picked, do_scatter_nd, 2, false},
    {"scatter_nd, overlapping", picked_overlapping, do_scatter_nd, 3, false},
    {"masked_fill, overlapping", overlapping, do_masked_fill, 1, false},
    {"masked_scatter", matrix, do_masked_scatter, 3, false},
    {"masked_scatter, overlapping", overlapping, do_masked_scatter, 3, false},
    {"masked_select", matrix, do_masked_select, 3, false},
    {"nonzero", matrix, do_nonzero, 3, false},
    {"unique_within", matrix, do_unique_within, 3, false},
    {"nonzero_within", matrix, do_nonzero_within, 3, false},
    {"masked_select_within", matrix, do_masked_select_within, 3, false},
    {"sum_where", matrix, do_sum_where, 2, false},
    {"mean_where", matrix, do_mean_where, 3, false},
    {"std_where", matrix, do_std_where, 3, false},
    {"max_where", matrix, do_max_where, 2, false},
    {"argmin_where", matrix, do_argmin_where, 4, false},
    {"mse_loss, overlapping", floats_overlapping, do_mse_loss, 2, false},
    {"nll_loss, overlapping", scores_overlapping, do_nll_loss, 1, false},
    {"cross_entropy", scored, do_cross_entropy, 1, false},
    {"accuracy", scored, do_accuracy, 1, false},
    {"confusion_matrix", scored, do_confusion_matrix, 1, false},
    {"embedding", picked, do_embedding, 1, false},
    {"embedding, overlapping", rows_overlapping, do_embedding, 1, false},
    {"one_hot", picked, do_one_hot, 2, false},
    {"allocate", described, do_allocate, 1, false},
    {"storage_new", NULL, do_storage_new, 1, false},
    {"storage_wrap", NULL, do_storage_wrap, 1, false},
    {"storage_sub", some_storage, do_storage_sub, 1, false},
    {"from_storage", some_storage, do_from_storage, 0, false},
    {"allocate on a device", described, do_allocate_device, 1, false},
    {"storage_new on a device", on_device, do_storage_device, 1, false},
    {"to_device", on_device, do_to_device, 2, false},
    {"copy from a device", on_device, do_from_device, 1, false},
    {"between devices", on_device, do_between_devices, 2, false},
    {"clone on a device", on_device, do_clone_device, 1, false},
    {"bundle_add, the first", new_bundle, do_bundle_add, 3, true},
    {"bundle_add, growing", full_bundle, do_bundle_add, 3, true},
    {"bundle_take", full_bundle, do_bundle_take, 0, true},
    {"bundle_bind", planned_bundle, do_bundle_bind, 4, false},
    {"bundle_bind to a storage", planned_bundle, do_bundle_bind_to, 3, false},
    {"plan", plan, do_plan, 1, false},
    {"pool_new", NULL, do_pool_new, 1, false},
    {"npy_decode", encoded, do_npy_decode, 1, false},
    {"npy_write", sink_only, do_npy_write, 0, false},
#if TSR_HAVE_STDIO
    {"npy_save", saved, do_npy_save, 0, false},
    {"npy_load", saved, do_npy_load, 1, false},
#endif
#if TSR_MAX_DIMS >= 5
    {"to_layout, to blocks", image, do_to_blocked, 1, false},
    {"to_layout, from blocks", blocked, do_from_blocked, 1, false},
    {"to_layout, between blocks", blocked, do_between_blocked, 2, false},
    {"to_layout, overlapping", image_overlapping, do_to_blocked, 1, false},
#endif
};

static void start(tsr_ctx *ctx, const sweep_case *c) {
  memset(&s, 0, sizeof s);
  pool = NULL;
  if (c->setup != NULL) c->setup(ctx);
  if (c->setup != on_device) test_device_init(&device, "odd:0", 0);
  before = s;
}

static void finish(void) {
  tsr_release(&s.in);
  tsr_release(&s.aux);
  tsr_release(&s.out);
  tsr_storage_release(s.storage);
  tsr_storage_release(s.made);
  if (s.bundle.allocator != NULL) tsr_bundle_release(&s.bundle);
  CHECK(tsr_memory_pool_release(pool) == TSR_OK);
  CHECK(test_live() == 0);
  CHECK(device.allocs == device.frees);
}

/* What a failure must leave as it was. A bundle may have grown, but not in tensors. */
static void check_untouched(const sweep_case *c) {
  if (c->grows) {
    CHECK(s.bundle.count == before.bundle.count);
    s.bundle = before.bundle; /* compared: the rest. Its room is checked by finish, of the grown one */
  }
  CHECK(memcmp(&s, &before, sizeof s) == 0);
}

/* Runs a case with allocation number k refused; whether it got through. */
static bool run(const sweep_case *c, size_t k, bool sticky) {
  tsr_ctx *const ctx = test_context();
  const int failures = test_now.failures;
  start(ctx, c);
  const size_t live = test_live(), calls = test_failing()->calls;
  const int on_devices = device.allocs - device.frees;
  test_failing()->fail_at = calls + k;
  test_failing()->sticky = sticky;
  const tsr_status st = c->call(ctx);
  if (st != TSR_OK) {
    const tsr_bundle bundle = s.bundle;
    CHECK(st == TSR_ENOMEM);
    CHECK(device.allocs - device.frees == on_devices);
    if (!c->grows) CHECK(test_live() == live);
    check_untouched(c);
    s.bundle = bundle;
  } else {
    CHECK(k >= (size_t)c->least);
  }
  test_failing()->fail_at = SIZE_MAX;
  finish();
  if (test_now.failures > failures) printf("  %s, allocation %d%s\n", c->name, (int)k, sticky ? " and all after" : "");
  return st == TSR_OK;
}

TEST(every_allocation_of_every_function) {
  int allocations = 0;
  for (int i = 0; i < COUNT_OF(cases); i++)
    for (int sticky = 0; sticky < 2; sticky++) {
      size_t k = 0;
      while (k < 50 && !run(&cases[i], k, sticky != 0)) k++;
      CHECK(k < 50);
      allocations += (int)k;
    }
  printf("  %d functions, %d allocations refused\n", COUNT_OF(cases), allocations);
#if TSR_HAVE_STDIO
  CHECK(remove(path) == 0);
#endif
}

/* ---- those that never allocate ---- */

static char text[256];
static bool flag;

TEST(nothing_else_allocates) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, v = {0}, shared = {0}, given = {0};
  tsr_real value = 0;
  tsr_iter it;
  void *element = NULL;
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 12, 1, &t));
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(3, 4)));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 4), &given));
  const size_t calls = test_failing()->calls;
  test_failing()->fail_at = calls, test_failing()->sticky = true;
  OK(ctx, tsr_slice(ctx, &t, 0, TSR_OMIT, TSR_OMIT, -1, &v));
  OK(ctx, tsr_permute(ctx, &t, (const int[]){1, 0}, &v));
  OK(ctx, tsr_broadcast_to(ctx, &t, TSR_SHAPE(2, 3, 4), &v));
  OK(ctx, tsr_sliding_window(ctx, &t, 1, 2, 1, &v));
  OK(ctx, tsr_bitcast(ctx, &t, TSR_U8, &v));
  OK(ctx, tsr_share(ctx, &t, &shared));
  tsr_release(&shared);
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(12), &shared)); /* a view */
  tsr_release(&shared);
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &v));
  OK(ctx, tsr_transpose(ctx, &v, 0, 1, &v));
  OK(ctx, tsr_copy(ctx, &v, &given));
  OK(ctx, tsr_fill(ctx, 1, &given));
  OK(ctx, tsr_map(ctx, &given, add_one, NULL, &given));
  OK(ctx, tsr_get(ctx, &t, TSR_INDEX(1, 1), &value));
  OK(ctx, tsr_set(ctx, &t, TSR_INDEX(1, 1), value));
  OK(ctx, tsr_flat(ctx, &t, 3, TSR_MEMORY, &element));
  OK(ctx, tsr_iter_init(ctx, &t, TSR_FORTRAN, &it));
  OK(ctx, tsr_equal(ctx, &t, &given, &flag));
  OK(ctx, tsr_allclose(ctx, &t, &given, 0, 0, false, &flag));
  OK(ctx, tsr_print_text(ctx, &v, NULL, text, sizeof text, NULL));
  OK(ctx, tsr_to_array(ctx, &v, TSR_ROW_MAJOR, 12, s.values));
  CHECK(test_failing()->calls == calls);
  tsr_release(&t);
  tsr_release(&given);
  CHECK(test_live() == 0);
}

/* With scratch, the allocator serves outputs only. */
TEST(scratch_serves_every_temporary) {
  static _Alignas(64) unsigned char scratch[4096];
  for (int i = 0; i < COUNT_OF(cases); i++) {
    if (strstr(cases[i].name, "overlapping") == NULL && strcmp(cases[i].name, "plan") != 0) continue;
    tsr_ctx *const ctx = test_context();
    start(ctx, &cases[i]);
    OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
    const size_t calls = test_failing()->calls;
    test_failing()->fail_at = calls, test_failing()->sticky = true;
    OK(ctx, cases[i].call(ctx));
    CHECK(test_failing()->calls == calls);
    finish();
  }
}

TEST_MAIN(RUN(every_allocation_of_every_function), RUN(nothing_else_allocates), RUN(scratch_serves_every_temporary))
