/* The kernels of integers, which wrap; compiled once per instruction set. */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#define TARGET
#define DIRECT 0

#define TYPE i32
#define NUMBER int32_t
#define DTYPE TSR_I32
#define BYTES 4
#define STEPS 512
#include "ops/matmul/entry.tmpl.h"

#define TYPE i64
#define NUMBER int64_t
#define DTYPE TSR_I64
#define BYTES 8
#define STEPS 256
#include "ops/matmul/entry.tmpl.h"

#endif
