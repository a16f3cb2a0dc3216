#!/usr/bin/env bash
# The tests of all ops by name find a result that is not what the call gave (TSR_TORTURE_FAULT changes a byte of one), and
# print a C program that makes both calls: it compiles and runs, and finds them the same, or different where a value of
# one call is changed in its text.
. "$(dirname "$0")/lib.sh"
cd "$scratch"

# faulty TEST CALL: the program that the test prints when the result of that call is changed.
faulty() {
  if TSR_TORTURE_FAULT=$2 TSR_TORTURE_SECONDS=1 "$BUILD/tests/$1_test" >said.txt; then
    fail "$1: call $2 was changed, and nobody saw it"
    return
  fi
  sed -n '/^\/\* ---- a program/,/^\/\* ---- end/p' said.txt >program.c
  check "$1: the program of call $2 compiles" "$CC" -std=c11 -Wall -Wextra -Werror -I"$SOURCE/include" \
    -I"$BUILD/include" program.c "$BUILD/libtessera.a" -lm -pthread -o program
  check "$1: both calls of program $2 give the same" ./program
}
for call in 1 70 2000 7001; do
  faulty alias $call
  faulty metamorphic $call
done

# A call of its own where a difference in the values shows.
sed 's/static _Alignas(16) uint64_t got0\[\] = {/&0x4242424242424242, 0x4141414141414141,/' program.c >changed.c
check "a changed program compiles" "$CC" -std=c11 -I"$SOURCE/include" -I"$BUILD/include" changed.c "$BUILD/libtessera.a" -lm \
  -pthread -o changed
if ./changed >said.txt; then fail "a program with other values finds no difference"; else pass; fi
finish
