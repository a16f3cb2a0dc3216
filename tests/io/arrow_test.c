/* Arrow's C data interface: tensors out and back without a copy, arrays of others, what is refused, who releases what. */
#include "npy_support.h"

#include <math.h>
#include <tessera/tessera.h>

#if TSR_HAVE_STDIO

TEST(tensors_go_out_and_come_back) {
  static const int dtypes[] = {TSR_BOOL, TSR_I8,  TSR_U8,  TSR_I16, TSR_U16, TSR_I32,
                               TSR_U32,  TSR_I64, TSR_U64, TSR_F16, TSR_F32, TSR_F64};
  for (int i = 0; i < (int)(sizeof dtypes / sizeof dtypes[0]); i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    struct ArrowSchema schema;
    struct ArrowArray array;
    tsr_tensor t = {0}, back = {0};
    bool same = false;
    OK(ctx, tsr_arange(ctx, TSR_I32, 0, 24, 1, &t));
    tsr_tensor cast = {0};
    OK(ctx, tsr_cast(ctx, &t, dtypes[i], &cast));
    OK(ctx, tsr_reshape(ctx, &cast, TSR_SHAPE(4, 3, 2), &cast));
    OK(ctx, tsr_to_arrow(ctx, &cast, "x", &schema, &array));
    CHECK(strcmp(schema.name, "x") == 0 && strcmp(schema.format, "+w:3") == 0 && array.length == 4);
    CHECK(strcmp(schema.children[0]->format, "+w:2") == 0 && array.children[0]->length == 12);
    CHECK(array.children[0]->children[0]->length == 24);
    OK(ctx, tsr_from_arrow(ctx, &schema, &array, &back));
    CHECK(array.release == NULL && schema.release != NULL);
    schema.release(&schema);
    OK(ctx, tsr_equal(ctx, &cast, &back, &same));
    CHECK(same && (dtypes[i] == TSR_BOOL) == (back.data != cast.data));
    tsr_release(&cast); /* what is shared stays */
    tsr_release(&t);
    OK(ctx, tsr_equal(ctx, &back, &back, &same));
    tsr_release(&back);
    CHECK(m.failing.live == 0);
  }
}

TEST(views_are_copied_and_names_may_be_left_out) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  tsr_tensor t = {0}, turned = {0}, back = {0};
  bool same = false;
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, 6, 1, &t));
  OK(NULL, tsr_reshape(NULL, &t, TSR_SHAPE(2, 3), &t));
  OK(NULL, tsr_transpose(NULL, &t, 0, 1, &turned));
  OK(NULL, tsr_to_arrow(NULL, &turned, NULL, &schema, &array));
  CHECK(schema.name[0] == '\0');
  OK(NULL, tsr_from_arrow(NULL, &schema, &array, &back));
  OK(NULL, tsr_equal(NULL, &turned, &back, &same));
  CHECK(same);
  schema.release(&schema);
  tsr_release(&back);
  tsr_release(&t);
}

/* A child that was moved lives on. */
TEST(children_may_be_moved_out) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  struct ArrowSchema schema, inner_schema;
  struct ArrowArray array, inner;
  tsr_tensor t = {0}, back = {0};
  OK(ctx, tsr_arange(ctx, TSR_I32, 0, 6, 1, &t));
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(2, 3), &t));
  OK(ctx, tsr_to_arrow(ctx, &t, "x", &schema, &array));
  tsr_release(&t);
  inner = *array.children[0];
  array.children[0]->release = NULL;
  inner_schema = *schema.children[0];
  schema.children[0]->release = NULL;
  array.release(&array);
  schema.release(&schema);
  OK(ctx, tsr_from_arrow(ctx, &inner_schema, &inner, &back));
  inner_schema.release(&inner_schema);
  CHECK(back.ndim == 1 && back.shape[0] == 6 && ((int32_t *)back.data)[5] == 5);
  tsr_release(&back);
  CHECK(m.failing.live == 0);
}

/* ---- arrays of others ---- */

static int released;
static void release_array(struct ArrowArray *a) {
  a->release = NULL;
  released++;
}
static void release_schema(struct ArrowSchema *s) { s->release = NULL; }

static struct ArrowSchema schema_of(const char *format) {
  return (struct ArrowSchema){.format = format, .name = "", .release = release_schema};
}

static struct ArrowArray array_of(int64_t length, int64_t offset, int64_t nulls, const void **buffers) {
  return (struct ArrowArray){.length = length,
                             .offset = offset,
                             .null_count = nulls,
                             .n_buffers = 2,
                             .buffers = buffers,
                             .release = release_array};
}

TEST(offsets_nulls_and_bits) {
  static const double numbers[] = {0, 1, 2, 3, 4};
  static const uint8_t valid[] = {0x15}, bits[] = {0x0d};
  const void *plain[] = {NULL, numbers}, *some[] = {valid, numbers}, *packed[] = {NULL, bits};
  struct ArrowSchema g = schema_of("g"), b = schema_of("b"), l = schema_of("l");
  struct ArrowArray a = array_of(3, 2, 0, plain);
  tsr_tensor out = {0};
  released = 0;
  OK(NULL, tsr_from_arrow(NULL, &g, &a, &out));
  CHECK(out.shape[0] == 3 && out.data == (void *)(uintptr_t)(numbers + 2) && (out.flags & TSR_READONLY) != 0);
  CHECK(a.release == NULL && released == 0);
  tsr_release(&out);
  CHECK(released == 1);
  a = array_of(4, 1, -1, some); /* elements 1 and 3 are null */
  OK(NULL, tsr_from_arrow(NULL, &g, &a, &out));
  const double *got = out.data;
  CHECK(isnan(got[0]) && got[1] == 2 && isnan(got[2]) && got[3] == 4 && released == 2);
  tsr_release(&out);
  a = array_of(3, 1, 0, packed);
  OK(NULL, tsr_from_arrow(NULL, &b, &a, &out));
  CHECK(out.dtype == TSR_BOOL && !((bool *)out.data)[0] && ((bool *)out.data)[1] && ((bool *)out.data)[2]);
  tsr_release(&out);
  out = (tsr_tensor){0};
  a = array_of(4, 1, 2, some);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_from_arrow(NULL, &l, &a, &out));
  MESSAGE_HAS(NULL, "2 of 4 elements are null, and i64 has no NaN");
  CHECK(a.release != NULL && tsr_is_none(&out));
}

TEST(what_does_not_fit_is_refused) {
  static const double numbers[] = {0, 1, 2, 3, 4, 5};
  const void *plain[] = {NULL, numbers}, *none[] = {NULL, NULL}, *list[] = {NULL};
  static const char *const others[] = {"u", "z", "+s", "+l", "n", "tsx:", "tx", "vu", "w:4", "d:3,2", "+w:", "+w:x"};
  tsr_tensor out = {0};
  for (int i = 0; i < (int)(sizeof others / sizeof others[0]); i++) {
    struct ArrowSchema s = schema_of(others[i]);
    struct ArrowArray a = array_of(3, 0, 0, plain);
    FAILS(NULL, TSR_EDTYPE, tsr_from_arrow(NULL, &s, &a, &out));
    CHECK(a.release != NULL);
  }
  struct ArrowSchema g = schema_of("g"), w = schema_of("+w:2"), dictionary = schema_of("i");
  struct ArrowArray a = array_of(-1, 0, 0, plain);
  FAILS(NULL, TSR_EFORMAT, tsr_from_arrow(NULL, &g, &a, &out));
  a = array_of(1, -1, 0, plain);
  FAILS(NULL, TSR_EFORMAT, tsr_from_arrow(NULL, &g, &a, &out));
  a = array_of(3, 0, 0, none);
  FAILS(NULL, TSR_EFORMAT, tsr_from_arrow(NULL, &g, &a, &out));
  a = array_of(3, 0, 0, plain);
  a.n_buffers = 3;
  FAILS(NULL, TSR_EFORMAT, tsr_from_arrow(NULL, &g, &a, &out));
  dictionary.dictionary = &g;
  a = array_of(3, 0, 0, plain);
  FAILS(NULL, TSR_EDTYPE, tsr_from_arrow(NULL, &dictionary, &a, &out));
  struct ArrowArray child = array_of(5, 0, 0, plain), *children[] = {&child};
  struct ArrowSchema *parts[] = {&g};
  w.n_children = 1;
  w.children = parts;
  a = (struct ArrowArray){
      .length = 3, .n_buffers = 1, .buffers = list, .n_children = 1, .children = children, .release = release_array};
  FAILS(NULL, TSR_EFORMAT, tsr_from_arrow(NULL, &w, &a, &out)); /* 6 of 5 */
  a.offset = INT64_MAX / 2;
  FAILS(NULL, TSR_EFORMAT, tsr_from_arrow(NULL, &w, &a, &out));
  a.offset = 1, a.length = 1;
  OK(NULL, tsr_from_arrow(NULL, &w, &a, &out));
  CHECK(out.ndim == 2 && out.shape[1] == 2 && ((const double *)out.data)[0] == 2);
  tsr_release(&out);
  out = (tsr_tensor){0};
  FAILS(NULL, TSR_EARG, tsr_from_arrow(NULL, &w, &a, &out)); /* it was taken */
  FAILS(NULL, TSR_EARG, tsr_from_arrow(NULL, NULL, &a, &out));
  a = array_of(3, 0, 0, plain);
  FAILS(NULL, TSR_EARG, tsr_from_arrow(NULL, &g, &a, NULL));
}

TEST(what_arrow_has_not_is_refused) {
  struct ArrowSchema s;
  struct ArrowArray a;
  tsr_tensor scalar = {0}, bf16 = {0};
  OK(NULL, tsr_zeros(NULL, TSR_F32, 0, NULL, &scalar));
  OK(NULL, tsr_zeros(NULL, TSR_BF16, TSR_SHAPE(3), &bf16));
  FAILS(NULL, TSR_ESHAPE, tsr_to_arrow(NULL, &scalar, NULL, &s, &a));
  FAILS(NULL, TSR_EDTYPE, tsr_to_arrow(NULL, &bf16, NULL, &s, &a));
  FAILS(NULL, TSR_EARG, tsr_to_arrow(NULL, &bf16, NULL, NULL, &a));
  tsr_release(&scalar);
  tsr_release(&bf16);
}

TEST(memory_runs_out) {
  static const double numbers[] = {0, 1, 2};
  static const uint8_t valid[] = {0x5};
  const void *plain[] = {NULL, numbers}, *some[] = {valid, numbers};
  struct ArrowSchema g = schema_of("g");
  for (int call = 0; call < 4; call++) {
    for (size_t at = 0; at < 16; at++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, at, false);
      tsr_tensor t = {0}, out = {0};
      struct ArrowSchema s;
      struct ArrowArray a = array_of(3, 0, call == 1 ? 1 : 0, call == 1 ? some : plain);
      OK(NULL, tsr_zeros(NULL, call == 3 ? TSR_BOOL : TSR_F32, TSR_SHAPE(2, 2), &t));
      const tsr_status st = call < 2 ? tsr_from_arrow(ctx, &g, &a, &out) : tsr_to_arrow(ctx, &t, "x", &s, &a);
      CHECK(st == TSR_OK || st == TSR_ENOMEM);
      if (st == TSR_OK && call >= 2) s.release(&s), a.release(&a);
      if (st != TSR_OK && call < 2) CHECK(a.release != NULL && tsr_is_none(&out));
      tsr_release(&out);
      tsr_release(&t);
      CHECK(m.failing.live == 0);
      if (st == TSR_OK) break;
    }
  }
}

TEST_MAIN(RUN(tensors_go_out_and_come_back), RUN(views_are_copied_and_names_may_be_left_out),
          RUN(children_may_be_moved_out), RUN(offsets_nulls_and_bits), RUN(what_does_not_fit_is_refused),
          RUN(what_arrow_has_not_is_refused), RUN(memory_runs_out))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
