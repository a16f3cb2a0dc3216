/** @file call.hpp
 *  How a function of C becomes one of C++. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_CALL_HPP
#define TESSERA_CPP_CALL_HPP

#include <tessera/cpp/tensor.hpp>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** @cond internal */
namespace detail {

/* Where the result goes, of all that is given. */
template <class... O>
struct find_target {
  using type = void;
};
template <class First, class... Rest>
struct find_target<First, Rest...> : find_target<Rest...> {};
template <class... Rest>
struct find_target<target, Rest...> {
  using type = target;
};
template <class... Rest>
struct find_target<raw_target, Rest...> {
  using type = raw_target;
};
template <class... Rest>
struct find_target<view_target, Rest...> {
  using type = view_target;
};
template <class R, class... Rest>
struct find_target<targets<R>, Rest...> {
  using type = targets<R>;
};
template <class T, class First, class... Rest>
constexpr const T &get_target([[maybe_unused]] const First &first, const Rest &...rest) noexcept {
  if constexpr (std::is_same_v<First, T>)
    return first;
  else
    return get_target<T>(rest...);
}

/* An op with one output: f(ctx, where it goes). */
template <class F, class... O>
auto call(const F &f, const O &...o) {
  using where = typename find_target<O...>::type;
  tsr_ctx *const ctx = current;
  if constexpr (std::is_same_v<where, target>) {
    tsr_tensor *const t = get_target<target>(o...).t;
    const tsr_status st = own(f(ctx, t), t);
    TSR__CPP_RETURN_CALL_NOTHING(st);
  } else if constexpr (std::is_same_v<where, raw_target>) {
    const tsr_status st = f(ctx, get_target<raw_target>(o...).t);
    TSR__CPP_RETURN_CALL_NOTHING(st);
  } else if constexpr (std::is_same_v<where, view_target>) {
    tsr_tensor *const t = get_target<view_target>(o...).t;
    const bool there = t->data != nullptr || (t->dtype != TSR_NONE && tsr_size(t) == 0);
    const tsr_status st = there ? f(ctx, t) : static_cast<tsr_status>(TSR_ESTATE);
    TSR__CPP_RETURN_NOTHING(st, there ? tsr_error(ctx) : say("out", *t, ", a view without memory"));
  } else {
    static_assert(std::is_void_v<where>, "the op has one output: out(y) of a tensor or a view");
    tensor y;
    const tsr_status st = own(f(ctx, y.c_out()), y.c_out());
    TSR__CPP_RETURN_CALL(st, y);
  }
}

/* An op with several: f(ctx, the struct that has them). */
template <class R, class F, class... O>
auto call_all(const F &f, const O &...o) {
  using where = typename find_target<O...>::type;
  tsr_ctx *const ctx = current;
  if constexpr (std::is_void_v<where>) {
    R r;
    const tsr_status st = f(ctx, r);
    TSR__CPP_RETURN_CALL(st, r);
  } else {
    static_assert(std::is_same_v<where, targets<R>>, "the op has several outputs: out(r) of the struct that it gives");
    const tsr_status st = f(ctx, *get_target<where>(o...).r);
    TSR__CPP_RETURN_CALL_NOTHING(st);
  }
}

/* A view of x, or where x is a tensor at its end, that tensor. */
template <class X, class F>
auto rebind(X &&x, const F &f) {
  tsr_ctx *const ctx = current;
  if constexpr (std::is_same_v<bare<X>, tensor> && !std::is_lvalue_reference_v<X>) {
    tensor y = std::move(x);
    const tsr_status st = f(ctx, y.c(), y.c_out());
    TSR__CPP_RETURN_CALL(st, y);
  } else {
    const view all(x);
    view part;
    const tsr_status st = f(ctx, all.c(), part.c_out());
    TSR__CPP_RETURN_CALL(st, part);
  }
}

}  // namespace detail
/** @endcond */

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
