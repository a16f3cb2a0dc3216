/* Embedding lookup: against rows picked one by one, in every dtype of the table and of the index, and every way to lie;
 * padding; numbers out of range; outputs; allocations that fail. */
#include "support/test.h"

#include "nn/all_floats.h"

static const int tables[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_I32, TSR_U8, TSR_C64, TSR_BOOL};
static const int indices[] = {TSR_I8, TSR_I16, TSR_I32, TSR_I64, TSR_U8, TSR_U16, TSR_U32, TSR_U64};

/* Whether out[index, d] has the bytes of table[number, d], or zeros. */
static bool is_row(const tsr_tensor *table, tsr_index number, bool zero, const tsr_tensor *out,
                   const tsr_index *index) {
  static const unsigned char none[16] = {0};
  tsr_index at[TSR_MAX_DIMS], from[2] = {number, 0};
  const size_t item = tsr_dtype_size(table->dtype);
  memcpy(at, index, sizeof at);
  for (tsr_index d = 0; d < table->shape[1]; d++) {
    at[out->ndim - 1] = from[1] = d;
    if (memcmp(test_at(out, at), zero ? (const void *)none : test_at(table, from), item) != 0) return false;
  }
  return true;
}

static void check_call(tsr_ctx *ctx, const tsr_tensor *table, const tsr_tensor *index, int64_t padding, int way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  tsr_index at[TSR_MAX_DIMS] = {0};
  OK(ctx, tsr_embedding(ctx, table, index, padding, &fresh));
  REQUIRE(fresh.ndim == index->ndim + 1 && fresh.dtype == table->dtype);
  for (int i = 0; i < index->ndim; i++) CHECK(fresh.shape[i] == index->shape[i]);
  CHECK(fresh.shape[index->ndim] == table->shape[1]);
  if (tsr_size(&fresh) > 0) {
    do {
      const int64_t number = (int64_t)nn_get(ctx, index, at);
      CHECK(is_row(table, (tsr_index)number, number == padding, &fresh, at));
    } while (test_next_index(index->ndim, index->shape, at));
  }
  OK(ctx, nn_make(ctx, table->dtype, fresh.ndim, fresh.shape, way, &owner, &given));
  OK(ctx, tsr_embedding(ctx, table, index, padding, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&owner), tsr_release(&fresh);
}

TEST(rows_of_every_dtype) {
  test_rng rng = {3};
  for (int t = 0; t < COUNT_OF(tables); t++)
    for (int k = 0; k < COUNT_OF(indices); k++)
      for (int way = 0; way < NN_WAYS; way++) {
        tsr_ctx *const ctx = test_context();
        const int rank = (int)test_between(&rng, 0, 3);
        const tsr_index shape[3] = {test_between(&rng, 0, 3), test_between(&rng, 1, 4), test_between(&rng, 1, 3)};
        const tsr_index table_shape[2] = {test_between(&rng, 1, 9), test_between(&rng, 0, 5)};
        tsr_tensor table_owner = {0}, table = {0}, index_owner = {0}, index = {0};
        tsr_index at[TSR_MAX_DIMS] = {0};
        if (!nn_has(tables[t])) continue;
        OK(ctx, nn_make(ctx, tables[t], 2, table_shape, (way + k) % NN_WAYS, &table_owner, &table));
        for (size_t i = 0; i < tsr_nbytes(&table_owner); i++)
          ((unsigned char *)table_owner.data)[i] = tables[t] == TSR_BOOL ? 1 : (unsigned char)test_random(&rng);
        OK(ctx, nn_make(ctx, indices[k], rank, shape, way, &index_owner, &index));
        if (tsr_size(&index) > 0) {
          do OK(ctx, tsr_set(ctx, &index, rank, at, (tsr_real)test_between(&rng, 0, table_shape[0] - 1)));
          while (test_next_index(rank, shape, at));
        }
        check_call(ctx, &table, &index, TSR_NO_PADDING, (way + 1) % NN_WAYS);
        check_call(ctx, &table, &index, test_between(&rng, 0, table_shape[0] - 1), (way + 2) % NN_WAYS);
        tsr_release(&table_owner), tsr_release(&index_owner);
        CHECK(test_live() == 0);
      }
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  tsr_tensor table = {0}, index = {0};
  test_rng rng = {8};
  float_random(ctx, TSR_SHAPE(50, 70), 7, &table);
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(3000), &index));
  for (int i = 0; i < 3000; i++) ((int32_t *)index.data)[i] = (int32_t)test_between(&rng, 0, 49);
  OK(ctx, tsr_embedding(ctx, &table, &index, which, out));
  tsr_release(&table), tsr_release(&index);
}

TEST(threads_give_the_same) { check_same_bits(make, 7), check_same_bits(make, TSR_NO_PADDING); }

/* Over its own table, and over its own index. */
TEST(overlap_is_as_if_copied) {
  for (int case_ = 0; case_ < 2; case_++) {
    tsr_ctx *const ctx = test_context();
    int32_t table_values[12], index_values[6] = {3, 0, 2, 1, 0, 3};
    tsr_tensor table = {0}, index = {0}, out = {0}, want = {0};
    for (int i = 0; i < 12; i++) table_values[i] = 10 * i;
    OK(ctx, tsr_from_memory(ctx, table_values, TSR_I32, TSR_SHAPE(4, 3), &table));
    OK(ctx, tsr_from_memory(ctx, index_values, TSR_I32, TSR_SHAPE(2), &index));
    OK(ctx, tsr_from_memory(ctx, case_ == 0 ? table_values + 2 : index_values, TSR_I32, TSR_SHAPE(2, 3), &out));
    OK(ctx, tsr_embedding(ctx, &table, &index, TSR_NO_PADDING, &want));
    OK(ctx, tsr_embedding(ctx, &table, &index, TSR_NO_PADDING, &out));
    CHECK(test_same_elements(&out, &want));
    tsr_release(&want);
    CHECK(test_live() == 0);
  }
}

TEST(given_outputs_need_no_memory) {
  tsr_ctx *const ctx = test_context();
  float values[6] = {1, 2, 3, 4, 5, 6}, result[6] = {0};
  const uint8_t numbers[3] = {2, 0, 2};
  tsr_tensor table = {0}, index = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(3, 2), &table));
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_U8, TSR_SHAPE(3), &index));
  OK(ctx, tsr_from_memory(ctx, result, TSR_F32, TSR_SHAPE(3, 2), &out));
  const size_t calls = test_failing()->calls;
  OK(ctx, tsr_embedding(ctx, &table, &index, 0, &out));
  CHECK(test_failing()->calls == calls);
  CHECK(result[0] == 5 && result[1] == 6 && result[2] == 0 && result[3] == 0 && result[4] == 5);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float values[8];
  float kept[4] = {7, 7, 7, 7};
  int32_t numbers[4] = {0, 3, 4, -1};
  const uint64_t huge[1] = {UINT64_MAX};
  tsr_tensor table = {0}, flat = {0}, index = {0}, square = {0}, large = {0}, given = {0}, out = {0}, none = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(4, 2), &table));
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(8), &flat));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(2), &index));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(2, 2), &square));
  OK(ctx, tsr_from_const_memory(ctx, huge, TSR_U64, TSR_SHAPE(1), &large));
  OK(ctx, tsr_from_memory(ctx, kept, TSR_F32, TSR_SHAPE(2, 2), &given));
  FAILS(ctx, TSR_EINDEX, tsr_embedding(ctx, &table, &square, TSR_NO_PADDING, &out));
  MESSAGE_HAS(ctx, "embedding: index at [1,0] is 4: there are 4 rows of the table");
  numbers[1] = -1;
  FAILS(ctx, TSR_EINDEX, tsr_embedding(ctx, &table, &index, TSR_NO_PADDING, &given));
  MESSAGE_HAS(ctx, "embedding: index at [1] is -1: there are 4 rows of the table");
  FAILS(ctx, TSR_EINDEX, tsr_embedding(ctx, &table, &large, TSR_NO_PADDING, &out));
  numbers[1] = 1;
  FAILS(ctx, TSR_EARG, tsr_embedding(ctx, &table, &index, 4, &out));
  MESSAGE_HAS(ctx, "embedding: padding is 4, the table f32 [4,2] has 4 rows");
  FAILS(ctx, TSR_ESHAPE, tsr_embedding(ctx, &flat, &index, -1, &out));
  MESSAGE_HAS(ctx, "embedding: table is f32 [8]; it takes [V,D]");
  FAILS(ctx, TSR_EDTYPE, tsr_embedding(ctx, &table, &table, -1, &out));
  MESSAGE_HAS(ctx, "embedding: index is f32 [4,2]; it takes integers");
  tsr_index ones[TSR_MAX_DIMS];
  tsr_tensor deep = {0};
  for (int i = 0; i < TSR_MAX_DIMS; i++) ones[i] = 1;
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_MAX_DIMS, ones, &deep));
  FAILS(ctx, TSR_ESHAPE, tsr_embedding(ctx, &table, &deep, -1, &out));
  FAILS(ctx, TSR_EARG, tsr_embedding(ctx, NULL, &index, -1, &out));
  FAILS(ctx, TSR_EARG, tsr_embedding(ctx, &table, NULL, -1, &out));
  FAILS(ctx, TSR_EARG, tsr_embedding(ctx, &table, &index, -1, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_embedding(ctx, &none, &index, -1, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_embedding(ctx, &table, &index, -1, &flat));
  given.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_embedding(ctx, &table, &index, -1, &given));
  CHECK(kept[0] == 7 && kept[3] == 7 && tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(rows_of_every_dtype), RUN(threads_give_the_same), RUN(overlap_is_as_if_copied),
          RUN(given_outputs_need_no_memory), RUN(bad_calls))
