/* What the unary ops should give, in the type R, written from the definitions but for what would overflow or cancel.
 * Without branches around calls, so that a compiler with vector forms of the C library's functions can use them.
 * REF(name) names a reference, LIBM(name) the C library's function of the type; both are forgotten after. */

static inline R REF(abs)(R x) { return LIBM(fabs)(x); }
static inline R REF(neg)(R x) { return -x; }
static inline R REF(conj)(R x) { return x; }
static inline R REF(angle)(R x) { return x != x ? x : signbit(x) ? (R)3.141592653589793238462643383279502884L : 0; }
static inline R REF(sign)(R x) { return x != x ? x : (R)(x > 0) - (R)(x < 0); }
static inline R REF(square)(R x) { return x * x; }

/* Rounding by way of integers, not by the instruction that the ops use. From 2^62 on numbers are whole, as NaN is not
 * less than it. */
static inline R REF(trunc)(R x) {
  const int inside = LIBM(fabs)(x) < (R)0x1p62;
  const R cut = (R)(int64_t)(inside ? x : 0);
  return inside ? LIBM(copysign)(cut, x) : x;
}
static inline R REF(floor)(R x) {
  const R cut = REF(trunc)(x);
  return cut > x ? cut - 1 : cut;
}
static inline R REF(ceil)(R x) {
  const R cut = REF(trunc)(x);
  return LIBM(copysign)(cut < x ? cut + 1 : cut, x);
}
static inline R REF(round)(R x) {
  const R a = LIBM(fabs)(x), cut = REF(trunc)(a), half = cut / 2, rest = a - cut;
  const int odd = REF(trunc)(half) != half, up = rest > (R)0.5 || (rest == (R)0.5 && odd);
  return LIBM(copysign)(up ? cut + 1 : cut, x);
}
static inline R REF(logical_not)(R x) { return x == 0; }
static inline R REF(isnan)(R x) { return x != x; }
static inline R REF(isinf)(R x) { return LIBM(fabs)(x) == (R)INFINITY; }
static inline R REF(isfinite)(R x) { return LIBM(fabs)(x) < (R)INFINITY; }

static inline R REF(sqrt)(R x) { return LIBM(sqrt)(x); }
static inline R REF(rsqrt)(R x) { return 1 / LIBM(sqrt)(x); }
static inline R REF(reciprocal)(R x) { return 1 / x; }
static inline R REF(cbrt)(R x) { return LIBM(cbrt)(x); }
static inline R REF(exp)(R x) { return LIBM(exp)(x); }
static inline R REF(exp2)(R x) { return LIBM(exp2)(x); }
static inline R REF(expm1)(R x) { return LIBM(expm1)(x); }
static inline R REF(log)(R x) { return LIBM(log)(x); }
static inline R REF(log2)(R x) { return LIBM(log2)(x); }
static inline R REF(log10)(R x) { return LIBM(log10)(x); }
static inline R REF(log1p)(R x) { return LIBM(log1p)(x); }
static inline R REF(sin)(R x) { return LIBM(sin)(x); }
static inline R REF(cos)(R x) { return LIBM(cos)(x); }
static inline R REF(tan)(R x) { return LIBM(tan)(x); }
static inline R REF(asin)(R x) { return LIBM(asin)(x); }
static inline R REF(acos)(R x) { return LIBM(acos)(x); }
static inline R REF(atan)(R x) { return LIBM(atan)(x); }
static inline R REF(sinh)(R x) { return LIBM(sinh)(x); }
static inline R REF(cosh)(R x) { return LIBM(cosh)(x); }
static inline R REF(tanh)(R x) { return LIBM(tanh)(x); }
static inline R REF(asinh)(R x) { return LIBM(asinh)(x); }
static inline R REF(acosh)(R x) { return LIBM(acosh)(x); }
static inline R REF(atanh)(R x) { return LIBM(atanh)(x); }
static inline R REF(erf)(R x) { return LIBM(erf)(x); }
static inline R REF(erfc)(R x) { return LIBM(erfc)(x); }

/* ---- activations. Those that fall to -0 on the left do so from where their factor e^x is 0 ---- */

static inline R REF(relu)(R x) { return x < 0 ? 0 : x; }
static inline R REF(leaky_relu)(R x) { return x < 0 ? x * MATH_SLOPE : x; }
static inline R REF(elu)(R x) {
  const R below = MATH_ALPHA * LIBM(expm1)(x < 0 ? x : 0);
  return x < 0 ? below : x;
}
static inline R REF(celu)(R x) {
  const R below = MATH_ALPHA * LIBM(expm1)((x < 0 ? x : 0) / MATH_ALPHA);
  return x < 0 ? below : x;
}
static inline R REF(selu)(R x) {
  const R scale = (R)1.0507009873554804934193349852946L, alpha = (R)1.6732632423543772848170429916717L;
  const R below = scale * alpha * LIBM(expm1)(x < 0 ? x : 0);
  return x < 0 ? below : scale * x;
}
static inline R REF(softsign)(R x) {
  const R a = LIBM(fabs)(x), y = x / (1 + a);
  return a == (R)INFINITY ? LIBM(copysign)(1, x) : y;
}
static inline R REF(sigmoid)(R x) {
  const R z = LIBM(exp)(-LIBM(fabs)(x));
  return (x < 0 ? z : x - x == 0 || x == (R)INFINITY ? 1 : x) / (1 + z);
}
/* x·σ(v), v with the sign of x. */
static inline R REF(gated)(R x, R v) {
  const R z = LIBM(exp)(-LIBM(fabs)(v)), y = x * z;
  return (x >= 0 || x != x ? x : z == 0 ? (R)-0.0 : y) / (1 + z);
}
static inline R REF(silu)(R x) { return REF(gated)(x, x); }
static inline R REF(gelu_tanh)(R x) {
  const R c = (R)1.59576912160573071175978423973753L; /* √(8/π) */
  return REF(gated)(x, c * (x + (R)0.044715L * x * x * x));
}
static inline R REF(gelu)(R x) {
  const R e = LIBM(erfc)(-x * (R)0.70710678118654752440084436210485L), y = x / 2 * e;
  return e == 0 ? (R)-0.0 : y;
}
static inline R REF(softplus)(R x) { return (x < 0 ? 0 : x) + LIBM(log1p)(LIBM(exp)(-LIBM(fabs)(x))); }
/* With z = e^-|x|, tanh(log(1 + e^x)) is (z² + 2z) / (z² + 2z + 2) on the left, (1 + 2z) / (1 + 2z + 2z²) on the
 * right. */
static inline R REF(mish)(R x) {
  const R z = LIBM(exp)(-LIBM(fabs)(x)), w = x < 0 ? z * (z + 2) : 1 + 2 * z;
  const R y = x * (w / (w + (x < 0 ? 2 : 2 * z * z)));
  return x < 0 && z == 0 ? (R)-0.0 : y;
}
static inline R REF(hard_sigmoid)(R x) { return x <= -3 ? 0 : x >= 3 ? 1 : (x + 3) / 6; }
static inline R REF(hard_swish)(R x) { return x <= -3 ? (R)-0.0 : x >= 3 ? x : x * (x + 3) / 6; }

#undef R
#undef REF
#undef LIBM
