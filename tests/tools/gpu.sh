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
finish
