#include "ops/print/nest.h"

/* ---- which elements are shown ---- */

static const char *element_at(const tsr_tensor *t, int axis, const char *at, tsr_index index) {
  return at + (ptrdiff_t)index * (ptrdiff_t)t->stride[axis] * (ptrdiff_t)tsr_dtype_size(t->dtype);
}

/* Whether the middle of an axis is left out; written so that twice the edge cannot overflow. */
static bool is_cut(const tsr__print_job *job, int axis) {
  return job->edge_items > 0 && (job->t->shape[axis] - 1) / 2 >= job->edge_items;
}

static tsr_index shown_count(const tsr__print_job *job, int axis) {
  return is_cut(job, axis) ? 2 * job->edge_items : job->t->shape[axis];
}

/* The place in memory of shown index i. */
static const char *shown_at(const tsr__print_job *job, int axis, const char *at, tsr_index i) {
  const bool from_end = is_cut(job, axis) && i >= job->edge_items;
  return element_at(job->t, axis, at, from_end ? job->t->shape[axis] - 2 * job->edge_items + i : i);
}

static bool gap_before(const tsr__print_job *job, int axis, tsr_index i) {
  return is_cut(job, axis) && i == job->edge_items;
}

/* ---- measuring ---- */

static void see_axis(tsr__print_job *job, int axis, const char *at) {
  if (axis == job->t->ndim) {
    tsr__element_see(&job->format, at);
    return;
  }
  const tsr_index count = shown_count(job, axis);
  for (tsr_index i = 0; i < count; i++) see_axis(job, axis + 1, shown_at(job, axis, at, i));
}

static void measure_nested(tsr__print_job *job) {
  for (int pass = tsr__element_passes(&job->format); pass > 0; pass--) {
    see_axis(job, 0, job->t->data);
    tsr__element_pass_end(&job->format);
  }
}

/* ---- lines ---- */

/* Where a row of words stands: lines begin after indent spaces and break where a word would end after limit. */
typedef struct row {
  int64_t column;
  int64_t limit;
  int indent;
} row;

/* Characters of the separator that do not vanish at the end of a line. */
static int separator_length(const tsr__print_job *job) {
  return job->separator != '\0' && job->separator != ' ' ? 1 : 0;
}

static void write_separator_mark(const tsr__print_job *job) {
  if (separator_length(job) > 0) tsr__print_char(job->printer, job->separator);
}

static void write_separator(const tsr__print_job *job, row *line) {
  write_separator_mark(job);
  tsr__print_spaces(job->printer, job->separator == ' ' ? 2 : 1);
  line->column += job->separator == '\0' ? 1 : 2;
}

/* Breaks the line before a word that does not fit, unless the word would not fit a line of its own either. */
static void begin_word(const tsr__print_job *job, row *line, int width) {
  if (line->column + width > line->limit && line->column > line->indent) {
    tsr__print_line_end(job->printer);
    tsr__print_spaces(job->printer, line->indent);
    line->column = line->indent;
  }
  line->column += width;
}

static void write_element(const tsr__print_job *job, row *line, const char *at) {
  begin_word(job, line, job->format.width);
  tsr__element_write(&job->format, at, job->printer);
}

/* ---- nested ---- */

/* Not inlined: its variables would lie on the stack once for every axis. */
static __attribute__((noinline)) void write_row(const tsr__print_job *job, int axis, const char *at) {
  const tsr_index count = shown_count(job, axis);
  const int reserve = 1; /* for the bracket, or a separator of one character */
  row line = {.column = axis + 1, .limit = (int64_t)job->line_width - axis - reserve, .indent = axis + 1};
  for (tsr_index i = 0; i < count && job->printer->status == TSR_OK; i++) {
    if (i > 0) write_separator(job, &line);
    if (gap_before(job, axis, i)) {
      begin_word(job, &line, 3);
      tsr__print_string(job->printer, "...");
      write_separator(job, &line);
    }
    write_element(job, &line, shown_at(job, axis, at, i));
  }
}

/* One line break between rows, one more for every axis further out. */
static void write_block_break(const tsr__print_job *job, int axis) {
  write_separator_mark(job);
  for (int i = axis + 1; i < job->t->ndim; i++) tsr__print_line_end(job->printer);
  tsr__print_spaces(job->printer, axis + 1);
}

static void write_axis(const tsr__print_job *job, int axis, const char *at);

static void write_blocks(const tsr__print_job *job, int axis, const char *at) {
  const tsr_index count = shown_count(job, axis);
  for (tsr_index i = 0; i < count && job->printer->status == TSR_OK; i++) {
    if (i > 0) write_block_break(job, axis);
    if (gap_before(job, axis, i)) {
      tsr__print_string(job->printer, "...");
      write_block_break(job, axis);
    }
    write_axis(job, axis + 1, shown_at(job, axis, at, i));
  }
}

static void write_axis(const tsr__print_job *job, int axis, const char *at) {
  tsr__print_char(job->printer, '[');
  if (axis == job->t->ndim - 1) {
    write_row(job, axis, at);
  } else {
    write_blocks(job, axis, at);
  }
  tsr__print_char(job->printer, ']');
}

void tsr__print_nested(tsr__print_job *job) {
  measure_nested(job);
  if (job->t->ndim == 0) {
    tsr__element_write(&job->format, job->t->data, job->printer);
  } else {
    write_axis(job, 0, job->t->data);
  }
}

/* ---- the first elements ---- */

static const char *flat_at(const tsr_tensor *t, tsr_index flat) {
  const char *at = t->data;
  for (int axis = t->ndim - 1; axis >= 0; axis--) {
    at = element_at(t, axis, at, flat % t->shape[axis]);
    flat /= t->shape[axis];
  }
  return at;
}

void tsr__print_head(tsr__print_job *job, tsr_index count) {
  for (int pass = tsr__element_passes(&job->format); pass > 0; pass--) {
    for (tsr_index i = 0; i < count; i++) tsr__element_see(&job->format, flat_at(job->t, i));
    tsr__element_pass_end(&job->format);
  }
  row line = {.column = 0, .limit = (int64_t)job->line_width - separator_length(job), .indent = 0};
  for (tsr_index i = 0; i < count && job->printer->status == TSR_OK; i++) {
    if (i > 0) write_separator(job, &line);
    write_element(job, &line, flat_at(job->t, i));
  }
  tsr__print_trim(job->printer);
}
