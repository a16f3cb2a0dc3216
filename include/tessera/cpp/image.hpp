/** @file image.hpp
 *  Images whose rows lie some bytes apart, as cameras, decoders and OpenCV have them, as tensors [rows, columns, channels]. Nothing is
 *  copied, and no header of OpenCV is needed. Not a part of <tessera/tessera.hpp>.
 *
 *      cv::Mat frame = ...;                                              // or part of one: rows stay row_bytes apart
 *      tsr::tensor x = tsr::cast(tsr::borrow_image(frame), TSR_F32);     // [rows, columns, 3] */
#ifndef TESSERA_CPP_IMAGE_HPP
#define TESSERA_CPP_IMAGE_HPP

#include <tessera/tessera.hpp>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** @cond internal */
namespace detail {

inline tsr_status image(tsr_ctx *ctx, const void *data, bool writable, int dtype, tsr_index rows, tsr_index cols,
                        tsr_index channels, std::size_t row_bytes, tsr_tensor *t, const char **text) noexcept {
  const std::size_t size = tsr_dtype_size(dtype);
  const tsr_index shape[3] = {rows, cols, channels};
  *t = TSR_EMPTY;
  tsr_status st = writable ? tsr_from_memory(ctx, const_cast<void *>(data), dtype, 3, shape, t)
                           : tsr_from_const_memory(ctx, data, dtype, 3, shape, t);
  *text = tsr_error(ctx);
  if (st != TSR_OK) return st;
  if (row_bytes % size != 0) {
    *text = say("borrow_image", *t, ", whose rows do not begin at a whole element");
    return TSR_ESTRIDE;
  }
  if (row_bytes / size < static_cast<std::size_t>(cols) * static_cast<std::size_t>(channels) && rows > 1) {
    *text = say("borrow_image", *t, ", whose rows overlap: row_bytes is less than a row");
    return TSR_ESTRIDE;
  }
  t->stride[0] = static_cast<tsr_index>(row_bytes / size);
  return TSR_OK;
}

}  // namespace detail
/** @endcond */

/** Rows of pixels at data, row_bytes from one to the next: a view [rows, cols, channels]; read-only where T is const. */
template <class T>
returns<view> borrow_image(T *data, tsr_index rows, tsr_index cols, tsr_index channels, std::size_t row_bytes) {
  static_assert(detail::is_element<std::remove_cv_t<T>>, "the type of no dtype");
  tsr_tensor t = TSR_EMPTY;
  const char *text = "";
  const tsr_status st = detail::image(detail::current, data, !std::is_const_v<T>, dtype_of<T>, rows, cols, channels,
                                      row_bytes, &t, &text);
  view v(t);
  TSR__CPP_RETURN(st, text, v);
}

/** The same of a cv::Mat of two dimensions, or of whatever has data, rows, cols, step, depth() and channels() as it does. It must outlive
 *  the view. A const one gives a read-only view. */
template <class Mat, class = decltype(std::declval<const Mat &>().depth())>
returns<view> borrow_image(Mat &m TSR__CPP_BORROWS) {
  /* CV_8U, CV_8S, CV_16U, CV_16S, CV_32S, CV_32F, CV_64F, CV_16F: numbers that OpenCV has kept since its first version. */
  constexpr int dtypes[] = {TSR_U8, TSR_I8, TSR_U16, TSR_I16, TSR_I32, TSR_F32, TSR_F64, TSR_F16};
  const int depth = m.depth();
  tsr_tensor t = TSR_EMPTY;
  const char *text = "borrow_image: pixels of a depth that no dtype has";
  tsr_status st = TSR_EDTYPE;
  if (depth >= 0 && depth < static_cast<int>(sizeof dtypes / sizeof *dtypes) && m.rows >= 0)
    st = detail::image(detail::current, m.data, !std::is_const_v<Mat>, dtypes[depth], m.rows, m.cols, m.channels(),
                       static_cast<std::size_t>(m.step), &t, &text);
  else if (m.rows < 0)
    text = "borrow_image: a matrix of more than two dimensions";
  view v(t);
  TSR__CPP_RETURN(st, text, v);
}

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
