// Armadillo as a contestant. It is column-major: a row-major [rows, cols] is its cols x rows over the same memory.
#include <armadillo>

#include "peer.hpp"

namespace {

using namespace peer;
using arma::fmat;
using arma::uword;

// The caller's memory as a matrix, row-major [rows, cols].
fmat *mat(float *p, int64_t rows, int64_t cols) {
  return new fmat(p, static_cast<uword>(cols), static_cast<uword>(rows), false, true);  // lives as long as the program
}

template <class F>
Runner unary(F f) {
  fmat *x = mat(floats(M), 1024, 1024), *out = mat(result(M), 1024, 1024);
  return repeat([=] { f(*x, *out); });
}

Runner add(int64_t n) {
  fmat *a = mat(floats(n), 1, n), *b = mat(floats(n, 7), 1, n), *out = mat(result(n), 1, n);
  return repeat([=] { *out = *a + *b; });
}

Runner bcast(bool row) {
  fmat *a = mat(floats(M), 1024, 1024), *b = row ? mat(floats(1024, 7), 1, 1024) : mat(floats(1024, 7), 1024, 1);
  fmat *out = mat(result(M), 1024, 1024);
  if (row) return repeat([=] { *out = a->each_col() + *b; });
  return repeat([=] { *out = a->each_row() + *b; });
}

Runner addT() {
  fmat *a = mat(floats(4 * M), 2048, 2048), *b = mat(floats(4 * M, 7), 2048, 2048);
  fmat *out = mat(result(4 * M), 2048, 2048);
  return repeat([=] { *out = *a + b->t(); });
}

Runner sum_16M() {
  fmat *x = mat(floats(16 * M), 1, 16 * M);
  float *out = result(1);
  return repeat([=] { *out = arma::accu(*x); });
}

// Along the row-major axis, f(matrix, the same axis of Armadillo) gives the numbers.
template <class F>
Runner reduce(int axis, F f) {
  fmat *x = mat(floats(16 * M), 4096, 4096);
  fmat *out = axis == 0 ? mat(result(4096), 1, 4096) : mat(result(4096), 4096, 1);
  return repeat([=] { *out = f(*x, axis == 0 ? 1 : 0); });
}

Runner argmax(int axis) {
  static_assert(sizeof(uword) == sizeof(int64_t), "64-bit indices");
  fmat *x = mat(floats(16 * M), 4096, 4096);
  const uword rows = axis == 0 ? 4096 : 1, cols = axis == 0 ? 1 : 4096;
  auto *out = new arma::umat(result_as<uword>(4096, CONTEST_I64), rows, cols, false, true);
  return repeat([=] { *out = arma::index_max(*x, axis == 0 ? 1u : 0u); });
}

Runner argmax_16M() {
  fmat *x = mat(floats(16 * M), 1, 16 * M);
  uword *out = result_as<uword>(1, CONTEST_I64);
  return repeat([=] { *out = x->index_max(); });
}

Runner transpose() {
  fmat *x = mat(floats(16 * M), 4096, 4096), *out = mat(result(16 * M), 4096, 4096);
  return repeat([=] { *out = x->t(); });
}

Runner slice_block() {
  fmat *x = mat(floats(16 * M), 4096, 4096), *out = mat(result(2000 * 2000), 2000, 2000);
  return repeat([=] { *out = x->submat(1000, 1000, 2999, 2999); });
}

Runner concat(int axis) {
  fmat *a = mat(floats(4 * M), 2048, 2048), *b = mat(floats(4 * M, 7), 2048, 2048);
  fmat *out = axis == 0 ? mat(result(8 * M), 4096, 2048) : mat(result(8 * M), 2048, 4096);
  if (axis == 0) return repeat([=] { *out = arma::join_rows(*a, *b); });
  return repeat([=] { *out = arma::join_cols(*a, *b); });
}

Runner add4_given() {
  static arma::fvec a(4, arma::fill::randu), b(4, arma::fill::randu), out(4);
  return repeat([] { out = a + b; });
}

Runner add4_fresh() {
  static arma::fvec a(4, arma::fill::randu), b(4, arma::fill::randu);
  return repeat([] {
    arma::fvec out = a + b;
    contest_keep(out.memptr());
  });
}

Runner new_free() {
  return repeat([] {
    arma::fvec out(4, arma::fill::none);
    contest_keep(out.memptr());
  });
}

const Rows rows = {
    {"add_1k", [] { return add(1000); }},
    {"add_100k", [] { return add(100000); }},
    {"add_16M", [] { return add(16 * M); }},
    {"bcast_row", [] { return bcast(true); }},
    {"bcast_col", [] { return bcast(false); }},
    {"addT_2048", addT},
    {"exp_1M", [] { return unary([](const fmat &x, fmat &out) { out = arma::exp(x); }); }},
    {"tanh_1M", [] { return unary([](const fmat &x, fmat &out) { out = arma::tanh(x); }); }},
    {"sigmoid_1M", [] { return unary([](const fmat &x, fmat &out) { out = 1.0f / (1.0f + arma::exp(-x)); }); }},
    {"relu_1M",
     [] { return unary([](const fmat &x, fmat &out) { out = arma::clamp(x, 0.0f, arma::Datum<float>::inf); }); }},
    {"sum_16M", sum_16M},
    {"sum_ax0", [] { return reduce(0, [](const fmat &x, int d) { return arma::sum(x, static_cast<uword>(d)); }); }},
    {"sum_ax1", [] { return reduce(1, [](const fmat &x, int d) { return arma::sum(x, static_cast<uword>(d)); }); }},
    {"max_ax0", [] { return reduce(0, [](const fmat &x, int d) { return arma::max(x, static_cast<uword>(d)); }); }},
    {"max_ax1", [] { return reduce(1, [](const fmat &x, int d) { return arma::max(x, static_cast<uword>(d)); }); }},
    {"argmax_ax0", [] { return argmax(0); }},
    {"argmax_ax1", [] { return argmax(1); }},
    {"argmax_16M", argmax_16M},
    {"transpose_4096", transpose},
    {"slice_block", slice_block},
    {"concat_ax0", [] { return concat(0); }},
    {"concat_ax1", [] { return concat(1); }},
    {"add4_given", add4_given},
    {"add4_fresh", add4_fresh},
    {"new_free_4", new_free},
};

}  // namespace

int main() {
  const arma::arma_version v;
  return peer::serve(std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch), rows);
}
