// xtensor as a contestant, with xsimd where that is installed. It has one thread.
#include <array>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xtensor_config.hpp>
#include <xtensor/xview.hpp>

#include "peer.hpp"

namespace {

using namespace peer;
template <size_t N>
using Shape = std::array<size_t, N>;

template <class T, size_t N>
auto tensor(T *p, Shape<N> shape) {
  size_t n = 1;
  for (const size_t d : shape) n *= d;
  return xt::adapt(p, n, xt::no_ownership(), shape);
}

template <size_t N>
size_t count(Shape<N> shape) {
  size_t n = 1;
  for (const size_t d : shape) n *= d;
  return n;
}

template <size_t N>
auto input(Shape<N> shape, int64_t start = 0) {
  return tensor(floats(static_cast<int64_t>(count(shape)), start), shape);
}

template <size_t N>
auto output(Shape<N> shape) {
  return tensor(result(static_cast<int64_t>(count(shape))), shape);
}

template <size_t A, size_t B, size_t N>
Runner add(Shape<A> a_shape, Shape<B> b_shape, Shape<N> shape) {
  auto a = input(a_shape);
  auto b = input(b_shape, 7);
  auto out = output(shape);
  return repeat([=]() mutable { xt::noalias(out) = a + b; });
}

Runner addT() {
  auto a = input(Shape<2>{2048, 2048});
  auto b = input(Shape<2>{2048, 2048}, 7);
  auto out = output(Shape<2>{2048, 2048});
  return repeat([=]() mutable { xt::noalias(out) = a + xt::transpose(b); });
}

template <class F>
Runner unary(F f) {
  auto x = input(Shape<1>{M});
  auto out = output(Shape<1>{M});
  return repeat([=]() mutable { xt::noalias(out) = f(x); });
}

template <class F>
Runner reduce(F f) {
  auto x = input(Shape<2>{4096, 4096});
  auto out = output(Shape<1>{4096});
  return repeat([=]() mutable { xt::noalias(out) = f(x); });
}

Runner sum_16M() {
  auto x = input(Shape<1>{16 * M});
  float *out = result(1);
  return repeat([=]() mutable { *out = xt::sum(x, xt::evaluation_strategy::immediate)(); });
}

Runner argmax(size_t axis) {
  auto x = input(Shape<2>{4096, 4096});
  auto out = tensor(result_as<int64_t>(4096, CONTEST_I64), Shape<1>{4096});
  return repeat([=]() mutable { xt::noalias(out) = xt::argmax(x, static_cast<std::ptrdiff_t>(axis)); });
}

template <size_t N>
Runner permute(Shape<N> from, Shape<N> axes) {
  Shape<N> to{};
  for (size_t i = 0; i < N; i++) to[i] = from[axes[i]];
  auto x = input(from);
  auto out = output(to);
  return repeat([=]() mutable { xt::noalias(out) = xt::transpose(x, axes); });
}

template <class To, class From>
Runner cast(From *from, contest_kind kind) {
  auto x = tensor(from, Shape<1>{16 * M});
  auto out = tensor(result_as<To>(16 * M, kind), Shape<1>{16 * M});
  return repeat([=]() mutable { xt::noalias(out) = xt::cast<To>(x); });
}

Runner slice_cols2() {
  auto x = input(Shape<2>{4096, 4096});
  auto out = output(Shape<2>{4096, 2048});
  return repeat([=]() mutable { xt::noalias(out) = xt::view(x, xt::all(), xt::range(0, 4096, 2)); });
}

Runner slice_block() {
  auto x = input(Shape<2>{4096, 4096});
  auto out = output(Shape<2>{2000, 2000});
  return repeat([=]() mutable { xt::noalias(out) = xt::view(x, xt::range(1000, 3000), xt::range(1000, 3000)); });
}

Runner concat(size_t axis) {
  auto a = input(Shape<2>{2048, 2048});
  auto b = input(Shape<2>{2048, 2048}, 7);
  auto out = output(axis == 0 ? Shape<2>{4096, 2048} : Shape<2>{2048, 4096});
  return repeat([=]() mutable { xt::noalias(out) = xt::concatenate(xt::xtuple(a, b), axis); });
}

Runner pad() {
  auto x = input(Shape<4>{8, 64, 56, 56});
  auto out = output(Shape<4>{8, 64, 58, 58});
  return repeat([=]() mutable {
    out.fill(0);
    xt::view(out, xt::all(), xt::all(), xt::range(1, 57), xt::range(1, 57)) = x;
  });
}

Runner add4_given() {
  static xt::xtensor<float, 1> a = xt::ones<float>({4}), b = xt::ones<float>({4}), out = xt::zeros<float>({4});
  return repeat([] { xt::noalias(out) = a + b; });
}

Runner add4_fresh() {
  static xt::xtensor<float, 1> a = xt::ones<float>({4}), b = xt::ones<float>({4});
  return repeat([] {
    xt::xtensor<float, 1> out = a + b;
    contest_keep(out.data());
  });
}

Runner new_free() {
  return repeat([] {
    auto out = xt::xtensor<float, 1>::from_shape({4});
    contest_keep(out.data());
  });
}

Runner view() {
  static xt::xtensor<float, 1> x = xt::ones<float>({4});
  return repeat([] {
    auto seen = xt::reshape_view(x, Shape<2>{2, 2});
    contest_keep(&seen);
  });
}

const Rows rows = {
    {"add_1k", [] { return add(Shape<1>{1000}, Shape<1>{1000}, Shape<1>{1000}); }},
    {"add_100k", [] { return add(Shape<1>{100000}, Shape<1>{100000}, Shape<1>{100000}); }},
    {"add_16M", [] { return add(Shape<1>{16 * M}, Shape<1>{16 * M}, Shape<1>{16 * M}); }},
    {"bcast_row", [] { return add(Shape<2>{1024, 1024}, Shape<1>{1024}, Shape<2>{1024, 1024}); }},
    {"bcast_col", [] { return add(Shape<2>{1024, 1024}, Shape<2>{1024, 1}, Shape<2>{1024, 1024}); }},
    {"bcast_3d", [] { return add(Shape<3>{64, 1, 256}, Shape<3>{1, 128, 256}, Shape<3>{64, 128, 256}); }},
    {"addT_2048", addT},
    {"exp_1M", [] { return unary([](auto &x) { return xt::exp(x); }); }},
    {"tanh_1M", [] { return unary([](auto &x) { return xt::tanh(x); }); }},
    {"gelu_erf_1M", [] { return unary([](auto &x) { return x * 0.5f * (1.0f + xt::erf(x * 0.70710678f)); }); }},
    {"gelu_tanh_1M",
     [] {
       return unary([](auto &x) { return x * 0.5f * (1.0f + xt::tanh(x * (1.0f + x * x * 0.044715f) * 0.79788456f)); });
     }},
    {"sigmoid_1M", [] { return unary([](auto &x) { return 1.0f / (1.0f + xt::exp(-x)); }); }},
    {"relu_1M", [] { return unary([](auto &x) { return xt::maximum(x, 0.0f); }); }},
    {"sum_16M", sum_16M},
    {"sum_ax0", [] { return reduce([](auto &x) { return xt::sum(x, {0}, xt::evaluation_strategy::immediate); }); }},
    {"sum_ax1", [] { return reduce([](auto &x) { return xt::sum(x, {1}, xt::evaluation_strategy::immediate); }); }},
    {"max_ax0", [] { return reduce([](auto &x) { return xt::amax(x, {0}, xt::evaluation_strategy::immediate); }); }},
    {"max_ax1", [] { return reduce([](auto &x) { return xt::amax(x, {1}, xt::evaluation_strategy::immediate); }); }},
    {"argmax_ax0", [] { return argmax(0); }},
    {"argmax_ax1", [] { return argmax(1); }},
    {"transpose_4096", [] { return permute(Shape<2>{4096, 4096}, Shape<2>{1, 0}); }},
    {"perm_nchw2nhwc", [] { return permute(Shape<4>{8, 64, 56, 56}, Shape<4>{0, 2, 3, 1}); }},
    {"perm_nhwc2nchw", [] { return permute(Shape<4>{8, 56, 56, 64}, Shape<4>{0, 3, 1, 2}); }},
    {"cast_u8", [] { return cast<uint8_t>(contest_positive(16 * M), CONTEST_U8); }},
    {"cast_u8_to_f32", [] { return cast<float>(contest_u8(16 * M), CONTEST_F32); }},
    {"slice_cols2", slice_cols2},
    {"slice_block", slice_block},
    {"concat_ax0", [] { return concat(0); }},
    {"concat_ax1", [] { return concat(1); }},
    {"pad_1", pad},
    {"add4_given", add4_given},
    {"add4_fresh", add4_fresh},
    {"new_free_4", new_free},
    {"view", view},
};

}  // namespace

int main() {
  const auto text = [](int n) { return std::to_string(n); };
  const std::string major = text(XTENSOR_VERSION_MAJOR), minor = text(XTENSOR_VERSION_MINOR);
  return peer::serve(major + "." + minor + "." + text(XTENSOR_VERSION_PATCH), rows);
}
