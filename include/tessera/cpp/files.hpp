/** @file files.hpp
 *  Tensors as text, by name, and in files. A part of <tessera/tessera.hpp>. */
#ifndef TESSERA_CPP_FILES_HPP
#define TESSERA_CPP_FILES_HPP

#include <tessera/cpp/machine.hpp>

#include <iosfwd>
#include <string>

namespace tsr {
inline namespace TSR__CPP_MODE {

/** A tensor as text, as NumPy prints one. */
inline returns<std::string> to_text(input in, const tsr_print_options &options = {}) {
  std::string text;
  std::size_t needed = 0;
  tsr_status st = tsr_print_text(detail::current, in.c(), &options, nullptr, 0, &needed);
  if (st == TSR_OK) {
    text.resize(needed + 1);
    st = tsr_print_text(detail::current, in.c(), &options, &text[0], needed + 1, nullptr);
    text.resize(needed);
  }
  TSR__CPP_RETURN(st, tsr_error(detail::current), text);
}

/** "f32 [2,3]": dtype, shape, and layout and strides where they are not the plain ones. */
inline std::string description(input in) {
  char text[256];
  const std::size_t n = tsr_desc_format(in.c(), text, sizeof text);
  return std::string(text, n < sizeof text ? n : sizeof text - 1);
}

/** Prints it. */
template <class C, class T, class X, std::enable_if_t<std::is_same_v<X, tensor> || std::is_same_v<X, view>, int> = 0>
std::basic_ostream<C, T> &operator<<(std::basic_ostream<C, T> &to, const X &x) {
#ifndef TSR_CPP_NO_EXCEPTIONS
  return to << to_text(x).c_str();
#else
  return to << to_text(x).value().c_str();
#endif
}

/** Tensors by name, in order, each name once. */
class bundle {
 public:
  bundle() noexcept = default;
  bundle(bundle &&other) noexcept : b_(std::exchange(other.b_, tsr_bundle())) {}
  bundle &operator=(bundle &&other) noexcept {
    std::swap(b_, other.b_);
    return *this;
  }
  ~bundle() { tsr_bundle_release(&b_); }

  /** Takes a tensor over. */
  returns<void> add(const char *name, tensor &&t) {
    const tsr_status st = tsr_bundle_add(detail::current, &b_, name, t.c_out());
    TSR__CPP_RETURN_NOTHING(st, tsr_error(detail::current));
  }
  /** The tensor of that name, lent until the bundle changes. */
  returns<view> operator[](const char *name) const TSR__CPP_BORROWS {
    const tsr_tensor *t = nullptr;
    const tsr_status st = tsr_bundle_get(detail::current, &b_, name, &t);
    view v = t != nullptr ? view(*t) : view();
    TSR__CPP_RETURN(st, tsr_error(detail::current), v);
  }
  bool has(const char *name) const noexcept { return tsr_bundle_find(&b_, name) != nullptr; }
  /** Hands one out. */
  returns<tensor> take(const char *name) {
    tensor y;
    const tsr_status st = tsr_bundle_take(detail::current, &b_, name, y.c_out());
    TSR__CPP_RETURN(st, tsr_error(detail::current), y);
  }
  tsr_index size() const noexcept { return b_.count; }
  view at(tsr_index i) const noexcept TSR__CPP_BORROWS {
    return view(b_.tensors[i]);
  } /**< number i, not checked; it has its name */
  const tsr_bundle *c() const noexcept { return &b_; }
  /** @cond internal */
  tsr_bundle *c_out() noexcept { return &b_; }
  /** @endcond */

 private:
  tsr_bundle b_ = {};
};

#if TSR_HAVE_STDIO
/** What is in a file: .npy, .npz, safetensors, GGUF, CSV, PNG, PGM, PPM, by its content; mapped where that is possible, and read-only then. */
inline returns<bundle> load(const char *path) {
  bundle all;
  const tsr_status st = tsr_bundle_load(detail::current, path, all.c_out(), nullptr);
  TSR__CPP_RETURN(st, tsr_error(detail::current), all);
}
/** Writes a file, in the format that its name ends with. */
inline returns<void> save(const char *path, const bundle &all) {
  const tsr_status st = tsr_bundle_save(detail::current, path, TSR_FORMAT_AUTO, all.c(), nullptr);
  TSR__CPP_RETURN_NOTHING(st, tsr_error(detail::current));
}
#endif

}  // namespace TSR__CPP_MODE
}  // namespace tsr

#endif
