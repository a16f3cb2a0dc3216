/* The header: what Python and NumPy allow is read, whatever its spacing; what they do not is refused at its byte. */
#include "npy_support.h"

static const uint8_t zeros[64];

typedef struct accepted {
  int major;
  const char *header;
  int dtype, ndim;
  tsr_index shape[4];
} accepted;

static const accepted table[] = {
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", TSR_F32, 2, {2, 3}},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", TSR_F32, 2, {2, 3}},
    {1, "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3)}", TSR_F32, 2, {2, 3}},
    {1, "{'shape':(2,3,),'fortran_order':True,'descr':'|u1'}  \n\n", TSR_U8, 2, {2, 3}},
    {1, "{'fortran_order' : False , 'descr' :\t'<i2' ,\n'shape'\r\n: ( 2 , 3 , ) , }", TSR_I16, 2, {2, 3}},
    {1, " \t\n{'shape': (), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 0, {0}},
    {1, "{'shape': ( ), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 0, {0}},
    {1, "{'shape': (3,), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 1, {3}},
    {1, "{'shape': (3L,), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 1, {3}},
    {2, "{'shape': (2L, 3L), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 2, {2, 3}},
    {2, "{'shape': (2, 3), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 2, {2, 3}},
    {3, "{'shape': (2, 3), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 2, {2, 3}},
    {1, "{'shape': (0,), 'descr': '<f4', 'fortran_order': False}", TSR_F32, 1, {0}},
    {1, "{'shape': (2, 0, 3), 'descr': '<f4', 'fortran_order': True}", TSR_F32, 3, {2, 0, 3}},
    {1, "{'shape': (3,), 'descr': '=f4', 'fortran_order': False}", TSR_F32, 1, {3}},
    {1, "{'shape': (3,), 'descr': '|f4', 'fortran_order': False}", TSR_F32, 1, {3}},
    {1, "{'shape': (3,), 'descr': '>f4', 'fortran_order': False}", TSR_F32, 1, {3}},
    {1, "{'shape': (3,), 'descr': '>b1', 'fortran_order': False}", TSR_BOOL, 1, {3}},
    {1, "{'shape': (3,), 'descr': '<i1', 'fortran_order': False}", TSR_I8, 1, {3}},
    {1, "{'shape': (3,), 'descr': '|V2', 'fortran_order': False}", TSR_BF16, 1, {3}},
    {1, "{'shape': (3,), 'descr': '<V2', 'fortran_order': False}", TSR_BF16, 1, {3}},
    {1, "{'shape': (3,), 'descr': '<c16', 'fortran_order': False}", TSR_C128, 1, {3}},
};

TEST(accepts_what_python_allows) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const accepted *row = &table[i];
    const npy_bytes b = npy_make(row->major, row->header, zeros, sizeof zeros);
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    size_t used = 0;
    OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, &used, &t));
    CHECK(t.dtype == row->dtype && t.ndim == row->ndim);
    for (int k = 0; k < row->ndim; k++) CHECK(t.shape[k] == row->shape[k]);
    CHECK(used == (row->major == 1 ? 10 : 12) + strlen(row->header) + tsr_nbytes(&t));
    tsr_release(&t);
    CHECK(m.failing.live == 0);
  }
}

TEST(fortran_order_becomes_strides) {
  const uint8_t data[6] = {0, 10, 1, 11, 2, 12}; /* columns of [[0,1,2],[10,11,12]] */
  const npy_bytes b = npy_make(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", data, sizeof data);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  REQUIRE(t.ndim == 2);
  CHECK(t.stride[0] == 1 && t.stride[1] == 2);
  CHECK(memcmp(t.data, data, 6) == 0);
  tsr_release(&t);
}

TEST(a_bool_is_0_or_1) {
  const uint8_t data[4] = {0, 1, 2, 255};
  const npy_bytes b = npy_make(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", data, sizeof data);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  REQUIRE(t.data != NULL);
  CHECK(memcmp(t.data, "\0\1\1\1", 4) == 0);
  tsr_release(&t);
}

TEST(void_elements_are_what_the_options_say) {
  const npy_bytes one = npy_make(1, "{'descr': '<V1', 'fortran_order': False, 'shape': (3,), }", "abc", 3);
  const npy_bytes two = npy_make(1, "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", "ab", 2);
  const int choices[] = {TSR_F8_E4M3, TSR_F8_E5M2, TSR_BF16, 0};
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  for (int i = 0; i < 4; i++) {
    const tsr_npy_options options = {.void_dtype = choices[i]};
    tsr_tensor t = {0};
    if (i < 2) {
      OK(ctx, tsr_npy_decode(ctx, one.at, one.n, &options, NULL, &t));
      CHECK(t.dtype == choices[i]);
      tsr_release(&t);
    } else {
      FAILS(ctx, TSR_EUNSUPPORTED, tsr_npy_decode(ctx, one.at, one.n, &options, NULL, &t));
      MESSAGE_HAS(ctx, "options.void_dtype");
    }
    OK(ctx, tsr_npy_decode(ctx, two.at, two.n, &options, NULL, &t));
    CHECK(t.dtype == TSR_BF16);
    tsr_release(&t);
  }
  const tsr_npy_options wrong = {.void_dtype = TSR_F32};
  tsr_tensor t = {0};
  FAILS(ctx, TSR_EARG, tsr_npy_decode(ctx, two.at, two.n, &wrong, NULL, &t));
}

TEST(messages_name_the_byte) {
  const npy_bytes twice = npy_make(1, "{'descr': '<f4',           'descr': '<f4'}", NULL, 0);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  npy_source source = {.at = twice.at, .n = twice.n, .fail_at = SIZE_MAX};
  FAILS(ctx, TSR_EFORMAT, npy_read_from(ctx, &source, NULL, &t));
  MESSAGE_HAS(ctx, "npy_read: header: byte 37: key 'descr' appears twice");
  FAILS(ctx, TSR_EFORMAT, tsr_npy_decode(ctx, twice.at, twice.n, NULL, NULL, &t));
  MESSAGE_HAS(ctx, "npy_decode: header: byte 37: key 'descr' appears twice");
}

TEST(rank_and_size_limits_of_this_build) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  char header[256];
  for (int rank = TSR_MAX_DIMS; rank <= TSR_MAX_DIMS + 1; rank++) {
    strcpy(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (");
    for (int i = 0; i < rank; i++) strcat(header, "1, ");
    strcat(header, ")}");
    const npy_bytes b = npy_make(1, header, zeros, 4);
    const tsr_status st = tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t);
    CHECK(st == (rank == TSR_MAX_DIMS ? TSR_OK : TSR_EUNSUPPORTED));
    tsr_release(&t);
  }
  const char *largest = TSR_INDEX_BITS == 64 ? "9223372036854775807" : "2147483647";
  const char *over = TSR_INDEX_BITS == 64 ? "9223372036854775808" : "2147483648";
  for (int i = 0; i < 2; i++) {
    strcpy(header, "{'descr': '|u1', 'fortran_order': False, 'shape': (");
    strcat(strcat(header, i == 0 ? largest : over), ",)}");
    const npy_bytes b = npy_make(1, header, zeros, 4);
    FAILS(ctx, i == 0 && sizeof(size_t) * 8 >= TSR_INDEX_BITS ? TSR_EFORMAT : TSR_EOVERFLOW,
          tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  }
}

/* Whatever one byte of a header becomes, the answer is a status, and what is read back is the same again. */
TEST(any_byte_may_be_anything) {
  const npy_bytes good = npy_make(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }\n", zeros, 4);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  int read = 0;
  for (size_t i = 0; i < good.n; i++) {
    for (int c = 0; c < 256; c++) {
      npy_bytes b = good;
      tsr_tensor t = {0};
      b.at[i] = (uint8_t)c;
      if (tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t) == TSR_OK)
        read++;
      else
        CHECK(tsr_is_none(&t));
      tsr_release(&t);
    }
  }
  CHECK(read >= (int)good.n);
  CHECK(m.failing.live == 0);
}

TEST(arguments_that_are_missing) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  tsr_source source = {0};
  tsr_sink sink = {.size = sizeof sink};
  FAILS(ctx, TSR_EARG, tsr_npy_read(ctx, NULL, NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_npy_read(ctx, &source, NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_npy_decode(ctx, NULL, 3, NULL, NULL, &t));
  FAILS(ctx, TSR_EFORMAT, tsr_npy_decode(ctx, NULL, 0, NULL, NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_npy_decode(ctx, "", 0, NULL, NULL, NULL));
  FAILS(ctx, TSR_EARG, tsr_npy_write(ctx, &t, NULL));
  FAILS(ctx, TSR_EARG, tsr_npy_write(ctx, &t, &sink));
  sink.write = npy_sink_write;
  FAILS(ctx, TSR_EARG, tsr_npy_write(ctx, NULL, &sink));
  FAILS(ctx, TSR_ESTATE, tsr_npy_write(ctx, &t, &sink));
}

TEST_MAIN(RUN(accepts_what_python_allows), RUN(fortran_order_becomes_strides), RUN(a_bool_is_0_or_1),
          RUN(void_elements_are_what_the_options_say), RUN(messages_name_the_byte),
          RUN(rank_and_size_limits_of_this_build), RUN(any_byte_may_be_anything), RUN(arguments_that_are_missing))
