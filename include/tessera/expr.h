/** @file expr.h
 *  Expressions: a line of mathematics as text, one call. Where ops by name are configured out (TSR_HAVE_OPS 0, as on the mcu
 *  profile) this header declares nothing.
 *
 *      st = tsr_eval(ctx, "gelu(a*b + c)", TSR_NAMED({"a", &x}, {"b", &w}, {"c", &bias}), &out);
 *
 *  The language is what NumPy has: + - * / // % ** @, comparisons (chained ones too), & | ^ ~ << >>, and or not, x if c else y,
 *  slices, .T, casts f16(x), and every op of <tessera/registry.h> by its name: sum(x*y, axis=1, keepdims=True). Lines before the
 *  last assign: "d = a - b; sqrt(sum(d*d, axis=-1))". docs/expressions.md has the grammar and the rules.
 *
 *  The text becomes a program (<tessera/program.h>) of plain calls: dtypes, shapes, broadcasting and refusals are those of the ops.
 *  Numbers in the text have no dtype of their own: they take that of the tensor they meet, and arithmetic among them is in 64-bit
 *  integers and double.
 *
 *  An empty output is allocated, a given one is written into; it may overlap inputs, which are then the values before the call. A
 *  failure leaves it as it was, and its message has the column: "eval: column 3: b [5] does not broadcast with a [3,4]". */
#ifndef TESSERA_EXPR_H
#define TESSERA_EXPR_H

#include <tessera/program.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
#include <initializer_list>
extern "C" {
#endif

#if TSR_HAVE_OPS

/** What a text may be at most: its bytes, what is open at once (brackets and operators that wait for their right side), the
 *  operands, operators and calls in it, and the names that are bound. More is TSR_ELIMIT. */
enum { TSR_EXPR_BYTES = 65535, TSR_EXPR_DEPTH = 200, TSR_EXPR_STEPS = 8192, TSR_EXPR_NAMES = 64 };

/** A name of an expression and what it is: a tensor, or TSR_NUMBER(0.5). */
typedef struct tsr_named {
  const char *name;
  const tsr_tensor *tensor;
} tsr_named;

/** In flags of a tensor of rank 0: a number without a dtype of its own, as if it stood in the text. Expressions alone look at it. */
#define TSR_IS_NUMBER 128

#ifndef __cplusplus
/** The count of names and the list, as two arguments. For none write `0, NULL`. */
#define TSR_NAMED(...) \
  (int)(sizeof((const tsr_named[]){__VA_ARGS__}) / sizeof(tsr_named)), ((const tsr_named[]){__VA_ARGS__})

/** A number to bind: {"k", TSR_NUMBER(3)}; whole where its C type is. It is part of what an expression is compiled for: one that
 *  is another at every run is better a tensor of rank 0. */
#define TSR_NUMBER(value)                                      \
  (&(const tsr_tensor){                                        \
      .dtype = (uint8_t)TSR__IF_REAL(value, TSR_F64, TSR_I64), \
      .flags = TSR_IS_NUMBER,                                  \
      .data = TSR__IF_REAL(value, (void *)&(double){(double)(value)}, (void *)&(int64_t){(int64_t)(value)})})
/** @cond internal */
#define TSR__IF_REAL(value, real, whole) _Generic((value), float : (real), double : (real), default : (whole))
/** @endcond */
#endif

/** A text that was compiled. Used by one thread at a time; several expressions may run on several threads at once. */
typedef struct tsr_expr tsr_expr;

/** Compiles text, which is copied, with memory from the context's allocator. What is wrong whatever its names stand for is refused
 *  here: TSR_EFORMAT (grammar), TSR_ENAME (an op that there is not; the message has the nearest), TSR_ELIMIT. */
TSR_API TSR_MUST_USE tsr_status tsr_expr_new(tsr_ctx *ctx, const char *text, tsr_expr **expr);

/** Runs it. The first run with tensors of these dtypes, shapes and strides types the text for them; the four sets that were used
 *  last are kept, and a run with one of them is the computation alone. Names in another order are fine, names that the text does
 *  not have too. TSR_ENAME: one that it has is not there; TSR_EARG: one is given twice, or NULL. Everything else is the ops'. */
TSR_API TSR_MUST_USE tsr_status tsr_expr_run(tsr_ctx *ctx, tsr_expr *expr, int names, const tsr_named *named,
                                             tsr_tensor *out);

/** Whether results of f16, bf16 and f8 between its ops stay in f32 where they are computed together, from the next run on: faster, and no
 *  longer the bits of the calls one by one. It is off at first. */
TSR_API void tsr_expr_keep_wide(tsr_expr *expr, bool on);

/** Ends it. NULL is fine. */
TSR_API void tsr_expr_release(tsr_expr *expr);

/** Both in one: for a text that is run once. */
TSR_API TSR_MUST_USE tsr_status tsr_eval(tsr_ctx *ctx, const char *text, int names, const tsr_named *named,
                                         tsr_tensor *out);

/** Describes the result with these tensors in *out (dtype and shape; nothing is computed, and it has no memory), and says whether it can be
 *  computed part by part along one of its axes: *can. Then part [first, first + n) of that axis is the run with the same part of
 *  every name whose cut is not -1, along axis cut of it, and with all of the other ones; the bits are those of the whole. So tensors that are
 *  larger than memory are computed as they are read. cut has room for all names of the text, and is in their order
 *  (tsr_expr_name_at). TSR_EUNSUPPORTED where a size depends on data, or the text gives a number; tensors are the host's. */
TSR_API TSR_MUST_USE tsr_status tsr_expr_parts(tsr_ctx *ctx, tsr_expr *expr, int names, const tsr_named *named,
                                               int axis, tsr_tensor *out, int *cut, bool *can);

/** Name number i that has to be bound, in the order of the text; NULL past the last. */
TSR_API const char *tsr_expr_name_at(const tsr_expr *expr, int i);

/** The program of the last run, to look at (tsr_program_format, tsr_program_memory); NULL before the first, and where the calls were
 *  made one by one: a size depends on data, or tensors are on several devices. It is the expression's. */
TSR_API const tsr_program *tsr_expr_program(const tsr_expr *expr);

#endif

#ifdef __cplusplus
}

#if TSR_HAVE_OPS
#define TSR_NAMED(...)                                                    \
  static_cast<int>(std::initializer_list<tsr_named>{__VA_ARGS__}.size()), \
      (std::initializer_list<tsr_named>{__VA_ARGS__}.begin())

/** @cond internal */
/* Lives until the end of the full expression, as the list does that it is in. */
struct tsr__number {
  tsr_tensor tensor = TSR_EMPTY;
  double real = 0;
  int64_t whole = 0;
  template <typename T>
  explicit tsr__number(T value) : real(static_cast<double>(value)), whole(static_cast<int64_t>(value)) {
    const bool is_real = std::is_floating_point<T>::value;
    tensor.dtype = static_cast<uint8_t>(is_real ? TSR_F64 : TSR_I64);
    tensor.flags = TSR_IS_NUMBER;
    tensor.data = is_real ? static_cast<void *>(&real) : static_cast<void *>(&whole);
  }
  tsr__number(const tsr__number &) = delete;
  tsr__number &operator=(const tsr__number &) = delete;
  operator const tsr_tensor *() const { return &tensor; }
};
/** @endcond */
#define TSR_NUMBER(value) (tsr__number(value))
#endif
#endif

#endif
