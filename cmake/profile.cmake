# The configuration of the library. A profile sets all of it; single values can be overridden on the command line.
set(TSR_PROFILE "host" CACHE STRING "host, or mcu: 4 dimensions, 32-bit indices, float scalars, no malloc, stdio, threads, f64")

macro(tsr_setting name host mcu)
  if(TSR_PROFILE STREQUAL "mcu")
    set(${name} ${mcu} CACHE STRING "")
  else()
    set(${name} ${host} CACHE STRING "")
  endif()
endmacro()

#           setting                host  mcu
tsr_setting(TSR_MAX_DIMS           8     4)
tsr_setting(TSR_INDEX_BITS         64    32)
tsr_setting(TSR_REAL_BITS          64    32)
tsr_setting(TSR_HAVE_F64           1     0)
tsr_setting(TSR_HAVE_SMALL_FLOATS  1     1)
tsr_setting(TSR_HAVE_COMPLEX       1     0)
tsr_setting(TSR_HAVE_INTEGER_PRODUCTS 1  1)
tsr_setting(TSR_HAVE_TEXT          1     1)
tsr_setting(TSR_TEXT_BYTES         256   96)
tsr_setting(TSR_HAVE_THREADS       1     0)
tsr_setting(TSR_HAVE_MALLOC        1     0)
tsr_setting(TSR_HAVE_STDIO         1     0)
set(mmap 0)
if(UNIX OR WIN32)
  set(mmap 1)
endif()
tsr_setting(TSR_HAVE_MMAP          ${mmap}     0)
tsr_setting(TSR_HAVE_OPS           1     0)  # every op by its name: <tessera/registry.h>
option(TSR_WITH_PLOT "pictures of tensors: <tessera/plot.h>" ON)
set(TSR_HAVE_PLOT 0)
if(TSR_WITH_PLOT AND TSR_PROFILE STREQUAL "host" AND TSR_HAVE_F64 AND TSR_HAVE_STDIO)
  set(TSR_HAVE_PLOT 1)
endif()
set(plugins 0)
if(UNIX AND TSR_HAVE_THREADS AND TSR_HAVE_OPS)
  set(plugins 1)
endif()
tsr_setting(TSR_HAVE_PLUGINS       ${plugins}     0)  # devices in files of their own, loaded at run time

set(TSR_PACKED_CALLS 0 CACHE STRING "1: calls take packed operands and given outputs alone, in the least flash")
set(TSR_QUANT_ROUNDING 1 CACHE STRING "quantised layers round 1: once; 2: as TensorFlow Lite's reference kernels do")


include(libraries)  # TSR_HAVE_ZLIB, TSR_HAVE_PNG, TSR_HAVE_JPEG

set(TSR_ABI_TAG d${TSR_MAX_DIMS}i${TSR_INDEX_BITS}r${TSR_REAL_BITS}t${TSR_HAVE_TEXT}x${TSR_TEXT_BYTES}p${TSR_HAVE_THREADS})
configure_file(${CMAKE_CURRENT_LIST_DIR}/../include/tessera/config.h.in ${PROJECT_BINARY_DIR}/include/tessera/config.h @ONLY)
