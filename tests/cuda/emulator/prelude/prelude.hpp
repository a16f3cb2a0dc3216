// Before every kernel text: makes CUDA C++ of C++. What lies behind the text is epilogue.hpp.
#define TSR_CUDA_EMULATED 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ thread_local  // of the thread that runs the block: nobody else has it
#define __grid_constant__
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __assume(x) ((void)(x))
#define __builtin_assume(x) ((void)(x))
#define __CUDA_ALIGN__(n) __align__(n)
#define EMU_PLAIN __attribute__((no_sanitize("thread")))  // what the emulator does is not an access of the kernel

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#include "../machine.h"
#include "types.hpp"

// Const to kernels, so that no access to them is checked; the driver writes them before.
extern const struct emulated_hooks emu_hook_table asm("emu_hook_memory");
#define emu_hooks (&emu_hook_table)
extern const uint3 threadIdx asm("emu_thread_index");
extern const uint3 blockIdx asm("emu_block_index");
extern const dim3 blockDim asm("emu_block_dim");
extern const dim3 gridDim asm("emu_grid_dim");
static const int warpSize = 32;

#include "math.hpp"
#include "memory.hpp"
#include "warp.hpp"
