/** @file tensor.hpp
 *  tsr::tensor owns, tsr::view borrows, tsr::input is either. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_TENSOR_HPP
#define TESSERA_CPP_TENSOR_HPP

#include <tessera/cpp/elements.hpp>

namespace tsr {
inline namespace TSR__CPP_MODE {

class tensor;
class view;
template <class Op, class... A>
class expr;

/** A bound of a slice; {} is one that is left out. */
class bound {
 public:
  constexpr bound() noexcept = default;
  template <class I, std::enable_if_t<std::is_integral_v<I>, int> = 0>
  constexpr bound(I i) noexcept : at_(static_cast<tsr_index>(i)) {}  // NOLINT
  constexpr tsr_index at() const noexcept { return at_; }

 private:
  tsr_index at_ = TSR_OMIT;
};

/** What is taken of an axis, as Python has it: an index, which may be negative; {start, stop} or {start, stop, step}; {} is all of it. A bound
 *  that is left out is {}: x({1, {}}) is x[1:], x({{}, {}, -1}) is x[::-1], x({}, 2) is x[:, 2]. */
class cut {
 public:
  constexpr cut() noexcept = default; /**< all of the axis */
  template <class I, std::enable_if_t<std::is_integral_v<I> && !std::is_same_v<I, bool>, int> = 0>
  constexpr cut(I index) noexcept : kind_(one), start_(static_cast<tsr_index>(index)) {}  // NOLINT
  constexpr cut(bound start, bound stop, tsr_index step = 1) noexcept
      : kind_(some), start_(start.at()), stop_(stop.at()), step_(step) {}

  /** @cond internal */
  enum kind : unsigned char { whole, one, some, added, others, none };
  constexpr explicit cut(kind k, int) noexcept : kind_(k) {}
  tsr_status apply(tsr_ctx *ctx, int *axis, int rest, tsr_tensor *t) const noexcept {
    switch (kind_) {
      case one: return tsr_select(ctx, t, *axis, start_, t);
      case some: return tsr_slice(ctx, t, (*axis)++, start_, stop_, step_, t);
      case added: {
        const int at = (*axis)++;
        return tsr_unsqueeze(ctx, t, at == t->ndim ? -1 : at, t);
      }
      case others: *axis += rest; return TSR_OK;
      case whole:
      case none:
      default: break;
    }
    /* An axis that there is not is refused, though nothing is done to it. */
    const int at = (*axis)++;
    return at < t->ndim ? TSR_OK : tsr_slice(ctx, t, at, TSR_OMIT, TSR_OMIT, 1, t);
  }
  constexpr bool takes_axis() const noexcept { return kind_ == whole || kind_ == one || kind_ == some; }
  constexpr bool is_none() const noexcept { return kind_ == none; }
  /** @endcond */

 private:
  kind kind_ = whole;
  tsr_index start_ = TSR_OMIT, stop_ = TSR_OMIT, step_ = 1;
};

/** In a slice: an axis of length 1 that was not there, None in Python. */
inline constexpr cut newaxis(cut::added, 0);
/** In a slice: all axes that nothing else is said of, ... in Python. */
inline constexpr cut rest(cut::others, 0);

/** @cond internal */
namespace detail {
/* A result that is a view of an input, as that of a reshape may be, or that a scope owns: a count of its own, or else a copy. */
TSR__CPP_COLD inline tsr_status own_slowly(tsr_tensor *t) noexcept {
  if (t->data == nullptr) return TSR_OK;
  tsr_tensor own = TSR_EMPTY;
  if (t->storage == nullptr) {
    const tsr_status st = tsr_clone(current, t, &own);
    *t = tsr_move(&own);
    if (st != TSR_OK || (t->flags & TSR_OWNS) != 0) return st;
  }
  const tsr_status st = tsr_share(current, t, &own);
  *t = tsr_move(&own);
  return st;
}
inline tsr_status own(tsr_status st) noexcept { return st; }
template <class... T>
inline tsr_status own(tsr_status st, tsr_tensor *t, T... rest) noexcept {
  if (TSR__CPP_FAILED(st)) return st;
  if ((t->flags & TSR_OWNS) == 0) st = own_slowly(t);
  return own(st, rest...);
}

inline constexpr cut nothing(cut::none, 0);

inline tsr_status slice(tsr_ctx *ctx, const cut *cuts, std::size_t n, tsr_tensor *t) noexcept {
  int rest = t->ndim, axis = 0;
  tsr_status st = TSR_OK;
  for (std::size_t i = 0; i < n; i++)
    if (cuts[i].takes_axis()) rest--;
  if (rest < 0) rest = 0;
  for (std::size_t i = 0; i < n && st == TSR_OK; i++)
    if (!cuts[i].is_none()) st = cuts[i].apply(ctx, &axis, rest, t);
  return st;
}
}  // namespace detail
/** @endcond */

/** What tensors and views have in common: they say what they are, and give their elements. */
class handle : public detail::handle_tag {
 public:
  int dtype() const noexcept { return t_.dtype; }                /**< TSR_F32 … */
  int rank() const noexcept { return t_.ndim; }                  /**< how many axes */
  tsr_index size() const noexcept { return tsr_size(&t_); }      /**< how many elements */
  std::size_t bytes() const noexcept { return tsr_nbytes(&t_); } /**< of its elements */
  bool empty() const noexcept { return t_.dtype == TSR_NONE; }   /**< neither dtype nor elements */
  explicit operator bool() const noexcept { return !empty(); }
  ints shape() const noexcept TSR__CPP_BORROWS { return ints(t_.shape, t_.ndim); }
  ints strides() const noexcept TSR__CPP_BORROWS { return ints(t_.stride, t_.ndim); } /**< in elements */
  tsr_index shape(int axis) const noexcept { /**< of an axis; -1 is the last. 0 for one that there is not */
    const int i = tsr_axis(&t_, axis);
    return i < 0 ? 0 : t_.shape[i];
  }
  int layout() const noexcept { return t_.layout; } /**< TSR_NCHW … */
  bool read_only() const noexcept { return (t_.flags & TSR_READONLY) != 0; }
  bool contiguous() const noexcept { return tsr_is_contiguous(&t_, TSR_ROW_MAJOR); }
  const char *name() const noexcept { return t_.name; }    /**< NULL where it has none */
  void name(const char *text) noexcept { t_.name = text; } /**< a text that somebody keeps */
  const tsr_device *device() const noexcept { return tsr_device_of(&t_); }
  int count() const noexcept { return tsr_refcount(&t_); }    /**< how many handles share its memory */
  tsr_index batch() const noexcept { return tsr_batch(&t_); } /**< by the layout, as tsr_batch; so the next three */
  tsr_index rows() const noexcept { return tsr_rows(&t_); }
  tsr_index cols() const noexcept { return tsr_cols(&t_); }
  tsr_index channels() const noexcept { return tsr_channels(&t_); }

  /** The struct of C, for functions that this header has no name for. */
  const tsr_tensor *c() const noexcept TSR__CPP_BORROWS { return &t_; }

  /** An element of any dtype as a number; indices are checked, and may be negative. */
  template <class... I>
  returns<tsr_real> get(I... i) const {
    static_assert(sizeof...(I) <= static_cast<std::size_t>(TSR_MAX_DIMS), "one index for each axis");
    const tsr_index index[sizeof...(I) + 1] = {static_cast<tsr_index>(i)..., 0};
    tsr_real value = 0;
    const tsr_status st = tsr_get(detail::current, &t_, static_cast<int>(sizeof...(I)), index, &value);
    TSR__CPP_RETURN(st, tsr_error(detail::current), value);
  }

  /** The one element of a tensor of one. */
  template <class T>
  returns<T> item() const {
    T value = T();
    tsr_status st = TSR_OK;
    const char *text = "";
    if (tsr_size(&t_) != 1) {
      st = TSR_ESHAPE;
      text = detail::say("item", t_, ", not one element");
    } else {
      const int dtype = dtype_of<T>;
      tsr_tensor one = TSR_EMPTY;
      st = tsr_from_memory(detail::current, &value, dtype, 0, nullptr, &one);
      tsr_tensor flat = t_;
      flat.flags = static_cast<std::uint8_t>(flat.flags & ~TSR_OWNS);
      flat.ndim = 0;
      flat.layout = TSR_PLAIN;
      if (st == TSR_OK && flat.dtype == dtype && detail::is_host(flat))
        std::memcpy(&value, flat.data, sizeof value);
      else if (st == TSR_OK)
        st = item_of(flat, &one);
      text = tsr_error(detail::current);
    }
    TSR__CPP_RETURN(st, text, value);
  }

 protected:
  handle() noexcept = default;
  explicit handle(const tsr_tensor &t) noexcept : t_(t) {}
  handle(const handle &) = default;
  handle &operator=(const handle &) = default;
  ~handle() = default;

  static tsr_status item_of(const tsr_tensor &flat, tsr_tensor *one);
  template <class T, int N>
  static returns<elements<T, N>> elements_of(const tsr_tensor &t) {
    const char *text = "";
    const tsr_status st = detail::check_elements<T, N>(t, false, &text);
    elements<T, N> all = TSR__CPP_FAILED(st) ? elements<T, N>() : elements<T, N>(t);
    TSR__CPP_RETURN(st, text, all);
  }
  template <class T, int N>
  static returns<dense_elements<T, N>> dense_of(const tsr_tensor &t) {
    const char *text = "";
    const tsr_status st = detail::check_elements<T, N>(t, true, &text);
    dense_elements<T, N> all = TSR__CPP_FAILED(st) ? dense_elements<T, N>() : dense_elements<T, N>(t);
    TSR__CPP_RETURN(st, text, all);
  }

  tsr_tensor t_ = TSR_EMPTY;
};

/** Memory that somebody else keeps, as a tensor: a slice, a transpose, an array of the program. It is cheap to copy, and must not outlive
 *  what it looks at. Assigning to a view that has a name makes it look elsewhere; assigning to a slice that has none writes:
 *  x({1, 3}) = 0. A view of a const tensor is read-only. */
class [[nodiscard]] view : public handle {
 public:
  view() noexcept = default;
  view(tensor &t TSR__CPP_BORROWS) noexcept;        // NOLINT
  view(const tensor &t TSR__CPP_BORROWS) noexcept;  // NOLINT
  view(tensor &&) = delete;                         // it would look at what is gone in the next line
  view(const tensor &&) = delete;
  /** What a struct of C describes. */
  explicit view(const tsr_tensor &t) noexcept : handle(t) {
    t_.flags = static_cast<std::uint8_t>(t_.flags & ~TSR_OWNS);
  }
  view(const view &) = default;
  view &operator=(const view &) & = default;

  /** Writes to what it looks at: elements of another tensor, which repeat where they must; the value of an expression; one number. */
  template <class V>
  returns<void> assign(V &&value) const;
  template <class V>
  returns<void> operator=(V &&value) && {
    return assign(std::forward<V>(value));
  }
  returns<void> operator=(const view &value) &&;  // NOLINT

  /** A part: x(0), x({1, 3}, {}, -1). */
  returns<view> operator()(cut a, cut b = detail::nothing, cut c = detail::nothing, cut d = detail::nothing,
                           cut e = detail::nothing, cut f = detail::nothing, cut g = detail::nothing,
                           cut h = detail::nothing) const {
    const cut cuts[] = {a, b, c, d, e, f, g, h};
    view part = *this;
    const tsr_status st = detail::slice(detail::current, cuts, 8, &part.t_);
    TSR__CPP_RETURN(st, tsr_error(detail::current), part);
  }

  /** Its elements as numbers of type T; const T where they are only read. See elements. */
  template <class T, int N = -1>
  returns<elements<T, N>> as() const {
    return elements_of<T, N>(t_);
  }
  /** The same where they are contiguous in row-major order: see dense_elements. */
  template <class T, int N>
  returns<dense_elements<T, N>> dense() const {
    return dense_of<T, N>(t_);
  }

  /** Sets an element of any dtype; indices are checked. */
  template <class... I>
  returns<void> set(tsr_real value, I... i) const {
    const tsr_index index[sizeof...(I) + 1] = {static_cast<tsr_index>(i)..., 0};
    tsr_tensor t = t_;
    const tsr_status st = tsr_set(detail::current, &t, static_cast<int>(sizeof...(I)), index, value);
    TSR__CPP_RETURN_NOTHING(st, tsr_error(detail::current));
  }
  returns<void> fill(tsr_real value) const {
    tsr_tensor t = t_;
    const tsr_status st = tsr_fill(detail::current, value, &t);
    TSR__CPP_RETURN_NOTHING(st, tsr_error(detail::current));
  }
  returns<tensor> share() const; /**< another owner of the memory, which must be counted */
  returns<tensor> clone() const; /**< a copy */

  class iterator;
  iterator begin() const noexcept; /**< of the parts along the first axis: for (tsr::view row : x) */
  iterator end() const noexcept;

  /** @cond internal */
  tsr_tensor *c_out() noexcept { return &t_; }
  /** @endcond */
};

/** A tensor that owns its memory, or counts it with others. It is moved; a copy is said: share(), clone(). */
class [[nodiscard]] tensor : public handle {
 public:
  tensor() noexcept = default;
  tensor(tensor &&other) noexcept : handle(tsr_move(&other.t_)) {}
  tensor &operator=(tensor &&other) noexcept {
    if (this != &other) {
      tsr_release(&t_);
      t_ = tsr_move(&other.t_);
    }
    return *this;
  }
  tensor(const tensor &) = delete;
  tensor &operator=(const tensor &) = delete;
  ~tensor() {
    if (t_.storage != nullptr) tsr_release(&t_);
  }
#ifndef TSR_CPP_NO_EXCEPTIONS
  /** Computes an expression. */
  template <class Op, class... A>
  tensor(expr<Op, A...> &&e);  // NOLINT
  template <class Op, class... A>
  tensor(const expr<Op, A...> &) = delete; /* an expression is used once: std::move it */
#endif

  /** Takes over a tensor that C made; *t is empty then. */
  static tensor take(tsr_tensor *t) noexcept {
    tensor y;
    y.t_ = tsr_move(t);
    return y;
  }
  /** Hands it over to C, which releases it. */
  tsr_tensor give() noexcept { return tsr_move(&t_); }

  /** A second owner of the same memory, and of the same elements. */
  returns<tensor> share() const {
    tensor y;
    const tsr_status st = tsr_share(detail::current, &t_, &y.t_);
    TSR__CPP_RETURN(st, tsr_error(detail::current), y);
  }
  /** A copy, which lies in memory as this one does. */
  returns<tensor> clone() const {
    tensor y;
    const tsr_status st = detail::own(tsr_clone(detail::current, &t_, &y.t_), &y.t_);
    TSR__CPP_RETURN(st, tsr_error(detail::current), y);
  }

  /** A part, x(0), x({1, 3}, {}, -1): a view. Of a tensor that is at its end: a tensor. */
  returns<view> operator()(cut a, cut b = detail::nothing, cut c = detail::nothing, cut d = detail::nothing,
                           cut e = detail::nothing, cut f = detail::nothing, cut g = detail::nothing,
                           cut h = detail::nothing) &
      TSR__CPP_BORROWS {
    return view(*this)(a, b, c, d, e, f, g, h);
  }
  returns<view> operator()(cut a, cut b = detail::nothing, cut c = detail::nothing, cut d = detail::nothing,
                           cut e = detail::nothing, cut f = detail::nothing, cut g = detail::nothing,
                           cut h = detail::nothing) const &TSR__CPP_BORROWS {
    return view(*this)(a, b, c, d, e, f, g, h);
  }
  returns<tensor> operator()(cut a, cut b = detail::nothing, cut c = detail::nothing, cut d = detail::nothing,
                             cut e = detail::nothing, cut f = detail::nothing, cut g = detail::nothing,
                             cut h = detail::nothing) && {
    const cut cuts[] = {a, b, c, d, e, f, g, h};
    tensor y = std::move(*this);
    const tsr_status st = detail::slice(detail::current, cuts, 8, &y.t_);
    TSR__CPP_RETURN(st, tsr_error(detail::current), y);
  }

  /** Its elements as numbers of type T, to be written too. See elements. */
  template <class T, int N = -1>
      returns<elements<T, N>> as() & TSR__CPP_BORROWS {
    return elements_of<T, N>(t_);
  }
  template <class T, int N = -1>
  returns<elements<const T, N>> as() const &TSR__CPP_BORROWS {
    return elements_of<const T, N>(t_);
  }
  template <class T, int N = -1>
  void as() const && = delete; /* elements of what is gone in the next line */
  /** The same where they are contiguous in row-major order: see dense_elements. */
  template <class T, int N>
      returns<dense_elements<T, N>> dense() & TSR__CPP_BORROWS {
    return dense_of<T, N>(t_);
  }
  template <class T, int N>
  returns<dense_elements<const T, N>> dense() const &TSR__CPP_BORROWS {
    return dense_of<const T, N>(t_);
  }
  template <class T, int N>
  void dense() const && = delete;

  template <class... I>
  returns<void> set(tsr_real value, I... i) & {
    return view(*this).set(value, i...);
  }
  returns<void> fill(tsr_real value) & { return view(*this).fill(value); }
  /** Writes elements into the memory that is there: see view::assign. */
  template <class V>
  returns<void> assign(V &&value) & {
    return view(*this).assign(std::forward<V>(value));
  }
  /** Another shape in the same memory, smaller or as large as its capacity, never moved; without memory only the shape changes. */
  returns<void> reallocate(const ints &shape) & {
    const tsr_status st = tsr_reallocate(detail::current, &t_, shape.count(), shape.data());
    TSR__CPP_RETURN_NOTHING(st, tsr_error(detail::current));
  }
  std::size_t capacity() const noexcept { return tsr_capacity(&t_); } /**< bytes that reallocate may use */

  view::iterator begin() &;
  view::iterator end() &;
  view::iterator begin() const &;
  view::iterator end() const &;

  /** @cond internal */
  tsr_tensor *c_out() noexcept { return &t_; }
  /** @endcond */
};

static_assert(sizeof(tensor) == sizeof(tsr_tensor) && sizeof(view) == sizeof(tsr_tensor),
              "arrays of them are arrays of C");
static_assert(std::is_standard_layout_v<tensor> && std::is_standard_layout_v<view>, "arrays of them are arrays of C");

inline view::view(tensor &t) noexcept : view(*t.c()) {}
inline view::view(const tensor &t) noexcept : view(*t.c()) { t_.flags |= TSR_READONLY; }

inline returns<tensor> view::share() const {
  tensor y;
  const tsr_status st = tsr_share(detail::current, &t_, y.c_out());
  TSR__CPP_RETURN(st, tsr_error(detail::current), y);
}
inline returns<tensor> view::clone() const {
  tensor y;
  const tsr_status st = detail::own(tsr_clone(detail::current, &t_, y.c_out()), y.c_out());
  TSR__CPP_RETURN(st, tsr_error(detail::current), y);
}
inline tsr_status handle::item_of(const tsr_tensor &flat, tsr_tensor *one) {
  tensor host;
  tsr_status st = TSR_OK;
  if (detail::is_host(flat)) return tsr_copy(detail::current, &flat, one);
#if TSR_HAVE_OPS
  st = tsr_to_device(detail::current, &flat, nullptr, host.c_out());
#endif
  return st == TSR_OK ? tsr_copy(detail::current, host.c(), one) : st;
}

/** The parts of a tensor along its first axis, in order: views. */
class view::iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = view;
  using difference_type = std::ptrdiff_t;
  using pointer = const view *;
  using reference = view;
  iterator() noexcept = default;
  view operator*() const noexcept {
    view part = all_;
    TSR_IGNORE(tsr_select(nullptr, all_.c(), 0, at_, part.c_out())); /* cannot fail: the index is there */
    return part;
  }
  iterator &operator++() noexcept {
    at_++;
    return *this;
  }
  iterator operator++(int) noexcept {
    iterator before = *this;
    at_++;
    return before;
  }
  friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.at_ == b.at_; }
  friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.at_ != b.at_; }

 private:
  friend class view;
  iterator(const view &all, tsr_index at) noexcept : all_(all), at_(at) {}
  view all_;
  tsr_index at_ = 0;
};
inline view::iterator view::begin() const noexcept { return iterator(*this, 0); }
inline view::iterator view::end() const noexcept { return iterator(*this, rank() > 0 ? shape(0) : 0); }
inline view::iterator tensor::begin() & { return view(*this).begin(); }
inline view::iterator tensor::end() & { return view(*this).end(); }
inline view::iterator tensor::begin() const & { return view(*this).begin(); }
inline view::iterator tensor::end() const & { return view(*this).end(); }

/** Memory of the program as a tensor, row-major; nothing is copied or counted. */
template <class T>
returns<view> borrow(T *data, const ints &shape) {
  static_assert(detail::is_element<std::remove_cv_t<T>>, "the type of no dtype");
  tsr_tensor t = TSR_EMPTY;
  tsr_status st;
  if constexpr (std::is_const_v<T>)
    st = tsr_from_const_memory(detail::current, data, dtype_of<T>, shape.count(), shape.data(), &t);
  else
    st = tsr_from_memory(detail::current, data, dtype_of<T>, shape.count(), shape.data(), &t);
  view v(t);
  TSR__CPP_RETURN(st, tsr_error(detail::current), v);
}

/** What functions take: a tensor, a view, or a struct of C. For parameters; it borrows what it is made of. */
class input {
 public:
  input(const tensor &t TSR__CPP_BORROWS) noexcept : c_(t.c()) {}   // NOLINT
  input(const view &t TSR__CPP_BORROWS) noexcept : c_(t.c()) {}     // NOLINT
  input(const tsr_tensor &t TSR__CPP_BORROWS) noexcept : c_(&t) {}  // NOLINT
#ifdef TSR_CPP_NO_EXCEPTIONS
  input(const result<tensor> &t TSR__CPP_BORROWS) noexcept : c_(t.value().c()) {}  // NOLINT
  input(const result<view> &t TSR__CPP_BORROWS) noexcept : c_(t.value().c()) {}    // NOLINT
#endif
  const tsr_tensor *c() const noexcept { return c_; }
  const tsr_tensor *operator->() const noexcept { return c_; }

 private:
  const tsr_tensor *c_;
};
static_assert(sizeof(input) == sizeof(const tsr_tensor *), "a list of them is a list of pointers");

/** Several of them: {a, b, c}, a std::vector of tensors or of views. */
class inputs {
 public:
  inputs(std::initializer_list<input> list TSR__CPP_BORROWS) noexcept  // NOLINT
      : data_(reinterpret_cast<const tsr_tensor *const *>(list.begin())), count_(static_cast<int>(list.size())) {}
  template <class C, std::enable_if_t<detail::is_handle<detail::item_of<const C>>, int> = 0>
  inputs(const C &all TSR__CPP_BORROWS) : count_(static_cast<int>(std::size(all))) {  // NOLINT
    kept_.reserve(std::size(all));
    for (const auto &one : all) kept_.push_back(one.c());
    data_ = kept_.data();
  }
  inputs(const inputs &) = delete;
  inputs &operator=(const inputs &) = delete;
  int count() const noexcept { return count_; }
  const tsr_tensor *const *data() const noexcept { return data_; }

 private:
  std::vector<const tsr_tensor *> kept_;
  const tsr_tensor *const *data_ = nullptr;
  int count_ = 0;
};

/** Where a result is to be written: add(a, b, out(y)). A tensor that is empty is given memory, one that is not is written into; so is a view. */
inline detail::target out(tensor &t TSR__CPP_BORROWS) noexcept { return {t.c_out()}; }
inline detail::raw_target out(tsr_tensor &t TSR__CPP_BORROWS) noexcept { return {&t}; }
inline detail::view_target out(const view &t TSR__CPP_BORROWS) noexcept { return {const_cast<tsr_tensor *>(t.c())}; }
#ifdef TSR_CPP_NO_EXCEPTIONS
inline detail::view_target out(const result<view> &t TSR__CPP_BORROWS) noexcept { return out(t.value()); }
#endif
void out(const tensor &) = delete;
void out(tensor &&) = delete;
/** The same of what an op with several outputs gives: topk(x, 3, out(r)). */
template <class R, std::enable_if_t<!detail::is_handle<R> && std::is_class_v<R>, int> = 0>
detail::targets<R> out(R &r TSR__CPP_BORROWS) noexcept {
  return {&r};
}

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
