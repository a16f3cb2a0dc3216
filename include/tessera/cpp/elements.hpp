/** @file elements.hpp
 *  Typed elements, at the cost of a bare array. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_ELEMENTS_HPP
#define TESSERA_CPP_ELEMENTS_HPP

#include <tessera/cpp/lists.hpp>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace tsr {
inline namespace TSR__CPP_MODE {

/** The elements of a tensor of any strides as numbers of type T; N is its rank, or -1 where that is known at run time alone.
 *  e(i, j) is one of them, not checked: one multiply-add an index. Walking goes in row-major order. */
template <class T, int N = -1>
class elements {
  static constexpr std::size_t most = N < 0 ? TSR_MAX_DIMS : N == 0 ? 1 : static_cast<std::size_t>(N);

 public:
  elements() = default;
  /** @cond internal */
  explicit elements(const tsr_tensor &t) noexcept : data_(static_cast<T *>(t.data)), rank_(t.ndim) {
    for (std::size_t i = 0; i < most; i++) {
      shape_[i] = t.shape[i];
      stride_[i] = t.stride[i];
    }
  }
  /** @endcond */

  template <class... I>
  T &operator()(I... i) const noexcept {
    static_assert(N < 0 || sizeof...(I) == static_cast<std::size_t>(N), "one index for each axis");
    static_assert(sizeof...(I) <= static_cast<std::size_t>(TSR_MAX_DIMS), "one index for each axis");
    static_assert((std::is_integral_v<I> && ...), "an index is a whole number");
    tsr_index at = 0;
    [[maybe_unused]] int axis = 0;
    ((at += static_cast<tsr_index>(i) * stride_[axis++]), ...);
    return data_[at];
  }
  int rank() const noexcept { return N < 0 ? rank_ : N; }
  tsr_index shape(int i) const noexcept { return shape_[i]; }
  tsr_index stride(int i) const noexcept { return stride_[i]; }
  tsr_index size() const noexcept {
    tsr_index n = data_ == nullptr ? 0 : 1;
    for (int i = 0; i < rank(); i++) n *= shape_[i];
    return n;
  }
  T *data() const noexcept { return data_; }

  /** Walks the elements in row-major order. It borrows what it walks. */
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    iterator() = default;
    T &operator*() const noexcept { return *at_; }
    T *operator->() const noexcept { return at_; }
    iterator &operator++() noexcept {
      --left_;
      for (int i = all_->rank() - 1; i >= 0; i--) {
        at_ += all_->stride_[i];
        if (++index_[i] < all_->shape_[i]) return *this;
        at_ -= all_->stride_[i] * all_->shape_[i];
        index_[i] = 0;
      }
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.left_ == b.left_; }
    friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.left_ != b.left_; }

   private:
    friend class elements;
    iterator(const elements *all, tsr_index left) noexcept : all_(all), at_(all->data_), left_(left) {}
    const elements *all_ = nullptr;
    T *at_ = nullptr;
    tsr_index left_ = 0;
    tsr_index index_[most] = {};
  };
  iterator begin() const &noexcept TSR__CPP_BORROWS { return iterator(this, size()); }
  iterator end() const &noexcept TSR__CPP_BORROWS { return iterator(this, 0); }

#ifdef __cpp_lib_mdspan
  /** As a std::mdspan of rank N. */
  auto mdspan() const noexcept {
    static_assert(N >= 0, "the rank must be known: as<float, 2>()");
    std::array<tsr_index, static_cast<std::size_t>(N)> lengths{}, strides{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(N); i++) {
      lengths[i] = shape_[i];
      strides[i] = stride_[i];
    }
    using extents = std::dextents<tsr_index, static_cast<std::size_t>(N)>;
    return std::mdspan<T, extents, std::layout_stride>(data_,
                                                       std::layout_stride::mapping<extents>(extents(lengths), strides));
  }
#endif

 private:
  T *data_ = nullptr;
  int rank_ = 0;
  tsr_index shape_[most] = {}, stride_[most] = {};
};

/** The same of a tensor of rank N that is contiguous in row-major order: d(i, j) is data[i * columns + j]. */
template <class T, int N>
class dense_elements {
  static_assert(N >= 0 && N <= TSR_MAX_DIMS, "the rank");
  static constexpr std::size_t most = N == 0 ? 1 : static_cast<std::size_t>(N);

 public:
  dense_elements() = default;
  /** @cond internal */
  explicit dense_elements(const tsr_tensor &t) noexcept : data_(static_cast<T *>(t.data)) {
    for (std::size_t i = 0; i < most; i++) shape_[i] = N == 0 ? 1 : t.shape[i];
  }
  /** @endcond */
  template <class... I>
  T &operator()(I... i) const noexcept {
    static_assert(sizeof...(I) == static_cast<std::size_t>(N), "one index for each axis");
    static_assert((std::is_integral_v<I> && ...), "an index is a whole number");
    tsr_index at = 0;
    [[maybe_unused]] int axis = 0;
    ((at = at * shape_[axis++] + static_cast<tsr_index>(i)), ...);
    return data_[at];
  }
  int rank() const noexcept { return N; }
  tsr_index shape(int i) const noexcept { return shape_[i]; }
  std::size_t size() const noexcept {
    tsr_index n = data_ == nullptr ? 0 : 1;
    for (int i = 0; i < N; i++) n *= shape_[i];
    return static_cast<std::size_t>(n);
  }
  T *data() const noexcept { return data_; }
  T *begin() const noexcept { return data_; }
  T *end() const noexcept { return data_ + size(); }
#ifdef __cpp_lib_span
  std::span<T> span() const noexcept { return std::span<T>(data_, size()); }
#endif
#ifdef __cpp_lib_mdspan
  auto mdspan() const noexcept {
    std::array<tsr_index, static_cast<std::size_t>(N)> lengths{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(N); i++) lengths[i] = shape_[i];
    return std::mdspan<T, std::dextents<tsr_index, static_cast<std::size_t>(N)>>(data_, lengths);
  }
#endif

 private:
  T *data_ = nullptr;
  tsr_index shape_[most] = {};
};

/** @cond internal */
namespace detail {

inline bool is_host(const tsr_tensor &t) noexcept { return t.storage == nullptr || tsr_device_of(&t)->is_host; }

/* Why elements cannot be had as numbers of type T; TSR_OK when they can. */
template <class T, int N>
tsr_status check_elements(const tsr_tensor &t, bool dense, const char **text) {
  static_assert(is_element<std::remove_cv_t<T>>, "the type of no dtype");
  if (TSR__CPP_FAILED(t.dtype != dtype_of<T>)) {
    *text = say("as", t, ", whose elements are of another type");
    return TSR_EDTYPE;
  }
  if (N >= 0 && TSR__CPP_FAILED(t.ndim != N)) {
    *text = say("as", t, ", which has another rank");
    return TSR_ESHAPE;
  }
  if (!std::is_const_v<T> && TSR__CPP_FAILED((t.flags & TSR_READONLY) != 0)) {
    *text = say("as", t, ", which is read-only: as<const ...>");
    return TSR_EREADONLY;
  }
  if (TSR__CPP_FAILED(!is_host(t))) {
    *text = say("as", t, ", which is not the host's");
    return TSR_EDEVICE;
  }
  if (dense && TSR__CPP_FAILED(!tsr_is_contiguous(&t, TSR_ROW_MAJOR))) {
    *text = say("dense", t, ", which is not contiguous in row-major order");
    return TSR_ESTRIDE;
  }
  return TSR_OK;
}

}  // namespace detail
/** @endcond */

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
