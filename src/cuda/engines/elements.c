#include "cuda/engines/elements.h"

#include "core/tensor.h"

#include <string.h>

enum { LOOKED_UP_FROM = 1 << 18 }; /* elements for each multiprocessor */

/* ---- operands ---- */

static tsr__cuda_view view_of(const tsr_tensor *t, tsr__cuda_ref ref) {
  tsr__cuda_view view = {.tensor = *t, .ref = ref};
  return view;
}

tsr__cuda_view tsr__cuda_input(const tsr_work *work, int k) { return view_of(work->in[k], tsr__cuda_in(k)); }
tsr__cuda_view tsr__cuda_output(const tsr_work *work, int k) { return view_of(work->out[k], tsr__cuda_out(k)); }

static tsr__cuda_term *add_term(tsr__cuda_elements *e, tsr__cuda_source_kind kind, int dtype) {
  tsr__cuda_term *const term = &e->in[e->lines.inputs];
  *term = (tsr__cuda_term){.kind = kind, .view = {.tensor = {.dtype = (uint8_t)dtype}}};
  e->lines.dtype[e->lines.inputs] = (uint8_t)dtype;
  e->lines.kind[e->lines.inputs++] = (uint8_t)kind;
  return term;
}

void tsr__cuda_add_view(tsr__cuda_elements *e, const tsr__cuda_view *view) {
  add_term(e, TSR__CUDA_MEMORY, view->tensor.dtype)->view = *view;
}

void tsr__cuda_add_number(tsr__cuda_elements *e, int dtype, const void *element) {
  memcpy(add_term(e, TSR__CUDA_NUMBER, dtype)->number.bytes, element, tsr_dtype_size(dtype));
}

void tsr__cuda_add_input(tsr__cuda_elements *e, const tsr_work *work, int k) {
  const tsr_tensor *const t = work->in[k];
  const tsr__cuda_view view = tsr__cuda_input(work, k);
  if (t->ndim == 0 && tsr_device_of(t)->is_host)
    tsr__cuda_add_number(e, t->dtype, t->data);
  else
    tsr__cuda_add_view(e, &view);
}

void tsr__cuda_add_position(tsr__cuda_elements *e, int64_t first, const int64_t *factor) {
  tsr__cuda_term *const term = add_term(e, TSR__CUDA_POSITION, TSR_I64);
  term->first = first;
  memcpy(term->factor, factor, sizeof term->factor);
}

tsr__cuda_view tsr__cuda_temporary(tsr__cuda_plan *plan, int dtype, int ndim, const tsr_index *shape) {
  tsr__cuda_view view = {.tensor = {.dtype = (uint8_t)dtype, .ndim = (uint8_t)ndim}};
  tsr_index size = 1;
  for (int d = ndim - 1; d >= 0; d--) {
    view.tensor.shape[d] = shape[d];
    view.tensor.stride[d] = size;
    size *= shape[d];
  }
  view.ref = tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, (size_t)size * tsr_dtype_size(dtype)));
  return view;
}

/* ---- overlap ---- */

tsr_status tsr__cuda_unaliased(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *out, tsr__cuda_view *view,
                               tsr__cuda_plan *plan) {
  const tsr_tensor *const t = &view->tensor;
  if (out->tensor.data == NULL || t->data == NULL || !tsr__overlap(t, &out->tensor)) return TSR_OK;
  const tsr__cuda_view copy = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
  const tsr_status st = tsr__cuda_plan_cast(gpu, ctx, view, &copy, plan);
  *view = copy;
  return st;
}

static tsr_tensor broadcast_to(const tsr_tensor *t, const tsr_tensor *out) {
  tsr_tensor view = *t;
  const int added = out->ndim - t->ndim;
  for (int d = 0; d < out->ndim; d++) {
    const int own = d - added;
    view.shape[d] = out->shape[d];
    view.stride[d] = own >= 0 && t->shape[own] == out->shape[d] ? t->stride[own] : 0;
  }
  view.ndim = out->ndim;
  return view;
}

/* Inputs that lie exactly as the output are read before they are written. */
static tsr_status see_overlap(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_elements *e, tsr__cuda_plan *plan) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < e->lines.inputs && st == TSR_OK; i++) {
    tsr__cuda_view *const view = &e->in[i].view;
    if (e->in[i].kind != TSR__CUDA_MEMORY) continue;
    const tsr_tensor wide = broadcast_to(&view->tensor, &e->out.tensor);
    if (wide.data != NULL && e->out.tensor.data != NULL &&
        tsr_dtype_size(wide.dtype) == tsr_dtype_size(e->out.tensor.dtype) && tsr__same_view(&wide, &e->out.tensor))
      e->lines.in_place = true;
    else
      st = tsr__cuda_unaliased(gpu, ctx, &e->out, view, plan);
  }
  return st;
}

/* ---- planning ---- */

static void set_operand(tsr__cuda_operand *o, const tsr__cuda_view *view, const tsr_tensor *wide) {
  *o = (tsr__cuda_operand){.address = tsr__cuda_place_of(view), .item = tsr_dtype_size(view->tensor.dtype)};
  for (int d = 0; d < wide->ndim; d++) o->stride[d] = wide->stride[d];
}

static void make_loop(const tsr__cuda_elements *e, tsr__cuda_loop *loop) {
  const tsr_tensor *const out = &e->out.tensor;
  *loop = (tsr__cuda_loop){.rank = out->ndim, .operands = 1};
  for (int d = 0; d < out->ndim; d++) loop->length[d] = out->shape[d];
  set_operand(&loop->operand[0], &e->out, out);
  for (int i = 0; i < e->lines.inputs; i++) {
    const tsr__cuda_term *const term = &e->in[i];
    if (term->kind == TSR__CUDA_NUMBER) continue;
    tsr__cuda_operand *const o = &loop->operand[loop->operands++];
    if (term->kind == TSR__CUDA_MEMORY) {
      const tsr_tensor wide = broadcast_to(&term->view.tensor, out);
      set_operand(o, &term->view, &wide);
      continue;
    }
    *o = (tsr__cuda_operand){.item = 0};
    memcpy(o->stride, term->factor, sizeof o->stride);
  }
}

static tsr__cuda_key key_of(const tsr__cuda_elements *e, const tsr__cuda_pattern *p) {
  tsr__cuda_key key;
  unsigned kinds = 0;
  memset(&key, 0, sizeof key);
  key.maker = e->maker;
  for (int i = 0; i < e->lines.inputs; i++) {
    key.part[i] = e->lines.dtype[i];
    kinds |= (unsigned)e->lines.kind[i] << (2 * i);
  }
  key.part[8] = (uint8_t)kinds;
  key.part[9] = (uint8_t)(kinds >> 8);
  key.part[10] = (uint8_t)tsr__cuda_lines_out(&e->lines);
  key.part[11] = e->lines.in_place;
  key.part[12] = p->kind;
  key.part[13] = p->transposed;
  key.part[14] = p->vector;
  key.part[15] = p->wide;
  key.part[16] = e->lines.step[0].compute;
  key.part[17] = (uint8_t)e->lines.inputs;
  key.part[18] = e->form;
  key.part[19] = p->tile;
  return key;
}

/* Whether a function is so long, and its operand too, that it is quicker to compute it once for each value of 16 bits. */
static bool is_looked_up(const tsr__cuda *gpu, const tsr__cuda_elements *e, const tsr__cuda_way *way) {
  const tsr__cuda_traits *const traits = tsr__cuda_traits_of(gpu);
  const tsr__cuda_lines *const l = &e->lines;
  const size_t out = tsr_dtype_size(tsr__cuda_lines_out(l));
  int memory = -1;
  for (int i = 0; i < l->inputs; i++) {
    if (l->kind[i] == TSR__CUDA_NUMBER) continue;
    if (memory >= 0 || l->kind[i] != TSR__CUDA_MEMORY) return false;
    memory = i;
  }
  return way->pattern.kind == TSR__CUDA_CONTIGUOUS && memory >= 0 && tsr_dtype_size(l->dtype[memory]) == 2 &&
         out <= 2 && l->steps == 1 && l->step[0].near != NULL && !e->table.there && way->pattern.vector >= 8 &&
         (int64_t)way->args.flat.n >= (int64_t)traits->multiprocessors * LOOKED_UP_FROM &&
         traits->shared_block >= (int)(TSR__CUDA_VALUES_16 * out);
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_elements *e, const tsr__cuda_pattern *p,
                             unsigned shared, const tsr__cuda_kernel **kernel) {
  const tsr__cuda_key key = key_of(e, p);
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_generate(&e->lines, p, &text);
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_elements", .shared = shared};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static void plan_launch(const tsr__cuda_elements *e, const tsr__cuda_loop *loop, tsr__cuda_way *way,
                        const tsr__cuda_kernel *kernel, tsr__cuda_plan *plan) {
  int operand = 0, number = 0;
  for (int i = 0; i < e->lines.inputs; i++) {
    const tsr__cuda_term *const term = &e->in[i];
    if (term->kind == TSR__CUDA_NUMBER)
      way->args.flat.number[number++] = term->number;
    else if (operand++, term->kind == TSR__CUDA_POSITION)
      way->args.flat.x[operand] = (uint64_t)(term->first + loop->operand[operand].moved);
  }
  way->args.flat.table.step = e->table.step;
  way->args.flat.table.length = e->table.length;
  way->args.flat.table.padding = e->table.padding;
  way->args.flat.table.wraps = e->table.wraps;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)way->blocks, 1, 1}, way->threads, way->shared,
                        &way->args, way->args_bytes);
  operand = 0;
  for (int i = -1; i < e->lines.inputs; i++) {
    if (i >= 0 && e->in[i].kind == TSR__CUDA_NUMBER) continue;
    const int at = i < 0 ? 0 : ++operand;
    if (i >= 0 && e->in[i].kind == TSR__CUDA_POSITION) continue;
    tsr__cuda_ref ref = i < 0 ? e->out.ref : e->in[i].view.ref;
    ref.offset += loop->operand[at].moved;
    tsr__cuda_plan_address(plan, offsetof(tsr__cuda_flat_args, x) + (size_t)at * sizeof(uint64_t), ref);
  }
  if (!e->table.there) return;
  tsr__cuda_plan_address(plan, offsetof(tsr__cuda_flat_args, table.data), e->table.ref);
  tsr__cuda_plan_fault(plan, offsetof(tsr__cuda_flat_args, table.fault), e->table.argument);
}

/* The results of all values go to temporary memory, from where each multiprocessor has them. */
static tsr_status plan_looked_up(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_elements *e, const tsr__cuda_loop *loop,
                                 tsr__cuda_way *way, tsr__cuda_plan *plan) {
  const size_t item = tsr_dtype_size(e->out.tensor.dtype), at = offsetof(tsr__cuda_flat_args, x);
  const tsr__cuda_kernel *make, *look_up;
  tsr__cuda_way all;
  tsr__cuda_look_up(way, item, tsr__cuda_traits_of(gpu)->multiprocessors, &all);
  tsr_status st = get_kernel(gpu, ctx, e, &all.pattern, 0, &make);
  if (st == TSR_OK) st = get_kernel(gpu, ctx, e, &way->pattern, way->shared, &look_up);
  if (st != TSR_OK) return st;
  const tsr__cuda_ref results = tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, TSR__CUDA_VALUES_16 * item));
  plan_launch(e, loop, &all, make, plan);
  tsr__cuda_plan_address(plan, at, results);
  plan_launch(e, loop, way, look_up, plan);
  tsr__cuda_plan_address(plan, at + 2 * sizeof(uint64_t), results);
  return TSR_OK;
}

tsr_status tsr__cuda_plan_elements(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_elements *e, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  tsr__cuda_loop loop;
  tsr__cuda_way way;
  if (tsr_size(&e->out.tensor) == 0) return TSR_OK;
  tsr_status st = see_overlap(gpu, ctx, e, plan);
  if (st != TSR_OK) return st;
  make_loop(e, &loop);
  tsr__cuda_find_way(&loop, false, &way);
  if (is_looked_up(gpu, e, &way)) return plan_looked_up(gpu, ctx, e, &loop, &way, plan);
  st = get_kernel(gpu, ctx, e, &way.pattern, 0, &kernel);
  if (st == TSR_OK) plan_launch(e, &loop, &way, kernel, plan);
  return st;
}

/* ---- copies and fills ---- */

/* Elements of one dtype are moved as integers of their size: few kernels serve all of them. */
static int moved_as(int dtype) {
  switch (tsr_dtype_size(dtype)) {
    case 1: return TSR_U8;
    case 2: return TSR_U16;
    case 4: return TSR_U32;
    case 8: return TSR_U64;
    default: return TSR_C128;
  }
}

static void set_identity(tsr__cuda_lines *lines, int to) {
  lines->steps = 1;
  lines->step[0] = (tsr__cuda_line_step){.line = "a",
                                         .inputs = 1,
                                         .dtype = {(uint8_t)to},
                                         .compute = (uint8_t)to,
                                         .result = (uint8_t)to,
                                         .out = (uint8_t)to};
}

tsr_status tsr__cuda_plan_cast(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *from, const tsr__cuda_view *to,
                               tsr__cuda_plan *plan) {
  static const char maker;
  tsr__cuda_elements e = {.maker = &maker, .out = *to};
  tsr__cuda_view in = *from;
  if (in.tensor.dtype == to->tensor.dtype) in.tensor.dtype = e.out.tensor.dtype = (uint8_t)moved_as(to->tensor.dtype);
  tsr__cuda_add_view(&e, &in);
  set_identity(&e.lines, e.out.tensor.dtype);
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}

tsr_status tsr__cuda_plan_fill(tsr__cuda *gpu, tsr_ctx *ctx, const void *element, const tsr__cuda_view *to,
                               tsr__cuda_plan *plan) {
  static const char maker;
  tsr__cuda_elements e = {.maker = &maker, .out = *to};
  e.out.tensor.dtype = (uint8_t)moved_as(to->tensor.dtype);
  tsr__cuda_add_number(&e, e.out.tensor.dtype, element);
  set_identity(&e.lines, e.out.tensor.dtype);
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}
