#!/usr/bin/env python3
"""Writes tests/golden/expr.inc: expressions and what Python and NumPy make of them.

    /usr/bin/python3 scripts/golden_expr.py > tests/golden/expr.inc

The tensors are x (f64 [3,4]), v (f64 [4]), n (i64 [3,4]), m (i64 [4]) and t (bool [3,4]), as tests/expr/grammar_test.c makes them. Results
are the bits of 64-bit elements. Where Python has no elementwise form (and, or, not, chains, x if c else y) the second text of a pair is
evaluated. Made with NumPy 1.24. Needs nothing but NumPy."""
import random

import numpy as np

np.seterr(all="ignore")
PLACES = np.arange(12).reshape(3, 4)
X = PLACES * 0.75 - 4
V = np.array([0.5, -2.0, 3.0, 1.25])
N = PLACES * 5 % 7 - 2
M = np.array([1, 2, 3, 5])
T = PLACES % 3 == 0

SAME = """
1+2*3; (1+2)*3; 2**3**2; -2**2; (-2)**2; 2**-1; -2**-2; 7//2; -7//2; 7//-2; 7%3; -7%3; 7%-3; -7%-3; 7.5//2; -7.5//2; -7.5%2; 7.5%-2; 1/3; 6/3
1<2; 2<=2; 3>4; 1==1.0; 1!=2; 5&3; 5|3; 5^3; ~5; 1<<4; -16>>2; 3+4<<1; 1|2^3&4; 6-3-2; 24/4/3; 2*3%4; 7//2*2; 1-2+3; - -3; -+3; +3; +True; ~-1; not 0; not 3
not 1==2; 1<2<3; 1<3<2; 3>2>1; 1==1==1; (1<2)<3; 1 if 2 else 3; 1 if 0 else 3; 1 if 0 else 2 if 0 else 3; (1 if 1 else 0) if 0 else 5; 1e3; 1_000; .5; 5.
0x1f; 0b101; 0o17; 1.5e-3; 1E+2; True; False; True+True; 10**15; 2.0**0.5; 9007199254740993; 9007199254740993+0; 4**-1
x; -x; +x; x+v; x-v; v-x; x*v; x/v; x//v; x%v; n//m; n%m; n-m; n*m; n/m; -n; x+1; 1+x; x-1; 1-x; 2*x; x/2; 2/x; x//2; x%3; 7//v; 7%v; n//2; n%3; 7//m; 7%m
x**2; -x**2; (-x)**2; x**2*v; n**2; n**3; m**m; 2**m; v**3; x*x-v*v; x+v*2; (x+v)*2; x-v-1; x-(v-1); x/v/2; x*v%3; x<v; x<=v; x>v; x>=v; x==v; x!=v
n<0; 0<n; n==3; 3==n; 3>=n; x+v<1; x<v+1; n&m; n|m; n^m; n<<1; n>>1; n&1; 1&n; ~n; ~t; n&m|1; n^m&3; n<<1+1; -n>>1; t&t; t|t; t^t; n+m<<1; n&m==0
x[0]; x[-1]; x[1:]; x[:2]; x[::2]; x[::-1]; x[:,1]; x[:,1:3]; x[1,2]; x[1][2]; x[...,0]; x[...,::-1]; x[None]; x[:,None]; x[:,None,:]; x[None,...,None]; x[-2:,:-1]
x[5:]; x[2:1]; x[:,::-2]; x[3:0:-1]; x[0:3:2,1::2]; x[1,...]; x[...]; x[1:,0]; x[:,-1][::-1]; x.T; x.T[1]; x[::-1].T; (x+v).T; x.T.T; x[0]+x[1]; x[:,0]*v[:3]
x.T+x[:,0]; n[1:,::-1,None]; x[n[0,0]+2]; x[[0,2]]; x[[2,0,1],1]; x[[0,-1]]; x[-1:0:-1,::3]; v[:,None]*v; v[:,None]-v[None,:]; x.shape[0]; x.size; x.ndim; x[:x.shape[0]-1]
x . T ; ( x ) [ 0 ]; x[ 1 : ]; ((((x))))+1; x[(0)]; -x[0]; -x[0]**2; x[0]**2+x[1]**2; 2*x[1]-x[0]/4; x*(v>0); t*x; t+n; (x>0)&(x<3); (x>0)|t; (x>0)^t
"""
PAIRS = [
    ("0 < x < 3", "(0 < x) & (x < 3)"), ("0 <= n <= 2 < 3", "(0 <= n) & (n <= 2)"), ("x < v < 2", "(x < v) & (v < 2)"),
    ("v > x > -3 != x", "(v > x) & (x > -3) & (-3 != x)"), ("(0 < n) < 1", "(0 < n) < True"),
    ("x > 0 and n > 0", "(x > 0) & (n > 0)"), ("x > 0 or n > 0", "(x > 0) | (n > 0)"), ("not x > 0", "~(x > 0)"),
    ("not x > 0 and n", "~(x > 0) & (n != 0)"), ("not (x > 0 and n)", "~((x > 0) & (n != 0))"), ("n and m", "(n != 0) & (m != 0)"),
    ("x > 0 or n > 0 and t", "(x > 0) | ((n > 0) & t)"), ("(x > 0 or n > 0) and t", "((x > 0) | (n > 0)) & t"),
    ("not n", "n == 0"), ("not not n", "n != 0"), ("1 and 0", "False"), ("0 or 2", "True"), ("1 and n", "n != 0"), ("n or 0", "n != 0"),
    ("x if x > 0 else -x", "np.where(x > 0, x, -x)"), ("x if n else v", "np.where(n != 0, x, v)"),
    ("1 if x > 0 else 0", "np.where(x > 0, 1, 0)"), ("x if 1 else v", "x"), ("x if 0 else v", "v"),
    ("x if x > 0 else v if v > 0 else 0.5", "np.where(x > 0, x, np.where(v > 0, v, 0.5))"),
    ("(x if x > 0 else v) if n > 0 else 7.0", "np.where(n > 0, np.where(x > 0, x, v), 7.0)"),
    ("x + 1 if x > 0 else x - 1", "np.where(x > 0, x + 1, x - 1)"), ("x if not x > 0 or t else 0.25", "np.where(~(x > 0) | t, x, 0.25)"),
    ("x @ v", "x @ v"), ("n @ n.T", "n @ n.T"), ("n @ m + 1", "n @ m + 1"), ("2 * n @ m", "(2 * n) @ m"),
    ("where(x > 0, x, 0)", "np.where(x > 0, x, 0.0)"), ("clip(x, -1, 1.5)", "np.clip(x, -1, 1.5)"), ("clip(n, 0, 2)", "np.clip(n, 0, 2)"),
    ("clip(x, -1, None)", "np.clip(x, -1, None)"), ("clip(x, None, v)", "np.clip(x, None, v)"), ("n.clip(None, 2)", "n.clip(None, 2)"),
    ("clip(x, a_max=0.5)", "np.clip(x, None, 0.5)"), ("n.clip(min=0)", "n.clip(min=0)"), ("n.astype(float)", "n.astype(float)"),
    ("int(x)", "x.astype(int)"), ("n.astype('float64')", "n.astype('float64')"),
    ("maximum(x, 0)", "np.maximum(x, 0)"), ("minimum(0, x)", "np.minimum(0, x)"), ("maximum(x, v)", "np.maximum(x, v)"),
    ("sum(x, axis=0)", "np.sum(x, axis=0)"), ("sum(n)", "np.sum(n)"), ("sum(n, axis=1, keepdims=True)", "np.sum(n, axis=1, keepdims=True)"),
    ("n.sum(axis=(0, 1))", "n.sum(axis=(0, 1))"), ("max(x, axis=-1)", "np.max(x, axis=-1)"), ("n.min(axis=0)", "n.min(axis=0)"),
    ("n.max() - n.min()", "n.max() - n.min()"), ("prod(m)", "np.prod(m)"), ("argmax(x, axis=1)", "np.argmax(x, axis=1)"),
    ("any(n > 3, axis=0)", "np.any(n > 3, axis=0)"), ("all(t)", "np.all(t)"), ("cumsum(n, axis=1)", "np.cumsum(n, axis=1)"),
    ("sort(n, axis=1)", "np.sort(n, axis=1)"), ("n.reshape(2, 6)", "n.reshape(2, 6)"), ("n.reshape((4, -1))", "n.reshape((4, -1))"),
    ("reshape(n, [12])[::5]", "n.reshape(12)[::5]"), ("concat([n, n], axis=1)", "np.concatenate([n, n], axis=1)"),
    ("concatenate((n, m[None]))", "np.concatenate((n, m[None]))"), ("stack([m, m*2])", "np.stack([m, m*2])"),
    ("abs(n)", "np.abs(n)"), ("sign(x)", "np.sign(x)"), ("floor(x)", "np.floor(x)"), ("absolute(x)", "np.absolute(x)"), ("sqrt(x*x)", "np.sqrt(x*x)"),
    ("i64(x)", "x.astype(np.int64)"), ("f64(n)/2", "n.astype(np.float64)/2"), ("x.astype(i64)", "x.astype(np.int64)"),
    ("bool(n)", "n.astype(bool)"), ("int64(t)", "t.astype(np.int64)"), ("pi", "np.pi"), ("-inf", "-np.inf"), ("x*pi", "x*np.pi"),
    ("swapaxes(x, 0, 1)", "np.swapaxes(x, 0, 1)"), ("einsum('ij,kj->ik', n, n)", "np.einsum('ij,kj->ik', n, n)"),
    ("zeros((2, 3), dtype=i64) + 1", "np.zeros((2, 3), np.int64) + 1"), ("arange(5, dtype=i64)", "np.arange(5)"),
    ("arange(2, 9, 3, dtype=f64)", "np.arange(2.0, 9.0, 3.0)"), ("full((2,), 7, dtype=i64)", "np.full((2,), 7)"),
    ("x[x > 0]", "x[x > 0]"), ("n[t]", "n[t]"), ("d = x - v; d*d", "(x - v)**2"), ("a = n; a = a + a; a - 1", "n + n - 1"),
    ("# a comment\nd = x - 1 # another\n\ne = d * 2;\nd + e", "(x - 1) + (x - 1) * 2"), ("(x +\n v)", "x + v"), ("x + \\\n v", "x + v"),
    ("a, b = split(n, axis=1); a - b", "n[:, :2] - n[:, 2:]"), ("q, k = topk(m, 2); q + k", "np.array([5 + 3, 3 + 2])"),
    ("x[1:,\n  ::-1]", "x[1:, ::-1]"), ("roll(m, 1, axis=0)", "np.roll(m, 1)"), ("diff(n, axis=1)", "np.diff(n, axis=1)"), ("tril(n)", "np.tril(n)"),
]


def random_text(rng, depth):
    """A random expression of whole numbers, n and m, that cannot fail."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(["n", "m", "n[0]", "m[1]", "n[:, 1:2]", str(rng.randint(0, 9))])
    kind = rng.randrange(8)
    left, right = random_text(rng, depth - 1), random_text(rng, depth - 1)
    if kind == 0:
        return "(" + left + ")"
    if kind == 1:
        return rng.choice(["-", "~", "+"]) + left
    space = rng.choice(["", " "])
    return left + space + rng.choice(["+", "-", "*", "+", "-", "*", "&", "|", "^", "//", "%"]) + space + right


def evaluate(text):
    return np.asarray(eval(text, {"np": np}, dict(x=X, v=V, n=N, m=M, t=T)))


def random_pairs():
    rng = random.Random(16)
    found = []
    while len(found) < 150:
        text = random_text(rng, rng.randint(2, 5))
        try:
            result = evaluate(text)
        except (ZeroDivisionError, OverflowError):
            continue
        if result.dtype == np.int64 and np.all(np.abs(result) < 2**50) and "//0" not in text:
            found.append((text, text))
    return found


def c_text(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


same = [(text.strip(), text.strip()) for line in SAME.strip().split("\n") for text in line.split(";")]
print("/* Written by scripts/golden_expr.py with NumPy %s. */" % np.__version__)
rows, bits = [], []
for text, python in same + PAIRS + random_pairs():
    result = evaluate(python)
    kinds = {"f": ("F64", np.float64), "i": ("I64", np.int64), "b": ("BOOL", np.int64)}
    name, wide = kinds[result.dtype.kind]
    rows.append("    {%s, TSR_%s, %d, {%s}, %d}," % (c_text(text), name, result.ndim,
                                                ", ".join(map(str, result.shape)) or "0", len(bits)))
    bits += result.astype(wide).view("u8" if result.ndim else "u8").ravel().tolist()
print("static const uint64_t golden_bits[] = {")
for i in range(0, len(bits), 6):
    print("    " + " ".join("0x%xu," % b for b in bits[i:i + 6]))
print("};")
print("""
static const struct {
  const char *text;
  int         dtype, ndim;
  tsr_index   shape[4];
  int         first; /* of golden_bits */
} golden_rows[] = {""")
print("\n".join(rows))
print("};")
