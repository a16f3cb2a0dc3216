#!/usr/bin/env bash
# diff --values: dtypes that differ, complex numbers beside real ones; what has no ULP says none.
. "$(dirname "$0")/lib.sh"
printf '0.1\n1\n0.3\n' >x.csv
run 0 convert --dtype f32 x.csv x.npy
run 0 convert --dtype f16 x.npy half.npy
run 1 diff --values x.npy half.npy
is stdout <<'END'
name  unequal      max abs      max rel  max ulp  first
x           2  4.88162e-05  0.000244215     3277  [0, 0]: 0.100000001, 0.0999755859
0 the same, 1 different
END
run 1 diff --values --json x.npy half.npy
says stdout '"max_ulp": 3277'
printf '1\n2\n3\n' >y.csv
run 0 convert --dtype f32 y.csv y.npy
run 0 convert --dtype i32 y.csv i.npy
run 0 diff --values -a y.npy i.npy
says stdout "y           0        0        0        -"
run 1 diff --values 'i.npy[:2]' 'y.npy[1:]'
says stdout "       -  [0, 0]: 1, 2"
run 1 diff --values --json 'i.npy[:2]' 'y.npy[1:]'
if grep -q ulp stdout; then fail "integers have no ULP"; else pass; fi

# ---- complex beside real: the imaginary part counts ----
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"; printf '\0\0\200\077\0\0\100\100'; } >real.npy
run 1 diff --values complex.safetensors real.npy  # 1+2j, 3-4j and 1, 3
says stdout "z           2        4      inf"
says stdout "[0]: 2, 0"
run 1 diff --values real.npy complex.safetensors
says stdout "[0]: 0, 2"
run 0 diff --values complex.safetensors complex.safetensors
finish
