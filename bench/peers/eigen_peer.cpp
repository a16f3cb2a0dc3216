// Eigen as a contestant: arrays (one thread) and the tensor module (its pool of threads), whichever is quicker.
#define EIGEN_USE_THREADS
#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>

#include "peer.hpp"

namespace {

using namespace peer;
using Index = Eigen::Index;
template <class T, int N>
using Tensor = Eigen::TensorMap<Eigen::Tensor<T, N, Eigen::RowMajor>>;
template <int N>
using Dims = Eigen::array<Index, N>;
using Array = Eigen::Map<Eigen::ArrayXf>;
using Matrix = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// Assigns f(in...), an expression of tensors, to out, on the threads there are. Expressions refer to tensors, so that f
// takes them by reference.
template <class Out, class F, class... In>
Runner tensors(Out out, F f, In... in) {
  if (contest_threads() == 1) return repeat([=]() mutable { out = f(in...); });
  static Eigen::ThreadPool pool(contest_threads());
  static Eigen::ThreadPoolDevice device(&pool, contest_threads());
  return repeat([=]() mutable { out.device(device) = f(in...); });
}

Runner add(int64_t n) {
  float *a = floats(n), *b = floats(n, 7), *out = result(n);
  return quickest({
      repeat([=] { Array(out, n) = Array(a, n) + Array(b, n); }),
      tensors(Tensor<float, 1>(out, n), [](auto &s, auto &t) { return s + t; }, Tensor<float, 1>(a, n),
              Tensor<float, 1>(b, n)),
  });
}

Runner bcast_row() {
  float *a = floats(M), *b = floats(1024, 7), *out = result(M);
  return quickest({
      repeat([=] {
        Matrix(out, 1024, 1024) = Matrix(a, 1024, 1024).rowwise() + Array(b, 1024).transpose();
      }),
      tensors(Tensor<float, 2>(out, 1024, 1024), [](auto &s, auto &t) { return s + t.broadcast(Dims<2>{1024, 1}); },
              Tensor<float, 2>(a, 1024, 1024), Tensor<float, 2>(b, 1, 1024)),
  });
}

Runner bcast_col() {
  float *a = floats(M), *b = floats(1024, 7), *out = result(M);
  return quickest({
      repeat([=] { Matrix(out, 1024, 1024) = Matrix(a, 1024, 1024).colwise() + Array(b, 1024); }),
      tensors(Tensor<float, 2>(out, 1024, 1024), [](auto &s, auto &t) { return s + t.broadcast(Dims<2>{1, 1024}); },
              Tensor<float, 2>(a, 1024, 1024), Tensor<float, 2>(b, 1024, 1)),
  });
}

Runner bcast_3d() {
  float *a = floats(64 * 256), *b = floats(128 * 256, 7), *out = result(64 * 128 * 256);
  return tensors(Tensor<float, 3>(out, 64, 128, 256),
                 [](auto &s, auto &t) { return s.broadcast(Dims<3>{1, 128, 1}) + t.broadcast(Dims<3>{64, 1, 1}); },
                 Tensor<float, 3>(a, 64, 1, 256), Tensor<float, 3>(b, 1, 128, 256));
}

Runner addT() {
  float *a = floats(4 * M), *b = floats(4 * M, 7), *out = result(4 * M);
  return quickest({
      repeat([=] { Matrix(out, 2048, 2048) = Matrix(a, 2048, 2048) + Matrix(b, 2048, 2048).transpose(); }),
      tensors(Tensor<float, 2>(out, 2048, 2048), [](auto &s, auto &t) { return s + t.shuffle(Dims<2>{1, 0}); },
              Tensor<float, 2>(a, 2048, 2048), Tensor<float, 2>(b, 2048, 2048)),
  });
}

template <class F>
Runner unary(F f) {
  float *x = floats(M), *out = result(M);
  return tensors(Tensor<float, 1>(out, M), f, Tensor<float, 1>(x, M));
}

Runner exp_1M() {
  float *x = floats(M), *out = result(M);
  return quickest({
      repeat([=] { Array(out, M) = Array(x, M).exp(); }),
      tensors(Tensor<float, 1>(out, M), [](auto &t) { return t.exp(); }, Tensor<float, 1>(x, M)),
  });
}

Runner relu_1M() {
  float *x = floats(M), *out = result(M);
  return quickest({
      repeat([=] { Array(out, M) = Array(x, M).max(0.0f); }),
      tensors(Tensor<float, 1>(out, M), [](auto &t) { return t.cwiseMax(0.0f); }, Tensor<float, 1>(x, M)),
  });
}

Runner sum_16M() {
  float *x = floats(16 * M), *out = result(1);
  return quickest({
      repeat([=] { *out = Array(x, 16 * M).sum(); }),
      tensors(Tensor<float, 0>(out), [](auto &t) { return t.sum(); }, Tensor<float, 1>(x, 16 * M)),
  });
}

Runner sum(Index axis) {
  float *x = floats(16 * M), *out = result(4096);
  const auto tensor = tensors(Tensor<float, 1>(out, 4096), [=](auto &t) { return t.sum(Dims<1>{axis}); },
                              Tensor<float, 2>(x, 4096, 4096));
  if (axis == 0)
    return quickest({tensor, repeat([=] {
                       Array(out, 4096).transpose() = Matrix(x, 4096, 4096).colwise().sum();
                     })});
  return quickest({tensor, repeat([=] { Array(out, 4096) = Matrix(x, 4096, 4096).rowwise().sum(); })});
}

Runner max(Index axis) {
  float *x = floats(16 * M), *out = result(4096);
  return tensors(Tensor<float, 1>(out, 4096), [=](auto &t) { return t.maximum(Dims<1>{axis}); },
                 Tensor<float, 2>(x, 4096, 4096));
}

Runner argmax(Index axis) {
  float *x = floats(16 * M);
  Index *out = result_as<Index>(4096, CONTEST_I64);
  return tensors(Tensor<Index, 1>(out, 4096), [=](auto &t) { return t.argmax(axis); },
                 Tensor<float, 2>(x, 4096, 4096));
}

Runner transpose() {
  float *x = floats(16 * M), *out = result(16 * M);
  return quickest({
      repeat([=] { Matrix(out, 4096, 4096) = Matrix(x, 4096, 4096).transpose(); }),
      tensors(Tensor<float, 2>(out, 4096, 4096), [](auto &t) { return t.shuffle(Dims<2>{1, 0}); },
              Tensor<float, 2>(x, 4096, 4096)),
  });
}

Runner permute(Dims<4> from, Dims<4> axes) {
  const int64_t n = from[0] * from[1] * from[2] * from[3];
  float *x = floats(n), *out = result(n);
  return tensors(Tensor<float, 4>(out, from[axes[0]], from[axes[1]], from[axes[2]], from[axes[3]]),
                 [=](auto &t) { return t.shuffle(axes); }, Tensor<float, 4>(x, from[0], from[1], from[2], from[3]));
}

template <class To, class From>
Runner cast(From *from, contest_kind kind) {
  To *out = result_as<To>(16 * M, kind);
  return tensors(Tensor<To, 1>(out, 16 * M), [](auto &t) { return t.template cast<To>(); },
                 Tensor<From, 1>(from, 16 * M));
}

Runner slice_cols2() {
  float *x = floats(16 * M), *out = result(8 * M);
  return tensors(Tensor<float, 2>(out, 4096, 2048), [](auto &t) { return t.stride(Dims<2>{1, 2}); },
                 Tensor<float, 2>(x, 4096, 4096));
}

Runner slice_block() {
  float *x = floats(16 * M), *out = result(2000 * 2000);
  return quickest({
      repeat([=] { Matrix(out, 2000, 2000) = Matrix(x, 4096, 4096).block(1000, 1000, 2000, 2000); }),
      tensors(Tensor<float, 2>(out, 2000, 2000),
              [](auto &t) { return t.slice(Dims<2>{1000, 1000}, Dims<2>{2000, 2000}); },
              Tensor<float, 2>(x, 4096, 4096)),
  });
}

Runner concat(Index axis) {
  float *a = floats(4 * M), *b = floats(4 * M, 7), *out = result(8 * M);
  const Index rows = axis == 0 ? 4096 : 2048, cols = axis == 0 ? 2048 : 4096;
  return quickest({
      repeat([=] {
        Matrix whole(out, rows, cols);
        whole.topLeftCorner(2048, 2048) = Matrix(a, 2048, 2048);
        whole.bottomRightCorner(2048, 2048) = Matrix(b, 2048, 2048);
      }),
      tensors(Tensor<float, 2>(out, rows, cols), [=](auto &s, auto &t) { return s.concatenate(t, axis); },
              Tensor<float, 2>(a, 2048, 2048), Tensor<float, 2>(b, 2048, 2048)),
  });
}

Runner pad() {
  using Pair = Eigen::IndexPair<Index>;
  float *x = floats(8 * 64 * 56 * 56), *out = result(8 * 64 * 58 * 58);
  const Eigen::array<Pair, 4> around{Pair(0, 0), Pair(0, 0), Pair(1, 1), Pair(1, 1)};
  return tensors(Tensor<float, 4>(out, 8, 64, 58, 58), [=](auto &t) { return t.pad(around); },
                 Tensor<float, 4>(x, 8, 64, 56, 56));
}

Runner add4_given() {
  static Eigen::ArrayXf a = Eigen::ArrayXf::Random(4), b = Eigen::ArrayXf::Random(4), out(4);
  return repeat([] { out = a + b; });
}

Runner add4_fresh() {
  static Eigen::ArrayXf a = Eigen::ArrayXf::Random(4), b = Eigen::ArrayXf::Random(4);
  return repeat([] {
    Eigen::ArrayXf out = a + b;
    contest_keep(out.data());
  });
}

Runner new_free() {
  return repeat([] {
    Eigen::ArrayXf out(4);
    contest_keep(out.data());
  });
}

Runner view() {
  float *x = floats(4);
  return repeat([=] {
    Matrix seen(x, 2, 2);
    contest_keep(&seen);
  });
}

// (m, k) x (k, n), one or many of them.
Runner product(int64_t m, int64_t k, int64_t n, int64_t batch = 1) {
  float *x = floats(batch * m * k), *y = floats(batch * k * n, 7), *to = result(batch * m * n);
  return repeat([=] {
    for (int64_t i = 0; i < batch; i++)
      Matrix(to + i * m * n, m, n).matrix().noalias() =
          Matrix(x + i * m * k, m, k).matrix() * Matrix(y + i * k * n, k, n).matrix();
  });
}

// Expressions, compiled: arrays on one thread, tensors on all; whichever is quicker.
template <class F>
Runner fused(int64_t rows, int64_t columns, F f) {
  const int64_t n = rows * columns;
  float *a = floats(n), *b = floats(n, 7), *c = floats(n, 3), *out = result(n);
  return quickest({
      repeat([=] { Array(out, n) = f(Array(a, n), Array(b, n), Array(c, n)); }),
      tensors(Tensor<float, 1>(out, n), [=](auto &x, auto &y, auto &z) { return f(x, y, z); }, Tensor<float, 1>(a, n),
              Tensor<float, 1>(b, n), Tensor<float, 1>(c, n)),
  });
}

Runner fused_sum(int64_t rows, int64_t columns, int axis) {
  const int64_t n = rows * columns;
  float *a = floats(n), *b = floats(n, 7), *out = result(axis < 0 ? 1 : axis == 0 ? columns : rows);
  const Matrix x(a, rows, columns), y(b, rows, columns);
  if (axis < 0) return repeat([=] { *out = (Array(a, n) - Array(b, n)).square().sum(); });
  if (axis == 0) return repeat([=] { Array(out, columns).transpose() = (x - y).square().colwise().sum(); });
  return repeat([=] { Array(out, rows) = (x - y).square().rowwise().sum(); });
}

Runner fused_clip(int64_t rows, int64_t columns) {
  float *a = floats(rows * columns), *m = floats(rows, 5), *s = floats(rows, 11), *out = result(rows * columns);
  for (int64_t i = 0; i < rows; i++) s[i] += 4;
  return repeat([=] {
    Matrix(out, rows, columns) =
        ((Matrix(a, rows, columns).colwise() - Array(m, rows)).colwise() / Array(s, rows)).max(-3.0f).min(3.0f);
  });
}

Runner fused_where(int64_t rows, int64_t columns) {
  const int64_t n = rows * columns;
  float *a = floats(n), *out = result(n);
  return quickest({
      repeat([=] { Array(out, n) = (Array(a, n) > 0.0f).select(Array(a, n), Array(a, n) * 0.1f); }),
      tensors(Tensor<float, 1>(out, n), [](auto &x) { return (x > x.constant(0.0f)).select(x, x * 0.1f); },
              Tensor<float, 1>(a, n)),
  });
}

Runner fused_trig(int64_t n) {
  float *a = floats(n), *out = result(n);
  return repeat([=] { Array(out, n) = Array(a, n).sin().square() + Array(a, n).cos().square(); });
}

// The rows of one size, under its name.
void add_fused(Rows *rows_of, const std::string &size, int64_t rows, int64_t columns) {
  const auto named = [&](const char *name) { return "fuse_" + std::string(name) + "_" + size; };
  Rows &to = *rows_of;
  to[named("lin")] = [=] { return fused(rows, columns, [](const auto &x, const auto &y, const auto &) { return x * 2.0f + y * 3.0f; }); };
  to[named("muladd")] = [=] { return fused(rows, columns, [](const auto &x, const auto &y, const auto &z) { return x * y + z; }); };
  to[named("trig")] = [=] { return fused_trig(rows * columns); };
  to[named("ssd")] = [=] { return fused_sum(rows, columns, -1); };
  to[named("ssd_ax0")] = [=] { return fused_sum(rows, columns, 0); };
  to[named("ssd_ax1")] = [=] { return fused_sum(rows, columns, 1); };
  to[named("where")] = [=] { return fused_where(rows, columns); };
  to[named("clip")] = [=] { return fused_clip(rows, columns); };
}

const Rows plain_rows = {
    {"sgemm_64", [] { return product(64, 64, 64); }},
    {"sgemm_256", [] { return product(256, 256, 256); }},
    {"sgemm_1024", [] { return product(1024, 1024, 1024); }},
    {"sgemm_2048", [] { return product(2048, 2048, 2048); }},
    {"gemm_32x4096", [] { return product(32, 4096, 4096); }},
    {"bmm_64", [] { return product(128, 64, 128, 64); }},
    {"add_1k", [] { return add(1000); }},
    {"add_100k", [] { return add(100000); }},
    {"add_16M", [] { return add(16 * M); }},
    {"bcast_row", bcast_row},
    {"bcast_col", bcast_col},
    {"bcast_3d", bcast_3d},
    {"addT_2048", addT},
    {"exp_1M", exp_1M},
    {"tanh_1M", [] { return unary([](auto &x) { return x.tanh(); }); }},
    {"gelu_erf_1M", [] { return unary([](auto &x) { return x * 0.5f * ((x * 0.70710678f).erf() + 1.0f); }); }},
    {"gelu_tanh_1M",
     [] {
       return unary([](auto &x) { return x * 0.5f * ((x * (x * x * 0.044715f + 1.0f) * 0.79788456f).tanh() + 1.0f); });
     }},
    {"sigmoid_1M", [] { return unary([](auto &x) { return x.sigmoid(); }); }},
    {"relu_1M", relu_1M},
    {"sum_16M", sum_16M},
    {"sum_ax0", [] { return sum(0); }},
    {"sum_ax1", [] { return sum(1); }},
    {"max_ax0", [] { return max(0); }},
    {"max_ax1", [] { return max(1); }},
    {"argmax_ax0", [] { return argmax(0); }},
    {"argmax_ax1", [] { return argmax(1); }},
    {"transpose_4096", transpose},
    {"perm_nchw2nhwc", [] { return permute({8, 64, 56, 56}, {0, 2, 3, 1}); }},
    {"perm_nhwc2nchw", [] { return permute({8, 56, 56, 64}, {0, 3, 1, 2}); }},
    {"cast_f16", [] { return cast<Eigen::half>(floats(16 * M), CONTEST_F16); }},
    {"cast_bf16", [] { return cast<Eigen::bfloat16>(floats(16 * M), CONTEST_BF16); }},
    {"cast_u8", [] { return cast<uint8_t>(contest_positive(16 * M), CONTEST_U8); }},
    {"cast_f16_to_f32",
     [] {
       return cast<float>(reinterpret_cast<Eigen::half *>(contest_halves(16 * M, CONTEST_F16)), CONTEST_F32);
     }},
    {"cast_bf16_to_f32",
     [] {
       return cast<float>(reinterpret_cast<Eigen::bfloat16 *>(contest_halves(16 * M, CONTEST_BF16)), CONTEST_F32);
     }},
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
  const std::string version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                              std::to_string(EIGEN_MINOR_VERSION);
  Rows rows = plain_rows;
  add_fused(&rows, "1k", 20, 50);
  add_fused(&rows, "100k", 200, 500);
  add_fused(&rows, "16M", 4096, 4096);
  return peer::serve(version, rows);
}
