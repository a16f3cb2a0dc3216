#!/usr/bin/env bash
# One name, one thing: a tag, a typedef or a macro of a header is defined in one file of src/ and include/. Types that are
# private to a source may share plain names with those of other sources; names with tsr__ may not.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
find src include \( -name '*.h' -o -name '*.c' \) ! -name '*.tmpl.h' | sort >"$scratch/files"
# Files of which a build takes one, the instruction set's or that of a core's multiply-and-add, count as one file.
alternatives() { sed -E 's@src/cpu/vec/[a-z0-9_]+\.h@src/cpu/vec@; s@src/nn/quant/plain/(dot|mve|smlad|plain)\.[ch]@src/nn/quant/plain@'; }

# KIND NAME FILE, for every definition.
xargs awk '
  FNR == 1 { inside = 0 }
  match($0, /^(typedef )?(struct|union|enum) [A-Za-z_0-9]+ \{/) {
    n = split(substr($0, 1, RLENGTH), word, " "); print "tag", word[n - 1], FILENAME
  }
  /^typedef (struct|union|enum)[^;]*$/ { inside = 1; next }
  inside && match($0, /^\} [A-Za-z_0-9]+;/) { print "typedef", substr($0, 3, RLENGTH - 3), FILENAME; inside = 0; next }
  /^typedef .*\} [A-Za-z_0-9]+;/ { sub(/;.*/, ""); n = split($0, word, " "); print "typedef", word[n], FILENAME; next }
  /^typedef [^(]*;/ { sub(/( TSR__MAY_ALIAS)?;.*/, ""); n = split($0, word, /[ *]+/); sub(/\[.*/, "", word[n]); print "typedef", word[n], FILENAME; next }
  match($0, /^typedef [^(]*[ *][A-Za-z_0-9]+\(/) {
    n = split(substr($0, 1, RLENGTH - 1), word, /[ *]+/); print "typedef", word[n], FILENAME
  }' <"$scratch/files" | alternatives | sort -u >"$scratch/types"
check "types were found" test "$(wc -l <"$scratch/types")" -gt 300
awk '
  { key = $1 " " $2; files[key] = files[key] " " $3; count[key]++ }
  $3 !~ /\.c$/ || $2 ~ /^tsr_/ { shared[key] = 1 }
  END { for (key in count) if (count[key] > 1 && shared[key]) print key ":" files[key] }' "$scratch/types" | sort >"$scratch/twice"
while IFS= read -r line; do fail "defined more than once: $line"; done <"$scratch/twice"

# Macros with what they stand for. One that some header undefines is a parameter of templates and tables, and may vary.
{ grep '\.h$' "$scratch/files"; find src -name '*.tmpl.h' -o -name '*.def'; } | xargs awk '
  function done() { if (name != "") { gsub(/[ \t]+/, " ", body); print FILENAME_OF "\t" name "\t" body }; name = "" }
  /^[ \t]*#[ \t]*define[ \t]/ {
    done(); line = $0; sub(/^[ \t]*#[ \t]*define[ \t]+/, "", line)
    match(line, /^[A-Za-z_0-9]+/); name = substr(line, 1, RLENGTH); body = substr(line, RLENGTH + 1); FILENAME_OF = FILENAME
    more = sub(/\\$/, "", body); if (!more) done(); next
  }
  name != "" { line = $0; more = sub(/\\$/, "", line); body = body line; if (!more) done(); next }
  /^[ \t]*#[ \t]*undef[ \t]/ { print FILENAME "\t" $NF "\tUNDEFINED" }' | alternatives >"$scratch/macros"
check "macros were found" test "$(wc -l <"$scratch/macros")" -gt 300
awk -F '\t' '
  $3 == "UNDEFINED" { gone[$2] = 1; next }
  { n++; file[n] = $1; name[n] = $2; body[n] = $3 }
  END {
    for (i = 1; i <= n; i++) {
      if (name[i] in gone) continue
      if (name[i] in first && file[first[name[i]]] != file[i] && body[first[name[i]]] != body[i])
        print name[i] ": " file[first[name[i]]] " " file[i]
      else if (!(name[i] in first)) first[name[i]] = i
    }
  }' "$scratch/macros" | sort -u >"$scratch/bodies"
while IFS= read -r line; do fail "a macro that means two things: $line"; done <"$scratch/bodies"
if [ ! -s "$scratch/twice" ] && [ ! -s "$scratch/bodies" ]; then pass; fi
finish
