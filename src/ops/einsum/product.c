/* Two terms as matrices: labels of both that stay are batches, those of one are rows or columns, those that are summed
 * are multiplied along. Labels of a group whose steps run on from one another are one axis; of those that are left, the
 * longest is the matrix's and the others are batches. A term is copied only where what is summed does not run on in
 * both of them in one order, or where its axes are short and would be one in a copy. */
#include "ops/matmul/product.h"
#include "ops/einsum/einsum.h"

/* Rows or columns from which it does not pay any more to copy a term to make them one axis with others. */
enum { ENOUGH = 32 };

/* Some labels as one axis; steps in bytes. */
typedef struct axis {
  tsr_index length;
  ptrdiff_t x, y, z;
} axis;

/* The labels of a group, in order. */
typedef struct group {
  int count;
  uint8_t label[TSR_MAX_DIMS];
} group;

typedef struct matrices {
  tsr__term x, y, z;
  group batch, rows, cols, summed;
  bool copied[2];
} matrices;

static ptrdiff_t step_of(const tsr__term *x, int label) {
  return (ptrdiff_t)tsr__term_step(x, label) * tsr__item(&x->t);
}

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

/* ---- groups ---- */

/* The labels of a set, those with the largest steps in x first. */
static group sorted(tsr__labels set, const tsr__term *x) {
  group g = {0};
  for (int i = 0; i < x->t.ndim; i++) {
    const uint8_t label = x->label[i];
    int at = g.count;
    if ((set & tsr__label_bit(label)) == 0) continue;
    for (; at > 0 && magnitude(step_of(x, g.label[at - 1])) < magnitude(step_of(x, label)); at--)
      g.label[at] = g.label[at - 1];
    g.label[at] = label;
    g.count++;
  }
  return g;
}

static bool is_mergeable(const axis *outer, const axis *inner) {
  const ptrdiff_t length = (ptrdiff_t)inner->length;
  return outer->x == inner->x * length && outer->y == inner->y * length && outer->z == inner->z * length;
}

/* A group as axes; NULL terms do not count. */
static int merge(const tsr__einsum *e, const group *g, const tsr__term *x, const tsr__term *y, const tsr__term *z,
                 axis *list) {
  int n = 0;
  for (int i = 0; i < g->count; i++) {
    const int label = g->label[i];
    const axis next = {e->size[label], x != NULL ? step_of(x, label) : 0, y != NULL ? step_of(y, label) : 0,
                       z != NULL ? step_of(z, label) : 0};
    if (n > 0 && is_mergeable(&list[n - 1], &next))
      list[n - 1] = (axis){list[n - 1].length * next.length, next.x, next.y, next.z};
    else
      list[n++] = next;
  }
  return n;
}

static bool is_one(const tsr__einsum *e, const group *g, const tsr__term *x, const tsr__term *y, const tsr__term *z) {
  axis list[TSR_MAX_DIMS];
  return merge(e, g, x, y, z, list) <= 1;
}

/* Takes the longest axis out of a list and puts it last. */
static axis longest(axis *list, int n) {
  int at = n - 1;
  if (n == 0) return (axis){1, 0, 0, 0};
  for (int i = n - 2; i >= 0; i--)
    if (list[i].length > list[at].length) at = i;
  const axis found = list[at];
  for (int i = at; i < n - 1; i++) list[i] = list[i + 1];
  return found;
}

/* ---- copies ---- */

static void append(uint8_t *label, int *n, const group *g) {
  for (int i = 0; i < g->count; i++) label[(*n)++] = g->label[i];
}

/* The first or second term, in an order in which every group is one axis. */
static tsr_status copy_term(tsr_ctx *ctx, const tsr__einsum *e, matrices *m, int which) {
  tsr__term *const x = which == 0 ? &m->x : &m->y;
  uint8_t label[TSR_MAX_DIMS];
  int n = 0;
  if (m->copied[which]) return TSR_OK;
  m->copied[which] = true;
  append(label, &n, &m->batch);
  append(label, &n, which == 0 ? &m->rows : &m->summed);
  append(label, &n, which == 0 ? &m->summed : &m->cols);
  return tsr__term_copy(ctx, e, x, x->t.dtype, label, x);
}

/* What is summed becomes one axis of both. */
static tsr_status settle_summed(tsr_ctx *ctx, const tsr__einsum *e, tsr__labels set, matrices *m) {
  m->summed = sorted(set, &m->x);
  if (is_one(e, &m->summed, &m->x, &m->y, NULL)) return TSR_OK;
  const group other = sorted(set, &m->y);
  const bool one_x = is_one(e, &m->summed, &m->x, NULL, NULL), one_y = is_one(e, &other, NULL, &m->y, NULL);
  const bool copy_x = !one_x || (one_y && tsr_size(&m->x.t) < tsr_size(&m->y.t));
  tsr_status st = TSR_OK;
  if (one_y && copy_x) m->summed = other;
  if (is_one(e, &m->summed, &m->x, &m->y, NULL)) return TSR_OK;
  if (copy_x) st = copy_term(ctx, e, m, 0);
  if (st == TSR_OK && !(one_y && copy_x)) st = copy_term(ctx, e, m, 1);
  return st;
}

/* Rows, or columns, that are short as they lie and would be one axis in a copy. */
static tsr_status settle_free(tsr_ctx *ctx, const tsr__einsum *e, matrices *m, int which) {
  const group *const g = which == 0 ? &m->rows : &m->cols;
  const tsr__term *const x = which == 0 ? &m->x : &m->y;
  axis list[TSR_MAX_DIMS];
  const int n = merge(e, g, x, NULL, &m->z, list);
  if (n <= 1 || longest(list, n).length >= ENOUGH || !is_one(e, g, NULL, NULL, &m->z)) return TSR_OK;
  return copy_term(ctx, e, m, which);
}

/* ---- the product ---- */

static void add_batches(tsr__product *p, const axis *list, int n) {
  for (int i = 0; i < n; i++) {
    if (list[i].length == 1) continue;
    p->length[p->axes] = list[i].length;
    p->a.batch[p->axes] = list[i].x;
    p->b.batch[p->axes] = list[i].y;
    p->out.batch[p->axes++] = list[i].z;
    p->batches *= list[i].length;
  }
}

static tsr__mat matrix_of(const tsr__term *x, bool whole) {
  return (tsr__mat){.data = x->t.data, .dtype = whole ? x->t.dtype : tsr__part_dtype(x->t.dtype)};
}

/* Complex by complex is one product; complex by real two of real numbers, part by part. */
static bool is_whole(const matrices *m) {
  return TSR_HAVE_MALLOC && tsr__is_complex(m->x.t.dtype) && tsr__is_complex(m->y.t.dtype);
}

/* The dtype that products are summed in. */
static int sum_of(const tsr__einsum *e) {
  const int part = tsr__part_dtype(e->work);
  if (part == TSR_F32 || part == TSR_F64) return part;
  return part == TSR_BOOL || tsr_dtype_size(part) == 8 ? TSR_I64 : TSR_I32;
}

static void bind_matrices(tsr_ctx *ctx, const tsr__einsum *e, const matrices *m, tsr__product *p) {
  axis list[TSR_MAX_DIMS];
  *p = (tsr__product){.op = e->op, .ctx = ctx, .isa = tsr__isa_of(ctx), .sum = sum_of(e), .batches = 1, .alpha = 1};
  p->is_complex = is_whole(m);
  p->a = matrix_of(&m->x, p->is_complex);
  p->b = matrix_of(&m->y, p->is_complex);
  p->out = matrix_of(&m->z, p->is_complex);
  p->kernel = p->is_complex ? tsr__gemm_kernel_of(p->isa, p->sum)
                            : tsr__gemm_kernel_for(p->isa, p->a.dtype, p->b.dtype, p->sum);
  int n = merge(e, &m->batch, &m->x, &m->y, &m->z, list);
  add_batches(p, list, n);
  n = merge(e, &m->rows, &m->x, NULL, &m->z, list);
  const axis row = longest(list, n);
  add_batches(p, list, n - 1);
  n = merge(e, &m->cols, NULL, &m->y, &m->z, list);
  const axis col = longest(list, n);
  add_batches(p, list, n - 1);
  n = merge(e, &m->summed, &m->x, &m->y, NULL, list);
  const axis along = longest(list, n);
  p->m = row.length;
  p->n = col.length;
  p->k = along.length;
  p->a.row = row.x;
  p->a.col = along.x;
  p->b.row = along.y;
  p->b.col = col.y;
  p->out.row = row.z;
  p->out.col = p->n == 1 ? (ptrdiff_t)tsr_dtype_size(p->out.dtype) : col.z;
  if (p->m == 1) p->out.row = p->out.col * (ptrdiff_t)p->n; /* not looked at, but plain */
}

/* The product of a part of x with a part of y (0 real, 1 imaginary) into the part of z that it belongs to, or added to
 * what that holds. */
static tsr__product part_of(const tsr__product *whole, const matrices *m, int i, int j, bool adds) {
  tsr__product p = *whole;
  const bool minus = (i == 1 && j == 1) != ((i == 1 && m->x.conjugate) != (j == 1 && m->y.conjugate));
  p.a.data += i * (tsr__item(&m->x.t) / 2);
  p.b.data += j * (tsr__item(&m->y.t) / 2);
  p.out.data += (i ^ j) * (tsr__item(&m->z.t) / 2);
  p.alpha = minus ? -1 : 1;
  p.beta = adds ? 1 : 0;
  if (adds) p.c = p.out;
  p.has_epilogue = minus || adds;
  p.in_place = !adds && p.out.dtype == p.sum;
  return p;
}

/* Calls work for every pair of parts: the first of each part of z does not add. */
typedef void part_fn(tsr__product *p, void *arg);
static void each_part(const tsr__product *whole, const matrices *m, part_fn *work, void *arg) {
  if (whole->is_complex) {
    tsr__product p = *whole;
    p.conj_a = m->x.conjugate;
    p.conj_b = m->y.conjugate;
    p.in_place = p.out.dtype == tsr__product_dtype(&p);
    work(&p, arg);
    return;
  }
  const int x_parts = tsr__is_complex(m->x.t.dtype) ? 2 : 1, y_parts = tsr__is_complex(m->y.t.dtype) ? 2 : 1;
  for (int i = 0; i < x_parts; i++)
    for (int j = 0; j < y_parts; j++) {
      tsr__product p = part_of(whole, m, i, j, i == 1 && y_parts == 2);
      work(&p, arg);
    }
}

static void measure_part(tsr__product *p, void *arg) {
  size_t *const most = arg;
  const size_t bytes = tsr__product_scratch(p);
  if (bytes > *most) *most = bytes;
}

static void multiply_part(tsr__product *p, void *arg) {
  (void)tsr__product_scratch(p); /* which chooses the way */
  tsr__product_run(p, arg);
}

static tsr_status multiply_matrices(tsr_ctx *ctx, const tsr__einsum *e, const matrices *m) {
  const tsr_index most = TSR_INDEX_MAX / 64; /* so that sizes can be rounded up and become bytes */
  tsr__product p;
  tsr__scratch scratch;
  size_t bytes = 0;
  bind_matrices(ctx, e, m, &p);
  if (p.m > most || p.n > most || p.k > most)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, e->op, NULL, "matrices of %l by %l and %l by %l are too large to multiply",
                     (int64_t)p.m, (int64_t)p.k, (int64_t)p.k, (int64_t)p.n);
  each_part(&p, m, measure_part, &bytes);
  if (e->room->measuring) {
    tsr__einsum_measure(e->room, bytes);
    return TSR_OK;
  }
  const tsr_status st = tsr__scratch_get(ctx, e->op, bytes, &scratch);
  if (st != TSR_OK) return st;
  each_part(&p, m, multiply_part, scratch.data);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

tsr_status tsr__einsum_product(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                               const tsr__term *z) {
  const tsr__labels in_x = tsr__term_labels(x), in_y = tsr__term_labels(y), in_z = tsr__term_labels(z);
  const tsr__einsum_room before = *e->room;
  matrices m = {.x = *x, .y = *y, .z = *z};
  m.batch = sorted(in_x & in_y & in_z, z);
  m.rows = sorted(in_x & ~in_y, z);
  m.cols = sorted(in_y & ~in_x, z);
  tsr_status st = settle_summed(ctx, e, in_x & in_y & ~in_z, &m);
  if (st == TSR_OK) st = settle_free(ctx, e, &m, 0);
  if (st == TSR_OK) st = settle_free(ctx, e, &m, 1);
  if (st == TSR_OK) st = multiply_matrices(ctx, e, &m);
  tsr__einsum_put(e->room, before);
  return st;
}
