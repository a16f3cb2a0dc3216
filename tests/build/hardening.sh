#!/usr/bin/env bash
# The release build has what TSR_HARDEN promises, as far as this compiler and linker have it; and nobody who uses the library gets any of
# it from us.
. "$(dirname "$0")/lib.sh"
cache=$BUILD/CMakeCache.txt
has() { hears -E "^$1:[A-Z]+=(1|ON|TRUE)\$" <"$cache"; }
if ! has TSR_HARDEN; then skip "TSR_HARDEN is off"; finish; fi
if ! command -v readelf >/dev/null || ! readelf -h "$BUILD/libtessera.a" >/dev/null 2>&1; then skip "no readelf, or no ELF"; finish; fi
optimised=no
if grep -Eq '^CMAKE_BUILD_TYPE:[A-Z]+=(Release|RelWithDebInfo|MinSizeRel)$' "$cache"; then optimised=yes; fi

bound_early() { readelf -d "$1" | hears -E 'BIND_NOW|FLAGS_1.* NOW'; }
read_only_relocations() { readelf -lW "$1" | hears GNU_RELRO; }
plain_stack() { readelf -lW "$1" | hears -E 'GNU_STACK .* RW +0x'; }
movable() { readelf -h "$1" | hears -E 'Type: +DYN'; }
calls() { "$NM" -D -u "$1" | hears -E " $2(@|\$)"; }
# when FEATURE NAME COMMAND...
when() { if has "$1"; then shift; check "$@"; else skip "this toolchain has no $1"; fi; }

for file in "$BUILD/libtessera.so" "$BUILD/tessera" "$BUILD/tour" "$BUILD/tests/status_test"; do
  if [ ! -f "$file" ]; then skip "$file is not there"; continue; fi
  name=${file##*/}
  when TSR_HAS_Z_now "$name is bound before it runs" bound_early "$file"
  when TSR_HAS_Z_relro "$name has read-only relocations" read_only_relocations "$file"
  when TSR_HAS_Z_noexecstack "$name has a stack of data alone" plain_stack "$file"
  check "$name may lie anywhere" movable "$file"
done
for file in "$BUILD/libtessera.so" "$BUILD/tessera"; do
  if [ ! -f "$file" ]; then continue; fi
  when TSR_HAS_fstack_protector_strong "${file##*/} protects its stack" calls "$file" __stack_chk_fail
  if [ $optimised = yes ] && calls "$file" __libc_start_main; then
    check "${file##*/} calls the C library's checked functions" calls "$file" '__[a-z]+_chk'
  fi
done

# Not for users: their flags are theirs.
private='stack-protector|stack-clash|cf-protection|FORTIFY|relro|noexecstack|-z,now|nodelete|-pie'
for file in "$BUILD/package/tessera.pc" "$BUILD"/CMakeFiles/Export/*/*/tesseraTargets*.cmake "$BUILD"/CMakeFiles/Export/*/tesseraTargets*.cmake; do
  if [ -f "$file" ]; then check "${file##*/} passes none of it on" bash -c '! grep -nE -- "$1" "$2"' - "$private" "$file"; fi
done
finish
