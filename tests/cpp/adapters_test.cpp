/* std::vector, Eigen and images beside the header: the same memory both ways. */
#include "cpp/cpp_test.hpp"

#include <tessera/cpp/image.hpp>
#include <tessera/cpp/vector.hpp>

#if __has_include(<Eigen/Core>)
#include <tessera/cpp/eigen.hpp>
#define HAS_EIGEN 1
#endif

#include <cstdint>
#include <vector>

namespace {

TEST(vectors_are_borrowed) {
  std::vector<float> v = {1, 2, 3, 4, 5, 6};
  tsr::view m = tsr::borrow(v, {2, 3});
  m(1) = 0;
  CHECK(v[3] == 0 && v[5] == 0 && v[2] == 3 && m.count() == 0);
  const std::vector<double> c = {1, 2};
  CHECK(tsr::borrow(c).read_only() && tsr::sum(tsr::borrow(c)).item<double>() == 3);
  THROWS(TSR_ESHAPE, "6 elements", tsr::borrow(v, {4}));
}

TEST(vectors_are_adopted_and_copied_back) {
  counted memory;
  {
    tsr::with use(memory.c());
    std::vector<std::int32_t> v = {1, 2, 3, 4};
    const std::int32_t *where = v.data();
    tsr::tensor x = tsr::adopt(std::move(v), {2, 2});
    CHECK(x.c()->data == where && x.count() == 1 && x.get(1, 0) == 3);
    tsr::tensor other = x.share();
    x = tsr::tensor();
    CHECK(other.get(1, 1) == 4); /* the last owner keeps the vector */
    std::vector<std::int32_t> back = tsr::to_vector<std::int32_t>(other({}, 1));
    CHECK(back.size() == 2 && back[0] == 2 && back[1] == 4);
    THROWS(TSR_EDTYPE, "another type", tsr::to_vector<float>(other));
    std::vector<float> w = {1, 2, 3};
    THROWS(TSR_ESHAPE, "3 elements", tsr::adopt(std::move(w), {2, 2}));
    CHECK(w.size() == 3); /* NOLINT: as it was */
    CHECK(tsr::adopt(std::vector<float>(), {0, 3}).shape(1) == 3);
  }
  tsr_failing failing;
  TSR_IGNORE(tsr_failing_init(nullptr, 0, true, &failing));
  tsr_ctx ctx;
  TSR_IGNORE(tsr_context_init(&ctx, &failing.allocator));
  std::vector<float> w = {1, 2, 3};
  tsr::with use(&ctx);
  THROWS(TSR_ENOMEM, "", tsr::adopt(std::move(w)));
  CHECK(w.size() == 3 && failing.live == 0); /* NOLINT */
}

/* What a cv::Mat has, as far as the adapter asks. */
struct mat {
  int rows, cols;
  unsigned char *data;
  std::size_t step;
  int kind, channels_;
  int depth() const { return kind; }
  int channels() const { return channels_; }
};

TEST(images_keep_the_distance_of_their_rows) {
  std::vector<unsigned char> bytes(4 * 32);
  for (std::size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<unsigned char>(i);
  mat m = {4, 5, bytes.data(), 32, 0, 3};
  tsr::view x = tsr::borrow_image(m);
  CHECK(x.rank() == 3 && x.shape(0) == 4 && x.shape(1) == 5 && x.shape(2) == 3 && x.strides()[0] == 32);
  CHECK(x.get(2, 1, 2) == 64 + 5);
  x(3) = 7;
  CHECK(bytes[96] == 7 && bytes[96 + 15] == 96 + 15); /* padding stays */
  tsr::tensor planes = tsr::cast<float>(tsr::permute(x, {2, 0, 1}));
  CHECK(planes.shape(0) == 3 && planes.get(2, 2, 1) == 69);
  const mat part = {2, 2, bytes.data() + 32 + 3, 32, 0, 3};
  CHECK(tsr::borrow_image(part).read_only() && tsr::borrow_image(part).get(1, 0, 0) == 67);
  std::vector<float> floats(6 * 4);
  mat f = {6, 3, reinterpret_cast<unsigned char *>(floats.data()), 16, 5, 1};
  CHECK(tsr::borrow_image(f).dtype() == TSR_F32 && tsr::borrow_image(f).strides()[0] == 4);
  f.step = 15;
  THROWS(TSR_ESTRIDE, "whole element", tsr::borrow_image(f));
  f.step = 8;
  THROWS(TSR_ESTRIDE, "overlap", tsr::borrow_image(f));
  f.kind = 9;
  THROWS(TSR_EDTYPE, "depth", tsr::borrow_image(f));
  f.kind = 5;
  f.rows = -1;
  THROWS(TSR_EDTYPE, "two dimensions", tsr::borrow_image(f));
  std::uint16_t raw[2 * 8] = {};
  CHECK(tsr::borrow_image(raw, 2, 3, 1, 16).strides()[0] == 8);
}

#ifdef HAS_EIGEN
TEST(eigen_looks_at_tensors) {
  tsr::tensor x = tsr::reshape(tsr::arange<float>(12), {3, 4});
  auto m = tsr::as_eigen<float>(x);
  CHECK(m.rows() == 3 && m.cols() == 4 && m(2, 1) == 9);
  m(2, 1) = -1;
  CHECK(x.get(2, 1) == -1);
  tsr::view t = tsr::transpose(x);
  CHECK(tsr::as_eigen<float>(t)(1, 2) == -1);
  CHECK(tsr::as_eigen<float>(x({}, {0, {}, 2}))(0, 1) == 2); /* every second column */
  const tsr::tensor &constant = x;
  CHECK(tsr::as_eigen<float>(constant).sum() == 66 - 10);
  tsr::tensor v = tsr::arange<double>(5);
  CHECK(tsr::as_eigen<double>(v).cols() == 1 && tsr::as_eigen<double>(v).squaredNorm() == 30);
  tsr::tensor product = tsr::matmul(x, t);
  Eigen::MatrixXf want = m * m.transpose();
  CHECK((tsr::as_eigen<float>(product) - want).norm() <= 1e-4f * want.norm());
  THROWS(TSR_EDTYPE, "another type", tsr::as_eigen<double>(x));
  THROWS(TSR_ESHAPE, "neither a vector nor a matrix", tsr::as_eigen<float>(x(tsr::newaxis)));
  THROWS(TSR_ESTRIDE, "backwards", tsr::as_eigen<float>(x({{}, {}, -1})));
  tsr::tensor none = tsr::zeros({0, 4});
  CHECK(tsr::as_eigen<float>(none).size() == 0);
}

TEST(tensors_look_at_eigen) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Random(4, 3);
  tsr::view x = tsr::borrow(m);
  CHECK(x.shape(0) == 4 && x.strides()[1] == 4 && x.get(2, 1) == m(2, 1));
  x(2) = 5;
  CHECK(m(2, 0) == 5 && m(2, 2) == 5);
  const Eigen::Matrix<float, 2, 3, Eigen::RowMajor> fixed = Eigen::Matrix<float, 2, 3, Eigen::RowMajor>::Constant(2);
  CHECK(tsr::borrow(fixed).read_only() && tsr::borrow(fixed).strides()[0] == 3 &&
        tsr::sum(tsr::borrow(fixed)).item<float>() == 12);
  auto block = m.block(1, 1, 2, 2);
  CHECK(tsr::borrow(block).strides()[1] == 4 && tsr::borrow(block).get(1, 1) == m(2, 2));
  Eigen::VectorXf v = Eigen::VectorXf::LinSpaced(5, 0, 4);
  CHECK(tsr::borrow(v).shape(0) == 5 && tsr::borrow(v).shape(1) == 1 && tsr::max(tsr::borrow(v)).item<float>() == 4);
  Eigen::RowVectorXi r = Eigen::RowVectorXi::Constant(4, 3);
  CHECK(tsr::borrow(r).shape(1) == 4 && tsr::borrow(r).get(0, 3) == 3);
}
#endif

}  // namespace

#ifdef HAS_EIGEN
TEST_MAIN(RUN(vectors_are_borrowed), RUN(vectors_are_adopted_and_copied_back),
          RUN(images_keep_the_distance_of_their_rows), RUN(eigen_looks_at_tensors), RUN(tensors_look_at_eigen))
#else
TEST(eigen_looks_at_tensors) { SKIP("Eigen's headers are not installed"); }
TEST_MAIN(RUN(vectors_are_borrowed), RUN(vectors_are_adopted_and_copied_back),
          RUN(images_keep_the_distance_of_their_rows), RUN(eigen_looks_at_tensors))
#endif
