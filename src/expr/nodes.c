/* The list of nodes, in which equal ones are one. */
#include "expr/expr.h"

#include <string.h>

#if TSR_HAVE_OPS

/* Whether two nodes are the same but for their places in the text. Numbers are compared by their bits: 0.0 is not -0.0. */
static bool is_equal(const tsr__expr_tree *tree, const tsr__expr_node *a, const tsr__expr_node *b,
                     const uint32_t *operands) {
  if (a->kind != b->kind || a->which != b->which || a->count != b->count || a->whole != b->whole) return false;
  if (a->outputs != 0 || b->outputs != 0) return false;
  if (a->kind == TSR__NODE_TEXT || a->kind == TSR__NODE_KEYWORD) {
    const size_t length = a->span.end - a->span.begin;
    if (length != b->span.end - b->span.begin) return false;
    if (memcmp(tree->text + a->span.begin, tree->text + b->span.begin, length) != 0) return false;
  }
  return a->count == 0 || memcmp(tree->operands + a->first, operands, a->count * sizeof *operands) == 0;
}

/* How far back an equal one is looked for: all of an expression that a person writes, and no square of a long one. */
enum { LOOK_BACK = 128 };

static bool find_equal(const tsr__expr_tree *tree, const tsr__expr_node *node, const uint32_t *operands,
                       uint32_t *number) {
  const uint32_t last = tree->count > LOOK_BACK ? tree->count - LOOK_BACK : 0;
  for (uint32_t i = tree->count; i-- > last;)
    if (is_equal(tree, &tree->nodes[i], node, operands)) {
      *number = i;
      return true;
    }
  return false;
}

tsr_status tsr__expr_add(const tsr__expr_source *s, tsr__expr_tree *tree, const tsr__expr_node *node,
                         const uint32_t *operands, uint32_t *number) {
  if (node->kind != TSR__NODE_PICK && find_equal(tree, node, operands, number)) return TSR_OK;
  if (tree->count == tree->node_room || node->count > tree->operand_room - tree->operand_count)
    return TSR__EXPR_FAIL(s, TSR_ELIMIT, node->column, "more than %d operands and operators", (int)TSR_EXPR_STEPS);
  tsr__expr_node *const added = &tree->nodes[tree->count];
  *added = *node;
  added->first = tree->operand_count;
  if (node->count > 0) memmove(tree->operands + added->first, operands, node->count * sizeof *operands);
  tree->operand_count += node->count;
  *number = tree->count++;
  return TSR_OK;
}

void tsr__expr_tree_free(tsr__expr_tree *tree) {
  if (tree->block != NULL) tree->allocator->free(tree->allocator->self, tree->block, tree->block_bytes);
  *tree = (tsr__expr_tree){0};
}

#endif
