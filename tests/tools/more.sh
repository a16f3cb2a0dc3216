#!/usr/bin/env bash
# What the other tests of the command pass by: tensors that lie anyhow, names of every kind, files of other kinds, options.
. "$(dirname "$0")/lib.sh"
npy() { printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"; }

# ---- layouts of tensors that are written in pieces ----
{ npy '<f4' '(1, 16, 40, 40)'; seq -f '%08.0f' 1 12800 | tr -d '\n'; } >large.npy
run 0 convert --layout NHWC large.npy nhwc.safetensors
run 0 ls nhwc.safetensors
says stdout "[1,40,40,16]  102.4 KB  NHWC"
run 0 convert --layout NCHW nhwc.safetensors nchw.npy
run 0 diff nchw.npy large.npy
run 0 convert --lossy --layout NHWC --dtype bf16 large.npy half.safetensors
run 0 convert --layout NCHW half.safetensors half.npz
run 0 diff --values --rtol 0.01 half.npz large.npy
run 0 convert --layout NC8HW large.npy blocked.safetensors
run 0 ls blocked.safetensors
says stdout "[1,2,40,40,8]"
run 0 convert --layout NCL large.npy same.npy # of another rank: nothing to do
check "it stays as it is" cmp same.npy large.npy

# ---- views that are not one run: stats, quantiles, histograms, pictures ----
run 0 stats --quantiles 'large.npy[0, ::2, 1:, ::3]' 'ramp.npy[::2, ::3]'
says stdout "ramp[::2, ::3]  f32    [4,3]    0   54    27"
run 0 show --hist --bins 2 'ramp.npy[::3, ::2]'
says stdout " 6"
run 0 show --heat 'large.npy[0, ::5, ::2, ::3]'
run 0 show --heat none.npy
says stdout "(no elements)"
run 0 show --hist 'odd.npy[1:2, :3]'
says stdout "(no finite elements)"
run 0 show --heat --map diverging 'ramp.npy[None, ..., 2]'
run 0 show --heat --map gray --color always 'filters.npy[0,0]'
run 0 stats --quantiles 'odd.npy[1:2, :3]'
says stdout "nan"
printf '1\n1\n1\n1\n' >same.csv
run 0 stats --quantiles same.csv
run 0 show --hist same.csv

# ---- slices ----
run 0 show 'ramp.npy[..., None, -1]' 'ramp.npy[+1, :-2:2]' 'ramp.npy[ 1 , ::-1 ,]'
says stdout "ramp[..., None, -1]: f32 [8,1]"
for slice in '[0,' '[]' '[1:2:0]' '[-]' '[9999999999999999999999]' '[..., ...]' '[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]'; do
  run 2 show "ramp.npy$slice"
  says stderr "at character"
done

# ---- names: of two, three and four bytes, not UTF-8, with marks that turn text ----
name() { run 0 convert --rename "ramp=$1" ramp.npy named.npz; run 0 ls named.npz; says stdout "$2"; }
name 'gr\303\274n' 'gr\\303\\274n'
name 'grün' 'grün'
name '重み' '重み'
name '𝛼β' '𝛼β'
name $'a\xe2\x80\x8bb' 'a\u200bb'
name $'a\xef\xbb\xbfb' 'a\ufeffb'
name $'a\xd8\x9cb' 'a\u061cb'
name $'a\xc2\xadb' 'a\xadb'
name $'a\xe2\x81\xa6b' 'a\u2066b'
name $'a\x7fb' 'a\x7fb'
run 2 show $'ramp.npy:\xff\xfe\xc0\x80\xe2\x28\xed\xa0\x80\xf5' # no UTF-8: in a message
says stderr '\xff\xfe\xc0\x80'
run 0 ls --json named.npz

# ---- files of other kinds are called what they are ----
looks() { printf "$1" >other.bin; run 2 ls other.bin; says stderr "this looks like $2"; }
looks 'ggml1234' "an old ggml model"
looks '\211HDF\r\n\032\n1234' "an HDF5 file"
looks 'GIF89a' "a GIF picture"
looks '\037\213\010' "a gzip archive"
looks '\050\265\057\375' "a zstd archive"
looks '\3757zXZ\000' "an xz archive"
looks '7z\274\257\047\034' "a 7-zip archive"
looks '%%PDF-1.7' "a PDF document"
looks '\177ELF\002\001' "a program or library"
looks 'MATLAB 5.0' "a MATLAB file"
looks '\034\000\000\000TFL3' "a TensorFlow Lite model"
looks 'PAR1' "a Parquet file"
looks 'ARROW1\000\000' "an Arrow file"
looks 'SQLite format 3\000' "an SQLite database"
looks '#!/bin/sh\necho' "a script"
looks '  {"a": 1}\n' "JSON text"
looks '\n\t[1]\n' "JSON text"
head -c 300 /dev/zero | tr '\0' a >tar.bin
printf 'ustar' | dd of=tar.bin bs=1 seek=257 conv=notrunc 2>/dev/null
run 2 ls tar.bin
says stderr "a tar archive"
printf '\001\002' >short.bin
run 2 ls short.bin
says stderr "not a file type that Tessera knows"

# ---- temporary folders, standard input ----
TMPDIR=/no/such/folder run 2 convert --to npy ramp.npy -
says stderr "no folder can be made there"
TMPDIR=$(printf '/%0.sx' $(seq 1 4000)) run 2 convert --to npy ramp.npy -
says stderr "TMPDIR is too long"
TMPDIR='' run 0 convert --to npy ramp.npy -
code=0
"$TESSERA" ls - <&- >stdout 2>stderr || code=$?
if [ $code = 2 ]; then pass; else fail "no standard input: exit code $code"; fi
code=0
"$TESSERA" ls - <. >stdout 2>stderr || code=$?
if [ $code = 2 ]; then pass; else fail "a folder as standard input: exit code $code"; fi
says stderr "standard input: reading failed"

# ---- raw forms ----
head -c 96 /dev/zero >z.bin
run 0 ls raw:f32le@16:2x-1:z.bin
says stdout "[2,10]"
for form in raw:f32@-1:2:z.bin raw:f32@99999999999999999999:2:z.bin raw:f32@:2:z.bin raw:f32xx:z.bin raw::z.bin raw:f:z.bin raw:averyverylongdtypename:z.bin raw:f32:2x:z.bin \
  raw:f32:-2x3:z.bin raw:f32:9999999999999999999x1:z.bin raw:f32:1x1x1x1x1x1x1x1x1x1x1:z.bin raw:f32:x:z.bin; do
  run 2 ls "$form"
  says stderr "it is raw:DTYPE[@OFFSET][:SHAPE]:FILE"
done
cp z.bin raw:odd
run 2 ls raw:odd # a file of that name is one

# ---- options ----
run 0 show -p3 -w 40 'ramp.npy[0]'
run 0 show --precision=0 odd.npy
run 2 show --
run 0 show -a -- ramp.npy
run 2 show --precision=-1 ramp.npy
run 2 show --precision= ramp.npy
run 2 diff --rtol x ramp.npy ramp.npy
run 2 diff --rtol '' ramp.npy ramp.npy
run 2 show --heat --min x ramp.npy
run 2 plot --bins 0 ramp.npy -o x.png
run 2 plot --height 5 ramp.npy -o x.png
run 2 help nothing
COLUMNS=x run 0 show 'ramp.npy[0]'
COLUMNS=100000 run 0 show 'ramp.npy[0]'
run 2 convert --dtype =f32 ramp.npy x.npy
run 2 convert --dtype f32= ramp.npy x.npy
run 2 convert --dtype averyverylongdtypename=f32 ramp.npy x.npy
run 2 convert --rename =x ramp.npy x.npy
run 2 convert --rename x= ramp.npy x.npy
run 2 convert --rename 'ramp=*' ramp.npy x.npy
run 0 convert --rename 'r*p=x*y' ramp.npy x.npz
run 0 ls x.npz
says stdout "xamy"
run 2 convert --rename 'rampramp*=x' ramp.npy x.npz
run 2 convert --rename 'r*x=y' ramp.npy x.npz
run 2 convert --to gguf ramp.npy x
run 0 stats --json --quantiles complex.safetensors
says stdout '"quantiles_abs"'
run 0 diff --json --all odd.npy odd.npy
run 1 diff --json model.safetensors changed.safetensors
says stdout '"why": "only in the first"'
run 1 diff 'odd.npy[0]' 'odd.npy[1]'
run 2 diff mixed.gguf nothing
run 2 diff nothing ramp.npy
run 0 ops --json softmax
if "$TESSERA" info | hears "png 1"; then
  printf 'nan\nnan\n' >nans.csv
  run 0 plot nans.csv -o x.png
  run 0 plot --kind hist nans.csv -o x.png
  run 0 plot --kind heat nans.csv -o x.png
  run 0 plot 'ramp.npy[0,0]' -o x.png
  run 0 plot --kind hist --bins 1 'ramp.npy[:1,:1]' -o x.png
  run 0 plot --kind grid ramp.npy -o x.png # a matrix is a grid of one
  run 2 plot --kind line ramp.npy'[None]' --min 1 --max 0 -o /no/such/x.png
  run 0 plot --kind line 'ramp.npy[:8]' -o x.png
  printf '1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n15,16\n17,18\n' >nine.csv
  run 2 plot --kind line nine.csv -o x.png
  says stderr "9 lines are too many"
  head -c 5000 /dev/zero >many.bin
  run 2 plot raw:u8:5000x1x1x1:many.bin --kind grid -o x.png
  says stderr "5000 pictures are too many"
fi
finish
