#!/usr/bin/env bash
# plot: pictures that are PNG files of the right size, with the right colours where they matter.
. "$(dirname "$0")/lib.sh"
if ! draws || ! "$TESSERA" info | hears "png 1"; then
  skip "this build writes no PNG"
  finish
fi
# pixel FILE ROW COLUMN: its red, green and blue.
pixel() { "$TESSERA" show --all "$1[$2, $3]" 2>/dev/null | tail -n 1 | tr -d '[]' | xargs; }
is_pixel() { local got; got=$(pixel "$1" "$2" "$3"); if [ "$got" = "$4" ]; then pass; else fail "$1 at $2, $3 is $got instead of $4"; fi; }
is_size() { if "$TESSERA" ls "$1" | hears -F "u8     $2"; then pass; else fail "$1 is not $2: $("$TESSERA" ls "$1")"; fi; }

run 0 plot ramp.npy -o heat.png
silent stdout
run 0 validate heat.png
says stdout "heat.png: whole: png, 1 tensor"
is_size heat.png '[467,489,3]'   # 8 x 8 elements of 50 pixels, with room for axes and colours
is_pixel heat.png 45 60 "13 15 24"       # the least element, top left
is_pixel heat.png 420 420 "237 236 221"  # the greatest, bottom right
is_pixel heat.png 0 0 "255 255 255"
run 0 plot --map diverging --min -63 --max 63 ramp.npy -o signs.png
is_pixel signs.png 45 60 "244 242 242"  # 0 is the middle
run 0 plot --kind hist --bins 4 ramp.npy -o hist.png
is_size hist.png '[400,640,3]'
is_pixel hist.png 300 200 "39 80 190"
run 0 plot 'ramp.npy[:3]' --kind line --width 400 --height 300 -o line.png
is_size line.png '[300,400,3]'
run 0 plot 'odd.npy[1]' -o nan.png     # a line with NaN and infinities in it
run 0 plot --kind heat odd.npy -o odd.png
is_pixel odd.png 200 100 "143 143 143"    # NaN has a colour of its own
run 0 plot filters.npy -o grid.png
run 0 convert --layout NHWC filters.npy f.safetensors
run 0 plot f.safetensors --title "$("$TESSERA" show filters.npy | head -n 1 | tr : ' ')" -o last.png
run 0 plot filters.npy --title "$("$TESSERA" show filters.npy | head -n 1 | tr : ' ')" -o first.png
check "channels last are drawn as channels first" cmp first.png last.png
run 0 plot hostile.safetensors:../up -o name.png
run 0 plot model.safetensors:mask -o mask.png
# The scale of colours has three to thirteen numbers, whatever the range: what stands furthest right.
marks() { grep -o 'translate([0-9.]*' scale.svg | sort -t'(' -k2 -n | uniq -c | tail -n 1 | awk '{print $1}'; }
for range in "0 1" "-1 1" "-0.03 0.97" "0 0.0001" "-3 4" "12 13.5" "1000.1 1000.5" "-7e-9 2e-9" "0 63" "0 255" "-0.4 0.1" "5 1e6" "-1e30 3e30"; do
  read -r least greatest <<<"$range"
  for what in ramp.npy 'ramp.npy[:1]' 'ramp.npy[:2,:2]'; do
    run 0 plot --kind heat --min="$least" --max="$greatest" "$what" -o scale.svg
    n=$(marks)
    if [ "$n" -ge 3 ] && [ "$n" -le 13 ]; then pass; else fail "$n numbers for $range of $what"; fi
  done
done
run 0 plot --min -1 --max 1 'filters.npy[:1,:1]' -o small.png  # a grid that is lower than its numbers
"$TESSERA" plot ramp.npy -o - >piped.png && cmp -s piped.png heat.png && pass || fail "plot to standard output"
run 2 plot ramp.npy -o /dev/full
says stderr "No space left on device"
run 2 plot --kind line filters.npy -o x.png --width 10
run 2 plot ramp.npy --kind line -o no/such/folder.png
finish
