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
  # Every exported function is declared, and the two whose names carry the configuration have a plain name too.
  echo '#include <tessera/tessera.h>' | "$CC" -E -P -I"$SOURCE/include" -I"$BUILD/include" - |
    grep -oE 'tsr_[a-z0-9_]+' | sort -u >"$scratch/declared"
  "$NM" -D --defined-only "$shared" | awk '{print $NF}' | sed 's/@.*//' | sort -u >"$scratch/exported"
  unknown=$(comm -23 "$scratch/exported" "$scratch/declared")
  if [ -z "$unknown" ]; then pass; else fail "exported and in no header:" $unknown; fi
  for name in tsr_release tsr_context_init; do
    if grep -qx "$name" "$scratch/exported"; then pass; else fail "$name is not exported"; fi
  done
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
