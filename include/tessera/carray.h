/** @file carray.h
 *  Tensors as C source: constants that a program is compiled with, in flash on a microcontroller. */
#ifndef TESSERA_CARRAY_H
#define TESSERA_CARRAY_H

#include <tessera/bundle.h>
#include <tessera/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to write; 0 is the default of each. */
typedef struct tsr_carray_options {
  const char *prefix;            /**< begins every name: part of a C identifier; NULL: none */
  int align;                     /**< of the data: a power of two, 1 … 4096; 0: 64 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_carray_options;

/** Writes a bundle as a header for C11 and C++17: for each tensor a constant array NAME_data, aligned, and a constant
 *  tsr_tensor NAME over it, TSR_READONLY, row-major, with its layout. Nothing runs when the program starts, and nothing
 *  of it is in RAM. Floats are written with the digits that read back as the same number, or as their bits where C has
 *  no literal (f16, bf16, f8, and all of an array that has a NaN or an infinity). options may be NULL.
 *
 *  NAME is the prefix and the tensor's name, by rules that need nothing but the names and their order:
 *  1. Bytes that C names do not have become '_': conv1.weight is conv1_weight. A name that would begin with a digit
 *     begins with '_'.
 *  2. What C, C++ or this library have for themselves gets t_ in front: keywords, the functions, types and macros of
 *     the ISO C library, macros such as linux, names that are empty or only '_', or that begin with two '_', with '_'
 *     and a capital, with tsr_ or TSR_. A tensor int is t_int.
 *  3. Where several tensors would have one name, it goes to the first whose own name it is, else to the first of them;
 *     the others get _2, _3 and so on in their order, past names that are taken: a.b beside a_b is a_b_2.
 *  4. Arrays come last: that of x is x_data_2 where a tensor is called x_data.
 *  A comment has the tensor's own name where NAME is another. */
TSR_API TSR_MUST_USE tsr_status tsr_carray_write(tsr_ctx *ctx, const tsr_bundle *bundle,
                                                 const tsr_carray_options *options, const tsr_sink *sink);

#if TSR_HAVE_STDIO
/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_carray_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                                                const tsr_carray_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
