/* Expressions of the C++ header: one pass, with the bits of the single calls; what they look at, keep and refuse. */
#include "cpp/cpp_test.hpp"

#include <utility>

namespace {

bool same(tsr::input a, tsr::input b) {
  bool equal = false;
  return tsr_equal(nullptr, a.c(), b.c(), &equal) == TSR_OK && equal && a->dtype == b->dtype;
}

tsr::tensor some(unsigned seed, tsr_index rows, tsr_index cols) {
  tsr_rng rng = tsr_rng_seed(seed);
  return tsr::rand_normal(rng, {rows, cols});
}

TEST(expressions_have_the_bits_of_single_calls) {
  tsr::tensor a = some(1, 37, 53), b = some(2, 37, 53), c = some(3, 1, 53);
  tsr::tensor y = gelu(a * b + c);
  CHECK(same(y, tsr::gelu(tsr::add(tsr::mul(a, b), c))));
  tsr::tensor quotient = (a - b) / (a * a + 1.5f);
  tsr::tensor half = tsr::full({}, 1.5);
  CHECK(same(quotient, tsr::div(tsr::sub(a, b), tsr::add(tsr::mul(a, a), half))));
  tsr::tensor total = sum(tsr::lazy(a) * b, tsr::arg::axis = 1);
  CHECK(total.rank() == 1 && same(total, tsr::sum(tsr::mul(a, b), tsr::arg::axis = 1)));
  tsr::tensor mask = (a < b) & (b >= 0);
  tsr::tensor zero = tsr::zeros({});
  CHECK(mask.dtype() == TSR_BOOL && same(mask, tsr::bitwise_and(tsr::lt(a, b), tsr::ge(b, zero))));
  tsr::tensor minus = -(exp(tsr::lazy(a)) % 0.75);
  CHECK(minus.size() == a.size() && minus.get(0, 0) <= 0);
  tsr::tensor counted_ = tsr::cast<float>(a > b);
  CHECK(counted_.dtype() == TSR_F32 && same(counted_, tsr::cast(tsr::gt(a, b), TSR_F32)));
}

TEST(whole_numbers_stay_whole) {
  tsr::tensor i = tsr::arange<std::int32_t>(6);
  tsr::tensor y = (i << 2) + 1;
  CHECK(y.dtype() == TSR_I32 && y.get(5) == 21);
  tsr::tensor z = (~i ^ 3) | 8;
  CHECK(z.get(0) == static_cast<tsr_real>((~0 ^ 3) | 8) && z.get(5) == static_cast<tsr_real>((~5 ^ 3) | 8));
  THROWS(TSR_ERANGE, "column", tsr::tensor(i * 0.5));
}

TEST(in_place_and_over_what_they_read) {
  tsr::tensor x = some(4, 5, 7), y = some(5, 5, 7);
  tsr::tensor want = tsr::add(x, y);
  x += y;
  CHECK(same(x, want));
  x *= 2;
  x -= y * 0.5f;
  CHECK(x.size() == 35);
  tsr::tensor back = x.clone();
  tsr::view turned = x({{}, {}, -1});
  tsr::eval(x + turned, tsr::out(x)); /* overlaps what it reads: the values before */
  CHECK(same(x, tsr::add(back, back({{}, {}, -1}))));
  tsr::tensor given = tsr::zeros({5, 7});
  const void *where = given.c()->data;
  tsr::eval(back * 2, tsr::out(given));
  CHECK(given.c()->data == where && same(given, tsr::add(back, back)));
}

TEST(an_expression_keeps_what_has_no_name) {
  counted memory;
  {
    tsr::with use(memory.c());
    tsr::tensor a = some(6, 4, 4);
    auto e = tsr::add(a, a) * tsr::ones({4, 4}) + a({0, 1}); /* two tensors and a view that would be gone */
    tsr::tensor other = tsr::full({4, 4}, 99);               /* takes memory, if somebody let go of it */
    tsr::tensor y = std::move(e);
    tsr::tensor want = tsr::add(tsr::add(a, a), a({0, 1}));
    CHECK(same(y, want) && other.get(0, 0) == 99);
  }
  {
    tsr::with use(memory.c());
    tsr::tensor y = sum(tsr::lazy(some(7, 3, 3)) * some(8, 3, 3));
    CHECK(y.size() == 1);
  }
}

TEST(failures_say_what_and_where) {
  tsr::tensor a = some(1, 3, 4), b = some(2, 1, 5), y;
  THROWS(TSR_ESHAPE, "does not broadcast", tsr::tensor(a * b));
  THROWS(TSR_ESHAPE, "does not broadcast", tsr::eval(a + b, tsr::out(y)));
  CHECK(y.empty());
  tsr::tensor given = tsr::full({3, 4}, 5);
  THROWS(TSR_ESHAPE, "", tsr::eval(a + b, tsr::out(given)));
  CHECK(given.get(2, 3) == 5);
}

/* The same text from many threads and places: compiled once a thread, with the values of each call. */
TEST(numbers_are_those_of_each_run) {
  tsr::tensor x = tsr::ones({3});
  for (int i = 0; i < 100; i++) {
    tsr::tensor y = x * static_cast<float>(i) + i;
    CHECK(y.get(2) == 2 * i);
  }
}

}  // namespace

TEST_MAIN(RUN(expressions_have_the_bits_of_single_calls), RUN(whole_numbers_stay_whole),
          RUN(in_place_and_over_what_they_read), RUN(an_expression_keeps_what_has_no_name),
          RUN(failures_say_what_and_where), RUN(numbers_are_those_of_each_run))
