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

# In C++ TSR_SHAPE takes whole numbers of any type, as sizes of containers are, and no others.
cat >"$scratch/shape.cpp" <<'END'
#include <tessera/tensor.h>
enum { ROWS = 2 };
int shape(std::size_t n, short k, tsr_tensor *t);
int shape(std::size_t n, short k, tsr_tensor *t) {
  static_assert(decltype(tsr__numbers<tsr_index>(ROWS, 3u, -1))::count == 3, "three numbers");
  return tsr_desc_init(nullptr, TSR_F32, TSR_SHAPE(n / 3, k, ROWS, 4), t);
}
END
echo 'int shape(tsr_tensor *t) { return tsr_desc_init(nullptr, TSR_F32, TSR_SHAPE(1.5), t); }' >"$scratch/real.cpp"
if [ -n "$cxx" ]; then
  check "TSR_SHAPE of sizes as C++17" "$cxx" -std=c++17 "${warnings[@]}" -Wsign-conversion "${include[@]}" "$scratch/shape.cpp"
  if "$cxx" -std=c++17 -include tessera/tensor.h "${include[@]}" -fsyntax-only "$scratch/real.cpp" 2>"$scratch/real.out"; then
    fail "TSR_SHAPE(1.5) compiles"
  elif grep -q 'shapes, indices and axes are whole numbers' "$scratch/real.out"; then pass; else fail "TSR_SHAPE(1.5): another error"; fi
else
  skip "TSR_SHAPE as C++17: no C++ compiler"
fi

# Every function that is exported has a comment: one before it, before the group without a blank line that it is in, or after it.
for header in "$SOURCE"/include/tessera/*.h; do
  bare=$(awk '/\/\*\*/ { documented = 1 } /^[[:space:]]*$/ { documented = 0 }
              /^TSR_API/ && !/ \*?tsr__/ && !documented { print FILENAME ":" FNR }' "$header")
  if [ -z "$bare" ]; then pass; else fail "no comment:" $bare; fi
done
# <tessera/tessera.h> is the index: each header has its line, those of networks in nn.h.
cd "$SOURCE" || exit
for header in include/tessera/*.h; do
  name=$(basename "$header")
  case $name in tessera.h) continue ;; esac
  if grep -q "<tessera/$name>" include/tessera/tessera.h include/tessera/nn.h; then pass; else fail "$name is not in tessera.h"; fi
done
finish
