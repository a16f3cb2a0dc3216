#!/usr/bin/env bash
# calc over files that are larger than the memory it may have: part by part, with the bits of the whole.
. "$(dirname "$0")/lib.sh"
export TSR_THREADS=1
# npy FILE ROWS COLUMNS: f32, zeros.
npy() {
  { printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': ($2, $3), }"; } >"$1"
  truncate -s $((128 + $2 * $3 * 4)) "$1"
}
npy zeros.npy 6000 4000 # 96 MB that are holes
run 0 calc 'x[:, :8] + r' 'x=zeros.npy[:7]' r=ramp.npy[0]
"$TESSERA" calc 'x + f32(c)*0.25 + f32(r)[:, None]' x=zeros.npy 'c=zeros.npy[0]' 'r=zeros.npy[:, 0]' -o check.npy && pass || fail "no memory limit"
limit=$((64 * 1024)) # KB of memory that is no map of a file

# limited CODE ARGUMENT...: with that much.
limited() {
  local code=$1 got=0
  shift
  (ulimit -d $limit && exec "$TESSERA" "$@") >stdout 2>stderr || got=$?
  if [ $got = "$code" ]; then pass; else fail "tessera $*: exit code $got: $(head -n 2 stderr)"; fi
}
if ! (ulimit -d $limit && "$TESSERA" calc '1 + 1') >/dev/null 2>&1; then
  skip "this machine does not limit memory, or a build needs more"
  finish
fi
limited 0 calc '(x + 1)*2 - x*0.5' x=zeros.npy -o out.npy
run 0 calc 'all(y == 2)' y=out.npy
is stdout <<<True
run 0 calc 'y.shape[0]*10000 + y.shape[1]' y=out.npy
is stdout <<<60004000
limited 0 calc 'softmax(x + c, axis=1)*4000' x=zeros.npy 'c=zeros.npy[0]' -o out.npy
run 0 calc 'max(abs(y - 1)) < 1e-3' y=out.npy
is stdout <<<True
limited 0 calc 'sum((x + 1)*(x + 2))' x=zeros.npy
is stdout <<<48000000.
limited 0 calc 'sum(x + 1, axis=0)[:3]' x=zeros.npy
is stdout <<<'[6000. 6000. 6000.]'
limited 0 calc 'mean(x + 1, axis=1, keepdims=True)' x=zeros.npy -o rows.npy
run 0 calc 'all(y == 1)' y=rows.npy
is stdout <<<True
limited 2 calc 'x - mean(x, axis=0)' x=zeros.npy -o never.npy
says stderr "its parts depend on more than the same parts of the tensors"
[ ! -e never.npy ] && pass || fail "a failed calc leaves a file"

# ---- the same bits, in parts (of 8 MB) and as a whole ----
rm -f zeros.npy out.npy check.npy rows.npy
run 0 calc 'sin(arange("f64", 0, 4000000, 1)*0.37)' -o wave.npy
run 0 calc 'f32(reshape(w, [20000, 200]))' w=wave.npy -o a.npy
run 0 calc 'reshape(f32(w*3), [200, 20000])' w=wave.npy -o b.npy
for text in 'gelu(a*b.T + c)' 'where(a > 0, a, b.T*0.1)' 'softmax(a*2, axis=1) + c' 'a[:, ::-1]*2 + a' 'sum(a*b.T, axis=1)[:, None]*a' \
  'f16(a)*f16(b.T) - 1' 'a - c.astype(f32)*a[0]' 'sum(a*a, axis=0)*a' 'a.T*2 + b' 'a + b.T[0]'; do
  run 0 calc "$text" a=a.npy b=b.npy 'c=a.npy[7]' -o parts.npy
  run 0 calc --device cpu "$text" a=a.npy b=b.npy 'c=a.npy[7]' -o whole.npy
  check "$text in parts and as a whole" cmp parts.npy whole.npy
done
finish
