/** @file result.hpp
 *  Failures, and the context that calls are made with. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_RESULT_HPP
#define TESSERA_CPP_RESULT_HPP

#include <tessera/tessera.h>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#if !defined(TSR_CPP_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define TSR_CPP_NO_EXCEPTIONS
#endif
#ifdef TSR_CPP_NO_EXCEPTIONS
#define TSR__CPP_MODE results /* in the names of everything, so that objects of both kinds link */
#else
#include <exception>
#define TSR__CPP_MODE exceptions
#endif

#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define TSR__CPP_BORROWS [[clang::lifetimebound]] /* the result must not outlive the argument */
#elif __has_cpp_attribute(msvc::lifetimebound)
#define TSR__CPP_BORROWS [[msvc::lifetimebound]]
#endif
#endif
#ifndef TSR__CPP_BORROWS
#define TSR__CPP_BORROWS
#endif

#if TSR_HAVE_THREADS
#define TSR__CPP_THREAD thread_local
#else
#define TSR__CPP_THREAD
#endif

#if defined(__GNUC__)
#define TSR__CPP_COLD __attribute__((cold, noinline))
#define TSR__CPP_FAILED(status) __builtin_expect((status) != TSR_OK, 0)
#else
#define TSR__CPP_COLD
#define TSR__CPP_FAILED(status) ((status) != TSR_OK)
#endif

namespace tsr {
inline namespace TSR__CPP_MODE {

/** @cond internal */
namespace detail {

inline constexpr std::size_t text_bytes = TSR_TEXT_BYTES > 96 ? TSR_TEXT_BYTES : 96;

/* What calls of this thread are made with; NULL: the default context. */
inline TSR__CPP_THREAD tsr_ctx *current = nullptr;
/* What this header itself says. */
inline TSR__CPP_THREAD char said[text_bytes] = {};

/* "as: x is f64 [3], which is read-only": the last failure of this thread, as if a call had said it. */
TSR__CPP_COLD inline const char *say(const char *op, const tsr_tensor &t, const char *what) {
  std::size_t n = 0;
  const auto add = [&n](const char *text) {
    while (*text != '\0' && n + 1 < text_bytes) said[n++] = *text++;
  };
  char described[64];
  (void)tsr_desc_format(&t, described, sizeof described);
  add(op);
  add(": x is ");
  add(described);
  add(what);
  said[n] = '\0';
  return said;
}

}  // namespace detail
/** @endcond */

#ifndef TSR_CPP_NO_EXCEPTIONS

/** What a call that failed throws: its status, and the sentence that names op, argument and shapes. */
class error : public std::exception {
 public:
  error(tsr_status status, const char *text) noexcept : status_(status) {
    std::size_t n = 0;
    for (; text[n] != '\0' && n + 1 < detail::text_bytes; n++) text_[n] = text[n];
    text_[n] = '\0';
  }
  tsr_status status() const noexcept { return status_; } /**< TSR_ESHAPE … */
  const char *what() const noexcept override { return text_; }

 private:
  tsr_status status_;
  char text_[detail::text_bytes];
};

/** What a function gives that may fail: T itself. */
template <class T>
using returns = T;

/** @cond internal */
namespace detail {
[[noreturn]] TSR__CPP_COLD inline void fail(tsr_status status, const char *text) { throw error(status, text); }
[[noreturn]] TSR__CPP_COLD inline void fail_call(tsr_status status) { throw error(status, tsr_error(current)); }
}  // namespace detail
/* Of a call that was made with `current`: a caller has nothing but the status to keep. */
#define TSR__CPP_RETURN_CALL(status, value)                        \
  do {                                                             \
    if (TSR__CPP_FAILED(status)) ::tsr::detail::fail_call(status); \
    return value;                                                  \
  } while (0)
#define TSR__CPP_RETURN_CALL_NOTHING(status)                       \
  do {                                                             \
    if (TSR__CPP_FAILED(status)) ::tsr::detail::fail_call(status); \
  } while (0)
#define TSR__CPP_RETURN(status, text, value)                        \
  do {                                                              \
    if (TSR__CPP_FAILED(status)) ::tsr::detail::fail(status, text); \
    return value;                                                   \
  } while (0)
#define TSR__CPP_RETURN_NOTHING(status, text)                       \
  do {                                                              \
    if (TSR__CPP_FAILED(status)) ::tsr::detail::fail(status, text); \
  } while (0)
/** @endcond */

#else

template <class Op, class... A>
class expr;

/** A value, or the status of the call that was to make it. */
template <class T>
class [[nodiscard]] result {
 public:
  result() = default;
  result(tsr_status status, const char *text, T &&value) : value_(std::move(value)), status_(status), text_(text) {}
  result(T &&value) : value_(std::move(value)) {}  // NOLINT: a value is a result
  /** The value of an expression. */
  template <class Op, class... A>
  result(expr<Op, A...> &&e);  // NOLINT

  bool ok() const noexcept { return status_ == TSR_OK; }
  explicit operator bool() const noexcept { return ok(); }
  tsr_status status() const noexcept { return status_; }
  /** The sentence of a failure; until the next one of its context, or of this thread. */
  const char *text() const noexcept { return text_; }
  /** The value; after a failure an empty one, with which calls fail. */
  T &value() &noexcept { return value_; }
  const T &value() const &noexcept { return value_; }
  T value() &&noexcept { return std::move(value_); }
  T &operator*() &noexcept { return value_; }
  const T &operator*() const &noexcept { return value_; }
  T operator*() &&noexcept { return std::move(value_); }
  T *operator->() noexcept { return &value_; }
  const T *operator->() const noexcept { return &value_; }

 private:
  T value_ = {};
  tsr_status status_ = TSR_OK;
  const char *text_ = "";
};

/** The status of a call that gives nothing else. */
template <>
class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(tsr_status status, const char *text) : status_(status), text_(text) {}
  bool ok() const noexcept { return status_ == TSR_OK; }
  explicit operator bool() const noexcept { return ok(); }
  tsr_status status() const noexcept { return status_; }
  const char *text() const noexcept { return text_; }

 private:
  tsr_status status_ = TSR_OK;
  const char *text_ = "";
};

template <class T>
using returns = result<T>;

/** @cond internal */
#define TSR__CPP_RETURN(status, text, value) \
  return ::tsr::result<std::decay_t<decltype(value)>>((status), (status) == TSR_OK ? "" : (text), std::move(value))
#define TSR__CPP_RETURN_NOTHING(status, text) return ::tsr::result<void>((status), (status) == TSR_OK ? "" : (text))
#define TSR__CPP_RETURN_CALL(status, value) TSR__CPP_RETURN(status, tsr_error(::tsr::detail::current), value)
#define TSR__CPP_RETURN_CALL_NOTHING(status) TSR__CPP_RETURN_NOTHING(status, tsr_error(::tsr::detail::current))
/** @endcond */

#endif

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
