/* The nest of loops: every element once, in rows as long as they can be. */
#include "cpu/iterate.h"

#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffers[TSR__MAX_OPERANDS];

typedef struct visits {
  int       operands;
  tsr_index elements, rows;
  uintptr_t at[TEST_ELEMENTS][TSR__MAX_OPERANDS];
} visits;

static void visit(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  visits *const v = arg;
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
    tsr_tensor t[TSR__MAX_OPERANDS];
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
  static const struct { const char *name; tsr_index rows; } rows[] = {
      {"cube", 1}, {"Fortran", 1}, {"transposed", 1}, {"planes of columns", 1}, {"mixed directions", 1},
      {"turned by 180 degrees", 1}, {"0-D", 1}, {"all of length 1", 1}, {"no element", 0}, {"Fortran around length 1", 1},
      {"part of a matrix", 2}, {"gaps everywhere", 4}};
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

TEST_MAIN(RUN(pairs_of_layouts_of_one_shape), RUN(four_random_operands), RUN(dense_operands_are_one_row))
