/* The smallest and the largest number of every compute type, as limit_min_i8, limit_max_i8 …: what a search for the
 * other starts with. */
#ifndef TSR_OPS_REDUCE_LIMITS_H
#define TSR_OPS_REDUCE_LIMITS_H

#include <stdint.h>

#define limit_min_i8 INT8_MIN
#define limit_min_i16 INT16_MIN
#define limit_min_i32 INT32_MIN
#define limit_min_i64 INT64_MIN
#define limit_min_u8 0
#define limit_min_u16 0
#define limit_min_u32 0
#define limit_min_u64 0
#define limit_min_f32 (-__builtin_inff())
#define limit_min_f64 (-__builtin_inf())

#define limit_max_i8 INT8_MAX
#define limit_max_i16 INT16_MAX
#define limit_max_i32 INT32_MAX
#define limit_max_i64 INT64_MAX
#define limit_max_u8 UINT8_MAX
#define limit_max_u16 UINT16_MAX
#define limit_max_u32 UINT32_MAX
#define limit_max_u64 UINT64_MAX
#define limit_max_f32 __builtin_inff()
#define limit_max_f64 __builtin_inf()

#endif
