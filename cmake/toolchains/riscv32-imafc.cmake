# RV32IMAFC: single-precision floats; programs run on QEMU's virt board.
set(TSR_CPU_FLAGS "-march=rv32imafc -mabi=ilp32f")
set(TSR_CPU rv32,d=off)
include(${CMAKE_CURRENT_LIST_DIR}/riscv32.cmake)
