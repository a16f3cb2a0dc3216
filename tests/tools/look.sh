#!/usr/bin/env bash
# ls, show, stats, diff, validate, info: what they print, to the byte, and their exit codes.
. "$(dirname "$0")/lib.sh"

# ---- ls ----
run 0 ls model.safetensors
silent stderr
is stdout <<'END'
name       dtype  shape    bytes  layout
encoder.w  f32    [2,8,6]  384 B  plain
encoder.b  f32    [6]       24 B  plain
head.w     f64    [4,3]     96 B  plain
ids        i64    [5]       40 B  plain
mask       bool   [3]        3 B  plain
a[0]       f16    [2]        4 B  plain
6 tensors, 124 elements, 551 B
END
run 0 ls 'model.safetensors:enc*' fortran.npy none.npy
is stdout <<'END'
model.safetensors (safetensors)
name       dtype  shape    bytes  layout
encoder.w  f32    [2,8,6]  384 B  plain
encoder.b  f32    [6]       24 B  plain
2 tensors, 102 elements, 408 B

fortran.npy (npy)
name     dtype  shape  bytes  layout
fortran  i32    [2,3]   24 B  fortran
1 tensor, 6 elements, 24 B

none.npy (npy)
name  dtype  shape  bytes  layout
none  f32    [0,3]    0 B  plain
1 tensor, 0 elements, 0 B

all files: 4 tensors, 108 elements, 432 B
END
run 0 ls 'odd.npy[0,0]'
says stdout "1 tensor, 1 element, 4 B"
run 0 ls foreign.safetensors
is stdout <<'END'
name   dtype    shape  bytes  layout
w      f32      [4]     16 B  plain
scale  F8_E8M0  [2,4]    8 B  plain
2 tensors, 12 elements, 24 B
END
run 0 ls -m foreign.safetensors  # its metadata is there all the same
says stdout "made by"
run 0 convert fortran.npy f.npz
run 0 ls f.npz
says stdout "fortran  i32    [2,3]   24 B  fortran"
run 0 ls --json model.safetensors:ids
is stdout <<'END'
[
  {
    "file": "model.safetensors",
    "format": "safetensors",
    "tensors": [
      {
        "name": "ids",
        "dtype": "i64",
        "shape": [5],
        "bytes": 40,
        "layout": "plain"
      }
    ],
    "metadata": {
      "made by": "a test",
      "note": "two\u000alines"
    }
  }
]
END
run 2 ls model.safetensors nothing.npy  # the others are listed all the same
says stdout "6 tensors, 124 elements, 551 B"
says stderr "tessera ls: nothing.npy: cannot be opened: No such file or directory"

# ---- names with control characters, and names that look like paths ----
run 0 ls -m hostile.safetensors
is stdout <<'END'
name                dtype  shape  bytes  layout
\x1b[31mred\x1b[0m  f32    [2]      8 B  plain
two\nlines\t\\      f32    [1]      4 B  plain
\u202eevil\x07      f32    [1]      4 B  plain
../up               f32    [1]      4 B  plain
quote"              f32    [1]      4 B  plain
\x1b]0;title\x07 = \x1b[2J
5 tensors, 6 elements, 24 B
END
run 0 ls --json hostile.safetensors
says stdout '"name": "\u202eevil\u0007"'
for command in "ls" "ls --json" "show" "show --hist" "stats" "stats --json" "diff -a hostile.safetensors" "validate"; do
  run 0 $command hostile.safetensors
  if LC_ALL=C grep -q $'[\x01-\x09\x0b-\x1f\x7f]' stdout; then fail "$command lets control characters through"; else pass; fi
done
run 2 show $'hostile.safetensors:\x1b[31mrad\x1b[0m'
says stderr "did you mean '\\x1b[31mred\\x1b[0m'?"

# ---- show ----
run 0 show 'model.safetensors:encoder.w[0, :2, ::2]' 'model.safetensors:a[0]' 'model.safetensors:a[0][1]' fortran.npy
is stdout <<'END'
encoder.w[0, :2, ::2]: f32 [2,3] strides [6,2]
[[-4.   -3.75 -3.5 ]
 [-3.25 -3.   -2.75]]
a[0]: f16 [2]
[1. 1.]
a[0][1]: f16 []
1.
fortran: i32 [2,3] strides [1,2]
[[0 1 2]
 [3 4 5]]
END
run 0 show --precision 2 --width 32 'model.safetensors:encoder.w[1,0]'
is stdout <<'END'
encoder.w[1, 0]: f32 [6]
[2.   2.12 2.25 2.38 2.5  2.62]
END
COLUMNS=20 run 0 show 'model.safetensors:encoder.w[1,0]'
says stdout " 2.375 2.5   2.625]"
run 0 show --heat --width 24 'ramp.npy[::2]'
is stdout <<'END'
ramp[::2]: f32 [4,8] strides [16,1]
        ........
------------====
++++************
%%%%%%%%@@@@@@@@
0  ..:::--==++**###%%@ 55
END
run 0 show --heat filters.npy
says stdout "the last two axes, at [0, 0] of the others"
run 0 show --heat --color always --min 0 --max 1 'ramp.npy[:2, :1]'
says stdout $'\x1b[38;2;21;14;55m\x1b[48;2;21;14;55m\xe2\x96\x80'
says stdout $'\x1b[38;2;244;230;92m\x1b[48;2;244;230;92m\xe2\x96\x80'
run 0 show --heat --map diverging --color always 'ramp.npy[:1]'
run 0 show --hist --bins 3 odd.npy none.npy
is stdout <<'END'
odd: f32 [3,4]
          -2  ███████████████████████████████████████████████████ 7
     1.33333  ███████▎ 1
     4.66667  ███████▎ 1
           8
              1 NaN, 2 infinite
none: f32 [0,3]
(no elements)
END
LC_ALL=C run 0 show --hist --bins 2 odd.npy
says stdout "-2  ################################################### 7"
run 0 show model.safetensors
says stdout "mask: bool [3]"

# ---- stats ----
run 0 stats model.safetensors odd.npy
is stdout <<'END'
model.safetensors (safetensors)
name       dtype  shape    min    max      mean       std  zeros  nan  inf
encoder.w  f32    [2,8,6]   -4  7.875    1.9375   3.46391      1    0    0
encoder.b  f32    [6]        0      0         0         0      6    0    0
head.w     f64    [4,3]      0      1      0.25  0.433013      9    0    0
ids        i64    [5]        0      4         2   1.41421      1    0    0
mask       bool   [3]        0      1  0.666667  0.471405      1    0    0
a[0]       f16    [2]        1      1         1         0      0    0    0

odd.npy (npy)
name  dtype  shape  min  max  mean      std  zeros  nan  inf
odd   f32    [3,4]   -2    8   1.5  2.72845      2    1    2
END
run 0 stats --quantiles ramp.npy
is stdout <<'END'
name  dtype  shape  min  max  mean     std    1%    5%    25%   50%    75%    95%    99%
ramp  f32    [8,8]    0   63  31.5  18.473  0.63  3.15  15.75  31.5  47.25  59.85  62.37
END
run 0 stats --json 'odd.npy[1]'
says stdout '"name": "odd[1]"'
says stdout '"mean": 0.5'
says stdout '"inf": 2'
run 0 stats --json none.npy
says stdout '"min": null'
run 0 stats --hist --bins 2 complex.safetensors
says stdout "z     c64    [2]    |2.23607|  |5|  2-1j  3.16228      0    0    0"
# Integers of 8 and 16 bits are counted, others are sorted: the same numbers.
for dtype in u8 i8 u16 i16; do
  run 0 convert "raw:$dtype:-1:model.gguf" short.npy
  run 0 convert --dtype i32 short.npy long.npy
  run 0 stats --quantiles short.npy
  sed 's/^short  [iu0-9]* *//; 1d' stdout >short.txt
  run 0 stats --quantiles long.npy
  check "quantiles of $dtype" diff short.txt <(sed 's/^long  *[iu0-9]* *//; 1d' stdout)
done

run 0 stats --quantiles complex.safetensors
says stdout "|3.61803|"
run 0 stats --json complex.safetensors
says stdout '"max_abs": 5,'
says stdout '"mean_imag": -1,'

# ---- diff ----
run 1 diff model.safetensors changed.safetensors
is stdout <<'END'
name       unequal  max abs  max rel     max ulp  first
encoder.w        2    7.875      inf  1090256896  [1, 2, 3]: 3.875, 4.375
mask             -        -        -           -  only in the first
extra            -        -        -           -  only in the second
4 the same, 1 different, 2 in one file only
END
run 1 diff --all --atol 0.6 model.safetensors changed.safetensors
says stdout "encoder.w        1    7.875      inf  1090256896  [1, 7, 5]: 7.875, 0"
says stdout "encoder.b        0        0        0           0"
run 0 diff --atol 8 model.safetensors:encoder.w changed.safetensors:encoder.w
is stdout <<'END'
1 the same, 0 different
END
run 0 diff odd.npy odd.npy  # NaN equals NaN here
run 0 diff complex.safetensors complex.safetensors
run 1 diff 'ramp.npy[0]' 'ramp.npy[:, 0]'
run 1 diff ramp.npy 'ramp.npy[1:]'
says stdout "shape [8,8], [7,8]"
run 0 convert --dtype f16 ramp.npy half.npy
run 1 diff ramp.npy half.npy
says stdout "dtype f32, f16"
run 0 diff --values ramp.npy half.npy
run 1 diff --json ramp.npy 'ramp.npy[::-1]'
says stdout '"first": "[0, 0]: 0, 56"'
run 2 diff ramp.npy nothing.npy
run 2 diff --rtol -1 ramp.npy ramp.npy

# ---- validate ----
run 0 validate model.safetensors odd.npy
is stdout <<'END'
model.safetensors: whole: safetensors, 6 tensors, 551 B
odd.npy: whole: npy, 1 tensor, 48 B
END
run 0 validate --quiet model.safetensors
silent stdout
run 1 validate model.safetensors cut.safetensors
says stdout "cut.safetensors: header: byte 484: the data ends past the file: only 548 bytes are there"
run 1 validate pickle.pt
says stdout "this looks like a Python pickle"
run 2 validate nothing.npy cut.safetensors
printf '' >empty
run 1 validate empty
says stdout "empty: the file is empty"

# ---- info ----
TSR_THREADS=1 TSR_ISA=base run 0 info
says stdout "instructions  base (of"
says stdout "threads       1"
says stdout "safetensors"
run 0 info --json
says stdout '"formats": ['

# ---- ops ----
if grep -q '^#define TSR_HAVE_OPS 1' "$BUILD/include/tessera/config.h"; then
  run 0 ops
  says stdout "softmax                  e^x / Σ e^x along axis"
  if [ "$(wc -l <stdout)" -gt 250 ]; then pass; else fail "only $(wc -l <stdout) ops"; fi
  run 0 ops topk tsr_where
  is stdout <<'END'
topk(x, k: int, axis: axis = -1, largest: bool = true, sorted: bool = true) -> values?, index?
  The k greatest elements along axis (largest), or the k least, and their indices.
  dtypes: bool, integers, floats -> the same, index
where(cond, a, b) -> out
  a where cond is true, b elsewhere.
  dtypes: bool, integers, floats, complex; cond bool -> the same
END
  run 0 ops --long
  says stdout "conv2d(x, w, bias?, stride: ints[2] = default"
  run 0 ops --json pad
  is stdout <<'END'
[
  {
    "name": "pad",
    "brief": "before[i] more elements in front of axis i and after[i] behind it",
    "dtypes": "bool, integers, floats, complex -> the same",
    "inputs": [
      {
        "name": "in",
        "type": "tensor",
        "optional": false
      }
    ],
    "attributes": [
      {
        "name": "before",
        "type": "ints",
        "optional": true
      },
      {
        "name": "after",
        "type": "ints",
        "optional": true
      },
      {
        "name": "mode",
        "type": "word",
        "optional": true,
        "words": [
          "constant",
          "edge",
          "reflect",
          "wrap"
        ],
        "default": "constant"
      },
      {
        "name": "value",
        "type": "real",
        "optional": true,
        "default": 0
      }
    ],
    "outputs": [
      {
        "name": "out",
        "type": "tensor",
        "optional": false
      }
    ]
  }
]
END
  run 2 ops sofmax
  says stderr "tessera ops: there is no op 'sofmax'; did you mean 'softmax'? (tessera ops)"
  silent stdout
fi
# ---- images in their own colours ----
printf 'P6 2 2 255\n\377\000\000\000\377\000\000\000\377\012\024\036' >rgb.ppm
run 0 show --heat --color always rgb.ppm
says stdout "38;2;255;0;0"
says stdout "48;2;0;0;255"
says stdout "48;2;10;20;30"
run 0 convert --dtype u8=f32 rgb.ppm rgb.npy  # not from 0 to 1: numbers
run 0 show --heat --color always rgb.npy
says stdout "the last two axes, at [0] of the others"
run 0 show --heat --color always --map gray rgb.ppm
says stdout "the last two axes, at [0] of the others"
run 0 show --heat rgb.ppm
says stdout "."
finish
