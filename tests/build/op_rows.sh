#!/usr/bin/env bash
# What cmake/op_table.cmake makes of the rows of ops: a table that a reader finds an op in; a row that is wrong is refused with its
# file and line; one that is not the function's does not compile; files that would not change are left alone.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
generate() { "$CMAKE" -D SOURCE="$1" -D OUTPUT="$2" -P cmake/op_table.cmake; }

# ---- what there is ----
out=$scratch/out
check "the rows are read" generate "$SOURCE" "$out"
check "the build has the same table" cmp "$out/tsr_op_table.c" "$BUILD/private/tsr_op_table.c"
line=$(grep -n '^OP(roll,' src/ops/move/ops.def | cut -d: -f1)
check "roll is found by its name" grep -q '{.name = "roll", ' "$out/tsr_op_table.c"
check "and where its row is" grep -q "^/\* ---- roll: src/ops/move/ops.def:$line ---- \*/" "$out/tsr_op_table.c"
line=$(grep -n '^BINARY_WRAP(add,' src/ops/binary/rows.def | cut -d: -f1)
check "also where a family has rows of its own" grep -q "tsr_add}, /\* src/ops/binary/rows.def:$line \*/" "$out/tsr_op_table.c"
touch -d '2001-01-01' "$out/tsr_op_table.c" "$out/tsr_ops/ops/move.h"
check "again" generate "$SOURCE" "$out"
if [ -n "$(find "$out" -newermt '2001-01-02' \( -name tsr_op_table.c -o -name move.h \))" ]; then fail "it writes what has not changed"; else pass; fi

# ---- rows that are wrong ----
# refused LINE MESSAGE ROWS: the rows are those of a family behind one that is right.
refused() {
  local tree=$scratch/tree message
  rm -rf "$tree"
  mkdir -p "$tree/src/ops/made"
  printf '/* Two lines\n * of a comment. */\nOP(right, ALL, SAME, IN(x) OUT(out))\n%s\n' "$3" >"$tree/src/ops/made/ops.def"
  printf 'SAME(one, ANY)\nSAME(two, ODD)\n' >"$tree/src/ops/made/rows.def"
  if message=$(generate "$tree" "$scratch/none" 2>&1); then fail "no message for: $3"; return; fi
  if hears -F "/src/ops/made/$1: $2" <<<"$message"; then pass; else fail "$3: not '$1: $2' but" "$message"; fi
}
refused ops.def:4 "a: there is no parameter 'INN'" 'OP(a, ALL, SAME, INN(x) OUT(out))'
refused ops.def:6 "b: INT has 2 arguments, not 1" $'OP(a, ALL, SAME, IN(x)\n   OUT(out))\nOP(b, ALL, SAME, IN(x)\n   INT(k) OUT(out))'
refused ops.def:4 "takes 'EVERYTHING', which is none of NOTHING, BOOL" 'OP(a, EVERYTHING, SAME, IN(x) OUT(out))'
refused ops.def:4 "gives 'SMAE', which is none of SAME, FLOAT" 'LIKE(a, right, ALL, SMAE)'
refused ops.def:4 "takes 'INTS', which is none of" 'OP(a, ALL, SAME, IN_OF(x, INTS) OUT(out))'
refused ops.def:4 "a: there is no kind or op 'wrong' before it" 'LIKE(a, wrong, ALL, SAME)'
refused ops.def:4 "the op 'right' has a row already at" 'LIKE(right, right, ALL, SAME)'
refused ops.def:4 "'right' is described already at" 'KIND(right, IN(x))'
refused ops.def:5 "a bracket is not closed" $'\nOP(a, ALL, SAME, IN(x) OUT(out)'
refused ops.def:4 "there is no WORDS(modes, ...)" 'OP(a, ALL, SAME, IN(x) WORD(int, mode, modes, 0) OUT(out))'
refused ops.def:4 "'stride' is a field of 'options', which no OPTIONS before it declares" 'OP(a, ALL, SAME, FIELD_INT(options, stride))'
refused ops.def:4 "the name of 'a_name_that_is_too_long' is longer than 17 characters" \
  'OP(a, ALL, SAME, IN(a_name_that_is_too_long))'
refused ops.def:4 "a: ', OUT(out)' is no list of parameters" 'OP(a, ALL, SAME, IN(x), OUT(out))'
refused ops.def:4 "'OPP(a, ALL, SAME, IN(x))' is no OP, KIND, LIKE, WORDS" 'OPP(a, ALL, SAME, IN(x))'
refused ops.def:4 "there is no file" 'ROWS(none.def, SAME, LIKE(@1, right, ALL, ALL))'
refused ops.def:4 "a: there is no object 'parcel'" 'OP(a, ALL, SAME, OBJECT(parcel, b))'
refused rows.def:2 "there is no rule for 'RULE_ODD'" 'ROWS(rows.def, SAME, LIKE(@1, right, RULE_@2, RULE_@2))'
check "a folder without rows is refused" bash -c "! '$CMAKE' -D SOURCE='$SOURCE/docs' -D OUTPUT='$scratch/none' -P cmake/op_table.cmake 2>/dev/null"

# ---- rows that are not the function's ----
compiles() {
  "$CC" -std=c11 -fsyntax-only -Iinclude -Isrc -I"$BUILD/include" -I"$1" -I"$BUILD/private" src/registry/table.c
}
# not_so OLD NEW: the row of roll with something else in it.
not_so() {
  rm -rf "$scratch/changed"
  mkdir -p "$scratch/changed"
  cp -r src "$scratch/changed/src"
  sed -i "/^OP(roll,/s/$1/$2/" "$scratch/changed/src/ops/move/ops.def"
  check "the row with $2 is read" generate "$scratch/changed" "$scratch/changed/out"
  if compiles "$scratch/changed/out" >"$scratch/output" 2>&1; then fail "$2 instead of $1 compiles"; return; fi
  if grep -q 'tsr_roll has other parameters than its row, src/ops/move/ops.def:' "$scratch/output"; then pass; else fail "$2: $(head -n 3 "$scratch/output")"; fi
}
check "the table compiles" compiles "$out"
not_so 'INT(shift' 'REAL(shift'
not_so 'AXIS(axis' 'INT64(axis'
not_so 'IN(in) INT(shift, REQUIRED)' 'INT(shift, REQUIRED) IN(in)'
not_so 'IN(in)' 'OUT(in)'
not_so ' AXIS(axis, REQUIRED)' ''
finish
