/* Reductions: what all of them share.
 *
 * The order of additions is fixed by logical index and by nothing else. The reduced axes, in row-major order, number
 * the elements that go into one output 0 … N - 1. Element r belongs to block r / TSR__REDUCE_BLOCK, and in its block
 * to lane r % 16. A lane adds its elements one after another, the lanes of a block are joined by a pairwise tree over
 * their numbers, and the blocks by a pairwise tree over theirs. No instruction set, thread count or stride enters
 * into it, so that a transposed tensor gives the bits of its contiguous copy.
 *
 * There are two ways through memory for the same sums. By rows: the elements of one output, one after another, all
 * lanes at once. By columns: many outputs side by side, one row of them added to another, so that memory is read as
 * it lies when the reduced axis is not the innermost. Outputs of few elements go by columns whatever their strides: some
 * at a time, turned in the first cache where they lie the other way (short.c). */
#ifndef TSR_OPS_REDUCE_REDUCE_H
#define TSR_OPS_REDUCE_REDUCE_H

#include "core/call.h"
#include "cpu/isa.h"
#include "cpu/iterate.h"
#include "cpu/stage.h"
#include "ops/elementwise/kernels.h"

#include <string.h>

#define TSR__REDUCE_BLOCK 1024
#define TSR__REDUCE_GROUP 4          /* blocks that a kernel takes at once; 2 levels of the tree over them */
#define TSR__REDUCE_LONG_BLOCK 16384 /* of ops whose result does not; 2^14 numbers of 16 bits fit a sum of 32 */
#define TSR__REDUCE_LANES 16         /* of ops whose result depends on the order */
#define TSR__REDUCE_LANE_BYTES 128
#define TSR__REDUCE_SHORT 128 /* elements of an output that are few, and the least outputs of that kind */
#define TSR__REDUCE_SHORT_LEAST 64

/* Whether there are columns, and groups of blocks: ways that are faster where there are caches, and cost flash where
 * not. */
#define TSR__REDUCE_FAST TSR_HAVE_MALLOC

/* A loop over n = lanes/2, lanes/4, … 1. On hosts each turn is code of its own: a loop of variable length over so few
 * numbers takes gcc 12 ten times as long. */
#if TSR__REDUCE_FAST && defined(__clang__)
#define TSR__HALVE(lanes, n) _Pragma("unroll 8") for (int n = (lanes) / 2; n > 0; n /= 2)
#elif TSR__REDUCE_FAST
#define TSR__HALVE(lanes, n) _Pragma("GCC unroll 8") for (int n = (lanes) / 2; n > 0; n /= 2)
#else
#define TSR__HALVE(lanes, n) for (int n = (lanes) / 2; n > 0; n /= 2)
#endif

/* ---- kernels ---- */

/* One op on one compute type, for one instruction set. A state is an array of lanes; a value is what lanes become
 * when they are joined, and may be wider: i8 is added in 32 bits inside a block and in 64 between blocks. */
typedef struct tsr__reduce_kernel {
  /* n lanes that have seen nothing. */
  void (*start)(tsr_index n, void *state);
  /* n contiguous elements: element i goes to lane i % (the kernel's lanes). param is one value. */
  void (*row)(void *state, tsr_index n, const void *row, const void *param);
  /* TSR__REDUCE_GROUP whole contiguous blocks, joined to one value. NULL where the order does not matter, and without
   * TSR__REDUCE_FAST. */
  void (*group)(const void *row, const void *param, void *value);
  /* count outputs of n elements each, which are contiguous, the outputs step bytes apart: their values. n is at most
   * TSR__REDUCE_GROUP blocks, or one long block where the order does not matter. param is a row of values. NULL without
   * TSR__REDUCE_FAST. */
  void (*many)(tsr_index count, tsr_index n, const char *x, ptrdiff_t step, const void *param, void *values);
  /* count rows of width elements: element j of each, in turn, goes to lane j. param is a row of values. NULL without
   * TSR__REDUCE_FAST. */
  void (*rows)(void *state, tsr_index width, int count, const char *const *rows, const void *param);
#if TSR__REDUCE_FAST
  /* width outputs side by side, of n ≤ TSR__REDUCE_SHORT elements each: element r of them is row r, step bytes from the
   * one before. Their values. param is a row of values. */
  void (*beside)(tsr_index width, tsr_index n, const char *x, ptrdiff_t step, const void *param, void *values);
#endif
  /* All lanes of a state that row filled, joined to one value. */
  void (*join)(const void *state, void *value);
  /* n lanes as n values. NULL without TSR__REDUCE_FAST. */
  void (*widen)(tsr_index n, const void *state, void *values);
  /* n values: earlier = earlier ∘ later. */
  void (*merge)(tsr_index n, void *earlier, const void *later);
  uint8_t dtype;      /* of a value */
  uint8_t lane_bytes; /* of one lane */
  bool any_order;     /* the result is the same in every order of elements */
#if TSR__REDUCE_FAST
  /* The last stage of a program that makes elements (cpu/stage.h): block i / TSR__REDUCE_BLOCK % TSR__REDUCE_GROUP has the state of
   * that number from the stage's first operand on. NULL: there is none. */
  tsr__stage_fn *stage;
#endif
} tsr__reduce_kernel;

typedef const tsr__reduce_kernel *const tsr__reduce_table[TSR_DTYPE_COUNT]; /* by compute type; NULL: none */

#define TSR__REDUCE_TABLE(op) TSR__DECLARE_FOR_ISAS(tsr__reduce_table, tsr__##op)
TSR__REDUCE_TABLE(sum)
TSR__REDUCE_TABLE(prod)
TSR__REDUCE_TABLE(min)
TSR__REDUCE_TABLE(max)
TSR__REDUCE_TABLE(any)
TSR__REDUCE_TABLE(all)
TSR__REDUCE_TABLE(count)
TSR__REDUCE_TABLE(total)
TSR__REDUCE_TABLE(deviation)
TSR__REDUCE_TABLE(magnitude)
TSR__REDUCE_TABLE(sum_square)
TSR__REDUCE_TABLE(max_abs)
TSR__REDUCE_TABLE(min_abs)
TSR__REDUCE_TABLE(power)
TSR__REDUCE_TABLE(peak)
TSR__REDUCE_TABLE(exponential)

/* Whether a kernel reads elements of a dtype as they are. A bool is a byte that is 0 or 1. */
static inline bool tsr__reduce_reads(int compute, int dtype) {
  return compute == dtype || (compute == TSR_U8 && dtype == TSR_BOOL);
}

/* One op's tables, by instruction set; a file names those of its own op only, so that nothing else is linked. */
typedef const tsr__reduce_kernel *const *const tsr__reduce_tables[TSR__ISA_COUNT];

/* What means, deviations and norms are computed in. */
#if TSR_HAVE_F64
typedef double tsr__reduce_real;
#define TSR__REDUCE_REAL TSR_F64
#else
typedef float tsr__reduce_real;
#define TSR__REDUCE_REAL TSR_F32
#endif

/* ---- an op ---- */

/* What results depend on beside the values that they are made from. */
typedef struct tsr__reduce_terms {
  tsr_index count;        /* N */
  size_t item;            /* bytes of a value */
  int ddof;               /* of var and std */
  tsr__reduce_real power; /* of norm */
} tsr__reduce_terms;

/* Turns n values, in place, into results; param is the row of results of the pass before, or NULL. */
typedef void tsr__reduce_finish(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param);

/* What an op computes in, and what it gives. */
typedef enum tsr__reduce_rule {
  TSR__REDUCE_SUMS,     /* the dtype of sums, from elements as they are */
  TSR__REDUCE_PRODUCTS, /* the dtype of sums, from elements of it */
  TSR__REDUCE_REALS,    /* the dtype of means */
  TSR__REDUCE_OWN,      /* the dtype of x */
  TSR__REDUCE_TRUTH,    /* bool, from whether elements are 0 */
  TSR__REDUCE_COUNTS    /* i64, from the same */
} tsr__reduce_rule;

/* The element that changes no result, which stands for those that do not count. */
typedef enum tsr__reduce_neutral {
  TSR__NEUTRAL_ZERO,
  TSR__NEUTRAL_ONE,
  TSR__NEUTRAL_MIN,
  TSR__NEUTRAL_MAX
} tsr__reduce_neutral;

/* What becomes of complex numbers (complex.c); the result is real but for the first two. */
typedef enum tsr__reduce_complex_way {
  TSR__COMPLEX_REFUSED,
  TSR__COMPLEX_BY_PARTS, /* the op of both parts */
  TSR__COMPLEX_PRODUCT,
  TSR__COMPLEX_ADDED, /* an op of both parts, added */
  TSR__COMPLEX_ROOT,  /* the root of that */
  TSR__COMPLEX_SIZES  /* the op of absolute values */
} tsr__reduce_complex_way;

/* One op: what its info has as its kernels. */
typedef struct tsr__reduce_op {
  const tsr__op_info *info;
  tsr__reduce_rule rule;
  tsr__reduce_neutral neutral;
  bool some; /* of nothing there is no result */
  struct {
    const tsr__reduce_kernel *const *tables[TSR__ISA_COUNT];
    tsr__reduce_finish *finish;
  } pass[2]; /* the second has no tables where there is one */
  tsr__reduce_complex_way complex_way;
  const struct tsr__reduce_op *of_parts; /* what is added */
} tsr__reduce_op;

/* The small call, or the frame. */
tsr_status tsr__reduction_run(tsr_ctx *ctx, const tsr__reduce_op *op, const tsr_tensor *x, int naxes, const int *axes,
                              bool keepdims, tsr_tensor *out);

/* Whether a call is of complex numbers, to be computed with; and all of it in a frame. terms: those of the attributes; with_power
 * as tsr__reduce has it. */
static inline bool tsr__reduces_complex(const tsr__call *call, const tsr__reduce_op *op) {
  const int dtype = call->in[0]->dtype;
  return op->complex_way != TSR__COMPLEX_REFUSED && tsr__item_classes[dtype & 31] == TSR_CLASS_COMPLEX;
}
tsr_status tsr__reduce_complex(tsr__call *call, const tsr__reduce_op *op, int naxes, const int *axes, bool keepdims,
                               tsr__reduce_terms terms, bool with_power);

/* In a frame: an op without attributes of its own. */
tsr_status tsr__reduction(tsr__call *call);

/* The op of a row, and its public function. */
#define TSR__REDUCE_FUNCTION(name)                                                                    \
  TSR__OP_ROW(name, reduction, tsr__reduction, &name##_op, TSR__OP_TELLS)                             \
  tsr_status tsr_##name(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, \
                        tsr_tensor *out) {                                                            \
    return tsr__reduction_run(ctx, &name##_op, x, naxes, axes, keepdims, out);                        \
  }

/* ---- a call that is about to run ---- */

typedef struct tsr__reduce_pass {
  const tsr__reduce_kernel *kernel;
  tsr__reduce_finish *finish; /* NULL: values are results */
} tsr__reduce_pass;

/* The reduced axes in logical order, slowest first; axes that are mergeable are one. At least one axis. */
typedef struct tsr__reduced {
  int ndim;
  tsr_index size; /* N */
  tsr_index length[TSR_MAX_DIMS];
  ptrdiff_t step[TSR_MAX_DIMS]; /* in bytes */
} tsr__reduced;

/* Elements that are made when they are wanted: x is dense, row-major, of the compute dtype, and its addresses are of no
 * memory. n elements from number first on, in the order of x, go to at. */
typedef struct tsr__produced {
  void (*make)(const struct tsr__produced *self, int worker, tsr_index first, tsr_index n, void *at);
  /* TSR__REDUCE_GROUP blocks from number first on, each into a state of a kernel with a stage; false: not these. */
  bool (*fold)(const struct tsr__produced *self, int worker, tsr_index first, const tsr__reduce_kernel *kernel,
               void *states);
} tsr__produced;

typedef struct tsr__reduce {
  const char *op;
  const tsr__reduce_op *of; /* whose kernels the passes have; NULL: they were chosen otherwise */
  const tsr_tensor *x;
  uint32_t axes; /* bit a: axis a is reduced */
  bool keepdims;
  int compute;   /* the dtype that kernels read; x is converted to it */
  int out_dtype; /* what the last pass's values are converted to */
  int passes;    /* 1, or 2: then the second has the results of the first as its param */
  tsr__reduce_pass pass[2];
  tsr__reduce_terms terms;
  bool with_power;               /* the power is the param of the first pass, for every output */
  const void *initial;           /* a value that is merged into every result of one pass; NULL: none */
  const tsr__produced *produced; /* NULL: x has its elements */
} tsr__reduce;

/* Checks the axes, and fills what r has of them. x is checked, normalised, and lives as long as r. naxes 0 with axes
 * NULL: all of them. */
tsr_status tsr__reduce_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                             bool keepdims, tsr__reduce *r);

/* The same for an op of one axis, or TSR_ALL_AXES. */
tsr_status tsr__reduce_begin_axis(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, bool keepdims,
                                  tsr__reduce *r);

/* The same with the dtypes and kernels of an op, which x is checked for; and for the first input of a call. */
tsr_status tsr__reduce_begin_as(tsr_ctx *ctx, const char *name, const tsr__reduce_op *op, const tsr_tensor *x,
                                int naxes, const int *axes, bool keepdims, tsr__reduce *r);
static inline tsr_status tsr__reduce_call_begin(const tsr__call *call, const tsr__reduce_op *op, int naxes,
                                                const int *axes, bool keepdims, tsr__reduce *r) {
  return tsr__reduce_begin_as(call->ctx, call->op, op, call->in[0], naxes, axes, keepdims, r);
}

/* The kernels of r->of for the context's instruction set and r->compute. */
void tsr__reduce_choose(const tsr_ctx *ctx, tsr__reduce *r);

/* In a frame: all from the output on. */
tsr_status tsr__reduce_call(tsr__call *call, const tsr__reduce *r);

/* The same in a frame of its own, for what other ops are made of: x is checked, and is no operand of that frame. */
tsr_status tsr__reduce_run(tsr_ctx *ctx, const tsr__reduce *r, tsr_tensor *out);

/* tsr_sum under another name, of another dtype than its own (TSR_NONE: that): one of the same kind, to which integers
 * wrap and floats are rounded. */
tsr_status tsr__sum_as(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                       int dtype, tsr_tensor *out);

/* Does all of a call that is small, contiguous and along the last axes; false: it is another, and nothing is done. */
bool tsr__reduce_small(tsr_ctx *ctx, const char *name, const tsr__reduce_op *op, const tsr_tensor *x, int naxes,
                       const int *axes, bool keepdims, tsr_tensor *out, tsr_status *status);

/* Refuses dtypes that have no order and no sum here: TSR_EDTYPE for complex ones and those left out of the build. */
tsr_status tsr__reduce_check_real(tsr_ctx *ctx, const tsr__reduce *r);

/* Refuses a reduction of nothing, for ops that have no result then: TSR_ESHAPE. */
tsr_status tsr__reduce_check_some(tsr_ctx *ctx, const tsr__reduce *r);

/* The dtype to compute with: f32 for smaller floats, u8 for bool, else dtype itself. */
int tsr__reduce_compute(int dtype);

/* The dtype of sums and products: floats keep theirs, unsigned integers give u64, other integers and bool i64. */
int tsr__reduce_sum_dtype(int dtype);

/* ---- the way through memory ---- */

typedef struct tsr__reduce_plan {
  tsr__loop kept; /* operand 0 is x, operand 1 the output; axis 0 is what tiles are cut from */
  tsr__reduced reduced;
  bool columns;
  bool few;        /* by columns: outputs of few elements */
  tsr_index width; /* outputs of a tile, but for the last of a row */
  tsr_index tiles; /* in a row of outputs */
  tsr_index tasks; /* tiles in all */
  tsr_index piece; /* elements of a piece, a power of two of blocks, where there are more workers than tiles and an
                       * output has many elements; else 0: the results are the same either way */
} tsr__reduce_plan;

/* Some outputs that are neighbours along the kept axis 0. */
typedef struct tsr__reduce_tile {
  const char *x; /* element 0 of the first output */
  char *out;
  tsr_index width;
  tsr_index first; /* the number of the first output */
} tsr__reduce_tile;

/* any_order: the reduced axes may be sorted, and flipped to run upwards. short_rows: the kernels have a way for many
 * outputs in short runs. workers: how many tasks are wanted at least. */
void tsr__reduce_plan_init(tsr__reduce_plan *plan, const tsr__reduce *r, const tsr_tensor *out, bool any_order,
                           bool short_rows, int workers);
tsr__reduce_tile tsr__reduce_tile_at(const tsr__reduce_plan *plan, tsr_index task);

/* Outputs in a tile by rows: their values lie on the stack. */
enum { TSR__REDUCE_ROW_TILE = TSR_HAVE_MALLOC ? 64 : 8, TSR__REDUCE_COLUMN_TILE = 4096 };

/* Elements that are worth a task. */
enum { TSR__REDUCE_TASK = 32768 };

/* Whether so many outputs of so many elements are a case for short.c. */
static inline bool tsr__reduce_is_short(tsr_index outputs, tsr_index elements) {
  return TSR__REDUCE_FAST && elements > 0 && elements <= TSR__REDUCE_SHORT && outputs >= TSR__REDUCE_SHORT_LEAST;
}

/* Whether so many contiguous elements are whole rows of lanes, which cost nothing to begin and little to end. */
static inline bool tsr__reduce_fills_lanes(tsr_index elements) { return elements % TSR__REDUCE_LANES == 0; }

/* The shape of the result. */
static inline void tsr__reduce_shape(const tsr__reduce *r, int *ndim, tsr_index *shape) {
  int n = 0;
  for (int i = 0; i < r->x->ndim; i++) {
    const bool gone = (r->axes >> i & 1) != 0;
    if (gone && !r->keepdims) continue;
    shape[n++] = gone ? 1 : r->x->shape[i];
  }
  *ndim = n;
}

/* ---- in a frame ---- */

/* What a call holds on to. */
typedef struct tsr__reduce_frame {
  tsr_index shape[TSR_MAX_DIMS];
  tsr__result result;
  tsr__reduce r;   /* to be run: its x may be the copy */
  tsr_tensor copy; /* of the input, where it overlaps the output */
} tsr__reduce_frame;

/* The output. */
tsr_status tsr__reduce_result(tsr__call *call, const tsr__reduce *r, tsr__reduce_frame *frame);

/* The output, and memory for a copy of x where the two overlap, which tsr__reduce_start fills. */
tsr_status tsr__reduce_output(tsr__call *call, const tsr__reduce *r, tsr__reduce_frame *frame);
tsr_status tsr__reduce_start(const tsr__call *call, const tsr__reduce *r, const tsr__reduce_frame *frame);

/* A tensor without memory that is row-major and of the result's shape. */
tsr_tensor tsr__reduce_result_as(const tsr__reduce *r, int dtype);

/* The temporary bytes that r needs, and its run with as many. out is checked. */
size_t tsr__reduce_bytes(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out);
void tsr__reduce_into(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out, void *memory);

#endif
