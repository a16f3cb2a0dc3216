#!/usr/bin/env python3
"""Derives the polynomials of src/cpu/math and prints them as C literals, with the error of each.

    /usr/bin/python3 scripts/derive_polynomials.py [name ...]

Each row: a function that is hard to evaluate near 0 in doubles (so it is summed in 50 decimal digits), an interval, a
degree, and the weight that turns an error of the polynomial into a relative error of the result. The fit is a weighted
minimax one (Lawson's reweighted least squares); then coefficients are rounded one at a time, the lowest power first,
and the others fitted again around it. Needs nothing but NumPy."""
import sys
from decimal import Decimal as D, getcontext

import numpy as np

getcontext().prec = 60
PI = D("3.14159265358979323846264338327950288419716939937510582097494459")
LN2 = D(2).ln()


def series(first, ratio, x):
    """The sum of first·Π ratio(k), k = 1, 2, …, until nothing changes."""
    term, total, k = first, first, 0
    while True:
        k += 1
        term = term * ratio(k)
        if total + term == total or term == 0:
            return total
        total += term


def sin(x):
    return series(x, lambda k: -x * x / ((2 * k) * (2 * k + 1)), x)


def cos(x):
    return series(D(1), lambda k: -x * x / ((2 * k - 1) * (2 * k)), x)


def erf(x):
    """Sums x^(2k+1)·2^k / (1·3·…·(2k+1)), which has no cancellation, times 2/√π·exp(-x²)."""
    return 2 / PI.sqrt() * (-x * x).exp() * series(x, lambda k: 2 * x * x / (2 * k + 1), x)


def exp_rest(r):
    """(e^r - 1 - r) / r²."""
    return series(D(1) / 2, lambda k: r / (k + 2), r)


def exp_slope(r):
    """(e^r - 1) / r."""
    return series(D(1), lambda k: r / (k + 1), r)


def exp2_rest(f):
    """(2^f - 1) / f."""
    return LN2 * series(D(1), lambda k: f * LN2 / (k + 1), f)


def log_rest(f):
    """(ln(1+f) - f + f²/2) / f³."""
    if abs(f) > D("0.05"):
        return ((1 + f).ln() - f + f * f / 2) / f**3
    total, power = D(0), D(1)
    for k in range(3, 60):
        total += power / k * (1 if k % 2 else -1)
        power *= f
    return total


def sin_rest(z):
    """(sin r - r) / r³ with z = r²."""
    return series(D(-1) / 6, lambda k: -z / ((2 * k + 2) * (2 * k + 3)), z)


def cos_rest(z):
    """(cos r - 1 + r²/2) / r⁴ with z = r²."""
    return series(D(1) / 24, lambda k: -z / ((2 * k + 3) * (2 * k + 4)), z)


def tan_rest(z):
    """(tan r - r) / r³ with z = r²: (sin - r cos) / (r³ cos), the numerator as one series without cancellation."""
    r = z.sqrt()
    numerator, factorial = D(0), D(1)
    for k in range(1, 40):
        factorial = factorial * (2 * k) * (2 * k + 1) if k > 1 else D(6)
        numerator += (-1) ** (k + 1) * D(2 * k) / factorial * z ** (k - 1)
    return numerator / cos(r)


def asin_rest(z):
    """(asin r - r) / r³ with z = r² up to 1/4: Σ (2k)! / (4^k k!² (2k+1)) z^k without its first term, by z."""
    term, total = D(1), D(0)
    for k in range(1, 120):
        term = term * (2 * k - 1) / (2 * k)
        total += term / (2 * k + 1) * z ** (k - 1)
    return total


def atan_rest(z):
    """(atan r - r) / r³ with z = r²; r is halved as an angle until its series is short."""
    if z < D("0.01"):
        return sum(((-1) ** (k + 1) * -(z ** (k - 1)) / (2 * k + 1) for k in range(1, 40)), D(0))
    r = t = z.sqrt()
    times = 0
    while t > D("0.1"):
        t, times = t / (1 + (1 + t * t).sqrt()), times + 1
    angle = 2**times * sum(((-1) ** k * t ** (2 * k + 1) / (2 * k + 1) for k in range(0, 40)), D(0))
    return (angle - r) / r**3


def sinh_rest(z):
    """(sinh r - r) / r³ with z = r²."""
    return series(D(1) / 6, lambda k: z / ((2 * k + 2) * (2 * k + 3)), z)


def erf_rest(z):
    """erf(x)/x - 1 with z = x²."""
    if z == 0:
        return 2 / PI.sqrt() - 1
    x = z.sqrt()
    return erf(x) / x - 1


def erfc_root(a):
    """erfc(a)^(1/4)."""
    getcontext().prec = 80
    value = (1 - erf(a)).sqrt().sqrt()
    getcontext().prec = 60
    return value


def mills(u):
    """A(u) with Q(u) = exp(-u²/2)·A(u), the tail of the normal distribution."""
    return normal_tail(u) * (u * u / 2).exp()


def normal_tail(u):
    if u < 4:
        getcontext().prec = 90
        value = (1 - erf(u / D(2).sqrt())) / 2
        getcontext().prec = 60
        return value
    fraction = D(0)  # Laplace's continued fraction, from far in
    for k in range(400, 0, -1):
        fraction = D(k) / (u + fraction)
    return (-u * u / 2).exp() / (2 * PI).sqrt() / (u + fraction)


def erfcx(x):
    """erfc(x)·exp(x²)."""
    return 2 * mills(x * D(2).sqrt())


HALF_LN2 = float(LN2) / 2 * 1.001
ROWS = {
    # name: (function, low, high, degree, weight(x as double), bits of the coefficients)
    "exp_f32": (exp_rest, -HALF_LN2, HALF_LN2, 4, lambda r: r * r / np.exp(r), 24),
    "exp_short_f32": (exp_slope, -HALF_LN2, HALF_LN2, 4, lambda r: np.abs(r) * np.where(r < 0, 2, 1), 24),
    "expm1_f32": (exp_rest, -HALF_LN2, HALF_LN2, 4, lambda r: np.abs(r) + 1e-3, 24),
    "exp2_f32": (exp2_rest, -0.5005, 0.5005, 5, lambda f: np.abs(f) / np.exp2(f), 24),
    "log_f32": (log_rest, -0.2930, 0.4143, 7, lambda f: f * f + 1e-4, 24),
    "log_pow_f32": (log_rest, -0.0508, 0.0508, 3, lambda f: np.abs(f) ** 3 / (np.abs(f) + 0.02), 24),
    "sin_f32": (sin_rest, 0, 0.63, 3, lambda z: z + 1e-3, 24),
    "cos_f32": (cos_rest, 0, 0.63, 2, lambda z: z * z + 1e-3, 24),
    "tan_f32": (tan_rest, 0, 0.63, 6, lambda z: z + 1e-3, 24),
    "asin_f32": (asin_rest, 0, 0.2501, 4, lambda z: z + 1e-3, 24),
    "atan_f32": (atan_rest, 0, 1.0001, 9, lambda z: z + 1e-3, 24),
    "sinh_f32": (sinh_rest, 0, 1.0001, 3, lambda z: z + 1e-3, 24),
    "erf_f32": (erf_rest, 0, 1.0, 6, lambda z: 0 * z + 1, 24),
    "erfc_root_f32": (erfc_root, 1.0, 3.95, 9, lambda a: 4 * np.exp(-a * a * 0.75), 24),
}
QUOTIENTS = {
    # name: (function, low, high, degree above, degree below); the constant below is 1, errors are relative
    "mills_far_f32": (mills, 4.9, 14.6, 2, 3),
    "erfcx_f32": (erfcx, 0.49, 10.3, 4, 5),
}


def rounded(value, bits):
    """value with bits significant bits."""
    mantissa, exponent = np.frexp(value)
    return float(np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits))


def lawson(basis, target, weight):
    """Coefficients that nearly minimise the greatest weighted error."""
    w = np.ones(len(target))
    best, least = None, np.inf
    for _ in range(200):
        scale = weight * np.sqrt(w)
        coefficients, *_ = np.linalg.lstsq(basis * scale[:, None], target * scale, rcond=None)
        error = np.abs(basis @ coefficients - target) * weight
        if error.max() < least:
            best, least = coefficients, error.max()
        w = w * (error + 1e-3 * error.max())
        w = w / w.sum()
    return best, least


def derive(name):
    function, low, high, degree, weight, bits = ROWS[name]
    k = np.arange(600)
    x = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (k + 0.5) / 600)
    y = np.array([float(function(D(float(v)))) for v in x])
    powers = x[:, None] ** np.arange(degree + 1)[None, :]
    w = weight(x)
    fixed = []
    for i in range(degree + 1):
        rest = y - sum((c * powers[:, j] for j, c in enumerate(fixed)), np.zeros(len(x)))
        coefficients, error = lawson(powers[:, i:], rest, w)
        if i == 0:
            print("/* %s: degree %d, greatest error 2^%.2f before rounding" % (name, degree, np.log2(error)), end="")
        fixed.append(rounded(coefficients[0], bits))
    error = np.abs(sum(c * powers[:, j] for j, c in enumerate(fixed)) - y) * w
    print(", 2^%.2f after */" % np.log2(error.max()))
    suffix = "f" if bits == 24 else ""
    print("  " + ", ".join("%s%s" % (c.hex().replace("0000000p", "p"), suffix) for c in fixed))


def fit_quotient(u, y, above, below, fixed):
    """Coefficients of a quotient, some of them fixed: linear in the rest once multiplied out, weighted by the last
    denominator, reweighted as in lawson()."""
    columns = np.hstack([u[:, None] ** np.arange(above + 1), -y[:, None] * u[:, None] ** np.arange(1, below + 1)])
    free = [i for i in range(columns.shape[1]) if i not in fixed]
    target = y - sum((c * columns[:, i] for i, c in fixed.items()), np.zeros(len(u)))
    denominator, w = np.ones(len(u)), np.ones(len(u))
    best, least = None, np.inf
    for _ in range(300):
        scale = np.sqrt(w) / (y * denominator)
        weighted = columns[:, free] * scale[:, None]
        size = np.abs(weighted).max(axis=0) if free else 1
        solution = np.linalg.lstsq(weighted / size, target * scale, rcond=None)[0] / size if free else []
        c = np.zeros(columns.shape[1])
        c[free] = solution
        for i, value in fixed.items():
            c[i] = value
        numerator = columns[:, : above + 1] @ c[: above + 1]
        denominator = 1 + (u[:, None] ** np.arange(1, below + 1)) @ c[above + 1 :]
        error = np.abs(numerator / denominator / y - 1)
        if error.max() < least:
            best, least = c, error.max()
        w = w * (error + 1e-3 * error.max())
        w = w / w.sum()
    return best, least


def derive_quotient(name):
    function, low, high, above, below = QUOTIENTS[name]
    k = np.arange(500)
    u = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (k + 0.5) / 500)
    y = np.array([float(function(D(float(v)))) for v in u])
    fixed = {}
    best, first = fit_quotient(u, y, above, below, fixed)
    for i in range(above + below + 1):
        best, _ = fit_quotient(u, y, above, below, fixed)
        fixed[i] = rounded(best[i], 24)
    best, least = fit_quotient(u, y, above, below, fixed)
    print("/* %s: %d over %d, greatest error 2^%.2f before rounding, 2^%.2f after */"
          % (name, above, below, np.log2(first), np.log2(least)))
    text = ["%sf" % float(c).hex().replace("0000000p", "p") for c in best]
    print("  " + ", ".join(text[: above + 1]) + "\n  1, " + ", ".join(text[above + 1 :]))


# ---- f64: all of it in 60 digits, then every coefficient rounded ----


def log_wide_rest(r):
    """(ln(1+r) - r) / r²."""
    return r * log_rest(r) - D(1) / 2


def erfc_exponent(a):
    """-ln(erfc a) / a."""
    getcontext().prec = 100
    value = -(1 - erf(a)).ln() / a if a < 5 else -(erfcx(a).ln() - a * a) / a
    getcontext().prec = 60
    return +value


WIDE = {
    # name: (function, low, high, degree, weight)
    "exp_f64": (exp_rest, -HALF_LN2, HALF_LN2, 9, lambda r: r * r),
    "expm1_f64": (exp_rest, -HALF_LN2, HALF_LN2, 9, lambda r: abs(r) + D("1e-3")),
    "exp2_f64": (exp2_rest, -0.5005, 0.5005, 10, lambda f: abs(f)),
    "log_f64": (log_wide_rest, -0.0315, 0.0315, 7, lambda r: abs(r) + D("1e-4")),
    "log_pow_f64": (log_rest, -0.0508, 0.0508, 10, lambda r: abs(r) ** 3 / (abs(r) + D("0.02"))),
    "sin_f64": (sin_rest, 0, 2.4681, 7, lambda z: z + D("1e-3")),
    "atan_f64": (atan_rest, 0, 0.1717, 10, lambda z: z + D("1e-3")),
    "erf_f64": (erf_rest, 0, 0.5625, 10, lambda z: D(1)),
    "erfc_f64": (erfc_exponent, 0.75, 5.95, 19, lambda a: a * (-a * a).exp()),
}


def solve(matrix, right):
    """Gauss, with the largest pivot."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, n):
            by = rows[k][i] / rows[i][i]
            rows[k] = [a - by * b for a, b in zip(rows[k], rows[i])]
    x = [D(0)] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return x


def derive_wide(name):
    """lawson() in decimals: normal equations lose half of the digits, which there are enough of."""
    function, low, high, degree, weight = WIDE[name]
    count = 6 * degree + 10
    x = [D((low + high) / 2 + (high - low) / 2 * float(np.cos(np.pi * (k + 0.5) / count))) for k in range(count)]
    y, w = [function(v) for v in x], [weight(v) for v in x]
    powers = [[v**j for j in range(degree + 1)] for v in x]
    weights, best, least = [D(1)] * count, None, None
    for _ in range(40):
        scale = [a * b * b for a, b in zip(weights, w)]
        matrix = [[D(0)] * (degree + 1) for _ in range(degree + 1)]
        right = [D(0)] * (degree + 1)
        for s, row, value in zip(scale, powers, y):
            scaled = [s * p for p in row]
            right = [r + p * value for r, p in zip(right, scaled)]
            for i in range(degree + 1):
                matrix[i] = [m + scaled[i] * p for m, p in zip(matrix[i], row)]
        c = solve(matrix, right)
        error = [abs(sum(a * p for a, p in zip(c, row)) - value) * v for row, value, v in zip(powers, y, w)]
        if least is None or max(error) < least:
            best, least = c, max(error)
        weights = [a * (e + least / 1000) for a, e in zip(weights, error)]
        total = sum(weights)
        weights = [a / total for a in weights]
    rounded_to = [float(c) for c in best]
    after = max(abs(sum(D(a) * p for a, p in zip(rounded_to, row)) - value) * v for row, value, v in zip(powers, y, w))
    print("/* %s: degree %d, greatest error 2^%.2f before rounding, 2^%.2f after */"
          % (name, degree, np.log2(float(least)), np.log2(float(after))))
    print("  " + ", ".join(c.hex() for c in rounded_to))


# Sixteen parts of [0.698, 1.396): the logarithm of a number in one is that of its product with the part's factor, less
# that of the factor. The part around 1 has the factor 1.
TABLES = {"table_ln": D(1).exp(), "table_log2": D(2), "table_log10": D(10)}


def derive_table(name):
    """Factors of 51 bits whose logarithm is a multiple of 2^-42 within 2^-61 or so: the best of many multiples."""
    base = TABLES[name].ln()
    start, unit = np.float64(1).view(np.int64) - (9 * 3 + 2) * (2**48 // 3), 2**48
    factors, logarithms, worst, reach = [], [], D(0), 0.0
    for part in range(16):
        low, high = (np.int64(start + unit * k).view(np.float64) for k in (part, part + 1))
        if low <= 1 < high:
            factors.append(1.0)
            logarithms.append(0.0)
            continue
        near = int(round(float((D(float(low + high)) / 2).ln() / base) * 2.0**42))
        best = None
        for k in range(near - 3000 * 1000003, near + 3000 * 1000003, 1000003):
            value = D(k) / 2**42
            factor = rounded(float((-value * base).exp()), 51)
            off = abs(D(factor).ln() / base + value)
            if best is None or off < best[0]:
                best = (off, factor, float(value))
        worst, reach = max(worst, best[0]), max(reach, abs(low * best[1] - 1), abs(high * best[1] - 1))
        factors.append(best[1])
        logarithms.append(best[2])
    print("/* %s: from %s on, within 2^%.1f, products up to %.4f from 1 */"
          % (name, hex(start), np.log2(float(worst)), reach))
    print("  " + ", ".join(f.hex() for f in factors) + "\n  " + ", ".join(v.hex() for v in logarithms))


def least_factor(low, high):
    """The factor of few digits that brings a part of the numbers of f32 nearest to 1, where the product less 1 is
    exact, and nearer where the numbers are near to 1 themselves: their logarithms are small."""
    best = (1.0, 0.0)
    for places in range(4, 8):
        for n in range(2**places // 2, 2**places * 2):
            factor = n / 2**places
            ends = [(abs(end * factor - 1), abs(end - 1)) for end in (low, high)]
            exact = max(ends)[0] < 2.0**-places * (1 if high < 1 else 2)
            share = max(off**3 / size for off, size in ends)
            if exact and share < best[0]:
                best = (share, factor)
    return best[1]


def derive_pow_table(name):
    """Sixteen parts as above in bits of f32; logarithms with few binary places, and what is left of them."""
    places, bits = POW_TABLES[name]
    start, unit = np.int32(0x3F32D000), 2**19
    rows, reach = [], 0.0
    for part in range(16):
        low, high = (float(np.int32(start + unit * part + k).view(np.float32)) for k in (0, unit - 1))
        factor = 1.0 if low <= 1 < high else least_factor(low, high)
        log = -D(factor).ln() / LN2
        first = float(round(log * 2**places)) / 2**places
        rows.append((factor, first, rounded(float(log - D(first)), bits)))
        reach = max(reach, abs(low * factor - 1), abs(high * factor - 1))
    print("/* %s: from %s on, products up to %.4f from 1 */" % (name, hex(start), reach))
    for column in zip(*rows):
        print("  " + ", ".join(v.hex() for v in column))


POW_TABLES = {"table_pow_f32": (16, 24), "table_pow_f64": (40, 53)}
KINDS = ((ROWS, derive), (QUOTIENTS, derive_quotient), (WIDE, derive_wide), (TABLES, derive_table),
         (POW_TABLES, derive_pow_table))
for wanted in sys.argv[1:] or [name for rows, _ in KINDS for name in rows]:
    for rows, call in KINDS:
        if wanted in rows:
            call(wanted)
