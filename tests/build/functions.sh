#!/usr/bin/env bash
# Every function of floats in <tessera/unary.h> is in the list that math_test, math_f64_test, math_half_test and
# math_all go through, and every row of the list is such a function. bitwise_not is of integers alone.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
declare -A row=()
cat >"$scratch/functions.c" <<'END'
#include "ops/math_functions.h"
#define NAME(name, ...) row_of name ;
MATH_TESTS(NAME) MATH_FUNCTIONS(NAME)
END
"$CC" -std=gnu11 -E -P -Itests -Isrc -Iinclude -I"$BUILD/include" "$scratch/functions.c" >"$scratch/functions.i"
while read -r name; do row[$name]=1; done < <(grep -o 'row_of [a-z0-9_]*' "$scratch/functions.i" | cut -d' ' -f2)
if [ ${#row[@]} -eq 0 ]; then fail "tests/ops/math_functions.h has no rows"; fi
while read -r name; do
  if [ -n "${row[$name]:-}" ] || [ "$name" = bitwise_not ]; then
    pass
  else
    fail "tsr_$name has no row in tests/ops/math_functions.h"
  fi
  unset "row[$name]"
done < <(tr '\n' ' ' <include/tessera/unary.h | grep -oE 'TSR_MUST_USE tsr_status tsr_[a-z0-9_]+\(' |
  sed 's/.* tsr_//; s/($//')
for name in "${!row[@]}"; do fail "tests/ops/math_functions.h: $name is no function of <tessera/unary.h>"; done
finish
