/* The header without exceptions: failures are values, and calls with what failed fail. */
#define TSR_CPP_NO_EXCEPTIONS
#include "cpp/cpp_test.hpp"

namespace {

TEST(values_come_with_a_status) {
  tsr::result<tsr::tensor> x = tsr::ones({3, 4});
  CHECK(x.ok() && x && x.status() == TSR_OK && x.text()[0] == '\0' && x->size() == 12);
  tsr::result<tsr::tensor> y = tsr::add(*x, tsr::ones({5}).value());
  CHECK(!y && y.status() == TSR_ESHAPE && std::strstr(y.text(), "do not broadcast") != nullptr && y->empty());
  tsr::result<tsr::tensor> z = tsr::exp(y); /* an empty tensor: fails, and says so */
  CHECK(!z.ok());
  tsr::tensor taken = tsr::ones({2}).value();
  CHECK(taken.size() == 2);
  tsr::result<tsr::view> row = taken(5);
  CHECK(row.status() == TSR_EINDEX);
  CHECK(taken.get(1).value() == 1 && taken.get(7).status() == TSR_EINDEX);
  CHECK((taken.as<float, 1>().value()(1) == 1) && (taken.as<double, 1>().status() == TSR_EDTYPE));
  CHECK(taken.item<float>().status() == TSR_ESHAPE);
}

TEST(expressions_too) {
  tsr::tensor a = tsr::ones({2, 3}).value();
  tsr::result<tsr::tensor> y = tsr::eval(a * 2 + a);
  CHECK(y.ok() && y->get(1, 2).value() == 3);
  tsr::result<tsr::tensor> direct = a + a;
  CHECK(direct.ok() && direct->get(0, 0).value() == 2);
  tsr::tensor b = tsr::ones({7}).value();
  tsr::result<tsr::tensor> bad = tsr::eval(a + b);
  CHECK(bad.status() == TSR_ESHAPE);
  CHECK((a += 1).ok() && a.get(0, 0).value() == 2);
  CHECK((a += b).status() == TSR_ESHAPE && a.get(0, 0).value() == 2);
  CHECK(tsr::softmax(a, tsr::out(a)).ok());
  CHECK(tsr::rows<float>({{1, 2}, {3}}).status() == TSR_ESHAPE);
}

TEST(without_memory_there_is_a_status) {
  tsr_failing failing;
  TSR_IGNORE(tsr_failing_init(nullptr, 0, true, &failing));
  tsr_ctx ctx;
  TSR_IGNORE(tsr_context_init(&ctx, &failing.allocator));
  tsr::with use(&ctx);
  CHECK(tsr::ones({3}).status() == TSR_ENOMEM && failing.live == 0);
}

}  // namespace

TEST_MAIN(RUN(values_come_with_a_status), RUN(expressions_too), RUN(without_memory_there_is_a_status))
