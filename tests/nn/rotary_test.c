/* Rotary embedding: against pairs turned one by one in f64, in every float dtype, form, instruction set and way to lie,
 * with positions given or not; in place; tables; threads; outputs; failures. */
#include "support/test.h"

#include "nn/all_floats.h"

typedef struct call {
  tsr_tensor x, cos, sin, positions;
  bool given; /* positions */
  tsr_rotary_form form;
} call;

static double wanted(tsr_ctx *ctx, const call *c, const tsr_index *index, double *size) {
  const int ndim = c->x.ndim;
  const tsr_index half = c->cos.shape[1], d = index[ndim - 1];
  tsr_index at[TSR_MAX_DIMS], place[2] = {index[ndim - 2], 0};
  memcpy(at, index, sizeof at);
  if (d >= 2 * half) return *size = 0, nn_get(ctx, &c->x, index);
  const tsr_index which[2] = {index[0], index[ndim - 2]};
  if (c->given) place[0] = (tsr_index)nn_get(ctx, &c->positions, c->positions.ndim == 2 ? which : which + 1);
  const bool halves = c->form == TSR_ROTARY_HALVES, second = halves ? d >= half : d % 2 == 1;
  place[1] = halves ? d % half : d / 2;
  at[ndim - 1] = halves ? (second ? d - half : d + half) : (second ? d - 1 : d + 1);
  const double own = nn_get(ctx, &c->x, index), other = nn_get(ctx, &c->x, at);
  const double cosine = nn_get(ctx, &c->cos, place), sine = nn_get(ctx, &c->sin, place);
  *size = fabs(own) + fabs(other);
  return second ? own * cosine + other * sine : own * cosine - other * sine;
}

static void check_call(tsr_ctx *ctx, const call *c, int way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  tsr_index index[TSR_MAX_DIMS] = {0};
  OK(ctx, tsr_rotary(ctx, &c->x, &c->cos, &c->sin, c->given ? &c->positions : NULL, c->form, &fresh));
  REQUIRE(tsr_same_shape(&fresh, &c->x) && fresh.dtype == c->x.dtype);
  do {
    double size = 0;
    const double want = wanted(ctx, c, index, &size);
    float_check("rotary", c->x.dtype, nn_get(ctx, &fresh, index), want, float_allowed(c->x.dtype, want, size, 2));
  } while (test_next_index(fresh.ndim, fresh.shape, index));
  OK(ctx, nn_make(ctx, c->x.dtype, fresh.ndim, fresh.shape, way, &owner, &given));
  const size_t calls = test_failing()->calls;
  OK(ctx, tsr_rotary(ctx, &c->x, &c->cos, &c->sin, c->given ? &c->positions : NULL, c->form, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_tensor mine = c->x; /* in place */
  OK(ctx, tsr_rotary(ctx, &c->x, &c->cos, &c->sin, c->given ? &c->positions : NULL, c->form, &mine));
  CHECK(test_same_elements(&mine, &fresh) && test_failing()->calls == calls);
  tsr_release(&owner), tsr_release(&fresh);
}

static void random_positions(tsr_ctx *ctx, test_rng *rng, tsr_index rows, tsr_tensor *t) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  do OK(ctx, tsr_set(ctx, t, t->ndim, index, (tsr_real)test_between(rng, 0, rows - 1)));
  while (test_next_index(t->ndim, t->shape, index));
}

TEST(random_shapes_forms_and_dtypes) {
  static const int integers[] = {TSR_I64, TSR_I32, TSR_U8};
  test_rng rng = {31};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < 96; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      const int dtype = all_floats[round % COUNT_OF(all_floats)], compute = dtype == TSR_F64 ? TSR_F64 : TSR_F32;
      const int ndim = (int)test_between(&rng, 2, 4);
      tsr_index shape[4] = {1}, table[2];
      tsr_tensor x_owner = {0}, cos_owner = {0}, sin_owner = {0}, at_owner = {0};
      call c = {.given = round % 3 != 0, .form = (tsr_rotary_form)(round / 6 % 2)};
      if (!nn_has(dtype)) continue;
      for (int i = 0; i < ndim; i++) shape[i] = test_between(&rng, 1, 5);
      shape[ndim - 1] = test_between(&rng, 2, 11);
      table[0] = shape[ndim - 2] + test_between(&rng, 0, 3);
      table[1] = test_between(&rng, 1, shape[ndim - 1] / 2);
      OK(ctx, nn_make(ctx, dtype, ndim, shape, round % NN_WAYS, &x_owner, &c.x));
      OK(ctx, nn_make(ctx, compute, 2, table, round / 2 % NN_WAYS, &cos_owner, &c.cos));
      OK(ctx, nn_make(ctx, compute, 2, table, round / 3 % NN_WAYS, &sin_owner, &c.sin));
      const bool batched = ndim > 2 && round % 2 != 0;
      const tsr_index at[2] = {shape[0], shape[ndim - 2]};
      OK(ctx, nn_make(ctx, integers[round / 3 % 3], batched ? 2 : 1, batched ? at : at + 1, round / 5 % NN_WAYS,
                      &at_owner, &c.positions));
      nn_fill(ctx, &c.x, &rng, 0, 3), nn_fill(ctx, &c.cos, &rng, 0, 1), nn_fill(ctx, &c.sin, &rng, 0, 1);
      random_positions(ctx, &rng, table[0], &c.positions);
      check_call(ctx, &c, round / 7 % NN_WAYS);
      tsr_release(&x_owner), tsr_release(&cos_owner), tsr_release(&sin_owner), tsr_release(&at_owner);
      CHECK(test_live() == 0);
    }
}

TEST(tables) {
  tsr_ctx *const ctx = test_context();
  const bool small = TSR_REAL_BITS == 32;
  tsr_tensor cos_ = {0}, sin_ = {0};
  OK(ctx, tsr_rotary_tables(ctx, TSR_F32, 40, 8, 10000, &cos_, &sin_));
  CHECK(cos_.ndim == 2 && cos_.shape[0] == 40 && cos_.shape[1] == 4 && tsr_same_shape(&cos_, &sin_));
  for (tsr_index p = 0; p < 40; p++)
    for (tsr_index i = 0; i < 4; i++) {
      const double angle = (double)p * pow(10000, -2.0 * (double)i / 8), allowed = small ? 40 * 0x1p-21 : 0x1p-24;
      CHECK(fabs((double)((float *)cos_.data)[4 * p + i] - cos(angle)) <= allowed);
      CHECK(fabs((double)((float *)sin_.data)[4 * p + i] - sin(angle)) <= allowed);
    }
  tsr_release(&cos_), tsr_release(&sin_);
  OK(ctx, tsr_rotary_tables(ctx, TSR_F32, 0, 8, 10000, &cos_, &sin_));
  OK(ctx, tsr_rotary_tables(ctx, TSR_F32, 0, 8, 10000, &cos_, &sin_)); /* given, without elements */
  tsr_release(&cos_), tsr_release(&sin_);
#if TSR_HAVE_MALLOC
  for (size_t nth = 0; nth < 2; nth++) {
    test_failing()->fail_at = test_failing()->calls + nth;
    FAILS(ctx, TSR_ENOMEM, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 100, &cos_, &sin_));
    CHECK(tsr_is_none(&cos_) && tsr_is_none(&sin_) && test_live() == 0);
  }
#endif
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  tsr_tensor x = {0}, cos_ = {0}, sin_ = {0};
  float_random(ctx, TSR_SHAPE(2, 4, 100, 64), 6, &x);
  OK(ctx, tsr_rotary_tables(ctx, TSR_F32, 100, 64, 10000, &cos_, &sin_));
  OK(ctx, tsr_rotary(ctx, &x, &cos_, &sin_, NULL, (tsr_rotary_form)which, out));
  tsr_release(&x), tsr_release(&cos_), tsr_release(&sin_);
}

TEST(same_bits_for_threads_and_isas) { check_same_bits(make, 0), check_same_bits(make, 1); }

/* Shifted by one element: as if x had been copied; and allocations that fail change nothing. */
TEST(overlapping_outputs) {
  tsr_ctx *const ctx = test_context();
  float memory[13], angles[6] = {1, 0.5f, -1, 0, 0.25f, 2};
  tsr_tensor x = {0}, out = {0}, table = {0}, want = {0};
  for (int i = 0; i < 13; i++) memory[i] = (float)i;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(3, 4), &out));
  OK(ctx, tsr_from_memory(ctx, angles, TSR_F32, TSR_SHAPE(3, 2), &table));
  OK(ctx, tsr_rotary(ctx, &x, &table, &table, NULL, TSR_ROTARY_HALVES, &want));
#if TSR_HAVE_MALLOC
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_rotary(ctx, &x, &table, &table, NULL, TSR_ROTARY_HALVES, &out));
  for (int i = 0; i < 13; i++) CHECK(memory[i] == (float)i);
#endif
  OK(ctx, tsr_rotary(ctx, &x, &table, &table, NULL, TSR_ROTARY_HALVES, &out));
  CHECK(test_same_elements(&out, &want));
  tsr_release(&want);
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[64];
  int32_t integers[4] = {0, 1, 2, -1};
  tsr_tensor x = {0}, cos_ = {0}, wide = {0}, taller = {0}, flat = {0}, at = {0}, square = {0}, out = {0};
  const tsr_rotary_form halves = TSR_ROTARY_HALVES;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 4), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3, 2), &cos_));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3, 3), &wide));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(4, 2), &taller));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(4), &flat));
  OK(ctx, tsr_from_memory(ctx, integers + 1, TSR_I32, TSR_SHAPE(3), &at));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2, 2), &square));
  FAILS(ctx, TSR_EINDEX, tsr_rotary(ctx, &x, &cos_, &cos_, &at, halves, &out));
  MESSAGE_HAS(ctx, "rotary: positions at [2] is -1: there are 3 rows in cos and sin");
  FAILS(ctx, TSR_ESHAPE, tsr_rotary(ctx, &x, &cos_, &cos_, &square, halves, &out));
  MESSAGE_HAS(ctx, "rotary: positions is i32 [2,2]; for x f32 [2,3,4] it is [T], or [B,T] of its first axis");
  FAILS(ctx, TSR_EDTYPE, tsr_rotary(ctx, &x, &cos_, &cos_, &flat, halves, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_rotary(ctx, &x, &wide, &wide, NULL, halves, &out));
  MESSAGE_HAS(ctx, "rotary: cos is f32 [3,3]; for x f32 [2,3,4] it is [S,R/2] with R of at most 4");
  FAILS(ctx, TSR_ESHAPE, tsr_rotary(ctx, &x, &cos_, &taller, NULL, halves, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_rotary(ctx, &flat, &cos_, &cos_, NULL, halves, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_rotary(ctx, &x, &at, &cos_, NULL, halves, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_rotary(ctx, &square, &cos_, &cos_, NULL, halves, &out));
  FAILS(ctx, TSR_EARG, tsr_rotary(ctx, &x, &cos_, &cos_, NULL, (tsr_rotary_form)2, &out));
  MESSAGE_HAS(ctx, "rotary: form is 2, which is none of tsr_rotary_form");
  cos_.shape[0] = 2;
  FAILS(ctx, TSR_EINDEX, tsr_rotary(ctx, &x, &cos_, &cos_, NULL, halves, &out));
  MESSAGE_HAS(ctx, "rotary: x is f32 [2,3,4]: its 3 positions are not in the 2 rows of cos and sin");
  FAILS(ctx, TSR_EARG, tsr_rotary(ctx, NULL, &cos_, &cos_, NULL, halves, &out));
  FAILS(ctx, TSR_EARG, tsr_rotary(ctx, &x, NULL, &cos_, NULL, halves, &out));
  cos_.shape[0] = 3;
  FAILS(ctx, TSR_EARG, tsr_rotary(ctx, &x, &cos_, &cos_, NULL, halves, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_rotary(ctx, &x, &cos_, &cos_, NULL, halves, &flat));
  FAILS(ctx, TSR_EARG, tsr_rotary_tables(ctx, TSR_F32, 3, 5, 100, &out, &flat));
  MESSAGE_HAS(ctx, "rotary_tables: features is 5, which is not an even number");
  FAILS(ctx, TSR_EARG, tsr_rotary_tables(ctx, TSR_F32, -1, 4, 100, &out, &flat));
  FAILS(ctx, TSR_EARG, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 0, &out, &flat));
  FAILS(ctx, TSR_ESHAPE, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 100, &out, &flat));
  MESSAGE_HAS(ctx, "rotary_tables: sin is f32 [4], the result is f32 [3,2]");
  FAILS(ctx, TSR_EARG, tsr_rotary_tables(ctx, TSR_F32, 3, 4, (tsr_real)NAN, &out, &flat));
  FAILS(ctx, TSR_EDTYPE, tsr_rotary_tables(ctx, TSR_I32, 3, 4, 100, &out, &flat));
  FAILS(ctx, TSR_ESHAPE, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 100, &out, &flat));
#if TSR_HAVE_OPS /* microcontrollers do not look for it */
  FAILS(ctx, TSR_EARG, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 100, &out, &out));
#endif
  float numbers[6] = {0};
  tsr_tensor cos = {0}, sin = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(3, 2), &cos));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(3, 2), &sin));
  FAILS(ctx, TSR_EOVERLAP, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 100, &cos, &sin));
  FAILS(ctx, TSR_EARG, tsr_rotary_tables(ctx, TSR_F32, 3, 4, 100, NULL, &flat));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(random_shapes_forms_and_dtypes), RUN(tables), RUN(same_bits_for_threads_and_isas),
          RUN(overlapping_outputs), RUN(bad_calls))
