#!/usr/bin/env bash
# What plot draws, looked at as numbers: gaps, whole labels, images, magnitudes.
. "$(dirname "$0")/lib.sh"
if ! draws || ! "$TESSERA" info | hears "png 1"; then
  skip "this build writes no PNG"
  finish
fi
# count FILE[SLICE] COLOUR: how many pixels of that colour there are, as "43,111,147".
count() { "$TESSERA" convert --to raw "$1" pixels && "$TESSERA" convert --to csv raw:u8:-1x3:pixels rows.csv && { grep -c "^$2\$" rows.csv || true; }; }
is_size() { if "$TESSERA" ls "$1" | hears -F "u8     $2"; then pass; else fail "$1 is not $2: $("$TESSERA" ls "$1")"; fi; }
line=39,80,190 ink=67,73,79

# ---- a line has gaps where numbers are not finite: 5 points, the middle one missing ----
for hole in nan inf -inf; do
  printf '1\n1\n%s\n1\n1\n' $hole >hole.csv
  run 0 plot 'hole.csv[:,0]' -o hole.png
  is_size hole.png '[400,640,3]'
  # the curve is from column 50 to 622: 1 to 2 is up to 195, 4 to 5 from 480
  n=$(count 'hole.png[:, 210:470]' $line)
  if [ "$n" = 0 ]; then pass; else fail "$n pixels of a line through $hole"; fi
  n=$(count 'hole.png[:, 80:180]' $line)
  if [ "$n" -ge 100 ]; then pass; else fail "only $n pixels of a line before $hole"; fi
  n=$(count 'hole.png[:, 500:600]' $line)
  if [ "$n" -ge 100 ]; then pass; else fail "only $n pixels of a line behind $hole"; fi
done
printf 'nan\nnan\n1\nnan\n0\n' >alone.csv
run 0 plot 'alone.csv[:,0]' -o alone.png   # a number between two gaps is a dot
n=$(count 'alone.png[:, 40:50]' $line)
if [ "$n" -ge 1 ]; then pass; else fail "a number between gaps is not drawn"; fi
printf '1\n2\n3\n' >column.csv
run 0 plot column.csv -o column.png        # one column is one line, as one row is
run 0 plot 'column.csv[:,0]' --title 'column  f64 [3,1]' -o row.png
check "a column is drawn as a row" cmp column.png row.png
seq 1 20 >long.csv
run 0 plot long.csv -o long.png

# ---- labels are whole: none touches an edge ----
printf '1.000018\n1.00002\n1.000022\n' >near.csv
for size in "2400 1600" "900 520" "420 300"; do
  read -r width height <<<"$size"
  for kind in line hist heat; do
    run 0 plot --kind $kind --width $width --height $height 'near.csv[:,0]' -o near.png
    read -r h w < <("$TESSERA" ls near.png | sed -n 's/.*\[\([0-9]*\),\([0-9]*\),3\].*/\1 \2/p')
    for part in "[:, 0]" "[:, $((w - 1))]" "[$((h - 1))]"; do
      n=$(count "near.png$part" $ink)
      if [ "$n" = 0 ]; then pass; else fail "$kind of $size: $n pixels of ink at the edge $part"; fi
    done
  done
done
# 1.0000180 is 108 pixels wide: it begins at 16, and the frame stands behind it
run 0 plot --width 2400 --height 1600 'near.csv[:,0]' -o near.png
n=$(count 'near.png[:, 12:23]' $ink)
if [ "$n" -gt 30 ]; then pass; else fail "only $n pixels of first digits on the left"; fi
n=$(count 'near.png[:, 122]' 138,144,151)
if [ "$n" -lt 500 ]; then pass; else fail "the frame stands among the labels"; fi

# ---- images ----
printf 'P6 4 2 255\n\377\000\000\000\377\000\000\000\377\012\024\036\377\000\000\000\377\000\000\000\377\012\024\036' >rgb.ppm
run 0 plot rgb.ppm -o image.png
is_size image.png '[350,605,3]'   # 4 x 2 elements of 141 pixels, with axes and no scale
if [ "$(count 'image.png[60, 110:112]' 255,0,0)" = 2 ]; then pass; else fail "the first pixel is not red"; fi
if [ "$(count 'image.png[60, 500:502]' 10,20,30)" = 2 ]; then pass; else fail "the last pixel is not 10,20,30"; fi
run 0 plot --kind image rgb.ppm -o same.png
check "--kind image is what an image is drawn as" cmp image.png same.png
run 0 plot --map gray rgb.ppm -o gray.png  # asked for: numbers
if cmp -s gray.png image.png; then fail "--map is not honoured"; else pass; fi
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 64, 3), }"; head -c 49152 /dev/zero; } >black.npy
run 0 plot black.npy -o black.png
is_size black.png '[467,447,3]'
if [ "$(count 'black.png[60, 110:112]' 0,0,0)" = 2 ]; then pass; else fail "floats from 0 to 1 are no image"; fi
printf '%.0s\0\0\0\377' $(seq 10000) >opaque.bin
run 0 plot raw:u8:100x100x4:opaque.bin -o alpha.png
if [ "$(count 'alpha.png[60, 110:112]' 0,0,0)" = 2 ]; then pass; else fail "[H,W,4] is no image"; fi
head -c 40000 /dev/zero >clear.bin
run 0 plot raw:u8:100x100x4:clear.bin -o alpha.png
if [ "$(count 'alpha.png[60, 110:112]' 255,255,255)" = 2 ]; then pass; else fail "what is transparent shows the paper"; fi
run 2 plot --kind image ramp.npy -o x.png
says stderr "an image is [H,W,3] or [H,W,4] of u8, u16 or floats from 0 to 1"

# ---- a grid of tall matrices fits a screen ----
run 0 convert --dtype i32 black.npy numbers.npy
run 0 plot numbers.npy -o tall.png
read -r h w < <("$TESSERA" ls tall.png | sed -n 's/.*\[\([0-9]*\),\([0-9]*\),3\].*/\1 \2/p')
if [ "$h" -le 1000 ] && [ "$w" -le 1000 ]; then pass; else fail "a grid of $h x $w pixels"; fi

# ---- complex numbers: magnitudes, and the title says so ----
run 0 plot complex.safetensors -o z.png
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"; printf '\250\364\227\233\167\343\1\100\0\0\0\0\0\0\024\100'; } >abs.npy
run 0 show abs.npy
says stdout "[2.23606798 5.        ]"
run 0 plot abs.npy --title '|z|  c64 [2]' -o abs.png
check "|z| is drawn" cmp z.png abs.png
run 0 show --hist --bins 1 complex.safetensors
is stdout <<'END'
z: c64 [2]
the magnitudes
     2.23607  ███████████████████████████████████████████████████ 2
           5
END
run 0 show --heat complex.safetensors
says stdout "2.23607  ..:::--==++**###%%@ 5"
run 0 stats --hist --bins 1 complex.safetensors
says stdout "|z|"
finish
