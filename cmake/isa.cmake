# The instruction sets that kernels are compiled for, the plainest first, and the flags of each. aarch64 has NEON in base.
set(TSR_ISAS base)
set(TSR_ISA_FLAGS_base "")
set(TSR_TARGET_FLAGS "")  # for every object: float arithmetic in float, not in something wider
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  if(TSR_PROFILE STREQUAL "host")
    list(APPEND TSR_ISAS avx2 avx512)
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      set(TSR_ISA_FLAGS_base -O2)  # for machines from before 2013: small rather than fast
    endif()
  endif()
  set(TSR_ISA_FLAGS_avx2 -mavx2 -mfma -mf16c)
  set(TSR_ISA_FLAGS_avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx2 -mfma -mf16c)
  # GCC before 14 aligns the stack frames that AddressSanitizer makes apart to 32 bytes and uses them as aligned to 64.
  if(TSR_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 14)
    list(APPEND TSR_ISA_FLAGS_avx512 --param=asan-use-after-return=0)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86|x86_64|AMD64|amd64)$")
  set(TSR_TARGET_FLAGS -msse2 -mfpmath=sse)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^s390" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(TSR_TARGET_FLAGS -fexcess-precision=fast)
endif()

set(rows "")
set(have "")
foreach(isa ${TSR_ISAS})
  string(APPEND rows " X(${isa})")
  string(APPEND have "#define TSR_WITH_${isa} 1\n")
endforeach()
list(JOIN TSR_ISAS " " names)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/private/tsr_isa_config.h
     CONTENT "#define TSR_ISA_LIST(X)${rows}\n#define TSR_ISA_NAMES \"${names}\"\n${have}" @ONLY)
