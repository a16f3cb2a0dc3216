/* Calls of attention that mean nothing: a status, a message that names what is wrong, and an output that has not
 * changed. */
#include "nn/attention_reference.h"

static float numbers[512];

/* q [1,4,3,2], k [1,2,5,2], v [1,2,5,6], all f32; what is not 0 here is different. */
typedef struct bad {
  const char *message;
  tsr_status status;
  int q_dtype, k_dtype, v_dtype, q_rank, k_rank, v_rank;
  tsr_index q[4], k[4], v[4];
  int mask_rank, mask_dtype;
  tsr_index mask[4];
  tsr_attention_options options;
} bad;

static const bad table[] = {
    {"attention: q is i32 [1,4,3,2]", TSR_EDTYPE, .q_dtype = TSR_I32},
    {"k is f16 [1,2,5,2], q is f32 [1,4,3,2]: they have one dtype", TSR_EDTYPE, .k_dtype = TSR_F16},
    {"v is i8 [1,2,5,6], q is f32", TSR_EDTYPE, .v_dtype = TSR_I8},
    {"q is f32 [1]: attention takes [B,H,T,D], [H,T,D] or [T,D]", TSR_ESHAPE, .q_rank = 1},
    {"k is f32 [1,2,5], q is f32 [1,4,3,2]: their ranks differ", TSR_ESHAPE, .k_rank = 3},
    {"v is f32 [1,2], q is f32 [1,4,3,2]: their ranks differ", TSR_ESHAPE, .v_rank = 2},
    {"k [1,2,5,3] has 3 columns, q [1,4,3,2] has 2", TSR_ESHAPE, .k = {1, 2, 5, 3}},
    {"q [1,4,3,2], k [2,2,5,2] and v [1,2,5,6]: their batches differ", TSR_ESHAPE, .k = {2, 2, 5, 2}},
    {"v [1,2,4,6] does not belong to k [1,2,5,2]", TSR_ESHAPE, .v = {1, 2, 4, 6}},
    {"v [1,4,5,6] does not belong to k [1,2,5,2]", TSR_ESHAPE, .v = {1, 4, 5, 6}},
    {"q [1,3,3,2] has 3 heads, which is no multiple of the 2 of k [1,2,5,2]", TSR_ESHAPE, .q = {1, 3, 3, 2}},
    {"mask is i32 [3,5]: masks are bool, or floats", TSR_EDTYPE, .mask_rank = 2, .mask_dtype = TSR_I32, .mask = {3, 5}},
    {"mask [5,3] does not broadcast to [1,4,3,5]", TSR_ESHAPE, .mask_rank = 2, .mask_dtype = TSR_BOOL, .mask = {5, 3}},
    {"mask [2,3,5] does not broadcast to [1,4,3,5]", TSR_ESHAPE, .mask_rank = 3, .mask_dtype = TSR_F32,
     .mask = {2, 3, 5}},
    {"scale", TSR_EARG, .options = {.scale = (tsr_real)INFINITY}},
    {"causal_offset is 3, but causal is false", TSR_EARG, .options = {.causal_offset = 3}},
};

static tsr_tensor over(int dtype, int otherwise, int rank, const tsr_index *shape, const tsr_index *usual) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, numbers, dtype != 0 ? dtype : otherwise, rank != 0 ? rank : 4,
                           shape[0] != 0 ? shape : usual, &t));
  return t;
}

TEST(bad_calls_are_named) {
  static const tsr_index usual_q[4] = {1, 4, 3, 2}, usual_k[4] = {1, 2, 5, 2}, usual_v[4] = {1, 2, 5, 6};
  for (int i = 0; i < COUNT_OF(table); i++) {
    const bad *const b = &table[i];
    tsr_ctx *const ctx = test_context();
    const tsr_tensor q = over(b->q_dtype, TSR_F32, b->q_rank, b->q, usual_q);
    const tsr_tensor k = over(b->k_dtype, TSR_F32, b->k_rank, b->k, usual_k);
    const tsr_tensor v = over(b->v_dtype, TSR_F32, b->v_rank, b->v, usual_v);
    const tsr_tensor mask = over(b->mask_dtype, TSR_F32, b->mask_rank, b->mask, usual_q);
    tsr_tensor out = {0};
    FAILS(ctx, b->status, tsr_attention(ctx, &q, &k, &v, b->mask_rank != 0 ? &mask : NULL, &b->options, &out));
    MESSAGE_HAS(ctx, b->message);
    CHECK(tsr_is_none(&out) && test_live() == 0);
  }
}

/* Columns that would need more temporary memory than an address reaches: strides of 0 make them cheap. */
TEST(sizes_that_do_not_fit_are_refused) {
  tsr_ctx *const ctx = test_context();
  const tsr_index most = TSR_INDEX_MAX / 8;
  tsr_tensor q = {.dtype = TSR_F32, .ndim = 2, .shape = {1, most}, .stride = {0, 0}, .data = numbers}, out = {0};
  tsr_tensor v = {.dtype = TSR_F32, .ndim = 2, .shape = {1, 1}, .stride = {0, 0}, .data = numbers};
  FAILS(ctx, TSR_EOVERFLOW, tsr_attention(ctx, &q, &q, &v, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "more temporary memory than there can be");
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(bad_calls_are_named), RUN(sizes_that_do_not_fit_are_refused))
