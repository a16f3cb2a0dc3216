/** @file eigen.hpp
 *  Eigen and Tessera look at one another's memory; nothing is copied. Not a part of <tessera/tessera.hpp>.
 *
 *      Eigen::MatrixXf m = Eigen::MatrixXf::Random(3, 4);
 *      tsr::tensor y = tsr::softmax(tsr::borrow(m));              // columns are strides, as in any tensor
 *      tsr::as_eigen<float>(y).colwise().normalize();             // writes to y */
#ifndef TESSERA_CPP_EIGEN_HPP
#define TESSERA_CPP_EIGEN_HPP

#include <tessera/tessera.hpp>

#include <Eigen/Core>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** A tensor of one or two axes as Eigen sees it: a vector is a column. */
template <class T>
using eigen_map = Eigen::Map<
    std::conditional_t<std::is_const_v<T>, const Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic>,
                       Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic>>,
    Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

/** @cond internal */
namespace detail {

template <class T>
returns<eigen_map<T>> eigen_of(const tsr_tensor &t) {
  const char *text = "";
  tsr_status st = check_elements<T, -1>(t, false, &text);
  const bool is_matrix = t.ndim == 1 || t.ndim == 2;
  if (st == TSR_OK && !is_matrix) {
    st = TSR_ESHAPE;
    text = say("as_eigen", t, ", neither a vector nor a matrix");
  }
  Eigen::Index rows = 0, cols = 0, down = 1, along = 1;
  if (st == TSR_OK) {
    rows = static_cast<Eigen::Index>(t.shape[0]);
    cols = t.ndim == 2 ? static_cast<Eigen::Index>(t.shape[1]) : 1;
    down = static_cast<Eigen::Index>(t.stride[0]);
    along = t.ndim == 2 ? static_cast<Eigen::Index>(t.stride[1]) : rows;
    if (down < 0 || along < 0) {
      st = TSR_ESTRIDE;
      text = say("as_eigen", t, ", whose strides go backwards");
      rows = cols = 0;
    }
  }
  T *data = rows * cols > 0 ? static_cast<T *>(t.data) : nullptr;
  eigen_map<T> m(data, rows, cols, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(along, down));
  TSR__CPP_RETURN(st, text, m);
}

}  // namespace detail
/** @endcond */

/** The elements of a tensor or view, which are of type T, as a matrix of Eigen. A const tensor, or a read-only one: as_eigen<const float>. */
template <class T>
returns<eigen_map<T>> as_eigen(tensor &x TSR__CPP_BORROWS) {
  return detail::eigen_of<T>(*x.c());
}
template <class T>
returns<eigen_map<const T>> as_eigen(const tensor &x TSR__CPP_BORROWS) {
  return detail::eigen_of<const T>(*x.c());
}
template <class T>
returns<eigen_map<T>> as_eigen(const view &x) {
  return detail::eigen_of<T>(*x.c());
}
template <class T>
void as_eigen(tensor &&) = delete; /* gone in the next line */

/** A matrix, block or map of Eigen as a view [rows, columns]. It must outlive the view and keep its size. */
template <class D>
returns<view> borrow(Eigen::DenseBase<D> &m TSR__CPP_BORROWS) {
  static_assert((int(Eigen::internal::traits<D>::Flags) & Eigen::DirectAccessBit) != 0,
                "an expression has no memory: eval() it");
  static_assert(dtype_of<typename D::Scalar> != TSR_NONE, "numbers of no dtype");
  D &d = m.derived();
  const bool by_rows = bool(D::IsRowMajor);
  const tsr_index shape[2] = {static_cast<tsr_index>(d.rows()), static_cast<tsr_index>(d.cols())};
  const tsr_index outer = static_cast<tsr_index>(d.outerStride()), inner = static_cast<tsr_index>(d.innerStride());
  tsr_tensor t = TSR_EMPTY;
  tsr_status st;
  using pointer = decltype(d.data());
  if constexpr (std::is_const_v<std::remove_pointer_t<pointer>>)
    st = tsr_from_const_memory(detail::current, d.data(), dtype_of<typename D::Scalar>, 2, shape, &t);
  else
    st = tsr_from_memory(detail::current, d.data(), dtype_of<typename D::Scalar>, 2, shape, &t);
  t.stride[0] = by_rows ? outer : inner;
  t.stride[1] = by_rows ? inner : outer;
  view v(t);
  TSR__CPP_RETURN(st, tsr_error(detail::current), v);
}
template <class D>
returns<view> borrow(const Eigen::DenseBase<D> &m TSR__CPP_BORROWS) {
  Eigen::Map<const Eigen::Matrix<typename D::Scalar, Eigen::Dynamic, Eigen::Dynamic,
                                 D::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor>,
             Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>
      all(m.derived().data(), m.rows(), m.cols(),
          Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(m.derived().outerStride(), m.derived().innerStride()));
  return borrow(all);
}

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
