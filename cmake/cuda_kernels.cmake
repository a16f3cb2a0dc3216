# Kernels that lie beside the plug-in, so that programs start without compiling: tessera_cuda_kernels, written by the command with
# NVIDIA's compiler, without a GPU. AUTO: by the target tessera_cuda_kernels (make cuda-kernels), and installed where they are there; ON: built with
# everything else; OFF: neither built nor installed.
set(TSR_CUDA_SHIP AUTO CACHE STRING "compile kernels for GPUs beforehand: AUTO, ON or OFF")
set(TSR_CUDA_ARCHS 80 90 CACHE STRING "the compute capabilities that they are for, without the point")
if(NOT TARGET tessera_cuda OR NOT TARGET tessera_command OR TSR_CUDA_SHIP STREQUAL "OFF")
  if(TSR_TOP_LEVEL)
    add_custom_target(tessera_cuda_kernels VERBATIM
      COMMAND ${CMAKE_COMMAND} -E echo "this build has no plug-in for GPUs, or no command, or TSR_CUDA_SHIP is OFF"
      COMMAND ${CMAKE_COMMAND} -E false)
  endif()
  return()
endif()

# One process a capability. What an older plug-in left goes first.
set(folder ${PROJECT_BINARY_DIR}/tessera_cuda_kernels)
set(begun ${PROJECT_BINARY_DIR}/private/cuda_kernels_begun)
add_custom_command(OUTPUT ${begun} DEPENDS tessera_cuda tessera_command VERBATIM
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${begun})
set(done "")
foreach(arch ${TSR_CUDA_ARCHS})
  set(stamp ${PROJECT_BINARY_DIR}/private/cuda_kernels_${arch})
  add_custom_command(OUTPUT ${stamp} DEPENDS ${begun} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E env TSR_PLUGINS=${PROJECT_BINARY_DIR} --unset=TSR_CUDA_LIBRARIES
            $<TARGET_FILE:tessera_command> cuda warm --arch ${arch} -o ${folder}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    COMMENT "Compiling kernels for GPUs of compute capability ${arch}")
  list(APPEND done ${stamp})
endforeach()
set(in_all "")
if(TSR_CUDA_SHIP STREQUAL "ON")
  set(in_all ALL)
endif()
add_custom_target(tessera_cuda_kernels ${in_all} DEPENDS ${done})
if(TSR_INSTALL)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
endif()
