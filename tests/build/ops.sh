#!/usr/bin/env bash
# Every operation of the public headers has a row in the table of bad calls, and every row is an operation. Operations whose
# inputs the table cannot make, products and convolutions, have tests of their own: one that expects a failure of theirs.
# Headers that are not about operations are named here; any other one counts.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
no_ops='arrow bundle calendar carray context csv device dist dlpack dtype expr formats freeze frozen gguf image index
io jpeg layout limits memory metadata mmap mpi npz plan plot png pnm prepare print program queue raw registry
safetensors scope status table tensor tessera threads wav'
declare -A row=()

cat >"$scratch/rows.c" <<'END'
#include "ops/bad_calls_table.h"
#define NAME(name, ...) row_of name ;
TABLE(NAME)
END
"$CC" -std=gnu11 -E -P -Itests -Iinclude -I"$BUILD/include" "$scratch/rows.c" >"$scratch/rows.i"
while read -r name; do row[$name]=1; done < <(grep -o 'row_of [a-z0-9_]*' "$scratch/rows.i" | cut -d' ' -f2)
if [ ${#row[@]} -eq 0 ]; then fail "the table of bad calls has no rows"; fi

# own_test NAME: whether a test expects a message "NAME: ..." of it, or FAILS(..., tsr_NAME(.
own_test() {
  grep -rqE "\"$1: |(BAD|FAILS)\(.*tsr_$1\(" tests/ops tests/nn tests/fft tests/linalg --include='*_test.c' --include='*.h'
}

for header in include/tessera/*.h; do
  base=$(basename "$header" .h)
  if [[ " ${no_ops//$'\n'/ } " == *" $base "* ]]; then continue; fi
  while read -r name; do
    if [ -n "${row[$name]:-}" ] || own_test "$name"; then pass; else fail "$header: tsr_$name has no row in tests/ops/bad_calls_table.h"; fi
    unset "row[$name]"
  done < <(tr '\n' ' ' <"$header" | grep -oE 'TSR_MUST_USE tsr_status tsr_[a-z0-9_]+\(' | sed 's/.* tsr_//; s/($//')
done
for name in "${!row[@]}"; do fail "tests/ops/bad_calls_table.h: $name is no operation of the headers"; done
finish
