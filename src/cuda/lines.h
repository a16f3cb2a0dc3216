/* The lines of elementwise ops: the value of an element, and what it takes. Those of the rows of the host (ops/binary/rows.def and its
 * like) are those rows' own values. */
#ifndef TSR_CUDA_LINES_H
#define TSR_CUDA_LINES_H

#include "cuda/generator.h"
#include "ops/promote.h"

typedef struct tsr__cuda_line {
  const char *op;
  const char *value;             /* of a, b and c */
  const char *of_bool;           /* of bool; NULL: the same */
  const char *integers;          /* of integers and bool; NULL: the same */
  const char *needs, *f32, *f64; /* text before it, for any type, for f32, for f64; NULL: none */
  /* The number of an op that has one is p. */
  uint8_t rule; /* tsr__rule */
  uint8_t as;   /* tsr__cuda_integers */
} tsr__cuda_line;

/* A number for each of them: TSR__LINE_add. */
enum {
#define UNARY_EACH(op, ...) TSR__LINE_##op,
#include "ops/unary/rows.def"
#define BINARY_EACH(op, ...) TSR__LINE_##op,
#include "ops/binary/rows.def"
#define TERNARY_EACH(op, ...) TSR__LINE_##op,
#include "ops/ternary/rows.def"
  TSR__LINE_leaky_relu,
  TSR__LINE_elu,
  TSR__LINE_celu,
  TSR__LINE_COUNT
};
extern const tsr__cuda_line tsr__cuda_line_of[TSR__LINE_COUNT];

/* Text: arithmetic of complex numbers, for a step's C. */
extern const char tsr__cuda_complex[];

/* The dtypes of an op with that rule over inputs that were checked. */
tsr_status tsr__cuda_line_dtypes(const tsr__cuda_line *line, tsr_ctx *ctx, int inputs, const tsr_tensor *const *in,
                                 tsr__dtypes *dtypes);

/* The step of a line over values, which it converts to the compute type; and adds it. */
void tsr__cuda_set_step(tsr__cuda_line_step *step, const tsr__cuda_line *line, const tsr__dtypes *dtypes, int inputs,
                        const int *values);
void tsr__cuda_add_step(tsr__cuda_lines *lines, const tsr__cuda_line *line, const tsr__dtypes *dtypes, int inputs,
                        const int *values);

#endif
