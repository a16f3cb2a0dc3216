#!/usr/bin/env bash
# Kernels that multiply and add do it with one instruction where the instruction set has it: counted in the object files. How many there
# are depends on how far a compiler unrolls: 600 with gcc 12 in a tile, 36 with clang 14.
. "$(dirname "$0")/lib.sh"
: "${OBJDUMP:=objdump}"
command -v "$OBJDUMP" >/dev/null || { skip "no objdump"; finish; }

# count OBJECT PATTERN: instructions whose name matches.
count() { "$OBJDUMP" -d --no-show-raw-insn "$1" | awk -F'\t' -v want="^($2)\$" '{split($2, word, " ")} word[1] ~ want {n++} END {print n + 0}'; }

for object in "$BUILD"/CMakeFiles/tessera_*.dir/src/{nn/conv/{tile,depthwise},ops/matmul/float}.kernel.c.o; do
  [ -f "$object" ] || continue
  name=${object#"$BUILD"/CMakeFiles/tessera_}
  fused=$(count "$object" 'vfn?madd[0-9]*p[sd]|fmla')
  apart=$(count "$object" 'vmulp[sd]|fmul')
  case $name in
    avx*) needed=1 ;;
    *) needed=$("$OBJDUMP" -f "$object" | grep -c aarch64 || true) ;;
  esac
  if [ "$needed" = 0 ]; then
    skip "$name: no fused products in this instruction set"
  elif [ "$fused" -ge 24 ] && [ $((20 * apart)) -le "$fused" ]; then
    pass
  else
    fail "$name: $fused fused products and $apart products apart"
  fi
done
finish
