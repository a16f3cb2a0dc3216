/** @file dtype.h
 *  Element types: one list says everything about them. */
#ifndef TESSERA_DTYPE_H
#define TESSERA_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tessera/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The classes of dtypes. */
typedef enum tsr_class {
  TSR_CLASS_NONE = 0,
  TSR_CLASS_BOOL = 1,
  TSR_CLASS_INT = 2,  /**< signed integers */
  TSR_CLASS_UINT = 3, /**< unsigned integers */
  TSR_CLASS_FLOAT = 4,
  TSR_CLASS_COMPLEX = 5
} tsr_class;

/** Id, number, bytes, class, name, .npy kind and size, safetensors name. Numbers never change and are the same in every
 *  configuration, whether the dtype is compiled in or not. NumPy has no type for bf16 and f8: its files carry V2 and V1. */
#define TSR_DTYPE_LIST(X)                              \
  X(BOOL, 1, 1, BOOL, "bool", "b1", "BOOL")            \
  X(I8, 2, 1, INT, "i8", "i1", "I8")                   \
  X(I16, 3, 2, INT, "i16", "i2", "I16")                \
  X(I32, 4, 4, INT, "i32", "i4", "I32")                \
  X(I64, 5, 8, INT, "i64", "i8", "I64")                \
  X(U8, 6, 1, UINT, "u8", "u1", "U8")                  \
  X(U16, 7, 2, UINT, "u16", "u2", "U16")               \
  X(U32, 8, 4, UINT, "u32", "u4", "U32")               \
  X(U64, 9, 8, UINT, "u64", "u8", "U64")               \
  X(F16, 10, 2, FLOAT, "f16", "f2", "F16")             \
  X(BF16, 11, 2, FLOAT, "bf16", "V2", "BF16")          \
  X(F32, 12, 4, FLOAT, "f32", "f4", "F32")             \
  X(F64, 13, 8, FLOAT, "f64", "f8", "F64")             \
  X(F8_E4M3, 14, 1, FLOAT, "f8_e4m3", "V1", "F8_E4M3") \
  X(F8_E5M2, 15, 1, FLOAT, "f8_e5m2", "V1", "F8_E5M2") \
  X(C64, 16, 8, COMPLEX, "c64", "c8", "C64")           \
  X(C128, 17, 16, COMPLEX, "c128", "c16", "C128")

/** The dtypes; 0 is none. */
typedef enum tsr_dtype {
  TSR_NONE = 0,
#define X(id, number, bytes, class, name, npy, st) TSR_##id = number,
  TSR_DTYPE_LIST(X)
#undef X
      TSR_DTYPE_COUNT
} tsr_dtype;

/** What the list says of one dtype. */
typedef struct tsr_dtype_info {
  uint8_t dtype;           /**< TSR_F32 … */
  uint8_t bytes;           /**< of one element */
  uint8_t class_;          /**< TSR_CLASS_FLOAT … */
  uint8_t align;           /**< data is aligned to this: the bytes of an element, of one part for complex dtypes */
  const char *name;        /**< "f32" */
  const char *npy;         /**< "f4" */
  const char *safetensors; /**< "F32" */
} tsr_dtype_info;

/** All about a dtype; NULL when the number is none of them. */
TSR_API const tsr_dtype_info *tsr_dtype_describe(int dtype);

/** Bytes of one element; 0 when the number is no dtype. */
TSR_API size_t tsr_dtype_size(int dtype);

/** "f32"; "none" when the number is no dtype. */
TSR_API const char *tsr_dtype_name(int dtype);

/** The dtype called name ("f32"), or TSR_NONE. */
TSR_API int tsr_dtype_find(const char *name);

/** Whether this build can convert and compute with the dtype. Others can be moved, viewed and copied as they are. */
TSR_API bool tsr_dtype_supported(int dtype);

#ifdef __cplusplus
}
#endif

#endif
