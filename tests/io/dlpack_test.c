/* DLPack: the ABI, every dtype both ways, views, and the deleter exactly once on every path. */
#include <stdlib.h>
#include <tessera/dlpack.h>
#include <tessera/ops.h>
#include "npy_support.h"

#include "support/helpers.h"

#if TSR_HAVE_MALLOC

/* ---- somebody else's tensor ---- */

typedef struct foreign {
  tsr_dl_managed plain;
  tsr_dl_managed_versioned versioned;
  int deleted;
  int64_t shape[4], strides[4];
  _Alignas(64) uint8_t bytes[256];
} foreign;

static void delete_plain(tsr_dl_managed *self) { ((foreign *)self->manager_ctx)->deleted++; }
static void delete_versioned(tsr_dl_managed_versioned *self) { ((foreign *)self->manager_ctx)->deleted++; }

/* f32 [2,3], row-major. */
static void foreign_init(foreign *f) {
  *f = (foreign){.shape = {2, 3, 1, 1}, .strides = {3, 1, 1, 1}};
  for (int i = 0; i < 64; i++) ((float *)(void *)f->bytes)[i] = (float)i;
  f->plain = (tsr_dl_managed){.dl_tensor = {.data = f->bytes,
                                            .device = {TSR_DL_CPU, 0},
                                            .ndim = 2,
                                            .dtype = {TSR_DL_FLOAT, 32, 1},
                                            .shape = f->shape,
                                            .strides = f->strides},
                              .manager_ctx = f,
                              .deleter = delete_plain};
}

/* The versioned form of the same. */
static tsr_dl_managed_versioned *versioned_of(foreign *f) {
  f->versioned = (tsr_dl_managed_versioned){
      .version = {1, 0}, .manager_ctx = f, .deleter = delete_versioned, .dl_tensor = f->plain.dl_tensor};
  return &f->versioned;
}

static float at(const tsr_tensor *t, tsr_index y, tsr_index x) {
  return ((const float *)t->data)[y * t->stride[0] + x * t->stride[1]];
}

/* ---- import ---- */

TEST(imports) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  foreign f;
  tsr_tensor t = {0}, second = {0};
  foreign_init(&f);
  OK(ctx, tsr_dlpack_import_unversioned(ctx, &f.plain, &t));
  CHECK(t.dtype == TSR_F32 && t.ndim == 2 && at(&t, 1, 2) == 5 && (t.flags & TSR_READONLY) == 0);
  OK(ctx, tsr_share(ctx, &t, &second));
  tsr_release(&t);
  CHECK(f.deleted == 0 && at(&second, 0, 1) == 1);
  tsr_release(&second);
  CHECK(f.deleted == 1 && m.failing.live == 0);
  foreign_init(&f);
  OK(ctx, tsr_dlpack_import(ctx, versioned_of(&f), &t));
  CHECK(t.data == f.bytes && f.deleted == 0);
  tsr_release(&t);
  CHECK(f.deleted == 1 && m.failing.live == 0);
}

TEST(honours_what_it_says) {
  foreign f;
  tsr_tensor t = {0};
  foreign_init(&f);
  f.plain.dl_tensor.strides = NULL;
  f.plain.dl_tensor.byte_offset = 8;
  OK(NULL, tsr_dlpack_import_unversioned(NULL, &f.plain, &t));
  CHECK(at(&t, 0, 0) == 2 && at(&t, 1, 2) == 7);
  tsr_release(&t);
  foreign_init(&f);
  f.strides[0] = -10, f.strides[1] = 2;
  f.plain.dl_tensor.byte_offset = 40;
  OK(NULL, tsr_dlpack_import(NULL, versioned_of(&f), &t));
  CHECK(at(&t, 0, 0) == 10 && at(&t, 1, 0) == 0 && at(&t, 1, 2) == 4 && at(&t, 0, 2) == 14);
  tsr_release(&t);
  foreign_init(&f);
  f.strides[0] = 0; /* a broadcast */
  OK(NULL, tsr_dlpack_import(NULL, versioned_of(&f), &t));
  CHECK(at(&t, 1, 1) == 1);
  tsr_release(&t);
  foreign_init(&f);
  (void)versioned_of(&f);
  f.versioned.flags = TSR_DL_FLAG_READONLY;
  f.versioned.version.minor = 99;
  OK(NULL, tsr_dlpack_import(NULL, &f.versioned, &t));
  CHECK((t.flags & TSR_READONLY) != 0);
  tsr_release(&t);
  foreign_init(&f);
  f.plain.dl_tensor.ndim = 0;
  f.plain.dl_tensor.shape = NULL;
  OK(NULL, tsr_dlpack_import_unversioned(NULL, &f.plain, &t));
  CHECK(t.ndim == 0 && *(const float *)t.data == 0);
  tsr_release(&t);
  foreign_init(&f);
  f.shape[1] = 0; /* no element: no data needed, strides may be anything */
  f.strides[0] = INT64_MAX;
  f.plain.dl_tensor.data = NULL;
  OK(NULL, tsr_dlpack_import_unversioned(NULL, &f.plain, &t));
  CHECK(tsr_size(&t) == 0 && f.deleted == 0);
  tsr_release(&t);
  CHECK(f.deleted == 1);
  foreign_init(&f);
  f.plain.deleter = NULL;
  OK(NULL, tsr_dlpack_import_unversioned(NULL, &f.plain, &t));
  tsr_release(&t);
  CHECK(f.deleted == 0);
}

static void wrong_device(foreign *f) { f->plain.dl_tensor.device.type = 2; }
static void unknown_device(foreign *f) { f->plain.dl_tensor.device.type = -7; }
static void pinned(foreign *f) { f->plain.dl_tensor.device.type = 3; }
static void two_lanes(foreign *f) { f->plain.dl_tensor.dtype.lanes = 2; }
static void no_lanes(foreign *f) { f->plain.dl_tensor.dtype.lanes = 0; }
static void opaque(foreign *f) { f->plain.dl_tensor.dtype.code = 3; }
static void e4m3fnuz(foreign *f) { f->plain.dl_tensor.dtype = (tsr_dl_type){11, 8, 1}; }
static void half_bits(foreign *f) { f->plain.dl_tensor.dtype.bits = 4; }
static void negative_rank(foreign *f) { f->plain.dl_tensor.ndim = -1; }
static void rank_too_high(foreign *f) { f->plain.dl_tensor.ndim = TSR_MAX_DIMS + 1; }
static void no_shape(foreign *f) { f->plain.dl_tensor.shape = NULL; }
static void negative_axis(foreign *f) { f->shape[0] = -1; }
static void too_many(foreign *f) { f->shape[0] = f->shape[1] = (int64_t)1 << 40; }
static void wraps_to_zero(foreign *f) { f->shape[0] = f->shape[1] = (int64_t)1 << 32; }
static void long_stride(foreign *f) { f->strides[0] = INT64_MAX; }
static void long_stride_back(foreign *f) { f->strides[0] = INT64_MIN; }
static void long_stride_bytes(foreign *f) { f->strides[0] = (int64_t)1 << 61; }
static void no_data(foreign *f) { f->plain.dl_tensor.data = NULL; }
static void far_offset(foreign *f) { f->plain.dl_tensor.byte_offset = UINT64_MAX; }
static void below_zero(foreign *f) { f->strides[0] = -((int64_t)1 << 60); }
static void at_zero(foreign *f) { /* its last row is at address 0 */
  f->plain.dl_tensor.data = (void *)(uintptr_t)64;
  f->shape[0] = 2;
  f->strides[0] = -(int64_t)(64 / sizeof(float));
}
static void not_aligned(foreign *f) { f->plain.dl_tensor.byte_offset = 2; }

static const struct {
  const char *name;
  void (*change)(foreign *f);
  tsr_status status;
} wrong[] = {
    {"wrong_device", wrong_device, TSR_EDEVICE},
    {"unknown_device", unknown_device, TSR_EDEVICE},
    {"pinned", pinned, TSR_EDEVICE},
    {"two_lanes", two_lanes, TSR_EDTYPE},
    {"no_lanes", no_lanes, TSR_EDTYPE},
    {"opaque", opaque, TSR_EDTYPE},
    {"e4m3fnuz", e4m3fnuz, TSR_EDTYPE},
    {"half_bits", half_bits, TSR_EDTYPE},
    {"negative_rank", negative_rank, TSR_ESHAPE},
    {"rank_too_high", rank_too_high, TSR_ESHAPE},
    {"no_shape", no_shape, TSR_EARG},
    {"negative_axis", negative_axis, TSR_ESHAPE},
    {"too_many", too_many, TSR_EOVERFLOW},
    {"wraps_to_zero", wraps_to_zero, TSR_EOVERFLOW},
    {"long_stride", long_stride, TSR_EOVERFLOW},
    {"long_stride_back", long_stride_back, TSR_EOVERFLOW},
    {"long_stride_bytes", long_stride_bytes, TSR_EOVERFLOW},
    {"no_data", no_data, TSR_EARG},
    {"far_offset", far_offset, TSR_EOVERFLOW},
    {"below_zero", below_zero, TSR_EOVERFLOW},
    {"at_zero", at_zero, TSR_EOVERFLOW},
    {"not_aligned", not_aligned, TSR_EALIGN},
};

TEST(refusals_delete_once_and_change_nothing) {
  for (int i = 0; i < (int)(sizeof wrong / sizeof wrong[0]); i++) {
    for (int form = 0; form < 2; form++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      foreign f;
      tsr_tensor t = {0};
      foreign_init(&f);
      wrong[i].change(&f);
      if (form == 0) FAILS(ctx, wrong[i].status, tsr_dlpack_import_unversioned(ctx, &f.plain, &t));
      if (form == 1) FAILS(ctx, wrong[i].status, tsr_dlpack_import(ctx, versioned_of(&f), &t));
      MESSAGE_HAS(ctx, form == 0 ? "dlpack_import_unversioned: " : "dlpack_import: ");
      CHECK(f.deleted == 1 && tsr_is_none(&t) && m.failing.live == 0);
      if (test_now.failures > 0) printf("   up to %s\n", wrong[i].name);
    }
  }
}

/* Another major version: the deleter, and not one look at the tensor. */
TEST(other_versions_are_not_looked_at) {
  for (uint32_t major = 0; major <= 2; major += 2) {
    foreign f;
    tsr_tensor t = {0};
    foreign_init(&f);
    tsr_dl_managed_versioned *m = versioned_of(&f);
    m->version.major = major;
    m->dl_tensor = (tsr_dl_tensor){.ndim = 1000, .shape = (int64_t *)8, .strides = (int64_t *)8};
    FAILS(NULL, TSR_EUNSUPPORTED, tsr_dlpack_import(NULL, m, &t));
    MESSAGE_HAS(NULL, "is not 1");
    CHECK(f.deleted == 1 && tsr_is_none(&t));
  }
}

TEST(outputs_and_memory_that_fail) {
  foreign f;
  tsr_tensor t = {0}, full = {0};
  foreign_init(&f);
  FAILS(NULL, TSR_EARG, tsr_dlpack_import_unversioned(NULL, &f.plain, NULL));
  CHECK(f.deleted == 1);
  foreign_init(&f);
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(2), &full));
  FAILS(NULL, TSR_ESTATE, tsr_dlpack_import(NULL, versioned_of(&f), &full));
  CHECK(f.deleted == 1);
  tsr_release(&full);
  FAILS(NULL, TSR_EARG, tsr_dlpack_import(NULL, NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_dlpack_import_unversioned(NULL, NULL, &t));
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, 0, true);
  foreign_init(&f);
  FAILS(ctx, TSR_ENOMEM, tsr_dlpack_import_unversioned(ctx, &f.plain, &t));
  CHECK(f.deleted == 1 && tsr_is_none(&t) && m.failing.live == 0);
}

/* ---- export ---- */

TEST(every_dtype_there_and_back) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0}, back = {0};
    tsr_dl_managed_versioned *versioned = NULL;
    tsr_dl_managed *plain = NULL;
    OK(ctx, tsr_desc_init(ctx, dtype, TSR_SHAPE(2, 3), &t));
    OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &t));
    memset(t.data, 1, tsr_nbytes(&t));
    OK(ctx, tsr_dlpack_export(ctx, &t, false, &versioned));
    CHECK(versioned->version.major == 1 && versioned->flags == 0 && versioned->dl_tensor.data == t.data);
    CHECK(versioned->dl_tensor.dtype.bits == 8 * tsr_dtype_size(dtype) && versioned->dl_tensor.strides[0] == 3);
    OK(ctx, tsr_dlpack_import(ctx, versioned, &back));
    CHECK(tsr_desc_equal(&t, &back) && back.data == t.data);
    tsr_release(&back);
    OK(ctx, tsr_dlpack_export_unversioned(ctx, &t, true, &plain));
    CHECK(plain->dl_tensor.data != t.data);
    tsr_release(&t); /* the copy stays */
    OK(ctx, tsr_dlpack_import_unversioned(ctx, plain, &back));
    CHECK(back.dtype == dtype && ((const uint8_t *)back.data)[tsr_nbytes(&back) - 1] == 1);
    tsr_release(&back);
    CHECK(m.failing.live == 0);
  }
}

TEST(views_keep_their_storage) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0}, view = {0}, back = {0};
  tsr_dl_managed_versioned *managed = NULL;
  const int axes[2] = {1, 0};
  OK(ctx, tsr_full(ctx, TSR_F32, TSR_SHAPE(2, 3), 7, &t));
  OK(ctx, tsr_permute(ctx, &t, axes, &view));
  OK(ctx, tsr_flip(ctx, &view, 0, &view));
  OK(ctx, tsr_dlpack_export(ctx, &view, false, &managed));
  tsr_release(&t);
  CHECK(managed->dl_tensor.shape[0] == 3 && managed->dl_tensor.strides[0] == -1 && managed->dl_tensor.strides[1] == 3);
  OK(ctx, tsr_dlpack_import(ctx, managed, &back));
  CHECK(at(&back, 2, 1) == 7);
  tsr_release(&back);
  CHECK(m.failing.live == 0);
}

TEST(read_only_and_borrowed) {
  static const float numbers[6] = {0, 1, 2, 3, 4, 5};
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0}, borrowed = {0}, none = {0}, back = {0};
  tsr_dl_managed_versioned *versioned = NULL;
  tsr_dl_managed *plain = NULL;
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &t));
  t.flags |= TSR_READONLY;
  OK(ctx, tsr_dlpack_export(ctx, &t, false, &versioned));
  CHECK(versioned->flags == TSR_DL_FLAG_READONLY);
  versioned->deleter(versioned);
  FAILS(ctx, TSR_EREADONLY, tsr_dlpack_export_unversioned(ctx, &t, false, &plain));
  OK(ctx, tsr_dlpack_export_unversioned(ctx, &t, true, &plain));
  plain->deleter(plain);
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2, 3), &borrowed));
  FAILS(ctx, TSR_ESTATE, tsr_dlpack_export(ctx, &borrowed, false, &versioned));
  MESSAGE_HAS(ctx, "only a copy can be handed out");
  OK(ctx, tsr_dlpack_export(ctx, &borrowed, true, &versioned));
  CHECK(versioned->flags == TSR_DL_FLAG_COPIED);
  versioned->deleter(versioned);
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(0, 3), &none));
  OK(ctx, tsr_dlpack_export(ctx, &none, false, &versioned));
  OK(ctx, tsr_dlpack_import(ctx, versioned, &back));
  CHECK(tsr_size(&back) == 0 && back.ndim == 2);
  tsr_release(&back);
  tsr_release(&t);
  CHECK(m.failing.live == 0);
}

TEST(exports_that_fail) {
  tsr_tensor t = {0}, far = {0};
  tsr_dl_managed_versioned *versioned = NULL;
  tsr_dl_managed *plain = NULL;
  static test_device d;
  test_device_init(&d, "far", 0);
  FAILS(NULL, TSR_EARG, tsr_dlpack_export(NULL, NULL, false, &versioned));
  FAILS(NULL, TSR_ESTATE, tsr_dlpack_export(NULL, &t, false, &versioned));
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3), &t));
  FAILS(NULL, TSR_EARG, tsr_dlpack_export(NULL, &t, false, NULL));
  FAILS(NULL, TSR_EARG, tsr_dlpack_export_unversioned(NULL, &t, false, NULL));
  OK(NULL, tsr_desc_init(NULL, TSR_F32, TSR_SHAPE(3), &far));
  OK(NULL, tsr_allocate(NULL, &d.device, TSR_HINT_DEFAULT, &far));
  FAILS(NULL, TSR_EDEVICE, tsr_dlpack_export(NULL, &far, false, &versioned));
  tsr_release(&far);
  for (size_t k = 0; k < 2; k++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, k, true);
    FAILS(ctx, TSR_ENOMEM, tsr_dlpack_export(ctx, &t, true, &versioned));
    if (k == 0) FAILS(ctx, TSR_ENOMEM, tsr_dlpack_export_unversioned(ctx, &t, false, &plain));
    CHECK(m.failing.live == 0 && tsr_refcount(&t) == 1);
  }
  tsr_release(&t);
}

TEST_MAIN(RUN(imports), RUN(honours_what_it_says), RUN(refusals_delete_once_and_change_nothing),
          RUN(other_versions_are_not_looked_at), RUN(outputs_and_memory_that_fail), RUN(every_dtype_there_and_back),
          RUN(views_keep_their_storage), RUN(read_only_and_borrowed), RUN(exports_that_fail))

#else

TEST(memory) { SKIP("no malloc in this profile"); }
TEST_MAIN(RUN(memory))

#endif
