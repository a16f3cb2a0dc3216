/* Functions of complex numbers in f64, with the special values of C's Annex G, which are the host's C library's. Sine, cosine and tangent are
 * hyperbolic functions of i·z; arc sine and arc cosine are by Hull, Fairgrieve and Tang, whose sums nothing cancels in. */
typedef c128_mem pair;
typedef double part;
#define M(name) name
#define WIDE(name) name##_c128

#define PI_2 1.57079632679489661923132169163975144
#define HUGE (__builtin_inf())
#define NAN __builtin_nanf("")

static inline pair pair_of(double re, double im) {
  pair z;
  z.re = re;
  z.im = im;
  return z;
}
static inline bool is_finite(double x) { return x - x == 0; }
static inline bool is_nan(double x) { return x != x; }
static inline bool is_infinite(double x) { return !is_finite(x) && !is_nan(x); }
static inline double magnitude_of(double x) { return tsr__f64_of_bits(tsr__bits_of_f64(x) & ~((uint64_t)1 << 63)); }
static inline double with_sign(double x, double sign) { return copysign(x, sign); }

/* size·e^x·cis(y), where e^x alone may be too large. */
static inline pair scaled_cis(double size, double x, double y) {
  const double half = exp(x / 2), c = cos(y), s = sin(y);
  if (x < 700) return pair_of(size * exp(x) * c, size * exp(x) * s);
  return pair_of(size * half * c * half, size * half * s * half);
}

static inline pair exp_of(pair x) {
  if (x.im == 0) return pair_of(exp(x.re), x.im);
  if (is_finite(x.im)) {
    if (is_nan(x.re)) return pair_of(x.re, x.re);
    if (is_infinite(x.re)) {
      const double size = x.re > 0 ? HUGE : 0;
      return pair_of(with_sign(size, cos(x.im)), with_sign(size, sin(x.im)));
    }
    return scaled_cis(1, x.re, x.im);
  }
  const double none = x.im - x.im;
  if (is_infinite(x.re)) return x.re > 0 ? pair_of(x.re, none) : pair_of(0, with_sign(0, x.im));
  return pair_of(none, none);
}

/* The larger and the smaller of the sizes of both parts. */
static inline pair sizes_of(pair x) {
  const double re = magnitude_of(x.re), im = magnitude_of(x.im);
  return re > im ? pair_of(re, im) : pair_of(im, re);
}

static inline pair sqrt_of(pair x) {
  if (is_infinite(x.im)) return pair_of(HUGE, x.im);
  if (is_nan(x.re)) return pair_of(x.re, x.re);
  if (is_infinite(x.re)) {
    const double none = x.im - x.im; /* 0, or NaN */
    return x.re > 0 ? pair_of(x.re, is_nan(none) ? none : with_sign(0, x.im)) : pair_of(is_nan(none) ? none : 0, with_sign(HUGE, x.im));
  }
  if (is_nan(x.im)) return pair_of(x.im, x.im);
  const pair sizes = sizes_of(x);
  if (sizes.re == 0) return pair_of(0, x.im);
  const bool large = sizes.re > 0x1p1000, tiny = sizes.re < 0x1p-900;
  const double by = large ? 0x1p-100 : tiny ? 0x1p200 : 1, back = large ? 0x1p50 : tiny ? 0x1p-100 : 1;
  const double re = magnitude_of(x.re) * by, im = magnitude_of(x.im) * by;
  const double root = __builtin_sqrt((hypot(re, im) + re) / 2), other = im / (2 * root);
  return x.re >= 0 ? pair_of(root * back, with_sign(other * back, x.im)) : pair_of(other * back, with_sign(root * back, x.im));
}

/* ln √(large² + small²): near 1 the square less 1, which loses nothing. */
static inline double log_of_size(pair x) {
  const pair s = sizes_of(x);
  if (is_infinite(x.re) || is_infinite(x.im)) return HUGE;
  if (is_nan(x.re) || is_nan(x.im)) return x.re + x.im;
  if (s.re > 0.5 && s.re < 2) {
    const double l2 = s.re * s.re, l2_rest = __builtin_fma(s.re, s.re, -l2), s2 = s.im * s.im, s2_rest = __builtin_fma(s.im, s.im, -s2);
    if (l2 + s2 > 0.5 && l2 + s2 < 2) {
      const double first = l2 - 1, sum = first + s2, of_sum = sum - first;
      const double lost = (first - (sum - of_sum)) + (s2 - of_sum);
      return log1p(sum + (lost + l2_rest + s2_rest)) / 2;
    }
  }
  if (s.re > 0x1p1000) return log(hypot(s.re * 0x1p-100, s.im * 0x1p-100)) + 100 * 0.693147180559945309417;
  if (s.re < 0x1p-900 && s.re > 0) return log(hypot(s.re * 0x1p200, s.im * 0x1p200)) - 200 * 0.693147180559945309417;
  return log(hypot(s.re, s.im));
}
static inline pair log_of(pair x) { return pair_of(log_of_size(x), atan2(x.im, x.re)); }

static inline pair sinh_of(pair x) {
  const double none = x.im - x.im;
  if (is_finite(x.re) && is_finite(x.im)) {
    if (x.im == 0) return pair_of(sinh(x.re), x.im);
    if (magnitude_of(x.re) < 22) return pair_of(sinh(x.re) * cos(x.im), cosh(x.re) * sin(x.im));
    const pair e = scaled_cis(0.5, magnitude_of(x.re), x.im);
    return pair_of(x.re < 0 ? -e.re : e.re, e.im);
  }
  if (x.re == 0) return pair_of(x.re, none);
  if (is_infinite(x.re)) {
    if (x.im == 0) return x;
    if (!is_finite(x.im)) return pair_of(HUGE, none);
    return pair_of(with_sign(HUGE, cos(x.im)) * (x.re > 0 ? 1 : -1), with_sign(HUGE, sin(x.im)));
  }
  if (is_nan(x.re)) return pair_of(x.re, x.im == 0 ? x.im : x.re);
  return pair_of(none, none);
}

static inline pair cosh_of(pair x) {
  const double none = x.im - x.im;
  if (is_finite(x.re) && is_finite(x.im)) {
    if (magnitude_of(x.re) < 22) return pair_of(cosh(x.re) * cos(x.im), sinh(x.re) * sin(x.im));
    if (x.im == 0) return pair_of(cosh(x.re), with_sign(1, x.re) * x.im);
    const pair e = scaled_cis(0.5, magnitude_of(x.re), x.im);
    return pair_of(e.re, x.re < 0 ? -e.im : e.im);
  }
  if (x.re == 0) return pair_of(none, 0);
  if (is_infinite(x.re)) {
    if (x.im == 0) return pair_of(HUGE, with_sign(1, x.re) * x.im);
    if (!is_finite(x.im)) return pair_of(HUGE, none);
    return pair_of(with_sign(HUGE, cos(x.im)), with_sign(HUGE, sin(x.im)) * (x.re > 0 ? 1 : -1));
  }
  if (is_nan(x.re)) return pair_of(x.re, x.im == 0 ? x.im : x.re);
  return pair_of(none, none);
}

static inline pair tanh_of(pair x) {
  if (!is_finite(x.re) || !is_finite(x.im)) {
    const double none = x.im - x.im;
    if (is_infinite(x.re)) {
      const double turn = is_finite(x.im) && magnitude_of(x.im) > 1 ? sin(x.im) * cos(x.im) : x.im;
      return pair_of(with_sign(1, x.re), with_sign(0, turn));
    }
    if (x.im == 0) return x;
    return pair_of(x.re == 0 ? x.re : is_nan(x.re) ? x.re : none, is_nan(x.re) ? x.re : none);
  }
  if (magnitude_of(x.re) >= 22) {
    const double e = exp(-magnitude_of(x.re));
    return pair_of(with_sign(1, x.re), x.im == 0 ? x.im : 4 * sin(x.im) * cos(x.im) * e * e);
  }
  const double t = tan(x.im), beta = 1 + t * t, s = sinh(x.re), rho = __builtin_sqrt(1 + s * s), below = 1 + beta * s * s;
  return pair_of(beta * rho * s / below, t / below);
}

/* Of i·z, and back. */
static inline pair turned(pair x) { return pair_of(-x.im, x.re); }
static inline pair turned_back(pair x) { return pair_of(x.im, -x.re); }
/* What is infinite beside NaN has no sign. */
static inline pair unsigned_beside_nan(pair x) { return pair_of(x.re, is_nan(x.re) && is_infinite(x.im) ? HUGE : x.im); }
static inline pair sin_of(pair x) { return unsigned_beside_nan(turned_back(sinh_of(turned(x)))); }
static inline pair cos_of(pair x) { return cosh_of(turned(x)); }
static inline pair tan_of(pair x) { return turned_back(tanh_of(turned(x))); }

/* What arc sine and arc cosine of x + iy, x and y at least 0 and finite, have in common. */
struct arcs {
  double sine, cosine, other; /* their real parts, and the size of the imaginary one */
};
static inline arcs arcs_of(double x, double y) {
  arcs all;
  if (x < 0x1p-30 && y < 0x1p-30) {
    all.sine = x, all.cosine = PI_2 - x, all.other = y;
    return all;
  }
  if (x > 0x1p60 || y > 0x1p60) {
    all.sine = atan2(x, y), all.cosine = atan2(y, x), all.other = log_of_size(pair_of(x, y)) + 0.693147180559945309417;
    return all;
  }
  const double r = hypot(x + 1, y), s = hypot(x - 1, y), a = (r + s) / 2, b = x / a, ax = a + x;
  if (b <= 0.6417) {
    all.sine = asin(b), all.cosine = acos(b);
  } else {
    const double root = x <= 1 ? __builtin_sqrt(ax / 2 * (y * (y / (r + x + 1)) + (s + (1 - x)))) : y * __builtin_sqrt((ax / (r + x + 1) + ax / (s + (x - 1))) / 2);
    all.sine = atan2(x, root), all.cosine = atan2(root, x);
  }
  if (y < 0x1p-500 && x < 1) {
    all.other = y / __builtin_sqrt((1 - x) * (1 + x));
  } else if (a <= 1.5) {
    const double less = x < 1 ? (y * (y / (r + x + 1)) + y * (y / (s + (1 - x)))) / 2 : (y * (y / (r + x + 1)) + (s + (x - 1))) / 2;
    all.other = log1p(less + __builtin_sqrt(less * (a + 1)));
  } else {
    all.other = log(a + __builtin_sqrt((a - 1) * (a + 1)));
  }
  return all;
}

static inline pair asinh_of(pair x) {
  if (is_finite(x.re) && is_finite(x.im)) {
    const arcs all = arcs_of(magnitude_of(x.im), magnitude_of(x.re));
    return pair_of(with_sign(all.other, x.re), with_sign(all.sine, x.im));
  }
  if (is_infinite(x.im)) return is_nan(x.re) ? pair_of(HUGE, x.re) : pair_of(with_sign(HUGE, x.re), with_sign(is_infinite(x.re) ? PI_2 / 2 : PI_2, x.im));
  if (is_infinite(x.re)) return pair_of(x.re, is_nan(x.im) ? x.im : with_sign(0, x.im));
  if (is_nan(x.re) && x.im == 0) return x;
  const double none = x.re + x.im;
  return pair_of(none, none);
}
static inline pair asin_of(pair x) {
  return is_infinite(x.re) && is_nan(x.im) ? pair_of(x.im, HUGE) : turned_back(asinh_of(turned(x)));
}

static inline pair acos_of(pair x) {
  if (is_finite(x.re) && is_finite(x.im)) {
    const arcs all = arcs_of(magnitude_of(x.re), magnitude_of(x.im));
    return pair_of(__builtin_signbit(x.re) ? 2 * (PI_2 - all.cosine) + all.cosine : all.cosine, __builtin_signbit(x.im) ? all.other : -all.other);
  }
  const double down = __builtin_signbit(x.im) ? HUGE : -HUGE;
  if (is_infinite(x.im)) return pair_of(is_nan(x.re) ? x.re : is_infinite(x.re) ? (x.re > 0 ? PI_2 / 2 : 3 * (PI_2 / 2)) : PI_2, down);
  if (is_infinite(x.re)) return is_nan(x.im) ? pair_of(x.im, -HUGE) : pair_of(x.re > 0 ? 0 : 2 * PI_2, down);
  if (x.re == 0) return pair_of(PI_2, x.im);
  const double none = x.re + x.im;
  return pair_of(none, none);
}
/* ±i·acos, whose real part is not negative. */
static inline pair acosh_of(pair x) {
  const pair a = acos_of(x);
  if (is_nan(a.re)) return pair_of(is_nan(a.im) ? a.im : HUGE, a.re);
  if (is_nan(a.im)) return pair_of(a.im, x.re == 0 ? a.re : a.im);
  return pair_of(magnitude_of(a.im), with_sign(a.re, x.im));
}

static inline pair atanh_of(pair x) {
  if (is_infinite(x.im)) return pair_of(with_sign(0, x.re), with_sign(PI_2, x.im));
  if (is_infinite(x.re)) return pair_of(with_sign(0, x.re), is_nan(x.im) ? x.im : with_sign(PI_2, x.im));
  if (is_nan(x.re) || is_nan(x.im)) {
    const double none = x.re + x.im;
    return pair_of(x.re == 0 ? x.re : none, none);
  }
  const double re = magnitude_of(x.re), im = magnitude_of(x.im);
  if (re < 0x1p-30 && im < 0x1p-30) return x;
  if (re > 0x1p60 || im > 0x1p60) {
    const double by = re > im ? re : im, u = re / by, v = im / by;
    return pair_of(with_sign(u / (u * u + v * v) / by, x.re), with_sign(PI_2, x.im));
  }
  const double apart = hypot(1 - re, im);
  double size = re == 0 ? 0 : apart < 0x1p-200 ? (log(4 * re) / 2 - log(apart)) / 2 : log1p(4 * re / (apart * apart)) / 4;
  if (re == 1 && im == 0) size = HUGE;
  return pair_of(with_sign(size, x.re), with_sign(atan2(2 * im, (1 - re) * (1 + re) - im * im) / 2, x.im));
}
static inline pair atan_of(pair x) { return turned_back(atanh_of(turned(x))); }
