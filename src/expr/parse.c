/* Precedence climbing with a stack of its own: operands and what waits for them. */
#include "core/storage.h"
#include "expr/parse.h"

#include <string.h>

#if TSR_HAVE_OPS

tsr_status tsr__expr_advance(tsr__expr_parser *p) {
  return tsr__expr_next(p->source, &p->at, p->brackets > 0, &p->token);
}

tsr_status tsr__expr_unexpected(const tsr__expr_parser *p, const char *expected) {
  char quote[TSR__QUOTE];
  tsr__expr_quote(p->source, p->token.span, quote);
  if (p->token.kind == TSR__TOKEN_END || (p->token.kind == TSR__TOKEN_LINE && quote[0] == ' '))
    return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, p->token.span.begin, "%s is expected, the %s ends", expected,
                          p->token.kind == TSR__TOKEN_END ? "text" : "line");
  return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, p->token.span.begin, "%s is expected, not '%s'", expected, quote);
}

tsr_status tsr__expr_push(tsr__expr_parser *p, tsr__expr_waiting waiting) {
  if (p->depth == TSR_EXPR_DEPTH)
    return TSR__EXPR_FAIL(p->source, TSR_ELIMIT, waiting.column,
                          "more than %d brackets and operators within each other", (int)TSR_EXPR_DEPTH);
  p->brackets += waiting.kind > TSR__WAIT_IF;
  p->waiting[p->depth++] = waiting;
  return TSR_OK;
}

tsr_status tsr__expr_make(tsr__expr_parser *p, tsr__expr_node node, tsr__expr_span span) {
  uint32_t operands[TSR_EXPR_DEPTH], number, *list = operands;
  tsr__expr_operand *const first = &p->operands[p->height - node.count];
  /* Operands of long lists go straight to where they will be if the node is new. */
  if (node.count > TSR_EXPR_DEPTH) list = p->tree->operands + p->tree->operand_count;
  if (node.count > p->tree->operand_room - p->tree->operand_count)
    return TSR__EXPR_FAIL(p->source, TSR_ELIMIT, node.column, "more than %d operands and operators",
                          (int)TSR_EXPR_STEPS);
  for (uint32_t i = 0; i < node.count; i++) list[i] = first[i].node;
  node.span = node.kind == TSR__NODE_KEYWORD || node.kind == TSR__NODE_TEXT ? node.span : span;
  const tsr_status st = tsr__expr_add(p->source, p->tree, &node, list, &number);
  if (st != TSR_OK) return st;
  p->height -= node.count;
  p->operands[p->height++] = (tsr__expr_operand){number, TSR__NO_NODE, span};
  return TSR_OK;
}

/* ---- operators ---- */

static int precedence_of(const tsr__expr_waiting *w) {
  if (w->kind == TSR__WAIT_OPERATOR) return tsr__expr_operators[w->op].precedence;
  return w->kind == TSR__WAIT_ELSE ? TSR__LOOSEST : w->kind == TSR__WAIT_KEYWORD ? 0 : -1;
}

/* The last operands with what is between them. */
static tsr__expr_span span_of_last(const tsr__expr_parser *p, uint32_t count) {
  return (tsr__expr_span){p->operands[p->height - count].span.begin, p->operands[p->height - 1].span.end};
}

static tsr__expr_node operator_node(const tsr__expr_waiting *w, int op, uint32_t count) {
  const char *const name = tsr__expr_operators[op].op;
  tsr__expr_node node = {.kind = TSR__NODE_OPERATOR, .which = (uint8_t)op, .count = count, .column = w->column};
  if (name != NULL) node.op = tsr_op_find(name);
  return node;
}

/* a < b < c is (a < b) and (b < c), b once. */
static tsr_status make_chain(tsr__expr_parser *p, const tsr__expr_waiting *w) {
  tsr__expr_operand *const left = &p->operands[p->height - 2];
  const tsr__expr_operand right = p->operands[p->height - 1];
  const tsr__expr_operand before = *left;
  const tsr__expr_span span = span_of_last(p, 2);
  left->node = before.right;
  tsr_status st = tsr__expr_make(p, operator_node(w, w->op, 2), span);
  if (st != TSR_OK) return st;
  const tsr__expr_operand made = p->operands[p->height - 1];
  p->operands[p->height - 1] = before;
  p->operands[p->height++] = made;
  st = tsr__expr_make(p, operator_node(w, TSR__AND, 2), span);
  if (st == TSR_OK) p->operands[p->height - 1].right = right.node;
  return st;
}

static tsr_status make_operator(tsr__expr_parser *p, const tsr__expr_waiting *w) {
  const tsr__expr_operator_row *const row = &tsr__expr_operators[w->op];
  if (row->is_prefix) {
    const tsr__expr_span span = {w->begin, p->operands[p->height - 1].span.end};
    return tsr__expr_make(p, operator_node(w, w->op, 1), span);
  }
  const uint32_t right = p->operands[p->height - 1].node;
  if (tsr__is_comparison(w->op) && p->operands[p->height - 2].right != TSR__NO_NODE) return make_chain(p, w);
  const tsr_status st = tsr__expr_make(p, operator_node(w, w->op, 2), span_of_last(p, 2));
  if (st == TSR_OK && tsr__is_comparison(w->op)) p->operands[p->height - 1].right = right;
  return st;
}

static tsr_status reduce_top(tsr__expr_parser *p) {
  const tsr__expr_waiting w = p->waiting[--p->depth];
  if (w.kind == TSR__WAIT_OPERATOR) return make_operator(p, &w);
  if (w.kind == TSR__WAIT_ELSE)
    return tsr__expr_make(p, (tsr__expr_node){.kind = TSR__NODE_IF, .count = 3, .column = w.column},
                          span_of_last(p, 3));
  const tsr__expr_node keyword = {.kind = TSR__NODE_KEYWORD, .count = 1, .column = w.column, .span = w.keyword};
  return tsr__expr_make(p, keyword, (tsr__expr_span){w.keyword.begin, p->operands[p->height - 1].span.end});
}

tsr_status tsr__expr_reduce(tsr__expr_parser *p, int precedence) {
  tsr_status st = TSR_OK;
  while (st == TSR_OK && p->depth > 0 && precedence_of(tsr__expr_top(p)) >= precedence) st = reduce_top(p);
  return st;
}

static tsr_status binary_operator(tsr__expr_parser *p) {
  const int op = p->token.op;
  const tsr__expr_operator_row *const row = &tsr__expr_operators[op];
  if (row->is_prefix) return tsr__expr_unexpected(p, "an operator");
  tsr_status st = tsr__expr_reduce(p, op == TSR__POW ? row->precedence + 1 : row->precedence);
  if (st == TSR_OK)
    st = tsr__expr_push(
        p, (tsr__expr_waiting){.kind = TSR__WAIT_OPERATOR, .op = (uint8_t)op, .column = p->token.span.begin});
  return st == TSR_OK ? tsr__expr_advance(p) : st;
}

/* if and else behind an operand. */
static tsr_status conditional(tsr__expr_parser *p) {
  const bool is_if = p->token.kind == TSR__TOKEN_IF;
  tsr_status st = tsr__expr_reduce(p, is_if ? TSR__LOOSEST + 1 : TSR__LOOSEST);
  tsr__expr_waiting *const top = tsr__expr_top(p);
  if (st == TSR_OK && is_if)
    st = tsr__expr_push(p, (tsr__expr_waiting){.kind = TSR__WAIT_IF, .column = p->token.span.begin});
  else if (st == TSR_OK && (top == NULL || top->kind != TSR__WAIT_IF))
    st = TSR__EXPR_FAIL(p->source, TSR_EFORMAT, p->token.span.begin, "else without an if before it");
  else if (st == TSR_OK)
    top->kind = TSR__WAIT_ELSE;
  return st == TSR_OK ? tsr__expr_advance(p) : st;
}

/* ---- one expression ---- */

/* The end: everything is there that was waited for. */
static tsr_status end_expression(tsr__expr_parser *p) {
  const tsr_status st = tsr__expr_reduce(p, 0);
  const tsr__expr_waiting *const top = tsr__expr_top(p);
  if (st != TSR_OK || top == NULL) return st;
  if (top->kind == TSR__WAIT_IF) return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, top->column, "an if without its else");
  return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, top->column, "this bracket is not closed");
}

static tsr_status operator_token(tsr__expr_parser *p, bool *operand, bool *done) {
  switch (p->token.kind) {
    case TSR__TOKEN_OPERATOR: *operand = false; return binary_operator(p);
    case TSR__TOKEN_IF:
    case TSR__TOKEN_ELSE: *operand = false; return conditional(p);
    case TSR__TOKEN_COMMA: *operand = false; return tsr__expr_comma(p);
    case TSR__TOKEN_COLON: *operand = false; return tsr__expr_colon(p);
    case TSR__TOKEN_LINE:
    case TSR__TOKEN_END: *done = true; return end_expression(p);
    default: return tsr__expr_behind(p, operand);
  }
}

/* Up to the end of the statement; its node is the one operand that is left. */
static tsr_status parse_expression(tsr__expr_parser *p, tsr__expr_operand *result) {
  bool operand = false, done = false;
  tsr_status st = TSR_OK;
  p->depth = p->height = p->brackets = 0;
  while (st == TSR_OK && !done)
    st = operand ? operator_token(p, &operand, &done) : tsr__expr_operand_token(p, &operand);
  if (st == TSR_OK) *result = p->operands[0];
  return st;
}

/* ---- statements ---- */

static tsr_status assign(tsr__expr_parser *p, tsr__expr_span name, uint32_t node) {
  char word[TSR__EXPR_WORD];
  tsr__expr_node constant;
  tsr__expr_word(p->source, name, word);
  if (tsr__expr_constant(word, &constant))
    return TSR__EXPR_FAIL(p->source, TSR_ENAME, name.begin, "'%s' has a meaning already", word);
  p->assigned[p->assigned_count++] = (tsr__expr_assigned){name, node};
  return TSR_OK;
}

/* Reads "a, b =", and counts the names; 0 and nothing taken where none is there. */
static tsr_status parse_targets(tsr__expr_parser *p, uint32_t *count) {
  const size_t at = p->at;
  const tsr__expr_token token = p->token;
  tsr_status st = TSR_OK;
  *count = 0;
  while (st == TSR_OK && p->token.kind == TSR__TOKEN_NAME) {
    p->assigned[p->assigned_count + (*count)++].name = p->token.span;
    st = tsr__expr_advance(p);
    if (st != TSR_OK || p->token.kind != TSR__TOKEN_COMMA) break;
    st = tsr__expr_advance(p);
  }
  if (st == TSR_OK && *count > 0 && p->token.kind == TSR__TOKEN_ASSIGN) return tsr__expr_advance(p);
  *count = 0;
  p->at = at;
  p->token = token;
  return st;
}

enum { MOST_OUTPUTS = 32 };

/* Several names on the left: outputs of one call, which gets a node of its own and one for each output. */
static tsr_status assign_outputs(tsr__expr_parser *p, uint32_t count, const tsr__expr_span *names,
                                 tsr__expr_operand result) {
  tsr__expr_tree *const tree = p->tree;
  tsr__expr_node call = tree->nodes[result.node];
  uint32_t number;
  if (call.kind != TSR__NODE_CALL)
    return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, names[0].begin, "%d names on the left, and no call on the right",
                          (int)count);
  if (count > MOST_OUTPUTS)
    return TSR__EXPR_FAIL(p->source, TSR_ELIMIT, names[0].begin, "more than %d names on the left", (int)MOST_OUTPUTS);
  call.outputs = (uint8_t)count;
  tsr_status st = tsr__expr_add(p->source, tree, &call, tree->operands + call.first, &number);
  for (uint32_t k = 0; k < count && st == TSR_OK; k++) {
    const tsr__expr_node pick = {
        .kind = TSR__NODE_PICK, .which = (uint8_t)k, .count = 1, .column = call.column, .span = call.span};
    uint32_t picked;
    st = tsr__expr_add(p->source, tree, &pick, &number, &picked);
    if (st == TSR_OK) st = assign(p, names[k], picked);
  }
  return st;
}

static tsr_status parse_statement(tsr__expr_parser *p, bool *is_value) {
  tsr__expr_operand result;
  tsr__expr_span names[MOST_OUTPUTS + 1];
  uint32_t count;
  tsr_status st = parse_targets(p, &count);
  for (uint32_t i = 0; i < count && i <= MOST_OUTPUTS; i++) names[i] = p->assigned[p->assigned_count + i].name;
  if (st == TSR_OK) st = parse_expression(p, &result);
  if (st != TSR_OK) return st;
  *is_value = count == 0;
  p->tree->result = result.node;
  if (count == 0) return TSR_OK;
  return count == 1 ? assign(p, names[0], result.node) : assign_outputs(p, count, names, result);
}

static tsr_status parse_statements(tsr__expr_parser *p) {
  bool is_value = false;
  size_t last = 0;
  tsr_status st = tsr__expr_advance(p);
  while (st == TSR_OK && p->token.kind != TSR__TOKEN_END) {
    last = p->token.span.begin;
    if (p->token.kind == TSR__TOKEN_LINE)
      st = tsr__expr_advance(p);
    else
      st = parse_statement(p, &is_value);
  }
  if (st != TSR_OK || is_value) return st;
  if (p->tree->count == 0) return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, 0, "there is no expression");
  return TSR__EXPR_FAIL(p->source, TSR_EFORMAT, last, "the last line assigns; it has to be the value that is wanted");
}

/* ---- memory ---- */

static tsr_status count_tokens(const tsr__expr_source *s, size_t *count) {
  tsr__expr_token token;
  size_t at = 0;
  for (*count = 0;; ++*count) {
    if (*count > TSR_EXPR_STEPS)
      return TSR__EXPR_FAIL(s, TSR_ELIMIT, at, "more than %d operands and operators", (int)TSR_EXPR_STEPS);
    const tsr_status st = tsr__expr_next(s, &at, false, &token);
    if (st != TSR_OK || token.kind == TSR__TOKEN_END) return st;
  }
}

static void *cut(char **at, size_t bytes) {
  void *const piece = *at;
  *at += tsr__align_up(bytes, 16);
  return piece;
}

/* One block for a text of that many tokens. A comparison in a chain makes two nodes, a part of an index up to four; the stacks are used
 * while it is parsed. */
static tsr_status take_block(const tsr__expr_source *s, size_t tokens, tsr__expr_tree *tree, tsr__expr_parser *p) {
  const size_t nodes = 3 * tokens + 8, operands = 4 * tokens + 8;
  const size_t bytes = nodes * sizeof(tsr__expr_node) + operands * sizeof(uint32_t) +
                       2 * tokens * sizeof(tsr__expr_operand) + TSR_EXPR_DEPTH * sizeof(tsr__expr_waiting) +
                       (tokens + 2) * sizeof(tsr__expr_assigned) + 8 * sizeof(tsr__expr_operand) + 2 * s->length +
                       tokens + 256;
  char *at = tree->allocator->alloc(tree->allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (at == NULL) return tsr__no_memory(s->ctx, s->op, bytes);
  tree->block = at;
  tree->block_bytes = bytes;
  tree->node_room = (uint32_t)nodes;
  tree->operand_room = (uint32_t)operands;
  tree->nodes = cut(&at, nodes * sizeof(tsr__expr_node));
  tree->operands = cut(&at, operands * sizeof(uint32_t));
  p->operands = cut(&at, (2 * tokens + 8) * sizeof(tsr__expr_operand));
  p->waiting = cut(&at, TSR_EXPR_DEPTH * sizeof(tsr__expr_waiting));
  p->assigned = cut(&at, (tokens + 2) * sizeof(tsr__expr_assigned));
  tree->text = cut(&at, s->length + 1);
  tree->names = cut(&at, s->length + tokens + 1);
  tree->length = s->length;
  memcpy(tree->text, s->text, s->length);
  tree->text[s->length] = '\0';
  return TSR_OK;
}

/* Which nodes the result depends on: operands come before. */
static void mark_needed(tsr__expr_tree *tree) {
  tree->nodes[tree->result].needed = true;
  for (uint32_t i = tree->count; i-- > 0;) {
    const tsr__expr_node *const node = &tree->nodes[i];
    for (uint32_t k = 0; node->needed && k < node->count; k++)
      tree->nodes[tree->operands[node->first + k]].needed = true;
  }
}

tsr_status tsr__expr_parse(const tsr__expr_source *given, tsr__expr_tree *tree) {
  tsr__expr_source source = *given;
  tsr__expr_parser p = {.source = &source, .tree = tree};
  size_t tokens = 0;
  if (source.length > TSR_EXPR_BYTES)
    return TSR__FAIL(source.ctx, TSR_ELIMIT, source.op, "text", "has %z bytes, more than %d", source.length,
                     (int)TSR_EXPR_BYTES);
  tsr_status st = count_tokens(&source, &tokens);
  *tree = (tsr__expr_tree){.allocator = tsr__allocator(source.ctx)};
  if (st == TSR_OK) st = take_block(&source, tokens, tree, &p);
  source.text = tree->text != NULL ? tree->text : source.text;
  if (st == TSR_OK) st = parse_statements(&p);
  if (st == TSR_OK)
    mark_needed(tree);
  else
    tsr__expr_tree_free(tree);
  return st;
}

#endif
