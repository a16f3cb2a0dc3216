#!/usr/bin/env bash
# flash.sh ELF: what the microcontroller example takes of flash, and that it stays under the number in
# ports/cortex-m/README.md.
. "$(dirname "$0")/lib.sh"
elf=$1
size=${NM%nm}size
limit=$(sed -n 's/.*flash limit: \([0-9]*\) bytes.*/\1/p' "$SOURCE/ports/cortex-m/README.md")
read -r text data bss _ < <("$size" "$elf" | tail -n 1)
flash=$((text + data))
echo "mcu_smoke: flash $flash bytes (text $text, data $data), static RAM $((data + bss)) bytes; limit $limit"
if [ "$flash" -le "$limit" ]; then pass; else fail "flash $flash is over $limit bytes"; fi
doubles=$("$NM" "$elf" | awk '{print $NF}' | grep -E '^__aeabi_(d|[a-z]+2d)' || true)
if [ -z "$doubles" ]; then pass; else fail "soft double in the image:" $doubles; fi
heap=$("$NM" "$elf" | awk '{print $NF}' | grep -Ex '_*(malloc|free|calloc|realloc|printf|sprintf|snprintf|abort|exit|_sbrk)(_r)?' || true)
if [ -z "$heap" ]; then pass; else fail "of the C library in the image:" $heap; fi
finish
