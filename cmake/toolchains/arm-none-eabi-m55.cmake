# Cortex-M55 with vectors (MVE, integers and floats); programs run on QEMU's mps3-an547 board. Binutils before 2.41 read a
# conditional vcvt, "vcvtne", as another instruction, so that the compiler makes none.
set(TSR_CPU_FLAGS "-mcpu=cortex-m55 -mfpu=auto -fno-if-conversion2")
set(TSR_BOARD mps3-an547)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
