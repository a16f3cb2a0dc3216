#!/usr/bin/env bash
# The library as one header and one source, as the Arduino library has it, compiles alone, and runs the tests of the first
# reference tensor and of networks' layers, which see nothing of the library but tessera.h; and the sketch, over a stand-in for
# Arduino's functions. Then ESP-IDF's component: its allocator over a stand-in for the heap, its configuration.
. "$(dirname "$0")/lib.sh"
if ! command -v python3 >/dev/null; then skip "no python3"; finish; fi
cd "$SOURCE"
check "it is written" ports/arduino/package "$scratch/arduino"
one=$scratch/arduino/src
check "there is no such setting" bash -c "! scripts/amalgamate '$scratch/none' TSR_HAVE_NOTHING=1 2>/dev/null"
flags=(-std=gnu11 -O0 -fwrapv -ffp-contract=off -I"$one")
check "it compiles alone" "$CC" "${flags[@]}" -c "$one/tessera.c" -o "$scratch/tessera.o"
foreign=$("$NM" --defined-only "$scratch/tessera.o" | awk '$2 ~ /[A-Z]/ && $3 !~ /^tsr_/ {print $3}')
if [ -z "$foreign" ]; then pass; else fail "it defines" $foreign; fi
if "$NM" -u "$scratch/tessera.o" | hears -wE 'malloc|printf|abort'; then fail "it needs malloc, printf or abort"; else pass; fi
for test in seeds/tiny_test seeds/tiny_layers_test memory/dry_run_test; do
  name=$(basename "$test")
  check "$name compiles" "$CC" "${flags[@]}" -Itests -DTSR_SOURCE_DIR="\"$SOURCE\"" "tests/$test.c" \
    tests/support/helpers.c "$scratch/tessera.o" -lm -o "$scratch/$name"
  check "$name runs" "$scratch/$name"
done

# ---- Arduino ----
cxx=$(find_cxx)
cat >"$scratch/sketch.cpp" <<'C'
#include <cstdio>
static struct { void begin(long) {} void println(const char *text) { std::puts(text); } } Serial;
static void delay(int) {}
#include "Iris.ino"
int main() { setup(); loop(); }
C
sketch=$scratch/arduino/examples/Iris
sketch_runs() { [ "$("$scratch/sketch")" = setosa ]; }
if [ -n "$cxx" ]; then
  check "the sketch's weights compile" "$CC" "${flags[@]}" -c "$sketch/iris_weights.c" -o "$scratch/weights.o"
  check "the sketch compiles" "$cxx" -std=c++17 -Wall -Werror -I"$one" -I"$sketch" -x c++ "$scratch/sketch.cpp" -x none "$scratch/weights.o" \
    "$scratch/tessera.o" -lm -o "$scratch/sketch"
  check "the sketch reads a flower" sketch_runs
else
  skip "no C++ compiler"
fi

# ---- ESP-IDF ----
mkdir -p "$scratch/idf"
cat >"$scratch/idf/esp_heap_caps.h" <<'C'
#include <stddef.h>
#include <stdint.h>
enum { MALLOC_CAP_INTERNAL = 1, MALLOC_CAP_SPIRAM = 2, MALLOC_CAP_8BIT = 4 };
void *heap_caps_aligned_alloc(size_t align, size_t bytes, uint32_t caps);
void heap_caps_free(void *block);
C
cat >"$scratch/idf/main.c" <<'C'
#include <esp_heap_caps.h>
#include <stdlib.h>
#include "tessera_psram.h"
static uint32_t last, full;
void *heap_caps_aligned_alloc(size_t align, size_t bytes, uint32_t caps) {
  if (caps & full) return NULL;
  last = caps;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}
void heap_caps_free(void *block) { free(block); }
static int lies(const tsr_allocator *a, size_t bytes, int hint) {
  last = 0;
  void *const block = a->alloc(a->self, bytes, 16, hint);
  if (block != NULL) a->free(a->self, block, bytes);
  return last & 3;
}
int main(void) {
  tessera_psram psram;
  const tsr_allocator *const a = &psram.allocator;
  if (tessera_psram_init(NULL, 0) != TSR_EARG || tessera_psram_init(&psram, 100) != TSR_OK) return 1;
  if (lies(a, 100, 0) != 1 || lies(a, 101, 0) != 2 || lies(a, 101, TSR_HINT_HOT) != 1 || lies(a, 4, TSR_HINT_COLD) != 2) return 2;
  if (lies(a, 101, TSR_HINT_TIER0) != 1 || lies(a, 4, TSR_HINT_TIER0 + 1) != 2 || lies(a, 4, TSR_HINT_TIER0 + 2) != 0) return 3;
  full = MALLOC_CAP_INTERNAL;
  return lies(a, 4, 0) == 2 && lies(a, 4, TSR_HINT_TIER0) == 0 ? 0 : 4;
}
C
check "the PSRAM allocator compiles" "$CC" -std=gnu11 -Wall -Wextra -Werror -I"$one" -I"$scratch/idf" -Iports/esp-idf/include \
  ports/esp-idf/psram.c "$scratch/idf/main.c" -o "$scratch/psram"
check "the PSRAM allocator chooses" "$scratch/psram"
cat >"$scratch/idf/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(stand_in C)
function(idf_component_register)
  add_library(component OBJECT EXCLUDE_FROM_ALL "$SOURCE/ports/esp-idf/psram.c")
endfunction()
set(COMPONENT_LIB component)
set(CONFIG_TESSERA_SMALL_FLOATS y)
include("$SOURCE/ports/esp-idf/CMakeLists.txt")
CMAKE
check "the component configures" "$CMAKE" -S "$scratch/idf" -B "$scratch/idf/build" -DCMAKE_C_COMPILER="$CC"
idf_config=$scratch/idf/build/include/tessera/config.h
settled() { ! grep -nE '@|^#define \w+ *(/|$)' "$idf_config" | grep -v 'define TESSERA_CONFIG_H' && grep -q 'TSR_HAVE_SMALL_FLOATS 1' "$idf_config" && grep -q 'TSR_HAVE_TEXT 0' "$idf_config"; }
check "the component sets every value" settled

mkdir -p "$scratch/zephyr"
cat >"$scratch/zephyr/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(stand_in C)
function(zephyr_library_named name)
  add_library(module OBJECT EXCLUDE_FROM_ALL "$SOURCE/src/core/check.c" "$SOURCE/src/nn/softmax/softmax.kernel.c")
endfunction()
function(zephyr_library_sources)
  list(LENGTH ARGN count)
  if(count LESS 100)
    message(FATAL_ERROR "\${count} sources")
  endif()
endfunction()
function(zephyr_include_directories)
  target_include_directories(module PUBLIC \${ARGN})
endfunction()
function(zephyr_library_include_directories)
  target_include_directories(module PRIVATE \${ARGN})
endfunction()
function(zephyr_library_compile_options)
  target_compile_options(module PRIVATE \${ARGN})
endfunction()
set(CONFIG_TESSERA y)
set(CONFIG_TESSERA_TEXT y)
set(CONFIG_TESSERA_TEXT_BYTES 64)
include("$SOURCE/ports/zephyr/CMakeLists.txt")
CMAKE
check "the module configures" "$CMAKE" -S "$scratch/zephyr" -B "$scratch/zephyr/build" -DCMAKE_C_COMPILER="$CC"
check "the module compiles" "$CMAKE" --build "$scratch/zephyr/build" --target module
zephyr_config=$scratch/zephyr/build/include/tessera/config.h
module_settled() { ! grep -nE '@|^#define \w+ *(/|$)' "$zephyr_config" | grep -v 'define TESSERA_CONFIG_H' && grep -q 'TSR_TEXT_BYTES 64' "$zephyr_config" && grep -q 'TSR_HAVE_SMALL_FLOATS 0' "$zephyr_config"; }
check "the module sets every value" module_settled
for option in $(grep -ohE 'CONFIG_TESSERA\w*[A-Z]' ports/zephyr/CMakeLists.txt ports/kconfig.cmake | sort -u); do
  check "Kconfig has $option" grep -qE "config ${option#CONFIG_}\$" ports/zephyr/Kconfig
done
check "library.json is JSON of this version" python3 - <<PY
import json, re
library = json.load(open("ports/arduino/library.json"))
version = re.search(r"project\(tessera VERSION ([\d.]+)", open("CMakeLists.txt").read()).group(1)
assert library["name"] == "Tessera" and library["version"] == version, library
PY
finish
