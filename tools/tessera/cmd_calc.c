/* tessera calc: an expression over tensors of files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "calc_parts.h"
#include "formats.h"
#include "on_device.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "source.h"
#include "terminal.h"
#include "watch.h"

/* A name of the expression: a tensor of a file, or a number. */
typedef struct operand {
  char *name; /* owned */
  source from;
  targets found;
  double real;
  int64_t whole;
  tsr_tensor number; /* over one of the two; of no dtype: it is a tensor */
  tsr_tensor copy;   /* of a tensor, on the device; of no dtype: the host computes */
  bool seen;         /* by the bar */
} operand;

typedef struct calc {
  tsr_ctx *ctx;
  operand *operands;
  tsr_named *named;
  int count;
  const tsr_device *device; /* that computes; NULL: the host */
  watch watch;
} calc;

/* ---- operands ---- */

static bool is_of_a_name(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && c >= '0' && c <= '9');
}

/* Splits NAME=WHAT; false: reported. */
static bool read_name(const char *text, operand *o, const char **what) {
  size_t n = 0;
  while (is_of_a_name(text[n], n == 0)) n++;
  if (n == 0 || text[n] != '=') return report("'%s' is no NAME=FILE and no NAME=NUMBER", text), false;
  o->name = malloc(n + 1);
  if (o->name == NULL) return report("out of memory"), false;
  memcpy(o->name, text, n);
  o->name[n] = '\0';
  *what = text + n + 1;
  return true;
}

/* A number, all of it: whole where it has neither a point nor an exponent. */
static bool read_number(const char *text, operand *o) {
  char *end;
  errno = 0;
  o->whole = strtoll(text, &end, 10);
  if (end != text && *end == '\0' && errno == 0) {
    o->number = *TSR_NUMBER((int64_t)0);
    o->number.data = &o->whole;
    return true;
  }
  o->real = strtod(text, &end);
  if (end == text || *end != '\0') return false;
  o->number = *TSR_NUMBER(0.0);
  o->number.data = &o->real;
  return true;
}

static bool open_tensor(tsr_ctx *ctx, const char *where, operand *o) {
  if (!source_open(ctx, where, &o->from, &o->found)) return false;
  if (o->found.count != 1)
    return report("%s: %s has %lld tensors; say which: %s=FILE:NAME (tessera ls lists them)", o->name, where,
                  (long long)o->found.count, o->name),
           false;
  target *const t = &o->found.list[0];
  return target_fetch(ctx, t) == TSR_OK || (report_failure(ctx, target_label(t)), false);
}

static bool read_operand(tsr_ctx *ctx, const char *text, operand *o) {
  const char *what = NULL;
  if (!read_name(text, o, &what)) return false;
  return read_number(what, o) || open_tensor(ctx, what, o);
}

static const tsr_tensor *tensor_of(const operand *o) {
  return o->number.dtype != TSR_NONE ? &o->number : &o->found.list[0].tensor;
}

/* Over to the device; a tensor of no elements too, so that all are in one place. */
static bool move_operand(tsr_ctx *ctx, const tsr_device *device, operand *o) {
  if (device == NULL || device->is_host || o->number.dtype != TSR_NONE) return true;
  return tsr_to_device(ctx, tensor_of(o), device, &o->copy) == TSR_OK || (report_failure(ctx, o->name), false);
}

static const tsr_tensor *bound_to(const operand *o) { return o->copy.dtype != TSR_NONE ? &o->copy : tensor_of(o); }

static void release_operand(operand *o) {
  tsr_release(&o->copy);
  for (tsr_index i = 0; i < o->found.count; i++) target_drop(&o->found.list[i]);
  targets_release(&o->found);
  source_release(&o->from);
  free(o->name);
}

/* ---- the bar ---- */

/* An input counts when the first call that reads it is done. */
static void count_inputs(void *user, const tsr_trace_event *event) {
  calc *const c = user;
  for (int i = 0; i < event->inputs; i++)
    for (int k = 0; k < c->count; k++) {
      operand *const o = &c->operands[k];
      const tsr_tensor *const t = event->in[i];
      if (t == NULL || o->seen || o->number.dtype != TSR_NONE || t->data != bound_to(o)->data) continue;
      o->seen = true;
      progress_add(tsr_nbytes(t));
      c->watch.bytes -= tsr_nbytes(t);
    }
}

static uint64_t work_of(const calc *c) {
  uint64_t bytes = 0;
  for (int i = 0; i < c->count; i++)
    if (c->operands[i].number.dtype == TSR_NONE) bytes += tsr_nbytes(tensor_of(&c->operands[i]));
  return bytes;
}

/* Calls of the host are watched while they run: most expressions are one. */
static bool start_bar(calc *c) {
  progress_start(work_of(c));
  if (tsr_context_set_trace(c->ctx, count_inputs, c) != TSR_OK) return false;
  watch_init(&c->watch, c->ctx, work_of(c));
  if (terminal_on_stderr()) c->ctx->parallel = &c->watch.parallel;
  return true;
}

static bool end_bar(calc *c) {
  c->ctx->parallel = c->watch.under;
  const bool ok = tsr_context_set_trace(c->ctx, NULL, NULL) == TSR_OK;
  progress_end();
  return ok;
}

/* ---- the result ---- */

static bool print_result(tsr_ctx *ctx, const arguments *args, const tsr_tensor *out) {
  terminal to;
  long precision, width;
  if (!terminal_init(&to, "auto") || !args_integer(args, "precision", 0, 20, 8, &precision) ||
      !args_integer(args, "width", 20, 10000, to.width, &width))
    return false;
  const tsr_print_options options = {.precision = precision == 0 ? -1 : (int)precision,
                                     .line_width = (int)width,
                                     .threshold = args_has(args, "all") ? TSR_INDEX_MAX : 0};
  if (tsr_print(ctx, out, &options, stdout) == TSR_OK) return true;
  if (ferror(stdout) == 0) report_failure(ctx, NULL);
  return false;
}

/* parts: who makes the elements while they are written; NULL: out has them. */
static bool save_result(tsr_ctx *ctx, const arguments *args, int format, tsr_tensor *out, calc_parts *parts) {
  tsr_bundle bundle;
  if (tsr_bundle_init(ctx, &bundle) != TSR_OK) return report_failure(ctx, NULL), false;
  const tsr_producer producer = parts != NULL ? calc_parts_producer(parts) : (tsr_producer){0};
  const output what = {.bundle = &bundle,
                       .producer = parts != NULL ? &producer : NULL,
                       .reported = parts != NULL ? &parts->reported : NULL};
  const bool added = tsr_bundle_add(ctx, &bundle, args_value(args, "name", "out"), out) == TSR_OK;
  const bool ok = added && output_save(ctx, args_value(args, "output", "-"), format, &what);
  if (!added) report_failure(ctx, NULL);
  tsr_bundle_release(&bundle);
  return ok;
}

static bool put_result(tsr_ctx *ctx, const arguments *args, int format, tsr_tensor *out) {
  return args_has(args, "output") ? save_result(ctx, args, format, out, NULL) : print_result(ctx, args, out);
}

/* The library says "eval: column 3: ..."; its column is shown below the text. */
static bool report_expression(tsr_ctx *ctx, const char *text) {
  const char *const said = failure_text(ctx);
  report("%s", said);
  if (strncmp(said, "column ", 7) != 0 || strlen(text) > 200 || strchr(text, '\n') != NULL) return false;
  const int column = atoi(said + 7);
  (void)fprintf(stderr, "  %s\n  %*s\n", text, column, "^");
  return false;
}

/* The result, on the host. */
static tsr_status compute(const calc *c, const char *text, tsr_tensor *out) {
  tsr_tensor there = {0};
  if (c->device == NULL) return tsr_eval(c->ctx, text, c->count, c->named, out);
  tsr_status st = tsr_eval(c->ctx, text, c->count, c->named, &there);
  if (st == TSR_OK) st = tsr_to_device(c->ctx, &there, NULL, out);
  tsr_release(&there);
  return st;
}

/* Part by part, so that memory does not grow with the files; *done false: not so. */
static bool stream(const calc *c, const arguments *args, int format, bool *done) {
  calc_parts parts;
  *done = args_has(args, "output") && c->device == NULL &&
          calc_parts_init(&parts, c->ctx, args->operands[0], c->count, c->named);
  if (!*done) return true;
  tsr_tensor out = parts.out;
  progress_start(work_of(c) + tsr_nbytes(&out));
  const bool ok = save_result(c->ctx, args, format, &out, &parts);
  progress_end();
  calc_parts_release(&parts);
  return ok;
}

/* What a result without memory is said to be. */
static bool report_memory(tsr_ctx *ctx, const char *text) {
  (void)report_expression(ctx, text);
  report("the result is computed as a whole: its parts depend on more than the same parts of the tensors");
  return false;
}

static bool evaluate(calc *c, const arguments *args, int format) {
  const char *const text = args->operands[0];
  tsr_tensor out = {0};
  bool done;
  const bool streamed = stream(c, args, format, &done);
  if (done) return streamed;
  bool ok = start_bar(c);
  const tsr_status st = compute(c, text, &out);
  ok = end_bar(c) && ok;
  if (st != TSR_OK) ok = (st == TSR_ENOMEM ? report_memory : report_expression)(c->ctx, text);
  if (ok) progress_start(tsr_nbytes(&out));
  ok = ok && put_result(c->ctx, args, format, &out);
  progress_end();
  tsr_release(&out);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *const to = args_value(args, "to", NULL);
  const int format = to != NULL ? format_find(to) : TSR_FORMAT_AUTO, most = args->operand_count - 1;
  if (to != NULL && format == 0) return FAILED;
  calc c = {.ctx = ctx,
            .operands = calloc((size_t)most + 1, sizeof(operand)),
            .named = calloc((size_t)most + 1, sizeof(tsr_named))};
  bool ok = c.operands != NULL && c.named != NULL;
  if (!ok) report("out of memory");
  ok = ok && device_of(ctx, args, &c.device);
  for (; ok && c.count < most; c.count++) {
    operand *const o = &c.operands[c.count];
    ok = read_operand(ctx, args->operands[c.count + 1], o);
    ok = ok && move_operand(ctx, c.device, o);
    if (ok) c.named[c.count] = (tsr_named){o->name, bound_to(o)};
  }
  ok = ok && evaluate(&c, args, format);
  for (int i = 0; i < c.count; i++) release_operand(&c.operands[i]);
  free(c.operands);
  free(c.named);
  return ok ? DONE : FAILED;
}

static const option options[] = {{"output", 'o', "FILE", "writes the result to FILE; else it is printed"},
                                 {"to", 't', "FORMAT", "the format of FILE; else the end of its name says it"},
                                 {"name", 'n', "NAME", "what the result is called in FILE (out)"},
                                 {"device", 0, "NAME", "computes on a device: cpu, cuda:0"},
                                 {"all", 'a', NULL, "prints every element, however many"},
                                 {"precision", 'p', "DIGITS", "digits behind the point, at the most (8)"},
                                 {"width", 'w', "COLUMNS", "characters of a line; else COLUMNS, or the terminal's"},
                                 {0}};

const command calc_command = {
    .name = "calc",
    .summary = "computes an expression over tensors of files",
    .usage = "[OPTION]... EXPRESSION [NAME=FILE[:NAME][SLICE] | NAME=NUMBER]...",
    .about =
        "EXPRESSION is written as in NumPy: a*2 + b.T, clip(x, 0, 1), sum(x*y, axis=1, keepdims=True), x[1:, ::-1],\n"
        "f16(x), x if x > 0 else 0. Every op of `tessera ops` can be called by its name. Lines before the last, or "
        "parts\n"
        "before a ;, may assign: d = a - b; sqrt(sum(d*d, axis=-1)). dtypes are those of the ops: a number takes the "
        "dtype\n"
        "of the tensor beside it, and where it does not fit the message says what to write.\n"
        "Files are mapped, and chains of elementwise ops go over them once. Reductions of them need no memory of their "
        "size;\n"
        "with -o, a result whose rows depend on the same rows of the tensors alone is computed and written part by "
        "part, so\n"
        "that files may be larger than memory. With -o the result is written beside its place first and then put "
        "there; FILE\n"
        "may be one that is read. - is standard output, and needs --to.",
    .examples =
        "  tessera calc 'a*2 + b.T' a=x.npy b=model.safetensors:encoder.w -o y.npy\n"
        "  tessera calc 'mean(x, axis=0)' x=big.npy\n"
        "  tessera calc '(x - mean(x)) / std(x)' x=table.csv\n"
        "  tessera calc 'd = a - b; sqrt(mean(d*d))' a=one.npy b=other.npy\n"
        "  tessera calc 'bf16(w * k)' w=model.safetensors:head.w k=0.5 -o head.safetensors -n head.w\n"
        "  tessera calc --device cuda:0 'softmax(x @ w, axis=-1)' x=rows.npy w=model.safetensors:head.w -o y.npy\n"
        "  tessera calc '2**0.5'\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
