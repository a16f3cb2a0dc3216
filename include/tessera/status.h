/** @file status.h
 *  Status codes: how every function that can fail says so. The text is with the context that was given to the call:
 *  tsr_error(&ctx) after a call with &ctx, tsr_error(NULL) after one with NULL. */
#ifndef TESSERA_STATUS_H
#define TESSERA_STATUS_H

#include <tessera/config.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks what the library exports; everything else is hidden. On Windows a program may define TSR_IMPORTS where it uses the DLL: calls are
 * then direct. Without it the same program links with the DLL and with the static library. */
#if defined(_WIN32) && defined(TSR_EXPORTS)
#define TSR_API __declspec(dllexport)
#elif defined(_WIN32) && defined(TSR_IMPORTS)
#define TSR_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define TSR_API __attribute__((visibility("default")))
#else
#define TSR_API
#endif

/** Compilers warn when the result is ignored, where they can. */
#if defined(__GNUC__)
#define TSR_MUST_USE __attribute__((warn_unused_result))
#else
#define TSR_MUST_USE
#endif

/** The closed list: name, number, meaning. Numbers never change. */
#define TSR_STATUS_LIST(X)                                     \
  X(OK, 0, "ok")                                               \
  X(ENOMEM, 1, "out of memory")                                \
  X(EARG, 2, "invalid argument")                               \
  X(ESHAPE, 3, "shapes do not fit")                            \
  X(EDTYPE, 4, "dtype not supported here")                     \
  X(EAXIS, 5, "axis out of range")                             \
  X(EINDEX, 6, "index out of range")                           \
  X(ERANGE, 7, "value does not fit its type")                  \
  X(EOVERFLOW, 8, "size does not fit its integer type")        \
  X(ELAYOUT, 9, "layout not supported here")                   \
  X(ESTRIDE, 10, "strides do not allow a view")                \
  X(EALIGN, 11, "data not aligned to its item size")           \
  X(EREADONLY, 12, "tensor is read-only")                      \
  X(EOVERLAP, 13, "two indices of an output share an address") \
  X(ESTATE, 14, "tensor is in the wrong state")                \
  X(ECAPACITY, 15, "does not fit the storage")                 \
  X(EDEVICE, 16, "memory of another device")                   \
  X(ESCRATCH, 17, "scratch memory too small")                  \
  X(ENAME, 18, "name unknown or taken")                        \
  X(EIO, 19, "reading or writing failed")                      \
  X(EFORMAT, 20, "malformed input")                            \
  X(EUNSUPPORTED, 21, "not supported")                         \
  X(ELIMIT, 22, "over a limit")                                \
  X(ESINGULAR, 23, "matrix is singular")                       \
  X(ENOTPOSITIVE, 24, "matrix is not positive definite")       \
  X(ECONVERGENCE, 25, "iteration did not converge")

/** The result of every function that can fail. TSR_OK is 0. */
typedef enum tsr_status_code {
#define X(name, number, text) TSR_##name = number,
  TSR_STATUS_LIST(X)
#undef X
} tsr_status_code;

/** An int that holds a tsr_status_code: the same size on every target. */
typedef int tsr_status;

/** The name of a status: "TSR_ESHAPE". Never NULL. */
TSR_API const char *tsr_status_name(tsr_status status);

/** The meaning of a status: "shapes do not fit". Never NULL. */
TSR_API const char *tsr_status_text(tsr_status status);

/** Runs call, keeps its status in st, and goes to label when it is not TSR_OK. */
#define TSR_TRY(st, call, label)    \
  do {                              \
    (st) = (call);                  \
    if ((st) != TSR_OK) goto label; \
  } while (0)

/** Runs call and drops its status, on purpose: a cast to void does not silence the warning. */
#define TSR_IGNORE(call)                    \
  do {                                      \
    const tsr_status tsr__ignored = (call); \
    (void)tsr__ignored;                     \
  } while (0)

/** "0.2.0". */
TSR_API const char *tsr_version(void);

/** What the sizes of the structs depend on: rank, bits of tsr_index and of tsr_real, texts, threads. A program in another
 *  language, which the linker does not stop, compares it with the one that it was made for: "d8i64r64t1x256p1". */
TSR_API const char *tsr_build_tag(void);

/** One line: version, profile, compiler, instruction sets, what is configured in. */
TSR_API const char *tsr_build_info(void);

#ifdef __cplusplus
}
#endif

#endif
