/** @file arrays.hpp
 *  Tensors of listed numbers and of arrays, and functions of the program over elements. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_ARRAYS_HPP
#define TESSERA_CPP_ARRAYS_HPP

#include <tessera/cpp/call.hpp>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** A tensor of count numbers at data, listed in order (TSR_ROW_MAJOR: the last index fastest), wherever its memory has them:
 *  from_array(p, 6, {2, 3}), from_array(p, 6, {2, 3}, TSR_COL_MAJOR), from_array(p, 6, {2, 3}, TSR_ROW_MAJOR, out(y)). */
template <class T, class... O>
auto from_array(const T *data, std::size_t count, const ints &shape, tsr_order order, const O &...o) {
  static_assert(detail::is_element<T>, "the type of no dtype");
  return detail::call(
      [&](tsr_ctx *ctx, tsr_tensor *y) {
        return tsr_from_array(ctx, data, static_cast<tsr_index>(count), dtype_of<T>, shape.count(), shape.data(), order,
                              y);
      },
      o...);
}
template <class T>
auto from_array(const T *data, std::size_t count, const ints &shape) {
  return from_array(data, count, shape, TSR_ROW_MAJOR);
}

/** A tensor of numbers that are written down: values<float>({1, 2, 3}), values<float>({1, 2, 3, 4}, {2, 2}). */
template <class T>
returns<tensor> values(std::initializer_list<T> list, const ints &shape) {
  return from_array(list.begin(), list.size(), shape);
}
template <class T>
returns<tensor> values(std::initializer_list<T> list) {
  return from_array(list.begin(), list.size(), {list.size()});
}
/** A matrix row by row: rows<float>({{1, 2}, {3, 4}}). Rows of different lengths are refused. */
template <class T>
returns<tensor> rows(std::initializer_list<std::initializer_list<T>> list) {
  const std::size_t columns = list.size() > 0 ? list.begin()->size() : 0;
  std::vector<T> all;
  all.reserve(list.size() * columns);
  bool even = true;
  for (const auto &row : list) {
    even = even && row.size() == columns;
    all.insert(all.end(), row.begin(), row.end());
  }
  /* One number too many is what the call refuses: it names the count and the shape. */
  return from_array(all.data(), list.size() * columns + (even ? 0 : 1), {list.size(), columns});
}

/** Writes the elements into an array of as many numbers of their own type, listed in order. */
template <class T>
returns<void> to_array(input in, T *data, std::size_t count, tsr_order order = TSR_ROW_MAJOR) {
  static_assert(detail::is_element<T> && !std::is_const_v<T>, "the type of no dtype");
  tsr_status st = TSR_EDTYPE;
  const char *text = "";
  if (in.c()->dtype == dtype_of<T>) {
    st = tsr_to_array(detail::current, in.c(), order, static_cast<tsr_index>(count), data);
    text = tsr_error(detail::current);
  } else {
    text = detail::say("to_array", *in.c(), ", whose elements are of another type");
  }
  TSR__CPP_RETURN_NOTHING(st, text);
}

/** f of every element, in row-major order: map<float>(x, [](float v) { return 2 * v; }). The elements of x are of type T, those of
 *  the result of the type that f gives. What f throws passes through, and nothing is left behind. */
template <class T, class F>
auto map(input in, F &&f) -> returns<tensor> {
  using R = detail::bare<decltype(f(std::declval<const T &>()))>;
  static_assert(detail::is_element<R>, "f gives the type of no dtype");
  tsr_ctx *const ctx = detail::current;
  tensor y;
  const char *text = "";
  tsr_status st = detail::check_elements<const T, -1>(*in.c(), false, &text);
  if (st == TSR_OK) {
    st = detail::own(tsr_empty(ctx, dtype_of<R>, in.c()->ndim, in.c()->shape, y.c_out()), y.c_out());
    text = tsr_error(ctx);
  }
  if (st == TSR_OK) {
    const elements<const T> all(*in.c());
    R *to = static_cast<R *>(y.c_out()->data);
    for (const T &v : all) *to++ = f(v);
  }
  TSR__CPP_RETURN(st, text, y);
}

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
