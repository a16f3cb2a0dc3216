#!/usr/bin/env bash
# Tables of text past 16 MB are converted column by column: what comes out is what the same rows give in memory, and memory does not grow
# with the file.
. "$(dirname "$0")/lib.sh"
# table ROWS: every kind of column, with gaps; the 400,000th value is the first that is no whole number.
table() {
  awk -v n="$1" 'BEGIN { print "id,late,value,city,when,flag"; for (i = 0; i < n; i++) printf "%d,%s,%s,city %d,2024-01-%02dT%02d:00:00Z,%s\n",
    i, i == 399999 ? "0.5" : i % 1000, i % 7 == 3 ? "" : i / 8, i % 91, 1 + i % 31, i % 24, i % 2 ? "yes" : "no" }'
}
table 450000 >large.csv
head -n 450001 large.csv | cut -d, -f1-3 >numbers.csv
check "the file is large enough" test "$(stat -c %s large.csv)" -gt 16777216
awk 'BEGIN { for (i = 0; i < 3000000; i++) print "0,0,0" }' >>numbers.csv
check "and so are the numbers" test "$(stat -c %s numbers.csv)" -gt 16777216

run 0 convert large.csv out.safetensors
run 0 ls large.csv
run 0 convert large.csv out.npz
says stderr "note: the metadata is left out"
run 0 diff out.safetensors out.npz
run 0 ls out.safetensors
for line in 'late +f64' 'value\.present +bool' 'city\.strings +u8'; do check "it has $line" grep -qE "$line +\[" stdout; done

# The same rows in pieces that are read in memory: of the last of them.
{ head -n 1 large.csv; tail -n 1000 large.csv; } >small.csv
for column in id value when flag; do
  run 0 convert "large.csv:$column" large.npy
  run 0 convert "small.csv:$column" small.npy
  run 0 diff 'large.npy[-1000:]' small.npy
done
run 0 convert numbers.csv numbers.npy
run 0 ls numbers.npy
says stdout "f64    [3450000,3]"
run 0 calc 'sum(x[:, 0])' x=numbers.npy
says stdout "1.01249775e+11"
run 0 convert large.csv:id,late two.npy
run 0 ls two.npy
says stdout "[450000,2]"
wrong "large.npy: the bundle holds" convert large.csv large.npy
wrong "have column 'none', which is not there" convert large.csv:none x.npy

# A matrix of 83 MB in 48 MB of data, threads and all.
if (ulimit -d 49152 && TSR_THREADS=2 "$TESSERA" --version) >/dev/null 2>&1; then
  rm numbers.npy
  check "it is written in less memory" bash -c 'ulimit -d 49152 && TSR_THREADS=2 exec "$1" convert numbers.csv numbers.npy' - "$TESSERA"
  check "and whole" test "$(stat -c %s numbers.npy)" = $((128 + 3450000 * 3 * 8))
else
  skip "this build needs more memory than that for itself"
fi
if command -v gzip >/dev/null && grep -q '^#define TSR_HAVE_ZLIB 1' "$BUILD/include/tessera/config.h"; then
  gzip -1 -k large.csv
  run 0 convert --csv auto large.csv.gz:value packed.npy
  run 0 convert large.csv:value large.npy
  check "gzip gives the same" cmp packed.npy large.npy
fi
printf '7,8,x\n' >>numbers.csv
run 2 convert numbers.csv:column.2 x.npy
finish
