/* The parser's state: operands that are there, and what waits for more of them. */
#ifndef TSR_EXPR_PARSE_H
#define TSR_EXPR_PARSE_H

#include "expr/expr.h"

#if TSR_HAVE_OPS

/* What waits on the stack. */
typedef enum tsr__expr_wait {
  TSR__WAIT_OPERATOR,
  TSR__WAIT_ELSE,    /* x if c else: for y */
  TSR__WAIT_KEYWORD, /* name=: for its value */
  TSR__WAIT_IF,      /* x if: for c and else. This and those below wait for a word or a bracket */
  TSR__WAIT_GROUP,   /* ( */
  TSR__WAIT_LIST,    /* [ */
  TSR__WAIT_CALL,    /* f( */
  TSR__WAIT_INDEX    /* x[ */
} tsr__expr_wait;

typedef struct tsr__expr_waiting {
  uint8_t kind, op;
  uint8_t colons; /* of the part of an index that is being read */
  uint8_t dtype;  /* of a cast; TSR_NONE: a call of `call` */
  uint8_t owned;  /* operands before what is in the brackets: the tensor that is indexed, the x of x.f() */
  bool comma;     /* one was there */
  uint32_t column, begin;
  uint32_t height; /* of the operands when it was opened, without those that belong to it */
  tsr__expr_span keyword;
  const tsr_op *call;
} tsr__expr_waiting;

/* A node on the stack, with its place in the text. */
typedef struct tsr__expr_operand {
  uint32_t node;
  uint32_t right; /* of a comparison that may go on (a < b < c): its right side; else NO_NODE */
  tsr__expr_span span;
} tsr__expr_operand;
enum { TSR__NO_NODE = 0x7fffffff };

/* A name that a line has assigned. */
typedef struct tsr__expr_assigned {
  tsr__expr_span name;
  uint32_t node;
} tsr__expr_assigned;

typedef struct tsr__expr_parser {
  const tsr__expr_source *source;
  tsr__expr_tree *tree;
  size_t at; /* behind token */
  tsr__expr_token token;
  tsr__expr_waiting *waiting;
  tsr__expr_operand *operands;
  tsr__expr_assigned *assigned;
  uint32_t depth, height, assigned_count;
  uint32_t brackets; /* open ones: inside of them lines do not end */
} tsr__expr_parser;

static inline tsr__expr_waiting *tsr__expr_top(const tsr__expr_parser *p) {
  return p->depth > 0 ? &p->waiting[p->depth - 1] : NULL;
}

/* Takes the next token. */
tsr_status tsr__expr_advance(tsr__expr_parser *p);

/* Fails: the token is not what may stand there. */
tsr_status tsr__expr_unexpected(const tsr__expr_parser *p, const char *expected);

/* Puts something on the stack. */
tsr_status tsr__expr_push(tsr__expr_parser *p, tsr__expr_waiting waiting);

/* Makes a node of the last operands, as many as it says, which it takes the place of. */
tsr_status tsr__expr_make(tsr__expr_parser *p, tsr__expr_node node, tsr__expr_span span);

/* Makes nodes of the operators on the stack that bind as tight as that or tighter, up to an open bracket. */
tsr_status tsr__expr_reduce(tsr__expr_parser *p, int precedence);

/* A token where an operand must come: *operand says whether it is there now, and an operator comes next. */
tsr_status tsr__expr_operand_token(tsr__expr_parser *p, bool *operand);

/* Behind an operand: a comma, a colon, or what belongs to it or closes the bracket that it is in. */
tsr_status tsr__expr_comma(tsr__expr_parser *p);
tsr_status tsr__expr_colon(tsr__expr_parser *p);
tsr_status tsr__expr_behind(tsr__expr_parser *p, bool *operand);

#endif
#endif
