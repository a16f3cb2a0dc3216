/* Elements that a line makes of operands: what a group of calls (fuse/group.h) is on a device. A kernel of one pattern or another takes
 * them where it would read elements from memory. */
#ifndef TSR_CUDA_ENGINES_MADE_H
#define TSR_CUDA_ENGINES_MADE_H

#include "cuda/engines/elements.h"
#include "cuda/hash.h"
#include "fuse/group.h"

enum {
  TSR__CUDA_MADE_NUMBERS = TSR__GROUP_NUMBERS + TSR__GROUP_NUMBERS, /* constants, and params of ops */
  TSR__CUDA_MADE_INPUTS = TSR__GROUP_INPUTS + TSR__CUDA_MADE_NUMBERS,
  TSR__CUDA_MADE_BYTES = TSR__GROUP_INPUTS * 17 * 8 + 16 * TSR__CUDA_MADE_NUMBERS /* of the arguments, at most */
};
_Static_assert(TSR__CUDA_MADE_INPUTS + TSR__GROUP_STEPS < 256, "values have numbers of a byte");

typedef struct tsr__cuda_made {
  const tsr__group *group;
  int operands, numbers;
  tsr__cuda_view in[TSR__GROUP_INPUTS]; /* over the group's shape, stride 0 where they repeat */
  tsr__cuda_number number[TSR__CUDA_MADE_NUMBERS];
  tsr__cuda_hash hash; /* of the line: steps and dtypes, not numbers */
  bool in_place;       /* an output lies where an input does */
} tsr__cuda_made;

/* Of a work whose attributes are a group. An input that the output lies over in another way is copied first, and one that runs
 * along another axis than the elements are made in. */
tsr_status tsr__cuda_made_begin(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_made *m, tsr__cuda_plan *plan);

/* ---- text ---- */

/* Its line: "void made_line::line(f32_mem &to0, …, const f32_mem v00, …)". Before C and FN are set. */
tsr_status tsr__cuda_made_line(const tsr__cuda_made *m, tsr_ctx *ctx, tsr__cuda_text *text);

/* How an operand lies along the axis that packs run along. */
typedef enum tsr__cuda_mode { TSR__CUDA_REPEATS, TSR__CUDA_RUNS, TSR__CUDA_STRIDES } tsr__cuda_mode;

/* struct made_args, and of a T that the group ends with "T made_one(m, at)" and "void made_many<W>(m, at, T *to)": modes, of each
 * operand, or NULL where there is no such. */
void tsr__cuda_made_source(const tsr__cuda_made *m, const uint8_t *modes, tsr__cuda_text *text);

/* ", *(const f32_mem *)ARGS.numbers[0].bytes" for every number. */
void tsr__cuda_made_numbers(const tsr__cuda_made *m, const char *args, tsr__cuda_text *text);

/* ---- arguments ---- */

/* The axes of one operand that number outputs, and those of the elements of one, the fastest first. */
typedef struct tsr__cuda_made_steps {
  int64_t kept[8], inner[8];
} tsr__cuda_made_steps;

/* Writes made_args, which begin at a multiple of 16, without addresses; returns their size. */
size_t tsr__cuda_made_args(const tsr__cuda_made *m, const tsr__cuda_made_steps *steps, void *to);
/* Puts the addresses into the step that was planned last, whose made_args begin at at. */
void tsr__cuda_made_addresses(const tsr__cuda_made *m, size_t at, tsr__cuda_plan *plan);

/* Whether packs of so many elements can be read of operand k along an axis that it runs along, where it has other steps too. */
bool tsr__cuda_made_aligned(const tsr__cuda_made *m, int k, int width, int steps, const int64_t *step);

/* A key of the kernel that the line and these bytes make. */
tsr__cuda_key tsr__cuda_made_key(const tsr__cuda_made *m, const void *bytes, size_t count);

#endif
