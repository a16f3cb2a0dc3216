#include "core/normalise.h"
#include "core/check.h"
#include "core/table.h"
#include "ops/print/nest.h"
#include <string.h>
#include <tessera/print.h>

static const char op[] = "print";

enum {
  DEFAULT_PRECISION = 8,
  DEFAULT_LINE_WIDTH = 75,
  DEFAULT_THRESHOLD = 1000,
  DEFAULT_EDGE_ITEMS = 3,
  MOST_PRECISION = 1100, /* more digits than any float has */
  /* dtype, layout and words; and twice, for the shape and the strides, the longest index and a comma an axis */
  DESCRIPTION_BYTES = 48 + 2 * TSR_MAX_DIMS * (TSR_INDEX_BITS == 64 ? 21 : 12)
};

/* ---- what may be printed, and how ---- */

static tsr_status check_options(tsr_ctx *ctx, const tsr_print_options *options) {
  if (options->precision < -1) return TSR__FAIL(ctx, TSR_EARG, op, "precision", "%d is below -1", options->precision);
  if (options->line_width < 0) return TSR__FAIL(ctx, TSR_EARG, op, "line_width", "%d is negative", options->line_width);
  const tsr_index counts[] = {options->threshold, options->edge_items, options->head};
  const char *const names[] = {"threshold", "edge_items", "head"};
  for (int i = 0; i < 3; i++) {
    if (counts[i] < 0) return TSR__FAIL(ctx, TSR_EARG, op, names[i], "%l is negative", (int64_t)counts[i]);
  }
  return tsr__check_reserved(ctx, op, TSR__ROOM(options));
}

/* Whether t has a dtype and a shape, elements, and nowhere to keep them. */
static bool is_described(const tsr_tensor *t) { return t->dtype != TSR_NONE && t->data == NULL; }

static tsr_status check_tensor(tsr_ctx *ctx, const tsr_tensor *t) {
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "t", "is NULL");
  if (tsr_is_none(t)) return TSR_OK;
  if (is_described(t)) {
    const tsr_status st = tsr__check_dtype(ctx, op, "t", t->dtype);
    return st == TSR_OK ? tsr__check_shape(ctx, op, "t", t->ndim, t->shape, NULL) : st;
  }
  const tsr_status st = tsr__check_input(ctx, op, "t", t);
  if (st != TSR_OK) return st;
  if (tsr_dtype_supported(t->dtype)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, "t", "has dtype %y, which this build does not have", (int)t->dtype);
}

static int resolved_precision(int precision) {
  if (precision == 0) return DEFAULT_PRECISION;
  if (precision < 0) return 0;
  return precision < MOST_PRECISION ? precision : MOST_PRECISION;
}

/* The indices shown at each end of an axis; 0 when the tensor is small enough to show them all. */
static tsr_index resolved_edge(const tsr_print_options *options, tsr_index size) {
  if (size <= (options->threshold > 0 ? options->threshold : DEFAULT_THRESHOLD)) return 0;
  return options->edge_items > 0 ? options->edge_items : DEFAULT_EDGE_ITEMS;
}

/* ---- the forms ---- */

static void print_name(const char *name, tsr__printer *printer) {
  if (name == NULL) return;
  tsr__print_string(printer, name);
  tsr__print_string(printer, ": ");
}

/* Not inlined: its text would lie on the stack while the elements print. */
static __attribute__((noinline)) void print_description(const tsr_tensor *t, tsr__printer *printer) {
  char text[DESCRIPTION_BYTES];
  (void)tsr_desc_format(t, text, sizeof text);
  tsr__print_string(printer, text);
}

static void job_init(tsr__print_job *job, const tsr_tensor *t, const tsr_print_options *options,
                     tsr__printer *printer) {
  job->t = t;
  job->printer = printer;
  job->edge_items = 0;
  job->line_width = options->line_width > 0 ? options->line_width : DEFAULT_LINE_WIDTH;
  job->separator = options->separator;
  tsr__element_format_init(&job->format, t->dtype, t->ndim == 0, resolved_precision(options->precision),
                           options->suppress);
}

static void print_brackets(const tsr_tensor *t, const tsr_print_options *options, tsr__printer *printer) {
  tsr__print_job job;
  job_init(&job, t, options, printer);
  job.edge_items = resolved_edge(options, tsr_size(t));
  tsr__print_nested(&job);
}

/* Rank 0 prints as a scalar does, with all its digits, unless something was said about how its digits look. */
static void print_values(const tsr_tensor *t, const tsr_print_options *options, tsr__printer *printer) {
  const bool as_scalar = t->ndim == 0 && options->precision == 0 && !options->suppress;
  if (tsr_size(t) == 0) {
    tsr__print_string(printer, "[]");
  } else if (as_scalar) {
    tsr__element_write_alone(t->dtype, t->data, printer);
  } else {
    print_brackets(t, options, printer);
  }
}

static void print_metadata(const tsr_tensor *t, tsr__printer *printer) {
  const tsr_index size = tsr_size(t);
  const tsr_device *const device = tsr_device_of(t);
  print_description(t, printer);
  tsr__print_string(printer, ", ");
  tsr__print_u64(printer, (uint64_t)size);
  tsr__print_string(printer, size == 1 ? " element" : " elements");
  if (device == NULL || device == tsr_device_cpu()) return;
  tsr__print_string(printer, ", on ");
  tsr__print_string(printer, device->name);
}

static void print_head(const tsr_tensor *t, const tsr_print_options *options, tsr__printer *printer) {
  const tsr_index size = tsr_size(t);
  const tsr_index count = options->head < size ? options->head : size;
  print_metadata(t, printer);
  if (count == 0) return;
  tsr__print_line_end(printer);
  tsr__print_job job;
  job_init(&job, t, options, printer);
  tsr__print_head(&job, count);
  if (count == size) return;
  tsr__print_line_end(printer);
  tsr__print_string(printer, "... ");
  tsr__print_u64(printer, (uint64_t)(size - count));
  tsr__print_string(printer, " more");
}

static void print_tensor(const tsr_tensor *t, const tsr_print_options *options, tsr__printer *printer) {
  const char *const own_name = options->head > 0 ? t->name : NULL;
  const bool has_values = !tsr_is_none(t) && (!is_described(t) || tsr_size(t) == 0);
  print_name(options->name != NULL ? options->name : own_name, printer);
  if (tsr_is_none(t)) {
    tsr__print_string(printer, "empty");
  } else if (!has_values) {
    print_description(t, printer);
    tsr__print_string(printer, " (no data)");
  } else if (options->head > 0) {
    print_head(t, options, printer);
  } else {
    if (options->name != NULL) print_description(t, printer);
    if (options->name != NULL) tsr__print_line_end(printer);
    print_values(t, options, printer);
  }
}

/* ---- the public functions ---- */

tsr_status tsr_print_to(tsr_ctx *ctx, const tsr_tensor *t, const tsr_print_options *options, const tsr_sink *sink) {
  TSR__NORMALISE_ALL(t);
  const tsr_print_options defaults = {0}; /* on the stack: flash is scarcer */
  const tsr_print_options *const chosen = options != NULL ? options : &defaults;
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = check_options(ctx, chosen);
  if (st == TSR_OK) st = check_tensor(ctx, t);
  if (st != TSR_OK) return st;
  tsr__printer printer;
  tsr__printer_init(&printer, sink);
  print_tensor(t, chosen, &printer);
  st = tsr__printer_finish(&printer);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, op, "sink", "failed: %s", tsr_status_text(st));
}

/* A sink into memory that keeps what fits and counts the rest. */
typedef struct text_sink {
  char *at;
  size_t capacity;
  size_t length;
} text_sink;

static tsr_status write_text(void *self, const void *bytes, size_t n) {
  text_sink *const text = self;
  const size_t room = text->length < text->capacity ? text->capacity - text->length : 0;
  if (room > 0) memcpy(text->at + text->length, bytes, n < room ? n : room);
  text->length += n;
  return TSR_OK;
}

tsr_status tsr_print_text(tsr_ctx *ctx, const tsr_tensor *t, const tsr_print_options *options, char *text,
                          size_t capacity, size_t *needed) {
  if (text == NULL && capacity > 0) return TSR__FAIL(ctx, TSR_EARG, op, "text", "is NULL");
  text_sink memory = {text, capacity, 0};
  const tsr_sink sink = {sizeof(tsr_sink), write_text, &memory};
  const tsr_status st = tsr_print_to(ctx, t, options, &sink);
  if (st != TSR_OK) return st;
  if (capacity > 0) text[memory.length < capacity ? memory.length : capacity - 1] = '\0';
  if (needed != NULL) *needed = memory.length;
  return TSR_OK;
}
