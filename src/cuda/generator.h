/* Elementwise kernels from lines of text. A line is the value of an op for one element, an expression of a, b, c and p of a compute
 * type C, in the words of the host's rows: "a + b", "FN(tsr__exp)(a)". A kernel is a list of steps over values: inputs come first,
 * then what each step gives; a value has a dtype, to which a step's result is rounded as if it had gone through memory. */
#ifndef TSR_CUDA_GENERATOR_H
#define TSR_CUDA_GENERATOR_H

#include "cuda/pattern.h"
#include "cuda/source.h"

enum { TSR__CUDA_STEPS = 16, TSR__CUDA_STEP_INPUTS = 4, TSR__CUDA_VALUES = TSR__CUDA_OPERANDS - 1 + TSR__CUDA_STEPS };

/* What C is where the compute type is an integer or bool. */
typedef enum tsr__cuda_integers {
  TSR__CUDA_OWN,      /* itself */
  TSR__CUDA_WRAPPING, /* unsigned, of 32 or 64 bits: what does the same to the bits of a signed number */
  TSR__CUDA_UNSIGNED  /* unsigned, of its size */
} tsr__cuda_integers;

/* What an input is: memory; one number, which travels by value; or an i64 that is a linear function of the coordinates, whose strides
 * are its factors and whose address is its value at the first element. */
typedef enum tsr__cuda_source_kind { TSR__CUDA_MEMORY, TSR__CUDA_NUMBER, TSR__CUDA_POSITION } tsr__cuda_source_kind;

typedef struct tsr__cuda_line_step {
  const char *line;
  const char *near;                          /* the line where its input is in range, and sets far where not; or NULL */
  const char *functions, *needs;             /* text before it, for its C: includes and declarations; NULL: nothing */
  uint8_t inputs, in[TSR__CUDA_STEP_INPUTS]; /* values */
  uint8_t dtype[TSR__CUDA_STEP_INPUTS];      /* what each of them becomes first */
  uint8_t compute;                           /* the dtype that C is of */
  uint8_t integers;                          /* tsr__cuda_integers */
  uint8_t result, out;                       /* the dtype of the expression, and of the value */
} tsr__cuda_line_step;

typedef struct tsr__cuda_lines {
  int inputs, steps;
  uint8_t dtype[TSR__CUDA_OPERANDS - 1];
  uint8_t kind[TSR__CUDA_OPERANDS - 1]; /* tsr__cuda_source_kind */
  bool in_place;                        /* the output may be an input's memory */
  tsr__cuda_line_step step[TSR__CUDA_STEPS];
} tsr__cuda_lines;

/* The steps of lines, or of more than lines have room for: values are inputs first, then what each step gives. */
typedef struct tsr__cuda_chain {
  int inputs, steps;
  const uint8_t *dtype; /* of the inputs */
  const tsr__cuda_line_step *step;
} tsr__cuda_chain;

/* The functions step0, step1, …; and in a function that has inputs v00, v01, … and a table: all values in order. near: with the lines for
 * what is in range, in a function that has bool far. */
void tsr__cuda_add_steps(tsr__cuda_text *text, const tsr__cuda_chain *chain);
void tsr__cuda_add_values(tsr__cuda_text *text, const tsr__cuda_chain *chain, bool near);
/* Whether any step has one. */
bool tsr__cuda_has_near(const tsr__cuda_chain *chain);
/* What value number is called: "v07". */
typedef struct tsr__cuda_value_name {
  char text[8];
} tsr__cuda_value_name;
tsr__cuda_value_name tsr__cuda_value(int number);

/* The dtype of the last value. */
int tsr__cuda_lines_out(const tsr__cuda_lines *lines);

/* Writes the kernel, whose name is "tsr_elements". Its operands are the output, then the inputs that are no numbers. */
void tsr__cuda_generate(const tsr__cuda_lines *lines, const tsr__cuda_pattern *pattern, tsr__cuda_text *text);

/* What a dtype is called in kernel text: "f32", "bool8". */
const char *tsr__cuda_dtype(int dtype);
/* value (of dtype from) as to: an expression. */
void tsr__cuda_add_cast(tsr__cuda_text *text, int from, int to, const char *value);

#endif
