#!/usr/bin/env bash
# A program that a target of the Makefile needs and that is not there is named, with what installs it.
. "$(dirname "$0")/lib.sh"
command -v make >/dev/null || { skip "make is not installed"; finish; }
mkdir "$scratch/bin"
for program in sh bash make env uname nproc grep sed awk cat; do
  path=$(command -v $program) && ln -s "$path" "$scratch/bin/$program"
done
code=0
PATH=$scratch/bin make -s -C "$SOURCE" docs >"$scratch/said" 2>&1 || code=$?
if [ $code -ne 0 ]; then pass; else fail "make docs without doxygen is done"; fi
if hears -F "make docs needs doxygen: scripts/setup --analysis installs it" <"$scratch/said"; then pass; else fail "make docs without doxygen: $(cat "$scratch/said")"; fi
finish
