#!/usr/bin/env bash
# Every C file is as .clang-format has it. Versions of clang-format differ in what they do: looked at is the one that the project is
# formatted with. scripts/format formats what differs.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
version=14
formatter=$(command -v "clang-format-$version" || command -v clang-format || true)
if [ -z "$formatter" ] || ! "$formatter" --version | grep -q "version $version\."; then
  skip "there is no clang-format $version"
  finish
fi
scripts/format --list >"$scratch/all"
xargs "$formatter" --dry-run -Werror <"$scratch/all" >"$scratch/said" 2>&1 || true
sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error:.*/\1/p' "$scratch/said" | sort -u >"$scratch/differ"
while read -r file; do fail "$file: run scripts/format"; done <"$scratch/differ"
while read -r file; do pass; done < <(grep -vxFf "$scratch/differ" "$scratch/all")
finish
