#!/usr/bin/env bash
# Text files end with a newline and have no trailing blanks; C has no tabs; no line of a comment was broken by reflowing; scripts
# can be run; messages name their function.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
text=(-name '*.c' -o -name '*.h' -o -name '*.in' -o -name '*.cmake' -o -name 'CMakeLists.txt' -o -name '*.md' -o -name '*.sh'
      -o -name '*.py' -o -name '*.json' -o -name '*.ld' -o -name Makefile -o -name .editorconfig -o -name .clang-format)
while IFS= read -r file; do
  bad=0
  if grep -nE '[[:blank:]]+$' "$file" >"$scratch/lines"; then fail "$file: trailing blanks in line $(cut -d: -f1 "$scratch/lines" | head -n 3 | xargs)"; bad=1; fi
  if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then fail "$file: no newline at the end"; bad=1; fi
  case $file in
    *.c | *.h) if grep -nP '\t' "$file" >"$scratch/lines"; then fail "$file: a tab in line $(cut -d: -f1 "$scratch/lines" | head -n 3 | xargs)"; bad=1; fi ;;
  esac
  if [ $bad -eq 0 ]; then pass; fi
done < <(find . \( -path './.git' -o -path './build' -o -path './build-*' \) -prune -o -type f \( "${text[@]}" \) -print | sort)
# Within a sentence, a line of a comment that ends before column 75 although the first word of the next one had room.
scripts/format --list | xargs awk '
  FNR == 1 { inside = 0; before = "" }
  {
    text = $0
    sub(/^[ ]*(\/\*|\*)[ ]?/, "", text)
    split(text, word, " ")
    if (inside && before != "" && text != "" && text !~ /^[ \/]/ && length(line) + 1 + length(word[1]) <= 75 && before !~ /[.:;,]$/ &&
        before !~ /@/ && before !~ /^ /) print FILENAME ":" FNR - 1 ": a comment that was broken by reflowing"
    if ($0 ~ /^[ ]*\/\*/) inside = 1
    if ($0 ~ /\*\//) inside = 0
    line = $0
    before = inside ? text : ""
  }' >"$scratch/broken"
while IFS= read -r line; do fail "$line"; done <"$scratch/broken"
check "comments are whole" test ! -s "$scratch/broken"
for script in scripts/* .ci/run tests/build/*.sh; do
  case $script in */lib.sh | *.py | *steps.sh) continue ;; esac
  if [ -f "$script" ] && head -c 2 "$script" | hears '#!'; then check "$script is executable" test -x "$script"; fi
done
# A message begins with the name of the function that was called.
while IFS= read -r line; do fail "$line"; done < <(find src -name '*.c' -print0 | xargs -0 awk '
  FNR == 1 { public = "" }
  /^[a-z].*[ *]tsr_[a-z0-9_]+\(/ && !/;$/ { public = $0; sub(/\(.*/, "", public); sub(/.*[ *]tsr_/, "", public) }
  /^}/ { public = "" }
  public != "" && match($0, /static const char op\[\] = "[a-z0-9_]+"/) {
    name = substr($0, RSTART, RLENGTH); gsub(/.*= "|"/, "", name)
    if (name != public && public !~ /^_/) print FILENAME ":" FNR ": the messages of tsr_" public " say " name
  }')
finish
