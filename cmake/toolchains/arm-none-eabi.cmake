# Cortex-M without an operating system. A file for one core sets TSR_CPU_FLAGS and TSR_BOARD, a machine of QEMU, first.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "-mthumb -mfloat-abi=hard ${TSR_CPU_FLAGS}")
set(TSR_PORT cortex-m)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-system-arm -M ${TSR_BOARD} -nographic -monitor none -serial none -semihosting-config enable=on,target=native -kernel)
