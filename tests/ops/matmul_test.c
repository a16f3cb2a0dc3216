/* Matrix products against naive sums: shapes, memory layouts, dtypes, instruction sets, batches, edges. */
#include "support/test.h"

#include "ops/matmul_reference.h"

enum { MOST = TSR_HAVE_MALLOC ? 70 : 9 };

/* ---- every element of one product; one of seven in each row, not below each other, where tests are brief ---- */

static bool check_product(const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *out, int summed) {
  tsr_index at[TSR_MAX_DIMS] = {0}, index[TSR_MAX_DIMS];
  const int batch = out->ndim - (a->ndim > 1) - (b->ndim > 1);
  const tsr_index k = a->shape[a->ndim - 1], step = test_every(7);
  if (tsr_size(out) == 0) return true;
  do {
    for (tsr_index i = 0; i < (a->ndim > 1 ? out->shape[batch] : 1); i++)
      for (tsr_index j = i % step; j < (b->ndim > 1 ? out->shape[out->ndim - 1] : 1); j += step) {
        int axis = 0;
        for (; axis < batch; axis++) index[axis] = at[axis];
        if (a->ndim > 1) index[axis++] = i;
        if (b->ndim > 1) index[axis++] = j;
        const expected_sum e = naive(a, b, batch, at, i, j);
        if (matches(out, test_at(out, index), &e, k, summed)) continue;
        printf("  [%d,%d]: %.9g instead of %.9g\n", (int)i, (int)j, number_of(out->dtype, test_at(out, index)), e.sum);
        return false;
      }
  } while (test_next_index(batch, out->shape, at));
  return true;
}

static int summed_in(int dtype) { return dtype == TSR_F64 ? TSR_F64 : TSR_F32; }

typedef struct sizes {
  tsr_index m, k, n;
} sizes;

static void check_one(tsr_ctx *ctx, int da, int db, sizes s, int la, int lb, test_rng *rng) {
  RENEW(ctx);
  const tsr_index sa[2] = {s.m, s.k}, sb[2] = {s.k, s.n};
  operand a = make_operand(ctx, da, 2, sa, la, rng), b = make_operand(ctx, db, 2, sb, lb, rng);
  tsr_tensor out = {0};
  OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &out));
  CHECK(out.dtype == tsr_dtype_promote(da, db) && out.ndim == 2 && out.shape[0] == s.m && out.shape[1] == s.n);
  const bool right = check_product(&a.view, &b.view, &out, summed_in(out.dtype));
  CHECK(right);
  if (!right)
    printf("  %s [%d,%d] lying %d by %s [%d,%d] lying %d, %s\n", tsr_dtype_name(da), (int)s.m, (int)s.k, la,
           tsr_dtype_name(db), (int)s.k, (int)s.n, lb, tsr_isa_name(ctx->isa - 1));
  tsr_release(&out);
  tsr_release(&a.owner);
  tsr_release(&b.owner);
}

#define EACH_ISA(ctx)                                            \
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)            \
    for (tsr_ctx *ctx = test_context(); ctx != NULL; ctx = NULL) \
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) == TSR_OK)

TEST(every_dtype_and_way_to_lie) {
  test_rng rng = {1};
  EACH_ISA(ctx) {
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (!is_real_number(dtype)) continue;
      for (int la = 0; la < LIES; la++)
        for (int lb = 0; lb < LIES; lb++) {
          check_one(ctx, dtype, dtype, (sizes){5, 7, 6}, la, lb, &rng);
          if (TSR_HAVE_MALLOC && (la + lb) % test_every(3) == 0)
            check_one(ctx, dtype, dtype, (sizes){27, 19, 37}, la, lb, &rng);
        }
      if (TSR_HAVE_MALLOC) check_one(ctx, dtype, dtype, (sizes){13, 1300, 35}, ROWS_PLAIN, ROWS_PLAIN, &rng);
    }
    CHECK(test_live() == 0);
  }
}

TEST(random_shapes) {
  test_rng rng = {2};
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_BF16, TSR_I8, TSR_U8, TSR_I16, TSR_I32};
  EACH_ISA(ctx) {
    for (int i = 0; i < (TSR_HAVE_MALLOC ? 250 : 30); i++) {
      const int dtype = i % 2 == 0 ? TSR_F32 : dtypes[i / 2 % COUNT_OF(dtypes)];
      const sizes s = {test_between(&rng, 1, MOST), test_between(&rng, 1, MOST), test_between(&rng, 1, MOST)};
      if (!tsr_dtype_supported(dtype)) continue;
      check_one(ctx, dtype, dtype, s, (int)(test_random(&rng) % LIES), (int)(test_random(&rng) % LIES), &rng);
    }
    CHECK(test_live() == 0);
  }
}

/* Every number of rows and columns around the tiles' edges. */
TEST(edges_of_tiles) {
  test_rng rng = {3};
  EACH_ISA(ctx) {
    for (tsr_index m = 1; m <= (TSR_HAVE_MALLOC ? 26 : 5); m++)
      for (tsr_index n = 1; n <= (TSR_HAVE_MALLOC ? 66 : 5); n += n < 20 ? 1 : 5)
        check_one(ctx, TSR_F32, TSR_F32, (sizes){m, 3, n}, ROWS_PLAIN, (int)(m + n) % 2, &rng);
    CHECK(test_live() == 0);
  }
}

TEST(several_blocks) {
#if TSR_HAVE_MALLOC && !defined(TSR_EMULATED)
  test_rng rng = {4};
  static const sizes table[] = {{300, 40, 1100}, {100, 1100, 70}, {2100, 5, 40}, {110, 2100, 33}, {1, 1500, 700},
                                {700, 1500, 1},  {3, 900, 900},   {900, 900, 3}, {130, 256, 256}, {70, 100, 512}};
  static const int dtypes[] = {TSR_F32, TSR_BF16, TSR_I8};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(table); i++)
    for (int d = test_brief() ? i % 3 : 0; d < COUNT_OF(dtypes); d += test_every(3))
      check_one(ctx, dtypes[d], dtypes[d], table[i], (i + d) % 2, i / 2 % 2, &rng);
  CHECK(test_live() == 0);
#else
  SKIP("too much for this target");
#endif
}

#if TSR_HAVE_MALLOC && !defined(TSR_EMULATED)
/* The same to the bit as with packed weights, which are there as a whole. */
static void check_packed(tsr_ctx *ctx, int dtype, sizes s, int lie, test_rng *rng) {
  const tsr_index sa[2] = {s.m, s.k}, sb[2] = {s.k, s.n};
  operand a = make_operand(ctx, dtype, 2, sa, ROWS_PLAIN, rng), b = make_operand(ctx, dtype, 2, sb, lie, rng);
  tsr_tensor out = {0}, want = {0};
  tsr_packed packed = {0};
  OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &out));
  OK(ctx, tsr_pack(ctx, &b.view, dtype, &packed));
  OK(ctx, tsr_matmul_packed(ctx, &a.view, &packed, NULL, &want));
  CHECK(tsr_nbytes(&out) == tsr_nbytes(&want) && memcmp(out.data, want.data, tsr_nbytes(&want)) == 0);
  tsr_packed_release(&packed);
  tsr_release(&out);
  tsr_release(&want);
  tsr_release(&a.owner);
  tsr_release(&b.owner);
}
#endif

/* Few rows by a wide matrix: panels of it are packed, or brought near, while those before them are multiplied. Rows
 * that are whole tiles or not, columns that are whole panels or not, steps that are fewer than there is to copy; then
 * several blocks of K and of columns. One thread, and three that take tiles from each other. */
TEST(few_rows_by_a_wide_matrix) {
#if TSR_HAVE_MALLOC && !defined(TSR_EMULATED)
  test_rng rng = {5};
  static const sizes small[] = {{24, 3, 560}, {29, 30, 577}, {49, 9, 640}, {33, 5, 1700}};
  static const sizes large[] = {{40, 70, 4000}, {26, 1100, 700}, {25, 3, 4200}, {30, 90, 130}, {24, 2, 22000}};
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_BF16};
  for (int threads = 1; threads <= (TSR_HAVE_THREADS ? 3 : 1); threads += 2) {
    tsr_threads *pool = NULL;
    REQUIRE(tsr_threads_new(threads, &pool) == TSR_OK);
    EACH_ISA(ctx) {
      ctx->parallel = tsr_threads_parallel(pool);
      for (int i = 0; i < COUNT_OF(small) * LIES; i++) {
        const int lie = i % LIES, dtype = dtypes[(i / LIES + lie) % 3];
        check_one(ctx, dtype, dtype, small[i / LIES], (i / LIES + lie) % 2, lie, &rng);
      }
      for (int i = 0; i < COUNT_OF(large) * 3; i++)
        if (!test_brief() || i % 3 == i / 3 % 3) /* each of large with one dtype */
          check_packed(ctx, dtypes[i % 3], large[i / 3], i % 2 == 0 ? ROWS_PLAIN : ROWS_PADDED, &rng);
      ctx->parallel = tsr_parallel_default();
      CHECK(test_live() == 0);
    }
    tsr_threads_release(pool);
  }
#else
  SKIP("too much for this target");
#endif
}

TEST(mixed_dtypes_promote) {
  test_rng rng = {5};
  EACH_ISA(ctx) {
    for (int da = 1; da < TSR_DTYPE_COUNT; da++)
      for (int db = 1; db < TSR_DTYPE_COUNT; db++) {
        if (!tsr_dtype_supported(da) || !tsr_dtype_supported(db) || !is_real_number(tsr_dtype_promote(da, db)))
          continue;
        if (is_whole(da) != is_whole(db) && tsr_dtype_size(is_whole(da) ? da : db) > 2) continue; /* beyond the bound */
        if (is_whole(da) && is_whole(db) && !is_whole(tsr_dtype_promote(da, db))) continue;
        if (!is_whole(tsr_dtype_promote(da, db)) && tsr_dtype_size(tsr_dtype_promote(da, db)) <= 2 &&
            (is_whole(da) || is_whole(db)))
          continue; /* overflows */
        check_one(ctx, da, db, (sizes){5, 6, 7}, (da + db) % LIES, da % LIES, &rng);
      }
    CHECK(test_live() == 0);
  }
}

/* ---- ranks and batches ---- */

static void check_ranks(tsr_ctx *ctx, int na, const tsr_index *sa, int nb, const tsr_index *sb, int la, int lb,
                        int ndim, const tsr_index *want, test_rng *rng) {
  RENEW(ctx);
  operand a = make_operand(ctx, TSR_F32, na, sa, la, rng), b = make_operand(ctx, TSR_F32, nb, sb, lb, rng);
  tsr_tensor out = {0};
  OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &out));
  CHECK(out.ndim == ndim);
  for (int i = 0; i < ndim && i < out.ndim; i++) CHECK(out.shape[i] == want[i]);
  CHECK(check_product(&a.view, &b.view, &out, TSR_F32));
  tsr_release(&out);
  tsr_release(&a.owner);
  tsr_release(&b.owner);
}

TEST(ranks_by_numpys_rules) {
  test_rng rng = {6};
  EACH_ISA(ctx) {
    for (int lie = 0; lie < LIES * LIES; lie++) {
      const int la = lie / LIES, lb = lie % LIES;
      check_ranks(ctx, TSR_SHAPE(9), TSR_SHAPE(9), la, lb, TEST_SCALAR, &rng);
      check_ranks(ctx, TSR_SHAPE(9), TSR_SHAPE(9, 5), la, lb, TSR_SHAPE(5), &rng);
      check_ranks(ctx, TSR_SHAPE(5, 9), TSR_SHAPE(9), la, lb, TSR_SHAPE(5), &rng);
      check_ranks(ctx, TSR_SHAPE(2, 5, 9), TSR_SHAPE(9), la, lb, TSR_SHAPE(2, 5), &rng);
      check_ranks(ctx, TSR_SHAPE(9), TSR_SHAPE(2, 9, 3), la, lb, TSR_SHAPE(2, 3), &rng);
      check_ranks(ctx, TSR_SHAPE(2, 4, 9), TSR_SHAPE(9, 3), la, lb, TSR_SHAPE(2, 4, 3), &rng);
      check_ranks(ctx, TSR_SHAPE(4, 9), TSR_SHAPE(2, 9, 3), la, lb, TSR_SHAPE(2, 4, 3), &rng);
      check_ranks(ctx, TSR_SHAPE(3, 1, 4, 5), TSR_SHAPE(2, 5, 3), la, lb, TSR_SHAPE(3, 2, 4, 3), &rng);
      check_ranks(ctx, TSR_SHAPE(1, 2, 4, 5), TSR_SHAPE(3, 1, 5, 6), la, lb, TSR_SHAPE(3, 2, 4, 6), &rng);
      check_ranks(ctx, TSR_SHAPE(0, 4, 5), TSR_SHAPE(5, 6), la, lb, TSR_SHAPE(0, 4, 6), &rng);
    }
    CHECK(test_live() == 0);
  }
}

TEST(sizes_of_zero) {
  test_rng rng = {7};
  EACH_ISA(ctx) {
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (!is_real_number(dtype)) continue;
      check_one(ctx, dtype, dtype, (sizes){4, 0, 5}, ROWS_PLAIN, ROWS_PLAIN, &rng); /* zeros */
      check_one(ctx, dtype, dtype, (sizes){1, 0, 5}, ROWS_PLAIN, ROWS_PLAIN, &rng);
      check_one(ctx, dtype, dtype, (sizes){5, 0, 1}, ROWS_PLAIN, ROWS_PLAIN, &rng);
      check_one(ctx, dtype, dtype, (sizes){40, 0, 50}, ROWS_PLAIN, ROWS_PLAIN, &rng);
      check_one(ctx, dtype, dtype, (sizes){0, 3, 5}, ROWS_PLAIN, ROWS_PLAIN, &rng);
      check_one(ctx, dtype, dtype, (sizes){3, 3, 0}, ROWS_PLAIN, ROWS_PLAIN, &rng);
      check_one(ctx, dtype, dtype, (sizes){0, 0, 0}, ROWS_PLAIN, ROWS_PLAIN, &rng);
    }
  }
}

/* ---- outputs ---- */

TEST(outputs_that_lie_in_every_way) {
  test_rng rng = {8};
  static const int dtypes[] = {TSR_F32, TSR_BF16, TSR_I8, TSR_F64};
  static const sizes table[] = {{6, 5, 7}, {1, 5, 7}, {6, 5, 1}, {1, 40, 33}, {33, 40, 3}, {50, 20, 60}};
  EACH_ISA(ctx) {
    for (int d = 0; d < COUNT_OF(dtypes); d++)
      for (int i = 0; i < COUNT_OF(table) && tsr_dtype_supported(dtypes[d]); i++)
        for (int lie = 0; lie < ROWS_REPEATED * 2; lie++) {
          RENEW(ctx);
          const sizes s = table[TSR_HAVE_MALLOC ? i : i % 3];
          const tsr_index sa[2] = {s.m, s.k}, sb[2] = {s.k, s.n}, so[2] = {s.m, s.n};
          operand a = make_operand(ctx, dtypes[d], 2, sa, lie % 2, &rng),
                  b = make_operand(ctx, dtypes[d], 2, sb, lie / 2 % 2, &rng);
          operand o = make_operand(ctx, dtypes[d], 2, so, lie % ROWS_REPEATED, &rng);
          OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &o.view));
          CHECK(check_product(&a.view, &b.view, &o.view, summed_in(dtypes[d])));
          tsr_release(&a.owner);
          tsr_release(&b.owner);
          tsr_release(&o.owner);
        }
    CHECK(test_live() == 0);
  }
}

TEST(in_place_and_overlapping) {
  test_rng rng = {9};
  EACH_ISA(ctx) {
    for (int shift = 0; shift < 3; shift++)
      for (int side = 0; side < 2; side++) {
        enum { N = 6 };
        RENEW(ctx);
        tsr_tensor all = {0}, x = {0}, out = {0}, y = {0}, want = {0};
        OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(N + 2, N), &all));
        OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(N, N), &y));
        fill_random(&all, &rng);
        fill_random(&y, &rng);
        OK(ctx, tsr_slice(ctx, &all, 0, 0, N, 1, &x));
        OK(ctx, tsr_slice(ctx, &all, 0, shift, N + shift, 1, &out));
        OK(ctx, tsr_matmul(ctx, side == 0 ? &x : &y, side == 0 ? &y : &x, &want));
        OK(ctx, tsr_matmul(ctx, side == 0 ? &x : &y, side == 0 ? &y : &x, &out));
        CHECK(test_same_elements(&want, &out));
        tsr_release(&all);
        tsr_release(&y);
        tsr_release(&want);
      }
    CHECK(test_live() == 0);
  }
}

/* ---- numbers that are none ---- */

TEST(nan_and_infinity_go_through) {
#if TSR_HAVE_MALLOC
  EACH_ISA(ctx) {
    static const sizes table[] = {{5, 9, 7}, {1, 40, 30}, {30, 40, 1}, {40, 600, 40}, {100, 700, 200}};
    for (int i = 0; i < COUNT_OF(table); i++)
      for (int d = 0; d < 4; d += i < 3 ? 1 : test_every(3)) {
        static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16};
        const sizes s = table[i];
        tsr_tensor a = {0}, b = {0}, out = {0};
        OK(ctx, tsr_zeros(ctx, dtypes[d], TSR_SHAPE(s.m, s.k), &a));
        OK(ctx, tsr_zeros(ctx, dtypes[d], TSR_SHAPE(s.k, s.n), &b));
        OK(ctx, tsr_set(ctx, &a, TSR_INDEX(s.m / 2, s.k - 1), (tsr_real)NAN));
        OK(ctx, tsr_set(ctx, &b, TSR_INDEX(s.k / 2, 0), (tsr_real)INFINITY));
        OK(ctx, tsr_matmul(ctx, &a, &b, &out));
        CHECK(check_product(&a, &b, &out, TSR_F32)); /* 0·NaN and 0·inf are NaN */
        tsr_real corner = 0;
        OK(ctx, tsr_get(ctx, &out, TSR_INDEX(0, 0), &corner));
        CHECK(isnan(corner));
        tsr_release(&a);
        tsr_release(&b);
        tsr_release(&out);
      }
    CHECK(test_live() == 0);
  }
#else
  SKIP("too much for this target");
#endif
}

TEST_MAIN(RUN(every_dtype_and_way_to_lie), RUN(random_shapes), RUN(edges_of_tiles), RUN(several_blocks),
          RUN(few_rows_by_a_wide_matrix), RUN(mixed_dtypes_promote), RUN(ranks_by_numpys_rules), RUN(sizes_of_zero),
          RUN(outputs_that_lie_in_every_way), RUN(in_place_and_overlapping), RUN(nan_and_infinity_go_through))
