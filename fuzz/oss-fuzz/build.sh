#!/bin/bash
# Builds every fuzzer into $OUT with the compiler, flags and engine that the service gives: $CC, $CFLAGS, $LIB_FUZZING_ENGINE,
# $SANITIZER. Beside each: its seeds in a zip, and its dictionary. scripts/oss-fuzz runs it with clang alone.
set -eu
source=${TESSERA_SOURCE:-$SRC/tessera} build=${WORK:-$SRC}/tessera-build
options=(-DTSR_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DTSR_BUILD_FUZZ=ON -DTSR_BUILD_TESTS=OFF -DTSR_BUILD_EXAMPLES=OFF
         -DTSR_BUILD_BENCH=OFF -DTSR_INSTALL=OFF -DTSR_ISAS_ONLY=base -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=)
library() { find /usr/lib -name "$1" -print -quit; }
if [ "${SANITIZER:-address}" = memory ]; then
  options+=(-DTSR_WITH_ZLIB=OFF -DTSR_WITH_PNG=OFF -DTSR_WITH_JPEG=OFF)  # what they write was not compiled with the sanitizer
else  # the machines that run the fuzzers have no shared ones
  if [ -n "$(library libz.a)" ]; then options+=(-DZLIB_LIBRARY="$(library libz.a)"); fi
  if [ -n "$(library libpng16.a)" ]; then options+=(-DPNG_LIBRARY="$(library libpng16.a)"); fi
fi
cmake -S "$source" -B "$build" -G Ninja "${options[@]}"
cmake --build "$build" --parallel "${JOBS:-$(nproc)}"

for fuzzer in "$build"/fuzz_*; do
  if [ ! -f "$fuzzer" ] || [ ! -x "$fuzzer" ]; then continue; fi
  name=${fuzzer##*/fuzz_}
  cp "$fuzzer" "$OUT/"
  if [ -f "$source/fuzz/$name.dict" ]; then cp "$source/fuzz/$name.dict" "$OUT/fuzz_$name.dict"; fi
  seeds=()
  for folder in "$source/fuzz/corpus/$name" "$source/tests/attacks/$name"; do
    if [ -d "$folder" ]; then seeds+=("$folder"/*); fi
  done
  if [ ${#seeds[@]} -gt 0 ]; then zip -q -j "$OUT/fuzz_${name}_seed_corpus.zip" "${seeds[@]}"; fi
done
