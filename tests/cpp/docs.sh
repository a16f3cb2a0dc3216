#!/usr/bin/env bash
# The blocks of docs/cpp.md and of the README compile; the first is run, and prints what stands below it.
. "$(dirname "$0")/../build/lib.sh"
cxx=$(find_cxx)
if [ -z "$cxx" ]; then skip "no C++ compiler"; finish; fi
awk -v to="$scratch" '/^```cpp$/ { n++; file = to "/" n ".cpp"; next } /^```/ { file = "" } file != "" { print > file }' "$SOURCE/docs/cpp.md"
awk '/^```$/ && !done { on = !on; if (!on) done = 1; next } on && !done' <(sed '1,/^```cpp/d; ' "$SOURCE/docs/cpp.md" | sed '1,/^```/d') >"$scratch/printed"
flags=(-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$SOURCE/include" -I"$BUILD/include")
found=0
for block in "$scratch"/*.cpp; do
  found=$((found + 1))
  if ! grep -q 'int main' "$block"; then
    { echo '#include <tessera/tessera.hpp>'; echo 'void block();'; echo 'void block() {'; cat "$block"; echo '}'; } >"$block.wrapped"
    check "block $(basename "$block" .cpp) of docs/cpp.md" "$cxx" "${flags[@]}" -fsyntax-only -x c++ "$block.wrapped"
  fi
done
if [ $found -gt 5 ]; then pass; else fail "docs/cpp.md has $found blocks"; fi
links=(-lm -pthread -ldl)
for name in z png16; do if grep -q "lib$name\.\|-l$name" "$BUILD/CMakeCache.txt" 2>/dev/null || ldconfig -p 2>/dev/null | hears "lib$name\.so "; then links+=("-l$name"); fi; done
cp "$scratch/1.cpp" "$scratch/first.cpp"
if "$cxx" "${flags[@]}" "$scratch/first.cpp" "$BUILD/libtessera.a" "${links[@]}" -o "$scratch/first" >"$scratch/output" 2>&1; then
  "$scratch/first" >"$scratch/said" || true
  if diff "$scratch/said" "$scratch/printed"; then pass; else fail "the first block prints something else"; fi
else
  fail "the first block"; head "$scratch/output"
fi
awk '/^## From C\+\+/ { here = 1 } here && /^```cpp$/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE/README.md" >"$scratch/readme.cpp"
check "the README's block" "$cxx" "${flags[@]}" -fsyntax-only "$scratch/readme.cpp"
finish
