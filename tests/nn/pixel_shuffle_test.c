/* Pixel shuffle: every element where the definition puts it, in every order, layout, dtype and way to lie; the way back
 * gives x; outputs; failures. */
#include "support/test.h"

#include "nn/nn_support.h"

static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_I8, TSR_C64, TSR_I64};

/* The channel of pixel (i, j) for channel c of channels. */
static tsr_index channel_of(tsr_pixel_order order, tsr_index r, tsr_index channels, tsr_index c, tsr_index i,
                            tsr_index j) {
  return order == TSR_PIXELS_INNER ? c * r * r + i * r + j : (i * r + j) * channels + c;
}

static void compare(const tsr_tensor *x, tsr_index r, tsr_pixel_order order, bool last, const tsr_tensor *out) {
  const int c = last ? 3 : 1, h = last ? 1 : 2, w = h + 1;
  const size_t item = tsr_dtype_size(x->dtype);
  tsr_index index[4] = {0}, from[4];
  if (tsr_size(out) == 0) return;
  do {
    memcpy(from, index, sizeof from);
    from[c] = channel_of(order, r, out->shape[c], index[c], index[h] % r, index[w] % r);
    from[h] /= r;
    from[w] /= r;
    CHECK(memcmp(test_at(out, index), test_at(x, from), item) == 0);
  } while (test_next_index(4, out->shape, index));
}

TEST(every_element_and_the_way_back) {
  test_rng rng = {41};
  for (int round = 0; round < 200; round++) {
    tsr_ctx *const ctx = test_context();
    const bool last = round % 2 != 0;
    const tsr_pixel_order order = (tsr_pixel_order)(round / 2 % 2);
    const tsr_index r = test_between(&rng, 1, 3), c = test_between(&rng, round % 20 == 0 ? 0 : 1, 3) * r * r;
    const tsr_index n = test_between(&rng, 1, 2), h = test_between(&rng, 1, 4), w = test_between(&rng, 1, 4);
    const tsr_index shape[4] = {n, last ? h : c, last ? w : h, last ? c : w};
    const int dtype = dtypes[round / 4 % COUNT_OF(dtypes)];
    tsr_tensor owner = {0}, x = {0}, fresh = {0}, given_owner = {0}, given = {0}, back = {0};
    if (!nn_has(dtype)) continue;
    OK(ctx, nn_make(ctx, dtype, 4, shape, round % NN_WAYS, &owner, &x));
    for (size_t i = 0; i < tsr_nbytes(&owner); i++) ((unsigned char *)owner.data)[i] = (unsigned char)test_random(&rng);
    x.layout = last ? TSR_NHWC : round % 3 == 0 ? TSR_PLAIN : TSR_NCHW;
    OK(ctx, tsr_pixel_shuffle(ctx, &x, r, order, &fresh));
    CHECK(fresh.layout == x.layout && fresh.shape[last ? 1 : 2] == h * r && fresh.shape[last ? 3 : 1] == c / (r * r));
    compare(&x, r, order, last, &fresh);
    OK(ctx, nn_make(ctx, dtype, 4, fresh.shape, round / 8 % NN_WAYS, &given_owner, &given));
    given.layout = x.layout;
    const size_t calls = test_failing()->calls;
    OK(ctx, tsr_pixel_shuffle(ctx, &x, r, order, &given));
    CHECK(test_same_elements(&given, &fresh) && test_failing()->calls == calls);
    OK(ctx, tsr_pixel_unshuffle(ctx, &given, r, order, &back));
    CHECK(tsr_same_shape(&back, &x) && test_same_elements(&back, &x));
    tsr_release(&owner), tsr_release(&fresh), tsr_release(&given_owner), tsr_release(&back);
    CHECK(test_live() == 0);
  }
}

TEST(overlap_and_failing_memory) {
  tsr_ctx *const ctx = test_context();
  float memory[17];
  tsr_tensor x = {0}, out = {0}, want = {0};
  for (int i = 0; i < 17; i++) memory[i] = (float)i;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 4, 2, 2), &x));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(1, 1, 4, 4), &out));
  OK(ctx, tsr_pixel_shuffle(ctx, &x, 2, TSR_PIXELS_INNER, &want));
#if TSR_HAVE_MALLOC
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_pixel_shuffle(ctx, &x, 2, TSR_PIXELS_INNER, &out));
  for (int i = 0; i < 17; i++) CHECK(memory[i] == (float)i);
#endif
  OK(ctx, tsr_pixel_shuffle(ctx, &x, 2, TSR_PIXELS_INNER, &out));
  CHECK(test_same_elements(&out, &want));
  tsr_release(&want);
#if TSR_HAVE_MALLOC
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_pixel_unshuffle(ctx, &x, 2, TSR_PIXELS_INNER, &want));
#endif
  CHECK(tsr_is_none(&want) && test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[24];
  tsr_tensor x = {0}, flat = {0}, tagged = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 6, 2, 2), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(6, 4), &flat));
  FAILS(ctx, TSR_ESHAPE, tsr_pixel_shuffle(ctx, &x, 2, TSR_PIXELS_INNER, &out));
  MESSAGE_HAS(ctx, "pixel_shuffle: x is f32 [1,6,2,2]: its 6 channels are not divided by the 4 pixels of a block");
  FAILS(ctx, TSR_ESHAPE, tsr_pixel_unshuffle(ctx, &x, 3, TSR_PIXELS_INNER, &out));
  MESSAGE_HAS(ctx, "pixel_unshuffle: x is f32 [1,6,2,2]: its height 2 and width 2 are not divided by 3");
  FAILS(ctx, TSR_EARG, tsr_pixel_shuffle(ctx, &x, 0, TSR_PIXELS_INNER, &out));
  FAILS(ctx, TSR_EARG, tsr_pixel_shuffle(ctx, &x, TSR_INDEX_MAX, TSR_PIXELS_INNER, &out));
  MESSAGE_HAS(ctx, "pixel_shuffle: factor is ");
  FAILS(ctx, TSR_EARG, tsr_pixel_unshuffle(ctx, &x, 2, (tsr_pixel_order)2, &out));
  MESSAGE_HAS(ctx, "pixel_unshuffle: order is 2, which is none of tsr_pixel_order");
  FAILS(ctx, TSR_ESHAPE, tsr_pixel_shuffle(ctx, &flat, 1, TSR_PIXELS_INNER, &out));
  MESSAGE_HAS(ctx, "pixel_shuffle: x is f32 [6,4]; pixel_shuffle takes [N,C,H,W]");
  tagged = x;
  tagged.layout = TSR_OIHW;
  FAILS(ctx, TSR_ELAYOUT, tsr_pixel_shuffle(ctx, &tagged, 1, TSR_PIXELS_INNER, &out));
  MESSAGE_HAS(ctx, "with the layout OIHW; pixel_shuffle takes NCHW and NHWC");
  FAILS(ctx, TSR_EARG, tsr_pixel_shuffle(ctx, NULL, 1, TSR_PIXELS_INNER, &out));
  FAILS(ctx, TSR_EARG, tsr_pixel_unshuffle(ctx, &x, 1, TSR_PIXELS_INNER, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_pixel_unshuffle(ctx, &x, 2, TSR_PIXELS_INNER, &flat));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(every_element_and_the_way_back), RUN(overlap_and_failing_memory), RUN(bad_calls))
