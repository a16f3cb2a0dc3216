#!/usr/bin/env bash
# The examples give the same answer, to the last digit, with 1, 2 and 4 ranks; the picture too.
. "$(dirname "${BASH_SOURCE[0]}")/../build/lib.sh"
cd "$scratch"
for n in 1 2 4; do
  check "kmeans on $n" bash -c "'$SOURCE/scripts/mpi-run' $n '$EXAMPLES/kmeans' points.npy >kmeans$n"
  check "heat on $n" bash -c "'$SOURCE/scripts/mpi-run' $n '$EXAMPLES/heat' heat$n.png >heat$n"
  check "kmeans says three centres" test "$(grep -c '^centre' kmeans$n)" = 3
  check "kmeans: $n ranks as one" cmp kmeans1 "kmeans$n"
  check "heat: $n ranks as one" cmp heat1 "heat$n"
  check "the picture: $n ranks as one" cmp heat1.png "heat$n.png"
done
finish
