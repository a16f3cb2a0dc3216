#!/usr/bin/env bash
# The shared library exports tsr_* and nothing else; the objects of core, memory, cpu, ops, nn and registry reference no stdio and
# nothing that ends the program. The check hook's default is the one exception: it writes to stderr, and traps.
. "$(dirname "$0")/lib.sh"
shared=$BUILD/libtessera.so
if [ -f "$shared" ]; then
  foreign=$("$NM" -D --defined-only "$shared" | awk '{print $NF}' | sed 's/@.*//' | grep -v '^tsr_' || true)
  if [ -z "$foreign" ]; then pass; else fail "exported but not tsr_*: $foreign"; fi
  count=$("$NM" -D --defined-only "$shared" | wc -l)
  if [ "$count" -gt 50 ]; then pass; else fail "only $count symbols are exported"; fi
else
  skip "no shared library"
fi

forbidden='(_*(v|f|s|d|vf|vs|sn|vsn|vd|as|vas)?printf(_chk)?|_*(v|f|s)?scanf|puts|fputs|putchar|putc|fputc|getchar|getc|fgets|gets|fopen|fdopen|freopen|fclose|fread|fwrite|fflush|fseek|fseeko|ftell|ftello|rewind|perror|setvbuf|remove|rename|tmpfile|std(in|out|err)|abort|_?exit|_Exit|quick_exit|at_quick_exit|__assert.*|raise|kill)'
objects=0
while IFS= read -r object; do
  objects=$((objects + 1))
  allowed='$^'
  case $object in */src/core/check_hook.c.o*) allowed='^(stderr|fputs|fputc|putc|fwrite|_*fprintf(_chk)?)$' ;; esac
  found=$("$NM" -u "$object" | awk '{print $NF}' | sed 's/@.*//' | grep -Ex "$forbidden" | grep -Ev "$allowed" || true)
  if [ -z "$found" ]; then pass; else fail "${object#"$BUILD"/} references" $found; fi
done < <(find "$BUILD/CMakeFiles" -path '*/tessera_*.dir/src/*' -name '*.o' | grep -E '/src/(core|memory|cpu|ops|nn|registry)/' | sort)
if [ $objects -gt 10 ]; then pass; else fail "only $objects objects found"; fi
finish
