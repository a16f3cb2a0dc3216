/** @file expr.hpp
 *  Operators and expressions: gelu(a * b + c) is a description until it becomes a tensor. A part of <tessera/tessera.hpp>.
 *
 *  The type of an expression is a text of <tessera/expr.h>, "gelu((a*b)+c)" with a name for each operand, which the compiler puts
 *  together. The first time that a thread computes it, the text is compiled and kept for as long as the thread runs; from then on a run
 *  is tsr_expr_run: one pass over memory, or one kernel of a GPU, with the bits of the calls one by one. */
#ifndef TESSERA_CPP_EXPR_HPP
#define TESSERA_CPP_EXPR_HPP

#include <tessera/cpp/call.hpp>

#include <tuple>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** @cond internal */
namespace detail {

struct expression_tag {};
template <class T>
inline constexpr bool is_expression = std::is_base_of_v<expression_tag, bare<T>>;
template <class... A>
inline constexpr bool any_lazy = (is_expression<A> || ...);
template <class T>
inline constexpr bool is_operand = is_handle<T> || is_expression<T> || is_number<bare<T>>;
template <class A, class B>
inline constexpr bool are_operands = is_operand<A> &&is_operand<B> && !(is_number<bare<A>> && is_number<bare<B>>);

/* ---- texts at compile time ---- */

template <std::size_t N>
struct text {
  char c[N + 1] = {};
};
template <std::size_t N>
constexpr text<N - 1> say(const char (&s)[N]) {
  text<N - 1> t;
  for (std::size_t i = 0; i + 1 < N; i++) t.c[i] = s[i];
  return t;
}
template <std::size_t... N>
constexpr auto join(const text<N> &...parts) {
  text<(N + ... + 0)> all;
  std::size_t at = 0;
  const auto add = [&all, &at](const char *part, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) all.c[at++] = part[i];
  };
  (add(parts.c, N), ...);
  return all;
}

/* Operand number I: a to z, then a1, b1 …; no constants of the language are among them. */
template <int I>
constexpr auto name_text() {
  constexpr char letter[] = {static_cast<char>('a' + I % 26), '\0'};
  if constexpr (I < 26) {
    return say(letter);
  } else {
    constexpr char digit[] = {static_cast<char>('0' + I / 26), '\0'};
    return join(say(letter), say(digit));
  }
}
template <int I>
inline constexpr auto operand_name = name_text<I>();

/* ---- operands: each has its names, how many there are, and its text from name number I on ---- */

/* A tensor or view that has a name in the program. */
struct looked_at {
  static constexpr int leaves = 1;
  const tsr_tensor *t;
  template <int I>
  static constexpr auto text() {
    return name_text<I>();
  }
  template <int I>
  void bind(tsr_named *named) const noexcept {
    named[I] = {operand_name<I>.c, t};
  }
};
/* One that has none, and is kept here. */
template <class T>
struct kept {
  static constexpr int leaves = 1;
  T t;
  template <int I>
  static constexpr auto text() {
    return name_text<I>();
  }
  template <int I>
  void bind(tsr_named *named) const noexcept {
    named[I] = {operand_name<I>.c, t.c()};
  }
};
/* A number: it takes the dtype of what it meets. */
struct constant {
  static constexpr int leaves = 1;
  double real;
  std::int64_t whole;
  bool is_real;
  mutable tsr_tensor t = TSR_EMPTY;
  template <class N>
  explicit constexpr constant(N n) noexcept
      : real(static_cast<double>(n)), whole(static_cast<std::int64_t>(n)), is_real(std::is_floating_point_v<N>) {}
  template <int I>
  static constexpr auto text() {
    return name_text<I>();
  }
  template <int I>
  void bind(tsr_named *named) const noexcept {
    t.dtype = static_cast<std::uint8_t>(is_real ? TSR_F64 : TSR_I64);
    t.flags = number_flag;
    t.data = is_real ? static_cast<void *>(const_cast<double *>(&real))
                     : static_cast<void *>(const_cast<std::int64_t *>(&whole));
    named[I] = {operand_name<I>.c, &t};
  }
#if TSR_HAVE_OPS
  static constexpr std::uint8_t number_flag = TSR_IS_NUMBER;
#else
  static constexpr std::uint8_t number_flag = 0;
#endif
};

template <int I>
constexpr auto join_operands() {
  return text<0>();
}
template <int I, class First, class... Rest>
constexpr auto join_operands() {
  if constexpr (sizeof...(Rest) == 0)
    return First::template text<I>();
  else
    return join(First::template text<I>(), say(","), join_operands<I + First::leaves, Rest...>());
}

/* What is given by its name: axis=c, axes=[c,d]. */
template <class K, class V>
struct by_name {
  static constexpr int leaves = V::leaves;
  V value;
  template <int I>
  static constexpr auto text() {
    return join(say(K::text), say("="), V::template text<I>());
  }
  template <int I>
  void bind(tsr_named *named) const noexcept {
    value.template bind<I>(named);
  }
};
template <std::size_t N>
struct constants {
  static constexpr int leaves = static_cast<int>(N);
  std::array<constant, N> all;
  template <int I, std::size_t... K>
  static constexpr auto list(std::index_sequence<K...>) {
    return join(join(say(K > 0 ? "," : " "), name_text<I + static_cast<int>(K)>())...);
  }
  template <int I>
  static constexpr auto text() {
    return join(say("["), list<I>(std::make_index_sequence<N>()), say("]"));
  }
  template <int I>
  void bind(tsr_named *named) const noexcept {
    bind_all<I>(named, std::make_index_sequence<N>());
  }
  template <int I, std::size_t... K>
  void bind_all(tsr_named *named, std::index_sequence<K...>) const noexcept {
    (all[K].template bind<I + static_cast<int>(K)>(named), ...);
  }
};

/* An operand of whatever is given. */
template <class T>
auto operand(T &&x) {
  static_assert(!is_expression<T> || !std::is_lvalue_reference_v<T>,
                "an expression is used once, where it is written: std::move it, or make it a tensor");
  if constexpr (is_expression<T>)
    return bare<T>(std::move(x));
  else if constexpr (is_number<bare<T>>)
    return constant(x);
  else if constexpr (std::is_lvalue_reference_v<T>)
    return looked_at{x.c()};
  else
    return kept<bare<T>>{std::move(x)};
}
template <class K, class V>
auto operand_by_name(const named<K, V> &given) {
  if constexpr (std::is_enum_v<V>)
    return by_name<K, constant>{constant(static_cast<int>(given.value))};
  else if constexpr (std::is_same_v<V, const tsr_tensor *>)
    return by_name<K, looked_at>{looked_at{given.value}};
  else
    return by_name<K, constant>{constant(given.value)};
}
template <class K, std::size_t N, std::size_t... I>
auto operand_list(const numbers<N> &given, std::index_sequence<I...>) {
  return by_name<K, constants<N>>{{{{constant(given.v[I].whole)...}}}};
}
template <class K, std::size_t N>
auto operand_by_name(const named<K, numbers<N>> &given) {
  return operand_list<K>(given.value, std::make_index_sequence<N>());
}

/* ---- what is done with operands ---- */

#define TSR__CPP_INFIX(op, symbol)                                                                            \
  struct op {                                                                                                 \
    template <int I, class A, class B>                                                                        \
    static constexpr auto text() {                                                                            \
      return join(say("("), A::template text<I>(), say(symbol), B::template text<I + A::leaves>(), say(")")); \
    }                                                                                                         \
  };
#define TSR__CPP_PREFIX(op, symbol)                                  \
  struct op {                                                        \
    template <int I, class A>                                        \
    static constexpr auto text() {                                   \
      return join(say("(" symbol), A::template text<I>(), say(")")); \
    }                                                                \
  };
#define TSR__CPP_LAZY_OP(op)                                         \
  namespace detail {                                                 \
  struct op_##op {                                                   \
    template <int I, class... A>                                     \
    static constexpr auto text() {                                   \
      return join(say(#op "("), join_operands<I, A...>(), say(")")); \
    }                                                                \
  };                                                                 \
  }
TSR__CPP_INFIX(plus, "+")
TSR__CPP_INFIX(minus, "-")
TSR__CPP_INFIX(times, "*")
TSR__CPP_INFIX(over, "/")
TSR__CPP_INFIX(modulo, "%")
TSR__CPP_INFIX(is_less, "<")
TSR__CPP_INFIX(is_less_equal, "<=")
TSR__CPP_INFIX(is_greater, ">")
TSR__CPP_INFIX(is_greater_equal, ">=")
TSR__CPP_INFIX(is_equal, "==")
TSR__CPP_INFIX(is_different, "!=")
TSR__CPP_INFIX(bits_and, "&")
TSR__CPP_INFIX(bits_or, "|")
TSR__CPP_INFIX(bits_xor, "^")
TSR__CPP_INFIX(up, "<<")
TSR__CPP_INFIX(down, ">>")
TSR__CPP_PREFIX(negative, "-")
TSR__CPP_PREFIX(complement, "~")
TSR__CPP_PREFIX(itself, "")

/* A cast: the name of the dtype, as a function. */
template <int dtype>
struct to_dtype {
  template <int I, class A>
  static constexpr auto text() {
#define TSR__CPP_DTYPE_NAME(id, number, bytes, class_, name, npy, st) \
  if constexpr (dtype == TSR_##id) return join(say(name "("), A::template text<I>(), say(")"));
    TSR_DTYPE_LIST(TSR__CPP_DTYPE_NAME)
#undef TSR__CPP_DTYPE_NAME
  }
};

}  // namespace detail
/** @endcond */

/** What an expression is until it is computed: Op of operands. It looks at tensors that have a name, keeps those that have none, and is used
 *  once: where it is written, or by std::move. `auto e = a + b;` is an expression; `tsr::tensor y = a + b;` is its value. */
template <class Op, class... A>
class [[nodiscard]] expr : public detail::expression_tag {
 public:
  /** @cond internal */
  static constexpr int leaves = (A::leaves + ... + 0);
  explicit expr(A &&...a) : a_(std::move(a)...) {}
  template <int I>
  static constexpr auto text() {
    return Op::template text<I, A...>();
  }
  template <int I>
  void bind(tsr_named *named) const noexcept {
    bind_all<I>(named, std::index_sequence_for<A...>());
  }
  /** @endcond */
  expr(expr &&) = default;
  expr(const expr &) = delete;
  expr &operator=(const expr &) = delete;
  ~expr() = default;

 private:
  template <std::size_t K>
  static constexpr int before() {
    constexpr int counts[] = {A::leaves...};
    int n = 0;
    for (std::size_t i = 0; i < K; i++) n += counts[i];
    return n;
  }
  template <int I, std::size_t... K>
  void bind_all(tsr_named *named, std::index_sequence<K...>) const noexcept {
    (std::get<K>(a_).template bind<I + before<K>()>(named), ...);
  }
  std::tuple<A...> a_;
};

#if TSR_HAVE_OPS

/** @cond internal */
namespace detail {

template <class Op, class... X>
auto make(X &&...x) {
  return expr<Op, decltype(operand(std::forward<X>(x)))...>(operand(std::forward<X>(x))...);
}
/* Arguments of a function of ops.hpp, which have not been looked at yet. */
template <class... X>
std::tuple<X &&...> pack(X &&...x) {
  return std::tuple<X &&...>(std::forward<X>(x)...);
}
template <class Op, class... X, std::size_t... I, class... O>
auto lazy_call_with(std::tuple<X &&...> &&x, std::index_sequence<I...>, const O &...o) {
  return expr<Op, decltype(operand(std::declval<X>()))..., decltype(operand_by_name(o))...>(
      operand(std::forward<X>(std::get<I>(x)))..., operand_by_name(o)...);
}
template <class Op, class... X, class... O>
auto lazy_call(std::tuple<X &&...> &&x, const O &...o) {
  return lazy_call_with<Op>(std::move(x), std::index_sequence_for<X...>(), o...);
}

/* A text that was compiled, for as long as the thread runs. Its memory is not that of any context. */
struct compiled {
  tsr_expr *expr = nullptr;
  constexpr compiled() noexcept = default;
  compiled(const compiled &) = delete;
  compiled &operator=(const compiled &) = delete;
  ~compiled() { tsr_expr_release(expr); }
};

template <class E>
struct program_of {
  static constexpr auto text = E::template text<0>();
};

template <class E>
tsr_status run(tsr_ctx *ctx, const E &e, tsr_tensor *out) {
  static_assert(E::leaves <= TSR_EXPR_NAMES, "an expression has 64 operands at most");
  static TSR__CPP_THREAD compiled kept;
  tsr_named named[E::leaves];
  e.template bind<0>(named);
  if (kept.expr == nullptr && tsr_expr_new(nullptr, program_of<E>::text.c, &kept.expr) != TSR_OK)
    return tsr_eval(ctx, program_of<E>::text.c, E::leaves, named, out); /* without memory to keep it */
  return tsr_expr_run(ctx, kept.expr, E::leaves, named, out);
}

}  // namespace detail
/** @endcond */

/** The value of an expression: a tensor, or with out(y) written there. */
template <class Op, class... A, class... O>
auto eval(expr<Op, A...> &&e, const O &...o) {
  return detail::call([&e](tsr_ctx *ctx, tsr_tensor *out) { return detail::run(ctx, e, out); }, o...);
}

#ifndef TSR_CPP_NO_EXCEPTIONS
template <class Op, class... A>
tensor::tensor(expr<Op, A...> &&e) : tensor(eval(std::move(e))) {}
#else
template <class T>
template <class Op, class... A>
result<T>::result(expr<Op, A...> &&e) : result(eval(std::move(e))) {}
#endif

/** A tensor as an expression, so that a function of it is one: exp(tsr::lazy(x)) * 2. */
template <class X, std::enable_if_t<detail::is_handle<X>, int> = 0>
auto lazy(X &&x) {
  return detail::make<detail::itself>(std::forward<X>(x));
}

/** A cast within an expression: cast<float>(a > b). */
template <class T, class E, std::enable_if_t<detail::is_element<T> && detail::is_expression<E>, int> = 0>
auto cast(E &&e) {
  return detail::make<detail::to_dtype<dtype_of<T>>>(std::forward<E>(e));
}

/** @cond internal */
#define TSR__CPP_OPERATOR(symbol, op)                                                \
  template <class A, class B, std::enable_if_t<detail::are_operands<A, B>, int> = 0> \
  auto operator symbol(A &&a, B &&b) {                                               \
    return detail::make<detail::op>(std::forward<A>(a), std::forward<B>(b));         \
  }
/** @endcond */
TSR__CPP_OPERATOR(+, plus)
TSR__CPP_OPERATOR(-, minus)
TSR__CPP_OPERATOR(*, times)
TSR__CPP_OPERATOR(/, over)
TSR__CPP_OPERATOR(%, modulo)
TSR__CPP_OPERATOR(<, is_less)
TSR__CPP_OPERATOR(<=, is_less_equal)
TSR__CPP_OPERATOR(>, is_greater)
TSR__CPP_OPERATOR(>=, is_greater_equal)
TSR__CPP_OPERATOR(==, is_equal)
TSR__CPP_OPERATOR(!=, is_different)
TSR__CPP_OPERATOR(&, bits_and)
TSR__CPP_OPERATOR(|, bits_or)
TSR__CPP_OPERATOR(^, bits_xor)
TSR__CPP_OPERATOR(<<, up)
TSR__CPP_OPERATOR(>>, down)
#undef TSR__CPP_OPERATOR

template <class A, std::enable_if_t<detail::is_handle<A> || detail::is_expression<A>, int> = 0>
auto operator-(A &&a) {
  return detail::make<detail::negative>(std::forward<A>(a));
}
template <class A, std::enable_if_t<detail::is_handle<A> || detail::is_expression<A>, int> = 0>
auto operator~(A &&a) {
  return detail::make<detail::complement>(std::forward<A>(a));
}

/** @cond internal */
namespace detail {
/* y op= b in place: of a tensor that has a name, or any view. */
template <class Op, class Y, class B>
auto change(Y &y, B &&b) {
  return eval(make<Op>(y, std::forward<B>(b)), out(y));
}
template <class Y, class B>
inline constexpr bool can_change = is_handle<Y> &&is_operand<B> && !std::is_const_v<std::remove_reference_t<Y>> &&
                                   (std::is_lvalue_reference_v<Y> || !std::is_same_v<bare<Y>, tensor>);
}  // namespace detail
#define TSR__CPP_ASSIGN(symbol, op)                                                \
  template <class Y, class B, std::enable_if_t<detail::can_change<Y, B>, int> = 0> \
  returns<void> operator symbol(Y &&y, B &&b) {                                    \
    return detail::change<detail::op>(y, std::forward<B>(b));                      \
  }
/** @endcond */
TSR__CPP_ASSIGN(+=, plus)
TSR__CPP_ASSIGN(-=, minus)
TSR__CPP_ASSIGN(*=, times)
TSR__CPP_ASSIGN(/=, over)
TSR__CPP_ASSIGN(%=, modulo)
TSR__CPP_ASSIGN(&=, bits_and)
TSR__CPP_ASSIGN(|=, bits_or)
TSR__CPP_ASSIGN(^=, bits_xor)
#undef TSR__CPP_ASSIGN

#endif

template <class V>
returns<void> view::assign(V &&value) const {
  if constexpr (detail::is_number<detail::bare<V>>) {
    if constexpr (std::is_integral_v<detail::bare<V>>)
      return detail::call(
          [&](tsr_ctx *ctx, tsr_tensor *t) { return tsr_fill_i64(ctx, static_cast<std::int64_t>(value), t); },
          out(*this));
    else
      return fill(static_cast<tsr_real>(value));
  } else if constexpr (detail::is_expression<V>) {
#if TSR_HAVE_OPS
    return eval(std::forward<V>(value), out(*this));
#endif
  } else {
    const input from(value);
    return detail::call(
        [&](tsr_ctx *ctx, tsr_tensor *t) {
          tsr_tensor all = TSR_EMPTY;
          const tsr_status st = tsr_broadcast_to(ctx, from.c(), t->ndim, t->shape, &all);
          return st == TSR_OK ? tsr_copy(ctx, &all, t) : st;
        },
        out(*this));
  }
}
inline returns<void> view::operator=(const view &value) && { return assign(value); }  // NOLINT

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
