/* The memory planner: bounds, clashes, slots taken over, misuse, memory. */
#include "support/networks.h"
#include "support/test.h"
#include <tessera/tessera.h>

#if TSR_HAVE_MALLOC
enum { SCRATCH_BYTES = 1 << 18 };
#else
enum { SCRATCH_BYTES = 1 << 13 };
#endif

static _Alignas(64) uint8_t scratch[SCRATCH_BYTES];

static tsr_ctx test_context(void) {
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_scratch(&ctx, scratch, sizeof scratch));
  return ctx;
}

/* ---- a second opinion, written apart from the planner ---- */

static size_t slot(const tsr_plan_item *item, size_t align) { return (item->bytes + align - 1) / align * align; }

static bool may_share(const tsr_plan_item *items, int32_t owner, int32_t taker, size_t align) {
  return items[taker].in_place == owner + 1 && items[owner].last == items[taker].first &&
         slot(&items[taker], align) <= slot(&items[owner], align) && items[taker].offset == items[owner].offset;
}

/* Whether no two items that live together share a byte, takers of slots aside; and all are aligned and inside. */
static bool is_sound(const tsr_plan_item *items, int32_t n, size_t align, size_t planned) {
  for (int32_t i = 0; i < n; i++) {
    if (items[i].offset % align != 0 || items[i].offset + slot(&items[i], align) > planned) return false;
    for (int32_t j = 0; j < i; j++) {
      const bool together = items[i].first <= items[j].last && items[j].first <= items[i].last;
      const bool touching = items[i].offset < items[j].offset + slot(&items[j], align) &&
                            items[j].offset < items[i].offset + slot(&items[i], align);
      if (together && touching && !may_share(items, i, j, align) && !may_share(items, j, i, align)) return false;
    }
  }
  return true;
}

/* The largest sum at any step, slots taken over left out: for items without in_place. */
static size_t plain_bound(const tsr_plan_item *items, int32_t n, size_t align) {
  size_t most = 0;
  for (int32_t i = 0; i < n; i++) {
    size_t sum = 0;
    for (int32_t j = 0; j < n; j++) {
      if (items[j].first <= items[i].first && items[i].first <= items[j].last) sum += slot(&items[j], align);
    }
    if (sum > most) most = sum;
  }
  return most;
}

static tsr_plan_report plan_checked(tsr_ctx *ctx, int32_t n, tsr_plan_item *items, size_t align) {
  tsr_plan_report report = {0};
  OK(ctx, tsr_plan(ctx, n, items, align, &report));
  CHECK(is_sound(items, n, align, report.planned));
  OK(ctx, tsr_plan_check(ctx, n, items, align, report.planned));
  CHECK(report.planned >= report.lower_bound);
  CHECK(report.planned <= report.unshared);
  return report;
}

/* ---- small plans ---- */

TEST(nothing_to_plan) {
  tsr_ctx ctx = test_context();
  tsr_plan_report report = {1, 1, 1, 1};
  size_t bytes = 1;
  OK(&ctx, tsr_plan(&ctx, 0, NULL, 0, &report));
  CHECK(report.planned == 0 && report.unshared == 0 && report.lower_bound == 0 && report.in_place == 0);
  OK(&ctx, tsr_plan(&ctx, 0, NULL, 0, NULL));
  OK(&ctx, tsr_plan_check(&ctx, 0, NULL, 0, 0));
  OK(&ctx, tsr_plan_workspace_size(&ctx, 0, &bytes));
  CHECK(bytes == 0);
}

TEST(one_item) {
  tsr_ctx ctx = test_context();
  tsr_plan_item item = {.bytes = 100, .first = 5, .last = 5, .offset = 77};
  const tsr_plan_report report = plan_checked(&ctx, 1, &item, 64);
  CHECK(item.offset == 0 && report.planned == 128 && report.lower_bound == 128 && report.unshared == 128);
}

TEST(items_without_bytes) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[] = {{.bytes = 0, .first = 0, .last = 9, .offset = 5},
                           {.bytes = 64, .first = 0, .last = 1},
                           {.bytes = 0, .first = 1, .last = 2, .in_place = 1}};
  tsr_plan_report report = plan_checked(&ctx, 3, items, 64);
  CHECK(report.planned == 64 && report.in_place == 0 && items[0].offset == 0);
  items[1].bytes = 0;
  report = plan_checked(&ctx, 3, items, 64);
  CHECK(report.planned == 0);
}

TEST(a_chain_needs_two) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[12];
  for (int32_t i = 0; i < 12; i++) items[i] = (tsr_plan_item){.bytes = 1000, .first = i, .last = i + 1};
  const tsr_plan_report report = plan_checked(&ctx, 12, items, 8);
  CHECK(report.planned == 2000 && report.lower_bound == 2000 && report.unshared == 12000);
}

TEST(fills_gaps) {
  tsr_ctx ctx = test_context();
  /* Between a and c, which live on, b's place is free for d and e side by side. */
  tsr_plan_item items[] = {{.bytes = 64, .first = 0, .last = 9},
                           {.bytes = 128, .first = 0, .last = 3},
                           {.bytes = 64, .first = 0, .last = 9},
                           {.bytes = 64, .first = 4, .last = 9},
                           {.bytes = 64, .first = 4, .last = 9}};
  const tsr_plan_report report = plan_checked(&ctx, 5, items, 64);
  CHECK(report.planned == 256);
}

TEST(any_steps) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[] = {{.bytes = 8, .first = INT32_MIN, .last = INT32_MAX},
                           {.bytes = 8, .first = INT32_MIN, .last = INT32_MIN},
                           {.bytes = 8, .first = INT32_MAX, .last = INT32_MAX},
                           {.bytes = 8, .first = -5, .last = 7}};
  const tsr_plan_report report = plan_checked(&ctx, 4, items, 8);
  CHECK(report.planned == 16 && report.lower_bound == 16);
}

TEST(alignment) {
  tsr_ctx ctx = test_context();
  for (size_t align = 1; align <= 4096; align *= 2) {
    tsr_plan_item items[] = {{.bytes = 1, .first = 0, .last = 1},
                             {.bytes = 3, .first = 0, .last = 2},
                             {.bytes = 65, .first = 1, .last = 2},
                             {.bytes = 4, .first = 2, .last = 2}};
    const tsr_plan_report report = plan_checked(&ctx, 4, items, align);
    CHECK(report.planned % align == 0 && report.lower_bound == plain_bound(items, 4, align));
  }
  tsr_plan_item items[] = {{.bytes = 1, .first = 0, .last = 1}, {.bytes = 1, .first = 0, .last = 1}};
  tsr_plan_report report;
  OK(&ctx, tsr_plan(&ctx, 2, items, 0, &report));
  CHECK(report.planned == 2 * TSR_DATA_ALIGN);
}

/* ---- against all orders ---- */

enum { TINY = 6 };

/* The lowest offset for item i among those placed before it. */
static size_t lowest(const tsr_plan_item *items, const int *order, int placed, int i) {
  size_t at = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (int k = 0; k < placed; k++) {
      const tsr_plan_item *other = &items[order[k]];
      const bool together = other->first <= items[i].last && items[i].first <= other->last;
      if (!together || other->offset >= at + items[i].bytes || other->offset + other->bytes <= at) continue;
      at = other->offset + other->bytes;
      moved = true;
    }
  }
  return at;
}

/* The smallest plan of all orders of placing: for so few items, the smallest there is. */
static size_t smallest(tsr_plan_item *items, int n) {
  int order[TINY], turn[TINY] = {0};
  size_t best = SIZE_MAX;
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = 0;;) {
    size_t peak = 0;
    for (int k = 0; k < n; k++) {
      items[order[k]].offset = lowest(items, order, k, order[k]);
      const size_t end = items[order[k]].offset + items[order[k]].bytes;
      if (end > peak) peak = end;
    }
    if (peak < best) best = peak;
    while (i < n && turn[i] >= i) turn[i++] = 0; /* Heap's permutations */
    if (i >= n) return best;
    const int other = i % 2 == 0 ? 0 : turn[i];
    const int swap = order[other];
    order[other] = order[i];
    order[i] = swap;
    turn[i]++;
    i = 0;
  }
}

TEST(as_small_as_any_order) {
  tsr_ctx ctx = test_context();
  uint64_t state = 42;
  const int rounds = TSR_HAVE_MALLOC ? 400 : 20;
  for (int round = 0; round < rounds; round++) {
    tsr_plan_item items[TINY], tried[TINY];
    const int n = 2 + (int)network_random(&state, TINY - 1);
    for (int i = 0; i < n; i++) {
      const int32_t first = (int32_t)network_random(&state, 6);
      items[i] = (tsr_plan_item){.bytes = 8 * (1 + (size_t)network_random(&state, 9)),
                                 .first = first,
                                 .last = first + (int32_t)network_random(&state, 4)};
    }
    memcpy(tried, items, sizeof items);
    const tsr_plan_report report = plan_checked(&ctx, n, items, 8);
    CHECK(report.lower_bound == plain_bound(items, n, 8));
    CHECK(report.planned == smallest(tried, n));
  }
}

/* ---- in place ---- */

TEST(takes_a_dying_slot) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[] = {{.bytes = 256, .first = 0, .last = 1}, {.bytes = 256, .first = 1, .last = 2, .in_place = 1}};
  tsr_plan_report report = plan_checked(&ctx, 2, items, 64);
  CHECK(report.planned == 256 && report.lower_bound == 256 && report.in_place == 1);
  CHECK(items[0].offset == items[1].offset);
  items[1].in_place = 0;
  report = plan_checked(&ctx, 2, items, 64);
  CHECK(report.planned == 512 && report.in_place == 0);
}

TEST(takes_only_when_it_may) {
  tsr_ctx ctx = test_context();
  tsr_plan_item later[] = {{.bytes = 64, .first = 0, .last = 2}, {.bytes = 64, .first = 1, .last = 3, .in_place = 1}};
  CHECK(plan_checked(&ctx, 2, later, 64).planned == 128); /* the owner is read after the taker is written */
  tsr_plan_item larger[] = {{.bytes = 64, .first = 0, .last = 1}, {.bytes = 65, .first = 1, .last = 3, .in_place = 1}};
  CHECK(plan_checked(&ctx, 2, larger, 64).planned == 192);
  tsr_plan_item rounded[] = {{.bytes = 33, .first = 0, .last = 1}, {.bytes = 64, .first = 1, .last = 3, .in_place = 1}};
  CHECK(plan_checked(&ctx, 2, rounded, 64).planned == 64); /* larger, but its slot is not */
}

TEST(chains_of_takers) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[20];
  for (int32_t i = 0; i < 20; i++) {
    items[i] = (tsr_plan_item){.bytes = 640, .first = i, .last = i + 1, .in_place = i};
  }
  const tsr_plan_report report = plan_checked(&ctx, 20, items, 64);
  CHECK(report.planned == 640 && report.in_place == 19);
}

TEST(chains_backwards) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[10]; /* item i takes the slot of item i + 1 */
  for (int32_t i = 0; i < 10; i++) {
    items[i] = (tsr_plan_item){.bytes = 64, .first = 9 - i, .last = 10 - i, .in_place = i < 9 ? i + 2 : 0};
  }
  const tsr_plan_report report = plan_checked(&ctx, 10, items, 64);
  CHECK(report.planned == 64 && report.in_place == 9);
}

TEST(one_taker_a_slot) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[] = {{.bytes = 256, .first = 0, .last = 1},
                           {.bytes = 64, .first = 1, .last = 2, .in_place = 1},
                           {.bytes = 128, .first = 1, .last = 2, .in_place = 1}};
  const tsr_plan_report report = plan_checked(&ctx, 3, items, 64);
  CHECK(report.in_place == 1 && report.planned == 320 && report.lower_bound == 320);
  CHECK(items[2].offset == items[0].offset); /* the larger one: it saves more */
}

TEST(a_small_taker_leaves_the_rest) {
  tsr_ctx ctx = test_context();
  /* b keeps 64 of a's 1024 bytes; c fits beside it. */
  tsr_plan_item items[] = {{.bytes = 1024, .first = 0, .last = 1},
                           {.bytes = 64, .first = 1, .last = 9, .in_place = 1},
                           {.bytes = 960, .first = 2, .last = 9}};
  const tsr_plan_report report = plan_checked(&ctx, 3, items, 64);
  CHECK(report.planned == 1024 && report.lower_bound == 1024 && report.in_place == 1);
}

TEST(three_never_share_a_step) {
  tsr_ctx ctx = test_context();
  /* b lives for one step; a and c would meet in its slot. */
  tsr_plan_item items[] = {{.bytes = 64, .first = 0, .last = 1},
                           {.bytes = 64, .first = 1, .last = 1, .in_place = 1},
                           {.bytes = 64, .first = 1, .last = 2, .in_place = 2}};
  const tsr_plan_report report = plan_checked(&ctx, 3, items, 64);
  CHECK(report.planned == 128 && report.lower_bound == 128);
}

TEST(random_takers_are_sound) {
  tsr_ctx ctx = test_context();
  uint64_t state = 7;
  const int rounds = TSR_HAVE_MALLOC ? 300 : 10;
  for (int round = 0; round < rounds; round++) {
    tsr_plan_item items[40];
    const int32_t n = 3 + (int32_t)network_random(&state, 38);
    for (int32_t i = 0; i < n; i++) {
      const int32_t first = (int32_t)network_random(&state, 10);
      items[i] = (tsr_plan_item){
          .bytes = network_random(&state, 500), .first = first, .last = first + (int32_t)network_random(&state, 4)};
      if (i > 0 && network_random(&state, 2) == 0) items[i].in_place = 1 + (int32_t)network_random(&state, (uint32_t)i);
    }
    const tsr_plan_report report = plan_checked(&ctx, n, items, 16);
    CHECK(report.lower_bound <= plain_bound(items, n, 16));
  }
}

/* ---- networks ---- */

#if TSR_HAVE_MALLOC
static network net;

static void check_network(void (*build)(network *, size_t), size_t batch) {
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  build(&net, batch);
  const tsr_plan_report report = plan_checked(&ctx, net.count, net.items, 64);
  CHECK(report.planned == report.lower_bound);
  CHECK(report.in_place > 0);
  for (int32_t i = 0; i < net.count; i++) {
    for (int32_t j = 0; j < i; j++) CHECK(strcmp(net.names[i], net.names[j]) != 0);
  }
}

TEST(networks_reach_the_bound) {
  const size_t largest = SIZE_MAX > 0xFFFFFFFFu ? 8 : 1; /* more does not fit 32 bits */
  for (size_t batch = 1; batch <= largest; batch *= 8) {
    check_network(network_resnet50, batch);
    check_network(network_mobilenet_v2, batch);
    check_network(network_encoder12, batch);
    check_network(network_encoder_decoder12, batch);
  }
}

/* What is known of them without this code. */
TEST(networks_are_the_real_ones) {
  network_resnet50(&net, 1);
  CHECK(net.items[1].bytes == 64u * 112 * 112 * 4);
  CHECK(net.items[net.count - 1].bytes == 1000u * 4);
  int adds = 0;
  for (int32_t i = 0; i < net.count; i++) adds += strstr(net.names[i], ".add") != NULL;
  CHECK(adds == 16);
  network_mobilenet_v2(&net, 1);
  size_t largest = 0;
  adds = 0;
  for (int32_t i = 0; i < net.count; i++) {
    if (net.items[i].bytes > largest) largest = net.items[i].bytes;
    adds += strstr(net.names[i], ".add") != NULL;
  }
  CHECK(largest == 96u * 112 * 112 * 4 && adds == 10);
  network_encoder12(&net, 1);
  int scores = 0;
  for (int32_t i = 0; i < net.count; i++) scores += net.items[i].bytes == 12u * 512 * 512 * 4;
  CHECK(scores == 24); /* before and after the softmax */
}

TEST(random_graphs_within_two_percent) {
  static tsr_plan_item items[500];
  for (int g = 0; g < 100; g++) {
    const int32_t n = network_sweep_graph(items, g);
    const tsr_plan_report report = plan_checked(NULL, n, items, 64);
    CHECK(report.planned <= report.lower_bound + report.lower_bound / 50);
  }
}

TEST(a_thousand_items) {
  static tsr_plan_item items[1000], again[1000];
  network_random_graph(items, 1000, 1);
  memcpy(again, items, sizeof items);
  const tsr_plan_report report = plan_checked(NULL, 1000, items, 64);
  CHECK(report.planned < report.unshared / 10);
  OK(NULL, tsr_plan(NULL, 1000, again, 64, NULL));
  CHECK(memcmp(items, again, sizeof items) == 0);
}
#else
TEST(networks_reach_the_bound) { SKIP("too large for this target"); }
TEST(networks_are_the_real_ones) { SKIP("too large for this target"); }
TEST(random_graphs_within_two_percent) { SKIP("too large for this target"); }
TEST(a_thousand_items) { SKIP("too large for this target"); }
#endif

/* A plan that takes every part of the search, and where it ended on the machine where it was written down. */
TEST(the_same_offsets_everywhere) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[40];
  uint64_t state = 99;
  for (int32_t i = 0; i < 40; i++) {
    const int32_t first = (int32_t)network_random(&state, 30);
    items[i] = (tsr_plan_item){
        .bytes = 1 + network_random(&state, 1000), .first = first, .last = first + (int32_t)network_random(&state, 12)};
  }
  const tsr_plan_report report = plan_checked(&ctx, 40, items, 4);
  uint32_t digest = 0;
  for (int32_t i = 0; i < 40; i++) digest = digest * 31 + (uint32_t)items[i].offset;
  CHECK(report.planned == 8112);
  CHECK(digest == 1239430868u);
}

/* A hundred tensors a seed, some of which take a dying input's slot: the digest of all offsets. Where every machine ends. */
TEST(the_same_offsets_for_every_seed) {
#if TSR_HAVE_MALLOC
  static const struct {
    size_t planned;
    uint32_t digest;
  } want[] = {{27712, 2755620080u}, {28176, 808909760u},  {29728, 2486313344u}, {26624, 1395594592u},
              {27744, 2922132144u}, {29120, 2669639808u}, {28256, 1752568896u}, {26000, 983702032u}};
  enum { N = 100 };
  for (int seed = 0; seed < (int)(sizeof want / sizeof want[0]); seed++) {
    tsr_ctx ctx = test_context();
    tsr_plan_item items[N];
    uint64_t state = (uint64_t)seed + 1;
    for (int32_t i = 0; i < N; i++) {
      const int32_t first = i / 2, last = first + 1 + (int32_t)network_random(&state, 9);
      items[i] = (tsr_plan_item){.bytes = 16 + 16 * network_random(&state, 200), .first = first, .last = last};
    }
    for (int32_t i = 1; i < N; i++)
      for (int32_t k = 0; k < i && network_random(&state, 3) == 0; k++)
        if (items[k].last == items[i].first) items[i].in_place = k + 1;
    const tsr_plan_report report = plan_checked(&ctx, N, items, 16);
    uint32_t digest = 0;
    for (int32_t i = 0; i < N; i++) digest = digest * 31 + (uint32_t)items[i].offset;
    const bool same = report.planned == want[seed].planned && digest == want[seed].digest;
    CHECK(same);
    if (!same) printf("  seed %d: {%zu, %lu}\n", seed, report.planned, (unsigned long)digest);
  }
#else
  SKIP("too large for this target");
#endif
}

/* ---- misuse ---- */

static void refuses(tsr_status status, const char *message, int32_t n, const tsr_plan_item *given, size_t align) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[4];
  memcpy(items, given, (size_t)n * sizeof *items);
  for (int32_t i = 0; i < n; i++) items[i].offset = 12345;
  tsr_plan_report report = {.planned = 99};
  FAILS(&ctx, status, tsr_plan(&ctx, n, items, align, &report));
  MESSAGE_HAS(&ctx, message);
  CHECK(report.planned == 99);
  for (int32_t i = 0; i < n; i++) CHECK(items[i].offset == 12345);
  if (status == TSR_EOVERFLOW) return; /* a finished plan is not added up */
  FAILS(&ctx, status, tsr_plan_check(&ctx, n, items, align, SIZE_MAX));
  MESSAGE_HAS(&ctx, message);
}

TEST(refuses_bad_items) {
  const tsr_plan_item good = {.bytes = 8, .first = 0, .last = 1};
  refuses(TSR_EARG, "[1] ends at step 2, before it begins at step 3", 2,
          (tsr_plan_item[]){good, {.bytes = 8, .first = 3, .last = 2}}, 8);
  refuses(TSR_EARG, "[1].in_place is 3", 2, (tsr_plan_item[]){good, {.bytes = 8, .in_place = 3}}, 8);
  refuses(TSR_EARG, "[1].in_place is -1", 2, (tsr_plan_item[]){good, {.bytes = 8, .in_place = -1}}, 8);
  refuses(TSR_EARG, "[1].in_place names the item itself", 2, (tsr_plan_item[]){good, {.bytes = 8, .in_place = 2}}, 8);
  refuses(TSR_EARG, "circle", 2, (tsr_plan_item[]){{.bytes = 8, .in_place = 2}, {.bytes = 8, .in_place = 1}}, 8);
  const tsr_plan_item circle[] = {
      good, {.bytes = 8, .in_place = 4}, {.bytes = 8, .in_place = 2}, {.bytes = 8, .in_place = 3}};
  refuses(TSR_EARG, "circle", 4, circle, 8);
  refuses(TSR_EARG, "align 3", 1, &good, 3);
}

TEST(refuses_sums_that_wrap) {
  const tsr_plan_item half = {.bytes = SIZE_MAX / 2 + 1};
  refuses(TSR_EOVERFLOW, "[0]", 1, (tsr_plan_item[]){{.bytes = SIZE_MAX}}, 64);
  refuses(TSR_EOVERFLOW, "[1]", 2, (tsr_plan_item[]){half, half}, 1);
  tsr_ctx ctx = test_context();
  tsr_plan_item most = {.bytes = SIZE_MAX};
  CHECK(plan_checked(&ctx, 1, &most, 1).planned == SIZE_MAX);
}

TEST(refuses_bad_arguments) {
  tsr_ctx ctx = test_context();
  size_t bytes = 7;
  FAILS(&ctx, TSR_EARG, tsr_plan(&ctx, -1, NULL, 0, NULL));
  FAILS(&ctx, TSR_EARG, tsr_plan(&ctx, 1, NULL, 0, NULL));
  FAILS(&ctx, TSR_EARG, tsr_plan_check(&ctx, -1, NULL, 0, 0));
  FAILS(&ctx, TSR_EARG, tsr_plan_workspace_size(&ctx, -1, &bytes));
  FAILS(&ctx, TSR_EARG, tsr_plan_workspace_size(&ctx, 1, NULL));
  CHECK(bytes == 7);
#if SIZE_MAX <= 0xFFFFFFFFu
  FAILS(&ctx, TSR_EOVERFLOW, tsr_plan_workspace_size(&ctx, INT32_MAX, &bytes));
#else
  OK(&ctx, tsr_plan_workspace_size(&ctx, INT32_MAX, &bytes));
#endif
}

/* ---- plans from elsewhere ---- */

TEST(check_finds_what_is_wrong) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[] = {{.bytes = 64, .first = 0, .last = 2, .offset = 0},
                           {.bytes = 64, .first = 1, .last = 3, .offset = 64},
                           {.bytes = 32, .first = 3, .last = 4, .offset = 0}};
  OK(&ctx, tsr_plan_check(&ctx, 3, items, 32, 128));
  FAILS(&ctx, TSR_ECAPACITY, tsr_plan_check(&ctx, 3, items, 32, 127));
  MESSAGE_HAS(&ctx, "[1]: 64 bytes at 64 leave the block of 127");
  items[1].offset = 72;
  FAILS(&ctx, TSR_EALIGN, tsr_plan_check(&ctx, 3, items, 32, 256));
  MESSAGE_HAS(&ctx, "[1] at 72 is not aligned to 32");
  items[1].offset = 32;
  FAILS(&ctx, TSR_EOVERLAP, tsr_plan_check(&ctx, 3, items, 32, 256));
  MESSAGE_HAS(&ctx, "[0] and [1] are alive together and share bytes at 32");
  items[1].offset = SIZE_MAX - 31;
  FAILS(&ctx, TSR_ECAPACITY, tsr_plan_check(&ctx, 3, items, 32, SIZE_MAX));
}

TEST(check_knows_takers) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[] = {{.bytes = 64, .first = 0, .last = 1, .offset = 64},
                           {.bytes = 32, .first = 1, .last = 2, .in_place = 1, .offset = 64},
                           {.bytes = 32, .first = 1, .last = 1, .offset = 0}};
  OK(&ctx, tsr_plan_check(&ctx, 3, items, 32, 128));
  items[1].offset = 96; /* inside the slot, but not in place */
  FAILS(&ctx, TSR_EOVERLAP, tsr_plan_check(&ctx, 3, items, 32, 128));
  items[1].offset = 64;
  items[2].in_place = 1; /* a second taker of the same slot */
  items[2].offset = 64;
  FAILS(&ctx, TSR_EOVERLAP, tsr_plan_check(&ctx, 3, items, 32, 128));
  MESSAGE_HAS(&ctx, "[1] and [2]");
  items[2].offset = 0;
  items[0].last = 2;
  FAILS(&ctx, TSR_EOVERLAP, tsr_plan_check(&ctx, 3, items, 32, 128));
}

/* ---- temporary memory ---- */

TEST(takes_the_scratch_it_says) {
  tsr_ctx ctx = test_context();
  tsr_plan_item items[30];
  size_t bytes;
  for (int32_t i = 0; i < 30; i++) items[i] = (tsr_plan_item){.bytes = 100, .first = i, .last = i + 3, .offset = 9};
  OK(&ctx, tsr_plan_workspace_size(&ctx, 30, &bytes));
  REQUIRE(bytes < sizeof scratch);
  OK(&ctx, tsr_context_set_scratch(&ctx, scratch + 1, bytes - TSR_DATA_ALIGN));
  FAILS(&ctx, TSR_ESCRATCH, tsr_plan(&ctx, 30, items, 0, NULL));
#if TSR_HAVE_TEXT
  char number[24];
  snprintf(number, sizeof number, "%lu", (unsigned long)bytes);
  MESSAGE_HAS(&ctx, number);
#endif
  for (int32_t i = 0; i < 30; i++) CHECK(items[i].offset == 9);
  OK(&ctx, tsr_context_set_scratch(&ctx, scratch + 1, bytes)); /* wherever it begins */
  scratch[1 + bytes] = 0xA5;
  OK(&ctx, tsr_plan(&ctx, 30, items, 0, NULL));
  CHECK(scratch[1 + bytes] == 0xA5);
}

#if TSR_HAVE_MALLOC
TEST(fails_without_memory) {
  tsr_failing failing;
  tsr_ctx ctx;
  tsr_plan_item items[] = {{.bytes = 8, .last = 1, .offset = 9}, {.bytes = 8, .last = 1, .offset = 9}};
  OK(NULL, tsr_failing_init(NULL, 0, true, &failing));
  OK(NULL, tsr_context_init(&ctx, &failing.allocator));
  FAILS(&ctx, TSR_ENOMEM, tsr_plan(&ctx, 2, items, 0, NULL));
  CHECK(items[0].offset == 9 && items[1].offset == 9);
  failing.fail_at = 100;
  failing.sticky = false;
  OK(&ctx, tsr_plan(&ctx, 2, items, 0, NULL));
  CHECK(failing.live == 0 && failing.calls == 2);
}
#else
TEST(fails_without_memory) {
  tsr_plan_item item = {.bytes = 8, .offset = 9};
  FAILS(NULL, TSR_ENOMEM, tsr_plan(NULL, 1, &item, 0, NULL));
  CHECK(item.offset == 9);
}
#endif

TEST_MAIN(RUN(nothing_to_plan), RUN(one_item), RUN(items_without_bytes), RUN(a_chain_needs_two), RUN(fills_gaps),
          RUN(any_steps), RUN(alignment), RUN(as_small_as_any_order), RUN(takes_a_dying_slot),
          RUN(takes_only_when_it_may), RUN(chains_of_takers), RUN(chains_backwards), RUN(one_taker_a_slot),
          RUN(a_small_taker_leaves_the_rest), RUN(three_never_share_a_step), RUN(random_takers_are_sound),
          RUN(networks_reach_the_bound), RUN(networks_are_the_real_ones), RUN(random_graphs_within_two_percent),
          RUN(a_thousand_items), RUN(the_same_offsets_everywhere), RUN(the_same_offsets_for_every_seed),
          RUN(refuses_bad_items), RUN(refuses_sums_that_wrap), RUN(refuses_bad_arguments),
          RUN(check_finds_what_is_wrong), RUN(check_knows_takers), RUN(takes_the_scratch_it_says),
          RUN(fails_without_memory))
