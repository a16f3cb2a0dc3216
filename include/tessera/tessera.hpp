/** @file tessera.hpp
 *  Tessera for C++17: a header over the C library, without code of its own to link.
 *
 *      #include <tessera/tessera.hpp>
 *
 *      tsr::tensor a = tsr::arange<float>(12), b = tsr::ones({3, 4});
 *      tsr::tensor x = tsr::reshape(std::move(a), {3, 4});
 *      tsr::tensor y = gelu(x * b + 0.5);                 // one pass over memory, the bits of the single calls
 *      y({0, 2}, -1) = 0;                                 // y[0:2, -1] = 0
 *      float sum = tsr::sum(y).item<float>();
 *
 *  tsr::tensor owns and is moved, .share() and .clone() say what a copy would be; tsr::view borrows; any function takes both. Every op
 *  is a function of its name: what must be given in the order of the C function, then what may be left out by its name,
 *  softmax(x, tsr::arg::axis = 0), and tsr::out(y) where the result is to be written. Operators make expressions, which
 *  are computed when they become a tensor. Calls are made with the default context, or with the one that a tsr::with names.
 *
 *  A failure is a tsr::error, with the library's status and sentence. Without exceptions (TSR_CPP_NO_EXCEPTIONS is defined, or the
 *  compiler's option) functions give a tsr::result of what they otherwise give. docs/cpp.md has the rest. */
#ifndef TESSERA_TESSERA_HPP
#define TESSERA_TESSERA_HPP

#include <tessera/tessera.h>

#include <tessera/cpp/result.hpp>   /* failures; the context that calls are made with */
#include <tessera/cpp/lists.hpp>    /* dtypes of C++ types; shapes, axes, values by name */
#include <tessera/cpp/elements.hpp> /* typed elements */
#include <tessera/cpp/tensor.hpp>   /* tensor, view, slices */
#include <tessera/cpp/call.hpp>     /* how a function of C becomes one of C++ */
#include <tessera/cpp/arrays.hpp>   /* listed numbers, arrays, functions of the program */
#include <tessera/cpp/expr.hpp>     /* operators and expressions */
#include <tessera/ops.hpp>          /* every op, written by the build */
#include <tessera/cpp/machine.hpp>  /* contexts, memory, threads, devices, queues */
#include <tessera/cpp/files.hpp>    /* text, files, named tensors */

#endif
