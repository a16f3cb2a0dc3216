#!/usr/bin/env bash
# Things that have a name in the field are called by it: these words, as names of files or of things in the library, the examples and the
# benchmarks, had a better one. Comments and messages may use them, they are English; not the phrases below.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
# The word, and the field's.
banned='
turn|transpose, or flip, rotate, swap
turned|transposed, or flipped, rotated, swapped
turning|transposing
fed|pack_ahead
feed|pack_ahead
woven|interleaved
weave|interleave
keep_off|affinity_exclude
dot_pairs|smlad
streamed|nontemporal
past_caches|nontemporal
bands|row_batches
guarded|range_checked
farthest|max_abs, or max_distance
quick|fast_path
regularise|normalise
irregular|needs_normalising
runs_on|is_mergeable
without_gaps|is_contiguous
dense_size|contiguous_size
dense_usable|contiguous_usable
few_run|decode_run
weigh|softmax
lie|layout
greatest|max
'
# Where these words are the right ones: angles, files that are streams, calls that a library leaves by longjmp.
allowed='^(tsr__sin_turned_vf64|tsr__angle_turn|turned|guarded|TSR__DEFAULT_STREAMED)$'
may_use='^src/(cpu/math|io)/'
find src include examples bench -name '*.[ch]' ! -path '*/data/*' | sort >"$scratch/files"
# FILE NAME of every identifier outside of comments and strings.
xargs awk '
  FNR == 1 { inside = 0 }
  {
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "", line)
    if (inside) { if (!sub(/^.*\*\//, "", line)) next; inside = 0 }
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
    if (sub(/\/\*.*/, "", line)) inside = 1
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
      print FILENAME, substr(line, RSTART, RLENGTH)
      line = substr(line, RSTART + RLENGTH)
    }
  }' <"$scratch/files" | sort -u >"$scratch/names"
check "names were found" test "$(wc -l <"$scratch/names")" -gt 10000
while IFS='|' read -r word better; do
  [ -n "$word" ] || continue
  bad=0
  while read -r file name; do
    if [[ $name =~ $allowed && $file =~ $may_use ]]; then continue; fi
    fail "$file: $name: say $better"; bad=1
  done < <(grep -iE " ([a-z0-9_]*_)?$word(_[a-z0-9_]*)?$" "$scratch/names" || true)
  while IFS= read -r file; do
    fail "$file: say $better"; bad=1
  done < <(grep -E "/([a-z0-9_]*_)?$word(_[a-z0-9_]*)?\.[a-z.]+$" "$scratch/files" || true)
  if [ $bad -eq 0 ]; then pass; fi
done <<<"$banned"
for file in ops/elementwise/dense ops/elementwise/caches cpu/place ops/matmul/groups core/whole core/nearest core/operand \
  nn/conv/pixels nn/conv/filters nn/conv/taps nn/attention/few nn/attention/tiled nn/quant/go; do
  if grep -qE "^src/$file\." "$scratch/files"; then fail "src/$file: it has a name of the field"; else pass; fi
done
# Phrases that stand for a word of the field, wherever somebody reads them.
while IFS='|' read -r phrase better; do
  [ -n "$phrase" ] || continue
  found=$(grep -rniE --include='*.[ch]' --include='*.def' --include='*.md' -- "$phrase" \
    src include docs examples bench tests tools README.md CONTRIBUTING.md CHANGELOG.md || true)
  if [ -z "$found" ]; then pass; else fail "say $better: $found"; fi
done <<'END'
without gaps|contiguous
past the caches|non-temporal stores
streamed stores|non-temporal stores
ways to lie|memory layouts
END
# Instruction sets are named in src/cpu alone: elsewhere kernels ask for an instruction (TSR__VEC_…), and tables have a row for
# each set (TSR_ISA_LIST).
sets=$(sed -nE 's/.*list\(APPEND TSR_ISAS ([a-z0-9 ]+)\).*/\1/p' cmake/isa.cmake | tr ' \n' '|' | sed 's/|$//')
check "sets were found" test -n "$sets"
named=$(grep -rnwE "[A-Za-z_0-9]*($sets)[a-z0-9]*" src --include='*.[ch]' --include='*.def' | grep -v '^src/cpu/' || true)
if [ -z "$named" ]; then pass; else fail "an instruction set by its name: $named"; fi
finish
