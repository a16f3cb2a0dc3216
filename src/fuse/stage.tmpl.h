/* The stages of one float type. A block is four vectors, so that eight hold the top and what is below, which is as many as
 * are passed in registers.
 *
 * An op's value is a function of numbers. Its loop over the lanes of a vector becomes instructions on registers: both compilers
 * see through the arrays. */
#if C_BITS == 32
#define V tsr__vf32
#define V_ANY tsr__vf32_any
#define MASK uint32_t
#define MATH(name) name##f
#else
#define V tsr__vf64
#define V_ANY tsr__vf64_any
#define MASK uint64_t
#define MATH(name) name
#endif

#include "ops/binary/numbers.tmpl.h"
#include "ops/ternary/numbers.tmpl.h"

enum { FN(LANES) = TSR__VEC_BYTES / (int)sizeof(C) };

/* ---- the lanes of vectors ---- */

TSR__ALWAYS_INLINE V FN(lanes_1)(V a, C (*const value)(C)) {
  C x[FN(LANES)], z[FN(LANES)];
  V result;
  memcpy(x, &a, sizeof x);
  for (int i = 0; i < FN(LANES); i++) z[i] = value(x[i]);
  memcpy(&result, z, sizeof result);
  return result;
}

TSR__ALWAYS_INLINE V FN(lanes_2)(V a, V b, C (*const value)(C, C)) {
  C x[FN(LANES)], y[FN(LANES)], z[FN(LANES)];
  V result;
  memcpy(x, &a, sizeof x);
  memcpy(y, &b, sizeof y);
  for (int i = 0; i < FN(LANES); i++) z[i] = value(x[i], y[i]);
  memcpy(&result, z, sizeof result);
  return result;
}

/* A mask: lanes whose bits are all set or all clear. */
TSR__ALWAYS_INLINE V FN(tests_2)(V a, V b, bool (*const value)(C, C)) {
  C x[FN(LANES)], y[FN(LANES)];
  MASK z[FN(LANES)];
  V result;
  memcpy(x, &a, sizeof x);
  memcpy(y, &b, sizeof y);
  for (int i = 0; i < FN(LANES); i++) z[i] = value(x[i], y[i]) ? (MASK)-1 : 0;
  memcpy(&result, z, sizeof result);
  return result;
}

TSR__ALWAYS_INLINE V FN(lanes_3)(V a, V b, V c, C (*const value)(C, C, C)) {
  C x[FN(LANES)], y[FN(LANES)], w[FN(LANES)], z[FN(LANES)];
  V result;
  memcpy(x, &a, sizeof x);
  memcpy(y, &b, sizeof y);
  memcpy(w, &c, sizeof w);
  for (int i = 0; i < FN(LANES); i++) z[i] = value(x[i], y[i], w[i]);
  memcpy(&result, z, sizeof result);
  return result;
}

TSR__ALWAYS_INLINE V FN(choices_3)(V a, V b, V c, C (*const value)(MASK, C, C)) {
  MASK x[FN(LANES)];
  C y[FN(LANES)], w[FN(LANES)], z[FN(LANES)];
  V result;
  memcpy(x, &a, sizeof x);
  memcpy(y, &b, sizeof y);
  memcpy(w, &c, sizeof w);
  for (int i = 0; i < FN(LANES); i++) z[i] = value(x[i], y[i], w[i]);
  memcpy(&result, z, sizeof result);
  return result;
}

/* ---- memory ---- */

TSR__ALWAYS_INLINE V FN(load_same)(const char *at) { return *(const V_ANY *)(const void *)at; }
TSR__ALWAYS_INLINE void FN(store_same)(char *at, V v) { *(V_ANY *)(void *)at = v; }

TSR__ALWAYS_INLINE V FN(load_bool)(const char *at) {
  MASK z[FN(LANES)];
  V result;
  for (int i = 0; i < FN(LANES); i++) z[i] = at[i] != 0 ? (MASK)-1 : 0;
  memcpy(&result, z, sizeof result);
  return result;
}
TSR__ALWAYS_INLINE void FN(store_bool)(char *at, V v) {
  MASK x[FN(LANES)];
  memcpy(x, &v, sizeof x);
  for (int i = 0; i < FN(LANES); i++) at[i] = (char)(x[i] & 1);
}

#if C_BITS == 32 && TSR_HAVE_SMALL_FLOATS
#if TSR__VEC_F16
TSR__ALWAYS_INLINE V FN(load_f16)(const char *at) { return tsr__vf32_from_f16(at); }
TSR__ALWAYS_INLINE void FN(store_f16)(char *at, V v) { tsr__vf32_to_f16(at, v); }
#else
#define NARROW f16
#include "fuse/narrow.tmpl.h"
#endif
#define NARROW bf16
#include "fuse/narrow.tmpl.h"
#endif

/* ---- stages ---- */

typedef void FN(stage_fn)(TSR__STAGE_ARGUMENTS(V));

/* The top is a0 … a3, what is below b0 … b3. */
#define ARGUMENTS TSR__STAGE_ARGUMENTS(V)
#define NEXT ((FN(stage_fn) *)s[1].run)(s + 1, i, a0, a1, a2, a3, b0, b1, b2, b3)
#define STAGE(name, z0, z1, z2, z3)  \
  static void FN(name)(ARGUMENTS) {  \
    const V r0 = (z0), r1 = (z1), r2 = (z2), r3 = (z3); \
    a0 = r0, a1 = r1, a2 = r2, a3 = r3;                 \
    NEXT;                                               \
  }

#define PUSH_STAGE(name, z0, z1, z2, z3) \
  static void FN(name)(ARGUMENTS) {      \
    b0 = a0, b1 = a1, b2 = a2, b3 = a3;  \
    a0 = (z0), a1 = (z1), a2 = (z2), a3 = (z3); \
    NEXT;                                \
  }

/* Vector k of a block in memory, of items of so many bytes; and one number for all. Of two operands there both are. */
#define AT(k, item) (s->at[0] + (i + (k)*FN(LANES)) * (ptrdiff_t)(item))
#define MEMORY(k) FN(load_same)(AT(k, sizeof(C)))
#define SPLAT(k) (*(const C *)(const void *)s->at[0] - (V){0})
#define MEMORY_2(k) FN(load_same)(s->at[1] + (i + (k)*FN(LANES)) * (ptrdiff_t)sizeof(C))
#define SPLAT_2(k) (*(const C *)(const void *)s->at[1] - (V){0})
#define TOP(k) a##k
#define BELOW(k) b##k

#define FORM_1(kind, op, form, x)                                                                           \
  kind(op##_##form, FN(lanes_1)(x(0), FN(tsr__##op)), FN(lanes_1)(x(1), FN(tsr__##op)),                     \
       FN(lanes_1)(x(2), FN(tsr__##op)), FN(lanes_1)(x(3), FN(tsr__##op)))
#if BEGINNINGS
#define UNARY(op, ...)              \
  FORM_1(STAGE, op, top, TOP)       \
  FORM_1(STAGE, op, memory, MEMORY) \
  FORM_1(PUSH_STAGE, op, push_memory, MEMORY)
#else
#define UNARY(op, ...) FORM_1(STAGE, op, top, TOP)
#endif

#define FORM_2(kind, op, form, lanes, x, y)                                                                 \
  kind(op##_##form, FN(lanes)(x(0), y(0), FN(op##_value)), FN(lanes)(x(1), y(1), FN(op##_value)),           \
       FN(lanes)(x(2), y(2), FN(op##_value)), FN(lanes)(x(3), y(3), FN(op##_value)))
#define REGISTER_FORMS(op, lanes) \
  FORM_2(STAGE, op, top_memory, lanes, TOP, MEMORY) \
  FORM_2(STAGE, op, memory_top, lanes, MEMORY, TOP) \
  FORM_2(STAGE, op, top_splat, lanes, TOP, SPLAT) \
  FORM_2(STAGE, op, splat_top, lanes, SPLAT, TOP) \
  FORM_2(STAGE, op, top_below, lanes, TOP, BELOW) \
  FORM_2(STAGE, op, below_top, lanes, BELOW, TOP)
#if BEGINNINGS
#define FORMS(op, lanes) \
  REGISTER_FORMS(op, lanes) \
  FORM_2(STAGE, op, memory_memory, lanes, MEMORY, MEMORY_2) \
  FORM_2(STAGE, op, memory_splat, lanes, MEMORY, SPLAT_2) \
  FORM_2(STAGE, op, splat_memory, lanes, SPLAT, MEMORY_2) \
  FORM_2(PUSH_STAGE, op, push_memory_memory, lanes, MEMORY, MEMORY_2) \
  FORM_2(PUSH_STAGE, op, push_memory_splat, lanes, MEMORY, SPLAT_2) \
  FORM_2(PUSH_STAGE, op, push_splat_memory, lanes, SPLAT, MEMORY_2)
#else
#define FORMS REGISTER_FORMS
#endif
#define BINARY(op, rule, weight, value) BINARY_MORE(op, rule, weight, value, )
#define BINARY_MORE(op, rule, weight, value, more)                     \
  static inline C FN(op##_value)(C a, C b) { return (C)(value); }      \
  FORMS(op, lanes_2)
#define TEST(op, rule, weight, value)                                  \
  static inline bool FN(op##_value)(C a, C b) { return value; }        \
  FORMS(op, tests_2)
#define SWAPPED(op, rule, weight, other)                                              \
  static inline bool FN(op##_value)(C a, C b) { return FN(other##_value)(b, a); }     \
  FORMS(op, tests_2)

#define FORM_3(op, form, lanes, y, w)                                                                              \
  STAGE(op##_##form, FN(lanes)(a0, y(0), w(0), FN(op##_value)), FN(lanes)(a1, y(1), w(1), FN(op##_value)),         \
        FN(lanes)(a2, y(2), w(2), FN(op##_value)), FN(lanes)(a3, y(3), w(3), FN(op##_value)))
#define FORMS_3(op, lanes)                              \
  FORM_3(op, memory_memory, lanes, MEMORY, MEMORY_2)    \
  FORM_3(op, memory_splat, lanes, MEMORY, SPLAT_2)      \
  FORM_3(op, memory_below, lanes, MEMORY, BELOW)        \
  FORM_3(op, splat_memory, lanes, SPLAT, MEMORY_2)      \
  FORM_3(op, splat_splat, lanes, SPLAT, SPLAT_2)        \
  FORM_3(op, splat_below, lanes, SPLAT, BELOW)          \
  FORM_3(op, below_memory, lanes, BELOW, MEMORY_2)      \
  FORM_3(op, below_splat, lanes, BELOW, SPLAT_2)
#define TERNARY(op, rule, weight, value)                                  \
  static inline C FN(op##_value)(C a, C b, C c) { return (C)(value); }    \
  FORMS_3(op, lanes_3)
#define CHOICE(op, rule, weight, value)                                    \
  static inline C FN(op##_value)(MASK a, C b, C c) { return (C)(value); }  \
  FORMS_3(op, choices_3)

#define TSR__STAGE_UNARY UNARY
#define TSR__STAGE_BINARY BINARY
#define TSR__STAGE_BINARY_MORE BINARY_MORE
#define TSR__STAGE_TEST TEST
#define TSR__STAGE_SWAPPED SWAPPED
#define TSR__STAGE_TERNARY TERNARY
#define TSR__STAGE_CHOICE CHOICE
#include "fuse/stages.def"

/* Loads, also with what was the top going below; one number for all by the load of a vector that has it in every lane. */
#define LOADS(format, item)                                                                                          \
  STAGE(format##_load, FN(load_##format)(AT(0, item)), FN(load_##format)(AT(1, item)), FN(load_##format)(AT(2, item)), \
        FN(load_##format)(AT(3, item)))                                                                              \
  static void FN(format##_push)(ARGUMENTS) {                                                                         \
    b0 = a0, b1 = a1, b2 = a2, b3 = a3;                                                                              \
    FN(format##_load)(s, i, a0, a1, a2, a3, b0, b1, b2, b3);                                                         \
  }                                                                                                                  \
  static inline V FN(format##_for_all)(const tsr__stage *s) {                                                        \
    char lanes[TSR__VEC_BYTES];                                                                                      \
    for (int k = 0; k < FN(LANES); k++) memcpy(lanes + k * (int)(item), s->at[0], item);                             \
    return FN(load_##format)(lanes);                                                                                 \
  }                                                                                                                  \
  static void FN(format##_splat)(ARGUMENTS) {                                                                        \
    a0 = a1 = a2 = a3 = FN(format##_for_all)(s);                                                                     \
    NEXT;                                                                                                            \
  }                                                                                                                  \
  static void FN(format##_push_splat)(ARGUMENTS) {                                                                   \
    b0 = a0, b1 = a1, b2 = a2, b3 = a3;                                                                              \
    a0 = a1 = a2 = a3 = FN(format##_for_all)(s);                                                                     \
    NEXT;                                                                                                            \
  }
#define STORE(format, item)                   \
  static void FN(format##_store_last)(ARGUMENTS) { \
    (void)b0, (void)b1, (void)b2, (void)b3;   \
    FN(store_##format)(AT(0, item), a0);      \
    FN(store_##format)(AT(1, item), a1);      \
    FN(store_##format)(AT(2, item), a2);      \
    FN(store_##format)(AT(3, item), a3);      \
  }                                           \
  static void FN(format##_store)(ARGUMENTS) { \
    FN(store_##format)(AT(0, item), a0);      \
    FN(store_##format)(AT(1, item), a1);      \
    FN(store_##format)(AT(2, item), a2);      \
    FN(store_##format)(AT(3, item), a3);      \
    NEXT;                                     \
  }
#define ROUND(format)                                              \
  TSR__ALWAYS_INLINE V FN(rounded_##format)(V v) {                 \
    char lanes[TSR__VEC_BYTES];                                    \
    FN(store_##format)(lanes, v);                                  \
    return FN(load_##format)(lanes);                               \
  }                                                                \
  STAGE(format##_round, FN(rounded_##format)(a0), FN(rounded_##format)(a1), FN(rounded_##format)(a2), \
        FN(rounded_##format)(a3))

LOADS(same, sizeof(C))
STORE(same, sizeof(C))
LOADS(bool, 1)
STORE(bool, 1)
#if C_BITS == 32 && TSR_HAVE_SMALL_FLOATS
LOADS(f16, 2)
STORE(f16, 2)
ROUND(f16)
LOADS(bf16, 2)
STORE(bf16, 2)
ROUND(bf16)
#endif

static void FN(copy_stage)(ARGUMENTS) {
  b0 = a0, b1 = a1, b2 = a2, b3 = a3;
  NEXT;
}

/* Asks for a block of an operand, which may be past its end: nothing is read. */
TSR__ALWAYS_INLINE void FN(ask)(const tsr__stage *s, int k, ptrdiff_t i) {
  const uintptr_t at = (uintptr_t)s->at[k] + (uintptr_t)(i * s->step[k]);
  for (uintptr_t v = 0; v < 4 * TSR__VEC_BYTES; v += 64) __builtin_prefetch((const char *)(at + v), 0, 2);
}
static void FN(ahead_1)(ARGUMENTS) {
  FN(ask)(s, 0, i);
  NEXT;
}
static void FN(ahead_2)(ARGUMENTS) {
  FN(ask)(s, 0, i);
  FN(ask)(s, 1, i);
  NEXT;
}

#if TSR__VEC_STREAMS
TSR__ALWAYS_INLINE void FN(store_stream)(char *at, V v) { tsr__vu8_stream(at, (tsr__vu8)v); }
STORE(stream, sizeof(C))
#endif

static void FN(run_program)(const tsr__stage *program, tsr_index first, tsr_index last) {
  const V zero = {0};
  FN(stage_fn) *const run = (FN(stage_fn) *)program->run;
  const tsr_index block = 4 * FN(LANES), final = last - block;
  tsr_index i = first;
  for (; i <= final; i += block) run(program, (ptrdiff_t)i, zero, zero, zero, zero, zero, zero, zero, zero);
  if (i < last) run(program, (ptrdiff_t)final, zero, zero, zero, zero, zero, zero, zero, zero);
}

static void FN(run_side_by_side)(const tsr__stage *program, tsr_index first, int rows, tsr_index row) {
  const V zero = {0};
  FN(stage_fn) *const run = (FN(stage_fn) *)program->run;
  for (tsr_index i = 0; i < row; i += 4 * FN(LANES))
    for (int k = 0; k < rows; k++)
      run(program, (ptrdiff_t)(first + k * row + i), zero, zero, zero, zero, zero, zero, zero, zero);
}

/* ---- the table ---- */

#define FN_OF(name) (tsr__stage_fn *)FN(name)
#define LOADS_OF(format)                                                         \
  {{FN_OF(format##_load), FN_OF(format##_push)}, {FN_OF(format##_splat), FN_OF(format##_push_splat)}}
#define STORES_OF(format) {FN_OF(format##_store), FN_OF(format##_store_last)}
#if BEGINNINGS
#define BEGINNINGS_OF(op)                                                                               \
  , FN_OF(op##_memory_memory), FN_OF(op##_memory_splat), FN_OF(op##_splat_memory),                      \
      FN_OF(op##_push_memory_memory), FN_OF(op##_push_memory_splat), FN_OF(op##_push_splat_memory)
#define FORMS_1_OF(op, ...) [TSR__STAGE_##op] = {FN_OF(op##_top), FN_OF(op##_memory), FN_OF(op##_push_memory)},
#else
#define BEGINNINGS_OF(op)
#define FORMS_1_OF(op, ...) [TSR__STAGE_##op] = {FN_OF(op##_top)},
#endif
#define FORMS_OF(op, ...)                                                                                            \
  [TSR__STAGE_##op] = {FN_OF(op##_top_memory), FN_OF(op##_memory_top), FN_OF(op##_top_splat), FN_OF(op##_splat_top), \
                       FN_OF(op##_top_below), FN_OF(op##_below_top) BEGINNINGS_OF(op)},
#define FORMS_3_OF(op, ...)                                                                                         \
  [TSR__STAGE_##op] = {FN_OF(op##_memory_memory), FN_OF(op##_memory_splat), FN_OF(op##_memory_below),               \
                       FN_OF(op##_splat_memory), FN_OF(op##_splat_splat), FN_OF(op##_splat_below),                  \
                       FN_OF(op##_below_memory), FN_OF(op##_below_splat)},

const tsr__stages TSR__ISA_NAME(FN(tsr__stages)) = {
    .block = 4 * FN(LANES),
    .run = FN(run_program),
    .run_side_by_side = FN(run_side_by_side),
    .load = {[TSR__FORMAT_SAME] = LOADS_OF(same),
             [TSR__FORMAT_BOOL] = LOADS_OF(bool),
#if C_BITS == 32 && TSR_HAVE_SMALL_FLOATS
             [TSR__FORMAT_F16] = LOADS_OF(f16),
             [TSR__FORMAT_BF16] = LOADS_OF(bf16)},
    .round = {[TSR__FORMAT_F16] = FN_OF(f16_round), [TSR__FORMAT_BF16] = FN_OF(bf16_round)},
    .store = {[TSR__FORMAT_F16] = STORES_OF(f16),
              [TSR__FORMAT_BF16] = STORES_OF(bf16),
#else
    },
    .store = {
#endif
              [TSR__FORMAT_SAME] = STORES_OF(same), [TSR__FORMAT_BOOL] = STORES_OF(bool)},
#if TSR__VEC_STREAMS
    .stream = STORES_OF(stream),
#endif
    .ahead = {FN_OF(ahead_1), FN_OF(ahead_2)},
    .copy = FN_OF(copy_stage),
    .op =
        {
#define TSR__STAGE_UNARY FORMS_1_OF
#define TSR__STAGE_BINARY FORMS_OF
#define TSR__STAGE_TEST FORMS_OF
#define TSR__STAGE_SWAPPED FORMS_OF
#define TSR__STAGE_TERNARY FORMS_3_OF
#define TSR__STAGE_CHOICE FORMS_3_OF
#include "fuse/stages.def"
        },
};

#undef V
#undef V_ANY
#undef MASK
#undef MATH
#undef ARGUMENTS
#undef NEXT
#undef STAGE
#undef PUSH_STAGE
#undef AT
#undef MEMORY
#undef SPLAT
#undef MEMORY_2
#undef SPLAT_2
#undef TOP
#undef BELOW
#undef FORM_1
#undef UNARY
#undef FORM_2
#undef REGISTER_FORMS
#undef FORMS
#undef BINARY
#undef BINARY_MORE
#undef TEST
#undef SWAPPED
#undef FORM_3
#undef FORMS_3
#undef TERNARY
#undef CHOICE
#undef LOADS
#undef STORE
#undef ROUND
#undef FN_OF
#undef LOADS_OF
#undef STORES_OF
#undef BEGINNINGS_OF
#undef FORMS_1_OF
#undef FORMS_OF
#undef FORMS_3_OF
