/* Calls that mean nothing: a status, a message that names what is wrong, and an output that has not changed. */
#include "nn/conv_reference.h"

static float numbers[512];

static tsr_tensor over(int dtype, int layout, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, numbers, dtype, ndim, shape, &t));
  t.layout = (uint8_t)layout;
  return t;
}

/* x [1,4,6,6], w [8,4,3,3], bias [8], all f32; what is not 0 here is different. */
typedef struct bad {
  const char *message;
  tsr_status status;
  int x_dtype, w_dtype, b_dtype, x_layout, w_layout;
  int x_rank, w_rank;
  tsr_index w[4], bias;
  tsr_conv_options options;
} bad;

static int or_default(int value, int otherwise) { return value != 0 ? value : otherwise; }

static const bad table[] = {
    {"conv2d: x is f32 [1,4,6]", TSR_ESHAPE, .x_rank = 3},
    {"conv2d: w is f32 [8,4,3]", TSR_ESHAPE, .w_rank = 3},
    {"with layout OIHW: only NCHW and NHWC", TSR_ELAYOUT, .x_layout = TSR_OIHW},
    {"with layout NCHW: only OIHW and OHWI", TSR_ELAYOUT, .w_layout = TSR_NCHW},
    {"x is bool", TSR_EDTYPE, .x_dtype = TSR_BOOL},
    {"w is i32 [8,4,3,3], x is f32 [1,4,6,6]", TSR_EDTYPE, .w_dtype = TSR_I32},
    {"bias is i32 [8]", TSR_EDTYPE, .b_dtype = TSR_I32},
    {"bias is f32 [7], there are 8 filters", TSR_ESHAPE, .bias = 7},
    {"filters [8,3,3,3]: with 1 groups that is not the 4 channels of x f32 [1,4,6,6]", TSR_ESHAPE, .w = {8, 3, 3, 3}},
    {"filters [8,4,3,3]: with 2 groups", TSR_ESHAPE, .options = {.groups = 2}},
    {"groups 4: the 6 filters", TSR_ESHAPE, .w = {6, 1, 3, 3}, .bias = 6, .options = {.groups = 4}},
    {"groups -1 is negative", TSR_EARG, .options = {.groups = -1}},
    {"stride [-1,0]", TSR_EARG, .options = {.stride = {-1, 0}}},
    {"dilation [0,-2]", TSR_EARG, .options = {.dilation = {0, -2}}},
    {"pad_before [-1,0]", TSR_EARG, .options = {.pad_before = {-1, 0}}},
    {"pad_after [0,-1]", TSR_EARG, .options = {.pad_after = {0, -1}}},
    {"pad_before [1,1]: only where padding is explicit", TSR_EARG,
     .options = {.pad_before = {1, 1}, .padding = TSR_PADDING_SAME}},
    {"padding 9 is no kind", TSR_EARG, .options = {.padding = 9}},
    {"algorithm 4 is no algorithm", TSR_EARG, .options = {.algorithm = 4}},
    {TSR_HAVE_MALLOC ? "winograd is for 3x3" : "winograd is not in this build", TSR_EUNSUPPORTED,
     .options = {.stride = {2, 2}, .algorithm = TSR_CONV_WINOGRAD}},
#if TSR_HAVE_MALLOC
    {"winograd is for 3x3 filters with stride 1, dilation 1 and one group in small floats and f32; filter and stride "
     "are "
     "[3,3,1,1], x is i32",
     TSR_EUNSUPPORTED, .x_dtype = TSR_I32, .w_dtype = TSR_I32, .b_dtype = TSR_I32,
     .options = {.algorithm = TSR_CONV_WINOGRAD}},
#endif
    {"filters [8,4,0,3] without elements", TSR_ESHAPE, .w = {8, 4, 0, 3}},
    {"w spans a width of 7 (3 elements, dilation 3), x has 6", TSR_ESHAPE, .options = {.dilation = {1, 3}}},
    {"w spans a height of 9", TSR_ESHAPE, .options = {.dilation = {4, 1}, .pad_before = {2, 0}}},
    {"has a height of more than", TSR_EOVERFLOW, .options = {.pad_before = {TSR_INDEX_MAX, 0}}},
    {"has a width of more than", TSR_EOVERFLOW, .options = {.dilation = {0, TSR_INDEX_MAX}}},
};

TEST(bad_calls_are_named) {
  for (int i = 0; i < COUNT_OF(table); i++) {
    const bad *const b = &table[i];
    tsr_ctx *const ctx = test_context();
    const int rank = or_default(b->x_rank, 4);
    const tsr_index filters[4] = {8, 4, 3, 3}, count = b->bias != 0 ? b->bias : 8;
    const tsr_tensor x = over(or_default(b->x_dtype, TSR_F32), b->x_layout, rank, (tsr_index[]){1, 4, 6, 6});
    const tsr_tensor w =
        over(or_default(b->w_dtype, TSR_F32), b->w_layout, or_default(b->w_rank, 4), b->w[0] != 0 ? b->w : filters);
    const tsr_tensor bias = over(or_default(b->b_dtype, TSR_F32), 0, 1, &count);
    tsr_tensor out = {0};
    tsr_conv_packed packed = {0};
    FAILS(ctx, b->status, tsr_conv2d(ctx, &x, &w, &bias, &b->options, &out));
    MESSAGE_HAS(ctx, b->message);
    CHECK(tsr_is_none(&out) && test_live() == 0);
    if (rank == 4) FAILS(ctx, b->status, tsr_conv_pack(ctx, &w, &bias, &b->options, &x, &packed));
  }
}

TEST(one_axis_has_one_of_each) {
  tsr_ctx *const ctx = test_context();
  const tsr_tensor x = over(TSR_F32, 0, 3, (tsr_index[]){2, 3, 5}), w = over(TSR_F32, 0, 3, (tsr_index[]){4, 3, 2});
  const tsr_tensor image = over(TSR_F32, 0, 4, (tsr_index[]){1, 2, 3, 5});
  const tsr_conv_options two = {.stride = {1, 1}}, far = {.dilation = {9, 0}};
  tsr_tensor out = {0};
  FAILS(ctx, TSR_EARG, tsr_conv1d(ctx, &x, &w, NULL, &two, &out));
  MESSAGE_HAS(ctx, "conv1d: stride [1,1]: with one axis");
  FAILS(ctx, TSR_ESHAPE, tsr_conv1d(ctx, &x, &w, NULL, &far, &out));
  MESSAGE_HAS(ctx, "a length of 10");
  FAILS(ctx, TSR_ESHAPE, tsr_conv1d(ctx, &image, &w, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "conv1d: x is f32 [1,2,3,5]");
  FAILS(ctx, TSR_EARG, tsr_conv1d(ctx, NULL, &w, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_conv1d(ctx, &x, NULL, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_conv1d(ctx, &x, &w, NULL, NULL, NULL));
  CHECK(tsr_is_none(&out));
}

TEST(outputs_that_do_not_fit_are_refused) {
  static float room[8 * 16];
  tsr_ctx *const ctx = test_context();
  const tsr_tensor x = over(TSR_F32, 0, 4, (tsr_index[]){1, 4, 6, 6}),
                   w = over(TSR_F32, 0, 4, (tsr_index[]){8, 4, 3, 3});
  const tsr_tensor bias = over(TSR_F32, 0, 1, (tsr_index[]){8});
  tsr_tensor out = {0};
  const tsr_index fits[4] = {1, 8, 4, 4}, larger[4] = {1, 8, 4, 5};
  OK(ctx, tsr_from_memory(ctx, room, TSR_F32, 4, fits, &out));
  out.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_conv2d(ctx, &x, &w, &bias, NULL, &out));
  out = over(TSR_F32, 0, 4, larger);
  FAILS(ctx, TSR_ESHAPE, tsr_conv2d(ctx, &x, &w, &bias, NULL, &out));
  MESSAGE_HAS(ctx, "the result is f32 [1,8,4,4]");
  out = over(TSR_I32, 0, 4, fits);
  FAILS(ctx, TSR_EDTYPE, tsr_conv2d(ctx, &x, &w, &bias, NULL, &out));
  out = over(TSR_F32, 0, 4, fits); /* the memory of x */
  FAILS(ctx, TSR_EOVERLAP, tsr_conv2d(ctx, &x, &w, &bias, NULL, &out));
  MESSAGE_HAS(ctx, "overlaps x f32 [1,4,6,6]");
  OK(ctx, tsr_from_memory(ctx, room, TSR_F32, 4, fits, &out));
  out.stride[0] = out.stride[1] = 0;
  FAILS(ctx, TSR_EOVERLAP, tsr_conv2d(ctx, &x, &w, &bias, NULL, &out));
  for (int i = 0; i < COUNT_OF(room); i++) CHECK(room[i] == 0);
}

TEST(activations_that_do_not_fit_are_refused) {
  tsr_ctx *const ctx = test_context();
  const tsr_tensor x = over(TSR_I32, 0, 4, (tsr_index[]){1, 1, 3, 3}),
                   w = over(TSR_I32, 0, 4, (tsr_index[]){1, 1, 1, 1});
  tsr_conv_options options = {.activation = {.kind = TSR_TANH}};
  tsr_tensor out = {0};
  FAILS(ctx, TSR_EDTYPE, tsr_conv2d(ctx, &x, &w, NULL, &options, &out));
  MESSAGE_HAS(ctx, "tanh is not for i32");
  const tsr_tensor y = over(TSR_F32, 0, 4, (tsr_index[]){1, 1, 3, 3}),
                   v = over(TSR_F32, 0, 4, (tsr_index[]){1, 1, 1, 1});
  options.activation = (tsr_activation){TSR_CLIP, 2, 1};
  FAILS(ctx, TSR_EARG, tsr_conv2d(ctx, &y, &v, NULL, &options, &out));
  CHECK(tsr_is_none(&out));
}

TEST(packed_structs_that_nobody_packed_are_refused) {
  tsr_ctx *const ctx = test_context();
  const tsr_tensor x = over(TSR_F32, 0, 4, (tsr_index[]){1, 4, 6, 6}),
                   w = over(TSR_F32, 0, 4, (tsr_index[]){2, 4, 3, 3});
  tsr_tensor out = {0}, last = x, whole = over(TSR_I32, 0, 4, (tsr_index[]){1, 4, 6, 6});
  tsr_conv_packed packed = {0};
  FAILS(ctx, TSR_EARG, tsr_conv2d_packed(ctx, &x, NULL, &out));
  FAILS(ctx, TSR_ESTATE, tsr_conv2d_packed(ctx, &x, &packed, &out));
  FAILS(ctx, TSR_EARG, tsr_conv_pack(ctx, &w, NULL, NULL, &x, NULL));
  if (!TSR_HAVE_MALLOC) {
    FAILS(ctx, TSR_EUNSUPPORTED, tsr_conv_pack(ctx, &w, NULL, NULL, &x, &packed));
    return;
  }
  tsr_index count = 7;
  FAILS(ctx, TSR_EARG, tsr_conv_pack_size(ctx, &w, NULL, NULL, &count));
  CHECK(count == 7);
  OK(ctx, tsr_conv_pack(ctx, &w, NULL, NULL, &x, &packed));
  last.layout = TSR_NHWC;
  FAILS(ctx, TSR_ELAYOUT, tsr_conv2d_packed(ctx, &last, &packed, &out));
  MESSAGE_HAS(ctx, "packed for f32 with channels first");
  FAILS(ctx, TSR_EDTYPE, tsr_conv2d_packed(ctx, &whole, &packed, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_conv1d_packed(ctx, &x, &packed, &out));
  for (int i = 0; i < 8; i++) {
    tsr_conv_packed wrong = packed;
    wrong.panels.flags = 0;
    if (i == 0) wrong.filter[0]++;
    if (i == 1) wrong.filter[2] = -1;
    if (i == 2) wrong.kernel = 77;
    if (i == 3) wrong.isa = 77;
    if (i == 4) wrong.rank = 5;
    if (i == 5) wrong.panels.shape[0]--;
    if (i == 6) wrong.kernel = wrong.kernel == 3 ? 2 : 3;
    if (i == 7) wrong.panels.dtype = TSR_I32;
    CHECK(tsr_conv2d_packed(ctx, &x, &wrong, &out) != TSR_OK);
    CHECK(tsr_is_none(&out));
    if (i == 3) MESSAGE_HAS(ctx, "packed was packed for instruction set 77, which is none");
  }
  tsr_conv_packed_release(&packed);
  const tsr_tensor wi = over(TSR_I32, 0, 4, (tsr_index[]){2, 4, 3, 3});
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_conv_pack(ctx, &wi, NULL, NULL, &whole, &packed));
  MESSAGE_HAS(ctx, "i32 filters");
}

/* Padding may be any number: the algorithm is chosen before it is known whether an output of that size fits an index. */
TEST(more_outputs_than_an_index_counts_choose_as_many_do) {
#if TSR_HAVE_MALLOC && TSR_INDEX_BITS == 64
  static float zeros[16 * 16 * 9];
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, w = {0}, out = {0};
  const tsr_conv_options huge = {.pad_after = {((tsr_index)1 << 32) - 6, ((tsr_index)1 << 32) - 6}};
  tsr_index count = 0, few = 0;
  OK(ctx, tsr_from_memory(ctx, zeros, TSR_F32, TSR_SHAPE(1, 16, 8, 8), &x));
  OK(ctx, tsr_from_memory(ctx, zeros, TSR_F32, TSR_SHAPE(16, 16, 3, 3), &w));
  OK(ctx, tsr_conv_pack_size(ctx, &w, NULL, &x, &few));
  OK(ctx, tsr_conv_pack_size(ctx, &w, &huge, &x, &count)); /* 2^32 rows of 2^32 outputs */
  CHECK(few > 0 && count == few);
  FAILS(ctx, TSR_EOVERFLOW, tsr_conv2d(ctx, &x, &w, NULL, &huge, &out));
  CHECK(tsr_is_none(&out) && test_live() == 0);
#else
  SKIP("an index of 64 bits and algorithms to choose from");
#endif
}

TEST_MAIN(RUN(bad_calls_are_named), RUN(one_axis_has_one_of_each), RUN(outputs_that_do_not_fit_are_refused),
          RUN(activations_that_do_not_fit_are_refused), RUN(packed_structs_that_nobody_packed_are_refused),
          RUN(more_outputs_than_an_index_counts_choose_as_many_do))
