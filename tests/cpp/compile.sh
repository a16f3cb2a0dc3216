#!/usr/bin/env bash
# The header under g++ and clang++, as C++17 and C++20, with exceptions and without: no warnings. What must not compile does not, and
# every op has its function.
. "$(dirname "$0")/../build/lib.sh"
include=(-I"$SOURCE/include" -I"$BUILD/include" -isystem "${EIGEN:-/usr/include/eigen3}")
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror -fsyntax-only)
for cxx in g++ clang++; do
  if ! command -v "$cxx" >/dev/null; then skip "no $cxx"; continue; fi
  for standard in 17 20; do
    for mode in "" "-fno-exceptions"; do
      check "$cxx, C++$standard $mode" "$cxx" -std=c++$standard ${mode:+"$mode"} "${warnings[@]}" "${include[@]}" "$SOURCE/tests/cpp/everything.cpp"
    done
  done
done

# refused NAME WORDS CODE: does not compile, and the compiler says the words.
cxx=$(find_cxx)
refused() {
  printf '#include <tessera/tessera.hpp>\n#include <utility>\nvoid f(tsr::tensor a, tsr::tensor b);\nvoid f(tsr::tensor a, tsr::tensor b) { (void)a; (void)b; %s }\n' "$3" >"$scratch/refused.cpp"
  if "$cxx" -std=c++17 -fsyntax-only "${include[@]}" "$scratch/refused.cpp" 2>"$scratch/refused.out"; then
    fail "$1 compiles"
  elif grep -qE "$2" "$scratch/refused.out"; then
    pass
  else
    fail "$1: another error"
    head -n 5 "$scratch/refused.out"
  fi
}
if [ -n "$cxx" ]; then
  refused "a view of a tensor that ends" "deleted" 'tsr::view v = tsr::ones({3}); (void)v;'
  refused "a tensor copied in silence" "deleted" 'tsr::tensor c = a; (void)c;'
  refused "an expression used twice" "used once|deleted" 'auto e = a * b; tsr::tensor x = e; (void)x;'
  refused "a name that an op has not" "no parameter of that name" '(void)tsr::softmax(a, tsr::arg::groups = 2);'
  refused "elements of a tensor that ends" "deleted|void" 'auto e = tsr::ones({3}).as<float>(); (void)e;'
  refused "an output that is const" "deleted" 'const tsr::tensor &c = b; (void)tsr::exp(a, tsr::out(c));'
  # clang sees a view that outlives what it looks at.
  if command -v clang++ >/dev/null; then
    printf '#include <tessera/tessera.hpp>\ntsr::view f();\ntsr::view f() { tsr::tensor a = tsr::ones({3}); return a({0, 1}); }\n' >"$scratch/dangling.cpp"
    if clang++ -std=c++17 -fsyntax-only "${include[@]}" "$scratch/dangling.cpp" 2>&1 | hears "stack memory associated with local variable"; then pass; else fail "a view of a local tensor is returned without a warning"; fi
  fi
else
  skip "no C++ compiler"
fi

# Every op by its name; forms with a number, and with tensors for numbers, are overloads of it.
if [ -x "$BUILD/tessera" ]; then
  functions=" $(sed -nE 's/^(auto|returns<.*>|inline .*>) ([a-z_0-9]+)\(.*/\2/p' "$BUILD/include/tessera/ops.hpp" "$SOURCE"/include/tessera/cpp/*.hpp | sort -u | tr '\n' ' ')view "
  missing=
  count=0
  while read -r op; do
    name=$(sed -E 's/_i64$//; s/_scalar$//; s/^scalar_//; s/^clamp_tensor$/clamp/' <<<"$op")
    if [ "$op" = arange_i64 ] || [ "$op" = fill_i64 ]; then name=$op; fi
    count=$((count + 1))
    case $functions in *" $name "*) ;; *) missing+=" $op" ;; esac
  done < <("$BUILD/tessera" ops | awk '{ print $1 }')
  if [ -z "$missing" ] && [ $count -gt 300 ]; then pass; else fail "ops without a function of C++, of $count:$missing"; fi
else
  skip "the command is not built"
fi
finish
