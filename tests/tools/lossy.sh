#!/usr/bin/env bash
# convert: what takes numbers away is refused, or said with --lossy; rules that no tensor meets; pictures of floats.
. "$(dirname "$0")/lib.sh"
# ---- floats to integers ----
wrong "tessera convert: odd: f32 to i8 changes 4 of 12 numbers: 1 rounded, 2 out of range, 1 NaN; 2 become 0" convert --dtype i8 odd.npy x.npy
says stderr "nothing was written: --lossy converts all the same"
if [ -e x.npy ]; then fail "something was written"; else pass; fi
run 0 convert --lossy --dtype i8 odd.npy x.npy
says stderr "note: odd: f32 to i8 changes 4 of 12 numbers: 1 rounded, 2 out of range, 1 NaN; 2 become 0"
run 0 show x.npy
says stdout " [   0  127 -128    0]"
wrong "encoder.w: f32 to i8 changes 84 of 96 numbers: 84 rounded; 14 become 0" convert --dtype i8 model.safetensors x.safetensors
run 0 convert --dtype i8 --select ids --select encoder.b model.safetensors x.safetensors # whole numbers
silent stderr
run 0 convert --dtype i32 'ramp.npy[::-1, ::2]' x.npy
silent stderr
wrong "odd[::2, ::2]: f32 to u8 changes 1 of 4 numbers: 1 out of range; 1 become 0" convert --dtype u8 "odd.npy[::2, ::2]" y.npy

# ---- integers to narrower ones, to floats, to bool ----
printf '1\n300\n-1\n' >i.csv
run 0 convert --dtype i32 i.csv i.npy
wrong "i: i32 to u8 changes 2 of 3 numbers: 2 out of range" convert --dtype u8 i.npy x.npy
wrong "i: i32 to bool changes 2 of 3 numbers: 2 out of range" convert --dtype bool i.npy x.npy
run 0 convert --dtype i16 i.npy x.npy
printf '16777217\n16777216\n' >exact.csv
run 0 convert --dtype i32 exact.csv exact.npy
wrong "exact: i32 to f32 changes 1 of 2 numbers: 1 rounded" convert --dtype i32=f32 exact.npy x.npy
run 0 convert --dtype i32=f64 exact.npy x.npy

# ---- floats to narrower ones: digits are not asked for, numbers that do not fit are ----
printf '0.1\n65519\n1e-30\n' >small.csv
run 0 convert --dtype f16 small.csv x.npy
silent stderr
printf '0.1\n70000\n-1e5\n' >large.csv
wrong "large: f64 to f16 changes 2 of 3 numbers: 2 out of range" convert --dtype f16 large.csv x.npy
run 0 convert --dtype bf16 --to safetensors large.csv x.safetensors
run 0 convert --dtype f32 large.csv x.npy
run 0 convert --dtype f16 odd.npy x.npy # infinities and NaN stay what they are
silent stderr
wrong "odd: f32 to f8_e4m3 changes 2 of 12 numbers: 2 out of range" convert --dtype f8_e4m3 odd.npy x.safetensors
run 0 convert --lossy --dtype f16 large.csv x.npy
says stderr "note: large: f64 to f16 changes 2 of 3 numbers: 2 out of range"
run 0 convert --dtype f16 none.npy x.npy
# in the second of two blocks, at the end of a tensor that is written piece by piece
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (1048600,), }"; head -c 4194396 /dev/zero; printf '\0\0\200\177'; } >long.npy
run 0 convert --dtype f16 long.npy x.npy # infinite to begin with
{ head -c 4194524 long.npy; printf '\0\0\200\107'; } >last.npy # 65536
wrong "last: f32 to f16 changes 1 of 1,048,600 numbers: 1 out of range" convert --dtype f16 last.npy x.npy

# ---- many tensors: eight are named ----
for i in $(seq 1 10); do run 0 convert --append --rename "small=t$i" small.csv many.npz; done
wrong "and so in 2 tensors more" convert --dtype i8 many.npz x.npz
if [ "$(grep -c changes stderr)" = 8 ]; then pass; else fail "$(grep -c changes stderr) tensors are named"; fi
# ---- blocks of GGUF files ----
cp "$SOURCE/tests/io/gguf/blocks.gguf" .
run 0 convert --dtype f16 blocks.gguf x.safetensors
wrong "q8_0: f32 to i8 changes" convert --dtype i8 blocks.gguf x.safetensors
wrong "type Q4_K is not decoded" convert --dtype i8 --select q4_k "$SOURCE/tests/io/gguf/mixed.gguf" x.safetensors

# ---- rules that no tensor meets ----
wrong "--rename: 'nosuch' is none of the 6 tensors" convert --rename nosuch=x model.safetensors x.safetensors
wrong "--rename: 'haed.w' is none of the 6 tensors; did you mean 'head.w'?" convert --rename haed.w=x model.safetensors x.safetensors
wrong "--rename: 'decoder.*' is none of the 6 tensors; near are 'encoder.w', 'encoder.b'" convert --rename 'decoder.*=*' model.safetensors x.safetensors
wrong "--rename" convert --rename '*=a*b*' model.safetensors x.safetensors
wrong "many.npz: 't1' is in the archive already" convert --append --rename small=t1 small.csv many.npz
wrong "--rename: 'head.w' is none of" convert --select ids --rename head.w=x model.safetensors x.safetensors
wrong "--select: 'isd' is none of the 6 tensors; did you mean 'ids'?" convert --select head.w --select isd model.safetensors x.safetensors

# ---- files that grow are .npz and safetensors ----
cp model.safetensors old.safetensors
run 0 convert --append ramp.npy old.safetensors
run 0 ls old.safetensors
says stdout '7 tensors'
run 0 diff old.safetensors:ramp ramp.npy
run 0 ls -m old.safetensors
says stdout 'made by = a test' # the old file's metadata stays
wrong "ramp is in the bundle already" convert --append ramp.npy old.safetensors
run 0 ls old.safetensors
says stdout '7 tensors'
wrong "--append: only .npz and safetensors files grow, and ramp.npy is npy" convert --append model.safetensors ramp.npy
run 0 convert --append ramp.npy new.safetensors
run 0 diff new.safetensors ramp.npy
wrong "--append: new.npy would be an .npz or .safetensors: call it so" convert --append ramp.npy new.npy
wrong "--append needs a file" convert --append ramp.npy -

# ---- pictures ----
printf '0,0.5\n1,0.25\n' >grey.csv
run 0 convert grey.csv grey.pgm
says stderr "note: grey: floats from 0 to 1 are written as 0 to 255"
run 0 show grey.pgm
is stdout <<'END'
grey: u8 [2,2]
[[  0 128]
 [255  64]]
END
run 0 convert --to pgm grey.csv grey.bin
wrong "without --dtype, floats from 0 to 1 become 0 to 255; --lossy converts all the same" convert --dtype u8 grey.csv x.pgm
says stderr "grey: f64 to u8 changes 2 of 4 numbers: 2 rounded; 2 become 0"
wrong "only u8 and u16 are images, and floats that are all from 0 to 1; --dtype u8 converts whole numbers from 0 to 255" convert ramp.npy x.pgm
run 0 convert --dtype u8 ramp.npy ramp.pgm
run 0 diff --values ramp.pgm ramp.npy
wrong "only u8 and u16 are images" convert 'odd.npy[1:2, :1]' x.pgm # NaN
finish
