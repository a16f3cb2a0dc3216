/* tessera diff: whether two files hold the same tensors, and how far they are apart. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "json.h"
#include "report.h"
#include "slice.h"
#include "source.h"
#include "table.h"
#include "text.h"

typedef struct diff {
  tsr_ctx *ctx;
  double rtol, atol;
  bool values, all, as_json;
  terminal to;
  table t;
  json j;
  int64_t same, different; /* pairs of tensors */
  int64_t alone;           /* tensors that only one file has */
  bool failed;
} diff;

/* What became of a pair. */
typedef struct verdict {
  const char *name, *note; /* note: why there are no numbers, or "" */
  bool different;
  bool ulps; /* of floats on both sides; others have none */
  tsr_difference d;
  char where[160]; /* the index of the first difference */
} verdict;

/* ---- writing ---- */

static void put_table(diff *d, const verdict *v) {
  char text[64];
  const bool numbers = v->note[0] == '\0';
  table_cell(&d->t, v->name);
  table_cell(&d->t, numbers ? text_count(v->d.unequal, text) : "-");
  table_cell(&d->t, numbers ? text_real(v->d.max_abs, text) : "-");
  table_cell(&d->t, numbers ? text_real(v->d.max_rel, text) : "-");
  (void)snprintf(text, sizeof text, "%" PRIu64, v->d.max_ulp);
  table_cell(&d->t, numbers && v->ulps ? text : "-");
  table_cell(&d->t, numbers ? v->where : v->note);
}

static void put_json(diff *d, const verdict *v) {
  json *j = &d->j;
  json_open(j, NULL, '{');
  json_string(j, "name", v->name);
  json_bool(j, "different", v->different);
  if (v->note[0] != '\0') {
    json_string(j, "why", v->note);
  } else {
    json_integer(j, "count", v->d.count);
    json_integer(j, "unequal", v->d.unequal);
    json_integer(j, "nan", v->d.nans);
    json_real(j, "max_abs", v->d.max_abs);
    json_real(j, "max_rel", v->d.max_rel);
    if (v->ulps) json_integer(j, "max_ulp", (int64_t)v->d.max_ulp);
    if (v->d.first >= 0) json_string(j, "first", v->where);
  }
  json_close(j, '}');
}

static void put_verdict(diff *d, const verdict *v) {
  if (d->as_json) {
    put_json(d, v);
  } else if (v->different || d->all) {
    put_table(d, v);
  }
}

/* ---- comparing ---- */

/* The index of element number first: "[1, 2]: 0.5, 0.25". */
static void put_where(diff *d, const tsr_tensor *a, const tsr_tensor *b, verdict *v) {
  slice s = {.count = a->ndim};
  tsr_index left = (tsr_index)v->d.first;
  tsr_real x = 0, y = 0;
  v->where[0] = '\0';
  if (v->d.first < 0) return;
  for (int i = a->ndim - 1; i >= 0; left /= a->shape[i--])
    s.parts[i] = (slice_part){.kind = SLICE_INDEX, .start = left % a->shape[i]};
  size_t n = slice_format(&s, v->where, sizeof v->where);
  TSR_IGNORE(tsr_get_flat(d->ctx, a, (tsr_index)v->d.first, TSR_ROW_MAJOR, &x));
  TSR_IGNORE(tsr_get_flat(d->ctx, b, (tsr_index)v->d.first, TSR_ROW_MAJOR, &y));
  if (n < sizeof v->where) (void)snprintf(v->where + n, sizeof v->where - n, ": %.9g, %.9g", x, y);
}

static int class_of(const tsr_tensor *t) { return tsr_dtype_describe(t->dtype)->class_; }

/* A part of a tensor of complex numbers; of one of real numbers itself, and zeros, one 0 for all of them. */
static tsr_status part_of(tsr_ctx *ctx, const tsr_tensor *t, int part, const tsr_tensor *zero, tsr_tensor *out) {
  if (class_of(t) == TSR_CLASS_COMPLEX) return tsr_complex_part(ctx, t, part, out);
  return part == 0 ? tsr_view(ctx, t, out) : tsr_broadcast_to(ctx, zero, t->ndim, t->shape, out);
}

static void join(verdict *v, const verdict *part) {
  if (v->d.first < 0) memcpy(v->where, part->where, sizeof v->where);
  if (v->d.first < 0) v->d.first = part->d.first;
  v->d.count = part->d.count;
  v->d.unequal += part->d.unequal;
  v->d.nans += part->d.nans;
  if (part->d.max_abs > v->d.max_abs) v->d.max_abs = part->d.max_abs;
  if (part->d.max_rel > v->d.max_rel) v->d.max_rel = part->d.max_rel;
  if (part->d.max_ulp > v->d.max_ulp) v->d.max_ulp = part->d.max_ulp;
}

/* Complex tensors: their parts one after the other. */
static tsr_status compare(diff *d, const tsr_tensor *a, const tsr_tensor *b, verdict *v) {
  const bool parts = class_of(a) == TSR_CLASS_COMPLEX || class_of(b) == TSR_CLASS_COMPLEX;
  float nothing = 0;
  tsr_tensor zero = {0};
  tsr_status st = tsr_from_memory(d->ctx, &nothing, TSR_F32, 0, NULL, &zero);
  v->ulps = class_of(a) >= TSR_CLASS_FLOAT && class_of(b) >= TSR_CLASS_FLOAT;
  v->d.first = -1;
  for (int part = 0; part < 1 + parts && st == TSR_OK; part++) {
    tsr_tensor x = {0}, y = {0};
    verdict one = {0};
    st = part_of(d->ctx, a, part, &zero, &x);
    if (st == TSR_OK) st = part_of(d->ctx, b, part, &zero, &y);
    if (st == TSR_OK) st = tsr_compare(d->ctx, &x, &y, d->rtol, d->atol, &one.d);
    if (st != TSR_OK) break;
    put_where(d, &x, &y, &one);
    join(v, &one);
  }
  return st;
}

static tsr_status fetch_and_compare(diff *d, target *a, target *b, verdict *v) {
  tsr_status st = target_fetch(d->ctx, a);
  if (st == TSR_OK) st = target_fetch(d->ctx, b);
  if (st == TSR_OK) st = compare(d, &a->tensor, &b->tensor, v);
  target_drop(a);
  target_drop(b);
  return st;
}

static void diff_pair(diff *d, target *a, target *b) {
  char note[2 * TEXT_SHAPE], left[TEXT_SHAPE], right[TEXT_SHAPE];
  verdict v = {.name = target_label(a), .note = note};
  note[0] = '\0';
  if (!tsr_same_shape(&a->tensor, &b->tensor)) {
    (void)snprintf(note, sizeof note, "shape %s, %s", text_shape(a->tensor.ndim, a->tensor.shape, left),
                   text_shape(b->tensor.ndim, b->tensor.shape, right));
  } else if (!d->values && a->tensor.dtype != b->tensor.dtype) {
    (void)snprintf(note, sizeof note, "dtype %s, %s", tsr_dtype_name(a->tensor.dtype), tsr_dtype_name(b->tensor.dtype));
  } else if (fetch_and_compare(d, a, b, &v) != TSR_OK) {
    report_failure(d->ctx, v.name);
    d->failed = true;
    return;
  }
  v.different = note[0] != '\0' || v.d.unequal > 0;
  d->different += v.different;
  d->same += !v.different;
  put_verdict(d, &v);
}

static void diff_alone(diff *d, const target *t, const char *note) {
  const verdict v = {.name = target_label(t), .note = note, .different = true};
  d->alone++;
  put_verdict(d, &v);
}

/* ---- files ---- */

static int by_label(const void *a, const void *b) {
  return strcmp(target_label(*(const target *const *)a), target_label(*(const target *const *)b));
}

/* The targets by their labels, to look for one; NULL when there is no memory. */
static target **sorted(const targets *in) {
  target **list = malloc(((size_t)in->count + 1) * sizeof(target *));
  if (list == NULL) return NULL;
  for (tsr_index i = 0; i < in->count; i++) list[i] = &in->list[i];
  qsort(list, (size_t)in->count, sizeof *list, by_label);
  return list;
}

static target *find(const targets *in, target **list, const target *like) {
  target *const *found = bsearch(&like, list, (size_t)in->count, sizeof *list, by_label);
  return found != NULL ? *found : NULL;
}

static void diff_named(diff *d, const targets *a, const targets *b) {
  target **of_a = sorted(a), **of_b = sorted(b);
  const bool ready = of_a != NULL && of_b != NULL;
  if (!ready) d->failed = report("out of memory") == FAILED;
  for (tsr_index i = 0; i < a->count && ready; i++) {
    target *other = find(b, of_b, &a->list[i]);
    if (other != NULL) diff_pair(d, &a->list[i], other);
    if (other == NULL) diff_alone(d, &a->list[i], "only in the first");
  }
  for (tsr_index i = 0; i < b->count && ready; i++)
    if (find(a, of_a, &b->list[i]) == NULL) diff_alone(d, &b->list[i], "only in the second");
  free(of_a);
  free(of_b);
}

/* Where each side is one tensor, the names do not matter: two .npy files are named as the files are. */
static void diff_all(diff *d, const targets *a, const targets *b) {
  if (a->count == 1 && b->count == 1) {
    diff_pair(d, &a->list[0], &b->list[0]);
  } else {
    diff_named(d, a, b);
  }
}

static void put_end(diff *d) {
  if (d->as_json) {
    json_close(&d->j, ']');
    return;
  }
  if ((d->t.rows > 0 || d->t.failed) && !table_write(&d->t, &d->to)) d->failed = true;
  char same[32], different[32], alone[32];
  (void)printf("%s the same, %s different", text_count(d->same, same), text_count(d->different, different));
  if (d->alone > 0) (void)printf(", %s in one file only", text_count(d->alone, alone));
  (void)putchar('\n');
}

static bool read_options(const arguments *args, diff *d) {
  if (!terminal_init(&d->to, args_value(args, "color", "auto"))) return false;
  if (!args_real(args, "rtol", 0, &d->rtol) || !args_real(args, "atol", 0, &d->atol)) return false;
  if (d->rtol < 0 || d->atol < 0) return report("--rtol and --atol are 0 or more"), false;
  d->values = args_has(args, "values");
  d->all = args_has(args, "all");
  d->as_json = args_has(args, "json");
  return true;
}

static void put_columns(table *t) {
  table_column(t, "name", false);
  table_column(t, "unequal", true);
  table_column(t, "max abs", true);
  table_column(t, "max rel", true);
  table_column(t, "max ulp", true);
  table_column(t, "first", false);
}

static int run(tsr_ctx *ctx, const arguments *args) {
  diff d = {.ctx = ctx};
  source a, b;
  targets in_a, in_b;
  if (!read_options(args, &d)) return FAILED;
  if (!source_open(ctx, args->operands[0], &a, &in_a)) return FAILED;
  const bool opened = source_open(ctx, args->operands[1], &b, &in_b);
  if (opened) {
    put_columns(&d.t);
    if (d.as_json) json_open(&d.j, NULL, '[');
    diff_all(&d, &in_a, &in_b);
    put_end(&d);
    table_release(&d.t);
    targets_release(&in_b);
    source_release(&b);
  }
  targets_release(&in_a);
  source_release(&a);
  if (!opened || d.failed) return FAILED;
  return d.different > 0 || d.alone > 0 ? NO : DONE;
}

static const option options[] = {{"rtol", 0, "NUMBER", "how far apart elements may be, as a share of the second (0)"},
                                 {"atol", 0, "NUMBER", "how far apart they may be besides (0)"},
                                 {"values", 'v', NULL, "values alone count: dtypes may differ"},
                                 {"all", 'a', NULL, "tensors that are the same too"},
                                 {"json", 0, NULL, "as JSON, all tensors"},
                                 {0}};

const command diff_command = {
    .name = "diff",
    .summary = "compares the tensors of two files",
    .usage = "[OPTION]... FILE[:NAME][SLICE] FILE[:NAME][SLICE]",
    .about =
        "For each tensor that differs: how many elements do, the greatest absolute and relative error, the\n"
        "greatest distance in ULP (of floats of two dtypes: in f32, or f64 where one is), and the first index with\n"
        "both values; of complex numbers by their parts. Elements are close when\n"
        "|a - b| <= atol + rtol * |b|; NaN equals NaN. Tensors are matched by name; where each side is one tensor,\n"
        "whatever it is called. Exit code 0: nothing differs; 1: something does; 2: it could not be found out.",
    .examples =
        "  tessera diff before.safetensors after.safetensors\n"
        "  tessera diff --values --rtol 0.01 model.safetensors model-bf16.safetensors\n"
        "  tessera diff a.npy 'b.safetensors:x'\n",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
