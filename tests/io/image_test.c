/* Images and tensors: the numbers of one call against the definition, there and back, and other sizes against Pillow's. */
#include "files_support.h"

#include <math.h>
#include <tessera/image.h>
#include <tessera/tessera.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

static const char *path_of(const char *name) {
  static char path[1024];
  (void)snprintf(path, sizeof path, "%s/tests/io/image/%s.npy", TSR_SOURCE_DIR, name);
  return path;
}

static const tsr_image_options imagenet = {.mean = {0.485f, 0.456f, 0.406f}, .std = {0.229f, 0.224f, 0.225f}};

/* One number by the definition, in double. */
static double number_of(double value, const tsr_image_options *o, double most, int c) {
  if (!o->whole) value /= most;
  const double std = o->std[0] > 0 ? (double)o->std[c] : 1;
  return (value - (double)o->mean[c]) / std;
}

static void check_spread(tsr_ctx *ctx, const tsr_tensor *image, const tsr_image_options *o) {
  tsr_tensor x = {0}, back = {0};
  const double most = image->dtype == TSR_U8 ? 255 : 65535;
  OK(ctx, tsr_image_to_tensor(ctx, image, o, &x));
  CHECK(x.ndim == 3 && x.dtype == TSR_F32 && x.shape[1] == image->shape[0] && x.shape[2] == image->shape[1]);
  for (tsr_index c = 0; c < x.shape[0]; c++)
    for (tsr_index h = 0; h < x.shape[1]; h++)
      for (tsr_index w = 0; w < x.shape[2]; w++) {
        const tsr_index at[3] = {h, w, c};
        tsr_real value = 0;
        OK(ctx, tsr_get(ctx, image, image->ndim, at, &value));
        const double want = number_of(value, o, most, (int)c);
        const double got = (double)((const float *)x.data)[(c * x.shape[1] + h) * x.shape[2] + w];
        CHECK(fabs(got - want) <= 1e-6 * (1 + fabs(want)) * (o->whole ? 8 : 4));
      }
  tsr_image_options way_back = *o;
  way_back.dtype = image->dtype;
  OK(ctx, tsr_tensor_to_image(ctx, &x, &way_back, &back));
  bool same = false;
  OK(ctx, tsr_equal(ctx, image, &back, &same));
  CHECK(same || image->dtype == TSR_U16); /* f32 keeps all of u8; of u16 some are one off */
  tsr_release(&x);
  tsr_release(&back);
}

static tsr_tensor noise(int dtype, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(NULL, tsr_desc_init(NULL, dtype, ndim, shape, &t));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t));
  for (size_t i = 0; i < tsr_nbytes(&t); i++) ((uint8_t *)t.data)[i] = (uint8_t)(i * 2654435761u >> 11);
  return t;
}

TEST(every_instruction_set_gives_the_definition) {
  const tsr_image_options plain = {0}, whole = {.whole = true, .mean = {1, 2, 3, 4}};
  static const char *const sets[] = {"base", "avx2", "avx512"};
  for (int isa = 0; isa < 3; isa++) {
    tsr_ctx ctx;
    OK(NULL, tsr_context_init(&ctx, NULL));
    if (tsr_context_set_isa(&ctx, sets[isa]) != TSR_OK) continue; /* not here */
    for (tsr_index c = 1; c <= 4; c++) {
      const tsr_index shape[3] = {7, 41, c};
      tsr_tensor u8 = noise(TSR_U8, c == 1 ? 2 : 3, shape), u16 = noise(TSR_U16, c == 1 ? 2 : 3, shape);
      check_spread(&ctx, &u8, &plain);
      check_spread(&ctx, &u16, &plain);
      check_spread(&ctx, &u8, &whole);
      if (c == 3) check_spread(&ctx, &u8, &imagenet);
      tsr_release(&u8);
      tsr_release(&u16);
    }
  }
}

TEST(views_batches_and_given_outputs) {
  tsr_tensor batch = noise(TSR_U8, TSR_SHAPE(2, 5, 6, 3)), x = {0}, half = {0}, one = {0}, flipped = {0}, y = {0};
  OK(NULL, tsr_image_to_tensor(NULL, &batch, &imagenet, &x));
  CHECK(x.ndim == 4 && x.shape[0] == 2 && x.shape[1] == 3 && x.shape[2] == 5 && x.shape[3] == 6);
  OK(NULL, tsr_select(NULL, &batch, 0, 1, &one));
  OK(NULL, tsr_flip(NULL, &one, 1, &flipped));
  OK(NULL, tsr_image_to_tensor(NULL, &flipped, &imagenet, &y));
  for (int c = 0; c < 3; c++)
    for (int h = 0; h < 5; h++)
      for (int w = 0; w < 6; w++)
        CHECK(((float *)y.data)[(c * 5 + h) * 6 + w] == ((float *)x.data)[((3 + c) * 5 + h) * 6 + 5 - w]);
  const tsr_image_options f16 = {.dtype = TSR_F16};
  OK(NULL, tsr_image_to_tensor(NULL, &one, &f16, &half));
  CHECK(half.dtype == TSR_F16);
  tsr_tensor given = {0}, back = {0};
  OK(NULL, tsr_desc_init_ordered(NULL, TSR_F64, TSR_SHAPE(3, 5, 6), TSR_FORTRAN, &given));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &given));
  OK(NULL, tsr_image_to_tensor(NULL, &flipped, &imagenet, &given));
  CHECK(((double *)given.data)[1] == (double)((float *)y.data)[30]); /* [1,0,0] */
  OK(NULL, tsr_tensor_to_image(NULL, &given, &imagenet, &back));
  CHECK(tsr_same_shape(&back, &flipped));
  bool same = false;
  OK(NULL, tsr_equal(NULL, &back, &flipped, &same));
  CHECK(same);
  tsr_tensor *const all[] = {&batch, &x, &half, &y, &given, &back};
  for (int i = 0; i < 6; i++) tsr_release(all[i]);
}

TEST(numbers_beyond_are_cut_off) {
  float numbers[] = {-1, 0, 0.5f, 1, 2, NAN, INFINITY, -INFINITY, 2.5f / 255, 3.5f / 255};
  static const uint8_t want[] = {0, 0, 128, 255, 255, 0, 255, 0, 2, 4};
  tsr_tensor x = {0}, image = {0};
  OK(NULL, tsr_from_memory(NULL, numbers, TSR_F32, TSR_SHAPE(2, 5), &x));
  OK(NULL, tsr_tensor_to_image(NULL, &x, NULL, &image));
  CHECK(image.ndim == 2 && memcmp(image.data, want, sizeof want) == 0);
  tsr_release(&image);
}

static void check_size(const char *name, tsr_image_filter filter, tsr_index width, tsr_index height) {
  tsr_tensor image = {0}, want = {0}, got = {0};
  char file[64];
  (void)snprintf(file, sizeof file, "%s_%dx%d", name, (int)width, (int)height);
  OK(NULL, tsr_npy_load(NULL, path_of("plain"), &image));
  OK(NULL, tsr_npy_load(NULL, path_of(file), &want));
  OK(NULL, tsr_image_resize(NULL, &image, height, width, filter, &got));
  CHECK(tsr_desc_equal(&got, &want) && memcmp(got.data, want.data, tsr_nbytes(&want)) == 0);
  if (test_now.failures > 0) printf("   in %s\n", file);
  tsr_release(&image);
  tsr_release(&want);
  tsr_release(&got);
}

TEST(other_sizes_have_the_bits_of_pillow) {
  static const char *const names[] = {"bilinear", "box", "bicubic", "lanczos"};
  static const tsr_index sizes[][2] = {{7, 5}, {40, 31}, {23, 4}, {6, 17}, {1, 1}};
  for (int f = 0; f < 4; f++)
    for (int i = 0; i < 5; i++) check_size(names[f], (tsr_image_filter)f, sizes[i][0], sizes[i][1]);
}

TEST(floats_too) {
  static const char *const names[] = {"floats_bilinear", "floats_box", "floats_bicubic", "floats_lanczos"};
  for (int f = 0; f < 4; f++) {
    tsr_tensor image = {0}, want = {0}, got = {0};
    OK(NULL, tsr_npy_load(NULL, path_of("floats"), &image));
    OK(NULL, tsr_npy_load(NULL, path_of(names[f]), &want));
    OK(NULL, tsr_image_resize(NULL, &image, 6, 9, (tsr_image_filter)f, &got));
    for (size_t i = 0; i < (size_t)tsr_size(&want); i++)
      CHECK(fabsf(((float *)got.data)[i] - ((float *)want.data)[i]) < 1e-6f);
    tsr_release(&image);
    tsr_release(&want);
    tsr_release(&got);
  }
}

TEST(one_size_is_a_copy_and_strides_do_not_matter) {
  tsr_tensor image = noise(TSR_U8, TSR_SHAPE(6, 5, 2)), same = {0}, crossed = {0}, plain = {0}, a = {0}, b = {0};
  OK(NULL, tsr_image_resize(NULL, &image, 6, 5, TSR_FILTER_LANCZOS, &same));
  CHECK(memcmp(same.data, image.data, 60) == 0);
  OK(NULL, tsr_transpose(NULL, &image, 0, 1, &crossed));
  OK(NULL, tsr_clone(NULL, &crossed, &plain));
  OK(NULL, tsr_image_resize(NULL, &crossed, 3, 4, TSR_FILTER_BICUBIC, &a));
  OK(NULL, tsr_image_resize(NULL, &plain, 3, 4, TSR_FILTER_BICUBIC, &b));
  CHECK(memcmp(a.data, b.data, 24) == 0);
  tsr_tensor *const all[] = {&image, &same, &plain, &a, &b};
  for (int i = 0; i < 5; i++) tsr_release(all[i]);
}

TEST(bad_calls) {
  tsr_tensor image = noise(TSR_U8, TSR_SHAPE(4, 5, 3)), five = noise(TSR_U8, TSR_SHAPE(4, 5, 5)), f = {0}, out = {0};
  const tsr_image_options zero = {.std = {1, 0, 1}}, nan = {.mean = {NAN}}, u8 = {.dtype = TSR_U8},
                          f32 = {.dtype = TSR_F32};
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3, 4, 5), &f));
  FAILS(NULL, TSR_EDTYPE, tsr_image_to_tensor(NULL, &f, NULL, &out));
  FAILS(NULL, TSR_ESHAPE, tsr_image_to_tensor(NULL, &five, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_image_to_tensor(NULL, &image, &zero, &out));
  MESSAGE_HAS(NULL, "image_to_tensor: std of channel 1 is 0");
  FAILS(NULL, TSR_EARG, tsr_image_to_tensor(NULL, &image, &nan, &out));
  FAILS(NULL, TSR_EDTYPE, tsr_image_to_tensor(NULL, &image, &u8, &out));
  FAILS(NULL, TSR_EARG, tsr_image_to_tensor(NULL, &image, NULL, NULL));
  FAILS(NULL, TSR_EDTYPE, tsr_tensor_to_image(NULL, &image, NULL, &out));
  FAILS(NULL, TSR_EDTYPE, tsr_tensor_to_image(NULL, &f, &f32, &out));
  FAILS(NULL, TSR_EARG, tsr_image_resize(NULL, &image, 0, 5, TSR_FILTER_BOX, &out));
  FAILS(NULL, TSR_EARG, tsr_image_resize(NULL, &image, 5, -1, TSR_FILTER_BOX, &out));
  FAILS(NULL, TSR_EARG, tsr_image_resize(NULL, &image, 5, 5, (tsr_image_filter)9, &out));
  FAILS(NULL, TSR_EDTYPE, tsr_image_resize(NULL, &image, 5, 5, TSR_FILTER_BOX, &f));
  CHECK(tsr_is_none(&out));
  tsr_release(&image);
  tsr_release(&five);
  tsr_release(&f);
}

/* Each allocation fails in turn: a status, and nothing stays. */
TEST(memory_runs_out) {
  tsr_tensor image = noise(TSR_U8, TSR_SHAPE(9, 8, 3));
  for (int call = 0; call < 3; call++) {
    for (size_t at = 0; at < 64; at++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, at, false);
      tsr_tensor x = {0}, out = {0};
      tsr_status st = TSR_OK;
      if (call == 0) st = tsr_image_to_tensor(ctx, &image, NULL, &out);
      if (call == 1) st = tsr_image_resize(ctx, &image, 3, 4, TSR_FILTER_BOX, &out);
      if (call == 2) OK(NULL, tsr_image_to_tensor(NULL, &image, NULL, &x));
      if (call == 2) st = tsr_tensor_to_image(ctx, &x, NULL, &out);
      CHECK(st == TSR_OK || (st == TSR_ENOMEM && tsr_is_none(&out)));
      tsr_release(&out);
      tsr_release(&x);
      CHECK(m.failing.live == 0);
      if (st == TSR_OK) break;
    }
  }
  tsr_release(&image);
}

TEST_MAIN(RUN(every_instruction_set_gives_the_definition), RUN(views_batches_and_given_outputs),
          RUN(numbers_beyond_are_cut_off), RUN(other_sizes_have_the_bits_of_pillow), RUN(floats_too),
          RUN(one_size_is_a_copy_and_strides_do_not_matter), RUN(bad_calls), RUN(memory_runs_out))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
