/** @file lists.hpp
 *  Dtypes of C++ types; shapes, axes, and values by name. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_LISTS_HPP
#define TESSERA_CPP_LISTS_HPP

#include <tessera/cpp/result.hpp>

#include <array>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <vector>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** Elements that C++ has no number for, by their bits: they are stored and moved, and cast by the library. */
struct f16 {
  std::uint16_t bits;
};
struct bf16 {
  std::uint16_t bits;
};
struct f8_e4m3 {
  std::uint8_t bits;
};
struct f8_e5m2 {
  std::uint8_t bits;
};

/** @cond internal */
namespace detail {

template <class T>
using bare = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_whole = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;

template <class T, class = void>
struct element {
  static constexpr int dtype = TSR_NONE;
};
template <class T>
struct element<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static constexpr int dtype = std::is_signed_v<T> ? (sizeof(T) == 1   ? TSR_I8
                                                      : sizeof(T) == 2 ? TSR_I16
                                                      : sizeof(T) == 4 ? TSR_I32
                                                                       : TSR_I64)
                                                   : (sizeof(T) == 1   ? TSR_U8
                                                      : sizeof(T) == 2 ? TSR_U16
                                                      : sizeof(T) == 4 ? TSR_U32
                                                                       : TSR_U64);
};
/* std::complex, and what is laid out like it, without its header. */
template <class T>
struct element<T,
               std::enable_if_t<std::is_same_v<decltype(std::declval<const T &>().imag()), typename T::value_type>>> {
  static constexpr int dtype = sizeof(T) != 2 * sizeof(typename T::value_type)  ? TSR_NONE
                               : std::is_same_v<typename T::value_type, float>  ? TSR_C64
                               : std::is_same_v<typename T::value_type, double> ? TSR_C128
                                                                                : TSR_NONE;
};
#define TSR__CPP_ELEMENT(type, id)   \
  template <>                        \
  struct element<type> {             \
    static constexpr int dtype = id; \
  };
TSR__CPP_ELEMENT(bool, TSR_BOOL)
TSR__CPP_ELEMENT(float, TSR_F32)
TSR__CPP_ELEMENT(double, TSR_F64)
TSR__CPP_ELEMENT(f16, TSR_F16)
TSR__CPP_ELEMENT(bf16, TSR_BF16)
TSR__CPP_ELEMENT(f8_e4m3, TSR_F8_E4M3)
TSR__CPP_ELEMENT(f8_e5m2, TSR_F8_E5M2)
#undef TSR__CPP_ELEMENT

template <class T>
inline constexpr bool is_element = element<T>::dtype != TSR_NONE;

/* Containers with data() and size(): T is that of their elements. */
template <class C>
using item_of = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;

}  // namespace detail
/** @endcond */

/** The dtype of a C++ type: dtype_of<float> is TSR_F32; TSR_NONE where there is none. */
template <class T>
inline constexpr int dtype_of = detail::element<std::remove_cv_t<T>>::dtype;

/** A length or an index in a list, of any integer type. */
struct dim {
  tsr_index value;
  template <class I, std::enable_if_t<std::is_integral_v<I>, int> = 0>
  constexpr dim(I i) noexcept : value(static_cast<tsr_index>(i)) {}  // NOLINT
};
/** A number in a list, of any arithmetic type. */
struct quantity {
  tsr_real value;
  template <class N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>
  constexpr quantity(N n) noexcept : value(static_cast<tsr_real>(n)) {}  // NOLINT
};
static_assert(sizeof(dim) == sizeof(tsr_index) && sizeof(quantity) == sizeof(tsr_real),
              "a list of one is read as a list of the other");

/** @cond internal */
namespace detail {

/* What a list is where it must have as many numbers as something else: one that has not is refused by the call, because of a number that
 * nothing allows. */
template <class T>
constexpr T impossible() {
  if constexpr (std::is_floating_point_v<T>)
    return std::numeric_limits<T>::quiet_NaN();
  else
    return std::numeric_limits<T>::min();
}

/* A short list by value; not given: NULL. */
template <class T>
class list {
 public:
  static constexpr int most = 16;
  constexpr list() noexcept = default;
  constexpr int count() const noexcept { return count_; }
  constexpr const T *data() const noexcept { return given_ ? v_ : nullptr; }
  constexpr void add(T value) noexcept {
    given_ = true;
    if (count_ < most) v_[count_++] = value;
  }
  constexpr void give() noexcept { given_ = true; }
  constexpr list exactly(int n) const noexcept {
    list all = *this;
    if (!given_ || count_ == n) return all;
    if (count_ > n) all.v_[0] = impossible<T>();
    for (int i = count_; i < most; i++) all.v_[i] = impossible<T>();
    return all;
  }
  /* That of the first of the names K that is given among o. */
  template <class... K, class... O>
  static constexpr list named(const O &...o);

 private:
  T v_[most] = {};
  int count_ = 0;
  bool given_ = false;
};

}  // namespace detail
/** @endcond */

/** A shape or another list of whole numbers: {2, 3}, a std::vector<tsr_index>, the shape of a tensor. Borrowed. */
class ints {
 public:
  constexpr ints() noexcept = default;
  ints(std::initializer_list<dim> list TSR__CPP_BORROWS) noexcept
      : data_(list.size() > 0 ? &list.begin()->value : nullptr), count_(static_cast<int>(list.size())) {}
  constexpr ints(const tsr_index *data, int count) noexcept : data_(data), count_(count) {}
  template <class C, std::enable_if_t<std::is_same_v<std::remove_cv_t<detail::item_of<const C>>, tsr_index>, int> = 0>
  ints(const C &numbers TSR__CPP_BORROWS) noexcept  // NOLINT
      : data_(std::data(numbers)), count_(static_cast<int>(std::size(numbers))) {}

  constexpr int count() const noexcept { return count_; }
  constexpr const tsr_index *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(count_); }
  constexpr const tsr_index *begin() const noexcept { return data_; }
  constexpr const tsr_index *end() const noexcept { return data_ + count_; }
  constexpr tsr_index operator[](int i) const noexcept { return data_[i < 0 ? i + count_ : i]; }
  friend constexpr bool operator==(const ints &a, const ints &b) noexcept {
    bool same = a.count_ == b.count_;
    for (int i = 0; same && i < a.count_; i++) same = a.data_[i] == b.data_[i];
    return same;
  }
  friend constexpr bool operator!=(const ints &a, const ints &b) noexcept { return !(a == b); }
  /** @cond internal */
  detail::list<tsr_index> exactly(int n) const noexcept {
    detail::list<tsr_index> all;
    all.give();
    for (int i = 0; i < count_; i++) all.add(data_[i]);
    return all.exactly(n);
  }
  /** @endcond */

 private:
  const tsr_index *data_ = nullptr;
  int count_ = 0;
};

/** A list of axes: {0, -1}. */
class axes {
 public:
  axes(std::initializer_list<dim> list) noexcept {
    list_.give();
    for (const dim i : list) list_.add(static_cast<int>(i.value));
  }
  axes(const ints &list) noexcept {  // NOLINT
    list_.give();
    for (const tsr_index i : list) list_.add(static_cast<int>(i));
  }
  int count() const noexcept { return list_.count(); }
  const int *data() const noexcept { return list_.data(); }
  /** @cond internal */
  detail::list<int> exactly(int n) const noexcept { return list_.exactly(n); }
  /** @endcond */

 private:
  detail::list<int> list_;
};

/** A list of numbers: {0.25, 0.75}, or any container of tsr_real. Borrowed. */
class reals {
 public:
  reals(std::initializer_list<quantity> list TSR__CPP_BORROWS) noexcept
      : data_(list.size() > 0 ? &list.begin()->value : nullptr), count_(static_cast<int>(list.size())) {}
  template <class C, std::enable_if_t<std::is_same_v<std::remove_cv_t<detail::item_of<const C>>, tsr_real>, int> = 0>
  reals(const C &numbers TSR__CPP_BORROWS) noexcept  // NOLINT
      : data_(std::data(numbers)), count_(static_cast<int>(std::size(numbers))) {}
  int count() const noexcept { return count_; }
  const tsr_real *data() const noexcept { return data_; }

 private:
  const tsr_real *data_;
  int count_;
};

class input;

/** @cond internal */
namespace detail {

struct handle_tag {};
template <class T>
inline constexpr bool is_handle = std::is_base_of_v<handle_tag, bare<T>>;

/* A number in a list of names: {1, 2}, {0.5, 2}. */
struct number {
  double real;
  tsr_index whole;
  bool is_whole;
  template <class N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>
  constexpr number(N n) noexcept  // NOLINT
      : real(static_cast<double>(n)), whole(static_cast<tsr_index>(n)), is_whole(std::is_integral_v<N>) {}
  template <class T>
  constexpr T as() const noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(real);
    else
      return is_whole ? static_cast<T>(whole) : impossible<T>();
  }
};
template <std::size_t N>
struct numbers {
  number v[N];
};
template <std::size_t N, std::size_t... I>
constexpr numbers<N> keep(const number (&given)[N], std::index_sequence<I...>) {
  return {{given[I]...}};
}

/* A value with the name K. */
template <class K, class V>
struct named {
  V value;
};

template <class K>
struct name {
  template <class V, std::enable_if_t<std::is_arithmetic_v<bare<V>> || std::is_enum_v<bare<V>>, int> = 0>
  constexpr named<K, bare<V>> operator=(V &&value) const noexcept {
    return {value};
  }
  template <std::size_t N>
  constexpr named<K, numbers<N>> operator=(const number (&given)[N]) const noexcept {
    static_assert(N <= list<tsr_index>::most, "a list by name has 16 numbers at most");
    return {keep(given, std::make_index_sequence<N>())};
  }
  template <class V, std::enable_if_t<std::is_base_of_v<handle_tag, bare<V>>, int> = 0>
  constexpr named<K, const tsr_tensor *> operator=(V &&value TSR__CPP_BORROWS) const noexcept {
    return {value.c()};
  }
  template <class V,
            std::enable_if_t<std::is_same_v<bare<V>, ints> || std::is_same_v<bare<V>, tsr_activation>, int> = 0>
  constexpr named<K, bare<V>> operator=(V &&value) const noexcept {
    return {value};
  }
  constexpr named<K, tsr_activation> operator=(const tsr_activation_kind *kind) const noexcept {
    return {{kind, 0, 0}};
  }
};

template <class... K>
struct names {
  template <class N>
  static constexpr bool has = (std::is_same_v<K, N> || ...);
};

/* Where a result goes. */
struct target {
  tsr_tensor *t;
};
struct raw_target {
  tsr_tensor *t;
};
struct view_target {
  tsr_tensor *t;
};
template <class R>
struct targets {
  R *r;
};

template <class T, class N>
struct allows {
  static constexpr bool value = false;
};
template <class K, class V, class N>
struct allows<named<K, V>, N> {
  static constexpr bool value = N::template has<K>;
};
template <class N>
struct allows<target, N> {
  static constexpr bool value = true;
};
template <class N>
struct allows<raw_target, N> {
  static constexpr bool value = true;
};
template <class N>
struct allows<view_target, N> {
  static constexpr bool value = true;
};
template <class R, class N>
struct allows<targets<R>, N> {
  static constexpr bool value = true;
};

template <class N, class... O>
constexpr void check_names(const O &...) noexcept {
  static_assert((allows<O, N>::value && ...),
                "the function has no parameter of that name, or more is given than must be: the rest goes by name, "
                "arg::axis = 1");
}

template <class O, class K>
struct is_named : std::false_type {};
template <class V, class K>
struct is_named<named<K, V>, K> : std::true_type {};

/* The value that is named K among o, or otherwise. */
template <class K, class T>
constexpr T value(T otherwise) noexcept {
  return otherwise;
}
template <class K, class T, class First, class... Rest>
constexpr T value(T otherwise, [[maybe_unused]] const First &first, const Rest &...rest) noexcept {
  if constexpr (is_named<First, K>::value)
    return static_cast<T>(first.value);
  else
    return value<K>(otherwise, rest...);
}
template <class K, class... O>
constexpr const tsr_tensor *optional(const O &...o) noexcept {
  return value<K>(static_cast<const tsr_tensor *>(nullptr), o...);
}
template <class K, class T, class... O>
constexpr void put(T &field, const O &...o) noexcept {
  field = value<K>(field, o...);
}

template <class T, class V>
constexpr void add_to(list<T> &all, const V &value) noexcept {
  all.add(static_cast<T>(value));
}
template <class T, std::size_t N>
constexpr void add_to(list<T> &all, const numbers<N> &value) noexcept {
  for (const number &n : value.v) all.add(n.template as<T>());
}
template <class T>
void add_to(list<T> &all, const ints &value) noexcept {
  all.give();
  for (const tsr_index i : value) all.add(static_cast<T>(i));
}
template <class K, class T, class O>
constexpr void add_named([[maybe_unused]] list<T> &all, [[maybe_unused]] const O &o) noexcept {
  if constexpr (is_named<O, K>::value) add_to(all, o.value);
}
template <class T>
template <class... K, class... O>
constexpr list<T> list<T>::named(const O &...o) {
  list all;
  const auto each = [&all](const auto &one) { (add_named<K>(all, one), ...); };
  (each(o), ...);
  (void)each;
  return all;
}

/* An array of a struct of options: one number is for all of its entries. */
template <class K, int least, int most, class T, std::size_t N, class... O>
constexpr void put_list(T (&field)[N], const O &...o) noexcept {
  static_assert(most <= static_cast<int>(N), "a field has room for its numbers");
  const list<T> all = list<T>::template named<K>(o...);
  if (all.data() == nullptr) return;
  const bool fits = all.count() >= least && all.count() <= most;
  for (int i = 0; i < most; i++)
    field[i] = all.count() == 1 ? all.data()[0] : !fits ? impossible<T>() : i < all.count() ? all.data()[i] : T(0);
}

}  // namespace detail

#define TSR__CPP_NAME(n)                      \
  struct n##_t : ::tsr::detail::name<n##_t> { \
    using name::operator=;                    \
    static constexpr char text[] = #n;        \
  };                                          \
  inline constexpr n##_t n = {};
/** @endcond */

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
