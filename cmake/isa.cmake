# The instruction sets that kernels are compiled for, the plainest first, and the flags of each.
set(TSR_ISAS base)
set(TSR_ISA_FLAGS_base "")
if(TSR_PROFILE STREQUAL "host" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND TSR_ISAS avx2 avx512)
  set(TSR_ISA_FLAGS_avx2 -mavx2 -mfma -mf16c)
  set(TSR_ISA_FLAGS_avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx2 -mfma -mf16c)
endif()

set(rows "")
set(have "")
foreach(isa ${TSR_ISAS})
  string(APPEND rows " X(${isa})")
  string(APPEND have "#define TSR_WITH_${isa} 1\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/private/tsr_isa_config.h
     CONTENT "#define TSR_ISA_LIST(X)${rows}\n${have}" @ONLY)
