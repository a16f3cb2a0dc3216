#!/usr/bin/env bash
# plot: columns of tables by name, SVG, themes, sizes. What a picture says is read from its SVG.
. "$(dirname "$0")/lib.sh"
if ! draws; then
  skip "this build draws no pictures"
  finish
fi
cat >station.csv <<'END'
time,station,temperature,pressure,humidity
2024-03-01T00:00,north,4.2,1013.2,81
2024-03-01T06:00,north,3.1,1012.8,85
2024-03-01T12:00,south,9.8,1010.1,60
2024-03-01T18:00,south,7.7,1011.0,66
2024-03-02T00:00,north,,1012.0,80
2024-03-02T06:00,south,4.0,1013.9,82
END
xml() { if command -v xmllint >/dev/null; then check "$1 is XML" xmllint --noout "$1"; fi; }
# shows FILE TEXT: there is a text that says just that; hides: there is none.
shows() { if grep -qF "aria-label=\"$2\"" "$1"; then pass; else fail "$1 does not show '$2'"; fi; }
hides() { if grep -qF "aria-label=\"$2\"" "$1"; then fail "$1 shows '$2'"; else pass; fi; }
count() { grep -c "$2" "$1" || true; }

run 0 plot station.csv -o all.svg           # dates below, all numbers as lines
xml all.svg
for text in temperature pressure humidity 06:00 '1 Mar 2024' '2 Mar 2024'; do shows all.svg "$text"; done
run 0 plot station.csv --y temperature -o one.svg
shows one.svg temperature
hides one.svg pressure
# the missing value is a gap: the line begins twice
line=$(grep -o '<path d="[^"]*" fill="none" stroke="#2750be"' one.svg | head -n 1)
if [ "$(tr -cd m <<<"${line%%\" fill*}" | wc -c)" = 2 ]; then pass; else fail "no gap in $line"; fi
run 0 plot station.csv --x temperature --y pressure --color humidity -o points.svg
xml points.svg
if [ "$(count points.svg '<circle')" = 5 ]; then pass; else fail "not 5 points"; fi
for text in temperature pressure humidity '1 is not finite: not drawn'; do shows points.svg "$text"; done
run 0 plot station.csv --x temperature --y pressure --color station --theme dark -o groups.svg
shows groups.svg north
shows groups.svg south
if grep -q 'fill="#16191e"' groups.svg; then pass; else fail "--theme dark is not dark"; fi
run 0 plot station.csv --x station --y humidity --kind bars -o bars.svg
shows bars.svg north
run 0 plot station.csv --kind hist --title 'Häufigkeit & <mehr>' -o hist.svg
xml hist.svg
shows hist.svg 'Häufigkeit &amp; &lt;mehr&gt;'
run 0 plot station.csv --y humidity --log-y --x-label Zeit --y-label '%' -o log.svg
shows log.svg Zeit
shows log.svg '%'
seq 0 20000 200000 | sed '1i value' >large.csv
run 0 plot large.csv -o large.svg           # 50k, not 5e+04
shows large.svg 50k
if "$TESSERA" info | hears "png 1"; then
  run 0 plot station.csv --size 500x300 --scale 2 -o size.png
  if "$TESSERA" ls size.png | hears -F '[600,1000,3]'; then pass; else fail "--size and --scale: $("$TESSERA" ls size.png)"; fi
fi
printf '1,2,3\n4,5,6\n' >matrix.csv          # numbers without names are a matrix
run 0 plot matrix.csv -o matrix.svg
if grep -q '<image' matrix.svg; then pass; else fail "a matrix is no heat map"; fi
run 0 plot 'ramp.npy[:, :3]' --kind scatter -o scatter.svg
if [ "$(count scatter.svg '<circle')" = 8 ]; then pass; else fail "not 8 points of a matrix"; fi
run 0 plot 'ramp.npy[0]' --kind bars -o vector.svg

wrong() { run 2 plot "${@:2}" -o x.svg; says stderr "$1"; }
wrong "there is no column 'nosuch'" station.csv --y nosuch
wrong "column station is text" station.csv --y station
wrong "column station is text: --kind bars" station.csv --x station --y humidity
wrong "--theme: 'blue' is neither light nor dark" station.csv --theme blue
wrong "--size: '3x4' is not" station.csv --size 3x4
wrong "--size: '640' is not" station.csv --size 640
wrong "--scale" station.csv --scale 100
wrong "--min 5 is not below --max 1" ramp.npy --min 5 --max 1
wrong "--kind heat is of a tensor" station.csv --x time --kind heat
wrong "points are [N,2]" ramp.npy --kind scatter
wrong "--map: 'jet' is none of" ramp.npy --map jet
if [ -e x.svg ]; then fail "a failure leaves a file"; else pass; fi
finish
