#!/usr/bin/env bash
# Indices of 32 bits beside files, as no preset has them: every source and the command compile without a warning. The sources
# are looked at, not translated. The plug-in for GPUs needs headers that are not everywhere, and indices of 64 bits.
. "$(dirname "$0")/lib.sh"
mkdir "$scratch/tessera"
sed 's/\(#define TSR_INDEX_BITS\).*/\1 32/' "$BUILD/include/tessera/config.h" >"$scratch/tessera/config.h"
if grep -qx '#define TSR_INDEX_BITS 32' "$scratch/tessera/config.h"; then pass; else fail "config.h has no TSR_INDEX_BITS"; fi
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Werror)
cd "$SOURCE"
look() {  # look FOLDER [flag]...
  find "$1" -name '*.c' ! -name '*.kernel.c' ! -path 'src/cuda/*' ! -path 'src/mpi/*' -print0 | xargs -0 -n 16 "${CC:-cc}" -std=gnu11 -fsyntax-only "${warnings[@]}" \
    "-I$scratch" -Iinclude -Isrc "-I$BUILD/private" -DTSR_ISA=base "${@:2}"
}
check "src with indices of 32 bits" look src
check "the command with indices of 32 bits" look tools/tessera -Itools/tessera -D_GNU_SOURCE
finish
