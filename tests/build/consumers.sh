#!/usr/bin/env bash
# A program finds and uses the library in each way there is: pkg-config, find_package, add_subdirectory, a plain command line.
. "$(dirname "$0")/lib.sh"
consumer=$SOURCE/tests/build/consumer
prefix="$scratch/the prefix"  # with a blank, as it happens
plain=$scratch/prefix
flags=(-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror)
cxx=$(find_cxx)

check "cmake --install" "$CMAKE" --install "$BUILD" --prefix "$prefix"
cp -r "$prefix" "$plain"  # an installed tree can move

# runs NAME PROGRAM: the program ends with 0, with the library that was asked for.
runs() { check "$1 runs" env LD_LIBRARY_PATH="$plain/lib" "$2"; }
is_shared() { readelf -d "$1" | hears 'NEEDED.*libtessera\.so\.0'; }
is_static() { ! is_shared "$1"; }

# by_hand NAME static|shared COMMAND...: compiles and links by a command line of one's own.
by_hand() {
  local name=$1 kind=$2 program
  shift 2
  program=$scratch/${name//[^a-z0-9]/_}
  check "$name" "$@" -o "$program"
  if [ ! -x "$program" ]; then return; fi
  runs "$name" "$program"
  check "$name is $kind" "is_$kind" "$program"
}
shared=(-I"$plain/include" "$consumer/consumer.c" -L"$plain/lib" -ltessera)
static=(-I"$plain/include" "$consumer/consumer.c" "$plain/lib/libtessera.a" -lm -pthread)
by_hand "plain shared" shared "$CC" "${flags[@]}" "${shared[@]}"
by_hand "plain static" static "$CC" "${flags[@]}" "${static[@]}"
if [ -n "$cxx" ]; then
  cp "$consumer/consumer.c" "$scratch/consumer.cpp"
  cflags=(-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$plain/include" "$scratch/consumer.cpp")
  by_hand "plain shared c++17" shared "$cxx" "${cflags[@]}" -L"$plain/lib" -ltessera
  by_hand "plain static c++17" static "$cxx" "${cflags[@]}" "$plain/lib/libtessera.a" -lm -pthread
else
  skip "c++17: no C++ compiler"
fi

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$plain/lib/pkgconfig
  check "tessera.pc has the version" pkg-config --exact-version="$(sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' "$BUILD/include/tessera/config.h")" tessera
  by_hand "pkg-config shared" shared "$CC" "${flags[@]}" "$consumer/consumer.c" $(pkg-config --cflags --libs tessera)
  by_hand "pkg-config static" static "$CC" "${flags[@]}" -static "$consumer/consumer.c" $(pkg-config --static --cflags --libs tessera)
else
  skip "pkg-config is not installed"
fi

# by_cmake NAME static|shared ARGUMENT...
by_cmake() {
  local name=$1 kind=$2 dir=$scratch/${1//[^a-z0-9]/_}
  shift 2
  check "$name configures" "$CMAKE" -S "$consumer" -B "$dir" -DCMAKE_C_COMPILER="$CC" "$@"
  check "$name builds" "$CMAKE" --build "$dir"
  if [ ! -x "$dir/consumer" ]; then return; fi
  check "$name runs" "$dir/consumer"
  check "$name is $kind" "is_$kind" "$dir/consumer"
}
by_cmake "find_package static" static -DCMAKE_PREFIX_PATH="$prefix"
by_cmake "find_package shared" shared -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=ON
subdirectory=(-DTESSERA_SOURCE="$SOURCE" -DTSR_ISAS_ONLY=base)  # its kernels are not what is looked at here
by_cmake "add_subdirectory static" static "${subdirectory[@]}"
by_cmake "add_subdirectory shared" shared "${subdirectory[@]}" -DBUILD_SHARED_LIBS=ON
finish
