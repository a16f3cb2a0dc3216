/* Bundles: names, order, ownership, slots of a plan. */
#include "support/test.h"
#include <tessera/tessera.h>

/* Memory for targets without malloc; hosts use it too, so that one test serves both. */
#if TSR_HAVE_MALLOC
enum { POOL_BYTES = 1 << 16, MANY = 10000 };
#else
enum { POOL_BYTES = 1 << 13, MANY = 0 };
#endif
static _Alignas(64) uint8_t pool[POOL_BYTES];

/* A context whose allocations are counted, and can be made to fail. */
typedef struct fixture {
  tsr_arena arena;
  tsr_failing failing;
  tsr_ctx ctx;
} fixture;

static void set_up(fixture *f) {
  OK(NULL, tsr_arena_init(pool, sizeof pool, &f->arena));
  OK(NULL, tsr_failing_init(&f->arena.allocator, SIZE_MAX, false, &f->failing));
  OK(NULL, tsr_context_init(&f->ctx, &f->failing.allocator));
}

static tsr_tensor described(fixture *f, tsr_index rows, tsr_index cols) {
  tsr_tensor t = {0};
  OK(&f->ctx, tsr_desc_init(&f->ctx, TSR_F32, TSR_SHAPE(rows, cols), &t));
  return t;
}

static void add_described(fixture *f, tsr_bundle *bundle, const char *name, tsr_index rows, tsr_index cols) {
  tsr_tensor t = described(f, rows, cols);
  OK(&f->ctx, tsr_bundle_add(&f->ctx, bundle, name, &t));
  CHECK(tsr_is_none(&t));
}

/* ---- names and order ---- */

TEST(keeps_names_and_order) {
  fixture f;
  tsr_bundle bundle;
  char name[] = "beta";
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  CHECK(bundle.count == 0 && tsr_bundle_find(&bundle, "alpha") == NULL);
  add_described(&f, &bundle, name, 2, 3);
  add_described(&f, &bundle, "alpha", 4, 5);
  add_described(&f, &bundle, "c", 6, 7);
  name[0] = 'z'; /* the bundle has its own copy */
  REQUIRE(bundle.count == 3);
  CHECK(strcmp(bundle.tensors[0].name, "beta") == 0 && bundle.tensors[0].shape[0] == 2);
  CHECK(strcmp(bundle.tensors[1].name, "alpha") == 0 && bundle.tensors[1].shape[0] == 4);
  CHECK(tsr_bundle_find(&bundle, "beta") == &bundle.tensors[0]);
  CHECK(tsr_bundle_find(&bundle, "c") == &bundle.tensors[2]);
  CHECK(tsr_bundle_find(&bundle, "zeta") == NULL && tsr_bundle_find(&bundle, NULL) == NULL);
  tsr_bundle_release(&bundle);
  CHECK(bundle.count == 0 && bundle.tensors == NULL && f.failing.live == 0);
  tsr_bundle_release(&bundle);
  tsr_bundle_release(NULL);
}

TEST(refuses_a_second_of_a_name) {
  fixture f;
  tsr_bundle bundle;
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  add_described(&f, &bundle, "weight", 2, 3);
  tsr_tensor second = described(&f, 4, 4);
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_add(&f.ctx, &bundle, "weight", &second));
  MESSAGE_HAS(&f.ctx, "weight is in the bundle already");
  CHECK(second.shape[0] == 4 && bundle.count == 1);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(refuses_bad_arguments) {
  fixture f;
  tsr_bundle bundle;
  const tsr_tensor *found = NULL;
  set_up(&f);
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_init(&f.ctx, NULL));
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  tsr_tensor t = described(&f, 1, 1), empty = {0};
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_add(&f.ctx, NULL, "a", &t));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_add(&f.ctx, &bundle, NULL, &t));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_add(&f.ctx, &bundle, "a", NULL));
  FAILS(&f.ctx, TSR_ESTATE, tsr_bundle_add(&f.ctx, &bundle, "a", &empty));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_get(&f.ctx, NULL, "a", &found));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_get(&f.ctx, &bundle, "a", NULL));
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "a", &found));
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_take(&f.ctx, &bundle, "a", &t));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_take(&f.ctx, &bundle, "a", NULL));
  t.flags = TSR_OWNS;
  FAILS(&f.ctx, TSR_ESTATE, tsr_bundle_take(&f.ctx, &bundle, "a", &t));
  CHECK(found == NULL && f.failing.live == 0);
}

TEST(a_zero_bundle_works) {
  fixture f;
  tsr_bundle bundle = {0};
  set_up(&f);
  CHECK(tsr_bundle_find(&bundle, "a") == NULL);
  add_described(&f, &bundle, "a", 1, 1);
  CHECK(tsr_bundle_find(&bundle, "a") != NULL);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(names_the_nearest) {
  fixture f;
  tsr_bundle bundle;
  const tsr_tensor *found = NULL;
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  add_described(&f, &bundle, "encoder.0.weight", 1, 1);
  add_described(&f, &bundle, "encoder.0.bias", 1, 1);
  add_described(&f, &bundle, "encoder.10.weight", 1, 1);
  OK(&f.ctx, tsr_bundle_get(&f.ctx, &bundle, "encoder.0.bias", &found));
  CHECK(found == &bundle.tensors[1]);
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "encoder.0.wieght", &found));
  MESSAGE_HAS(&f.ctx, "the nearest is encoder.0.weight");
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "encoder.10.weigh", &found));
  MESSAGE_HAS(&f.ctx, "the nearest is encoder.10.weight");
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "coder.0.bias", &found));
  MESSAGE_HAS(&f.ctx, "the nearest is encoder.0.bias");
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "der.0.bias", &found)); /* four away */
  MESSAGE_HAS(&f.ctx, "is not among the bundle's 3 names");
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "", &found));
  CHECK(found == &bundle.tensors[1]);
  tsr_bundle_release(&bundle);
}

TEST(short_names_are_not_near_everything) {
  fixture f;
  tsr_bundle bundle;
  const tsr_tensor *found = NULL;
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  add_described(&f, &bundle, "ab", 1, 1);
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "xy", &found));
  MESSAGE_HAS(&f.ctx, "nor is one like it");
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_get(&f.ctx, &bundle, "ax", &found));
  MESSAGE_HAS(&f.ctx, "the nearest is ab");
  tsr_bundle_release(&bundle);
}

TEST(takes_and_keeps_order) {
  fixture f;
  tsr_bundle bundle;
  tsr_tensor out = {0};
  char name[16];
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "t%d", i);
    add_described(&f, &bundle, name, i + 1, 1);
  }
  for (int i = 0; i < 20; i += 3) {
    snprintf(name, sizeof name, "t%d", i);
    OK(&f.ctx, tsr_bundle_take(&f.ctx, &bundle, name, &out));
    CHECK(out.shape[0] == i + 1 && out.name == NULL && tsr_bundle_find(&bundle, name) == NULL);
  }
  CHECK(bundle.count == 13);
  for (int i = 0, at = 0; i < 20; i++) {
    if (i % 3 == 0) continue;
    snprintf(name, sizeof name, "t%d", i);
    CHECK(tsr_bundle_find(&bundle, name) == &bundle.tensors[at]);
    CHECK(bundle.tensors[at++].shape[0] == i + 1);
  }
  add_described(&f, &bundle, "t0", 1, 1); /* free again */
  CHECK(tsr_bundle_find(&bundle, "t0") == &bundle.tensors[13]);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

#if TSR_HAVE_MALLOC
static void many_name(char *name, size_t bytes, int i) { snprintf(name, bytes, "model.layers.%d.weight", i); }

TEST(ten_thousand_names) {
  tsr_bundle bundle;
  tsr_tensor t = {0};
  char name[64];
  OK(NULL, tsr_bundle_init(NULL, &bundle));
  for (int i = 0; i < MANY; i++) {
    many_name(name, sizeof name, i);
    OK(NULL, tsr_desc_init(NULL, TSR_U8, TSR_SHAPE(i + 1), &t));
    OK(NULL, tsr_bundle_add(NULL, &bundle, name, &t));
  }
  REQUIRE(bundle.count == MANY);
  for (int i = 0; i < MANY; i++) {
    many_name(name, sizeof name, i);
    CHECK(tsr_bundle_find(&bundle, name) == &bundle.tensors[i]);
  }
  for (int i = MANY - 1; i >= 0; i -= 7) {
    many_name(name, sizeof name, i);
    OK(NULL, tsr_bundle_take(NULL, &bundle, name, &t));
    CHECK(t.shape[0] == i + 1);
  }
  for (tsr_index i = 0; i < bundle.count; i++) {
    CHECK(tsr_bundle_find(&bundle, bundle.tensors[i].name) == &bundle.tensors[i]);
  }
  const tsr_tensor *found = NULL;
  FAILS(NULL, TSR_ENAME, tsr_bundle_get(NULL, &bundle, "model.layers.77.weihgt", &found));
  MESSAGE_HAS(NULL, "the nearest is model.layers.77.weight");
  tsr_bundle_release(&bundle);
}
#else
TEST(ten_thousand_names) { SKIP("too large for this target"); }
#endif

/* ---- ownership ---- */

TEST(takes_handles_over) {
  fixture f;
  tsr_bundle bundle;
  tsr_tensor owned = {0}, second = {0}, borrowed = {0};
  float memory[4] = {1, 2, 3, 4};
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  owned = described(&f, 2, 2);
  OK(&f.ctx, tsr_allocate(&f.ctx, NULL, TSR_HINT_DEFAULT, &owned));
  OK(&f.ctx, tsr_share(&f.ctx, &owned, &second));
  CHECK(tsr_refcount(&second) == 2);
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "owned", &owned));
  CHECK(tsr_is_none(&owned) && tsr_refcount(&second) == 2);
  OK(&f.ctx, tsr_from_memory(&f.ctx, memory, TSR_F32, TSR_SHAPE(4), &borrowed));
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "borrowed", &borrowed));
  CHECK(tsr_bundle_find(&bundle, "borrowed")->data == memory);
  OK(&f.ctx, tsr_bundle_take(&f.ctx, &bundle, "owned", &owned));
  CHECK(tsr_refcount(&second) == 2);
  tsr_release(&owned);
  CHECK(tsr_refcount(&second) == 1);
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "again", &second));
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

static tsr_status fill(fixture *f, tsr_bundle *bundle, int count) {
  char name[16];
  for (int i = 0; i < count; i++) {
    tsr_tensor t = described(f, 1, i + 1);
    snprintf(name, sizeof name, "t%d", i);
    const tsr_status st = tsr_bundle_add(&f->ctx, bundle, name, &t);
    if (st == TSR_OK) continue;
    CHECK(t.shape[1] == i + 1 && bundle->count == i);
    return st;
  }
  return TSR_OK;
}

TEST(each_allocation_may_fail) {
  fixture f;
  bool done = false;
  for (size_t at = 0; !done && at < 100; at++) {
    tsr_bundle bundle;
    set_up(&f);
    f.failing.fail_at = at;
    OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
    const tsr_status st = fill(&f, &bundle, 10);
    done = st == TSR_OK;
    CHECK(done || st == TSR_ENOMEM);
    for (tsr_index i = 0; i < bundle.count; i++) CHECK(bundle.tensors[i].shape[1] == i + 1);
    tsr_bundle_release(&bundle);
    CHECK(f.failing.live == 0);
  }
  CHECK(done);
}

/* ---- slots ---- */

enum { ROWS = 4, COLS = 8, SLOT = ROWS * COLS * 4 };

/* Three tensors, of which the first and the last share bytes: a -> b -> c. */
static size_t three_planned(fixture *f, tsr_bundle *bundle, tsr_plan_item items[3]) {
  static _Alignas(64) uint8_t scratch[1024];
  static const char *const names[] = {"a", "b", "c"};
  tsr_plan_report report = {0};
  OK(&f->ctx, tsr_bundle_init(&f->ctx, bundle));
  for (int i = 0; i < 3; i++) {
    add_described(f, bundle, names[i], ROWS, COLS);
    items[i] = (tsr_plan_item){.bytes = SLOT, .first = i, .last = i + 1};
  }
  OK(&f->ctx, tsr_context_set_scratch(&f->ctx, scratch, sizeof scratch));
  OK(&f->ctx, tsr_plan(&f->ctx, 3, items, 0, &report));
  OK(&f->ctx, tsr_context_set_scratch(&f->ctx, NULL, 0));
  CHECK(report.planned == 2 * SLOT);
  return report.planned;
}

TEST(binds_a_plan) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  set_up(&f);
  const size_t bytes = three_planned(&f, &bundle, items);
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  const tsr_tensor *const a = &bundle.tensors[0], *const b = &bundle.tensors[1], *const c = &bundle.tensors[2];
  REQUIRE(a->data != NULL && b->data != NULL);
  CHECK(a->data == c->data && a->data != b->data);
  CHECK(a->storage != c->storage && (a->flags & TSR_OWNS) != 0);
  CHECK(tsr_capacity(b) == SLOT && tsr_refcount(b) == 1);
  memset(a->data, 1, SLOT);
  memset(b->data, 2, SLOT);
  CHECK(*(const uint8_t *)c->data == 1 && ((const uint8_t *)a->data)[SLOT - 1] == 1);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(resizes_within_a_slot_only) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  set_up(&f);
  const size_t bytes = three_planned(&f, &bundle, items);
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  tsr_tensor *const a = &bundle.tensors[0];
  OK(&f.ctx, tsr_reallocate(&f.ctx, a, TSR_SHAPE(2, 2)));
  OK(&f.ctx, tsr_reallocate(&f.ctx, a, TSR_SHAPE(COLS, ROWS)));
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_reallocate(&f.ctx, a, TSR_SHAPE(COLS, ROWS + 1)));
  CHECK(a->shape[0] == COLS && a->shape[1] == ROWS);
  tsr_bundle_release(&bundle);
}

TEST(a_taken_slot_outlives_the_bundle) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  tsr_tensor b = {0};
  set_up(&f);
  const size_t bytes = three_planned(&f, &bundle, items);
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  OK(&f.ctx, tsr_bundle_take(&f.ctx, &bundle, "b", &b));
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 2); /* its slot and the block */
  memset(b.data, 3, SLOT);
  tsr_release(&b);
  CHECK(f.failing.live == 0);
}

static int releases;
static void count_release(void *user, void *data, size_t bytes) {
  (void)user;
  (void)data;
  (void)bytes;
  releases++;
}

TEST(binds_to_a_given_storage) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  static _Alignas(64) uint8_t memory[4 * SLOT];
  tsr_storage *storage = NULL;
  set_up(&f);
  releases = 0;
  const size_t bytes = three_planned(&f, &bundle, items);
  OK(&f.ctx, tsr_storage_wrap(&f.ctx, NULL, memory, sizeof memory, count_release, NULL, &storage));
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_bundle_bind(&f.ctx, &bundle, 3, items, sizeof memory + 1, storage));
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, storage));
  CHECK(tsr_storage_count(storage) == 4);
  CHECK(bundle.tensors[1].data == memory + items[1].offset);
  tsr_storage_release(storage);
  CHECK(releases == 0);
  tsr_bundle_release(&bundle);
  CHECK(releases == 1 && f.failing.live == 0);
}

TEST(binds_from_the_bundles_allocator) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  tsr_ctx other;
  tsr_failing none;
  set_up(&f);
  OK(NULL, tsr_failing_init(&f.arena.allocator, 0, true, &none));
  OK(NULL, tsr_context_init(&other, &none.allocator));
  const size_t bytes = three_planned(&f, &bundle, items);
  OK(&other, tsr_bundle_bind(&other, &bundle, 3, items, bytes, NULL));
  CHECK(other.allocator == &none.allocator && none.calls == 0);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

static bool all_described(const tsr_bundle *bundle) {
  for (tsr_index i = 0; i < bundle->count; i++) {
    const tsr_tensor *t = &bundle->tensors[i];
    if (t->data != NULL || t->storage != NULL || t->flags != 0) return false;
  }
  return true;
}

TEST(binds_all_or_nothing) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  set_up(&f);
  const size_t bytes = three_planned(&f, &bundle, items);
  const size_t before = f.failing.live;
  for (size_t at = 0; at < 4; at++) { /* the block and three slots */
    f.failing.fail_at = f.failing.calls + at;
    FAILS(&f.ctx, TSR_ENOMEM, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
    CHECK(all_described(&bundle) && f.failing.live == before);
  }
  f.failing.fail_at = f.failing.calls + 4;
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(refuses_what_does_not_fit) {
  fixture f;
  tsr_bundle bundle;
  tsr_plan_item items[3];
  set_up(&f);
  const size_t bytes = three_planned(&f, &bundle, items);
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_bind(&f.ctx, NULL, 3, items, bytes, NULL));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_bind(&f.ctx, &bundle, 2, items, bytes, NULL));
  FAILS(&f.ctx, TSR_EARG, tsr_bundle_bind(&f.ctx, &bundle, 3, NULL, bytes, NULL));
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes - 1, NULL));
  items[1].bytes = SLOT - 1;
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  MESSAGE_HAS(&f.ctx, "b: f32 [4,8] needs 128 bytes, its slot has 127");
  items[1].bytes = SLOT;
  const size_t offset = items[1].offset;
  items[1].offset = offset + 2;
  FAILS(&f.ctx, TSR_EALIGN, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes + 64, NULL));
  items[1].offset = SIZE_MAX;
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  items[1].offset = offset;
  CHECK(all_described(&bundle));
  bundle.tensors[2].stride[0] = COLS + 1;
  FAILS(&f.ctx, TSR_ESTRIDE, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  bundle.tensors[2].stride[0] = COLS;
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  FAILS(&f.ctx, TSR_ESTATE, tsr_bundle_bind(&f.ctx, &bundle, 3, items, bytes, NULL));
  MESSAGE_HAS(&f.ctx, "a: f32 [4,8] has memory already");
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(binds_orders_and_zero_sizes) {
  fixture f;
  tsr_bundle bundle;
  tsr_tensor t = {0};
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 0, NULL, 0, NULL));
  OK(&f.ctx, tsr_desc_init_ordered(&f.ctx, TSR_F32, TSR_SHAPE(3, 5), TSR_FORTRAN, &t));
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "fortran", &t));
  OK(&f.ctx, tsr_desc_init(&f.ctx, TSR_F32, TSR_SHAPE(0, 5), &t));
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "grows", &t));
  OK(&f.ctx, tsr_desc_init(&f.ctx, TSR_F32, TSR_SHAPE(0, 5), &t));
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "nothing", &t));
  const tsr_plan_item items[] = {{.bytes = 64, .offset = 0}, {.bytes = 64, .offset = 64}, {.bytes = 0, .offset = 0}};
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 3, items, 128, NULL));
  CHECK(bundle.tensors[0].data != NULL && bundle.tensors[0].stride[0] == 1);
  OK(&f.ctx, tsr_reallocate(&f.ctx, &bundle.tensors[1], TSR_SHAPE(3, 5)));
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_reallocate(&f.ctx, &bundle.tensors[1], TSR_SHAPE(4, 5)));
  CHECK(bundle.tensors[2].storage == NULL);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

/* Described by hand, without strides: as every function takes it. */
TEST(takes_descriptions_without_strides) {
  fixture f;
  tsr_bundle bundle;
  tsr_tensor t = {.dtype = TSR_F32, .ndim = 2, .shape = {2, 3}};
  tsr_plan_item item = {.bytes = 24};
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "x", &t));
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 1, &item, 64, NULL));
  CHECK(bundle.tensors[0].stride[0] == 3 && bundle.tensors[0].stride[1] == 1 && bundle.tensors[0].data != NULL);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(resizes_within_a_slot) {
  fixture f;
  tsr_bundle bundle;
  tsr_tensor t = {.dtype = TSR_F32, .ndim = 2, .shape = {2, 3}};
  tsr_plan_item item = {.bytes = 48};
  set_up(&f);
  OK(&f.ctx, tsr_bundle_init(&f.ctx, &bundle));
  OK(&f.ctx, tsr_bundle_add(&f.ctx, &bundle, "x", &t));
  OK(&f.ctx, tsr_bundle_bind(&f.ctx, &bundle, 1, &item, 64, NULL));
  void *const data = bundle.tensors[0].data;
  OK(&f.ctx, tsr_bundle_reallocate(&f.ctx, &bundle, "x", TSR_SHAPE(4, 3)));
  CHECK(bundle.tensors[0].shape[0] == 4 && bundle.tensors[0].stride[0] == 3 && bundle.tensors[0].data == data);
  CHECK(strcmp(bundle.tensors[0].name, "x") == 0);
  FAILS(&f.ctx, TSR_ECAPACITY, tsr_bundle_reallocate(&f.ctx, &bundle, "x", TSR_SHAPE(5, 3)));
  FAILS(&f.ctx, TSR_ENAME, tsr_bundle_reallocate(&f.ctx, &bundle, "y", TSR_SHAPE(1)));
  CHECK(bundle.tensors[0].shape[0] == 4);
  tsr_bundle_release(&bundle);
  CHECK(f.failing.live == 0);
}

TEST(a_name_may_be_empty) {
  fixture f;
  tsr_ctx *const ctx = &f.ctx;
  tsr_bundle b = {0};
  tsr_tensor t = {0}, u = {0}, taken = {0};
  const tsr_tensor *found = NULL;
  static const float numbers[2] = {1, 2};
  set_up(&f);
  OK(ctx, tsr_bundle_init(ctx, &b));
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(1), &t));
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2), &u));
  CHECK(tsr_bundle_find(&b, "") == NULL);
  OK(ctx, tsr_bundle_add(ctx, &b, "x", &u));
  OK(ctx, tsr_bundle_add(ctx, &b, "", &t));
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(1), &t));
  FAILS(ctx, TSR_ENAME, tsr_bundle_add(ctx, &b, "", &t));
  OK(ctx, tsr_bundle_get(ctx, &b, "", &found));
  CHECK(found == &b.tensors[1] && tsr_size(found) == 1 && tsr_bundle_find(&b, "x") == &b.tensors[0]);
  OK(ctx, tsr_bundle_take(ctx, &b, "", &taken));
  CHECK(b.count == 1 && tsr_size(&taken) == 1 && tsr_bundle_find(&b, "") == NULL);
  tsr_release(&taken);
  tsr_bundle_release(&b);
}

TEST_MAIN(RUN(takes_descriptions_without_strides), RUN(resizes_within_a_slot), RUN(keeps_names_and_order),
          RUN(refuses_a_second_of_a_name), RUN(refuses_bad_arguments), RUN(a_zero_bundle_works), RUN(names_the_nearest),
          RUN(short_names_are_not_near_everything), RUN(takes_and_keeps_order), RUN(ten_thousand_names),
          RUN(takes_handles_over), RUN(each_allocation_may_fail), RUN(binds_a_plan), RUN(resizes_within_a_slot_only),
          RUN(a_taken_slot_outlives_the_bundle), RUN(binds_to_a_given_storage), RUN(binds_from_the_bundles_allocator),
          RUN(binds_all_or_nothing), RUN(refuses_what_does_not_fit), RUN(binds_orders_and_zero_sizes),
          RUN(a_name_may_be_empty))
