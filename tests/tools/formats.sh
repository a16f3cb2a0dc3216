#!/usr/bin/env bash
# GGUF, PGM and PPM, raw files, archives that grow; conversions that do not hold the file in memory.
. "$(dirname "$0")/lib.sh"
gguf=$SOURCE/tests/io/gguf

# ---- GGUF ----
cp "$gguf"/mixed.gguf "$gguf"/blocks.gguf "$gguf"/plain.gguf .
run 0 ls mixed.gguf
is stdout <<'END'
name  dtype  shape    bytes  layout
q8_0  Q8_0   [3,64]   204 B  plain
q4_0  Q4_0   [2,96]   108 B  plain
q4_k  Q4_K   [2,256]  288 B  plain
f32   f32    [2,3]     24 B  plain
4 tensors, 902 elements, 624 B
END
run 0 ls mixed.gguf:q8_0
says stdout "q8_0  Q8_0   [3,64]  204 B  plain"
run 0 ls -m plain.gguf
says stdout 'a.u64 = 18446744073709551615'
says stdout 'list.text = ["a", "b\\"c", "▁d"]'
run 0 show 'mixed.gguf:q8_0[0, :4]'
is stdout <<'END'
q8_0[0, :4]: f32 [4]
[ 2.2454834  3.9727783 -4.145508  -3.1782227]
END
run 2 show mixed.gguf:q4_k
says stderr "q4_k: type Q4_K is not decoded"
run 2 stats mixed.gguf  # the others all the same
says stdout "q4_0  f32    [2,96]"
says stderr "q4_k: Q4_K is not decoded"
run 0 validate mixed.gguf plain.gguf
says stdout "mixed.gguf: whole: gguf, 4 tensors, 624 B"
head -c 500 plain.gguf >cut.gguf
run 1 validate cut.gguf
says stdout "the file ends inside"
run 0 diff blocks.gguf:q8_0 "$gguf/q8_0.npy"
run 0 diff blocks.gguf:q4_0 "$gguf/q4_0.npy"
run 0 convert blocks.gguf all.safetensors
run 0 diff all.safetensors blocks.gguf
run 0 convert --dtype f16 blocks.gguf half.safetensors
run 0 ls half.safetensors
says stdout "q8_0  f16    [3,64]"
run 0 convert --select 'q?_0' --to npz mixed.gguf some.npz
run 0 diff some.npz:q4_0 "$gguf/q4_0.npy"
run 2 convert mixed.gguf all2.safetensors
says stderr "q4_k: type Q4_K is not decoded"
run 2 convert blocks.gguf out.gguf
says stderr "gguf files are read, not written"

# ---- PGM, PPM ----
printf 'P2\n# a comment\n3 2\n255\n0 1 2\n3 4 255\n' >grey.pgm
printf 'P6 2 1 255\n\001\002\003\004\005\006' >colour.ppm
run 0 ls grey.pgm colour.ppm
says stdout "grey  u8     [2,3]"
says stdout "colour  u8     [1,2,3]"
run 0 convert grey.pgm grey.npy
run 0 convert grey.npy back.pgm
run 0 diff grey.pgm back.pgm
if "$TESSERA" info | hears "png 1"; then
  run 0 convert colour.ppm colour.png
  run 0 diff colour.png colour.ppm
else
  run 2 convert colour.ppm colour.png
  says stderr "this build has no libpng"
fi
run 2 convert colour.ppm wrong.pgm
says stderr "a .pgm file has [H,W]"
printf 'P5 9 9 255\nxx' >short.pgm
run 1 validate short.pgm
says stdout "9 x 9 pixels cannot be in the 2 bytes that follow"

# ---- raw ----
tail -c 256 ramp.npy >ramp.bin
run 0 diff raw:f32:8x8:ramp.bin ramp.npy
run 0 diff raw:f32@0:-1x8:ramp.bin ramp.npy
run 0 show 'raw:f32:8x8:ramp.bin[1, :3]'
says stdout "[ 8.  9. 10.]"
run 0 ls raw:f32@32:ramp.bin
says stdout "ramp  f32    [56]   224 B  plain"
run 0 convert ramp.npy ramp.raw
check "elements and nothing else" cmp ramp.raw ramp.bin
printf '\000\001\377\376' >big.bin
run 0 show raw:i16be:2:big.bin
says stdout "[ 1 -2]"
"$TESSERA" show raw:u8:- <big.bin >stdout && says stdout "[  0   1 255 254]"
run 0 validate raw:f32:8x8:ramp.bin
run 1 validate raw:f32:8x9:ramp.bin
says stdout "f32 [8,9] has 288 bytes, but 256 follow byte 0"
run 1 validate raw:f32:-1x7:ramp.bin
says stdout "not whole rows of 28"
for wrong in raw:x32:2:ramp.bin raw:f32@x:2:ramp.bin raw:f32:2y3:none raw:f32 raw:f32:--2:ramp.bin; do
  run 2 ls "$wrong"
done
says stderr "it is raw:DTYPE[@OFFSET][:SHAPE]:FILE"

# ---- archives that grow ----
run 0 convert --append ramp.npy grown.npz
run 0 convert -a --rename ramp=again ramp.npy grown.npz
run 0 ls grown.npz
says stdout "2 tensors, 128 elements, 512 B"
run 0 diff grown.npz:again ramp.npy
cp grown.npz old.npz
run 2 convert --append ramp.npy grown.npz
says stderr "'ramp' is in"
check "the old archive is whole" cmp old.npz grown.npz
run 2 convert --append --to npy ramp.npy grown.npz
says stderr "only .npz and safetensors files grow"

# ---- memory does not grow with the file: 64 MB of floats become 128 MB of doubles in 160 MB of addresses ----
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (16777216,), }"; head -c 67108864 /dev/zero; } >large.npy
run 0 convert --dtype bf16 large.npy large.safetensors
run 0 convert large.safetensors:large large2.npy
run 0 diff --values large2.npy large.npy
if (ulimit -v 163840 && "$TESSERA" --version) >/dev/null 2>&1; then
  if (ulimit -v 163840 && "$TESSERA" convert --dtype f64 large.npy f64.npy) 2>stderr; then pass; else fail "no room: $(cat stderr)"; fi
  run 0 diff --values f64.npy large.npy
else
  skip "this build needs more addresses to begin with"
fi
finish
