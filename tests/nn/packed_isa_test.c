/* Packed weights with every id of an instruction set: what is computed is right, everything else is refused. The shapes
 * have panels of as many bytes on every instruction set, so that nothing but id and kernel tells them apart. */
#include "nn/quant_reference.h"
#include "support/test.h"

#include <string.h>

enum { IDS = 256 }; /* all bytes */

/* Weights of one kind: *at is the id in them. */
typedef struct kind {
  const char *name;
  tsr_status (*run)(tsr_ctx *ctx, const void *weights, const tsr_tensor *x, tsr_tensor *out);
  const void *weights;
  uint8_t *at;
  const tsr_tensor *x;
} kind;

static tsr_status run_matmul(tsr_ctx *ctx, const void *weights, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_matmul_packed(ctx, x, weights, NULL, out);
}
static tsr_status run_conv(tsr_ctx *ctx, const void *weights, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_conv2d_packed(ctx, x, weights, out);
}
static tsr_status run_qconv(tsr_ctx *ctx, const void *weights, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_qconv2d(ctx, x, weights, out);
}
static tsr_status run_qdense(tsr_ctx *ctx, const void *weights, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_qdense(ctx, x, weights, out);
}

static bool is_close(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b) {
  if (tsr_dtype_describe(a->dtype)->class_ != TSR_CLASS_FLOAT) return test_same_elements(a, b);
  bool close = false;
  OK(ctx, tsr_allclose(ctx, a, b, (tsr_real)1e-3, (tsr_real)1e-3, false, &close));
  return close;
}

static bool is_untouched(const tsr_tensor *out) {
  const unsigned char *const bytes = out->data;
  for (size_t i = 0; i < tsr_nbytes(out); i++)
    if (bytes[i] != 0x55) return false;
  return true;
}

/* One id; whether it was computed. Refused ones name what they were packed for, and leave out alone. */
static bool try_id(tsr_ctx *ctx, const kind *k, uint8_t own, const tsr_tensor *want, tsr_tensor *out) {
  const int id = *k->at;
  memset(out->data, 0x55, tsr_nbytes(out));
  const tsr_status st = k->run(ctx, k->weights, k->x, out);
  if (st == TSR_OK) {
    const bool right = is_close(ctx, out, want);
    CHECK(right);
    if (!right) printf("  %s with id %d instead of %d\n", k->name, id, own);
    return true;
  }
  CHECK(is_untouched(out) && (st == TSR_EUNSUPPORTED || st == TSR_ESTATE || st == TSR_EARG));
  CHECK(id != own);
  if (id == 0 || id == 255) CHECK(st == TSR_EUNSUPPORTED);
  if (st == TSR_EUNSUPPORTED) MESSAGE_HAS(ctx, "pack it again");
  return false;
}

/* Returns how many ids were computed with. */
static int try_all(tsr_ctx *ctx, const kind *k) {
  const uint8_t own = *k->at;
  tsr_tensor want = {0}, out = {0};
  int computed = 0;
  CHECK(own != TSR_ISA_NONE);
  OK(ctx, k->run(ctx, k->weights, k->x, &want));
  OK(ctx, tsr_clone(ctx, &want, &out));
  for (int id = 0; id < IDS; id++) {
    *k->at = (uint8_t)id;
    computed += try_id(ctx, k, own, &want, &out);
  }
  *k->at = own;
  tsr_release(&out);
  tsr_release(&want);
  return computed;
}

/* Of an architecture that is not this one. */
static void try_foreign(tsr_ctx *ctx, const kind *k) {
  const uint8_t own = *k->at;
  const bool arm = own == TSR_ISA_AARCH64_BASE;
  tsr_tensor out = {0};
  *k->at = arm ? TSR_ISA_X86_64_AVX512 : TSR_ISA_AARCH64_BASE;
  FAILS(ctx, TSR_EUNSUPPORTED, k->run(ctx, k->weights, k->x, &out));
  MESSAGE_HAS(ctx, arm ? "was packed for avx512, this build has " : "was packed for aarch64 base, this build has ");
  *k->at = own;
  CHECK(tsr_is_none(&out));
}

static void try_kind(tsr_ctx *ctx, const kind *k) {
  CHECK(try_all(ctx, k) >= 1);
  try_foreign(ctx, k);
}

/* Whole numbers from -3 to 3 (from 0 for u8). */
static void fill(tsr_ctx *ctx, test_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *t) {
  tsr_tensor whole = {0};
  OK(ctx, tsr_empty(ctx, TSR_I16, ndim, shape, &whole));
  q_fill(&whole, rng, dtype == TSR_U8 ? 0 : -3, 3);
  OK(ctx, tsr_cast(ctx, &whole, dtype, t));
  tsr_release(&whole);
}
#define SHAPE_OF(...) \
  (int)(sizeof((tsr_index[]){__VA_ARGS__}) / sizeof(tsr_index)), (const tsr_index[]) { __VA_ARGS__ }

TEST(matrices) {
  static const int pairs[][2] = {{TSR_F32, TSR_F32}, {TSR_BF16, TSR_BF16}, {TSR_F64, TSR_F64}, {TSR_I8, TSR_I8},
                                 {TSR_U8, TSR_I8},   {TSR_I16, TSR_I16},   {TSR_I64, TSR_I64}};
  test_rng rng = {50};
  if (!TSR_HAVE_MALLOC) SKIP("no packing");
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(pairs); i++) {
      tsr_ctx *const ctx = nn_context(isa);
      tsr_tensor a = {0}, b = {0};
      tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
      if (!tsr_dtype_supported(pairs[i][0])) continue;
      fill(ctx, &rng, pairs[i][0], SHAPE_OF(5, 40), &a);
      fill(ctx, &rng, pairs[i][1], SHAPE_OF(40, 64), &b);
      OK(ctx, tsr_pack(ctx, &b, a.dtype, &packed));
      try_kind(ctx, &(kind){"matmul_packed", run_matmul, &packed, &packed.isa, &a});
      tsr_packed_release(&packed);
      tsr_release(&a);
      tsr_release(&b);
      CHECK(test_live() == 0);
    }
}

TEST(filters) {
  static const struct {
    int layout, groups, size;
  } rows[] = {{TSR_NHWC, 1, 3}, {TSR_NCHW, 1, 3},  {TSR_NHWC, 1, 1},
              {TSR_NCHW, 1, 1}, {TSR_NHWC, 32, 3}, {TSR_NCHW, 32, 3}};
  static const tsr_index first[4] = {1, 32, 9, 9}, last[4] = {1, 9, 9, 32};
  test_rng rng = {51};
  if (!TSR_HAVE_MALLOC) SKIP("no packing");
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(rows); i++) {
      tsr_ctx *const ctx = nn_context(isa);
      const tsr_conv_options options = {.groups = rows[i].groups};
      const tsr_index size = rows[i].size;
      tsr_tensor x = {0}, w = {0};
      tsr_conv_packed packed = {0};
      fill(ctx, &rng, TSR_F32, 4, rows[i].layout == TSR_NHWC ? last : first, &x);
      fill(ctx, &rng, TSR_F32, SHAPE_OF(32, 32 / rows[i].groups, size, size), &w);
      x.layout = (uint8_t)rows[i].layout;
      OK(ctx, tsr_conv_pack(ctx, &w, NULL, &options, &x, &packed));
      try_kind(ctx, &(kind){"conv2d_packed", run_conv, &packed, &packed.isa, &x});
      tsr_conv_packed_release(&packed);
      tsr_release(&x);
      tsr_release(&w);
      CHECK(test_live() == 0);
    }
}

/* Layers: x of i8 (where there are byte dots, those), of i16 (pairs), and depthwise ones, which are plain everywhere.
 */
static void try_layer(tsr_ctx *ctx, test_rng *rng, int dtype, bool dense, bool depthwise) {
  const tsr_qscheme scheme = {.x = {.dtype = (uint8_t)dtype, .scale = 0.5f},
                              .w = {.dtype = TSR_I8, .scale = 0.5f},
                              .out = {.dtype = TSR_I8, .scale = 2}};
  const tsr_conv_options options = {.groups = depthwise ? 16 : 1};
  tsr_tensor x = {0}, w = {0};
  tsr_qlayer layer = {0};
  if (dense) {
    fill(ctx, rng, dtype, SHAPE_OF(5, 40), &x);
    fill(ctx, rng, TSR_I8, SHAPE_OF(32, 40), &w);
    OK(ctx, tsr_qdense_pack(ctx, &w, NULL, &scheme, &layer));
  } else {
    fill(ctx, rng, dtype, SHAPE_OF(1, 5, 5, 16), &x);
    fill(ctx, rng, TSR_I8, SHAPE_OF(16, depthwise ? 1 : 16, 3, 3), &w);
    x.layout = TSR_NHWC;
    OK(ctx, tsr_qconv_pack(ctx, &w, NULL, &options, &scheme, &layer));
  }
  const kind k = {dense ? "qdense" : "qconv2d", dense ? run_qdense : run_qconv, &layer, &layer.isa, &x};
  if (layer.kernel != 0) {
    try_kind(ctx, &k);
  } else { /* no kernel of an instruction set: the id is none, and is not looked at */
    CHECK(layer.isa == TSR_ISA_NONE);
    layer.isa = 255;
    CHECK(try_all(ctx, &k) == IDS);
  }
  tsr_qlayer_release(&layer);
  tsr_release(&x);
  tsr_release(&w);
}

TEST(layers) {
  test_rng rng = {52};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    for (int i = 0; i < 6; i++) try_layer(nn_context(isa), &rng, i % 2 ? TSR_I16 : TSR_I8, i / 2 == 0, i / 2 == 2);
    CHECK(test_live() == 0);
  }
}

/* Numbers of kernels with another width, or of none. */
TEST(layers_with_every_kernel) {
  tsr_ctx *const ctx = test_context();
  const tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = 0.5f},
                              .w = {.dtype = TSR_I8, .scale = 0.5f},
                              .out = {.dtype = TSR_I8, .scale = 2}};
  test_rng rng = {53};
  tsr_tensor x = {0}, w = {0}, want = {0}, out = {0};
  tsr_qlayer layer = {0};
  fill(ctx, &rng, TSR_I8, SHAPE_OF(5, 40), &x);
  fill(ctx, &rng, TSR_I8, SHAPE_OF(32, 40), &w);
  OK(ctx, tsr_qdense_pack(ctx, &w, NULL, &scheme, &layer));
  OK(ctx, tsr_qdense(ctx, &x, &layer, &want));
  const uint8_t own = layer.kernel;
  OK(ctx, tsr_clone(ctx, &want, &out));
  for (int kernel = 0; kernel < 256; kernel++) {
    layer.kernel = (uint8_t)kernel;
    memset(out.data, 0x55, tsr_nbytes(&out));
    const tsr_status st = tsr_qdense(ctx, &x, &layer, &out);
    CHECK(st == TSR_OK ? kernel == own && test_same_elements(&out, &want) : kernel != own && is_untouched(&out));
  }
  tsr_release(&out);
  tsr_qlayer_release(&layer);
  tsr_release(&x);
  tsr_release(&w);
  tsr_release(&want);
  CHECK(test_live() == 0);
}

TEST(zeros_are_no_weights) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  const tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
  const tsr_conv_packed filters = {0};
  const tsr_qlayer layer = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 2, 3, 3), &x));
  CHECK(tsr_matmul_packed(ctx, &x, &packed, NULL, &out) == (TSR_HAVE_MALLOC ? TSR_ESTATE : TSR_EUNSUPPORTED));
  FAILS(ctx, TSR_ESTATE, tsr_conv2d_packed(ctx, &x, &filters, &out));
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &x, &layer, &out));
  FAILS(ctx, TSR_ESTATE, tsr_qdense(ctx, &x, &layer, &out));
  CHECK(tsr_is_none(&out));
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* What a program has in constant memory that packed on a host, in a build that does not read panels. */
TEST(plain_builds_refuse_panels) {
  static _Alignas(64) float numbers[4096];
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  tsr_conv_packed filters = {.filter = {2, 2, 1, 1}, .dtype = TSR_F32, .rank = 4, .kernel = 0x22};
  if (TSR_HAVE_MALLOC) SKIP("reads them");
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 2, 3, 3), &x));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(6), &filters.panels));
  for (int id = 0; id < IDS; id++) {
    filters.isa = (uint8_t)id;
    FAILS(ctx, TSR_EUNSUPPORTED, tsr_conv2d_packed(ctx, &x, &filters, &out));
  }
  CHECK(tsr_is_none(&out));
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(matrices), RUN(filters), RUN(layers), RUN(layers_with_every_kernel), RUN(zeros_are_no_weights),
          RUN(plain_builds_refuse_panels))
