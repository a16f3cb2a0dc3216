/* Appending to a cache: everything but the rows stays; any dtype and way to lie; attention over what was appended one
 * by one is attention over all of it; nothing is allocated. */
#include "support/test.h"

#include "nn/nn_support.h"

static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_I8, TSR_C64};

/* Numbers that tell elements apart, in every byte. */
static void number(const tsr_tensor *owner, unsigned seed) {
  for (size_t i = 0; i < tsr_nbytes(owner); i++) ((unsigned char *)owner->data)[i] = (unsigned char)(seed + 37 * i);
}

static void compare(const tsr_tensor *rows, tsr_index position, const tsr_tensor *before, const tsr_tensor *cache) {
  tsr_index index[TSR_MAX_DIMS] = {0}, at[TSR_MAX_DIMS];
  const int axis = cache->ndim - 2;
  const size_t item = tsr_dtype_size(cache->dtype);
  if (tsr_size(cache) == 0) return;
  do {
    const bool inside = index[axis] >= position && index[axis] < position + rows->shape[axis];
    memcpy(at, index, sizeof at);
    if (inside) at[axis] -= position;
    CHECK(memcmp(test_at(cache, index), inside ? test_at(rows, at) : test_at(before, index), item) == 0);
  } while (test_next_index(cache->ndim, cache->shape, index));
}

TEST(rows_go_where_they_belong) {
  test_rng rng = {21};
  for (int round = 0; round < 200; round++) {
    tsr_ctx *const ctx = test_context();
    const int dtype = dtypes[round % COUNT_OF(dtypes)], ndim = (int)test_between(&rng, 2, 4);
    tsr_index shape[4] = {1}, part[4] = {1};
    tsr_tensor owner = {0}, cache = {0}, rows_owner = {0}, rows = {0}, before = {0};
    if (!nn_has(dtype)) continue;
    for (int i = 0; i < ndim; i++) part[i] = shape[i] = test_between(&rng, 1, 5);
    part[ndim - 2] = test_between(&rng, 0, shape[ndim - 2]);
    const tsr_index position = test_between(&rng, 0, shape[ndim - 2] - part[ndim - 2]);
    OK(ctx, nn_make(ctx, dtype, ndim, shape, round % NN_WAYS, &owner, &cache));
    OK(ctx, nn_make(ctx, dtype, ndim, part, round / 4 % NN_WAYS, &rows_owner, &rows));
    number(&owner, 1), number(&rows_owner, 101);
    OK(ctx, tsr_clone(ctx, &cache, &before));
    const size_t calls = test_failing()->calls;
    OK(ctx, tsr_kv_append(ctx, &rows, position, &cache));
    CHECK(test_failing()->calls == calls);
    compare(&rows, position, &before, &cache);
    tsr_release(&owner), tsr_release(&rows_owner), tsr_release(&before);
    CHECK(test_live() == 0);
  }
}

/* A decoder: each step appends a row and attends over what there is. */
TEST(attention_over_a_cache) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  const tsr_attention_options causal = {.causal = 1};
  tsr_tensor q = {0}, k = {0}, v = {0}, keys = {0}, values = {0}, whole = {0};
  test_rng rng = {5};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3, 6, 4), &q));
  OK(ctx, tsr_zeros_like(ctx, &q, &k));
  OK(ctx, tsr_zeros_like(ctx, &q, &v));
  nn_fill(ctx, &q, &rng, 0, 1), nn_fill(ctx, &k, &rng, 0, 1), nn_fill(ctx, &v, &rng, 0, 1);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3, 9, 4), &keys));
  OK(ctx, tsr_zeros_like(ctx, &keys, &values));
  OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, &causal, &whole));
  for (tsr_index t = 0; t < 6; t++) {
    tsr_tensor row = {0}, seen_k = {0}, seen_v = {0}, out = {0}, want = {0};
    bool close = false;
    OK(ctx, tsr_narrow(ctx, &k, 2, t, 1, &row));
    OK(ctx, tsr_kv_append(ctx, &row, t, &keys));
    OK(ctx, tsr_narrow(ctx, &v, 2, t, 1, &row));
    OK(ctx, tsr_kv_append(ctx, &row, t, &values));
    OK(ctx, tsr_narrow(ctx, &q, 2, t, 1, &row));
    OK(ctx, tsr_narrow(ctx, &keys, 2, 0, t + 1, &seen_k));
    OK(ctx, tsr_narrow(ctx, &values, 2, 0, t + 1, &seen_v));
    OK(ctx, tsr_attention(ctx, &row, &seen_k, &seen_v, NULL, NULL, &out));
    OK(ctx, tsr_narrow(ctx, &whole, 2, t, 1, &want));
    OK(ctx, tsr_allclose(ctx, &out, &want, 1e-5, 1e-6, false, &close));
    CHECK(close);
    tsr_release(&out);
  }
  tsr_release(&q), tsr_release(&k), tsr_release(&v), tsr_release(&keys), tsr_release(&values), tsr_release(&whole);
  CHECK(test_live() == 0);
#else
  SKIP("needs more memory");
#endif
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  float memory[24] = {0}, more[24] = {0};
  int32_t integers[8] = {0};
  tsr_tensor cache = {0}, rows = {0}, line = {0}, wide = {0}, other = {0}, inside = {0}, none = {0}, twice = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 6, 2), &cache));
  OK(ctx, tsr_from_memory(ctx, more, TSR_F32, TSR_SHAPE(2, 2, 2), &rows));
  OK(ctx, tsr_from_memory(ctx, more, TSR_F32, TSR_SHAPE(2, 2), &line));
  OK(ctx, tsr_from_memory(ctx, more, TSR_F32, TSR_SHAPE(2, 2, 3), &wide));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2, 2, 2), &other));
  OK(ctx, tsr_narrow(ctx, &cache, 1, 1, 2, &inside));
  FAILS(ctx, TSR_EINDEX, tsr_kv_append(ctx, &rows, 5, &cache));
  MESSAGE_HAS(ctx, "kv_append: position is 5: 2 rows from there on are not in the 6 of cache f32 [2,6,2]");
  FAILS(ctx, TSR_EINDEX, tsr_kv_append(ctx, &rows, -1, &cache));
  FAILS(ctx, TSR_EINDEX, tsr_kv_append(ctx, &rows, TSR_INDEX_MAX, &cache));
  FAILS(ctx, TSR_EDTYPE, tsr_kv_append(ctx, &other, 0, &cache));
  MESSAGE_HAS(ctx, "kv_append: rows is i32 [2,2,2], cache is f32 [2,6,2]: they have one dtype");
  FAILS(ctx, TSR_ESHAPE, tsr_kv_append(ctx, &line, 0, &cache));
  FAILS(ctx, TSR_ESHAPE, tsr_kv_append(ctx, &wide, 0, &cache));
  MESSAGE_HAS(ctx, "axis 2 is 3 against 2");
  FAILS(ctx, TSR_EOVERLAP, tsr_kv_append(ctx, &inside, 2, &cache));
  FAILS(ctx, TSR_EARG, tsr_kv_append(ctx, NULL, 0, &cache));
  FAILS(ctx, TSR_EARG, tsr_kv_append(ctx, &rows, 0, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_kv_append(ctx, &rows, 0, &none));
  twice = cache;
  twice.stride[1] = 0;
  FAILS(ctx, TSR_EOVERLAP, tsr_kv_append(ctx, &rows, 0, &twice));
  cache.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_kv_append(ctx, &rows, 0, &cache));
  MESSAGE_HAS(ctx, "kv_append: cache f32 [2,6,2] is read-only");
  for (int i = 0; i < 24; i++) CHECK(memory[i] == 0);
}

TEST_MAIN(RUN(rows_go_where_they_belong), RUN(attention_over_a_cache), RUN(bad_calls))
