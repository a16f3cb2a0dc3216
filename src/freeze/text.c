/* A frozen program as text. */
#include "freeze/freeze.h"

#if TSR_HAVE_OPS

#include "nn/quant/frozen/frozen.h"
#include "nn/quant/layer/layer.h"
#include "ops/print/printer.h"

static const char op[] = "freeze_write";

typedef struct writer {
  const tsr__freezing *f;
  tsr__printer printer;
  int8_t *weights; /* room for those of one layer */
} writer;

static void put(writer *w, const char *text) { tsr__print_string(&w->printer, text); }

static void put_number(writer *w, int64_t number) {
  if (number < 0) tsr__print_char(&w->printer, '-');
  tsr__print_u64(&w->printer, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* ", " and a number, or numbers in braces. */
static void put_next(writer *w, int64_t number) {
  put(w, ", ");
  put_number(w, number);
}

static void put_list(writer *w, const int32_t *numbers, int count) {
  put(w, ", {");
  for (int i = 0; i < count; i++) {
    if (i > 0) put(w, ", ");
    put_number(w, numbers[i]);
  }
  put(w, "}");
}

static void put_place(writer *w, const char *before, tsr_frozen_place place) {
  const int32_t numbers[] = {(int32_t)place.base, (int32_t)place.offset};
  put(w, before);
  tsr__print_char(&w->printer, '{');
  put_number(w, numbers[0]);
  put_next(w, numbers[1]);
  tsr__print_char(&w->printer, '}');
}

/* NAME_3_what: of call number 3. */
static void put_name(writer *w, size_t call, const char *what) {
  put(w, w->f->name);
  tsr__print_char(&w->printer, '_');
  tsr__print_u64(&w->printer, call);
  put(w, what);
}

static void put_tensor(writer *w, const tsr_tensor *t) {
  char described[TSR_TEXT_BYTES];
  (void)tsr_desc_format(t, described, sizeof described);
  put(w, described);
}

/* ---- constants of layers ---- */

/* As many numbers as one of item bytes has; a line is about 100 characters. */
static void put_array(writer *w, size_t call, const char *type, const char *what, const void *numbers, int item,
                      size_t count) {
  const size_t line = item == 1 ? 20 : 10;
  put(w, "TSR_CONSTANT(8) ");
  put(w, type);
  tsr__print_char(&w->printer, ' ');
  put_name(w, call, what);
  tsr__print_char(&w->printer, '[');
  tsr__print_u64(&w->printer, count);
  put(w, "] = {");
  for (size_t i = 0; i < count && w->printer.status == TSR_OK; i++) {
    put(w, i % line == 0 ? "\n  " : " ");
    put_number(w, item == 1 ? ((const int8_t *)numbers)[i] : ((const int32_t *)numbers)[i]);
    tsr__print_char(&w->printer, ',');
  }
  put(w, "};\n");
}

static size_t weights_of(const tsr_frozen_layer *l) {
  const int32_t *const n = l->filters;
  return (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * (size_t)n[3];
}

/* What filters are was checked when the call was prepared. */
static void put_weights(writer *w, size_t number, const tsr__frozen_call *call) {
  static const tsr_qscheme none = {0};
  const tsr_frozen_layer *const l = &call->as.of_layer;
  const tsr_qlayer *const layer = call->layer;
  tsr__q_packing p = {.op = op, .w = &layer->w, .options = &layer->options, .scheme = &none};
  if (tsr__q_filters_init(w->f->ctx, op, &layer->w, &layer->options, &p.f) != TSR_OK) return;
  tsr__q_pack_plain(&p, w->weights);
  put_array(w, number, "int8_t", "_w", w->weights, 1, weights_of(l));
  put_array(w, number, "int32_t", "_table", layer->table.data, 4, (size_t)TSR__Q_TABLE_ROWS * (size_t)l->filters[0]);
}

/* ---- structs ---- */

static void put_layer(writer *w, size_t number, const tsr_frozen_layer *l) {
  put(w, "static const tsr_frozen_layer ");
  put_name(w, number, " = {\n  ");
  put_place(w, "", l->x);
  put_place(w, ", ", l->out);
  put_place(w, ", ", l->scratch);
  put_next(w, l->scratch_bytes);
  put(w, ", ");
  put_name(w, number, "_w, ");
  put_name(w, number, "_table");
  put_list(w, l->x_shape, 4);
  put_list(w, l->filters, 4);
  put_list(w, l->out_shape, 2);
  put_list(w, l->read, 2);
  put_list(w, l->stride, 2);
  put_list(w, l->dilation, 2);
  put_list(w, l->before, 2);
  put_next(w, l->groups);
  put_list(w, l->x_step, 4);
  put_list(w, l->out_step, 4);
  put_next(w, l->x_zero);
  put_next(w, l->out_zero);
  put_next(w, l->low);
  put_next(w, l->high);
  put_next(w, l->x_dtype);
  put_next(w, l->out_dtype);
  put_next(w, l->high_shifts);
  put_next(w, l->short_ends);
  put_next(w, l->asymmetric);
}

static void put_pool(writer *w, size_t number, const tsr_frozen_pool *l) {
  put(w, "static const tsr_frozen_pool ");
  put_name(w, number, " = {\n  ");
  put_place(w, "", l->x);
  put_place(w, ", ", l->out);
  put_next(w, l->images);
  put_next(w, l->channels);
  put_next(w, l->zero);
  put(w, ", {{");
  for (int i = 0; i < 14; i++) {
    if (i > 0) put(w, i == 7 ? "}, {" : ", ");
    put_number(w, l->axis[i / 7][i % 7]);
  }
  put(w, "}}");
  put_list(w, l->x_step, 5);
  put_list(w, l->out_step, 5);
  put_next(w, l->dtype);
  put_next(w, l->max);
  put_next(w, l->include_pad);
}

static void put_sum(writer *w, size_t number, const tsr_frozen_sum *l) {
  const int32_t dtypes[] = {l->dtype[0], l->dtype[1], l->dtype[2]};
  put(w, "static const tsr_frozen_sum ");
  put_name(w, number, " = {\n  ");
  put_place(w, "", l->a);
  put_place(w, ", ", l->b);
  put_place(w, ", ", l->out);
  put_next(w, l->count);
  put_list(w, l->zero, 3);
  put_list(w, l->ratio, 3);
  put_list(w, l->ratio_twice, 6);
  put_list(w, dtypes, 3);
}

/* What a call does, as a comment. */
static void put_about(writer *w, const tsr__frozen_call *call) {
  const tsr_work *const work = tsr__program_node(w->f->p, (size_t)call->node)->work;
  put(w, "\n/* ");
  put(w, work->op);
  put(w, ": ");
  put_tensor(w, work->in[0]);
  put(w, " to ");
  put_tensor(w, work->out[0]);
  put(w, " */\n");
}

static void put_call(writer *w, size_t number) {
  const tsr__frozen_call *const call = &w->f->calls[number];
  put_about(w, call);
  if (call->kind == TSR__FROZEN_LAYER) {
    put_weights(w, number, call);
    put_layer(w, number, &call->as.of_layer);
  } else if (call->kind == TSR__FROZEN_POOL) {
    put_pool(w, number, &call->as.of_pool);
  } else {
    put_sum(w, number, &call->as.of_sum);
  }
  put(w, "};\n");
}

/* ---- the program ---- */

static const tsr__port *port_at(const tsr_program *p, size_t i) {
  return i < p->inputs.count ? tsr__program_input(p, i) : tsr__program_output(p, i - p->inputs.count);
}

static void put_head(writer *w) {
  const tsr_program *const p = w->f->p;
  const size_t ports = p->inputs.count + p->outputs.count;
  put(w, "/* Written by Tessera: a program as constants, for tsr_frozen_run.");
  for (size_t i = 0; i < ports; i++) {
    put(w, i == 0 ? "\n   in:  " : i == p->inputs.count ? "\n   out: " : ", ");
    put(w, port_at(p, i)->name);
    put(w, " ");
    put_tensor(w, &port_at(p, i)->description);
  }
  put(w,
      " */\n#include <stdint.h>\n#include <tessera/frozen.h>\n\nenum { /* bytes of its memory, inputs and outputs */\n "
      " ");
  put(w, w->f->name);
  put(w, "_bytes = ");
  tsr__print_u64(&w->printer, w->f->report.memory);
  for (size_t i = 0; i < ports; i++) {
    put(w, ",\n  ");
    put(w, w->f->name);
    put(w, "_bytes_");
    put(w, port_at(p, i)->name);
    put(w, " = ");
    tsr__print_u64(&w->printer, tsr_nbytes(&port_at(p, i)->description));
  }
  put(w, "\n};\n");
}

/* C has no empty arrays: a program without calls has one step, which it does not run. */
static void put_steps(writer *w) {
  put(w, "\nstatic const tsr_frozen_step ");
  put(w, w->f->name);
  put(w, "_steps[] = {");
  for (size_t i = 0; i < w->f->count; i++) {
    put(w, "\n  {");
    put(w, w->f->calls[i].run);
    put(w, ", &");
    put_name(w, i, "},");
  }
  put(w, w->f->count == 0 ? "{0, 0}};\n" : "\n};\n");
}

static void put_program(writer *w) {
  const tsr_program *const p = w->f->p;
  put(w, "static const tsr_frozen ");
  put(w, w->f->name);
  put(w, " = {");
  put_number(w, TSR__FROZEN_FORM);
  put_next(w, (int64_t)w->f->report.memory);
  put_next(w, (int64_t)w->f->count);
  put_next(w, (int64_t)p->inputs.count);
  put_next(w, (int64_t)p->outputs.count);
  put(w, ", ");
  put(w, w->f->name);
  put(w, "_steps};\n");
}

static tsr_status put_all(writer *w, const tsr_sink *sink) {
  tsr__printer_init(&w->printer, sink);
  put_head(w);
  for (size_t i = 0; i < w->f->count && w->printer.status == TSR_OK; i++) put_call(w, i);
  put_steps(w);
  put_program(w);
  const tsr_status st = tsr__printer_finish(&w->printer);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(w->f->ctx, st, op, NULL, "the sink failed");
}

tsr_status tsr__freeze_text(const tsr__freezing *f, const tsr_sink *sink) {
  writer w = {.f = f};
  tsr__scratch scratch;
  size_t most = 0;
  for (size_t i = 0; i < f->count; i++) {
    const size_t bytes = f->calls[i].kind == TSR__FROZEN_LAYER ? weights_of(&f->calls[i].as.of_layer) : 0;
    if (bytes > most) most = bytes;
  }
  tsr_status st = tsr__scratch_get(f->ctx, op, most, &scratch);
  if (st != TSR_OK) return st;
  w.weights = scratch.data;
  st = put_all(&w, sink);
  tsr__scratch_put(&scratch);
  return st;
}

#endif
