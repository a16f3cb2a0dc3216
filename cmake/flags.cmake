# The options of the build, and the flags that follow from them. Nothing here reaches a parent project.
option(TSR_BUILD_TESTS    "build the tests" ${TSR_TOP_LEVEL})
option(TSR_BUILD_BENCH    "build the benchmarks" ${TSR_TOP_LEVEL})
option(TSR_BUILD_EXAMPLES "build the examples" ${TSR_TOP_LEVEL})
option(TSR_BUILD_TOOLS    "build the command" ${TSR_TOP_LEVEL})
option(TSR_BUILD_FUZZ     "build the fuzzers (clang)" OFF)
option(TSR_INSTALL        "make install rules" ${TSR_TOP_LEVEL})
option(TSR_WERROR         "warnings are errors" OFF)
option(TSR_CHECKED        "the checked build: bounds, types, poison, NaN watch" OFF)
option(TSR_COVERAGE       "count the lines that tests run" OFF)
include(CheckCCompilerFlag)

set(TSR_SANITIZE "" CACHE STRING "sanitizers, as in -fsanitize: address,undefined, thread or memory")

# A shared library, where the target has such things.
get_property(TSR_SHARED GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(TSR_PROFILE STREQUAL "mcu")
  set(TSR_SHARED OFF)
endif()

# Threads of the pool run in the library's code: it is not unloaded (see src/cpu/start.c).
include(CheckLinkerFlag)
set(TSR_SHARED_LINK_FLAGS "")
if(TSR_SHARED AND TSR_HAVE_THREADS)
  check_linker_flag(C -Wl,-z,nodelete TSR_HAS_NODELETE)
  if(TSR_HAS_NODELETE)
    list(APPEND TSR_SHARED_LINK_FLAGS -Wl,-z,nodelete)
  endif()
endif()

set(TSR_WARNINGS "")
if(TSR_TOP_LEVEL)
  set(TSR_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes)
  if(TSR_REAL_BITS EQUAL 32)
    list(APPEND TSR_WARNINGS -Wdouble-promotion)
  endif()
endif()
if(TSR_TOP_LEVEL AND CMAKE_C_COMPILER_ID MATCHES "Clang")
  # x != x is how a template for every type asks for NaN, | and & of conditions are selects without branches, and a loop
  # that is not vectorised at -O1 is no fault.
  list(APPEND TSR_WARNINGS -Wno-tautological-compare -Wno-pass-failed -Wno-bitwise-instead-of-logical
      -Wno-bitwise-conditional-parentheses)
endif()
if(TSR_TOP_LEVEL AND WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND TSR_WARNINGS -Wno-float-conversion)  # isfinite and isinf of mingw's <math.h> have a branch that narrows
endif()
if(TSR_WERROR)
  list(APPEND TSR_WARNINGS -Werror)
endif()

# No contraction and no wider intermediates: the same bits on every machine.
set(TSR_COMMON_FLAGS ${TSR_TARGET_FLAGS} -ffp-contract=off)
set(TSR_LINK_FLAGS "")
set(TSR_DEFINITIONS "")
if(TSR_PACKED_CALLS)
  list(APPEND TSR_DEFINITIONS TSR_PACKED_CALLS=1)
endif()
if(NOT TSR_QUANT_ROUNDING EQUAL 1)
  list(APPEND TSR_DEFINITIONS TSR_QUANT_ROUNDING=${TSR_QUANT_ROUNDING})
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SIZEOF_VOID_P EQUAL 4)
  list(APPEND TSR_DEFINITIONS _FILE_OFFSET_BITS=64)  # files over 2 GB, and file systems with long inode numbers
endif()
set(TSR_EXPORT_DEFINITIONS "")
if(WIN32 AND TSR_SHARED)
  set(TSR_EXPORT_DEFINITIONS TSR_EXPORTS=1)  # <tessera/status.h>: what a DLL exports
endif()
if(TSR_CHECKED)
  list(APPEND TSR_DEFINITIONS TSR_CHECKED=1)
endif()
if(TSR_SANITIZE)
  set(sanitize -fsanitize=${TSR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  list(APPEND TSR_COMMON_FLAGS ${sanitize})
  list(APPEND TSR_LINK_FLAGS -fsanitize=${TSR_SANITIZE})
  if(TSR_SANITIZE MATCHES "memory")
    list(APPEND TSR_COMMON_FLAGS -fsanitize-memory-track-origins=1)
  endif()
  # What nobody set must not happen to be zero: an output that was never initialised fails here, on every machine. The
  # memory sanitizer knows what nobody set, and would take a pattern for a value.
  check_c_compiler_flag(-ftrivial-auto-var-init=pattern TSR_HAS_AUTO_VAR_INIT)
  if(TSR_HAS_AUTO_VAR_INIT AND NOT TSR_SANITIZE MATCHES "memory")
    list(APPEND TSR_COMMON_FLAGS -ftrivial-auto-var-init=pattern)
  endif()
endif()
if(TSR_BUILD_FUZZ AND (NOT DEFINED TSR_FUZZ_ENGINE OR TSR_FUZZ_ENGINE STREQUAL "-fsanitize=fuzzer"))
  list(APPEND TSR_COMMON_FLAGS -fsanitize=fuzzer-no-link)  # other engines bring flags of their own
endif()
if(TSR_COVERAGE)
  list(APPEND TSR_COMMON_FLAGS --coverage -fprofile-update=atomic)
  list(APPEND TSR_LINK_FLAGS --coverage)
endif()
set(TSR_LIBRARY_FLAGS ${TSR_COMMON_FLAGS} -ffunction-sections -fdata-sections)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # Loops over the axes of a tensor are short: a call of memmove for two numbers costs more than the view around it.
  list(APPEND TSR_LIBRARY_FLAGS -fno-tree-loop-distribute-patterns)
endif()

# Kernels are loops: signed overflow wraps in them, and speed matters where size does not. Nobody asks them for errno or
# floating-point exceptions, which would keep a condition or a square root from becoming a vector; no result changes.
set(TSR_KERNEL_FLAGS -fwrapv -fno-math-errno)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "riscv32")  # there x < y would become !(x >= y) that raises nothing: three instructions, or two calls
  list(APPEND TSR_KERNEL_FLAGS -fno-trapping-math)
endif()
if(TSR_PROFILE STREQUAL "host")
  list(APPEND TSR_KERNEL_FLAGS $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
  list(APPEND TSR_KERNEL_FLAGS $<$<CONFIG:Release>:-fno-asynchronous-unwind-tables>)  # kernels call nobody: 250 KB less
endif()

set(TSR_PLAIN_BUILD ON)  # the products are what a user would get
if(TSR_SANITIZE OR TSR_COVERAGE OR TSR_CHECKED OR TSR_BUILD_FUZZ OR CMAKE_CROSSCOMPILING)
  set(TSR_PLAIN_BUILD OFF)
endif()
