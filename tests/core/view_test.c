/* Views against a naive model that keeps the address of every element. */
#include "support/helpers.h"
#include "support/test.h"

enum { MOST = TSR_HAVE_MALLOC ? 600 : 200 }; /* elements of a model */

typedef struct model {
  int ndim;
  int layout;
  tsr_index shape[TSR_MAX_DIMS];
  uintptr_t at[MOST]; /* row-major */
} model;

typedef enum kind {
  VIEW,
  SLICE,
  NARROW,
  SELECT,
  PERMUTE,
  TRANSPOSE,
  BROADCAST,
  SQUEEZE,
  SQUEEZE_ALL,
  SQUEEZE_LEADING,
  UNSQUEEZE,
  FLIP,
  DIAGONAL,
  WINDOW,
  RESHAPE,
  FLATTEN,
  MAT,
  KINDS
} kind;

static const char *const kind_names[KINDS] = {
    "view",         "slice",          "narrow",       "select",          "permute",   "transpose",
    "broadcast_to", "squeeze",        "squeeze_all",  "squeeze_leading", "unsqueeze", "flip",
    "diagonal",     "sliding_window", "reshape_view", "flatten_view",    "mat"};

/* One call: a kind and its arguments. */
typedef struct step {
  kind kind;
  int axis, axis1;
  tsr_index a, b, c;
  int n;
  tsr_index shape[TSR_MAX_DIMS + 1];
  int axes[TSR_MAX_DIMS];
} step;

static tsr_status call(tsr_ctx *ctx, const step *s, const tsr_tensor *in, tsr_tensor *out) {
  switch (s->kind) {
    case VIEW: return tsr_view(ctx, in, out);
    case SLICE: return tsr_slice(ctx, in, s->axis, s->a, s->b, s->c, out);
    case NARROW: return tsr_narrow(ctx, in, s->axis, s->a, s->b, out);
    case SELECT: return tsr_select(ctx, in, s->axis, s->a, out);
    case PERMUTE: return tsr_permute(ctx, in, s->axes, out);
    case TRANSPOSE: return tsr_transpose(ctx, in, s->axis, s->axis1, out);
    case BROADCAST: return tsr_broadcast_to(ctx, in, s->n, s->shape, out);
    case SQUEEZE: return tsr_squeeze(ctx, in, s->axis, out);
    case SQUEEZE_ALL: return tsr_squeeze_all(ctx, in, out);
    case SQUEEZE_LEADING: return tsr_squeeze_leading(ctx, in, s->n, out);
    case UNSQUEEZE: return tsr_unsqueeze(ctx, in, s->axis, out);
    case FLIP: return tsr_flip(ctx, in, s->axis, out);
    case DIAGONAL: return tsr_diagonal(ctx, in, s->a, s->axis, s->axis1, out);
    case WINDOW: return tsr_sliding_window(ctx, in, s->axis, s->a, s->b, out);
    case RESHAPE: return tsr_reshape_view(ctx, in, s->n, s->shape, out);
    case FLATTEN: return tsr_flatten_view(ctx, in, out);
    default: return tsr_mat(ctx, in, s->n, s->shape, out);
  }
}

/* ---- the model ---- */

static void model_of(const tsr_tensor *t, model *m) {
  m->ndim = t->ndim;
  m->layout = t->layout;
  memcpy(m->shape, t->shape, sizeof m->shape);
  (void)test_addresses(t, TSR_ROW_MAJOR, m->at, MOST);
}

/* The indices that Python's x[start:stop:step] takes of an axis, one after the other. */
static tsr_index python_slice(tsr_index length, tsr_index start, tsr_index stop, tsr_index by, tsr_index *taken) {
  tsr_index n = 0;
  if (by == TSR_OMIT) by = 1;
  if (start == TSR_OMIT) {
    start = by > 0 ? 0 : length - 1;
  } else {
    if (start < 0) start += length;
    if (start < 0) start = by > 0 ? 0 : -1;
    if (start >= length) start = by > 0 ? length : length - 1;
  }
  if (stop == TSR_OMIT) {
    stop = by > 0 ? length : -1;
  } else if (stop < 0) {
    stop += length;
    if (stop < 0) stop = -1;
  }
  for (tsr_index i = start; by > 0 ? i < stop && i < length : i > stop && i >= 0; i += by) taken[n++] = i;
  return n;
}

static bool has_axis(int axis, int rank, int *resolved) {
  *resolved = axis < 0 ? axis + rank : axis;
  return *resolved >= 0 && *resolved < rank;
}

static void drop(model *m, int axis) {
  for (int i = axis; i + 1 < m->ndim; i++) m->shape[i] = m->shape[i + 1];
  m->ndim--;
}

static void insert(model *m, int axis, tsr_index length) {
  for (int i = m->ndim; i > axis; i--) m->shape[i] = m->shape[i - 1];
  m->shape[axis] = length;
  m->ndim++;
}

/* Where an index of the result lies in the input. */
typedef struct source {
  const step *s;
  const model *in;
  int axis, axis1, dropped[TSR_MAX_DIMS], drops; /* dropped: which axes squeezes took */
  tsr_index taken[MOST];
} source;

static void drop_index(const tsr_index *from, int from_ndim, int axis, tsr_index value, tsr_index *to) {
  for (int i = 0, k = 0; i < from_ndim + 1; i++) to[i] = i == axis ? value : from[k++];
}

static void find_source(const source *f, int out_ndim, const tsr_index *out, tsr_index *in) {
  const step *const s = f->s;
  const int n = f->in->ndim;
  memcpy(in, out, sizeof *in * (size_t)(out_ndim < n ? out_ndim : n));
  switch (s->kind) {
    case SLICE: in[f->axis] = f->taken[out[f->axis]]; break;
    case NARROW: in[f->axis] = s->a + out[f->axis]; break;
    case SELECT: drop_index(out, n - 1, f->axis, s->a < 0 ? s->a + f->in->shape[f->axis] : s->a, in); break;
    case PERMUTE:
      for (int i = 0; i < n; i++) in[s->axes[i] < 0 ? s->axes[i] + n : s->axes[i]] = out[i];
      break;
    case TRANSPOSE:
      in[f->axis] = out[f->axis1];
      in[f->axis1] = out[f->axis];
      break;
    case BROADCAST:
      for (int i = 0; i < n; i++) in[i] = f->in->shape[i] == 1 ? 0 : out[out_ndim - n + i];
      break;
    case FLIP: in[f->axis] = f->in->shape[f->axis] - 1 - out[f->axis]; break;
    case UNSQUEEZE:
      for (int i = 0, k = 0; i < out_ndim; i++)
        if (i != f->axis) in[k++] = out[i];
      break;
    case SQUEEZE:
    case SQUEEZE_ALL:
    case SQUEEZE_LEADING:
      for (int i = 0, k = 0, d = 0; i < n; i++) in[i] = d < f->drops && f->dropped[d] == i ? (d++, 0) : out[k++];
      break;
    case DIAGONAL: {
      const tsr_index along = out[out_ndim - 1];
      for (int i = 0, k = 0; i < n; i++) {
        if (i == f->axis)
          in[i] = along + (s->a < 0 ? -s->a : 0);
        else if (i == f->axis1)
          in[i] = along + (s->a > 0 ? s->a : 0);
        else
          in[i] = out[k++];
      }
      break;
    }
    case WINDOW: in[f->axis] = out[f->axis] * s->b + out[out_ndim - 1]; break;
    case MAT:
      for (int i = 0; i < n - 2; i++) in[i] = s->shape[i] < 0 ? s->shape[i] + f->in->shape[i] : s->shape[i];
      in[n - 2] = out[0];
      in[n - 1] = out[1];
      break;
    default: break;
  }
}

/* Whether addresses in row-major order of a shape are those of some strides. */
static bool strides_exist(const model *m) {
  const tsr_index size = test_product(m->ndim, m->shape);
  tsr_index index[TSR_MAX_DIMS] = {0};
  ptrdiff_t stride[TSR_MAX_DIMS] = {0};
  if (size == 0) return true;
  for (int i = 0; i < m->ndim; i++) {
    tsr_index unit[TSR_MAX_DIMS] = {0};
    if (m->shape[i] == 1) continue;
    unit[i] = 1;
    stride[i] = (ptrdiff_t)(m->at[test_flat(m->ndim, m->shape, unit)] - m->at[0]);
  }
  for (tsr_index k = 0; k < size; k++, (void)test_next_index(m->ndim, m->shape, index)) {
    ptrdiff_t at = 0;
    for (int i = 0; i < m->ndim; i++) at += (ptrdiff_t)index[i] * stride[i];
    if (m->at[k] != m->at[0] + (uintptr_t)at) return false;
  }
  return true;
}

static tsr_status reshape_model(const step *s, const model *in, model *out) {
  const tsr_index size = test_product(in->ndim, in->shape);
  tsr_index known = 1;
  int open = -1;
  out->ndim = s->kind == FLATTEN ? 1 : s->n;
  for (int i = 0; i < out->ndim; i++) {
    out->shape[i] = s->kind == FLATTEN ? size : s->shape[i];
    if (out->shape[i] == -1 && open >= 0) return TSR_ESHAPE;
    if (out->shape[i] == -1)
      open = i;
    else if (out->shape[i] < 0)
      return TSR_ESHAPE;
    else
      known *= out->shape[i];
  }
  if (open >= 0) {
    if (known == 0 || size % known != 0) return TSR_ESHAPE;
    out->shape[open] = size / known;
  } else if (known != size) {
    return TSR_ESHAPE;
  }
  memcpy(out->at, in->at, sizeof out->at);
  return strides_exist(out) ? TSR_OK : TSR_ESTRIDE;
}

/* The shape of the result, or why there is none. */
static tsr_status model_shape(source *f, model *out) {
  const step *const s = f->s;
  const model *const in = f->in;
  const int n = in->ndim;
  out->layout = TSR_PLAIN;
  switch (s->kind) {
    case VIEW: out->layout = in->layout; return TSR_OK;
    case SLICE:
      if (!has_axis(s->axis, n, &f->axis)) return TSR_EAXIS;
      if (s->c == 0) return TSR_EARG;
      out->layout = in->layout;
      out->shape[f->axis] = python_slice(in->shape[f->axis], s->a, s->b, s->c, f->taken);
      return TSR_OK;
    case NARROW:
      if (!has_axis(s->axis, n, &f->axis)) return TSR_EAXIS;
      if (s->a < 0 || s->b < 0 || s->a + s->b > in->shape[f->axis]) return TSR_EINDEX;
      out->layout = in->layout;
      out->shape[f->axis] = s->b;
      return TSR_OK;
    case SELECT:
      if (!has_axis(s->axis, n, &f->axis)) return TSR_EAXIS;
      if (s->a < -in->shape[f->axis] || s->a >= in->shape[f->axis]) return TSR_EINDEX;
      drop(out, f->axis);
      return TSR_OK;
    case PERMUTE: {
      bool seen[TSR_MAX_DIMS] = {false};
      for (int i = 0, axis; i < n; i++) {
        if (!has_axis(s->axes[i], n, &axis) || seen[axis]) return TSR_EAXIS;
        seen[axis] = true;
        out->shape[i] = in->shape[axis];
      }
      return TSR_OK;
    }
    case TRANSPOSE:
      if (!has_axis(s->axis, n, &f->axis) || !has_axis(s->axis1, n, &f->axis1)) return TSR_EAXIS;
      out->shape[f->axis] = in->shape[f->axis1];
      out->shape[f->axis1] = in->shape[f->axis];
      return TSR_OK;
    case BROADCAST:
      if (s->n < n || s->n > TSR_MAX_DIMS) return TSR_ESHAPE;
      for (int i = 0; i < s->n; i++) {
        const tsr_index own = i < s->n - n ? 1 : in->shape[i - (s->n - n)];
        if (s->shape[i] < 0 || (own != 1 && own != s->shape[i])) return TSR_ESHAPE;
        out->shape[i] = s->shape[i];
      }
      out->ndim = s->n;
      if (s->n == n) out->layout = in->layout;
      return TSR_OK;
    case SQUEEZE:
      if (!has_axis(s->axis, n, &f->axis)) return TSR_EAXIS;
      if (in->shape[f->axis] != 1) return TSR_ESHAPE;
      f->dropped[f->drops++] = f->axis;
      drop(out, f->axis);
      return TSR_OK;
    case SQUEEZE_ALL:
      out->ndim = 0;
      for (int i = 0; i < n; i++) {
        if (in->shape[i] == 1)
          f->dropped[f->drops++] = i;
        else
          out->shape[out->ndim++] = in->shape[i];
      }
      return TSR_OK;
    case SQUEEZE_LEADING:
      if (s->n < 0) return TSR_EARG;
      while (out->ndim > s->n && in->shape[f->drops] == 1) {
        drop(out, 0);
        f->dropped[f->drops] = f->drops;
        f->drops++;
        if (f->drops == n) break;
      }
      return TSR_OK;
    case UNSQUEEZE:
      if (!has_axis(s->axis, n + 1, &f->axis)) return TSR_EAXIS;
      if (n == TSR_MAX_DIMS) return TSR_ESHAPE;
      insert(out, f->axis, 1);
      return TSR_OK;
    case FLIP:
      if (!has_axis(s->axis, n, &f->axis)) return TSR_EAXIS;
      out->layout = in->layout;
      return TSR_OK;
    case DIAGONAL: {
      if (!has_axis(s->axis, n, &f->axis) || !has_axis(s->axis1, n, &f->axis1) || f->axis == f->axis1) return TSR_EAXIS;
      tsr_index length = 0;
      for (tsr_index i = 0; i < in->shape[f->axis]; i++) /* element (i, i + offset) */
        length += i + s->a >= 0 && i + s->a < in->shape[f->axis1];
      drop(out, f->axis > f->axis1 ? f->axis : f->axis1);
      drop(out, f->axis > f->axis1 ? f->axis1 : f->axis);
      insert(out, out->ndim, length);
      return TSR_OK;
    }
    case WINDOW: {
      if (!has_axis(s->axis, n, &f->axis)) return TSR_EAXIS;
      if (n == TSR_MAX_DIMS || s->a < 1 || s->a > in->shape[f->axis]) return TSR_ESHAPE;
      if (s->b < 1) return TSR_EARG;
      tsr_index windows = 0;
      for (tsr_index i = 0; i + s->a <= in->shape[f->axis]; i += s->b) windows++;
      out->shape[f->axis] = windows;
      insert(out, n, s->a);
      return TSR_OK;
    }
    case MAT:
      if (n < 2) return TSR_ESHAPE;
      if (s->n != n - 2) return TSR_EARG;
      for (int i = 0; i < n - 2; i++)
        if (s->shape[i] < -in->shape[i] || s->shape[i] >= in->shape[i]) return TSR_EINDEX;
      out->shape[0] = in->shape[n - 2];
      out->shape[1] = in->shape[n - 1];
      out->ndim = 2;
      return TSR_OK;
    default: return reshape_model(s, in, out);
  }
}

/* Applies a step to a model. *fits is false when the result has more elements than a model holds. */
static tsr_status model_apply(const step *s, const model *in, model *out, bool *fits) {
  static source f;
  tsr_index index[TSR_MAX_DIMS] = {0}, from[TSR_MAX_DIMS + 1];
  memset(&f, 0, sizeof f);
  f.s = s;
  f.in = in;
  *out = *in;
  *fits = true;
  const tsr_status st = model_shape(&f, out);
  if (st != TSR_OK) return st;
  tsr_index size = 1;
  for (int i = 0; i < out->ndim; i++) size *= out->shape[i];
  *fits = size <= MOST;
  if (!*fits || size == 0 || s->kind == RESHAPE || s->kind == FLATTEN) return TSR_OK;
  for (tsr_index k = 0; k < size; k++) {
    test_nth_index(out->ndim, out->shape, TSR_ROW_MAJOR, k, index);
    find_source(&f, out->ndim, index, from);
    out->at[k] = in->at[test_flat(in->ndim, in->shape, from)];
  }
  return TSR_OK;
}

static bool agrees(const model *m, const tsr_tensor *t) {
  static uintptr_t at[MOST];
  if (t->ndim != m->ndim || t->layout != m->layout) return false;
  if (memcmp(t->shape, m->shape, sizeof *m->shape * (size_t)m->ndim) != 0) return false;
  const tsr_index size = test_addresses(t, TSR_ROW_MAJOR, at, MOST);
  return memcmp(at, m->at, sizeof *at * (size_t)size) == 0;
}

static void describe(const step *s, const tsr_tensor *in) {
  char text[160];
  (void)tsr_desc_format(in, text, sizeof text);
  printf("  %s of %s: axis %d %d, numbers %ld %ld %ld, n %d\n", kind_names[s->kind], text, s->axis, s->axis1,
         (long)s->a, (long)s->b, (long)s->c, s->n);
}

/* One step on the library and on the model; *t and *m become the results. Checks all that a view promises. */
static void apply_both(tsr_ctx *ctx, const step *s, bool in_place, tsr_tensor *t, model *m) {
  static model result;
  bool fits;
  const tsr_status want = model_apply(s, m, &result, &fits);
  if (!fits) return;
  const tsr_tensor before = *t;
  tsr_tensor other = {.dtype = TSR_I8, .ndim = 3, .name = "old"};
  const tsr_tensor other_before = other;
  tsr_tensor *const out = in_place ? t : &other;
  const int failures = test_now.failures;
  FAILS(ctx, want, call(ctx, s, t, out));
  if (want != TSR_OK) {
    CHECK(memcmp(t, &before, sizeof before) == 0);
    CHECK(memcmp(&other, &other_before, sizeof other) == 0);
    if (test_now.failures > failures && failures < 20) describe(s, &before);
    return;
  }
  CHECK(agrees(&result, out));
  CHECK(out->dtype == before.dtype && out->storage == before.storage && out->name == NULL);
  CHECK(out->flags == (in_place ? before.flags : before.flags & ~TSR_OWNS));
  CHECK(test_is_tidy(out));
  CHECK(in_place || memcmp(t, &before, sizeof before) == 0);
  if (test_now.failures > failures && failures < 20) describe(s, &before);
  *t = *out;
  *m = result;
}

static test_buffer buffer;

/* Runs one step on every layout of the table, in place and not, read-only too. */
static void on_every_layout(tsr_ctx *ctx, const step *s) {
  static model m;
  for (int i = 0; i < test_layout_count(); i++)
    for (int in_place = 0; in_place < 2; in_place++) {
      tsr_tensor t = test_over(&buffer, i % 2 != 0 ? TSR_I32 : TSR_U8, test_layout_at(i));
      t.name = "source";
      t.layout = (uint8_t)(t.ndim == 4 ? TSR_NCHW : t.ndim == 3 ? TSR_NLC : TSR_PLAIN);
      if (i % 3 == 0) t.flags = TSR_READONLY;
      model_of(&t, &m);
      apply_both(ctx, s, in_place != 0, &t, &m);
    }
}

/* ---- every function on every layout ---- */

TEST(axis_views_on_every_layout) {
  static const kind kinds[] = {SELECT, SQUEEZE, UNSQUEEZE, FLIP};
  tsr_ctx *const ctx = test_context();
  for (int k = 0; k < COUNT_OF(kinds); k++)
    for (int axis = -TSR_MAX_DIMS - 2; axis <= TSR_MAX_DIMS + 1; axis++)
      for (tsr_index index = kinds[k] == SELECT ? -4 : 0; index <= (kinds[k] == SELECT ? 3 : 0); index++)
        on_every_layout(ctx, &(step){.kind = kinds[k], .axis = axis, .a = index});
}

TEST(slices_and_narrows_on_every_layout) {
  static const tsr_index bounds[] = {TSR_OMIT, -5, -2, -1, 0, 1, 2, 9, TSR_INDEX_MAX, TSR_INDEX_MIN + 1};
  static const tsr_index steps[] = {TSR_OMIT, 1, 2, -1, -2, 0, TSR_INDEX_MAX, TSR_INDEX_MIN + 1};
  tsr_ctx *const ctx = test_context();
  for (int axis = -3; axis < 3; axis++)
    for (int i = 0; i < COUNT_OF(bounds); i++)
      for (int j = 0; j < COUNT_OF(bounds); j++) {
        for (int k = 0; k < COUNT_OF(steps) && i + j < 14; k += 1 + (i + j) % 2) {
          if (steps[k] == TSR_INDEX_MAX || steps[k] == TSR_INDEX_MIN + 1) continue; /* the model would wrap: below */
          on_every_layout(ctx, &(step){.kind = SLICE, .axis = axis, .a = bounds[i], .b = bounds[j], .c = steps[k]});
        }
        if (bounds[i] > -9 && bounds[i] < 9 && bounds[j] > -9 && bounds[j] < 9)
          on_every_layout(ctx, &(step){.kind = NARROW, .axis = axis, .a = bounds[i], .b = bounds[j]});
      }
}

TEST(largest_steps) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(1)), v = {0}; /* a vector of 7 */
  OK(ctx, tsr_slice(ctx, &t, 0, 2, TSR_OMIT, TSR_INDEX_MAX, &v));
  CHECK(v.shape[0] == 1 && v.data == (int32_t *)t.data + 2);
  OK(ctx, tsr_slice(ctx, &t, 0, 5, TSR_OMIT, TSR_INDEX_MIN + 1, &v));
  CHECK(v.shape[0] == 1 && v.data == (int32_t *)t.data + 5);
  OK(ctx, tsr_slice(ctx, &t, 0, TSR_INDEX_MAX, TSR_INDEX_MIN + 1, -1, &v));
  CHECK(v.shape[0] == 7 && v.stride[0] == -1 && v.data == (int32_t *)t.data + 6);
  FAILS(ctx, TSR_EINDEX, tsr_narrow(ctx, &t, 0, 1, TSR_INDEX_MAX, &v));
  FAILS(ctx, TSR_EINDEX, tsr_narrow(ctx, &t, 0, TSR_INDEX_MAX, 1, &v));
  FAILS(ctx, TSR_EINDEX, tsr_select(ctx, &t, 0, TSR_INDEX_MIN, &v));
  FAILS(ctx, TSR_EINDEX, tsr_select(ctx, &t, 0, TSR_INDEX_MAX, &v));
}

TEST(pairs_of_axes_on_every_layout) {
  tsr_ctx *const ctx = test_context();
  for (int axis = -5; axis <= 5; axis++)
    for (int axis1 = -5; axis1 <= 5; axis1++) {
      on_every_layout(ctx, &(step){.kind = TRANSPOSE, .axis = axis, .axis1 = axis1});
      for (tsr_index offset = -5; offset <= 5; offset++)
        on_every_layout(ctx, &(step){.kind = DIAGONAL, .axis = axis, .axis1 = axis1, .a = offset});
    }
  on_every_layout(ctx, &(step){.kind = DIAGONAL, .axis = 0, .axis1 = 1, .a = TSR_INDEX_MAX / 2});
  on_every_layout(ctx, &(step){.kind = DIAGONAL, .axis = 0, .axis1 = 1, .a = TSR_INDEX_MIN / 2});
}

TEST(extreme_diagonals_are_empty) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(6)), v = {0};
  OK(ctx, tsr_diagonal(ctx, &t, TSR_INDEX_MAX, 0, 1, &v));
  CHECK(v.ndim == 1 && v.shape[0] == 0);
  memset(&v, 0, sizeof v);
  OK(ctx, tsr_diagonal(ctx, &t, TSR_INDEX_MIN, 0, 1, &v));
  CHECK(v.ndim == 1 && v.shape[0] == 0);
}

TEST(permutations_on_every_layout) {
  static const int axes[][4] = {{0, 1, 2, 3},     {1, 0, 2, 3}, {2, 1, 0, 3}, {-1, 0, 1, -2},
                                {0, 0, 1, 2},     {3, 2, 1, 0}, {0, 2, 1, 3}, {1, 2, 0, 3},
                                {-1, -2, -3, -4}, {0, 4, 1, 2}, {0, -5, 2, 1}};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(axes); i++) {
    step s = {.kind = PERMUTE};
    for (int k = 0; k < TSR_MAX_DIMS; k++) s.axes[k] = k < 4 ? axes[i][k] : k;
    on_every_layout(ctx, &s);
  }
}

TEST(shape_views_on_every_layout) {
  tsr_ctx *const ctx = test_context();
  static const struct {
    int n;
    tsr_index shape[4];
  } shapes[] = {{0, {0}},       {1, {12}},         {1, {-1}},      {2, {3, 4}},       {2, {4, 3}},       {2, {-1, 2}},
                {2, {2, -1}},   {3, {2, 3, 2}},    {3, {3, 1, 4}}, {3, {1, 12, 1}},   {4, {2, 2, 3, 1}}, {2, {-1, -1}},
                {1, {13}},      {2, {6, -2}},      {1, {0}},       {2, {0, 3}},       {2, {0, -1}},      {3, {2, 3, 4}},
                {2, {6, 4}},    {2, {24, 1}},      {3, {5, 3, 4}}, {4, {2, 5, 3, 4}}, {2, {1, 1}},       {2, {7, 1}},
                {3, {2, 0, 3}}, {4, {1, 1, 1, 1}}, {1, {6}},       {2, {2, 3}}};
  for (int i = 0; i < COUNT_OF(shapes); i++) {
    step s = {.kind = RESHAPE, .n = shapes[i].n};
    memcpy(s.shape, shapes[i].shape, sizeof shapes[i].shape);
    on_every_layout(ctx, &s);
    s.kind = BROADCAST;
    on_every_layout(ctx, &s);
  }
  on_every_layout(ctx, &(step){.kind = VIEW});
  on_every_layout(ctx, &(step){.kind = FLATTEN});
  on_every_layout(ctx, &(step){.kind = SQUEEZE_ALL});
  for (int keep = -1; keep <= TSR_MAX_DIMS + 1; keep++)
    on_every_layout(ctx, &(step){.kind = SQUEEZE_LEADING, .n = keep});
}

TEST(windows_and_matrices_on_every_layout) {
  tsr_ctx *const ctx = test_context();
  for (int axis = -4; axis <= 3; axis++)
    for (tsr_index size = -1; size <= 5; size++) {
      for (tsr_index by = 1; by <= 4; by++)
        on_every_layout(ctx, &(step){.kind = WINDOW, .axis = axis, .a = size, .b = by});
      if (size == 1) on_every_layout(ctx, &(step){.kind = WINDOW, .axis = axis, .a = size, .b = 0});
    }
  for (int n = 0; n <= 3; n++)
    for (tsr_index index = -3; index <= 2; index++)
      on_every_layout(ctx, &(step){.kind = MAT, .n = n, .shape = {index, index}});
}

/* ---- slices against Python ---- */

TEST(every_small_slice_is_pythons) {
  tsr_ctx *const ctx = test_context();
  int32_t values[5] = {0, 1, 2, 3, 4};
  tsr_index taken[8];
  for (tsr_index length = 0; length <= 5; length++)
    for (tsr_index start = -8; start <= 7; start++)
      for (tsr_index stop = -8; stop <= 7; stop++)
        for (tsr_index by = -8; by <= 7; by++) {
          tsr_tensor t = {0}, v = {0};
          const tsr_index s = start == -8 ? TSR_OMIT : start, e = stop == -8 ? TSR_OMIT : stop,
                          d = by == -8 ? TSR_OMIT : by;
          OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(length), &t));
          FAILS(ctx, d == 0 ? TSR_EARG : TSR_OK, tsr_slice(ctx, &t, 0, s, e, d, &v));
          if (d == 0) continue;
          const tsr_index n = python_slice(length, s, e, d, taken);
          bool same = v.ndim == 1 && v.shape[0] == n;
          for (tsr_index i = 0; i < n && same; i++) same = TSR_AT(int32_t, &v, i) == taken[i];
          CHECK(same);
          if (!same) printf("  %ld [%ld:%ld:%ld]\n", (long)length, (long)start, (long)stop, (long)by);
        }
}

/* ---- chains ---- */

static void random_step(test_rng *rng, const model *m, step *s) {
  memset(s, 0, sizeof *s);
  s->kind = (kind)(test_random(rng) % KINDS);
  const int n = m->ndim, stray = test_random(rng) % 16 == 0 ? 2 : 0;
  s->axis = (int)test_between(rng, -n - stray, n - 1 + stray);
  s->axis1 = (int)test_between(rng, -n - stray, n - 1 + stray);
  const int axis = s->axis < 0 ? s->axis + n : s->axis;
  const tsr_index length = axis >= 0 && axis < n ? m->shape[axis] : 3;
  s->a = test_between(rng, -length - 1, length + 1);
  s->b = test_between(rng, -length - 1, length + 1);
  s->c = test_between(rng, -3, 3);
  if (test_random(rng) % 4 == 0) s->a = TSR_OMIT;
  if (test_random(rng) % 4 == 0) s->b = TSR_OMIT;
  switch (s->kind) {
    case UNSQUEEZE: s->axis = (int)test_between(rng, -n - 1 - stray, n + stray); break;
    case NARROW:
      s->a = test_between(rng, 0, length);
      s->b = test_between(rng, stray > 0 ? -1 : 0, length - s->a + (stray > 0));
      break;
    case SELECT: s->a = test_between(rng, -length - (stray > 0), length - (stray == 0)); break;
    case DIAGONAL: s->a = test_between(rng, -length - 1, length + 1); break;
    case WINDOW:
      s->a = test_between(rng, stray > 0 ? -1 : 1, length > 0 ? length : 1);
      s->b = test_between(rng, 1, 3);
      break;
    case PERMUTE:
      for (int i = 0; i < n; i++) s->axes[i] = i;
      for (int i = n - 1; i > 0; i--) {
        const int j = (int)test_between(rng, 0, i), moved = s->axes[i];
        s->axes[i] = s->axes[j];
        s->axes[j] = moved;
      }
      if (n > 0 && test_random(rng) % 2 == 0) s->axes[0] -= n;
      if (n > 0 && stray > 0) s->axes[0] = s->axes[n - 1];
      break;
    case BROADCAST:
      s->n = n + (int)test_between(rng, 0, 2);
      for (int i = 0; i < s->n && i <= TSR_MAX_DIMS; i++) {
        const tsr_index own = i < s->n - n ? 1 : m->shape[i - (s->n - n)];
        s->shape[i] = own == 1 ? test_between(rng, 0, 3) : own + (stray > 0);
      }
      break;
    case RESHAPE: {
      tsr_index left = test_product(n, m->shape);
      s->n = 0;
      while (left > 1 && s->n < 3 && s->n < TSR_MAX_DIMS) {
        tsr_index factor = test_between(rng, 1, left < 6 ? left : 6);
        while (left % factor != 0) factor--;
        s->shape[s->n++] = factor;
        left /= factor;
      }
      if (s->n < TSR_MAX_DIMS) s->shape[s->n++] = stray > 0 ? left + 1 : left;
      if (stray == 0 && test_random(rng) % 3 == 0) s->shape[test_between(rng, 0, s->n - 1)] = -1;
      break;
    }
    case MAT:
      s->n = n - 2 + (stray > 0);
      for (int i = 0; i < s->n; i++)
        s->shape[i] = i < n && m->shape[i] > 0 ? test_between(rng, -m->shape[i], m->shape[i] - 1) : 0;
      break;
    case SQUEEZE_LEADING: s->n = (int)test_between(rng, stray > 0 ? -1 : 0, 3); break;
    default: break;
  }
}

TEST(chains_of_views) {
  tsr_ctx *const ctx = test_context();
  static model m;
  test_rng rng = {7};
  int longest = 0;
  for (int round = 0; round < (TSR_HAVE_MALLOC ? 6000 : 600); round++) {
    const int layout = (int)test_between(&rng, 0, test_layout_count() - 1);
    tsr_tensor t = test_over(&buffer, round % 2 != 0 ? TSR_I16 : TSR_U8, test_layout_at(layout));
    t.layout = (uint8_t)(t.ndim == 4 ? TSR_NHWC : TSR_PLAIN);
    model_of(&t, &m);
    const int steps = (int)test_between(&rng, 1, 6);
    for (int i = 0; i < steps; i++) {
      step s;
      random_step(&rng, &m, &s);
      if (s.kind == BROADCAST && s.n > TSR_MAX_DIMS) s.n = TSR_MAX_DIMS + 1;
      apply_both(ctx, &s, test_random(&rng) % 2 == 0, &t, &m);
    }
    if (m.ndim > longest) longest = m.ndim;
    if (test_now.failures > 20) return;
  }
  CHECK(longest == TSR_MAX_DIMS);
}

/* ---- who owns what ---- */

/* Every view function in a form that fits a full [1,2,2] f32 tensor. */
static const step one_of_each[] = {{.kind = VIEW},
                                   {.kind = SLICE, .axis = 1, .a = 0, .b = 1, .c = 1},
                                   {.kind = NARROW, .axis = 1, .a = 0, .b = 1},
                                   {.kind = SELECT, .axis = 1, .a = 1},
                                   {.kind = PERMUTE, .axes = {0, 2, 1}},
                                   {.kind = TRANSPOSE, .axis = 1, .axis1 = 2},
                                   {.kind = BROADCAST, .n = 3, .shape = {3, 2, 2}},
                                   {.kind = SQUEEZE, .axis = 0},
                                   {.kind = SQUEEZE_ALL},
                                   {.kind = SQUEEZE_LEADING, .n = 1},
                                   {.kind = UNSQUEEZE, .axis = 0},
                                   {.kind = FLIP, .axis = 1},
                                   {.kind = DIAGONAL, .axis = 1, .axis1 = 2},
                                   {.kind = WINDOW, .axis = 1, .a = 1, .b = 1},
                                   {.kind = RESHAPE, .n = 2, .shape = {2, 2}},
                                   {.kind = FLATTEN},
                                   {.kind = MAT, .n = 1, .shape = {0}}};

TEST(views_borrow_and_in_place_keeps_the_count) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(one_of_each); i++) {
    const step *const s = &one_of_each[i];
    tsr_tensor t = {0}, v = {0}, holder = {0};
    OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 2, 2), &t));
    OK(ctx, call(ctx, s, &t, &v));
    CHECK(tsr_refcount(&t) == 1 && (v.flags & TSR_OWNS) == 0 && v.storage == t.storage);
    OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1), &holder));
    const tsr_tensor before = holder;
    FAILS(ctx, TSR_ESTATE, call(ctx, s, &t, &holder));
    CHECK(memcmp(&holder, &before, sizeof before) == 0);
    MESSAGE_HAS(ctx, ": out holds a count");
    OK(ctx, call(ctx, s, &t, &t));
    CHECK((t.flags & TSR_OWNS) != 0 && tsr_refcount(&t) == 1);
    tsr_release(&t);
    tsr_release(&holder);
    CHECK(test_live() == 0);
  }
}

TEST(what_cannot_be_viewed) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor empty = {0}, v = {0}, malformed = {0}, alien = {0};
  float x = 0;
  OK(ctx, tsr_from_memory(ctx, &x, TSR_F32, TSR_SHAPE(1, 1, 1), &malformed));
  malformed.ndim = TSR_MAX_DIMS + 1;
  alien = malformed;
  alien.ndim = 1;
  alien.dtype = TSR_DTYPE_COUNT;
  for (int i = 0; i < COUNT_OF(one_of_each); i++) {
    const step *const s = &one_of_each[i];
    FAILS(ctx, TSR_EARG, call(ctx, s, NULL, &v));
    FAILS(ctx, TSR_ESTATE, call(ctx, s, &empty, &v));
    FAILS(ctx, TSR_ESHAPE, call(ctx, s, &malformed, &v));
    FAILS(ctx, TSR_EDTYPE, call(ctx, s, &alien, &v));
    CHECK(tsr_is_none(&v));
    tsr_tensor full = test_over(&buffer, TSR_F32, test_layout_at(21));
    FAILS(ctx, TSR_EARG, call(ctx, s, &full, NULL));
  }
}

TEST(views_of_descriptions_are_descriptions) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor described = {0}, full = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(1, 2, 2), &described));
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_F32, TSR_SHAPE(1, 2, 2), &full));
  for (int i = 0; i < COUNT_OF(one_of_each); i++) {
    tsr_tensor v = {0}, w = {0};
    OK(ctx, call(ctx, &one_of_each[i], &described, &v));
    OK(ctx, call(ctx, &one_of_each[i], &full, &w));
    CHECK(v.data == NULL && v.storage == NULL && v.flags == 0 && tsr_desc_equal(&v, &w) && test_is_tidy(&v));
  }
}

/* A tensor written by hand may have anything past its rank; a view is tidy. */
TEST(entries_past_the_rank_are_tidied) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(one_of_each); i++)
    for (int in_place = 0; in_place < 2; in_place++) {
      tsr_tensor t = {.dtype = TSR_F32, .ndim = 3, .shape = {1, 2, 2}, .stride = {4, 2, 1}, .data = buffer.bytes},
                 v = {0};
      for (int k = 3; k < TSR_MAX_DIMS; k++) t.shape[k] = t.stride[k] = -9;
      OK(ctx, call(ctx, &one_of_each[i], &t, in_place != 0 ? &t : &v));
      CHECK(test_is_tidy(in_place != 0 ? &t : &v));
      if (!test_is_tidy(in_place != 0 ? &t : &v)) printf("  %s\n", kind_names[one_of_each[i].kind]);
    }
}

/* The shape that is asked for may be the output's own. */
TEST(broadcast_to_the_shape_of_the_output) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor row = {0}, matrix = test_over(&buffer, TSR_F32, test_layout_at(6));
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_F32, TSR_SHAPE(1, 4), &row));
  OK(ctx, tsr_broadcast_to(ctx, &row, matrix.ndim, matrix.shape, &matrix));
  CHECK(matrix.shape[0] == 3 && matrix.shape[1] == 4 && matrix.stride[0] == 0 && matrix.stride[1] == 1);
}

/* Length 1 says nothing about a stride: whatever stands there must not be computed with. */
TEST(strides_of_length_one_do_not_count) {
  tsr_ctx *const ctx = test_context();
  static const tsr_index strides[] = {TSR_INDEX_MAX, TSR_INDEX_MIN, TSR_INDEX_MAX - 1};
  for (int i = 0; i < COUNT_OF(strides); i++) {
    tsr_tensor t = {.dtype = TSR_F32, .ndim = 3, .shape = {1, 1, 1}, .data = buffer.bytes};
    for (int k = 0; k < 3; k++) t.stride[k] = strides[i];
    for (int k = 3; k < TSR_MAX_DIMS; k++) t.shape[k] = 1;
    for (int k = 0; k < COUNT_OF(one_of_each); k++) {
      step s = one_of_each[k];
      tsr_tensor v = {0};
      if (s.kind == SELECT) s.a = 0;
      if (s.kind == BROADCAST) s.shape[1] = s.shape[2] = 1;
      if (s.kind == RESHAPE) s.shape[0] = s.shape[1] = 1;
      OK(ctx, call(ctx, &s, &t, &v));
      CHECK(v.data == t.data);
    }
  }
}

/* A view must not make a tensor that operations take of one that they refuse. */
TEST(negative_lengths_stay_or_are_refused) {
  tsr_ctx *const ctx = test_context();
  static const tsr_index lengths[] = {-1, -2, -1000000, TSR_INDEX_MIN, TSR_INDEX_MIN + 1};
  static const tsr_index bounds[] = {TSR_OMIT, TSR_INDEX_MIN + 1, -3, -1, 0, 1, 5, 1000000, TSR_INDEX_MAX};
  for (int i = 0; i < COUNT_OF(lengths); i++)
    for (int axis = 0; axis < 2; axis++) {
      tsr_tensor t = {.dtype = TSR_F32, .ndim = 2, .shape = {2, 2}, .stride = {2, 1}, .data = buffer.bytes};
      for (int k = 2; k < TSR_MAX_DIMS; k++) t.shape[k] = 1;
      t.shape[axis] = lengths[i];
      for (int from = 0; from < COUNT_OF(bounds); from++)
        for (int to = 0; to < COUNT_OF(bounds); to++) {
          tsr_tensor v = {0};
          FAILS(ctx, TSR_ESHAPE, tsr_slice(ctx, &t, axis, bounds[from], bounds[to], 1, &v));
          FAILS(ctx, TSR_ESHAPE, tsr_slice(ctx, &t, axis, bounds[from], bounds[to], -2, &v));
          CHECK(tsr_narrow(ctx, &t, axis, bounds[from], bounds[to], &v) != TSR_OK && tsr_is_none(&v));
          FAILS(ctx, TSR_ESHAPE, tsr_select(ctx, &t, axis, bounds[from], &v));
        }
      for (int k = 0; k < COUNT_OF(one_of_each); k++) {
        tsr_tensor v = {0}, copy = {0};
        if (call(ctx, &one_of_each[k], &t, &v) == TSR_OK) CHECK(tsr_copy(ctx, &v, &copy) != TSR_OK);
        CHECK(tsr_is_none(&copy));
      }
    }
  tsr_tensor both = {.dtype = TSR_F32, .ndim = 2, .shape = {-2, -2}, .stride = {2, 1}, .data = buffer.bytes}, v = {0};
  FAILS(ctx, TSR_ESHAPE, tsr_flatten_view(ctx, &both, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &both, TSR_SHAPE(4), &v));
  for (int i = 0; i < 2; i++) both.shape[i] = 2, both.stride[i] = TSR_INDEX_MAX; /* strides that no memory has */
  FAILS(ctx, TSR_ESTRIDE, tsr_flatten_view(ctx, &both, &v));
  for (int i = 0; i < 2; i++)
    both.shape[i] = (tsr_index)1 << (TSR_INDEX_BITS / 2); /* and a product that does not fit */
  FAILS(ctx, TSR_EOVERFLOW, tsr_reshape_view(ctx, &both, TSR_SHAPE(TSR_INDEX_MAX), &v));
}

TEST_MAIN(RUN(axis_views_on_every_layout), RUN(slices_and_narrows_on_every_layout), RUN(largest_steps),
          RUN(pairs_of_axes_on_every_layout), RUN(extreme_diagonals_are_empty), RUN(permutations_on_every_layout),
          RUN(shape_views_on_every_layout), RUN(windows_and_matrices_on_every_layout),
          RUN(every_small_slice_is_pythons), RUN(chains_of_views), RUN(views_borrow_and_in_place_keeps_the_count),
          RUN(what_cannot_be_viewed), RUN(views_of_descriptions_are_descriptions),
          RUN(entries_past_the_rank_are_tidied), RUN(broadcast_to_the_shape_of_the_output),
          RUN(strides_of_length_one_do_not_count), RUN(negative_lengths_stay_or_are_refused))
