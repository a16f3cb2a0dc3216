/* The inside of expressions.
 *
 *     text -> tokens (lex.c) -> nodes (parse.c, nodes.c) -> calls (lower*.c) -> a program, which is kept and run (run.c)
 *
 * A node comes after its operands, and equal nodes are one: so calls are made by going through the list once, and nothing here
 * recurses. Names that a line of the text assigns are gone after parsing: they stand for nodes. */
#ifndef TSR_EXPR_EXPR_H
#define TSR_EXPR_EXPR_H

#include "core/check.h"

#include <tessera/expr.h>
#include <tessera/registry.h>

#if TSR_HAVE_OPS

/* ---- tokens ---- */

typedef enum tsr__expr_token_kind {
  TSR__TOKEN_END,
  TSR__TOKEN_LINE, /* the end of a statement: ; or a newline */
  TSR__TOKEN_INT,
  TSR__TOKEN_REAL,
  TSR__TOKEN_IMAGINARY,
  TSR__TOKEN_TEXT, /* in quotes */
  TSR__TOKEN_NAME,
  TSR__TOKEN_OPERATOR, /* one that stands between operands, or before one */
  TSR__TOKEN_IF,
  TSR__TOKEN_ELSE,
  TSR__TOKEN_OPEN,
  TSR__TOKEN_CLOSE,
  TSR__TOKEN_OPEN_BRACKET,
  TSR__TOKEN_CLOSE_BRACKET,
  TSR__TOKEN_COMMA,
  TSR__TOKEN_COLON,
  TSR__TOKEN_DOT,
  TSR__TOKEN_ELLIPSIS,
  TSR__TOKEN_ASSIGN
} tsr__expr_token_kind;

/* Operators, in the order of tsr__expr_operators. */
typedef enum tsr__expr_operator {
  TSR__OR,
  TSR__AND,
  TSR__NOT,
  TSR__EQ,
  TSR__NE,
  TSR__LT,
  TSR__LE,
  TSR__GT,
  TSR__GE,
  TSR__BIT_OR,
  TSR__BIT_XOR,
  TSR__BIT_AND,
  TSR__SHIFT_LEFT,
  TSR__SHIFT_RIGHT,
  TSR__ADD,
  TSR__SUB,
  TSR__MUL,
  TSR__DIV,
  TSR__FLOOR_DIVIDE,
  TSR__REMAINDER,
  TSR__MATMUL,
  TSR__NEGATE,
  TSR__PLUS,
  TSR__BIT_NOT,
  TSR__POW,
  TSR__OPERATORS
} tsr__expr_operator;

typedef struct tsr__expr_operator_row {
  char text[4];
  uint8_t precedence; /* Python's: higher binds tighter */
  bool is_prefix;     /* stands before its one operand */
  const char *op;     /* of the registry; NULL: none */
} tsr__expr_operator_row;
extern const tsr__expr_operator_row tsr__expr_operators[TSR__OPERATORS];
enum { TSR__LOOSEST = 1, TSR__COMPARING = 5 }; /* of x if c else y, and of comparisons */

static inline bool tsr__is_comparison(int op) { return op >= TSR__EQ && op <= TSR__GE; }

/* A piece of the text. */
typedef struct tsr__expr_span {
  uint32_t begin, end;
} tsr__expr_span;

typedef struct tsr__expr_token {
  tsr__expr_token_kind kind;
  tsr__expr_span span;
  int op; /* a tsr__expr_operator */
  int64_t whole;
  double real;
} tsr__expr_token;

typedef struct tsr__expr_source {
  tsr_ctx *ctx;
  const char *op; /* in messages: eval, expr_new, expr_run */
  const char *text;
  size_t length;
} tsr__expr_source;

/* The token from *at on, and *at behind it. nested: inside of brackets, where lines do not end. */
tsr_status tsr__expr_next(const tsr__expr_source *source, size_t *at, bool nested, tsr__expr_token *token);

/* Whether the piece is that word. */
bool tsr__expr_is(const tsr__expr_source *source, tsr__expr_span span, const char *word);

/* A name of the text as a string; longer ones than any that there is are cut. */
enum { TSR__EXPR_WORD = 32 };
void tsr__expr_word(const tsr__expr_source *source, tsr__expr_span span, char word[TSR__EXPR_WORD]);

/* ---- messages ---- */

/* Fails with "column 9: …" (and the line, where there are several) before the message; `at` is a byte of the text. */
#if TSR_HAVE_TEXT
#define TSR__EXPR_FAIL(source, status, at, ...) tsr__expr_fail(source, status, at, __VA_ARGS__)
#else
#define TSR__EXPR_FAIL(source, status, at, ...) \
  (0 ? tsr__expr_fail(source, status, at, __VA_ARGS__) : tsr__fail_plain((source)->ctx, status))
#endif
TSR__COLD tsr_status tsr__expr_fail(const tsr__expr_source *source, tsr_status status, size_t at, const char *format,
                                    ...);

/* A piece of the text for messages, in one line, cut in its middle. */
enum { TSR__QUOTE = 40 };
void tsr__expr_quote(const tsr__expr_source *source, tsr__expr_span span, char quote[TSR__QUOTE]);

/* ---- nodes ---- */

typedef enum tsr__expr_kind {
  TSR__NODE_INT,
  TSR__NODE_REAL,
  TSR__NODE_IMAGINARY,
  TSR__NODE_BOOL,
  TSR__NODE_NONE,
  TSR__NODE_OMIT,     /* what is left out of a slice */
  TSR__NODE_ELLIPSIS, /* ... */
  TSR__NODE_TEXT,     /* in quotes */
  TSR__NODE_DTYPE,
  TSR__NODE_NAME,     /* bound by a run: number which */
  TSR__NODE_LIST,     /* (a, b), [a, b] */
  TSR__NODE_SLICE,    /* start:stop:step */
  TSR__NODE_OPERATOR, /* which */
  TSR__NODE_IF,       /* value, condition, otherwise */
  TSR__NODE_KEYWORD,  /* name=value in a call: span is the name */
  TSR__NODE_CALL,     /* op */
  TSR__NODE_PICK,     /* output number which of the call before; the first stands behind it */
  TSR__NODE_INDEX,    /* tensor, parts */
  TSR__NODE_MEMBER    /* x.T: which is a tsr__expr_member */
} tsr__expr_kind;

typedef enum tsr__expr_member {
  TSR__MEMBER_T,
  TSR__MEMBER_MT,
  TSR__MEMBER_REAL,
  TSR__MEMBER_IMAG,
  TSR__MEMBER_SHAPE,
  TSR__MEMBER_SIZE,
  TSR__MEMBER_NDIM,
  TSR__MEMBERS
} tsr__expr_member;

typedef struct tsr__expr_node {
  uint8_t kind;    /* a tsr__expr_kind */
  uint8_t outputs; /* of a call: how many are asked for, behind it as picks; 0: its first alone */
  uint8_t which;
  bool needed;           /* the result depends on it */
  uint32_t first, count; /* of its operands, among all */
  tsr__expr_span span;
  uint32_t column; /* where a message points: an operator, the name of a call */
  union {
    int64_t whole;
    double real;
    const tsr_op *op;
  };
} tsr__expr_node;

/* A parsed text: one block. */
typedef struct tsr__expr_tree {
  const tsr_allocator *allocator;
  void *block;
  size_t block_bytes;
  char *text; /* with a closing zero */
  size_t length;
  tsr__expr_node *nodes;
  uint32_t *operands;
  uint32_t count, operand_count, node_room, operand_room;
  uint32_t result; /* the node that the text gives */
  char *names;     /* that runs bind, one after the other, each with a closing zero */
  uint32_t name_count, name_bytes;
  uint16_t name_at[TSR_EXPR_NAMES];
} tsr__expr_tree;

/* Adds a node, or finds one that is equal; *number is it. The operands of a new one are copied. */
tsr_status tsr__expr_add(const tsr__expr_source *source, tsr__expr_tree *tree, const tsr__expr_node *node,
                         const uint32_t *operands, uint32_t *number);

/* Parses source into *tree, which is empty before and after a failure. */
tsr_status tsr__expr_parse(const tsr__expr_source *source, tsr__expr_tree *tree);
void tsr__expr_tree_free(tsr__expr_tree *tree);

/* ---- words ---- */

/* The dtype of that name, NumPy's too; TSR_NONE: none. */
int tsr__expr_dtype(const char *word);

/* The op of that name, NumPy's too; NULL: none. */
const tsr_op *tsr__expr_op(const char *word);

/* pi, inf, nan, True, False, None: as a node; false: no such word. */
bool tsr__expr_constant(const char *word, tsr__expr_node *node);

/* Fails: nothing is called that. */
TSR__COLD tsr_status tsr__expr_no_op(const tsr__expr_source *source, tsr__expr_span span);

#endif
#endif
