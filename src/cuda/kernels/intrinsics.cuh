/* What is not C++: instructions of the device, each with a form that any compiler takes beside it (TSR_CUDA_EMULATED), and the names
 * that the host's headers use for operations that round once. */

#ifdef TSR_CUDA_EMULATED

static inline uint32_t tsr__bits_of_f32(float x) { return __builtin_bit_cast(uint32_t, x); }
static inline float tsr__f32_of_bits(uint32_t x) { return __builtin_bit_cast(float, x); }
static inline uint64_t tsr__bits_of_f64(double x) { return __builtin_bit_cast(uint64_t, x); }
static inline double tsr__f64_of_bits(uint64_t x) { return __builtin_bit_cast(double, x); }

#define TSR__UNROLL(n)
#define TSR__UNROLL_BY(n)
#define memcpy __builtin_memcpy
#ifndef NULL
#define NULL nullptr
#endif

/* Any float of 16 bits: through f32's bits, rounded to nearest even. */
static inline float tsr__f32_of_f16(uint16_t x) {
  const uint32_t size = x & 0x7fffu, sign = (uint32_t)(x & 0x8000u) << 16;
  if (size > 0x7c00u) return tsr__f32_of_bits(0x7fffffffu);
  if (size == 0x7c00u) return tsr__f32_of_bits(sign | 0x7f800000u);
  return tsr__f32_of_bits(sign | tsr__bits_of_f32(tsr__f32_of_bits(size << 13) * 0x1p112f));
}
static inline uint16_t tsr__f16_of_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x), size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
  if (size > 0x7f800000u) return 0x7fff;
  if (size >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u); /* 65520 rounds to infinity */
  if (size < 0x38800000u)
    return (uint16_t)(sign | (tsr__bits_of_f32(tsr__f32_of_bits(size) + 0.5f) - tsr__bits_of_f32(0.5f)));
  return (uint16_t)(sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);
}
static inline uint16_t tsr__bf16_of_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

static inline float tsr__ratio_plain_f32(float p, float q) { return p / q; }
static inline float tsr__root_f32(float x) { return __builtin_sqrtf(x); }

/* 16 bytes from global to shared memory, past the registers; they are there after the wait, for this thread. */
static inline void tsr__copy_async(void *to, const void *from) { emu_copy_async(to, from, 16); }
static inline void tsr__copy_wait() {
  emu_copy_commit();
  emu_copy_wait(0);
}

static inline uint2 tsr__wide_product(uint32_t a, uint32_t b) {
  const uint64_t product = (uint64_t)a * b;
  return make_uint2((uint32_t)product, (uint32_t)(product >> 32));
}

#define TSR__FORGET(word) ((void)(word))
#define TSR__STORE(p, v) (*(p) = (v))
/* Many bytes from global to shared memory by one thread; all threads wait, for what one gate has let through. */
static inline void tsr__gate_open(uint64_t *) {}
static inline void tsr__gate_expect(uint64_t *, uint32_t) {}
static inline void tsr__copy_bulk(void *to, const void *from, uint32_t bytes, uint64_t *) {
  emu_copy_async(to, from, (int)bytes);
}
static inline void tsr__gate_wait(uint64_t *, uint32_t) {
  tsr__copy_wait();
  __syncthreads();
}
static inline void tsr__gate_again() {}

/* The greater one; NaN where one is. */
static inline float tsr__greater_f32(float a, float x) { return (x > a) | (x != x) ? x : a; }

#define TSR__LOAD_ONCE(p) (*(p))
#define TSR__STORE_ONCE(p, v) (*(p) = (v))
#define TSR__LOAD_CONST(p) (*(p))

#else

#pragma nv_diag_suppress 177, 186 /* what a line does not use; x < 0 of an unsigned x in a template */
#define tsr__bits_of_f32 __float_as_uint
#define tsr__f32_of_bits __uint_as_float
static inline uint64_t tsr__bits_of_f64(double x) { return (uint64_t)__double_as_longlong(x); }
static inline double tsr__f64_of_bits(uint64_t x) { return __longlong_as_double((long long)x); }

#define __builtin_fmaf __fmaf_rn
#define __builtin_fma __fma_rn
#define __builtin_sqrtf __fsqrt_rn
#define __builtin_sqrt __dsqrt_rn
#define __builtin_rintf rintf
#define __builtin_floorf floorf
#define __builtin_ceilf ceilf
#define __builtin_truncf truncf
#define __builtin_rint rint
#define __builtin_floor floor
#define __builtin_ceil ceil
#define __builtin_trunc trunc
#define __builtin_inff() __uint_as_float(0x7f800000u)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nanf(text) __uint_as_float(0x7fc00000u)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000ll)
#define __builtin_clzll __clzll
#define __builtin_expect(x, likely) (x)
#define TSR__UNROLL(n) _Pragma("unroll")
#define TSR__PRAGMA(words) _Pragma(#words)
#define TSR__UNROLL_BY(n) TSR__PRAGMA(unroll n) /* of a loop whose end is not known: loads of so many rounds run ahead */

static inline float tsr__f32_of_f16(uint16_t x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}
static inline uint16_t tsr__f16_of_f32(float x) {
  uint16_t y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
static inline uint16_t tsr__bf16_of_f32(float x) {
  uint16_t y;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}

/* What / does, without its checks: where p is 0 or at least 2^-90, and neither operand nor the quotient is near the other end of the range. A
 * reciprocal that is off by a bit, a step to the right one, the quotient, and what is left of p. */
static inline float tsr__ratio_plain_f32(float p, float q) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(q));
  r = __fmaf_rn(r, __fmaf_rn(-q, r, 1.0f), r);
  const float y = p * r;
  return __fmaf_rn(__fmaf_rn(q, y, -p), -r, y); /* with these signs -0 stays -0 */
}

/* The same of a p as small as it may be: 2^64 go in, so that what is left of it is exact, and come out again, which rounds only where the
 * quotient is subnormal. There q is 2 or -1 in all functions that call it, and nothing is left to round. */
#define TSR__OWN_RATIO
static inline float tsr__ratio_f32(float p, float q) { return tsr__ratio_plain_f32(p * 0x1p64f, q) * 0x1p-64f; }

/* The root of 0 and of numbers from 2^-100 to 2^100: what sqrt does, without its checks. */
static inline float tsr__root_f32(float x) {
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fmaxf(x, 0x1p-100f)));
  const float y = x * r;
  return __fmaf_rn(__fmaf_rn(-y, y, x), r * 0.5f, y);
}

/* 16 bytes from global to shared memory, past the registers; they are there after the wait, for this thread. */
static inline void tsr__copy_async(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
#else
  *(uint4 *)to = *(const uint4 *)from;
#endif
}
static inline void tsr__copy_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
#endif
}

/* The 64 bits of a product, the lower ones first. */
static inline uint2 tsr__wide_product(uint32_t a, uint32_t b) {
  uint2 y;
  asm("{.reg .b64 p;\n mul.wide.u32 p, %2, %3;\n mov.b64 {%0, %1}, p;}" : "=r"(y.x), "=r"(y.y) : "r"(a), "r"(b));
  return y;
}

/* The compiler knows no longer what a word of 32 bits holds. */
#define TSR__FORGET(word) asm volatile("" : "+r"(word))

/* A store that stays whole: the compiler splits plain ones where it does not see how an address is aligned. */
#define TSR__STORE __stwb

/* Many bytes from global to shared memory by one thread, multiples of 16; all threads wait, for what one gate has let through: the first
 * time with turn 0, then 1, 0, and so on. */
#if __CUDA_ARCH__ >= 900
static inline uint32_t tsr__shared_at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
static inline void tsr__gate_open(uint64_t *gate) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(tsr__shared_at(gate)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
static inline void tsr__gate_expect(uint64_t *gate, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(tsr__shared_at(gate)), "r"(bytes) : "memory");
}
static inline void tsr__copy_bulk(void *to, const void *from, uint32_t bytes, uint64_t *gate) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(tsr__shared_at(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(tsr__shared_at(gate))
               : "memory");
}
static inline void tsr__gate_wait(uint64_t *gate, uint32_t turn) {
  uint32_t done = 0;
  while (done == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(tsr__shared_at(gate)), "r"(turn)
                 : "memory");
}
/* What this thread did to shared memory comes before what is copied there next. */
static inline void tsr__gate_again() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#endif

/* The greater one; NaN where one is. */
static inline float tsr__greater_f32(float a, float x) {
#if __CUDA_ARCH__ >= 800
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(x));
  return y;
#else
  return (x > a) | (x != x) ? x : a;
#endif
}

/* Loads and stores with a mark that the line is used once; loads of what no kernel writes meanwhile. */
#define TSR__LOAD_ONCE __ldcs
#define TSR__STORE_ONCE __stcs
#define TSR__LOAD_CONST __ldg

#endif
