/* Equations: labels of operands, commas, and the labels of the result after an arrow. */
#include "ops/einsum/einsum.h"

#include <string.h>

typedef struct reader {
  tsr_ctx *ctx;
  const char *op;
  const char *text;
  size_t at;
} reader;

/* The labels of one operand or of the result. */
typedef struct group {
  int count;
  int dots; /* how many labels come before an ellipsis; -1: there is none */
  uint8_t label[TSR_MAX_DIMS];
} group;

/* Capital letters first, as in ASCII; -1 for what is no letter. */
static int label_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  return -1;
}

static int letter_of(int label) { return label < 26 ? 'A' + label : 'a' + (label - 26); }

static void skip_spaces(reader *r) {
  while (r->text[r->at] == ' ' || r->text[r->at] == '\t') r->at++;
}

static tsr_status refuse_byte(const reader *r) {
  const unsigned char c = (unsigned char)r->text[r->at];
  if (c == 0) return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s' ends in the middle", r->text);
  if (c < ' ' || c > '~')
    return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': byte %z is number %d, no label", r->text, r->at,
                     (int)c);
  return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': '%c' at byte %z is no label and out of place", r->text,
                   (int)c, r->at);
}

static tsr_status read_dots(reader *r, group *g) {
  if (strncmp(r->text + r->at, "...", 3) != 0) return refuse_byte(r);
  if (g->dots >= 0)
    return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': a second '...' at byte %z", r->text, r->at);
  g->dots = g->count;
  r->at += 3;
  return TSR_OK;
}

/* Labels up to what is none. */
static tsr_status read_group(reader *r, group *g) {
  *g = (group){.dots = -1};
  for (;;) {
    skip_spaces(r);
    const char c = r->text[r->at];
    const int label = label_of(c);
    if (label >= 0) {
      if (g->count == TSR_MAX_DIMS)
        return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': a label too many at byte %z, tensors have %d axes",
                         r->text, r->at, TSR_MAX_DIMS);
      g->label[g->count++] = (uint8_t)label;
      r->at++;
    } else if (c == '.') {
      const tsr_status st = read_dots(r, g);
      if (st != TSR_OK) return st;
    } else {
      return TSR_OK;
    }
  }
}

/* The labels of ndim axes: those of an ellipsis are the last of their kind. */
static void spread_group(const group *g, int ndim, uint8_t *label) {
  const int more = ndim - g->count, dots = g->dots >= 0 ? g->dots : g->count;
  for (int i = 0; i < dots; i++) label[i] = g->label[i];
  for (int i = 0; i < more; i++) label[dots + i] = (uint8_t)(TSR__LABELS - more + i);
  for (int i = dots; i < g->count; i++) label[more + i] = g->label[i];
}

/* The comma after an operand that is not the last, and what may follow the last. */
static tsr_status read_end(reader *r, int k, int n) {
  const char c = r->text[r->at];
  const bool arrow = c == '-' && r->text[r->at + 1] == '>';
  if (c == ',' && k < n - 1) {
    r->at++;
    return TSR_OK;
  }
  if (c == ',')
    return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s' has more operands than the %d given", r->text, n);
  if (c != 0 && !arrow) return refuse_byte(r);
  if (k < n - 1)
    return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s' has %d operands, %d are given", r->text, k + 1, n);
  return TSR_OK;
}

static tsr_status read_operand(reader *r, int k, int n, const tsr_tensor *in, uint8_t *label) {
  group g;
  tsr_status st = read_group(r, &g);
  if (st == TSR_OK) st = read_end(r, k, n);
  if (st != TSR_OK) return st;
  if (g.count > in->ndim || (g.count < in->ndim && g.dots < 0))
    return TSR__FAIL(r->ctx, TSR_ESHAPE, r->op, NULL,
                     "operand %d %S has %d axes, the equation '%s' has %d labels for it", k, (int)in->ndim, in->shape,
                     (int)in->ndim, r->text, g.count);
  spread_group(&g, in->ndim, label);
  return TSR_OK;
}

/* How often each label comes, over all operands; an ellipsis may repeat. */
static void count_labels(const tsr__einsum *e, const tsr_tensor *const *in, uint8_t (*label)[TSR_MAX_DIMS],
                         uint8_t *times) {
  memset(times, 0, TSR__LABELS);
  for (int k = 0; k < e->terms; k++)
    for (int i = 0; i < in[k]->ndim; i++) times[label[k][i]]++;
}

static int count_dots(const uint8_t *times) {
  int n = 0;
  while (n < TSR_MAX_DIMS && times[TSR__LABEL_LAST - n] != 0) n++;
  return n;
}

static tsr_status refuse_rank(const reader *r, int ndim) {
  return TSR__FAIL(r->ctx, TSR_ESHAPE, r->op, "equation", "'%s' gives a result of %d axes, the most is %d", r->text,
                   ndim, TSR_MAX_DIMS);
}

/* Without an arrow: the axes of an ellipsis, then what occurs once. */
static tsr_status imply_result(const reader *r, const uint8_t *times, tsr__einsum *e) {
  int n = 0;
  for (int l = TSR__LETTERS; l < TSR__LABELS; l++)
    if (times[l] != 0) e->label[n++] = (uint8_t)l;
  for (int l = 0; l < TSR__LETTERS; l++) {
    if (times[l] != 1) continue;
    if (n < TSR_MAX_DIMS) e->label[n] = (uint8_t)l;
    n++;
  }
  e->ndim = n;
  return n > TSR_MAX_DIMS ? refuse_rank(r, n) : TSR_OK;
}

static tsr_status check_result(const reader *r, const group *g, const uint8_t *times) {
  for (int i = 0; i < g->count; i++) {
    if (times[g->label[i]] == 0)
      return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': label '%c' of the result is in no operand", r->text,
                       letter_of(g->label[i]));
    for (int k = 0; k < i; k++)
      if (g->label[k] == g->label[i])
        return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': label '%c' is in the result twice", r->text,
                         letter_of(g->label[i]));
  }
  return TSR_OK;
}

static tsr_status read_result(reader *r, const uint8_t *times, tsr__einsum *e) {
  const int dots = count_dots(times);
  group g;
  tsr_status st = read_group(r, &g);
  if (st == TSR_OK && r->text[r->at] != 0) st = refuse_byte(r);
  if (st == TSR_OK) st = check_result(r, &g, times);
  if (st != TSR_OK) return st;
  if (dots > 0 && g.dots < 0)
    return TSR__FAIL(r->ctx, TSR_EARG, r->op, "equation", "'%s': the result needs the '...' of the operands", r->text);
  e->ndim = g.count + dots;
  if (e->ndim > TSR_MAX_DIMS) return refuse_rank(r, e->ndim);
  spread_group(&g, e->ndim, e->label);
  return TSR_OK;
}

tsr_status tsr__einsum_parse(tsr_ctx *ctx, const char *equation, const tsr_tensor *const *in, tsr__einsum *e,
                             uint8_t (*label)[TSR_MAX_DIMS]) {
  reader r = {ctx, e->op, equation, 0};
  uint8_t times[TSR__LABELS];
  tsr_status st = TSR_OK;
  for (int k = 0; k < e->terms && st == TSR_OK; k++) st = read_operand(&r, k, e->terms, in[k], label[k]);
  if (st != TSR_OK) return st;
  count_labels(e, in, label, times);
  if (equation[r.at] == 0) return imply_result(&r, times, e);
  r.at += 2;
  return read_result(&r, times, e);
}
