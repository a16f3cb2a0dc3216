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
  const char *prefix; /**< begins every name: part of a C identifier; NULL: none */
  int         align;  /**< of the data: a power of two, 1 … 4096; 0: 64 */
} tsr_carray_options;

/** Writes a bundle as a C header: for each tensor a constant array NAME_data, aligned, and a constant tsr_tensor NAME
 *  over it, TSR_READONLY, row-major, with its layout. Nothing runs when the program starts, and nothing of it is in RAM.
 *  Characters that C names do not have become '_'; TSR_ENAME when two names become one. Floats are written with the
 *  digits that read back as the same number, or as their bits where C has no literal (f16, bf16, f8, and all of an array
 *  that has a NaN or an infinity). options may be NULL. */
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
