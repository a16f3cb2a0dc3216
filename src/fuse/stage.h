/* Stages: ops on numbers that stay in vector registers from one op to the next.
 *
 * A program is an array of stages. Each is a function that gets the registers as arguments, does one thing, and calls the next
 * with what it has: a jump, with the calling conventions of machines that have vectors. The registers hold two blocks of
 * numbers, the top and the one below it, as a stack does; what does not fit is in memory. So a chain of ops reads its inputs
 * and writes its result, and nothing in between.
 *
 * An op's stages are made of its row in rows.def, as its kernels are. Programs are for numbers of one dtype, f32 or f64; f16
 * and bf16 are f32 in registers, bool is a mask. */
#ifndef TSR_FUSE_STAGE_H
#define TSR_FUSE_STAGE_H

#include "cpu/isa.h"
#include "cpu/stage.h"
#include <tessera/tensor.h>

#if TSR_HAVE_OPS

/* The ops that have stages. */
typedef enum tsr__stage_op {
#define TSR__STAGE_ROW(op, ...) TSR__STAGE_##op,
#include "fuse/stages.def"
  TSR__STAGE_OPS,
  TSR__STAGE_CONVERT = TSR__STAGE_OPS, /* to f16 or bf16 and back, or nothing at all */
  TSR__STAGE_NONE = -1
} tsr__stage_op;

/* Where operands are: the top and what is below it are registers, memory is a block, a splat one number for all. An op that takes
 * no register begins a computation; with push the top goes below before. Not every instruction set has these: NULL. */
typedef enum tsr__stage_form {
  TSR__TOP_MEMORY,
  TSR__MEMORY_TOP,
  TSR__TOP_SPLAT,
  TSR__SPLAT_TOP,
  TSR__TOP_BELOW,
  TSR__BELOW_TOP,
  TSR__MEMORY_MEMORY,
  TSR__MEMORY_SPLAT,
  TSR__SPLAT_MEMORY,
  TSR__PUSH_MEMORY_MEMORY,
  TSR__PUSH_MEMORY_SPLAT,
  TSR__PUSH_SPLAT_MEMORY,
  TSR__STAGE_FORMS,
  /* of one operand */
  TSR__TOP = 0,
  TSR__MEMORY,
  TSR__PUSH_MEMORY,
  /* of the second and the third of three, where the first is the top: a step of 3, where memory, a splat and below count as 0, 1
   * and 2; of both below there is none */
  TSR__SECOND = 3,
  TSR__THIRD = 1
} tsr__stage_form;

/* How numbers lie in memory: as they are in registers, narrower, or as bool. */
typedef enum tsr__stage_format {
  TSR__FORMAT_SAME,
  TSR__FORMAT_BOOL,
  TSR__FORMAT_F16,
  TSR__FORMAT_BF16,
  TSR__STAGE_FORMATS
} tsr__stage_format;

/* The stages for numbers of one dtype. */
typedef struct tsr__stages {
  tsr_index block; /* elements at a time */
  /* The program for elements first … last - 1, a block of them at least. What is left of whole blocks is done with elements before
   * it once more. */
  void (*run)(const tsr__stage *program, tsr_index first, tsr_index last);
  /* The same for rows rows of row elements each, whole blocks, that follow one another from first on: block by block of all. */
  void (*run_side_by_side)(const tsr__stage *program, tsr_index first, int rows, tsr_index row);
  tsr__stage_fn *load[TSR__STAGE_FORMATS][2][2]; /* to the top: [1]: one for all; [1]: what was there goes below */
  tsr__stage_fn *copy;                           /* the top, to below */
  tsr__stage_fn *ahead[2];                       /* asks for one operand, or two, that are read later */
  tsr__stage_fn *round[TSR__STAGE_FORMATS];      /* to the format, and back */
  tsr__stage_fn *store[TSR__STAGE_FORMATS][2];   /* the top, which stays; [1]: the program ends with it */
  tsr__stage_fn *stream[2];                      /* by non-temporal stores, to whole lines; NULL: there are none */
  tsr__stage_fn *op[TSR__STAGE_OPS][TSR__STAGE_FORMS];
} tsr__stages;

enum { TSR__STAGE_MOST_BLOCK = 64, TSR__STAGE_BLOCK_BYTES = 256 }; /* of any instruction set */

TSR__DECLARE_FOR_ISAS(const tsr__stages, tsr__stages_f32)
#if TSR_HAVE_F64
TSR__DECLARE_FOR_ISAS(const tsr__stages, tsr__stages_f64)
#endif

#endif
#endif
