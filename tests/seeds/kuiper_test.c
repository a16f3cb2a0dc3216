/* What kuiper_infer::Tensor does, row by row: channels, rows and columns over column-major planes. */
#include <string.h>

#include "seeds/seed.h"

/* A tensor of (channels, rows, cols) with column-major planes, element (c, r, col) = 100 c + 10 r + col. */
static tsr_status cube(tsr_ctx *ctx, int dtype, tsr_index channels, tsr_index rows, tsr_index cols, tsr_tensor *out) {
  tsr_status st = tsr_zeros_ordered(ctx, dtype, TSR_SHAPE(channels, rows, cols), TSR_COL_MAJOR, out);
  for (tsr_index c = 0; c < channels; c++)
    for (tsr_index r = 0; r < rows; r++)
      for (tsr_index k = 0; k < cols && st == TSR_OK; k++)
        st = tsr_set(ctx, out, TSR_INDEX(c, r, k), (tsr_real)(100 * c + 10 * r + k));
  return st;
}

/* Channels, rows and columns of float, int32 or uint8; here of every dtype that the build converts. */
TEST(K1_channels_rows_cols_of_any_dtype) {
  tsr_ctx *ctx = seed_begin();
  for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT; dtype++) {
    tsr_tensor t = {0};
    if (!tsr_dtype_supported(dtype)) continue;
    OK(ctx, tsr_zeros_ordered(ctx, dtype, TSR_SHAPE(3, 5, 2), TSR_COL_MAJOR, &t));
    OK(ctx, tsr_set(ctx, &t, TSR_INDEX(2, 4, 1), 1));
    CHECK(t.dtype == dtype && tsr_size(&t) == 30 && AT(ctx, &t, 2, 4, 1) == 1 && AT(ctx, &t, 0, 0, 0) == 0);
    tsr_release(&t);
  }
  tsr_tensor f = {0}, i = {0}, u = {0};
  OK(ctx, cube(ctx, TSR_F32, 3, 5, 2, &f));
  OK(ctx, cube(ctx, TSR_I32, 3, 5, 2, &i));
  OK(ctx, cube(ctx, TSR_U8, 2, 5, 2, &u));
  CHECK(TSR_AT(float, &f, 2, 4, 1) == 241 && TSR_AT(int32_t, &i, 2, 4, 1) == 241 &&
        TSR_AT(uint8_t, &u, 1, 4, 1) == 141);
  tsr_release(&u);
  tsr_release(&i);
  tsr_release(&f);
  seed_end();
}

/* What the constructor does with (channels, rows, cols), and what it leaves alone. */
TEST(K2_shape_collapse) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 1, 4), &t)); /* (1,1,c) is [c] */
  OK(ctx, tsr_squeeze_leading(ctx, &t, 1, &t));
  SHAPE_IS(&t, 4);
  CHECK((t.flags & TSR_OWNS) != 0 && tsr_refcount(&t) == 1); /* in place it stays the owner */
  tsr_release(&t);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 3, 4), &t)); /* (1,r,c) is [r,c] */
  OK(ctx, tsr_squeeze_leading(ctx, &t, 1, &t));
  SHAPE_IS(&t, 3, 4);
  tsr_release(&t);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(5, 1, 1), &t)); /* only leading ones go */
  OK(ctx, tsr_squeeze_leading(ctx, &t, 1, &t));
  SHAPE_IS(&t, 5, 1, 1);
  tsr_release(&t);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 5, 1), &t));
  OK(ctx, tsr_squeeze_leading(ctx, &t, 1, &t));
  SHAPE_IS(&t, 5, 1);
  tsr_release(&t);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 4), &t)); /* two dimensions given: none is dropped */
  OK(ctx, tsr_squeeze_leading(ctx, &t, 2, &t));
  SHAPE_IS(&t, 1, 4);
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(1, 1, 4), &t)); /* reshape never collapses */
  SHAPE_IS(&t, 1, 1, 4);
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(1, 4, 1), &t));
  SHAPE_IS(&t, 1, 4, 1);
  tsr_release(&t);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 1, 1), &t)); /* one axis is kept */
  OK(ctx, tsr_squeeze_leading(ctx, &t, 1, &t));
  SHAPE_IS(&t, 1);
  tsr_release(&t);
  seed_end();
}

/* Column-major planes are strides: a row is 1 away, a column rows, a channel rows·cols. Orders mix. */
TEST(K3_column_major_planes) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, plain = {0}, fortran = {0};
  OK(ctx, cube(ctx, TSR_F32, 2, 5, 3, &t));
  STRIDES_ARE(&t, 15, 1, 5);
  CHECK(tsr_is_contiguous(&t, TSR_COL_MAJOR) && !tsr_is_contiguous(&t, TSR_ROW_MAJOR));
  CHECK(&TSR_AT(float, &t, 1, 2, 2) - (float *)t.data == 15 + 2 + 10);
  OK(ctx, tsr_copy(ctx, &t, &plain)); /* into row-major memory, element by element */
  STRIDES_ARE(&plain, 15, 3, 1);
  bool same = false;
  OK(ctx, tsr_equal(ctx, &t, &plain, &same));
  CHECK(same && memcmp(t.data, plain.data, tsr_nbytes(&t)) != 0);
  OK(ctx, tsr_fill(ctx, 0, &t));
  OK(ctx, tsr_copy(ctx, &plain, &t)); /* and back */
  OK(ctx, tsr_equal(ctx, &t, &plain, &same));
  CHECK(same && AT(ctx, &t, 1, 4, 2) == 142);
  OK(ctx,
     tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2, 5, 3), TSR_FORTRAN, &fortran)); /* fully reversed: NumPy's F */
  OK(ctx, tsr_copy(ctx, &t, &fortran));
  STRIDES_ARE(&fortran, 1, 2, 10);
  OK(ctx, tsr_equal(ctx, &fortran, &t, &same));
  CHECK(same);

  tsr_tensor sequence = {0}, matrix = {0}; /* the document's picture: 0 … 19 column by column in 5 × 4 */
  OK(ctx, tsr_arange(ctx, TSR_F32, 0, 20, 1, &sequence));
  OK(ctx, tsr_reshape_view_ordered(ctx, &sequence, TSR_SHAPE(5, 4), TSR_COL_MAJOR, &matrix));
  CHECK(AT(ctx, &matrix, 0, 1) == 5 && AT(ctx, &matrix, 1, 0) == 1 && AT(ctx, &matrix, 4, 3) == 19);
  OK(ctx, tsr_reshape_view(ctx, &sequence, TSR_SHAPE(5, 4), &matrix));
  CHECK(AT(ctx, &matrix, 0, 1) == 1 && AT(ctx, &matrix, 1, 0) == 4);
  tsr_release(&sequence);
  tsr_release(&fortran);
  tsr_release(&plain);
  tsr_release(&t);
  seed_end();
}

/* rows, cols, channels, size, empty, raw_shapes, raw_ptr, set_data. */
TEST(K4_accessors) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, fresh = {0}, one = {0};
  CHECK(tsr_is_none(&t));
  OK(ctx, cube(ctx, TSR_F32, 3, 4, 5, &t));
  CHECK(!tsr_is_none(&t) && tsr_size(&t) == 60 && tsr_rows(&t) == 4 && tsr_cols(&t) == 5);
  CHECK(t.shape[0] == 3 && t.ndim == 3); /* channels of a plain cube are its first axis */
  OK(ctx, tsr_unsqueeze(ctx, &t, 0, &one));
  CHECK(tsr_channels(&one) == 3); /* as a sample of a batch it says so itself */
  CHECK(t.data == &TSR_AT(float, &t, 0, 0, 0));

  float other[60];
  for (int i = 0; i < 60; i++) other[i] = (float)-i;
  OK(ctx, tsr_from_memory(ctx, other, TSR_F32, TSR_SHAPE(3, 4, 5), &fresh));
  OK(ctx, tsr_copy(ctx, &fresh, &t)); /* set_data: shapes must agree */
  CHECK(AT(ctx, &t, 2, 3, 4) == -59 && AT(ctx, &t, 0, 0, 1) == -1);
  OK(ctx, tsr_from_memory(ctx, other, TSR_F32, TSR_SHAPE(4, 3, 5), &fresh));
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &fresh, &t));
  tsr_release(&t);
  CHECK(tsr_is_none(&t) && t.data == NULL);
  seed_end();
}

/* slice(channel): the matrix of a channel over the same memory. */
TEST(K5_channel_view) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, m = {0};
  OK(ctx, cube(ctx, TSR_F32, 3, 4, 5, &t));
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_select(ctx, &t, 0, 1, &m));
  SHAPE_IS(&m, 4, 5);
  STRIDES_ARE(&m, 1, 4);
  CHECK(m.data == (float *)t.data + 20 && seed_count.calls == calls);
  CHECK(AT(ctx, &m, 2, 3) == 123);
  TSR_AT(float, &m, 2, 3) = -1;
  CHECK(AT(ctx, &t, 1, 2, 3) == -1);
  FAILS(ctx, TSR_EINDEX, tsr_select(ctx, &t, 0, 3, &m));
  MESSAGE_HAS(ctx, "select: index 3 is out of range for axis 0 of f32 [3,4,5]");
  SHAPE_IS(&m, 4, 5); /* as it was */
  tsr_release(&t);
  seed_end();
}

/* at(c, r, col), checked; index(offset) in memory order: c·R·C + col·R + r of column-major planes. */
TEST(K6_at_and_flat_index) {
  tsr_ctx *ctx = seed_begin();
  enum { C = 3, R = 4, W = 5 };
  tsr_tensor t = {0};
  tsr_real value = 0;
  OK(ctx, cube(ctx, TSR_F32, C, R, W, &t));
  for (tsr_index c = 0; c < C; c++)
    for (tsr_index r = 0; r < R; r++)
      for (tsr_index k = 0; k < W; k++) {
        const tsr_real expected = (tsr_real)(100 * c + 10 * r + k);
        void *element = NULL;
        OK(ctx, tsr_get(ctx, &t, TSR_INDEX(c, r, k), &value));
        CHECK(value == expected);
        OK(ctx, tsr_get_flat(ctx, &t, c * R * W + k * R + r, TSR_MEMORY, &value));
        CHECK(value == expected);
        OK(ctx, tsr_get_flat(ctx, &t, c * R * W + r * W + k, TSR_ROW_MAJOR, &value)); /* the logical order */
        CHECK(value == expected);
        OK(ctx, tsr_flat(ctx, &t, c * R * W + k * R + r, TSR_MEMORY, &element));
        CHECK(element == &TSR_AT(float, &t, c, r, k) && element == (float *)t.data + (c * R * W + k * R + r));
      }
  OK(ctx, tsr_set_flat(ctx, &t, 1, TSR_MEMORY, 77)); /* the second in memory is the second row */
  CHECK(AT(ctx, &t, 0, 1, 0) == 77);
  FAILS(ctx, TSR_EINDEX, tsr_get(ctx, &t, TSR_INDEX(0, 4, 0), &value));
  FAILS(ctx, TSR_EINDEX, tsr_get_flat(ctx, &t, 60, TSR_MEMORY, &value));
  FAILS(ctx, TSR_EINDEX, tsr_get_flat(ctx, &t, -1, TSR_ROW_MAJOR, &value));
  tsr_release(&t);
  seed_end();
}

/* Fill(value) and Fill(values, row_major): placed by index whatever the storage order, or laid down as memory runs. */
TEST(K7_fill_values_in_either_order) {
  tsr_ctx *ctx = seed_begin();
  float values[24];
  for (int i = 0; i < 24; i++) values[i] = (float)i;
  tsr_tensor t = {0}, row_major = {0};
  OK(ctx, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_COL_MAJOR, &t));
  OK(ctx, tsr_fill(ctx, (tsr_real)1.5, &t));
  for (int i = 0; i < 24; i++) CHECK(((const float *)t.data)[i] == 1.5f);

  OK(ctx, tsr_from_array(ctx, values, 24, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_ROW_MAJOR, &t)); /* Fill(values, true) */
  for (int c = 0; c < 2; c++)
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 4; k++) CHECK(TSR_AT(float, &t, c, r, k) == (float)((c * 3 + r) * 4 + k));
  STRIDES_ARE(&t, 12, 1, 3); /* its own order stays */

  OK(ctx, tsr_from_array(ctx, values, 24, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_MEMORY, &t)); /* Fill(values, false) */
  CHECK(memcmp(t.data, values, sizeof values) == 0);
  CHECK(AT(ctx, &t, 0, 1, 0) == 1 && AT(ctx, &t, 0, 0, 1) == 3 && AT(ctx, &t, 1, 0, 0) == 12);

  OK(ctx,
     tsr_from_array(ctx, values, 24, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_COL_MAJOR, &row_major)); /* listed by columns */
  CHECK(AT(ctx, &row_major, 0, 1, 0) == 1 && AT(ctx, &row_major, 1, 2, 3) == 23);
  STRIDES_ARE(&row_major, 12, 4, 1);

  FAILS(ctx, TSR_ESHAPE, tsr_from_array(ctx, values, 23, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_ROW_MAJOR, &t));
  MESSAGE_HAS(ctx, "from_array: count 23 is not the 24 elements of f32 [2,3,4]");
  CHECK(AT(ctx, &t, 0, 1, 0) == 1);
  tsr_release(&row_major);
  tsr_release(&t);
  seed_end();
}

/* values(row_major): out in either order. */
TEST(K8_export_values_in_either_order) {
  tsr_ctx *ctx = seed_begin();
  float logical[24], memory[24], columns[24];
  tsr_tensor t = {0}, row_major = {0};
  OK(ctx, cube(ctx, TSR_F32, 2, 3, 4, &t));
  OK(ctx, tsr_to_array(ctx, &t, TSR_ROW_MAJOR, 24, logical)); /* values(true) */
  OK(ctx, tsr_to_array(ctx, &t, TSR_MEMORY, 24, memory));     /* values(false) */
  OK(ctx, tsr_to_array(ctx, &t, TSR_COL_MAJOR, 24, columns));
  CHECK(memcmp(memory, t.data, sizeof memory) == 0 && memcmp(columns, memory, sizeof memory) == 0);
  for (int c = 0; c < 2; c++)
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 4; k++) {
        CHECK(logical[(c * 3 + r) * 4 + k] == (float)(100 * c + 10 * r + k));
        CHECK(memory[c * 12 + k * 3 + r] == (float)(100 * c + 10 * r + k));
      }
  OK(ctx, tsr_copy(ctx, &t, &row_major)); /* the same lists from the other storage order */
  OK(ctx, tsr_to_array(ctx, &row_major, TSR_COL_MAJOR, 24, columns));
  CHECK(memcmp(columns, memory, sizeof memory) == 0);
  OK(ctx, tsr_to_array(ctx, &row_major, TSR_MEMORY, 24, columns));
  CHECK(memcmp(columns, logical, sizeof logical) == 0);
  FAILS(ctx, TSR_ESHAPE, tsr_to_array(ctx, &t, TSR_ROW_MAJOR, 25, logical));
  tsr_release(&row_major);
  tsr_release(&t);
  seed_end();
}

typedef struct line {
  tsr_real slope, offset;
  int calls;
} line;

static tsr_real on_line(tsr_real x, void *user) {
  line *const l = user;
  l->calls++;
  return l->slope * x + l->offset;
}

static float negated(float x, void *user) {
  (void)user;
  return -x;
}

static int32_t halved(int32_t x, void *user) {
  (void)user;
  return x / 2;
}

/* Transform(f): a function of the user's over every element, in place or into another tensor. */
TEST(K9_user_function) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, out = {0}, whole = {0}, bytes = {0}, part = {0};
  line twice = {2, 1, 0};
  OK(ctx, cube(ctx, TSR_F32, 2, 3, 4, &t));
  OK(ctx, tsr_map(ctx, &t, on_line, &twice, &out));
  CHECK(twice.calls == 24 && AT(ctx, &out, 1, 2, 3) == 247 && AT(ctx, &t, 1, 2, 3) == 123);
  OK(ctx, tsr_map_f32(ctx, &t, negated, NULL, &t)); /* in place */
  CHECK(AT(ctx, &t, 1, 2, 3) == -123);
  OK(ctx, tsr_slice(ctx, &t, 2, 0, 4, 2, &part)); /* every other column only */
  OK(ctx, tsr_map_f32(ctx, &part, negated, NULL, &part));
  CHECK(AT(ctx, &t, 1, 2, 2) == 122 && AT(ctx, &t, 1, 2, 3) == -123);
  OK(ctx, cube(ctx, TSR_I32, 2, 3, 4, &whole));
  OK(ctx, tsr_map_i32(ctx, &whole, halved, NULL, &whole));
  CHECK(AT(ctx, &whole, 1, 2, 3) == 61);
  OK(ctx, cube(ctx, TSR_U8, 2, 3, 4, &bytes));
  OK(ctx, tsr_map(ctx, &bytes, on_line, &twice, &bytes)); /* other dtypes take the result as a cast would */
  CHECK(AT(ctx, &bytes, 0, 1, 1) == 23 && AT(ctx, &bytes, 1, 2, 3) == 247);
  FAILS(ctx, TSR_EDTYPE, tsr_map_f32(ctx, &whole, negated, NULL, &whole));
  CHECK(AT(ctx, &whole, 1, 2, 3) == 61);
  tsr_release(&bytes);
  tsr_release(&whole);
  tsr_release(&out);
  tsr_release(&t);
  seed_end();
}

/* Reshape(shapes, row_major): the logical order, copied when it must be; or the memory's, never copied. */
TEST(K10_reshape_in_either_order) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, logical = {0}, columns = {0}, memory = {0};
  OK(ctx, cube(ctx, TSR_F32, 2, 3, 4, &t));
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(4, 6), &logical)); /* Reshape({4, 6}, true) */
  SHAPE_IS(&logical, 4, 6);
  CHECK(logical.data != t.data && tsr_refcount(&t) == 1); /* the strides forbid a view */
  CHECK(tsr_is_contiguous(&logical, TSR_ROW_MAJOR));      /* theirs is column-major again */
  for (int i = 0; i < 24; i++) {
    tsr_real value = 0;
    OK(ctx, tsr_get_flat(ctx, &logical, i, TSR_ROW_MAJOR, &value));
    CHECK(value == (tsr_real)(100 * (i / 12) + 10 * (i / 4 % 3) + i % 4));
  }
  OK(ctx, tsr_reshape_ordered(ctx, &t, TSR_SHAPE(4, 6), TSR_COL_MAJOR, &columns)); /* Reshape({4, 6}, false) */
  CHECK(columns.data == t.data && tsr_refcount(&t) == 2);                          /* a view with its own count */
  STRIDES_ARE(&columns, 1, 4);
  for (int i = 0; i < 24; i++) CHECK(TSR_AT(float, &columns, i % 4, i / 4) == ((const float *)t.data)[i]);
  OK(ctx, tsr_reshape_ordered(ctx, &t, TSR_SHAPE(4, 6), TSR_MEMORY, &memory)); /* the same bytes read row by row */
  CHECK(memory.data == t.data);
  STRIDES_ARE(&memory, 6, 1);
  FAILS(ctx, TSR_ESTRIDE, tsr_reshape_view(ctx, &t, TSR_SHAPE(4, 6), &(tsr_tensor){0}));
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(1, 2, 3, 4), &t)); /* where strides allow, no copy even in logical order */
  CHECK(t.data == columns.data && AT(ctx, &t, 0, 1, 2, 3) == 123);
  tsr_release(&memory);
  tsr_release(&columns);
  tsr_release(&logical);
  tsr_release(&t);
  seed_end();
}

/* Flatten(row_major). */
TEST(K11_flatten) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, flat = {0}, m = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4), &t));
  OK(ctx, tsr_flatten(ctx, &t, TSR_ROW_MAJOR, &flat));
  SHAPE_IS(&flat, 24);
  CHECK(flat.data == t.data && AT(ctx, &flat, 23) == 23); /* a view */
  tsr_release(&flat);
  tsr_release(&t);
  OK(ctx, seed_counted(ctx, TSR_SHAPE(12, 24), &m));
  OK(ctx, tsr_flatten(ctx, &m, TSR_ROW_MAJOR, &m));
  SHAPE_IS(&m, 24 * 12);
  tsr_release(&m);
  OK(ctx, cube(ctx, TSR_F32, 2, 3, 4, &t));
  OK(ctx, tsr_flatten(ctx, &t, TSR_ROW_MAJOR, &flat)); /* column-major planes in logical order: a copy */
  CHECK(flat.data != t.data && AT(ctx, &flat, 1) == 1 && AT(ctx, &flat, 4) == 10 && AT(ctx, &flat, 12) == 100);
  tsr_release(&flat);
  OK(ctx, tsr_flatten(ctx, &t, TSR_MEMORY, &flat)); /* in memory order: a view */
  CHECK(flat.data == t.data && AT(ctx, &flat, 1) == 10 && AT(ctx, &flat, 3) == 1);
  tsr_release(&flat);
  OK(ctx, tsr_flatten(ctx, &t, TSR_COL_MAJOR, &flat));
  CHECK(flat.data == t.data && AT(ctx, &flat, 1) == 10);
  tsr_release(&flat);
  FAILS(ctx, TSR_ESTRIDE, tsr_flatten_view(ctx, &t, &flat));
  tsr_release(&t);
  seed_end();
}

/* Padding({up, bottom, left, right}, value) keeps channels: (3, 4, 5) with {1, 2, 3, 4} is (3, 7, 12). */
TEST(K12_padding) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, padded = {0}, matrix = {0}, edge = {0};
  OK(ctx, cube(ctx, TSR_F32, 3, 4, 5, &t));
  OK(ctx, tsr_pad_2d(ctx, &t, 1, 2, 3, 4, -1, &padded));
  SHAPE_IS(&padded, 3, 7, 12);
  CHECK(tsr_is_contiguous(&padded, TSR_ROW_MAJOR)); /* theirs is column-major */
  for (tsr_index c = 0; c < 3; c++)
    for (tsr_index r = 0; r < 7; r++)
      for (tsr_index k = 0; k < 12; k++) {
        const bool inside = r >= 1 && r < 5 && k >= 3 && k < 8;
        CHECK(AT(ctx, &padded, c, r, k) == (inside ? (tsr_real)(100 * c + 10 * (r - 1) + k - 3) : -1));
      }
  tsr_release(&padded);
  OK(ctx,
     tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(3, 7, 12), TSR_COL_MAJOR, &padded)); /* into column-major planes */
  OK(ctx, tsr_pad_2d(ctx, &t, 1, 2, 3, 4, 0, &padded));
  CHECK(tsr_is_contiguous(&padded, TSR_COL_MAJOR) && AT(ctx, &padded, 2, 4, 7) == 234 &&
        AT(ctx, &padded, 2, 5, 7) == 0);
  OK(ctx, tsr_select(ctx, &t, 0, 1, &matrix)); /* any rank from 2 on, and other modes */
  OK(ctx, tsr_pad(ctx, &matrix, (const tsr_index[]){1, 0}, (const tsr_index[]){0, 2}, TSR_PAD_EDGE, 0, &edge));
  SHAPE_IS(&edge, 5, 7);
  CHECK(AT(ctx, &edge, 0, 2) == 102 && AT(ctx, &edge, 4, 6) == 134);
  FAILS(ctx, TSR_EARG, tsr_pad_2d(ctx, &t, -1, 0, 0, 0, 0, &edge));
  MESSAGE_HAS(ctx, "pad_2d: up is -1");
  tsr_release(&edge);
  tsr_release(&padded);
  tsr_release(&t);
  seed_end();
}

/* The four modes on any axis, also further than the tensor is long; what stands in the middle is the tensor. */
TEST(K12_padding_modes) {
  static const struct {
    tsr_pad_mode mode;
    int row[9]; /* 0 1 2 with 3 in front and 3 behind */
  } cases[] = {{TSR_PAD_CONSTANT, {7, 7, 7, 0, 1, 2, 7, 7, 7}},
               {TSR_PAD_EDGE, {0, 0, 0, 0, 1, 2, 2, 2, 2}},
               {TSR_PAD_REFLECT, {1, 2, 1, 0, 1, 2, 1, 0, 1}},
               {TSR_PAD_WRAP, {0, 1, 2, 0, 1, 2, 0, 1, 2}}};
  tsr_ctx *ctx = seed_begin();
  for (int axis = 0; axis < 3; axis++)
    for (int m = 0; m < 4; m++) {
      tsr_index before[3] = {0}, after[3] = {0}, at[3] = {0, 0, 0};
      tsr_tensor t = {0}, padded = {0};
      before[axis] = after[axis] = 3;
      OK(ctx, cube(ctx, TSR_F32, 3, 3, 3, &t));
      OK(ctx, tsr_pad(ctx, &t, before, after, cases[m].mode, 7, &padded));
      CHECK(padded.shape[axis] == 9 && tsr_size(&padded) == 81);
      for (at[axis] = 0; at[axis] < 9; at[axis]++) {
        const int unit = axis == 0 ? 100 : axis == 1 ? 10 : 1, want = cases[m].row[at[axis]];
        tsr_real value = -1;
        OK(ctx, tsr_get(ctx, &padded, TSR_INDEX(at[0], at[1], at[2]), &value));
        CHECK(value == (tsr_real)(want == 7 ? 7 : want * unit));
      }
      tsr_release(&padded);
      tsr_release(&t);
    }
  seed_end();
}

/* Element-wise sum and product, which there took equal shapes; randn and randu, which there could not be repeated. */
TEST(K13_arithmetic_and_random) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, ones = {0}, sum = {0}, product = {0}, first = {0}, again = {0};
  bool same = false;
  OK(ctx, cube(ctx, TSR_F32, 2, 2, 3, &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 1, 1), &ones)); /* a number for each channel */
  OK(ctx, tsr_add(ctx, &a, &ones, &sum));
  OK(ctx, tsr_mul(ctx, &a, &a, &product));
  CHECK(AT(ctx, &sum, 1, 1, 2) == 113 && AT(ctx, &product, 1, 1, 2) == 112 * 112);
  for (int normal = 0; normal < 2; normal++) {
    tsr_rng one = tsr_rng_seed(42), two = tsr_rng_seed(42);
    tsr_tensor *const out[2] = {&first, &again};
    for (int i = 0; i < 2; i++) {
      tsr_rng *const rng = i == 0 ? &one : &two;
      OK(ctx, normal ? tsr_rand_normal(ctx, rng, TSR_F32, TSR_SHAPE(2, 3, 4), out[i])
                     : tsr_rand_uniform(ctx, rng, TSR_F32, TSR_SHAPE(2, 3, 4), -1, 1, out[i]));
    }
    OK(ctx, tsr_equal(ctx, &first, &again, &same));
    CHECK(same && AT(ctx, &first, 0, 0, 0) != AT(ctx, &first, 1, 2, 3));
    const float *const numbers = first.data;
    for (int i = 0; !normal && i < 24; i++) CHECK(numbers[i] >= -1 && numbers[i] < 1);
  }
  tsr_release(&again);
  tsr_release(&first);
  tsr_release(&product);
  tsr_release(&sum);
  tsr_release(&ones);
  tsr_release(&a);
  seed_end();
}

/* The helpers that are no arithmetic: create, clone, broadcast, is_same, ones, show. */
TEST(K13_helpers) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, ones = {0}, wide = {0}, short_one = {0};
  bool same = true, close = false;
  OK(ctx, cube(ctx, TSR_F32, 2, 2, 3, &a));
  OK(ctx, tsr_clone(ctx, &a, &b));
  CHECK(b.data != a.data && tsr_desc_equal(&a, &b)); /* the order of the axes in memory is cloned too */
  OK(ctx, tsr_equal(ctx, &a, &b, &same));
  CHECK(same);
  TSR_AT(float, &b, 1, 0, 0) += 7.6e-6f; /* one float further than 100: is_same is |a - b| <= 1e-5 */
  OK(ctx, tsr_equal(ctx, &a, &b, &same));
  OK(ctx, tsr_allclose(ctx, &a, &b, 0, (tsr_real)1e-5, false, &close));
  CHECK(!same && close);
  TSR_AT(float, &b, 1, 1, 2) += 2e-5f; /* a small part of 112, but more than that */
  OK(ctx, tsr_allclose(ctx, &a, &b, 0, (tsr_real)1e-5, false, &close));
  CHECK(!close);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 2, 2), &short_one));
  OK(ctx, tsr_allclose(ctx, &a, &short_one, 1, 1000, false, &close));
  CHECK(!close); /* other shapes are not the same, and no error either */

  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 1, 1), &ones));
  OK(ctx, tsr_broadcast_to(ctx, &ones, TSR_SHAPE(2, 2, 3), &wide));
  CHECK(tsr_same_shape(&wide, &a) && AT(ctx, &wide, 1, 1, 2) == 1);
  char text[256];
  OK(ctx, tsr_print_text(ctx, &a, NULL, text, sizeof text, NULL));
  CHECK(strcmp(text, "[[[  0.   1.   2.]\n  [ 10.  11.  12.]]\n\n [[100. 101. 102.]\n  [110. 111. 112.]]]") == 0);
  tsr_release(&ones);
  tsr_release(&short_one);
  tsr_release(&b);
  tsr_release(&a);
  seed_end();
}

/* What aborts there is a status here: the process lives, the message says what was wrong, nothing has changed. */
TEST(K14_misuse_is_a_status) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, out = {0}, none = {0};
  tsr_real value = 42;
  float values[3] = {1, 2, 3};
  OK(ctx, cube(ctx, TSR_F32, 2, 3, 4, &t));
  const tsr_tensor before = t;
  FAILS(ctx, TSR_EINDEX, tsr_get(ctx, &t, TSR_INDEX(2, 0, 0), &value));
  FAILS(ctx, TSR_EARG, tsr_get(ctx, &t, TSR_INDEX(0, 0), &value));
  FAILS(ctx, TSR_EINDEX, tsr_select(ctx, &t, 0, 9, &out));
  FAILS(ctx, TSR_EAXIS, tsr_select(ctx, &t, 3, 0, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &t, TSR_SHAPE(5, 5), &t));
  FAILS(ctx, TSR_ESHAPE, tsr_from_array(ctx, values, 3, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_ROW_MAJOR, &t));
  FAILS(ctx, TSR_ESHAPE, tsr_to_array(ctx, &t, TSR_ROW_MAJOR, 3, values));
  FAILS(ctx, TSR_ESTATE, tsr_flatten(ctx, &none, TSR_ROW_MAJOR, &out)); /* every method of an empty cube */
  FAILS(ctx, TSR_ESTATE, tsr_copy(ctx, &none, &out));
  FAILS(ctx, TSR_ESTATE, tsr_get(ctx, &none, 0, NULL, &value));
  FAILS(ctx, TSR_EARG, tsr_flatten(ctx, NULL, TSR_ROW_MAJOR, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_zeros(ctx, 99, TSR_SHAPE(2), &out));
  FAILS(ctx, TSR_ESHAPE, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(-1, 2), &out));
  CHECK(tsr_desc_equal(&t, &before) && t.data == before.data && t.storage == before.storage && t.flags == before.flags);
  CHECK(tsr_is_none(&out) && value == 42 && values[2] == 3);
  CHECK(AT(ctx, &t, 1, 2, 3) == 123);
  FAILS(ctx, TSR_EAXIS, tsr_select(ctx, &t, 3, 0, &out));
  CHECK(tsr_error_details(ctx)->status == TSR_EAXIS);
#if TSR_HAVE_TEXT
  CHECK(strcmp(tsr_error_details(ctx)->op, "select") == 0 && strcmp(tsr_error_details(ctx)->arg, "axis") == 0);
#endif
  tsr_release(&t);
  seed_end();
}

TEST_MAIN(RUN(K1_channels_rows_cols_of_any_dtype), RUN(K2_shape_collapse), RUN(K3_column_major_planes),
          RUN(K4_accessors), RUN(K5_channel_view), RUN(K6_at_and_flat_index), RUN(K7_fill_values_in_either_order),
          RUN(K8_export_values_in_either_order), RUN(K9_user_function), RUN(K10_reshape_in_either_order),
          RUN(K11_flatten), RUN(K12_padding), RUN(K12_padding_modes), RUN(K13_helpers), RUN(K13_arithmetic_and_random),
          RUN(K14_misuse_is_a_status))
