#!/usr/bin/env bash
# Each allocation of a command fails once: it ends with a message and exit code 2, or does all that it was asked for all the
# same. Nothing half is left behind, and no old file is lost.
. "$(dirname "$0")/lib.sh"
if ! "${CC:-cc}" -O1 -fPIC -shared "$SOURCE/tests/tools/failing_malloc.c" -o failing.so -ldl 2>cc.log; then
  skip "no library that fails can be built: $(head -n 1 cc.log)"
  finish
fi
export TSR_THREADS=1
if ! LD_PRELOAD=$PWD/failing.so COUNT_TO=$PWD/count "$TESSERA" ls model.safetensors >/dev/null 2>&1 || ! [ -s count ]; then
  skip "this build has a malloc of its own"
  finish
fi
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 16, 40, 40), }"; head -c 102400 /dev/zero; } >large.npy
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (600, 512), }"; } >parts.npy
truncate -s $((128 + 600 * 512 * 4)) parts.npy
printf 'a,b,c\n1,2,3\n4,5,\n' >t.csv
cp "$SOURCE"/tests/io/gguf/blocks.gguf .

# The first thirty, and some of the others.
numbers() { seq 0 29; seq 30 $((1 + $1 / 40)) "$1"; }
# sweep COMMAND...: what it prints, and OUT, if it writes one.
sweep() {
  local code=0 want got n all
  rm -f OUT
  LD_PRELOAD=$PWD/failing.so COUNT_TO=$PWD/count "$TESSERA" "$@" >want 2>stderr </dev/null || code=$?
  want=$code
  if [ -e OUT ]; then mv OUT wanted; else rm -f wanted; fi
  all=$(cat count)
  for n in $(numbers "$all"); do
    if [ "$n" -ge "$all" ]; then break; fi
    got=0
    echo old >OUT
    LD_PRELOAD=$PWD/failing.so FAIL_AT=$n "$TESSERA" "$@" >stdout 2>stderr </dev/null || got=$?
    if [ $got = 2 ] && [ -s stderr ]; then # refused
      if [ "$(cat OUT)" = old ]; then pass; else fail "$* with allocation $n failing: OUT is lost"; fi
    elif [ $got = "$want" ] && cmp -s want stdout && { ! [ -e wanted ] || cmp -s OUT wanted; }; then
      pass
    else
      fail "$* with allocation $n of $all failing: exit code $got, $(head -n 1 stderr)"
    fi
  done
}
sweep ls model.safetensors
sweep ls --json "$SOURCE/tests/io/gguf/mixed.gguf"
sweep show 'model.safetensors:encoder.w[0, ::2]'
sweep show --heat odd.npy
sweep show --hist complex.safetensors
sweep stats --quantiles model.safetensors
sweep stats --hist complex.safetensors t.csv
sweep diff --values model.safetensors changed.safetensors
sweep diff --json complex.safetensors 'odd.npy[0,:2]'
sweep validate blocks.gguf model.safetensors
sweep convert --dtype f16 --select 'enc*' --rename 'enc*=*' --to npz model.safetensors OUT
sweep convert --to csv 't.csv[:, ::-1]' OUT
sweep convert --layout NHWC --dtype f16 --to safetensors large.npy OUT
sweep convert --dtype f16 --to safetensors blocks.gguf OUT
sweep convert --dtype i8 odd.npy OUT
printf 'day,city,n\n2024-01-31,Oslo,1\n2024-02-01,,2\n,Rome,\n' >w.csv
"$TESSERA" merge model.safetensors:encoder.w -o part.safetensors
printf '{"weight_map": {"encoder.w": "part.safetensors"}}' >m.safetensors.index.json
sweep show t.csv
sweep show 't.csv:c,a[::-1]'
sweep show w.csv
sweep show 'odd.npy[[2,0]]'
sweep stats --where t.csv w.csv
sweep tail -n 1 w.csv t.csv
sweep unique w.csv:city
sweep sort --by city w.csv --to csv -o OUT
sweep sort --by b t.csv
sweep convert --to safetensors w.csv OUT
sweep ls foreign.safetensors m.safetensors.index.json
sweep show foreign.safetensors:scale
sweep merge model.safetensors t.csv --to npz -o OUT
sweep quantize --per-channel model.safetensors --to safetensors -o OUT
sweep quantize --affine model.safetensors --to npz -o OUT
sweep calc 'sum(a*2 + 1, axis=0)' a=ramp.npy
sweep calc '(x + 1)*2 - c' x=parts.npy 'c=parts.npy[0]' --to npy -o OUT
if "$TESSERA" info | hears "png 1"; then
  sweep plot filters.npy -o OUT
  sweep plot 'ramp.npy[:3]' --kind line -o OUT
  sweep plot --kind hist odd.npy -o OUT
  sweep plot raw:u8:8x8x4:ramp.npy -o OUT
  printf '0,0.5\n1,0.25\n' >grey.csv
  sweep convert --to png grey.csv OUT
fi
left=$(find . "${TMPDIR:-/tmp}" -maxdepth 1 -name 'OUT.tmp~*' -newer failing.so 2>/dev/null | head -n 3)
if [ -z "$left" ]; then pass; else fail "half a file is left behind: $left"; fi
finish
