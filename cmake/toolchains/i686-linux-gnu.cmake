# 32-bit x86 Linux; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/i686-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# A host with 32-bit libraries of its own lists them in its cache of libraries, which the loader would follow.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386 -E LD_LIBRARY_PATH=/usr/i686-linux-gnu/lib -L /usr/i686-linux-gnu)
