/* The nest of loops: every element once, in rows as long as they can be. */
#include "cpu/iterate.h"

#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffers[TSR__MAX_OPERANDS];

typedef struct visits {
  int operands;
  tsr_index elements, rows;
  uintptr_t at[TEST_ELEMENTS][TSR__MAX_OPERANDS];
} visits;

static void visit(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  visits *const v = args->param;
  v->rows++;
  for (tsr_index i = 0; i < n; i++, v->elements++)
    for (int k = 0; k < v->operands && v->elements < TEST_ELEMENTS; k++)
      v->at[v->elements][k] = (uintptr_t)(at[k] + i * step[k]);
}

/* Whether the visits are the elements of all operands, index by index, each index once. */
static bool each_index_once(const visits *v, const tsr_tensor *const *tensors) {
  bool seen[TEST_ELEMENTS] = {false};
  tsr_index index[TSR_MAX_DIMS] = {0};
  const tsr_index size = test_product(tensors[0]->ndim, tensors[0]->shape);
  if (v->elements != size) return false;
  for (tsr_index i = 0; i < size; i++, (void)test_next_index(tensors[0]->ndim, tensors[0]->shape, index)) {
    tsr_index found = -1;
    for (tsr_index j = 0; j < size && found < 0; j++) {
      bool same = !seen[j];
      for (int k = 0; k < v->operands && same; k++) same = v->at[j][k] == (uintptr_t)test_at(tensors[k], index);
      if (same) found = j;
    }
    if (found < 0) return false;
    seen[found] = true;
  }
  return true;
}

static bool same_shape(const test_layout *a, const test_layout *b) {
  return a->ndim == b->ndim && memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->ndim) == 0;
}

TEST(pairs_of_layouts_of_one_shape) {
  static visits v;
  int pairs = 0;
  for (int i = 0; i < test_layout_count(); i++)
    for (int j = 0; j < test_layout_count(); j++) {
      if (!same_shape(test_layout_at(i), test_layout_at(j))) continue;
      const tsr_tensor a = test_over(&buffers[0], TSR_I32, test_layout_at(i));
      const tsr_tensor b = test_over(&buffers[1], TSR_U8, test_layout_at(j));
      const tsr_tensor *const both[] = {&a, &b};
      tsr__loop loop;
      v = (visits){.operands = 2};
      tsr__loop_init(&loop, 2, both);
      tsr__loop_run(&loop, visit, &v);
      const bool right = each_index_once(&v, both);
      CHECK(right);
      if (!right) printf("  %s with %s\n", test_layout_at(i)->name, test_layout_at(j)->name);
      pairs++;
    }
  CHECK(pairs > test_layout_count());
}

TEST(four_random_operands) {
  static visits v;
  test_rng rng = {31};
  for (int round = 0; round < 1000; round++) {
    tsr_tensor t[TSR__MAX_OPERANDS] = {{0}};
    const tsr_tensor *all[TSR__MAX_OPERANDS];
    const int ndim = (int)test_between(&rng, 0, 4);
    tsr_index shape[4], size = 1;
    for (int i = 0; i < ndim; i++) {
      shape[i] = test_between(&rng, round % 11 == 0 ? 0 : 1, 3);
      if (size * shape[i] > TEST_ELEMENTS) shape[i] = 1;
      size *= shape[i];
    }
    for (int k = 0; k < TSR__MAX_OPERANDS; k++) {
      t[k] = (tsr_tensor){.dtype = TSR_U8, .ndim = (uint8_t)ndim, .data = buffers[k].bytes + 512};
      for (int i = 0; i < ndim; i++) {
        t[k].shape[i] = shape[i];
        t[k].stride[i] = test_between(&rng, -40, 40);
      }
      all[k] = &t[k];
    }
    tsr__loop loop;
    v = (visits){.operands = (int)test_between(&rng, 1, TSR__MAX_OPERANDS)};
    tsr__loop_init(&loop, v.operands, all);
    tsr__loop_run(&loop, visit, &v);
    CHECK(each_index_once(&v, all));
  }
}

TEST(dense_operands_are_one_row) {
  static const struct {
    const char *name;
    tsr_index rows;
  } rows[] = {{"cube", 1},
              {"Fortran", 1},
              {"transposed", 1},
              {"planes of columns", 1},
              {"mixed directions", 1},
              {"turned by 180 degrees", 1},
              {"0-D", 1},
              {"all of length 1", 1},
              {"no element", 0},
              {"Fortran around length 1", 1},
              {"part of a matrix", 2},
              {"gaps everywhere", 4}};
  static visits v;
  for (int i = 0; i < COUNT_OF(rows); i++)
    for (int k = 0; k < test_layout_count(); k++) {
      if (strcmp(test_layout_at(k)->name, rows[i].name) != 0) continue;
      const tsr_tensor t = test_over(&buffers[0], TSR_I16, test_layout_at(k));
      const tsr_tensor *const both[] = {&t, &t};
      tsr__loop loop;
      v = (visits){.operands = 2};
      tsr__loop_init(&loop, 2, both);
      tsr__loop_run(&loop, visit, &v);
      CHECK(v.rows == rows[i].rows);
      CHECK(v.rows == 0 || v.elements == 1 || loop.step[0][0] > 0); /* memory is walked upwards */
    }
}

/* ---- on several threads ---- */

#if TSR_HAVE_THREADS

/* A legal pool that is as awkward as can be: pieces of one grain, the last one first. */
static void run_backwards(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  ++*(int *)self;
  for (tsr_index begin = (n - 1) / grain * grain; begin >= 0; begin -= grain)
    fn(arg, begin, n - begin < grain ? n : begin + grain, 0);
}

TEST(pieces_of_small_loops) {
  static visits v;
  static int runs;
  const tsr_parallel backwards = {sizeof(tsr_parallel), run_backwards, 1, &runs};
  tsr_ctx *const ctx = test_context();
  ctx->parallel = &backwards;
  runs = 0;
  for (int i = 0; i < test_layout_count(); i++)
    for (tsr_index grain = 1; grain <= 13; grain += 3) {
      const tsr_tensor a = test_over(&buffers[0], TSR_I32, test_layout_at(i));
      const tsr_tensor b = test_over(&buffers[1], TSR_U8, test_layout_at(i));
      const tsr_tensor *const both[] = {&a, &b};
      tsr__loop loop;
      v = (visits){.operands = 2};
      tsr__loop_init(&loop, 2, both);
      tsr__loop_run_parallel(ctx, &loop, grain, visit, &v);
      CHECK(each_index_once(&v, both));
    }
  CHECK(runs > 10);
}

typedef struct counted {
  tsr_index longest; /* row */
  bool aligned;      /* every row began at a multiple of TSR__PIECE */
  char *base;
} counted;

static void count_up(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  counted *const c = args->param;
  for (tsr_index i = 0; i < n; i++) ++*(unsigned char *)(at[0] + i * step[0]);
  if (c->base == NULL) return;
  if (n > c->longest) c->longest = n;
  if ((at[0] - c->base) % TSR__PIECE != 0) c->aligned = false;
}

TEST(pieces_of_long_rows) {
  static unsigned char bytes[3 * 5000];
  static int runs;
  const tsr_parallel backwards = {sizeof(tsr_parallel), run_backwards, 1, &runs}, *const pools[] = {
                                                                                      &backwards, tsr_parallel_serial(),
                                                                                      NULL};
  static const tsr_index grains[] = {1, 1000, 1024, 1025, 2500, 4999, 5000, 14999, 15000, 100000};
  for (int p = 0; p < COUNT_OF(pools); p++)
    for (int g = 0; g < COUNT_OF(grains); g++)
      for (int gaps = 0; gaps < 2; gaps++) { /* one row of 15000, or three of 4990 */
        tsr_ctx *const ctx = test_context();
        tsr_tensor t = {0};
        counted c = {0, true, pools[p] == &backwards && gaps == 0 ? (char *)bytes : NULL};
        ctx->parallel = pools[p];
        memset(bytes, 0, sizeof bytes);
        OK(ctx, tsr_from_memory(ctx, bytes, TSR_U8, TSR_SHAPE(3, 5000), &t));
        if (gaps != 0) OK(ctx, tsr_narrow(ctx, &t, 1, 5, 4990, &t));
        tsr__loop loop;
        tsr__loop_init(&loop, 1, (const tsr_tensor *[]){&t});
        tsr__loop_run_parallel(ctx, &loop, grains[g], count_up, &c);
        bool once = true;
        for (int i = 0; i < COUNT_OF(bytes); i++)
          once = once && bytes[i] == (gaps == 0 || (i % 5000 >= 5 && i % 5000 < 4995) ? 1 : 0);
        CHECK(once);
        CHECK(c.aligned);
        if (c.base != NULL && grains[g] < 15000) CHECK(c.longest < grains[g] + TSR__PIECE);
      }
}

#else

TEST(pieces_of_small_loops) { SKIP("no threads"); }
TEST(pieces_of_long_rows) { SKIP("no threads"); }

#endif

TEST_MAIN(RUN(pairs_of_layouts_of_one_shape), RUN(four_random_operands), RUN(dense_operands_are_one_row),
          RUN(pieces_of_small_loops), RUN(pieces_of_long_rows))
