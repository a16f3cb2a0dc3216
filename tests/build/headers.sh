#!/usr/bin/env bash
# Every public header compiles alone, as C11 and as C++17, without a warning.
. "$(dirname "$0")/lib.sh"
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only)
include=(-I"$SOURCE/include" -I"$BUILD/include")
cxx=$(find_cxx)
for header in "$SOURCE"/include/tessera/*.h "$BUILD"/include/tessera/config.h; do
  name=tessera/$(basename "$header")
  printf '#include <%s>\n#include <%s>\ntypedef int something;\n' "$name" "$name" >"$scratch/one.c"
  check "$name as C11" "$CC" -std=c11 "${warnings[@]}" "${include[@]}" "$scratch/one.c"
  if [ -n "$cxx" ]; then
    check "$name as C++17" "$cxx" -x c++ -std=c++17 "${warnings[@]}" "${include[@]}" "$scratch/one.c"
  else
    skip "$name as C++17: no C++ compiler"
  fi
done

# Every function that is exported has a comment: one before it, before the group without a blank line that it is in, or after it.
for header in "$SOURCE"/include/tessera/*.h; do
  bare=$(awk '/\/\*\*/ { documented = 1 } /^[[:space:]]*$/ { documented = 0 }
              /^TSR_API/ && !/ \*?tsr__/ && !documented { print FILENAME ":" FNR }' "$header")
  if [ -z "$bare" ]; then pass; else fail "no comment:" $bare; fi
done
finish
