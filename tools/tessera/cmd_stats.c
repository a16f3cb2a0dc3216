/* tessera stats: what numbers are in a tensor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "hist.h"
#include "json.h"
#include "magnitude.h"
#include "on_device.h"
#include "quantile.h"
#include "ranks.h"
#include "report.h"
#include "source.h"
#include "split.h"
#include "table.h"
#include "text.h"
#include "where.h"

/* Tensors with more bytes are summarised one at a time, each on all threads; smaller ones several at a time. */
enum { LARGE = 1 << 20 };

typedef struct result {
  target *from;
  const tsr_column *what; /* of a column of text, dates or times; NULL: numbers */
  tsr_status status;
  char *why;      /* it failed; NULL: no memory for that either */
  bool elsewhere; /* another process computes it */
  bool complex_;
  tsr_summary summary; /* of complex tensors by magnitude: min, max, counts */
  double mean[2];      /* of complex ones */
  double quantiles[QUANTILES];
  where first;
} result;

typedef struct stats {
  bool quantiles, where, hist, as_json;
  bool named; /* each table has a line with its file */
  int bins;
  const tsr_device *device; /* NULL: the host */
  terminal to;
} stats;

/* ---- computing ---- */

/* Looked for where the counts say that there are some. */
static tsr_status where_of(tsr_ctx *ctx, const tsr_tensor *t, result *r) {
  r->first = (where){-1, -1};
  return r->summary.nans + r->summary.infs > 0 ? where_find(ctx, t, &r->first) : TSR_OK;
}

static tsr_status summarize_real(tsr_ctx *ctx, result *r, const tsr_device *device, bool quantiles, bool where_) {
  const tsr_tensor *t = &r->from->tensor;
  const bool by_host = device == NULL || device->is_host;
  tsr_status st = by_host ? tsr_summarize(ctx, t, &r->summary) : summarize_on(ctx, device, t, &r->summary);
  if (st == TSR_OK && quantiles) st = quantiles_of(ctx, t, r->quantiles);
  if (st == TSR_OK && where_) st = where_of(ctx, t, r);
  return st;
}

/* Complex numbers have no order: what needs one is that of their magnitudes. */
static tsr_status summarize_complex(tsr_ctx *ctx, result *r, bool quantiles, bool where_) {
  const tsr_tensor *t = &r->from->tensor;
  tsr_tensor magnitudes = {0};
  tsr_status st = magnitudes_of(ctx, t, &magnitudes);
  if (st == TSR_OK) st = magnitude_summary(ctx, t, &magnitudes, &r->summary, r->mean);
  if (st == TSR_OK && quantiles) st = quantiles_of(ctx, &magnitudes, r->quantiles);
  if (st == TSR_OK && where_) st = where_of(ctx, &magnitudes, r);
  tsr_release(&magnitudes);
  return st;
}

static void summarize(tsr_ctx *ctx, result *r, const tsr_device *device, bool quantiles, bool where_) {
  r->complex_ = is_complex(&r->from->tensor);
  r->status = target_fetch(ctx, r->from);
  if (r->status == TSR_OK)
    r->status =
        r->complex_ ? summarize_complex(ctx, r, quantiles, where_) : summarize_real(ctx, r, device, quantiles, where_);
  if (r->status != TSR_OK) r->why = strdup(failure_text(ctx));
  target_drop(r->from);
}

typedef struct work {
  result *results;
  const tsr_device *device;
  bool quantiles, where, large;
} work;

/* A large one has all threads to itself; a member of an archive one thread, which reads it. */
static bool is_large(const result *r) { return tsr_nbytes(&r->from->tensor) > LARGE || r->from->archive != NULL; }

/* On several threads: each with a context of its own. */
static void summarize_small(void *arg, tsr_index begin, tsr_index end, int worker) {
  const work *w = arg;
  tsr_ctx ctx;
  (void)worker;
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return; /* the results say that they failed */
  for (tsr_index i = begin; i < end; i++)
    if (!is_large(&w->results[i]) && !w->results[i].elsewhere)
      summarize(&ctx, &w->results[i], w->device, w->quantiles, w->where);
}

/* ---- several processes: each has some of the tensors, and then all have all results ---- */

/* To the process that has the fewest bytes so far. */
static void deal(result *results, tsr_index count) {
  size_t *const bytes = ranks_count() > 1 ? calloc((size_t)ranks_count(), sizeof *bytes) : NULL;
  for (tsr_index i = 0; i < count && bytes != NULL; i++) {
    int least = 0;
    for (int r = 1; r < ranks_count(); r++)
      if (bytes[r] < bytes[least]) least = r;
    bytes[least] += tsr_nbytes(&results[i].from->tensor) + 1;
    results[i].elsewhere = least != ranks_rank();
  }
  free(bytes);
}

/* A result as 64-bit numbers, which are 0 on the processes that do not have it. */
typedef struct shared_result {
  int64_t status, complex_;
  tsr_summary summary;
  double mean[2], quantiles[QUANTILES];
  where first;
} shared_result;

static bool share(tsr_ctx *ctx, result *results, tsr_index count) {
  if (ranks_count() < 2) return true;
  shared_result *const all = calloc((size_t)count + 1, sizeof *all);
  for (tsr_index i = 0; i < count && all != NULL; i++) {
    const result *const r = &results[i];
    if (r->elsewhere) continue;
    all[i] = (shared_result){.status = r->status, .complex_ = r->complex_, .summary = r->summary, .first = r->first};
    memcpy(all[i].mean, r->mean, sizeof r->mean);
    memcpy(all[i].quantiles, r->quantiles, sizeof r->quantiles);
  }
  bool ok = ranks_all(ctx, all != NULL);
  if (ok) ok = ranks_add(ctx, (int64_t *)(void *)all, count * (tsr_index)(sizeof *all / sizeof(int64_t)));
  for (tsr_index i = 0; i < count && ok; i++) {
    result *const r = &results[i];
    r->status = (tsr_status)all[i].status;
    r->complex_ = all[i].complex_ != 0;
    r->summary = all[i].summary;
    r->first = all[i].first;
    memcpy(r->mean, all[i].mean, sizeof r->mean);
    memcpy(r->quantiles, all[i].quantiles, sizeof r->quantiles);
  }
  free(all);
  return ok;
}

static void summarize_all(tsr_ctx *ctx, const targets *found, const stats *s, result *results) {
  const tsr_parallel *parallel = tsr_parallel_default();
  work w = {.results = results, .device = s->device, .quantiles = s->quantiles, .where = s->where};
  for (tsr_index i = 0; i < found->count; i++) results[i] = (result){.from = &found->list[i], .status = TSR_ENOMEM};
  deal(results, found->count);
  parallel->parallel_for(parallel->self, found->count, 1, summarize_small, &w);
  for (tsr_index i = 0; i < found->count; i++)
    if (is_large(&results[i]) && !results[i].elsewhere) summarize(ctx, &results[i], s->device, s->quantiles, s->where);
}

/* ---- writing ---- */

static void put_columns(table *t, bool quantiles, bool where_) {
  static const char *const titles[] = {"min", "max", "mean", "std"};
  table_column(t, "name", false);
  table_column(t, "dtype", false);
  table_column(t, "shape", false);
  for (int i = 0; i < 4; i++) table_column(t, titles[i], true);
  if (quantiles) {
    for (int q = 0; q < QUANTILES; q++) table_column(t, quantile_names[q], true);
  } else if (!where_) { /* a line has its limits: how many zeros there are, a call without options says */
    table_column(t, "zeros", true);
    table_column(t, "nan", true);
    table_column(t, "inf", true);
  }
  if (!where_) return;
  table_column(t, "nan", true);
  table_column(t, "first nan", false);
  table_column(t, "inf", true);
  table_column(t, "first inf", false);
}

/* |1.5| is a magnitude, 1+2j a complex number. */
static const char *text_magnitude(const result *r, double value, char *out) {
  char number[32];
  (void)snprintf(out, TEXT_SHAPE, r->complex_ ? "|%s|" : "%s", text_real(value, number));
  return out;
}

static const char *text_mean(const result *r, char *out) {
  char real[32], imaginary[32];
  if (!r->complex_) return text_real(r->summary.mean, out);
  (void)text_real(fabs(r->mean[1]), imaginary);
  (void)snprintf(out, TEXT_SHAPE, "%s%c%sj", text_real(r->mean[0], real), signbit(r->mean[1]) ? '-' : '+', imaginary);
  return out;
}

static void put_first(table *t, const result *r, int64_t count, int64_t place) {
  char text[WHERE_TEXT];
  table_cell(t, text_count(count, text));
  table_cell(t, where_text(&r->from->tensor, place, text));
}

/* A column of dates or times: its ends and its middle; of text there is none. */
static void put_times(table *t, const result *r, bool counts, bool where_) {
  const tsr_real numbers[] = {r->summary.min, r->summary.max, r->summary.mean};
  char text[TEXT_SHAPE];
  table_cell(t, rows_kind(r->what, text));
  table_cell(t, text_shape(r->from->tensor.ndim, r->from->tensor.shape, text));
  for (int i = 0; i < 3; i++) {
    text[0] = '\0';
    if (r->what->kind != TSR_COLUMN_TEXT && r->what->missing == 0 && fabs(numbers[i]) < 9e18)
      rows_text(r->what, (int64_t)numbers[i], text, sizeof text);
    table_cell(t, text);
  }
  table_cell(t, "");
  if (counts) table_cell(t, "");
  table_cell(t, text_count(r->what->missing, text));
  for (int i = 0; i < (where_ ? 3 : 1); i++) table_cell(t, "");
}

static void put_row(table *t, const result *r, bool quantiles, bool where_) {
  const tsr_tensor *x = &r->from->tensor;
  const tsr_summary *s = &r->summary;
  const int64_t counts[] = {s->zeros, s->nans, s->infs};
  char text[TEXT_SHAPE];
  table_cell(t, target_label(r->from));
  if (r->what != NULL && !quantiles) {
    put_times(t, r, !where_, where_);
    return;
  }
  table_cell(t, tsr_dtype_name(x->dtype));
  table_cell(t, text_shape(x->ndim, x->shape, text));
  table_cell(t, text_magnitude(r, s->min, text));
  table_cell(t, text_magnitude(r, s->max, text));
  table_cell(t, text_mean(r, text));
  table_cell(t, text_real(s->std, text));
  for (int i = 0; i < 3 && !quantiles && !where_; i++) table_cell(t, text_count(counts[i], text));
  for (int q = 0; q < QUANTILES && quantiles; q++) table_cell(t, text_magnitude(r, r->quantiles[q], text));
  if (where_) put_first(t, r, s->nans, r->first.nan);
  if (where_) put_first(t, r, s->infs, r->first.inf);
}

static void put_json_first(json *j, const char *name, const result *r, int64_t place) {
  tsr_index index[TSR_MAX_DIMS];
  if (place < 0) return;
  where_index(&r->from->tensor, place, index);
  json_shape(j, name, r->from->tensor.ndim, index);
}

static void put_json(json *j, const char *file, const result *r, bool quantiles, bool where_) {
  const tsr_tensor *x = &r->from->tensor;
  char kind[24];
  json_open(j, NULL, '{');
  json_string(j, "file", file);
  json_string(j, "name", target_label(r->from));
  json_string(j, "dtype", r->what != NULL ? rows_kind(r->what, kind) : tsr_dtype_name(x->dtype));
  json_shape(j, "shape", x->ndim, x->shape);
  json_integer(j, "count", r->summary.count);
  json_real(j, r->complex_ ? "min_abs" : "min", r->summary.min);
  json_real(j, r->complex_ ? "max_abs" : "max", r->summary.max);
  json_real(j, r->complex_ ? "mean_real" : "mean", r->complex_ ? r->mean[0] : r->summary.mean);
  if (r->complex_) json_real(j, "mean_imag", r->mean[1]);
  json_real(j, "std", r->summary.std);
  json_integer(j, "zeros", r->summary.zeros);
  json_integer(j, "nan", r->summary.nans);
  json_integer(j, "inf", r->summary.infs);
  if (quantiles) {
    json_open(j, r->complex_ ? "quantiles_abs" : "quantiles", '{');
    for (int q = 0; q < QUANTILES; q++) json_real(j, quantile_names[q], r->quantiles[q]);
    json_close(j, '}');
  }
  if (where_) put_json_first(j, "first_nan", r, r->first.nan);
  if (where_) put_json_first(j, "first_inf", r, r->first.inf);
  json_close(j, '}');
}

static bool put_hist(tsr_ctx *ctx, const stats *s, target *t) {
  const char *bar = is_complex(&t->tensor) ? "|" : "";
  tsr_tensor numbers = {0};
  (void)printf("\n%s", bar);
  (void)text_write(stdout, target_label(t), TEXT_NAME);
  (void)printf("%s\n", bar);
  if (target_fetch(ctx, t) != TSR_OK) return false; /* the table has said so */
  bool ok = magnitudes_or_view(ctx, &t->tensor, &numbers) == TSR_OK || (report_failure(ctx, target_label(t)), false);
  if (ok) ok = hist_write(ctx, target_label(t), &numbers, s->bins, &s->to);
  tsr_release(&numbers);
  target_drop(t);
  return ok;
}

static bool put_hists(tsr_ctx *ctx, const stats *s, const targets *found) {
  bool ok = true;
  for (tsr_index i = 0; i < found->count; i++) ok &= put_hist(ctx, s, &found->list[i]);
  return ok;
}

/* ---- one file ---- */

static const char *reason(const result *r) {
  static char text[64];
  if (r->from->packed == NULL || r->status != TSR_EUNSUPPORTED)
    return r->why != NULL ? r->why : tsr_status_text(r->status);
  (void)snprintf(text, sizeof text, "%s is not decoded", packed_type(r->from->packed));
  return text;
}

static bool put_results(const stats *s, const char *file, const result *results, tsr_index count, json *j) {
  table t = {0};
  bool ok = true;
  put_columns(&t, s->quantiles, s->where);
  for (tsr_index i = 0; i < count; i++) {
    if (results[i].status != TSR_OK) {
      report("%s: %s", target_label(results[i].from), reason(&results[i]));
      ok = false;
    } else if (s->as_json) {
      put_json(j, file, &results[i], s->quantiles, s->where);
    } else {
      put_row(&t, &results[i], s->quantiles, s->where);
    }
  }
  if (t.rows > 0 || t.failed) ok &= table_write(&t, &s->to);
  table_release(&t);
  return ok;
}

static void put_file_name(const source *from) {
  static bool again;
  if (again) (void)putchar('\n');
  again = true;
  (void)text_write(stdout, source_shown(from->file), TEXT_NAME);
  (void)printf(" (%s)\n", tsr_format_name((tsr_format)from->format));
}

static bool put_file(tsr_ctx *ctx, const stats *s, const char *operand, json *j) {
  source from;
  targets found;
  const bool opened = source_open(ctx, operand, &from, &found);
  if (!ranks_all(ctx, opened)) {
    if (opened) targets_release(&found), source_release(&from);
    return false;
  }
  const bool split = split_columns(ctx, &from, &found);
  result *results = calloc((size_t)found.count + 1, sizeof *results);
  if (results == NULL) report("out of memory");
  bool ok = ranks_all(ctx, results != NULL && split);
  if (ok && s->named && !s->as_json) put_file_name(&from);
  if (ok) {
    summarize_all(ctx, &found, s, results);
    for (tsr_index i = 0; i < found.count; i++) {
      const tsr_column *what = target_column(&from, &found.list[i]);
      results[i].what = what != NULL && what->kind > TSR_COLUMN_BOOL ? what : NULL;
    }
    ok = share(ctx, results, found.count) && put_results(s, from.file, results, found.count, j);
  }
  if (ok && s->hist && !s->as_json && ranks_rank() == 0) ok = put_hists(ctx, s, &found);
  for (tsr_index i = 0; results != NULL && i < found.count; i++) free(results[i].why);
  free(results);
  targets_release(&found);
  source_release(&from);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  stats s = {.quantiles = args_has(args, "quantiles"),
             .where = args_has(args, "where"),
             .hist = args_has(args, "hist"),
             .as_json = args_has(args, "json"),
             .named = args->operand_count > 1};
  json j = {0};
  long bins;
  int code = DONE;
  if (!terminal_init(&s.to, args_value(args, "color", "auto"))) return FAILED;
  if (!args_integer(args, "bins", 1, 1000, 20, &bins)) return FAILED;
  s.bins = (int)bins;
  if (!device_of(ctx, args, &s.device)) return FAILED;
  if (s.as_json) json_open(&j, NULL, '[');
  for (int i = 0; i < args->operand_count; i++)
    if (!put_file(ctx, &s, args->operands[i], &j)) code = FAILED;
  if (s.as_json) json_close(&j, ']');
  return code;
}

static const option options[] = {
    {"quantiles", 'q', NULL, "1, 5, 25, 50, 75, 95, 99 % instead of the counts"},
    {"where", 'w', NULL, "where the first NaN and the first infinity are, beside the counts"},
    {"hist", 0, NULL, "a histogram of each tensor below the table"},
    {"bins", 0, "COUNT", "its bars (20)"},
    {"json", 0, NULL, "as JSON; NaN is null"},
    {"device", 0, "NAME", "computes on a device: cuda:0; all but quantiles and complex tensors"},
    {0}};

const command stats_command = {
    .name = "stats",
    .summary = "says what numbers are in tensors",
    .usage = "[OPTION]... FILE[:NAME][SLICE]...",
    .about =
        "Prints min, max, mean and standard deviation of the finite elements, and how many zeros, NaNs and\n"
        "infinities there are: in one pass over the file, on all processors. Complex numbers have no order:\n"
        "their min, max and quantiles are those of the magnitudes, written |1.5|, and histograms too.\n"
        "Of a table each column has a line. Quantiles and complex tensors need memory for all elements of a tensor.",
    .examples =
        "  tessera stats model.safetensors\n"
        "  tessera stats --quantiles 'model.safetensors:encoder.*'\n"
        "  tessera stats --where activations.npz\n"
        "  tessera stats --quantiles sensors.csv:temperature\n"
        "  mpirun -n 4 tessera stats model.safetensors    (each process some of the tensors)\n"
        "  tessera stats --json model.safetensors | jq '.[] | select(.nan > 0).name'\n",
    .options = options,
    .least = 1,
    .most = -1,
    .shares = true,
    .run = run,
};
