/* Subnormal numbers, NaN, infinities and zeros of both signs, one of them or many, anywhere in a row: ops of floats that may go by vectors
 * give what the definition gives, to the bit, apart from its own input or in place. NaN is any NaN. */
#include "support/helpers.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 150 };

static const float odd[] = {1e-40f,   -3e-42f,   1.1754944e-38f, -1.2e-38f, NAN,    -NAN,
                            INFINITY, -INFINITY, 0.0f,           -0.0f,     1e-30f, 3e38f};

static float x_data[MOST], y_data[MOST], z_data[MOST + 2];

static void numbers(test_rng *rng, int many, float *at) {
  for (int i = 0; i < MOST; i++) at[i] = (float)((int)(test_random(rng) % 2001) - 1000) * 0.013f;
  for (int k = 0; k < many; k++) at[test_random(rng) % MOST] = odd[test_random(rng) % (uint32_t)COUNT_OF(odd)];
}

static bool same(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

typedef tsr_status two_fn(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *y, tsr_tensor *out);
typedef tsr_status one_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

static float add(float a, float b) { return a + b; }
static float sub(float a, float b) { return a - b; }
static float mul(float a, float b) { return a * b; }
static float maximum(float a, float b) { return isnan(a) || a > b ? a : b; }
static float minimum(float a, float b) { return isnan(a) || a < b ? a : b; }
static float greatest(float a, float b) { return isnan(b) || a >= b ? a : b; }
static float least(float a, float b) { return isnan(b) || a <= b ? a : b; }
static float absolute(float a) { return fabsf(a); }
static float negative(float a) { return -a; }
static float square(float a) { return a * a; }
static float relu(float a) { return a < 0 ? 0 : a; }
static float sign(float a) { return isnan(a) ? a : (float)((a > 0) - (a < 0)); }

static const struct {
  two_fn *call;
  float (*value)(float a, float b);
} twos[] = {{tsr_add, add},         {tsr_sub, sub},       {tsr_mul, mul},   {tsr_maximum, maximum},
            {tsr_minimum, minimum}, {tsr_fmax, greatest}, {tsr_fmin, least}};

static const struct {
  one_fn *call;
  float (*value)(float a);
} ones[] = {{tsr_abs, absolute}, {tsr_neg, negative}, {tsr_square, square}, {tsr_relu, relu}, {tsr_sign, sign}};

/* Row of n at data; its first repeated where it does not go on. */
static tsr_tensor row(tsr_ctx *ctx, float *data, tsr_index n, bool on) {
  tsr_tensor flat = {0}, t = {0};
  OK(ctx, tsr_from_memory(ctx, data, TSR_F32, TSR_SHAPE(MOST), &flat));
  OK(ctx, tsr_as_strided(ctx, &flat, TSR_SHAPE(n), (const tsr_index[]){on ? 1 : 0}, 0, &t));
  return t;
}

/* in: 0 apart, 1 over x, 2 over y. */
static void compare_two(tsr_ctx *ctx, int op, tsr_index n, bool x_on, bool y_on, int in) {
  float want[MOST];
  const tsr_tensor x = row(ctx, x_data, n, x_on), y = row(ctx, y_data, n, y_on);
  for (int i = 0; i < n; i++) want[i] = twos[op].value(x_data[x_on ? i : 0], y_data[y_on ? i : 0]);
  float *const to = in == 0 ? z_data : in == 1 ? x_data : y_data;
  tsr_tensor z = row(ctx, to, n, true);
  to[n] = 7; /* is not touched */
  OK(ctx, twos[op].call(ctx, &x, &y, &z));
  for (int i = 0; i < n; i++) CHECK(same(to[i], want[i]));
  CHECK(to[n] == 7);
}

TEST(rows_of_two_inputs_have_the_bits_of_their_definition) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {5};
  for (int run = 0; run < 300; run++)
    for (int op = 0; op < (int)COUNT_OF(twos); op++) {
      const int on = (int)(test_random(&rng) % 3) + 1, in = (int)(test_random(&rng) % 3);
      numbers(&rng, run % 3 * (run % 20), x_data);
      numbers(&rng, run % 2, y_data);
      compare_two(ctx, op, 1 + (tsr_index)(test_random(&rng) % (MOST - 1)), (on & 1) != 0, (on & 2) != 0,
                  (in & on) != 0 ? in : 0);
    }
}

TEST(rows_of_one_input_have_the_bits_of_their_definition) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {6};
  for (int run = 0; run < 300; run++)
    for (int op = 0; op < (int)COUNT_OF(ones); op++) {
      float want[MOST];
      const tsr_index n = 1 + (tsr_index)(test_random(&rng) % (MOST - 1));
      numbers(&rng, run % 3 * (run % 20), x_data);
      for (int i = 0; i < n; i++) want[i] = ones[op].value(x_data[i]);
      float *const to = run % 2 == 0 ? z_data : x_data;
      const tsr_tensor x = row(ctx, x_data, n, true);
      tsr_tensor z = row(ctx, to, n, true);
      to[n] = 7;
      OK(ctx, ones[op].call(ctx, &x, &z));
      for (int i = 0; i < n; i++) CHECK(same(to[i], want[i]));
      CHECK(to[n] == 7);
    }
}

TEST_MAIN(RUN(rows_of_two_inputs_have_the_bits_of_their_definition),
          RUN(rows_of_one_input_have_the_bits_of_their_definition))
