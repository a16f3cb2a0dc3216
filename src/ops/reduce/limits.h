/* The least and the greatest number of every compute type, as least_i8, greatest_i8 …: what a search for the other
 * starts
 * with. */
#ifndef TSR_OPS_REDUCE_LIMITS_H
#define TSR_OPS_REDUCE_LIMITS_H

#include <stdint.h>

#define least_i8 INT8_MIN
#define least_i16 INT16_MIN
#define least_i32 INT32_MIN
#define least_i64 INT64_MIN
#define least_u8 0
#define least_u16 0
#define least_u32 0
#define least_u64 0
#define least_f32 (-__builtin_inff())
#define least_f64 (-__builtin_inf())

#define greatest_i8 INT8_MAX
#define greatest_i16 INT16_MAX
#define greatest_i32 INT32_MAX
#define greatest_i64 INT64_MAX
#define greatest_u8 UINT8_MAX
#define greatest_u16 UINT16_MAX
#define greatest_u32 UINT32_MAX
#define greatest_u64 UINT64_MAX
#define greatest_f32 __builtin_inff()
#define greatest_f64 __builtin_inf()

#endif
