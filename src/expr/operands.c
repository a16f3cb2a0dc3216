/* Operands: numbers, names, calls, brackets, members. */
#include "core/suggest.h"
#include "expr/parse.h"

#include <string.h>

#if TSR_HAVE_OPS

static tsr_status push_leaf(tsr__expr_parser *p, tsr__expr_node node, tsr__expr_span span) {
  node.column = span.begin;
  node.span = node.kind == TSR__NODE_TEXT ? node.span : span;
  return tsr__expr_make(p, node, span);
}

/* Whether the token behind the present one is of that kind; one that is none is complained about when its turn comes. */
static bool next_is(const tsr__expr_parser *p, tsr__expr_token_kind kind) {
  tsr__expr_token token;
  size_t at = p->at;
  tsr_ctx silent = {0};
  tsr__expr_source source = *p->source;
  source.ctx = &silent;
  return tsr__expr_next(&source, &at, p->brackets > 0, &token) == TSR_OK && token.kind == kind;
}

/* ---- names ---- */

static bool same_name(const tsr__expr_source *s, tsr__expr_span a, tsr__expr_span b) {
  return a.end - a.begin == b.end - b.begin && memcmp(s->text + a.begin, s->text + b.begin, a.end - a.begin) == 0;
}

/* The number of a name that runs bind. */
static tsr_status name_number(tsr__expr_parser *p, tsr__expr_span span, uint8_t *number) {
  tsr__expr_tree *const tree = p->tree;
  const size_t length = span.end - span.begin;
  for (uint32_t i = 0; i < tree->name_count; i++)
    if (tsr__expr_is(p->source, span, tree->names + tree->name_at[i])) {
      *number = (uint8_t)i;
      return TSR_OK;
    }
  if (tree->name_count == TSR_EXPR_NAMES)
    return TSR__EXPR_FAIL(p->source, TSR_ELIMIT, span.begin, "more than %d names", (int)TSR_EXPR_NAMES);
  memcpy(tree->names + tree->name_bytes, p->source->text + span.begin, length);
  tree->names[tree->name_bytes + length] = '\0';
  tree->name_at[tree->name_count] = (uint16_t)tree->name_bytes;
  tree->name_bytes += (uint32_t)length + 1;
  *number = (uint8_t)tree->name_count++;
  return TSR_OK;
}

static tsr_status push_name(tsr__expr_parser *p, tsr__expr_span span) {
  tsr__expr_node node = {.kind = TSR__NODE_NAME};
  char word[TSR__EXPR_WORD];
  for (uint32_t i = p->assigned_count; i-- > 0;)
    if (same_name(p->source, p->assigned[i].name, span)) {
      p->operands[p->height++] = (tsr__expr_operand){p->assigned[i].node, TSR__NO_NODE, span};
      return TSR_OK;
    }
  tsr__expr_word(p->source, span, word);
  if (span.end - span.begin < TSR__EXPR_WORD && tsr__expr_constant(word, &node)) return push_leaf(p, node, span);
  const tsr_status st = name_number(p, span, &node.which);
  return st == TSR_OK ? push_leaf(p, node, span) : st;
}

/* ---- calls ---- */

/* f( or x.f(, its name in span: `receiver` operands are on the stack already. */
static tsr_status open_call(tsr__expr_parser *p, tsr__expr_span span, uint32_t receiver) {
  char word[TSR__EXPR_WORD];
  tsr__expr_word(p->source, span, word);
  tsr__expr_waiting w = {
      .kind = TSR__WAIT_CALL, .owned = (uint8_t)receiver, .column = span.begin, .height = p->height - receiver};
  w.begin = receiver > 0 ? p->operands[p->height - 1].span.begin : span.begin;
  w.dtype = (uint8_t)(receiver == 0 ? tsr__expr_dtype(word) : TSR_NONE);
  w.call = w.dtype == TSR_NONE ? tsr__expr_op(word) : tsr_op_find("cast");
  if (w.call == NULL || span.end - span.begin >= TSR__EXPR_WORD) return tsr__expr_no_op(p->source, span);
  const tsr_status st = tsr__expr_push(p, w);
  return st == TSR_OK ? tsr__expr_advance(p) : st; /* over the bracket */
}

static tsr_status name_token(tsr__expr_parser *p, bool *operand) {
  const tsr__expr_span span = p->token.span;
  const tsr__expr_waiting *const top = tsr__expr_top(p);
  const bool is_call = next_is(p, TSR__TOKEN_OPEN);
  const bool is_keyword = !is_call && top != NULL && top->kind == TSR__WAIT_CALL && next_is(p, TSR__TOKEN_ASSIGN);
  tsr_status st = tsr__expr_advance(p);
  if (st != TSR_OK) return st;
  if (is_keyword) {
    st = tsr__expr_push(p, (tsr__expr_waiting){.kind = TSR__WAIT_KEYWORD, .column = span.begin, .keyword = span});
    return st == TSR_OK ? tsr__expr_advance(p) : st;
  }
  if (is_call) return open_call(p, span, 0);
  *operand = true;
  return push_name(p, span);
}

/* ---- behind an operand: x[, x.f(, x.T ---- */

static int find_member(const tsr__expr_source *s, tsr__expr_span span) {
  static const char names[TSR__MEMBERS][6] = {"T", "mT", "real", "imag", "shape", "size", "ndim"};
  for (int i = 0; i < TSR__MEMBERS; i++)
    if (tsr__expr_is(s, span, names[i])) return i;
  return -1;
}

static tsr_status member_token(tsr__expr_parser *p, bool *operand) {
  tsr_status st = tsr__expr_advance(p);
  if (st != TSR_OK) return st;
  const tsr__expr_span span = p->token.span;
  if (p->token.kind != TSR__TOKEN_NAME) return tsr__expr_unexpected(p, "a name");
  const bool is_call = next_is(p, TSR__TOKEN_OPEN);
  st = tsr__expr_advance(p);
  if (st != TSR_OK) return st;
  if (is_call) {
    *operand = false;
    return open_call(p, span, 1);
  }
  const int member = find_member(p->source, span);
  if (member < 0)
    return TSR__EXPR_FAIL(p->source, TSR_ENAME, span.begin,
                          "a tensor has .T, .mT, .real, .imag, .shape, .size, .ndim and calls: "
                          "x.sum()");
  const tsr__expr_node node = {.kind = TSR__NODE_MEMBER, .which = (uint8_t)member, .count = 1, .column = span.begin};
  return tsr__expr_make(p, node, (tsr__expr_span){p->operands[p->height - 1].span.begin, span.end});
}

static tsr_status open_bracket(tsr__expr_parser *p, int kind, uint32_t owned) {
  const uint32_t begin = owned > 0 ? p->operands[p->height - 1].span.begin : p->token.span.begin;
  const tsr__expr_waiting w = {.kind = (uint8_t)kind,
                               .owned = (uint8_t)owned,
                               .column = p->token.span.begin,
                               .begin = begin,
                               .height = p->height - owned};
  const tsr_status st = tsr__expr_push(p, w);
  return st == TSR_OK ? tsr__expr_advance(p) : st;
}

/* ---- brackets ---- */

static uint32_t items_of(const tsr__expr_parser *p, const tsr__expr_waiting *w) { return p->height - w->height; }

/* The parts of a slice that are left out, and the slice. */
static tsr_status end_part(tsr__expr_parser *p, tsr__expr_waiting *w) {
  tsr_status st = TSR_OK;
  if (w->colons == 0) return TSR_OK;
  for (; w->colons < 2 && st == TSR_OK; w->colons++)
    st = push_leaf(p, (tsr__expr_node){.kind = TSR__NODE_OMIT}, p->token.span);
  w->colons = 0;
  if (st != TSR_OK) return st;
  const tsr__expr_span span = {p->operands[p->height - 3].span.begin, p->token.span.begin};
  return tsr__expr_make(p, (tsr__expr_node){.kind = TSR__NODE_SLICE, .count = 3, .column = span.begin}, span);
}

/* Up to the bracket that is open; expected is what may stand there when there is none. */
static tsr_status reduce_to_bracket(tsr__expr_parser *p, const char *expected) {
  const tsr_status st = tsr__expr_reduce(p, 0);
  const tsr__expr_waiting *const top = tsr__expr_top(p);
  if (st != TSR_OK) return st;
  if (top == NULL) return tsr__expr_unexpected(p, expected);
  if (top->kind == TSR__WAIT_IF) return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, top->column, "an if without its else");
  return TSR_OK;
}

tsr_status tsr__expr_comma(tsr__expr_parser *p) {
  tsr_status st = reduce_to_bracket(p, "an operator or the end");
  if (st == TSR_OK) st = end_part(p, tsr__expr_top(p));
  if (st != TSR_OK) return st;
  tsr__expr_top(p)->comma = true;
  return tsr__expr_advance(p);
}

tsr_status tsr__expr_colon(tsr__expr_parser *p) {
  const tsr_status st = reduce_to_bracket(p, "an operator or the end");
  if (st != TSR_OK) return st;
  tsr__expr_waiting *const top = tsr__expr_top(p);
  if (top->kind != TSR__WAIT_INDEX || top->colons == 2) return tsr__expr_unexpected(p, "',' or a bracket");
  top->colons++;
  return tsr__expr_advance(p);
}

/* What a pair of brackets is when it is closed. */
static tsr_status make_bracket(tsr__expr_parser *p, const tsr__expr_waiting *w, uint32_t count) {
  const tsr__expr_span span = {w->begin, p->token.span.end};
  if (w->kind == TSR__WAIT_GROUP && count == 1 && !w->comma) {
    p->operands[p->height - 1].right = TSR__NO_NODE;
    p->operands[p->height - 1].span = span;
    return TSR_OK;
  }
  tsr__expr_node node = {.kind = TSR__NODE_LIST, .count = count, .column = w->column};
  if (w->kind == TSR__WAIT_INDEX) node.kind = TSR__NODE_INDEX;
  if (w->kind == TSR__WAIT_CALL) {
    node.kind = TSR__NODE_CALL;
    node.op = w->call;
  }
  return tsr__expr_make(p, node, span);
}

static tsr_status close_bracket(tsr__expr_parser *p) {
  tsr__expr_waiting w = *tsr__expr_top(p);
  const bool square = w.kind == TSR__WAIT_LIST || w.kind == TSR__WAIT_INDEX;
  if (p->token.kind != (square ? TSR__TOKEN_CLOSE_BRACKET : TSR__TOKEN_CLOSE))
    return tsr__expr_unexpected(p, square ? "']'" : "')'");
  tsr_status st = end_part(p, &w);
  if (st == TSR_OK && w.dtype != TSR_NONE)
    st = push_leaf(p, (tsr__expr_node){.kind = TSR__NODE_DTYPE, .whole = w.dtype}, (tsr__expr_span){w.begin, w.begin});
  if (st != TSR_OK) return st;
  p->depth--;
  p->brackets--;
  st = make_bracket(p, &w, items_of(p, &w));
  return st == TSR_OK ? tsr__expr_advance(p) : st;
}

tsr_status tsr__expr_behind(tsr__expr_parser *p, bool *operand) {
  switch (p->token.kind) {
    case TSR__TOKEN_DOT: return member_token(p, operand);
    case TSR__TOKEN_OPEN_BRACKET: *operand = false; return open_bracket(p, TSR__WAIT_INDEX, 1);
    case TSR__TOKEN_CLOSE:
    case TSR__TOKEN_CLOSE_BRACKET: {
      const tsr_status st = reduce_to_bracket(p, "an operator or the end");
      return st == TSR_OK ? close_bracket(p) : st;
    }
    default:
      return tsr__expr_unexpected(p, p->brackets > 0 ? "an operator, ',' or a bracket" : "an operator or the end");
  }
}

/* ---- where an operand must come ---- */

static tsr_status prefix_token(tsr__expr_parser *p) {
  int op = p->token.op;
  if (op == TSR__SUB) op = TSR__NEGATE;
  if (op == TSR__ADD) op = TSR__PLUS;
  if (!tsr__expr_operators[op].is_prefix) return tsr__expr_unexpected(p, "an operand");
  const uint32_t begin = p->token.span.begin;
  const tsr_status st = tsr__expr_push(
      p, (tsr__expr_waiting){.kind = TSR__WAIT_OPERATOR, .op = (uint8_t)op, .column = begin, .begin = begin});
  return st == TSR_OK ? tsr__expr_advance(p) : st;
}

static tsr_status leaf_token(tsr__expr_parser *p, bool *operand) {
  const tsr__expr_token token = p->token;
  tsr__expr_node node = {.kind = TSR__NODE_INT, .whole = token.whole, .span = token.span};
  if (token.kind == TSR__TOKEN_REAL || token.kind == TSR__TOKEN_IMAGINARY) {
    node.kind = token.kind == TSR__TOKEN_REAL ? TSR__NODE_REAL : TSR__NODE_IMAGINARY;
    node.real = token.real;
  }
  if (token.kind == TSR__TOKEN_TEXT) node.kind = TSR__NODE_TEXT;
  if (token.kind == TSR__TOKEN_ELLIPSIS) node.kind = TSR__NODE_ELLIPSIS;
  const tsr_status st = push_leaf(p, node, token.span);
  *operand = true;
  return st == TSR_OK ? tsr__expr_advance(p) : st;
}

/* A bracket closes, or a colon comes, where an operand could be: nothing between the brackets, a comma before the closing one, a
 * part of a slice that is left out. */
static tsr_status missing_operand(tsr__expr_parser *p, bool *operand) {
  tsr__expr_waiting *const top = tsr__expr_top(p);
  if (top == NULL || top->kind <= TSR__WAIT_IF) return tsr__expr_unexpected(p, "an operand");
  const bool closes = p->token.kind == TSR__TOKEN_CLOSE || p->token.kind == TSR__TOKEN_CLOSE_BRACKET;
  if (top->colons > 0 || (top->kind == TSR__WAIT_INDEX && p->token.kind == TSR__TOKEN_COLON)) {
    *operand = true;
    return push_leaf(p, (tsr__expr_node){.kind = TSR__NODE_OMIT}, p->token.span);
  }
  const bool is_empty = items_of(p, top) == top->owned && top->kind != TSR__WAIT_INDEX;
  if (!closes || (!is_empty && !top->comma)) return tsr__expr_unexpected(p, "an operand");
  *operand = true;
  return close_bracket(p);
}

tsr_status tsr__expr_operand_token(tsr__expr_parser *p, bool *operand) {
  switch (p->token.kind) {
    case TSR__TOKEN_INT:
    case TSR__TOKEN_REAL:
    case TSR__TOKEN_IMAGINARY:
    case TSR__TOKEN_TEXT:
    case TSR__TOKEN_ELLIPSIS: return leaf_token(p, operand);
    case TSR__TOKEN_NAME: return name_token(p, operand);
    case TSR__TOKEN_OPERATOR: return prefix_token(p);
    case TSR__TOKEN_OPEN: return open_bracket(p, TSR__WAIT_GROUP, 0);
    case TSR__TOKEN_OPEN_BRACKET: return open_bracket(p, TSR__WAIT_LIST, 0);
    case TSR__TOKEN_CLOSE:
    case TSR__TOKEN_CLOSE_BRACKET:
    case TSR__TOKEN_COMMA:
    case TSR__TOKEN_COLON: return missing_operand(p, operand);
    default: return tsr__expr_unexpected(p, "an operand");
  }
}

#endif
