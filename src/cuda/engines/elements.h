/* The elementwise engine: lines over operands that lie in any way. Other engines use it for what they copy and fill. */
#ifndef TSR_CUDA_ENGINES_ELEMENTS_H
#define TSR_CUDA_ENGINES_ELEMENTS_H

#include "cuda/engine.h"
#include "cuda/generator.h"

/* A tensor and where its memory is. data: its address where it is known; else NULL. */
typedef struct tsr__cuda_view {
  tsr_tensor tensor;
  tsr__cuda_ref ref;
} tsr__cuda_view;

/* An address for its alignment: of memory that is not there yet, which will be aligned, how far from its start the view begins. */
static inline uintptr_t tsr__cuda_place_of(const tsr__cuda_view *v) {
  return v->tensor.data != NULL ? (uintptr_t)v->tensor.data : (uintptr_t)v->ref.offset;
}

/* An input. */
typedef struct tsr__cuda_term {
  tsr__cuda_source_kind kind;
  tsr__cuda_view view;          /* of memory; tensor.dtype is the dtype of any kind */
  tsr__cuda_number number;      /* of a number: its bytes */
  int64_t first;                /* of a position: its value at the first element of the output, */
  int64_t factor[TSR_MAX_DIMS]; /* and by how much it grows along each axis of it */
} tsr__cuda_term;

typedef struct tsr__cuda_elements {
  const void *maker; /* the address of a row or of anything else: with form and the dtypes it says what the steps are */
  uint8_t form;      /* which of the maker's */
  tsr__cuda_lines lines; /* inputs, dtypes and kinds are those of the terms */
  tsr__cuda_view out;
  tsr__cuda_term in[TSR__CUDA_OPERANDS - 1];
  /* What a line with picked(table, …) picks from. */
  struct {
    bool there, wraps;
    tsr__cuda_ref ref;
    int64_t step, length, padding;
    const char *argument; /* the name of the indices */
  } table;
} tsr__cuda_elements;

/* Operand k of a work. */
tsr__cuda_view tsr__cuda_input(const tsr_work *work, int k);
tsr__cuda_view tsr__cuda_output(const tsr_work *work, int k);

/* The next input: memory, or a number where it is on the host; a number of dtype; a position. */
void tsr__cuda_add_view(tsr__cuda_elements *e, const tsr__cuda_view *view);
void tsr__cuda_add_input(tsr__cuda_elements *e, const tsr_work *work, int k);
void tsr__cuda_add_number(tsr__cuda_elements *e, int dtype, const void *element);
void tsr__cuda_add_position(tsr__cuda_elements *e, int64_t first, const int64_t *factor);

/* Plans it: inputs broadcast to the output's shape; an input that the output lies over in another way is copied first. */
tsr_status tsr__cuda_plan_elements(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_elements *e, tsr__cuda_plan *plan);

/* from to to, converted; one element (of to's dtype) to all of to. */
tsr_status tsr__cuda_plan_cast(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *from, const tsr__cuda_view *to,
                               tsr__cuda_plan *plan);
tsr_status tsr__cuda_plan_fill(tsr__cuda *gpu, tsr_ctx *ctx, const void *element, const tsr__cuda_view *to,
                               tsr__cuda_plan *plan);

/* A row-major tensor of temporary memory. */
tsr__cuda_view tsr__cuda_temporary(tsr__cuda_plan *plan, int dtype, int ndim, const tsr_index *shape);

/* The view itself, or a row-major copy of it in temporary memory where out, whose memory is known, lies over it. */
tsr_status tsr__cuda_unaliased(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *out, tsr__cuda_view *view,
                               tsr__cuda_plan *plan);

/* Rows of a table (R, D) by numbers, to (…, D): move.c. argument: the name of the numbers. */
tsr_status tsr__cuda_plan_rows(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *table, const tsr__cuda_view *index,
                               const char *argument, const tsr__cuda_view *out, tsr__cuda_plan *plan);

/* Elements of from, moved by step times a number that is below length: both have the output's axes, with strides of their own. move.c. */
tsr_status tsr__cuda_plan_picked(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *from, const tsr__cuda_view *index,
                                 int64_t step, int64_t length, const tsr__cuda_view *out, tsr__cuda_plan *plan);

#endif
