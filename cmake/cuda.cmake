# The plug-in for NVIDIA's GPUs, libtessera_cuda.so. It needs CUDA's headers to be built: no nvcc, no GPU, and no library of
# CUDA, which it opens when it runs.
set(TSR_WITH_CUDA AUTO CACHE STRING "the plug-in for NVIDIA's GPUs: AUTO, ON or OFF")
set(TSR_HAVE_CUDA 0)
if(TSR_HAVE_PLUGINS AND TSR_SHARED AND NOT TSR_WITH_CUDA STREQUAL "OFF")
  find_path(TSR_CUDA_INCLUDE NAMES cuda.h HINTS $ENV{CUDA_PATH}/include $ENV{CUDA_HOME}/include /usr/local/cuda/include
    /usr/lib/cuda/include /opt/cuda/include)
  mark_as_advanced(TSR_CUDA_INCLUDE)
  if(TSR_CUDA_INCLUDE AND EXISTS ${TSR_CUDA_INCLUDE}/nvrtc.h AND EXISTS ${TSR_CUDA_INCLUDE}/cublasLt.h)
    set(TSR_HAVE_CUDA 1)
  elseif(TSR_WITH_CUDA STREQUAL "AUTO")
    message(STATUS "no headers of CUDA (cuda.h, nvrtc.h, cublasLt.h): built without the plug-in for GPUs")
  else()
    message(FATAL_ERROR "TSR_WITH_CUDA is ${TSR_WITH_CUDA}, but cuda.h, nvrtc.h and cublasLt.h were not found: set TSR_CUDA_INCLUDE")
  endif()
endif()
if(NOT TSR_HAVE_CUDA)
  return()
endif()

# Kernels are text: their files become arrays, so that the compiler's messages name a file and a line.
set(TSR_CUDA_TEXT ${PROJECT_BINARY_DIR}/private/tsr_cuda_text.c)
file(GLOB_RECURSE TSR_CUDA_KERNELS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cuh ${PROJECT_SOURCE_DIR}/src/*.h)
add_custom_command(OUTPUT ${TSR_CUDA_TEXT} VERBATIM
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}/src -D OUTPUT=${TSR_CUDA_TEXT}
          -P ${CMAKE_CURRENT_LIST_DIR}/kernel_text.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${TSR_CUDA_TEXT}
  DEPENDS ${TSR_CUDA_KERNELS} ${CMAKE_CURRENT_LIST_DIR}/kernel_text.cmake)

file(GLOB_RECURSE TSR_CUDA_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/*.c)
add_library(tessera_cuda MODULE ${TSR_CUDA_SOURCES} ${TSR_CUDA_TEXT})
set_target_properties(tessera_cuda PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF PREFIX lib SUFFIX .so
  C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_options(tessera_cuda PRIVATE ${TSR_WARNINGS} ${TSR_LIBRARY_FLAGS} ${TSR_HARDEN_LIBRARY_FLAGS})
target_compile_definitions(tessera_cuda PRIVATE ${TSR_DEFINITIONS})
target_include_directories(tessera_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
  ${PROJECT_BINARY_DIR}/include ${PROJECT_BINARY_DIR}/private)
target_include_directories(tessera_cuda SYSTEM PRIVATE ${TSR_CUDA_INCLUDE})
# What it needs of the library (layouts, messages) is in it, and hidden: it serves programs that link either form.
target_link_libraries(tessera_cuda PRIVATE tessera_static ${CMAKE_DL_LIBS})
target_link_options(tessera_cuda PRIVATE ${TSR_LINK_FLAGS} ${TSR_SHARED_LINK_FLAGS} -Wl,--exclude-libs,ALL
  -Wl,--gc-sections -Wl,-z,nodelete)
if(NOT TSR_SANITIZE)
  target_link_options(tessera_cuda PRIVATE -Wl,--no-undefined)
endif()
add_dependencies(tessera_libraries tessera_cuda)
