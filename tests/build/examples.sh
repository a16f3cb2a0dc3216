#!/usr/bin/env bash
# Examples that need no arguments run to their end, on one thread and on many: what `make run` shows works on a machine of any size.
. "$(dirname "$0")/lib.sh"
cd "$BUILD" || exit
found=0
for example in tour examples/digits examples/program examples/gpu examples/plane_fit examples/kalman examples/spectrogram \
  examples/cpp/tiny examples/cpp/kuiper examples/cpp/nndeploy; do
  if [ ! -x "$example" ]; then skip "$example is not built"; continue; fi
  found=1
  for threads in 1 3 16 64; do check "$example on $threads threads" env TSR_THREADS=$threads "./$example"; done
done
if [ $found = 0 ]; then skip "no examples"; fi
finish
