#!/usr/bin/env bash
# convert: formats, dtypes, layouts, names; whatever happens, an old file stays whole.
. "$(dirname "$0")/lib.sh"

# ---- formats ----
run 0 convert model.safetensors:head.w w.npy
run 0 convert w.npy w.safetensors
run 0 diff w.safetensors model.safetensors:head.w
for format in npy npz safetensors; do
  "$TESSERA" info | hears -w "$format" || { skip "no $format"; continue; }
  run 0 convert --to $format ramp.npy "out.$format"
  run 0 diff "out.$format" ramp.npy
  run 0 convert "out.$format" back.npy
  check "$format and back is the same file" cmp ramp.npy back.npy
  run 0 validate "out.$format"
  says stdout "out.$format: whole: $format, 1 tensor, 256 B"
done
run 0 convert --to csv ramp.npy ramp.csv
run 0 diff --values ramp.csv ramp.npy
if "$TESSERA" info | hears -E '^formats .* c( |$)'; then
  run 0 convert ramp.npy ramp.h
  says ramp.h "const"
fi
run 0 convert model.safetensors again.safetensors
run 0 diff model.safetensors again.safetensors
run 0 ls -m again.safetensors
says stdout 'note = two\nlines'
run 0 convert model.safetensors:ids ids.npy
says stderr "note: the metadata is left out"
cp ramp.npy same.npy
run 0 convert --dtype f64 same.npy same.npy
run 0 diff --values same.npy ramp.npy

# ---- dtypes, names, slices, layouts ----
run 0 convert --dtype bf16 model.safetensors b.safetensors
run 0 ls b.safetensors
says stdout "encoder.w  bf16   [2,8,6]"
says stdout "ids        i64    [5]"
run 0 convert --dtype f64=f32 --dtype i64=i32 model.safetensors c.safetensors
run 0 ls c.safetensors
says stdout "head.w     f32    [4,3]"
says stdout "ids        i32    [5]"
says stdout "a[0]       f16"
run 0 convert --dtype i32 ramp.npy i.npy
run 0 diff --values i.npy ramp.npy
run 0 convert --select 'encoder.*' --select ids --rename 'encoder.*=enc.*' --rename ids=n model.safetensors d.safetensors
run 0 ls d.safetensors
is stdout <<'END'
name   dtype  shape    bytes  layout
n      i64    [5]       40 B  plain
enc.b  f32    [6]       24 B  plain
enc.w  f32    [2,8,6]  384 B  plain
3 tensors, 107 elements, 448 B
END
run 2 convert --rename 'encoder.*=same' model.safetensors e.safetensors
says stderr "same"
run 0 convert 'model.safetensors:encoder.w[1, ::-1, 2]' part.npy
run 0 diff part.npy 'model.safetensors:encoder.w[1, ::-1, 2]'
run 0 convert --layout NHWC filters.npy f.safetensors
run 0 ls f.safetensors
says stdout "filters  f32    [2,4,4,3]  384 B  NHWC"
run 0 convert --layout NCHW f.safetensors g.npy
run 0 diff filters.npy g.npy

# ---- failures leave the old file as it is ----
cp ramp.npy old.npy
run 2 convert model.safetensors old.npy
check "the old file is whole" cmp ramp.npy old.npy
if [ "$(id -u)" != 0 ]; then
  mkdir closed && cp ramp.npy closed/x.npy && chmod 555 closed
  run 2 convert odd.npy closed/x.npy
  check "the old file is whole" cmp ramp.npy closed/x.npy
  chmod 755 closed
fi

# ---- a disk that is full: files may have 4 KB ----
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (4194304,), }"; head -c 16777216 /dev/zero; } >big.npy
run 0 validate big.npy
code=0
(trap '' XFSZ; ulimit -f 4; exec "$TESSERA" convert big.npy old.npy) >stdout 2>stderr || code=$?
if [ $code = 2 ]; then pass; else fail "convert to a full disk: exit code $code"; fi
says stderr "old.npy: writing failed: File too large"
check "the old file is whole" cmp ramp.npy old.npy
if ls old.npy.tmp~* >/dev/null 2>&1; then fail "half a file is left behind"; else pass; fi

# ---- killed at any moment: the old file, or the new one ----
run 0 convert --dtype f64 big.npy new.npy
cp ramp.npy target.npy
olds=0 news=0
for i in $(seq 1 24); do
  "$TESSERA" convert --dtype f64 big.npy target.npy 2>/dev/null &
  id=$!
  sleep "0.0$((i % 8))$((i % 10))"
  kill -9 $id 2>/dev/null || true
  wait $id 2>/dev/null || true
  if cmp -s target.npy ramp.npy; then olds=$((olds + 1)); elif cmp -s target.npy new.npy; then news=$((news + 1)); cp ramp.npy target.npy; else fail "a killed convert left half a file"; break; fi
  rm -f target.npy.tmp~*
done
echo "killed 24 times: $olds old files, $news new ones"
if [ $((olds + news)) = 24 ] && [ $olds -gt 0 ]; then pass; else fail "$olds old and $news new files of 24"; fi
finish
