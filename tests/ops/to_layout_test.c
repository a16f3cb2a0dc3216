/* Real memory in another layout: against naive loops over letters and channels. */
#include "support/helpers.h"
#include "support/test.h"

enum { MOST = 2 * 16 * 2 * 3 };
static uint16_t source[MOST];

static int block_of(int layout) { return layout == TSR_NC4HW ? 4 : layout == TSR_NC8HW ? 8 : 0; }

static void number_source(void) {
  for (int i = 0; i < MOST; i++) source[i] = (uint16_t)(i * 31 + 7);
}

TEST(orders_of_the_axes) {
  number_source();
  for (int from = 1; from < TSR_LAYOUT_COUNT; from++)
    for (int to = 0; to < TSR_LAYOUT_COUNT; to++) {
      tsr_ctx *const ctx = test_context();
      static const tsr_index shape[8] = {2, 3, 2, 3, 2, 1, 1, 1};
      const int rank = tsr_layout_rank(from);
      if (rank > TSR_MAX_DIMS || block_of(from) > 0 || block_of(to) > 0) continue;
      tsr_tensor in = {0}, out = {0};
      OK(ctx, tsr_from_memory(ctx, source, TSR_U16, rank, shape, &in));
      in.layout = (uint8_t)from;
      bool same_letters = to != TSR_PLAIN && tsr_layout_rank(to) == rank;
      for (const char *c = "NCLDHWOI"; *c != '\0'; c++)
        same_letters = same_letters && (tsr_layout_axis(from, *c) >= 0) == (tsr_layout_axis(to, *c) >= 0);
      FAILS(ctx, same_letters ? TSR_OK : TSR_ELAYOUT, tsr_to_layout(ctx, &in, to, 0, &out));
      if (!same_letters) {
        CHECK(tsr_is_none(&out));
        MESSAGE_HAS(ctx, "to_layout: layout");
        continue;
      }
      CHECK(out.layout == to && tsr_is_contiguous(&out, TSR_ROW_MAJOR) && tsr_size(&out) == tsr_size(&in));
      tsr_index index[TSR_MAX_DIMS] = {0}, moved[TSR_MAX_DIMS];
      do {
        for (const char *c = "NCLDHWOI"; *c != '\0'; c++)
          if (tsr_layout_axis(from, *c) >= 0) moved[tsr_layout_axis(to, *c)] = index[tsr_layout_axis(from, *c)];
        CHECK(*(uint16_t *)test_at(&in, index) == *(uint16_t *)test_at(&out, moved));
      } while (test_next_index(rank, shape, index));
      tsr_release(&out);
      CHECK(test_live() == 0);
    }
}

TEST(plain_tensors_and_auto) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, out = {0}, back = {0};
  number_source();
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 3, 2, 3), &in));
  OK(ctx, tsr_to_layout(ctx, &in, TSR_NHWC, 0, &out));
  CHECK(out.shape[3] == 3 && TSR_AT(uint16_t, &out, 1, 1, 2, 0) == TSR_AT(uint16_t, &in, 1, 0, 1, 2));
  OK(ctx, tsr_to_layout(ctx, &out, TSR_AUTO, 0, &back));
  CHECK(back.layout == TSR_NCHW && test_same_elements(&in, &back));
  tsr_release(&out);
  OK(ctx, tsr_to_layout(ctx, &in, TSR_NCHW, 0, &out)); /* the same order: a copy with a tag */
  CHECK(out.data != in.data && out.layout == TSR_NCHW && test_same_elements(&in, &out));
  tsr_release(&out);
  tsr_release(&back);
  CHECK(test_live() == 0);
}

#if TSR_MAX_DIMS >= 5

/* Element (n, c, h, w) of a tensor in any of the four image layouts; 0 for channels that only padding has. */
static unsigned at(const tsr_tensor *t, tsr_index n, tsr_index c, tsr_index h, tsr_index w) {
  const int block = block_of(t->layout);
  if (block > 0) return *(uint16_t *)test_at(t, (const tsr_index[]){n, c / block, h, w, c % block});
  if (t->layout == TSR_NHWC) return *(uint16_t *)test_at(t, (const tsr_index[]){n, h, w, c});
  return *(uint16_t *)test_at(t, (const tsr_index[]){n, c, h, w});
}

static bool same_image(const tsr_tensor *a, const tsr_tensor *b, tsr_index channels) {
  for (tsr_index n = 0; n < 2; n++)
    for (tsr_index c = 0; c < channels; c++)
      for (tsr_index h = 0; h < 2; h++)
        for (tsr_index w = 0; w < 3; w++)
          if (at(a, n, c, h, w) != at(b, n, c, h, w)) return false;
  return true;
}

static bool tail_is_zero(const tsr_tensor *t, tsr_index channels) {
  const int block = block_of(t->layout);
  for (tsr_index n = 0; n < 2 && block > 0; n++)
    for (tsr_index c = channels; c < t->shape[1] * block; c++)
      for (tsr_index h = 0; h < 2; h++)
        for (tsr_index w = 0; w < 3; w++)
          if (at(t, n, c, h, w) != 0) return false;
  return true;
}

static const int images[] = {TSR_NCHW, TSR_NHWC, TSR_NC4HW, TSR_NC8HW};

TEST(blocks_with_every_tail) {
  number_source();
  for (tsr_index channels = 1; channels <= 16; channels++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        tsr_ctx *const ctx = test_context();
        tsr_tensor plain = {0}, a = {0}, b = {0};
        OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, channels, 2, 3), &plain));
        plain.layout = TSR_NCHW;
        OK(ctx, tsr_to_layout(ctx, &plain, images[i], 0, &a));
        CHECK(a.layout == images[i] && same_image(&plain, &a, channels) && tail_is_zero(&a, channels));
        CHECK(tsr_is_contiguous(&a, TSR_ROW_MAJOR));
        OK(ctx, tsr_to_layout(ctx, &a, images[j], channels, &b));
        CHECK(b.layout == images[j] && same_image(&plain, &b, channels) && tail_is_zero(&b, channels));
        const int block = block_of(images[j]);
        CHECK(block > 0 ? b.ndim == 5 && b.shape[1] == (channels + block - 1) / block && b.shape[4] == block
                        : tsr_channels(&b) == channels && b.ndim == 4);
        tsr_release(&a);
        tsr_release(&b);
        CHECK(test_live() == 0);
      }
}

TEST(strided_images) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor whole = {0}, in = {0}, out = {0}, back = {0};
  number_source();
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 3, 2, 6), &whole)); /* N W H C, turned below */
  OK(ctx, tsr_permute(ctx, &whole, (const int[]){0, 3, 2, 1}, &in));
  OK(ctx, tsr_flip(ctx, &in, 1, &in));
  OK(ctx, tsr_to_layout(ctx, &in, TSR_NC4HW, 0, &out));
  CHECK(same_image(&in, &out, 6) && tail_is_zero(&out, 6));
  OK(ctx, tsr_to_layout(ctx, &out, TSR_NCHW, 6, &back));
  CHECK(test_same_elements(&in, &back));
  tsr_release(&out);
  tsr_release(&back);
  CHECK(test_live() == 0);
}

TEST(channels_that_do_not_fill_the_blocks) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor plain = {0}, blocked = {0}, out = {0};
  number_source();
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &plain));
  OK(ctx, tsr_to_layout(ctx, &plain, TSR_NC4HW, 0, &blocked));
  for (tsr_index channels = -2; channels <= 12; channels++) {
    const bool fits = channels == 0 || (channels >= 5 && channels <= 8);
    FAILS(ctx, fits ? TSR_OK : TSR_ESHAPE, tsr_to_layout(ctx, &blocked, TSR_NHWC, channels, &out));
    CHECK(fits ? out.shape[3] == (channels == 0 ? 8 : channels) : tsr_is_none(&out));
    if (!fits) MESSAGE_HAS(ctx, "to_layout: channels");
    tsr_release(&out);
    FAILS(ctx, fits ? TSR_OK : TSR_ESHAPE, tsr_to_layout(ctx, &blocked, TSR_NC8HW, channels, &out));
    tsr_release(&out);
  }
  FAILS(ctx, TSR_ESHAPE, tsr_to_layout(ctx, &blocked, TSR_NCHW, TSR_INDEX_MAX, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_to_layout(ctx, &blocked, TSR_NCHW, TSR_INDEX_MIN, &out));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &blocked, TSR_NCDHW, 0, &out));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &blocked, TSR_OIHW, 0, &out));
  tsr_tensor line = {0};
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 6, 2), &line));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &line, TSR_NC4HW, 0, &out));
  MESSAGE_HAS(ctx, "to_layout: ");
  plain.layout = TSR_OIHW;
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &plain, TSR_NC4HW, 0, &out));
  tsr_release(&blocked);
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST(blocks_into_given_and_overlapping_outputs) {
  tsr_ctx *const ctx = test_context();
  static uint16_t memory[MOST], copy[MOST];
  tsr_tensor plain = {0}, apart = {0}, same = {0}, want = {0};
  number_source();
  memcpy(memory, source, sizeof memory);
  memcpy(copy, source, sizeof copy);
  OK(ctx, tsr_from_memory(ctx, copy, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &apart));
  OK(ctx, tsr_to_layout(ctx, &apart, TSR_NC4HW, 0, &want));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &plain));
  OK(ctx, tsr_from_memory(ctx, memory + 5, TSR_U16, TSR_SHAPE(2, 2, 2, 3, 4), &same));
  OK(ctx, tsr_to_layout(ctx, &plain, TSR_NC4HW, 0, &same));
  CHECK(same.layout == TSR_NC4HW && test_same_elements(&same, &want));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_U16, TSR_SHAPE(2, 2, 3, 6), &plain));
  OK(ctx, tsr_to_layout(ctx, &same, TSR_NHWC, 6, &plain)); /* and back, one element earlier */
  apart.layout = TSR_NCHW;
  CHECK(plain.layout == TSR_NHWC && same_image(&plain, &apart, 6));
  tsr_tensor wrong = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &wrong));
  const tsr_tensor before = wrong;
  FAILS(ctx, TSR_ESHAPE, tsr_to_layout(ctx, &apart, TSR_NHWC, 0, &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_to_layout(ctx, &apart, TSR_NC8HW, 0, &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_to_layout(ctx, &want, TSR_NHWC, 6, &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_to_layout(ctx, &want, TSR_NC8HW, 6, &wrong));
  CHECK(memcmp(&wrong, &before, sizeof wrong) == 0);
  tsr_release(&want);
  CHECK(test_live() == 0);
}

/* Temporary memory comes from the context's scratch where it has some. */
TEST(between_blocks_uses_scratch) {
  tsr_ctx *const ctx = test_context();
  static _Alignas(64) unsigned char scratch[2048];
  tsr_tensor plain = {0}, four = {0}, eight = {0};
  number_source();
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &plain));
  OK(ctx, tsr_to_layout(ctx, &plain, TSR_NC4HW, 0, &four));
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  const size_t calls = test_failing()->calls;
  OK(ctx, tsr_to_layout(ctx, &four, TSR_NC8HW, 6, &eight));
  CHECK(test_failing()->calls == calls + 1); /* the output's own */
  plain.layout = TSR_NCHW;
  CHECK(same_image(&plain, &eight, 6) && tail_is_zero(&eight, 6));
  tsr_release(&eight);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, 100));
  FAILS(ctx, TSR_ESCRATCH, tsr_to_layout(ctx, &four, TSR_NC8HW, 6, &eight));
  CHECK(tsr_is_none(&eight));
  tsr_release(&four);
  CHECK(test_live() == 0);
}

TEST(nothing_in_blocks) {
  tsr_ctx *const ctx = test_context();
  static const tsr_index shapes[][4] = {{0, 6, 2, 3}, {2, 0, 2, 3}, {2, 6, 0, 3}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      tsr_tensor plain = {0}, a = {0}, b = {0};
      OK(ctx, tsr_from_memory(ctx, NULL, TSR_U16, 4, shapes[i], &plain));
      OK(ctx, tsr_to_layout(ctx, &plain, images[j], 0, &a));
      CHECK(tsr_size(&a) == 0 && a.layout == images[j]);
      OK(ctx, tsr_to_layout(ctx, &a, TSR_NCHW, 0, &b));
      CHECK(tsr_size(&b) == 0 && b.ndim == 4);
      tsr_release(&a);
      tsr_release(&b);
    }
  CHECK(test_live() == 0);
}

/* A tag that the shape belies. */
TEST(tags_made_by_hand) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &t));
  t.layout = TSR_NC4HW; /* of rank 4 */
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &t, TSR_NCHW, 0, &out));
  CHECK(tsr_is_none(&out));
  tsr_release(&out);
  t.layout = 99;
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &t, TSR_NCHW, 0, &out));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &t, 99, 0, &out));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &t, -1, 0, &out));
  t.layout = TSR_PLAIN;
  FAILS(ctx, TSR_EARG, tsr_to_layout(ctx, &t, TSR_NHWC, 0, NULL));
  FAILS(ctx, TSR_EARG, tsr_to_layout(ctx, NULL, TSR_NHWC, 0, &out));
}

TEST_MAIN(RUN(orders_of_the_axes), RUN(plain_tensors_and_auto), RUN(blocks_with_every_tail), RUN(strided_images),
          RUN(channels_that_do_not_fill_the_blocks), RUN(blocks_into_given_and_overlapping_outputs),
          RUN(between_blocks_uses_scratch), RUN(nothing_in_blocks), RUN(tags_made_by_hand))

#else

TEST(blocks) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, source, TSR_U16, TSR_SHAPE(2, 6, 2, 3), &t));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &t, TSR_NC4HW, 0, &out));
  CHECK(tsr_is_none(&out));
  SKIP("blocked layouts have five axes");
}

TEST_MAIN(RUN(orders_of_the_axes), RUN(plain_tensors_and_auto), RUN(blocks))

#endif
