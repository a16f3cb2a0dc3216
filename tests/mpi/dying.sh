#!/usr/bin/env bash
# A job of which a rank is killed, or comes no more, ends within seconds: with the launcher's word, or the library's sentence.
. "$(dirname "${BASH_SOURCE[0]}")/../build/lib.sh"
for how in killed silent; do
  for n in $([ $how = killed ] && echo 4 || echo 2); do
    began=$SECONDS code=0
    timeout 60 "$SOURCE/scripts/mpi-run" "$n" "$DYING" "$how" >"$scratch/out" 2>&1 </dev/null || code=$?
    took=$((SECONDS - began))
    check "$how, $n ranks: the job fails (code $code)" test "$code" -ne 0 -a "$code" -ne 124
    check "$how, $n ranks: within 30 seconds ($took)" test "$took" -lt 30
    if [ $how = silent ]; then
      check "$how, $n ranks: a sentence" grep -q 'tessera: comm_allreduce: rank [0-9] of . waits for other ranks since 1.5 s, and one of them does not come; the job ends' "$scratch/out"
    fi
  done
done
finish
