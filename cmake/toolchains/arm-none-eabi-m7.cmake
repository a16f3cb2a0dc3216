# Cortex-M7 with a double-precision FPU, which the library does not use; programs run on QEMU's mps2-an500 board.
set(TSR_CPU_FLAGS "-mcpu=cortex-m7 -mfpu=fpv5-d16")
set(TSR_BOARD mps2-an500)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
