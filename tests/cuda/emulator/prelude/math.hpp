// Functions of numbers. Those of the C library are what they are; a kernel whose bits matter has its own.
#define EMU_ONE(name)                  \
  extern "C" double name(double);      \
  extern "C" float name##f(float);     \
  static inline float name(float x) { return name##f(x); }
#define EMU_TWO(name)                                \
  extern "C" double name(double, double);            \
  extern "C" float name##f(float, float);            \
  static inline float name(float x, float y) { return name##f(x, y); }
EMU_ONE(sqrt) EMU_ONE(fabs) EMU_ONE(floor) EMU_ONE(ceil) EMU_ONE(trunc) EMU_ONE(rint) EMU_ONE(nearbyint) EMU_ONE(round)
EMU_ONE(exp) EMU_ONE(exp2) EMU_ONE(expm1) EMU_ONE(log) EMU_ONE(log2) EMU_ONE(log10) EMU_ONE(log1p) EMU_ONE(logb)
EMU_ONE(sin) EMU_ONE(cos) EMU_ONE(tan) EMU_ONE(asin) EMU_ONE(acos) EMU_ONE(atan) EMU_ONE(sinh) EMU_ONE(cosh)
EMU_ONE(tanh) EMU_ONE(asinh) EMU_ONE(acosh) EMU_ONE(atanh) EMU_ONE(erf) EMU_ONE(erfc) EMU_ONE(tgamma) EMU_ONE(lgamma)
EMU_ONE(cbrt)
EMU_TWO(pow) EMU_TWO(fmod) EMU_TWO(remainder) EMU_TWO(atan2) EMU_TWO(hypot) EMU_TWO(fmin) EMU_TWO(fmax)
EMU_TWO(copysign) EMU_TWO(nextafter) EMU_TWO(fdim)
#undef EMU_ONE
#undef EMU_TWO
extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
static inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
extern "C" double ldexp(double, int);
extern "C" float ldexpf(float, int);
extern "C" double scalbn(double, int);
extern "C" float scalbnf(float, int);
extern "C" double frexp(double, int *);
extern "C" float frexpf(float, int *);
extern "C" double modf(double, double *);
extern "C" float modff(float, float *);
extern "C" int ilogb(double);
extern "C" int ilogbf(float);
extern "C" long lrint(double);
extern "C" long lrintf(float);
extern "C" long long llrint(double);
extern "C" long long llrintf(float);
extern "C" void sincos(double, double *, double *);
extern "C" void sincosf(float, float *, float *);
static inline float ldexp(float x, int n) { return ldexpf(x, n); }
static inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float exp10f(float x) { return powf(10, x); }
static inline double exp10(double x) { return pow(10.0, x); }

#define EMU_CLASSES(type)                                                        \
  static inline bool isnan(type x) { return __builtin_isnan(x); }                \
  static inline bool isinf(type x) { return __builtin_isinf(x); }                \
  static inline bool isfinite(type x) { return __builtin_isfinite(x); }          \
  static inline bool signbit(type x) { return __builtin_signbit(x) != 0; }
EMU_CLASSES(float) EMU_CLASSES(double)
#undef EMU_CLASSES

// min, max: integers by value, floats as fminf and fmaxf.
#define EMU_ORDER(type)                                                          \
  static inline type min(type a, type b) { return b < a ? b : a; }               \
  static inline type max(type a, type b) { return a < b ? b : a; }
EMU_ORDER(int) EMU_ORDER(unsigned) EMU_ORDER(long) EMU_ORDER(unsigned long) EMU_ORDER(long long)
EMU_ORDER(unsigned long long)
#undef EMU_ORDER
static inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin((double)a, b); }
static inline double min(double a, float b) { return fmin(a, (double)b); }
static inline double max(float a, double b) { return fmax((double)a, b); }
static inline double max(double a, float b) { return fmax(a, (double)b); }
extern "C" int abs(int);
static inline long long abs(long long x) { return x < 0 ? -x : x; }
static inline long llabs(long long x) { return x < 0 ? -x : x; }
static inline float abs(float x) { return fabsf(x); }
static inline double abs(double x) { return fabs(x); }

// Arithmetic with a rounding that is written down; fma only where it is written.
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __frcp_rn(float a) { return 1 / a; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double a) { return 1 / a; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __expf(float x) { return expf(x); }
static inline float __logf(float x) { return logf(x); }
static inline float __log2f(float x) { return log2f(x); }
static inline float __sinf(float x) { return sinf(x); }
static inline float __cosf(float x) { return cosf(x); }
static inline float __powf(float x, float y) { return powf(x, y); }

// Bits.
template <class To, class From> static inline To emu_bits(From x) {
  To to;
  static_assert(sizeof to == sizeof x, "bits of another size");
  __builtin_memcpy(&to, &x, sizeof to);
  return to;
}
static inline float __uint_as_float(unsigned x) { return emu_bits<float>(x); }
static inline unsigned __float_as_uint(float x) { return emu_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return emu_bits<float>(x); }
static inline int __float_as_int(float x) { return emu_bits<int>(x); }
static inline double __longlong_as_double(long long x) { return emu_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return emu_bits<long long>(x); }
static inline int __double2hiint(double x) { return (int)(emu_bits<unsigned long long>(x) >> 32); }
static inline int __double2loint(double x) { return (int)emu_bits<unsigned long long>(x); }
static inline double __hiloint2double(int hi, int lo) {
  return emu_bits<double>((unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long y = 0;
  for (int i = 0; i < 64; i++) y |= (x >> i & 1) << (63 - i);
  return y;
}
static inline unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  const unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned to = 0;
  for (int i = 0; i < 4; i++) to |= (unsigned)(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
  return to;
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) << (n & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
static inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; i++) c += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
  return c;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  return c;
}

// Floats to integers: what does not fit becomes the nearest that does, NaN becomes 0 (of 64 bits: the least number).
template <class To, class From> static inline To emu_to_integer(From x, From rounded) {
  const bool is_signed = (To)-1 < (To)0;
  const int bits = (int)sizeof(To) * 8;
  const From above = (From)(1ull << (bits - 1)) * (is_signed ? 1 : 2), below = is_signed ? -above : 0;
  const To least = is_signed ? (To)((To)1 << (bits - 1)) : (To)0, most = (To)~least;
  if (x != x) return bits == 64 ? (To)((To)1 << 63) : (To)0;
  return rounded >= above ? most : rounded < below ? least : (To)rounded;
}
#define EMU_ROUNDINGS(from, From, rint_, floor_, ceil_, trunc_, to, To)                                     \
  static inline To __##from##2##to##_rn(From x) { return emu_to_integer<To, From>(x, rint_(x)); }           \
  static inline To __##from##2##to##_rd(From x) { return emu_to_integer<To, From>(x, floor_(x)); }          \
  static inline To __##from##2##to##_ru(From x) { return emu_to_integer<To, From>(x, ceil_(x)); }           \
  static inline To __##from##2##to##_rz(From x) { return emu_to_integer<To, From>(x, trunc_(x)); }
EMU_ROUNDINGS(float, float, rintf, floorf, ceilf, truncf, int, int)
EMU_ROUNDINGS(float, float, rintf, floorf, ceilf, truncf, uint, unsigned)
EMU_ROUNDINGS(float, float, rintf, floorf, ceilf, truncf, ll, long long)
EMU_ROUNDINGS(float, float, rintf, floorf, ceilf, truncf, ull, unsigned long long)
EMU_ROUNDINGS(double, double, rint, floor, ceil, trunc, int, int)
EMU_ROUNDINGS(double, double, rint, floor, ceil, trunc, uint, unsigned)
EMU_ROUNDINGS(double, double, rint, floor, ceil, trunc, ll, long long)
EMU_ROUNDINGS(double, double, rint, floor, ceil, trunc, ull, unsigned long long)
#undef EMU_ROUNDINGS
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return x; }
static inline double __uint2double_rn(unsigned x) { return x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }
