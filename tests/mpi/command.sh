#!/usr/bin/env bash
# The command as several processes: what they print together is what one prints, and files are the same to the byte.
. "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"
if [ ! -f "$BUILD/libtessera_mpi.so" ]; then skip "no libtessera_mpi.so"; finish; fi
export NO_COLOR=1  # some launchers make the output of the first process a terminal
ranks() { local n=$1; shift; "$SOURCE/scripts/mpi-run" "$n" "$TESSERA" "$@"; }
"$TESSERA" stats model.safetensors >one
"$TESSERA" stats --json --quantiles model.safetensors >one.json
for n in 2 3; do
  check "stats by $n" bash -c "$(declare -f ranks); SOURCE='$SOURCE' TESSERA='$TESSERA'; ranks $n stats model.safetensors >many"
  check "the same by $n" cmp one many
done
ranks 2 stats --json --quantiles model.safetensors >many.json
check "the same as JSON" cmp one.json many.json
"$TESSERA" convert --dtype f64=f32 model.safetensors one.safetensors
ranks 3 convert --dtype f64=f32 model.safetensors many.safetensors
check "convert writes the same file" cmp one.safetensors many.safetensors
"$TESSERA" convert model.safetensors:head.w one.npy 2>/dev/null
ranks 2 convert model.safetensors:head.w many.npy 2>/dev/null
check "a .npy too" cmp one.npy many.npy
ranks 2 convert model.safetensors many.npz
check "another format by the first" "$TESSERA" diff many.npz model.safetensors
ranks 2 ls model.safetensors >many.ls
"$TESSERA" ls model.safetensors >one.ls
check "what is for one process is printed once" cmp one.ls many.ls
if ranks 2 stats no_such_file.npy 2>error; then fail "a file that is not there"; else pass; fi
check "it is said once" test "$(grep -c 'tessera stats: no_such_file.npy' error)" = 1
check "nothing is left behind" test -z "$(compgen -G '*.tmp~*' || true)"
finish
