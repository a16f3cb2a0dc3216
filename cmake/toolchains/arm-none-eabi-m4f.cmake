# Cortex-M4F; programs run on QEMU's mps2-an386 board.
set(TSR_CPU_FLAGS "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16")
set(TSR_BOARD mps2-an386)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
