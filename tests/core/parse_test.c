/* tsr_desc_parse: what tsr_desc_format writes comes back, and nothing else is read. */
#include "support/helpers.h"
#include "support/test.h"

enum { TEXT_BYTES = 64 + 2 * 24 * TSR_MAX_DIMS };

static tsr_index number_below(test_rng *rng, int limit) { return test_between(rng, 0, limit - 1); }

/* ---- what comes back ---- */

/* A layout that the shape can have, sometimes. */
static void tag(test_rng *rng, tsr_tensor *t) {
  const int layout = (int)number_below(rng, TSR_LAYOUT_COUNT);
  tsr_tensor tagged = {0};
  if (tsr_set_layout(NULL, t, layout, &tagged) == TSR_OK) t->layout = tagged.layout;
}

/* Any description: axes of 0 and 1, in any order, with gaps, backwards, repeating. */
static tsr_tensor random_description(test_rng *rng) {
  tsr_index shape[TSR_MAX_DIMS];
  int axes[TSR_MAX_DIMS];
  const int ndim = (int)number_below(rng, TSR_MAX_DIMS + 1), dtype = 1 + (int)number_below(rng, TSR_DTYPE_COUNT - 1);
  for (int i = 0; i < ndim; i++) {
    shape[i] = number_below(rng, 9) - (number_below(rng, 4) != 0 ? 0 : 1);
    if (shape[i] < 0) shape[i] = 0;
    axes[i] = i;
  }
  for (int i = ndim - 1; i > 0; i--) {
    const int k = (int)number_below(rng, i + 1), other = axes[i];
    axes[i] = axes[k];
    axes[k] = other;
  }
  tsr_tensor t = {0};
  OK(NULL, tsr_desc_init_permuted(NULL, dtype, ndim, shape, axes, &t));
  if (number_below(rng, 2) == 0) OK(NULL, tsr_desc_init(NULL, dtype, ndim, shape, &t));
  for (int i = 0; i < ndim && number_below(rng, 2) == 0; i++) {
    const tsr_index kind = number_below(rng, 4);
    t.stride[i] = kind == 0   ? 0
                  : kind == 1 ? -t.stride[i]
                  : kind == 2 ? t.stride[i] * 3
                              : number_below(rng, 2000) - 1000;
  }
  tag(rng, &t);
  return t;
}

static bool same_text(const tsr_tensor *t, const char *text) {
  char again[TEXT_BYTES];
  return tsr_desc_format(t, again, sizeof again) < sizeof again && strcmp(again, text) == 0;
}

TEST(round_trips) {
  test_rng rng = {11};
  int strided = 0, tagged = 0;
  for (int i = 0; i < 20000; i++) {
    tsr_ctx *const ctx = test_context();
    const tsr_tensor t = random_description(&rng);
    char text[TEXT_BYTES];
    tsr_tensor back = {.dtype = TSR_U8, .ndim = 1, .flags = TSR_READONLY};
    REQUIRE(tsr_desc_format(&t, text, sizeof text) < sizeof text);
    OK(ctx, tsr_desc_parse(ctx, text, &back));
    CHECK(same_text(&back, text));
    CHECK(tsr_size(&t) == 0 || tsr_desc_equal(&t, &back));
    CHECK(back.dtype == t.dtype && back.layout == t.layout && tsr_same_shape(&t, &back));
    CHECK(back.data == NULL && back.storage == NULL && back.name == NULL && back.flags == 0);
    strided += strstr(text, "strides") != NULL;
    tagged += t.layout != TSR_PLAIN;
  }
  CHECK(strided > 2000 && tagged > 500);
}

TEST(each_part) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {.dtype = TSR_U8, .ndim = 1};
  OK(ctx, tsr_desc_parse(ctx, "f32 [2,3,4,5] NCHW strides [60,1,15,3]", &t));
  CHECK(t.dtype == TSR_F32 && t.ndim == 4 && t.layout == TSR_NCHW && t.shape[3] == 5 && t.stride[2] == 15);
  OK(ctx, tsr_desc_parse(ctx, "f8_e4m3 [2,3]", &t));
  CHECK(t.dtype == TSR_F8_E4M3 && t.layout == TSR_PLAIN && t.stride[0] == 3 && t.stride[1] == 1 && t.shape[2] == 1);
  OK(ctx, tsr_desc_parse(ctx, "bool []", &t));
  CHECK(t.dtype == TSR_BOOL && t.ndim == 0 && tsr_size(&t) == 1);
  OK(ctx, tsr_desc_parse(ctx, "i16 [2,3] strides [0,-1]", &t));
  CHECK(t.stride[0] == 0 && t.stride[1] == -1);
  OK(ctx, tsr_desc_parse(ctx, "i16 [0,3]", &t));
  CHECK(tsr_size(&t) == 0 && t.shape[1] == 3);
  OK(ctx, tsr_desc_parse(ctx, "empty", &t));
  CHECK(tsr_is_none(&t) && t.ndim == 0);
  OK(ctx, tsr_desc_parse(ctx, "f32 [2,3,4,5]", &t));
  OK(ctx, tsr_allocate(ctx, NULL, 0, &t)); /* it is a description as any other */
  tsr_release(&t);
  CHECK(test_live() == 0);
}

/* ---- what is refused ---- */

TEST(malformed_texts) {
  static const struct {
    const char *text;
    tsr_status status;
    const char *message;
  } rows[] = {
    {"", TSR_EDTYPE, "no dtype at byte 0"},
    {" f32 [2]", TSR_EDTYPE, "no dtype at byte 0"},
    {"f31 [2]", TSR_EDTYPE, "no dtype at byte 0"},
    {"F32 [2]", TSR_EDTYPE, "no dtype at byte 0"},
    {"none [2]", TSR_EDTYPE, "no dtype at byte 0"},
    {"empty [2]", TSR_EDTYPE, "no dtype at byte 0"},
    {"a_name_that_no_dtype_has [2]", TSR_EDTYPE, "no dtype at byte 0"},
    {"f32", TSR_EFORMAT, "no space at byte 3"},
    {"f32[2]", TSR_EFORMAT, "no space at byte 3"},
    {"f32  [2]", TSR_EFORMAT, "no [ at byte 4"},
    {"f32 ", TSR_EFORMAT, "no [ at byte 4"},
    {"f32 2", TSR_EFORMAT, "no [ at byte 4"},
    {"f32 [", TSR_EFORMAT, "no number at byte 5"},
    {"f32 [2", TSR_EFORMAT, "neither , nor ] at byte 6"},
    {"f32 [2,", TSR_EFORMAT, "no number at byte 7"},
    {"f32 [2,]", TSR_EFORMAT, "no number at byte 7"},
    {"f32 [,2]", TSR_EFORMAT, "no number at byte 5"},
    {"f32 [2, 3]", TSR_EFORMAT, "no number at byte 7"},
    {"f32 [2;3]", TSR_EFORMAT, "neither , nor ] at byte 6"},
    {"f32 [+2]", TSR_EFORMAT, "no number at byte 5"},
    {"f32 [-]", TSR_EFORMAT, "no number at byte 5"},
    {"f32 [02]", TSR_EFORMAT, "a zero before a number at byte 5"},
    {"f32 [3,-0]", TSR_EFORMAT, "a zero before a number at byte 7"},
    {"f32 [0x2]", TSR_EFORMAT, "neither , nor ] at byte 6"},
    {"f32 [2.5]", TSR_EFORMAT, "neither , nor ] at byte 6"},
    {"f32 [99999999999999999999]", TSR_EOVERFLOW, "too large at byte 5"},
    {"f32 [9223372036854775808]", TSR_EOVERFLOW, "too large at byte 5"},
    {"f32 [1,1,1,1,1,1,1,1,1]", TSR_ESHAPE, "one axis more"},
    {"f32 [-2]", TSR_ESHAPE, "axis 0 is negative"},
    {"f32 [2,-1] strides [1,1]", TSR_ESHAPE, "axis 1 is negative"},
    {"f32 [2147483647,2147483647,2147483647]", TSR_EOVERFLOW, "more than"},
    {"f32 [2] ", TSR_ELAYOUT, "neither a layout nor strides at byte 8"},
    {"f32 [2]]", TSR_EFORMAT, "more text at byte 7"},
    {"f32 [2]\n", TSR_EFORMAT, "more text at byte 7"},
    {"f32 [2] plain", TSR_ELAYOUT, "neither a layout nor strides at byte 8"},
    {"f32 [2] nc", TSR_ELAYOUT, "neither a layout nor strides at byte 8"},
    {"f32 [2,3] NCHW", TSR_ELAYOUT, "NCHW has 4 axes"},
    {"f32 [2,3] NC NC", TSR_EFORMAT, "no strides at byte 13"},
    {"f32 [2,3] strides NC [3,1]", TSR_EFORMAT, "no [ at byte 18"},
    {"f32 [2,3] strides [3,1] NC", TSR_EFORMAT, "more text at byte 23"},
    {"f32 [2,3] strides [3,1] strides [3,1]", TSR_EFORMAT, "more text at byte 23"},
    {"f32 [2,3] strides", TSR_EFORMAT, "no space at byte 17"},
    {"f32 [2,3] strides ", TSR_EFORMAT, "no [ at byte 18"},
    {"f32 [2,3] strides[3,1]", TSR_EFORMAT, "no space at byte 17"},
    {"f32 [2,3] strides [3]", TSR_EFORMAT, "not as many strides as axes at byte 17"},
    {"f32 [2,3] strides [9,3,1]", TSR_EFORMAT, "not as many strides as axes at byte 17"},
    {"f32 [2,3] strided [3,1]", TSR_ELAYOUT, "neither a layout nor strides at byte 10"},
#if TSR_MAX_DIMS >= 5
    {"f32 [2,3,4,5,6] NC4HW", TSR_ELAYOUT, "the last axis"},
#endif
#if TSR_INDEX_BITS == 64
    {"f32 [4294967296,4294967296]", TSR_EOVERFLOW, "more than"},
    {"f32 [3] strides [9223372036854775807]", TSR_EOVERFLOW, "leave the address space"},
    {"f32 [3] strides [-9223372036854775809]", TSR_EOVERFLOW, "too large at byte 17"},
#endif
  };
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {.dtype = TSR_U8, .ndim = 1, .shape = {7}};
    const tsr_tensor before = t;
    FAILS(ctx, rows[i].status, tsr_desc_parse(ctx, rows[i].text, &t));
    MESSAGE_HAS(ctx, "desc_parse");
    MESSAGE_HAS(ctx, rows[i].message);
    CHECK(memcmp(&t, &before, sizeof t) == 0);
  }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_EARG, tsr_desc_parse(ctx, NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_desc_parse(ctx, "f32 [2]", NULL));
}

/* Bytes changed, taken out and put in: what is read is what would be written, but for strides that are said without need. */
TEST(mutations) {
  static const char likely[] = "0123456789-,[] fiubcsNCHWtrides_e\0\377";
  test_rng rng = {12};
  int read = 0;
  for (int i = 0; i < 60000; i++) {
    tsr_ctx *const ctx = test_context();
    const tsr_tensor t = random_description(&rng);
    char text[TEXT_BYTES + 8], again[TEXT_BYTES];
    size_t length = tsr_desc_format(&t, text, TEXT_BYTES);
    for (int k = (int)number_below(&rng, 3); k >= 0; k--) {
      const size_t at = (size_t)number_below(&rng, (int)length + 1);
      const char byte = likely[number_below(&rng, (int)sizeof likely - 1)];
      switch (number_below(&rng, 3)) {
        case 0: text[at] = at < length ? byte : '\0'; break;
        case 1:
          memmove(text + at + 1, text + at, length + 1 - at);
          text[at] = byte;
          length++;
          break;
        default:
          if (at < length) memmove(text + at, text + at + 1, length-- - at);
          break;
      }
      length = strlen(text);
    }
    tsr_tensor back = {0};
    const tsr_status st = tsr_desc_parse(ctx, text, &back);
    if (st != TSR_OK) {
      CHECK(tsr_is_none(&back));
      MESSAGE_HAS(ctx, "desc_parse");
      continue;
    }
    read++;
    CHECK(tsr_desc_format(&back, again, sizeof again) < sizeof again);
    const size_t same = strlen(again);
    CHECK(strncmp(text, again, same) == 0 && (text[same] == '\0' || strncmp(text + same, " strides [", 10) == 0));
  }
  CHECK(read > 500);
}

TEST_MAIN(RUN(round_trips), RUN(each_part), RUN(malformed_texts), RUN(mutations))
