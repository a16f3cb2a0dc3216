/* Random calls of any op by its name, and the memory that they are made in: what the tests of all ops share.
 *
 * A case is an op with the values of its inputs and attributes. A run is a case in memory: where each tensor lies, how
 * many threads, which instruction set; two runs of one case must agree as the op's class says. */
#ifndef TSR_TEST_OP_CASE_H
#define TSR_TEST_OP_CASE_H

#include "support/helpers.h"

#if TSR_HAVE_OPS

enum { OP_INPUTS = 12, OP_OUTPUTS = 6, OP_ATTRS = 16, OP_NUMBERS = 64, OP_TEXT = 48 };

/* What is particular to an op: its results are views of the input, or rebind it; they depend on strides, so that only
 * contiguous inputs can be compared; they are not initialised; an output that overlaps an input is refused; of zeros of
 * both signs either may come out. */
enum { OP_VIEWS = 1, OP_BY_STRIDES = 2, OP_UNSET = 4, OP_REFUSES = 8, OP_ANY_ZERO = 16 };

/* How close results are across instruction sets. A: the same bits everywhere. B: the same bits for all layouts, threads
 * and sets with fused multiply-add; the base set within some ULP (B) or of what is relative to the largest (N). C: the
 * same bits for threads; layouts and sets within what rounding makes of a sum of products. */
typedef enum op_object_kind {
  OP_NO_OBJECT,
  OP_PACKED,
  OP_CONV_PACKED,
  OP_QDENSE,
  OP_QCONV,
  OP_QDENSE_I4,
  OP_QCONV_I4,
  OP_QCONV_T
} op_object_kind;

typedef struct op_case {
  const tsr_op *op;
  char class_; /* 'A', 'B', 'N', 'C' */
  unsigned flags;
  uint64_t seed;
  double terms; /* of class C: how many products are added up, at most */
  int inputs, attrs, outputs;
  tsr_tensor in[OP_INPUTS];     /* row-major, contiguous; of no dtype: left out */
  unsigned repeats[OP_INPUTS];  /* axes along which the values are all the same */
  tsr_tensor given[OP_OUTPUTS]; /* what an output that must be given holds; of no dtype: it may be empty */
  tsr_attr attr[OP_ATTRS];
  int n_ints, n_reals;
  tsr_index ints[OP_NUMBERS];
  tsr_real reals[OP_NUMBERS];
  char text[OP_TEXT];
  op_object_kind object;    /* an attribute is one: it is packed for every call */
  tsr_tensor weights, bias; /* of it */
} op_case;

/* The struct of packed weights that a case has as an attribute: op_objects.def. */
typedef struct op_object {
  union {
    tsr_packed packed;
    tsr_conv_packed conv_packed;
    tsr_qlayer qlayer;
  };
} op_object;

/* Makes it for calls with ctx on x, puts it among attributes, and gives its memory back. */
tsr_status op_pack(tsr_ctx *ctx, const op_case *c, const tsr_tensor *x, op_object *o);
void op_set_object(const op_case *c, const op_object *o, tsr_attr *attrs);
void op_unpack(const op_case *c, op_object *o);
/* Moves its tensors to a device; then op_unsend takes the place of op_unpack. */
tsr_status op_send(const op_case *c, const tsr_device *device, op_object *o);
void op_unsend(const op_case *c, op_object *o);
const char *op_object_body(const op_case *c); /* the same as text */

/* A case of op number i; size 0: a few elements, 1: some hundreds, 2: more than threads are started
 * for, 3: much more, 4: more than caches hold. */
void op_case_init(op_case *c, int i, uint64_t seed, int size);
/* The same with inputs of a dtype, where the op takes it. */
void op_case_init_of(op_case *c, int i, uint64_t seed, int size, int dtype);
void op_case_release(op_case *c);

/* ---- where a tensor lies ---- */

typedef enum op_layout {
  OP_DENSE,    /* row-major, no gaps */
  OP_OFFSET,   /* the same, not where vectors are aligned */
  OP_GAPS,     /* steps between elements */
  OP_REVERSED, /* every axis backwards */
  OP_PERMUTED, /* axes in another order */
  OP_REPEATED, /* stride 0 along axes that repeat */
  OP_MIXED,    /* any of that for every axis */
  OP_LAYOUTS
} op_layout;

/* Strides, the element of the buffer that index 0 is, and how many elements the buffer has. */
typedef struct op_place {
  tsr_index stride[TSR_MAX_DIMS];
  tsr_index first, elements;
} op_place;

op_place op_place_of(test_rng *rng, op_layout layout, int ndim, const tsr_index *shape, unsigned repeats);

/* ---- a case in memory ---- */

typedef struct op_buffer {
  unsigned char *bytes, *before; /* as the call left it, and as it found it */
  size_t size;
} op_buffer;

typedef struct op_run {
  const op_case *c;
  const char *isa;
  int threads;
  const tsr_device *
      device; /* NULL: the host; op_test_device at first. The buffers are moved there for the call, and back after it */
  int buffers;
  op_buffer buffer[OP_INPUTS + OP_OUTPUTS];
  int in_at[OP_INPUTS], out_at[OP_OUTPUTS]; /* which buffer; -1: none, an empty output */
  tsr_tensor in[OP_INPUTS], out[OP_OUTPUTS];
  tsr_tensor start[OP_OUTPUTS]; /* the outputs before the call */
  int same;                     /* the input whose struct is output 0 too; -1: none */
  tsr_rng rng;
  tsr_status status;
  char error[200];
  tsr_tensor left[OP_OUTPUTS];   /* as the call left the outputs; their memory is gone where they own it */
  tsr_tensor result[OP_OUTPUTS]; /* row-major, contiguous */
} op_run;

void op_run_init(op_run *r, const op_case *c, const char *isa, int threads);
int op_run_buffer(op_run *r, size_t size); /* filled with a pattern */
void op_run_place(op_run *r, int input, int buffer, const op_place *place, size_t offset);
void op_run_place_out(op_run *r, int output, int buffer, const tsr_tensor *shape, const op_place *place, size_t offset);
/* Each in a buffer of its own. */
void op_run_lay(op_run *r, test_rng *rng, int input, op_layout layout);
void op_run_lay_out(op_run *r, test_rng *rng, int output, const tsr_tensor *shape, op_layout layout);
void op_run_call(op_run *r);
void op_run_release(op_run *r);

/* TSR_TEST_DEVICE=cuda:0 in the environment: the device on which tests of all ops make their calls. NULL: the host. The second:
 * whether an op can be called there. */
const tsr_device *op_test_device(void);
bool op_is_there(int op);

/* Around a call on a device: moves the buffers there, so that operands lie in them as they did; and back, with the outputs, which
 * the host can read then. The status that is the call's: what it found in its data is said when it is waited for. */
tsr_status op_device_begin(op_run *r, tsr_tensor *whole);
tsr_status op_device_end(op_run *r, tsr_tensor *whole, tsr_status status);

/* Whether no byte was written that belongs to no output; of a call that failed: none at all. */
bool op_run_is_tidy(const op_run *r);

/* How two runs differ; NULL: they agree. other_isa: one of them has no fused multiply-add. other_layout: strides
 * differ. */
const char *op_difference(const op_run *a, const op_run *b, bool other_isa, bool other_layout);

/* A C program that makes both calls and prints both results, 0 when they are the same. */
void op_print_program(const op_run *a, const op_run *b);

/* ---- seeds and time, by the environment: TSR_TORTURE_SECONDS, TSR_TORTURE_SEED, TSR_TORTURE_FAULT ---- */

/* How often each op is tried where it is a test, by how fast programs run. */
#if defined(TSR_EMULATED) || defined(__SANITIZE_THREAD__)
enum { OP_ROUNDS = 1 };
#else
enum { OP_ROUNDS = 12 };
#endif

typedef struct op_counts {
  long ops, pairs, calls, comparisons, failures, refused;
  double said;
} op_counts;

double op_seconds(void); /* to run for; 0: once */
uint64_t op_seed(void);
double op_now(void);
/* Prints what differs, and of the first difference a program; ends a run that is bounded by time. */
void op_report(op_counts *n, const op_run *want, const op_run *got, const char *what, const char *difference);
void op_progress(op_counts *n, const char *test);

#endif
#endif
