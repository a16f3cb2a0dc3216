# RISC-V, 32 bits, without an operating system, over picolibc. A file for one core sets TSR_CPU_FLAGS and TSR_CPU first.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_C_FLAGS_INIT "${TSR_CPU_FLAGS} --specs=picolibc.specs")
set(TSR_PORT riscv)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-system-riscv32 -M virt -cpu ${TSR_CPU} -bios none -display none -monitor none -serial none -chardev stdio,id=host
  -semihosting-config enable=on,target=native,chardev=host -kernel)
