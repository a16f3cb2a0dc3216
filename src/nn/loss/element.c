/* One element of any dtype as a number. */
#include "core/dtypes.h"
#include "nn/loss/loss.h"

#if TSR_REAL_BITS == 64
#define FROM_REAL(dtype) dtype##_from_f64
#else
#define FROM_REAL(dtype) dtype##_from_f32
#endif

/* clang-format off */
#define LOAD(dtype, type) \
  case dtype: return (tsr_real)type##_load(*(const type##_mem *)(const void *)at);
#define STORE(dtype, type) \
  case dtype: *(type##_mem *)(void *)at = FROM_REAL(type)(value); break;
/* clang-format on */

#if TSR_HAVE_SMALL_FLOATS
#define SMALL(X) X(TSR_F16, f16) X(TSR_BF16, bf16) X(TSR_F8_E4M3, f8_e4m3) X(TSR_F8_E5M2, f8_e5m2)
#else
#define SMALL(X)
#endif
#if TSR_HAVE_F64
#define DOUBLE(X) X(TSR_F64, f64)
#else
#define DOUBLE(X)
#endif
#define FLOATS(X) X(TSR_F32, f32) SMALL(X) DOUBLE(X)

tsr_real tsr__loss_load(int dtype, const char *at) {
  switch (dtype) {
    FLOATS(LOAD)
    default: return 0;
  }
}

void tsr__loss_store(int dtype, tsr_real value, char *at) {
  switch (dtype) {
    FLOATS(STORE)
    default: break;
  }
}

#define CLASS(dtype, type) \
  case dtype: return (int64_t)type##_load(*(const type##_mem *)(const void *)at);

int64_t tsr__loss_class(int dtype, const char *at) {
  switch (dtype) {
    CLASS(TSR_I8, i8)
    CLASS(TSR_I16, i16)
    CLASS(TSR_I32, i32)
    CLASS(TSR_I64, i64)
    CLASS(TSR_U8, u8)
    CLASS(TSR_U16, u16)
    CLASS(TSR_U32, u32)
    case TSR_U64: {
      const uint64_t value = *(const u64_mem *)(const void *)at;
      return value > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)value;
    }
    default: return INT64_MAX;
  }
}
