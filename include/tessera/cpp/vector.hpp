/** @file vector.hpp
 *  std::vector and Tessera: what a vector has as a tensor, and back. Not a part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_VECTOR_HPP
#define TESSERA_CPP_VECTOR_HPP

#include <tessera/tessera.hpp>

#include <memory>
#include <new>
#include <vector>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** The numbers of a vector as a tensor of one axis, or of a shape with as many; nothing is copied. The vector must outlive it and keep its
 *  size. */
template <class T, class A>
returns<view> borrow(std::vector<T, A> &v TSR__CPP_BORROWS, const ints &shape) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has bits, not elements");
  const tsr_index n = static_cast<tsr_index>(v.size());
  tsr_tensor t = TSR_EMPTY;
  tsr_status st = tsr_from_memory(detail::current, v.data(), dtype_of<T>, 1, &n, &t);
  if (st == TSR_OK) st = tsr_reshape_view(detail::current, &t, shape.count(), shape.data(), &t);
  view all(t);
  TSR__CPP_RETURN(st, tsr_error(detail::current), all);
}
template <class T, class A>
returns<view> borrow(std::vector<T, A> &v TSR__CPP_BORROWS) {
  return borrow(v, {v.size()});
}
/** The same of a const vector: read-only. */
template <class T, class A>
returns<view> borrow(const std::vector<T, A> &v TSR__CPP_BORROWS, const ints &shape) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has bits, not elements");
  const tsr_index n = static_cast<tsr_index>(v.size());
  tsr_tensor t = TSR_EMPTY;
  tsr_status st = tsr_from_const_memory(detail::current, v.data(), dtype_of<T>, 1, &n, &t);
  if (st == TSR_OK) st = tsr_reshape_view(detail::current, &t, shape.count(), shape.data(), &t);
  view all(t);
  TSR__CPP_RETURN(st, tsr_error(detail::current), all);
}
template <class T, class A>
returns<view> borrow(const std::vector<T, A> &v TSR__CPP_BORROWS) {
  return borrow(v, {v.size()});
}
template <class T, class A>
void borrow(std::vector<T, A> &&) = delete; /* gone in the next line: adopt it */
template <class T, class A>
void borrow(std::vector<T, A> &&, const ints &) = delete;

/** A tensor that takes a vector over, memory and all; the vector goes when the last owner does. After a failure it is as it was. */
template <class T, class A>
returns<tensor> adopt(std::vector<T, A> &&v, const ints &shape) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has bits, not elements");
  using owned = std::vector<T, A>;
  tsr_ctx *const ctx = detail::current;
  tensor y;
  const char *text = "adopt: no memory for the vector's owner";
  tsr_tensor t = TSR_EMPTY;
  const tsr_index n = static_cast<tsr_index>(v.size());
  tsr_status st = tsr_from_memory(ctx, v.data(), dtype_of<T>, 1, &n, &t);
  if (st == TSR_OK) st = tsr_reshape_view(ctx, &t, shape.count(), shape.data(), &t);
  if (st != TSR_OK) {
    text = tsr_error(ctx);
  } else if (n == 0) {
    st = detail::own(tsr_empty(ctx, dtype_of<T>, shape.count(), shape.data(), y.c_out()), y.c_out());
    text = tsr_error(ctx);
  } else {
    std::unique_ptr<owned> keeper(new (std::nothrow) owned());
    st = keeper != nullptr ? static_cast<tsr_status>(TSR_OK) : static_cast<tsr_status>(TSR_ENOMEM);
    tsr_storage *storage = nullptr;
    if (st == TSR_OK) {
      st = tsr_storage_wrap(
          ctx, nullptr, v.data(), v.size() * sizeof(T),
          [](void *user, void *, std::size_t) { delete static_cast<owned *>(user); }, keeper.get(), &storage);
      text = tsr_error(ctx);
    }
    if (st == TSR_OK) {
      *keeper = std::move(v); /* its memory stays where it is */
      keeper.release();
      t.storage = storage;
      t.flags = static_cast<std::uint8_t>(t.flags | TSR_OWNS);
      y = tensor::take(&t);
    }
  }
  TSR__CPP_RETURN(st, text, y);
}
template <class T, class A>
returns<tensor> adopt(std::vector<T, A> &&v) {
  const std::size_t n = v.size();
  return adopt(std::move(v), {n});
}

/** The elements of a tensor of T, in row-major order, as a vector of their own. */
template <class T>
returns<std::vector<T>> to_vector(input in) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has bits, not elements: to_array writes to bools");
  tsr_status st = TSR_EDTYPE;
  const char *text = "";
  std::vector<T> all;
  if (in.c()->dtype == dtype_of<T>) {
    all.resize(static_cast<std::size_t>(tsr_size(in.c())));
    st = tsr_to_array(detail::current, in.c(), TSR_ROW_MAJOR, tsr_size(in.c()), all.data());
    text = tsr_error(detail::current);
  } else {
    text = detail::say("to_vector", *in.c(), ", whose elements are of another type");
  }
  TSR__CPP_RETURN(st, text, all);
}

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
