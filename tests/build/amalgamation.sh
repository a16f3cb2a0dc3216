#!/usr/bin/env bash
# The library as one header and one source compiles alone, and runs the tests of the first reference tensor
# and of networks' layers: they see nothing of the library but tessera.h.
. "$(dirname "$0")/lib.sh"
if ! command -v python3 >/dev/null; then skip "no python3"; finish; fi
cd "$SOURCE"
check "it is written" scripts/amalgamate "$scratch/one"
check "there is no such setting" bash -c "! scripts/amalgamate '$scratch/none' TSR_HAVE_NOTHING=1 2>/dev/null"
mkdir -p "$scratch/include/tessera"
for header in include/tessera/*.h; do echo "#include \"$scratch/one/tessera.h\"" >"$scratch/include/tessera/$(basename "$header")"; done
flags=(-std=gnu11 -O1 -fwrapv -ffp-contract=off -I"$scratch/one")
check "it compiles alone" "$CC" "${flags[@]}" -c "$scratch/one/tessera.c" -o "$scratch/tessera.o"
foreign=$("$NM" --defined-only "$scratch/tessera.o" | awk '$2 ~ /[A-Z]/ && $3 !~ /^tsr_/ {print $3}')
if [ -z "$foreign" ]; then pass; else fail "it defines" $foreign; fi
if "$NM" -u "$scratch/tessera.o" | grep -qwE 'malloc|printf|abort'; then fail "it needs malloc, printf or abort"; else pass; fi
for test in seeds/tiny_test seeds/tiny_layers_test memory/dry_run_test; do
  name=$(basename "$test")
  check "$name compiles" "$CC" "${flags[@]}" -I"$scratch/include" -Itests -DTSR_SOURCE_DIR="\"$SOURCE\"" "tests/$test.c" \
    tests/support/helpers.c "$scratch/tessera.o" -lm -o "$scratch/$name"
  check "$name runs" "$scratch/$name"
done
finish
