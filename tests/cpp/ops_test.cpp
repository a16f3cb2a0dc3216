/* Ops of the C++ header beside the functions of C: what must be given by place, the rest by name, lists, several outputs. */
#include "cpp/cpp_test.hpp"

#include <vector>

namespace {

bool same(tsr::input a, const tsr_tensor &b) {
  bool equal = false;
  return tsr_equal(nullptr, a.c(), &b, &equal) == TSR_OK && equal && a->dtype == b.dtype;
}

/* The result of a call of C, released with the block. */
struct c_tensor {
  tsr_tensor t = TSR_EMPTY;
  c_tensor() = default;
  c_tensor(const c_tensor &) = delete;
  ~c_tensor() { tsr_release(&t); }
};
#define C_RESULT(name, call) \
  c_tensor name;             \
  CHECK((call) == TSR_OK)

tsr::tensor some(unsigned seed, const tsr::ints &shape) {
  tsr_rng rng = tsr_rng_seed(seed);
  return tsr::rand_normal(rng, shape);
}

TEST(attributes_go_by_name) {
  tsr::tensor x = some(1, {4, 5});
  C_RESULT(softmax, tsr_softmax(nullptr, x.c(), 0, &softmax.t));
  CHECK(same(tsr::softmax(x, tsr::arg::axis = 0), softmax.t));
  C_RESULT(last, tsr_softmax(nullptr, x.c(), -1, &last.t));
  CHECK(same(tsr::softmax(x), last.t));
  const int axis = 1;
  C_RESULT(sum, tsr_sum(nullptr, x.c(), 1, &axis, true, &sum.t));
  CHECK(same(tsr::sum(x, tsr::arg::axis = 1, tsr::arg::keepdims = true), sum.t));
  CHECK(same(tsr::sum(x, tsr::arg::keepdims = true, tsr::arg::axes = {1}), sum.t));
  C_RESULT(all, tsr_sum(nullptr, x.c(), 0, nullptr, false, &all.t));
  CHECK(same(tsr::sum(x), all.t) && same(tsr::sum(x, tsr::arg::axes = {0, 1}), all.t));
  C_RESULT(clamped, tsr_clamp(nullptr, x.c(), -0.5f, 0.5f, &clamped.t));
  CHECK(same(tsr::clamp(x, -0.5, 0.5), clamped.t));
}

TEST(lists_have_as_many_numbers_as_they_must) {
  tsr::tensor x = some(2, {2, 3, 4});
  CHECK(tsr::permute(x, {2, 0, 1}).shape(0) == 4);
  THROWS(TSR_EAXIS, "", tsr::permute(x, {2, 0}));
  const tsr_index before[] = {0, 1, 2}, after[] = {0, 0, 1};
  C_RESULT(padded, tsr_pad(nullptr, x.c(), before, after, TSR_PAD_CONSTANT, 7, &padded.t));
  CHECK(same(tsr::pad(x, tsr::arg::before = {0, 1, 2}, tsr::arg::after = {0, 0, 1}, tsr::arg::value = 7), padded.t));
  THROWS(TSR_EARG, "", tsr::pad(x, tsr::arg::before = {0, 1}));
  CHECK(tsr::tile(x, {2, 1, 1}).shape(0) == 4);
}

TEST(several_tensors_go_in) {
  tsr::tensor a = some(3, {2, 3}), b = some(4, {2, 3});
  const tsr_tensor *both[] = {a.c(), b.c()};
  C_RESULT(joined, tsr_concat(nullptr, 2, both, 1, &joined.t));
  CHECK(same(tsr::concat({a, b}, tsr::arg::axis = 1), joined.t));
  std::vector<tsr::view> views = {a, b};
  CHECK(same(tsr::concat(views, tsr::arg::axis = 1), joined.t));
  std::vector<tsr::tensor> kept;
  kept.push_back(a.share());
  kept.push_back(b.share());
  CHECK(same(tsr::concat(kept, tsr::arg::axis = 1), joined.t));
  C_RESULT(product, tsr_einsum(nullptr, 2, both, "ij,kj->ik", &product.t));
  CHECK(same(tsr::einsum({a, b}, "ij,kj->ik"), product.t));
}

TEST(several_tensors_come_out) {
  tsr::tensor x = some(5, {3, 9});
  auto best = tsr::topk(x, 2);
  CHECK(best.values.shape(1) == 2 && best.index.dtype() == TSR_I64);
  CHECK(best.values.get(1, 0) == x.get(1, best.index.get(1, 0)));
  tsr::topk(x, 2, tsr::out(best)); /* into the same memory */
  CHECK(best.values.count() == 1);
  tsr::tensor square = tsr::matmul(some(6, {3, 9}), some(7, {9, 3}));
  auto [q, r] = tsr::qr(square);
  tsr::tensor product = tsr::matmul(q, r);
  CHECK(tsr::max(tsr::abs(tsr::sub(product, square))).item<float>() < 1e-4f);
  std::vector<tsr::view> parts = tsr::split(x, 3, tsr::arg::axis = 1);
  CHECK(parts.size() == 3 && parts[2].shape(1) == 3 && parts[2].get(0, 0) == x.get(0, 6));
  CHECK(tsr::split_sizes(x, {1, 2})[1].shape(0) == 2);
  THROWS(TSR_ESHAPE, "", tsr::split(x, 2, tsr::arg::axis = 1));
}

TEST(optional_tensors_go_by_name) {
  tsr::tensor x = some(8, {2, 5}), w = some(9, {3, 5}), b = some(10, {3});
  C_RESULT(plain, tsr_dense(nullptr, x.c(), w.c(), nullptr, nullptr, &plain.t));
  C_RESULT(biased, tsr_dense(nullptr, x.c(), w.c(), b.c(), nullptr, &biased.t));
  CHECK(same(tsr::dense(x, w), plain.t) && same(tsr::dense(x, w, tsr::arg::bias = b), biased.t));
  const tsr_activation relu = {TSR_RELU, 0, 0};
  C_RESULT(activated, tsr_dense(nullptr, x.c(), w.c(), b.c(), &relu, &activated.t));
  CHECK(same(tsr::dense(x, w, tsr::arg::bias = b, tsr::arg::activation = TSR_RELU), activated.t));
  tsr::tensor image = some(11, {1, 3, 8, 8}), filter = some(12, {4, 3, 3, 3});
  tsr_conv_options options = {};
  options.stride[0] = options.stride[1] = 2;
  for (int i = 0; i < 2; i++) options.pad_before[i] = options.pad_after[i] = 1;
  C_RESULT(conv, tsr_conv2d(nullptr, image.c(), filter.c(), nullptr, &options, &conv.t));
  CHECK(same(tsr::conv2d(image, filter, tsr::arg::stride = 2, tsr::arg::pad_before = 1, tsr::arg::pad_after = 1),
             conv.t));
  CHECK(same(tsr::conv2d(image, filter, tsr::arg::stride = {2, 2}, tsr::arg::pad_before = 1, tsr::arg::pad_after = 1),
             conv.t));
}

TEST(views_of_tensors_that_stay_and_of_those_that_end) {
  tsr::tensor x = some(13, {2, 6});
  tsr::view v = tsr::reshape_view(x, {3, 4}); /* x stays: a view */
  CHECK(v.c()->data == x.c()->data && x.count() == 1);
  tsr::tensor shared = tsr::reshape(x, {3, 4}); /* an owner of its own, of the same memory */
  CHECK(shared.c()->data == x.c()->data && x.count() == 2);
  tsr::tensor copy = tsr::reshape(tsr::transpose(x), {3, 4}); /* or of another, where strides do not allow it */
  CHECK(copy.c()->data != x.c()->data && copy.count() == 1 && copy.get(0, 1) == x.get(1, 0));
  shared = tsr::tensor();
  tsr::tensor y = tsr::reshape_view(std::move(x), {4, 3}); /* x ends: the tensor itself */
  CHECK(x.empty() && y.count() == 1);                      /* NOLINT */
  tsr::tensor z = tsr::transpose(tsr::exp(y));
  CHECK(z.shape(0) == 3 && z.count() == 1);
}

}  // namespace

TEST_MAIN(RUN(attributes_go_by_name), RUN(lists_have_as_many_numbers_as_they_must), RUN(several_tensors_go_in),
          RUN(several_tensors_come_out), RUN(optional_tensors_go_by_name),
          RUN(views_of_tensors_that_stay_and_of_those_that_end))
