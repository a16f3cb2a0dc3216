# RV32IMC, floats in software, as on an ESP32-C3; programs run on QEMU's virt board, whose core has neither atomics nor floats.
set(TSR_CPU_FLAGS "-march=rv32imc -mabi=ilp32")
set(TSR_CPU rv32,a=off,f=off,d=off)
include(${CMAKE_CURRENT_LIST_DIR}/riscv32.cmake)
