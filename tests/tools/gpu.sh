#!/usr/bin/env bash
# tessera info, ops and stats with a GPU: an emulated one (tests/cuda/emulator), and none.
. "$(dirname "$0")/lib.sh"
emulator=$BUILD/tests/emulator
cp "$TESSERA" alone
./alone info >stdout
says stdout "no cuda (device_open: the plug-in libtessera_cuda.so is neither beside the library"
TSR_CUDA_LIBRARIES=/nowhere run 0 info
if [ ! -e "$BUILD/libtessera_cuda.so" ]; then
  says stdout "no cuda ("
  skip "this build has no plug-in for GPUs"
  finish
fi
says stdout "no cuda (device_open: there is no libcuda.so.1: NVIDIA's driver is not installed)"
TSR_CUDA_LIBRARIES=/nowhere run 2 ops --device cuda:0
says stderr "NVIDIA's driver is not installed"
if [ ! -e "$emulator/libcuda.so.1" ] || ! command -v "${TSR_EMULATOR_CXX:-g++}" >/dev/null; then
  skip "there is no emulated GPU"
  finish
fi
export TSR_CUDA_LIBRARIES=$emulator TSR_CUDA_CACHE=0 TSR_EMULATOR_CACHE=$emulator/kernels TSR_EMULATOR_DEVICES=2
run 0 info
says stdout "cuda:0, "
says stdout "cuda:1, "
run 0 info --json
says stdout '"capability": '
run 2 ops --device cuda:7
says stderr "name is cuda:7, and the last GPU here is cuda:1"
run 0 ops --device cuda:0
says stdout "add  "
run 0 stats odd.npy
cp stdout host
run 0 stats --device cuda:0 odd.npy
is host <stdout

# ---- kernels beforehand: by the emulated compiler, for the emulated GPU and for none ----
run 0 cuda warm --arch 80,90 -o kernels --only logical_not
says stdout "cuda:sm_80: "
says stdout " were there, "
if [ "$(find kernels -name '*.cubin' | wc -l)" -ge 2 ]; then pass; else fail "cuda warm --arch wrote no kernels"; fi
run 0 cuda warm --arch 90 -o kernels --only logical_not
says stdout ", 0 compiled, "
run 0 cuda warm --device cuda:1 -o kernels --only logical_not
says stdout "cuda:1: "
says stdout ", 0 compiled, " # those for 9.0
wrong "TSR_CUDA_CACHE is 0" cuda warm
wrong "there is no call of an op 'nothing'" cuda warm --arch 90 -o kernels --only nothing
wrong "'90,x' is no list of numbers" cuda warm --arch 90,x -o kernels --only logical_not
wrong "kernels need 7.0" cuda warm --arch 60 -o kernels
wrong "not both" cuda warm --arch 90 --device cuda:0
wrong "there is no cuda cool" cuda cool
touch file
wrong "file/kernels: Not a directory" cuda warm -o file/kernels

# ---- calc ----
run 0 calc 'sum(a*2 + 1, axis=0) - b' a=ramp.npy 'b=ramp.npy[0]'
cp stdout host
run 0 calc --device cuda:0 'sum(a*2 + 1, axis=0) - b' a=ramp.npy 'b=ramp.npy[0]'
is host <stdout
run 0 calc --device cuda:1 'softmax(x*k, axis=1) + x.T' x=ramp.npy k=0.5 -o there.npy
run 0 calc 'all(y == softmax(x*k, axis=1) + x.T)' x=ramp.npy y=there.npy k=0.5
is stdout <<<True
run 0 calc --device cpu 'x[0] + 1' x=ramp.npy
run 0 calc --device cuda:0 '1 + 2*3'
is stdout <<<7
wrong "column 1: pinv: cuda:0 does not compute it" calc --device cuda:0 'pinv(x)' x=ramp.npy
wrong "column 3: y[:3] [3,8] does not broadcast with x [8,8]" calc --device cuda:0 'x + y[:3]' x=ramp.npy y=ramp.npy
wrong "name is cuda:7, and the last GPU here is cuda:1" calc --device cuda:7 'x' x=ramp.npy
finish
