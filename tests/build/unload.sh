#!/usr/bin/env bash
# A program may unload the library after its pool of threads has started: the shared library, and a plugin that the static one is
# linked into.
. "$(dirname "$0")/lib.sh"
here=$SOURCE/tests/build/unload
flags=(-std=c11 -Wall -Wextra -I"$SOURCE/include" -I"$BUILD/include")
if [ ! -f "$BUILD/libtessera.so" ]; then skip "no shared library"; finish; fi

check "the program compiles" "$CC" "${flags[@]}" "$here/program.c" -o "$scratch/program" -ldl
check "the plugin links" "$CC" "${flags[@]}" -fPIC -fvisibility=hidden -shared "$here/plugin.c" -Wl,--exclude-libs,ALL -Wl,--as-needed \
  "$BUILD/libtessera.a" -lm -pthread -o "$scratch/plugin.so"
export TSR_THREADS=4
check "the shared library is unloaded" timeout 60 "$scratch/program" "$BUILD/libtessera.so"
check "a plugin is unloaded" timeout 60 "$scratch/program" "$scratch/plugin.so"
check "both are, in turn" timeout 60 "$scratch/program" "$BUILD/libtessera.so" "$scratch/plugin.so"
finish
