/* log, log2, log10, log1p in f64, of positive numbers that are normal: x = 2^k·m, and m by the factor of its part is
 * 1+r with |r| < 0.031. Logarithms of factors, and of 2 but for its last digits, are multiples of 2^-42, so that k
 * times the one and the other are summed exactly. Factors and coefficients are those of scripts/derive_polynomials.py.
 */
#ifndef TSR_CPU_MATH_LOG_F64_H
#define TSR_CPU_MATH_LOG_F64_H

#include "cpu/vec/polynomial.h"

#if TSR__WIDE

/* The 16 parts of [0.698, 1.396) are as many of the same size in bits; 1 lies in one whose factor is 1. */
typedef struct tsr__logarithm {
  double factor[16], log[16]; /* log is that of 1/factor */
  double two, two_low, slope; /* the logarithms of 2, as a sum, and of e */
  double rest[8];             /* log(1+r) less slope·r, by r² */
} tsr__logarithm;

static const tsr__logarithm tsr__logarithm_e = {
    {0x1.66a3fa068f594p+0, 0x1.5782c4c3ee160p+0, 0x1.49c9446ad0cb8p+0, 0x1.3d1506d3a9668p+0, 0x1.311e1b4149434p+0,
     0x1.26386ac1fe304p+0, 0x1.1beedbb0ca270p+0, 0x1.128f7672031ccp+0, 0x1.09a7fa3fca5b0p+0, 1, 0x1.e697414b268f8p-1,
     0x1.cb698751ce3c8p-1, 0x1.b2eb2d82891bcp-1, 0x1.9d49e2d96c164p-1, 0x1.8933b9ba1a990p-1, 0x1.771c597336668p-1},
    {-0x1.593c0d6409000p-2, -0x1.2d191f9edf000p-2, -0x1.035874d67d000p-2, -0x1.b63ced85f2000p-3, -0x1.6776f28018000p-3,
     -0x1.1cfb87b098000p-3, -0x1.a82f91a244000p-4, -0x1.1eb1da61b4000p-4, -0x1.2f4fe6f618000p-5, 0,
     0x1.a0fb2ca1b8000p-5, 0x1.bbe93db81c000p-4, 0x1.4e29c321b8000p-3, 0x1.b6a330225c000p-3, 0x1.0e56484b59000p-2,
     0x1.3e91df7bbd000p-2},
    0x1.62e42fefa3800p-1,
    0x1.ef35793c76730p-45,
    1,
    {-0x1.fffffffffffc3p-2, 0x1.55555555554a8p-2, -0x1.00000000c8f9bp-2, 0x1.9999999c678ddp-3, -0x1.55553f0c15856p-3,
     0x1.24922b8b0c9eep-3, -0x1.0075148819c47p-3, 0x1.c8178b58e5f33p-4}};

static const tsr__logarithm tsr__logarithm_2 = {
    {0x1.669f15b671ce0p+0, 0x1.57af6ef185cdcp+0, 0x1.49ec81e90f970p+0, 0x1.3d35602cd99f0p+0, 0x1.313cf692d9780p+0,
     0x1.26729f34d1828p+0, 0x1.1c2fd00143d10p+0, 0x1.1290a1276ca18p+0, 0x1.099205906e478p+0, 1, 0x1.e6941afb292b4p-1,
     0x1.cb50e8f2ed750p-1, 0x1.b2c80ec448cb4p-1, 0x1.9cea72b7a8fc0p-1, 0x1.895d6d3855690p-1, 0x1.771dfba19bbdcp-1},
    {-0x1.f1fd4fe1c5000p-2, -0x1.b32497e6be000p-2, -0x1.76c5e5cff6000p-2, -0x1.3cb5e4763b000p-2, -0x1.03e1e5c28c000p-2,
     -0x1.9d6cdd531e000p-3, -0x1.349fe126aa000p-3, -0x1.9db60f9b08000p-4, -0x1.b1c54fedb8000p-5, 0,
     0x1.2cf00f6b64000p-4, 0x1.40d52ccf90000p-3, 0x1.e3071311ce000p-3, 0x1.3dbe458eb0000p-2, 0x1.8566ea539d000p-2,
     0x1.cb92ef4e1a000p-2},
    1,
    0,
    0x1.71547652b82fep+0,
    {-0x1.71547652b82d2p-1, 0x1.ec709dc3a0303p-2, -0x1.71547653da221p-2, 0x1.2776c510ffa4ep-2, -0x1.ec707d9cb0ef3p-3,
     0x1.a61737f3a034fp-3, -0x1.71fd5f8bbf480p-3, 0x1.490035318b457p-3}};

static const tsr__logarithm tsr__logarithm_10 = {
    {0x1.66559ef1eff40p+0, 0x1.57e9d6381de00p+0, 0x1.49f3e92730bb8p+0, 0x1.3d1bdd6ace530p+0, 0x1.3119d9f6b1c78p+0,
     0x1.26a02cd5d805cp+0, 0x1.1c8293896feccp+0, 0x1.1244e9b34b784p+0, 0x1.09f0a6f0e5958p+0, 1, 0x1.e60cedd3ab9ecp-1,
     0x1.cb8105f29b7ecp-1, 0x1.b357fabde35e8p-1, 0x1.9ccfecf646038p-1, 0x1.88c3ff408cbe0p-1, 0x1.76d83a28b4d5cp-1},
    {-0x1.2b1b8803ba000p-3, -0x1.069286b0d0000p-3, -0x1.c36d78a1fc000p-4, -0x1.7ccc6d2568000p-4, -0x1.38214eefc8000p-4,
     -0x1.f3f686a4b0000p-5, -0x1.77aa7fd6b0000p-5, -0x1.ea7d219700000p-6, -0x1.0f0da0a050000p-6, 0,
     0x1.72174d1340000p-6, 0x1.80dd99d120000p-5, 0x1.20834f65ac000p-4, 0x1.7f0c213d68000p-4, 0x1.d7995f88b4000p-4,
     0x1.155660b6ce000p-3},
    0x1.34413509f8000p-2,
    -0x1.80433b83b532ap-44,
    0x1.bcb7b1526e50ep-2,
    {-0x1.bcb7b1526e4d9p-3, 0x1.287a7636f42c8p-3, -0x1.bcb7b153cb722p-4, 0x1.63c6277794a8ep-4, -0x1.287a62db6ff96p-4,
     0x1.fc3f72a98f49fp-5, -0x1.bd8314f141312p-5, 0x1.8c280d36f765cp-5}};

#define TSR__LOG_START_F64 UINT64_C(0x3fe655555555555f)
#define TSR__LOG_UP_F64 (UINT64_C(1024) << 52) /* keeps exponents positive */
#define TSR__LOG_TOP_F64 (UINT64_C(0xfff) << 52)

typedef struct tsr__log_split_wide {
  tsr__vf64 k;
  tsr__vu64 exponent; /* k in the place of an exponent */
  tsr__vu64 part;
} tsr__log_split_wide;

TSR__INLINE tsr__log_split_wide tsr__log_split_vf64(tsr__vf64 x, uint64_t start) {
  const tsr__vu64 moved = (tsr__vu64)x - (start - TSR__LOG_UP_F64);
  const tsr__vf64 k = (tsr__vf64)((moved >> 52) | UINT64_C(0x4330000000000000)) - (0x1p52 + 1024);
  return (tsr__log_split_wide){k, (moved & TSR__LOG_TOP_F64) - TSR__LOG_UP_F64, moved >> 48};
}

/* k·log 2 + log of a part + log(1+r): the larger terms summed with what rounding takes. */
TSR__INLINE tsr__vf64 tsr__log_join_vf64(const tsr__logarithm *base, tsr__log_split_wide s, tsr__vf64 r) {
  const tsr__vf64 top = tsr__vf64_by(s.k, base->two, tsr__vf64_of_16(base->log, s.part));
  const bool natural = base->slope == 1;
  const tsr__vf64 first = natural ? r : r * base->slope, sum = top + first, lost = (top - sum) + first;
  const tsr__vf64 more = natural ? lost : lost + tsr__vf64_by(r, base->slope, -first);
  const tsr__vf64 low = base->two_low == 0 ? more : tsr__vf64_by(s.k, base->two_low, more);
  return sum + tsr__vf64_madd(r * r, tsr__vf64_polynomial(r, base->rest, 7), low);
}

TSR__INLINE tsr__vf64 tsr__log_of_base_vf64(const tsr__logarithm *base, tsr__vf64 x) {
  const tsr__log_split_wide s = tsr__log_split_vf64(x, TSR__LOG_START_F64);
  const tsr__vf64 m = (tsr__vf64)((tsr__vu64)x - s.exponent);
  return tsr__log_join_vf64(base, s, tsr__vf64_step(m, tsr__vf64_of_16(base->factor, s.part), -1));
}

#define TSR__LOG_LOW_F64 0x1p-1022
#define TSR__LOG_HIGH_F64 0x1.fffffffffffffp1023
#define TSR__LOG2_LOW_F64 TSR__LOG_LOW_F64
#define TSR__LOG2_HIGH_F64 TSR__LOG_HIGH_F64
#define TSR__LOG10_LOW_F64 TSR__LOG_LOW_F64
#define TSR__LOG10_HIGH_F64 TSR__LOG_HIGH_F64
TSR__INLINE tsr__vf64 tsr__log_in_range_vf64(tsr__vf64 x) { return tsr__log_of_base_vf64(&tsr__logarithm_e, x); }
TSR__INLINE tsr__vf64 tsr__log2_in_range_vf64(tsr__vf64 x) { return tsr__log_of_base_vf64(&tsr__logarithm_2, x); }
TSR__INLINE tsr__vf64 tsr__log10_in_range_vf64(tsr__vf64 x) { return tsr__log_of_base_vf64(&tsr__logarithm_10, x); }

/* 1+r = (1+x)·factor·2^-k without the rounding of 1+x. */
#define TSR__LOG1P_LOW_F64 -0x1.fffffffffffffp-1
#define TSR__LOG1P_HIGH_F64 0x1p1000
TSR__INLINE tsr__vf64 tsr__log1p_in_range_vf64(tsr__vf64 x) {
  const tsr__logarithm *const base = &tsr__logarithm_e;
  const tsr__log_split_wide s = tsr__log_split_vf64(1.0 + x, TSR__LOG_START_F64);
  const tsr__vf64 factor = (tsr__vf64)((tsr__vu64)tsr__vf64_of_16(base->factor, s.part) - s.exponent);
  const tsr__vf64 y = tsr__log_join_vf64(base, s, tsr__vf64_madd(x, factor, factor - 1.0));
  return tsr__vf64_signed(tsr__vf64_abs(y), x);
}

#endif
#endif
