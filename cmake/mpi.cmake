# Tensors between processes, libtessera_mpi: a library of its own, where MPI is found. MPI_C_COMPILER (mpicc.mpich) or MPI_HOME choose
# between several; the launcher is the one of the same MPI.
set(TSR_WITH_MPI AUTO CACHE STRING "tensors between processes, over MPI: AUTO, ON or OFF")
set(TSR_HAVE_MPI 0)
if(TSR_PROFILE STREQUAL "host" AND TSR_HAVE_THREADS AND UNIX AND TSR_INDEX_BITS EQUAL 64 AND NOT TSR_WITH_MPI STREQUAL "OFF"
   AND NOT CMAKE_CROSSCOMPILING AND NOT TSR_SANITIZE MATCHES "thread|memory")  # those do not see into MPI
  if(MPI_C_COMPILER MATCHES "mpicc(\\.[a-z]+)$" AND NOT MPIEXEC_EXECUTABLE)
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec${CMAKE_MATCH_1} mpirun${CMAKE_MATCH_1})
  endif()
  find_package(MPI QUIET COMPONENTS C)
  if(TARGET MPI::MPI_C AND MPI_C_FOUND)
    set(TSR_HAVE_MPI 1)
  elseif(TSR_WITH_MPI STREQUAL "AUTO")
    message(STATUS "no MPI: built without tensors between processes (Debian: libopenmpi-dev or libmpich-dev)")
  else()
    message(FATAL_ERROR "TSR_WITH_MPI is ${TSR_WITH_MPI}, but MPI was not found: set MPI_C_COMPILER or MPI_HOME")
  endif()
elseif(TSR_WITH_MPI STREQUAL "ON")
  message(FATAL_ERROR "TSR_WITH_MPI is ON, and this build (profile, target or sanitizer) has no MPI")
endif()
if(NOT TSR_HAVE_MPI)
  return()
endif()

file(GLOB TSR_MPI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/mpi/*.c)
add_library(tessera_mpi_objects OBJECT ${TSR_MPI_SOURCES})
set_target_properties(tessera_mpi_objects PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
  C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ${TSR_SHARED})
target_compile_options(tessera_mpi_objects PRIVATE ${TSR_WARNINGS} ${TSR_LIBRARY_FLAGS} ${TSR_HARDEN_LIBRARY_FLAGS})
target_compile_definitions(tessera_mpi_objects PRIVATE ${TSR_DEFINITIONS} _XOPEN_SOURCE=700)
target_include_directories(tessera_mpi_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
  ${PROJECT_BINARY_DIR}/include)
target_include_directories(tessera_mpi_objects SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})

# tsr_mpi_library(KIND TYPE CORE): libtessera_mpi.a or .so, on the library's form of the same kind.
function(tsr_mpi_library kind type core)
  set(target tessera_mpi_${kind})
  add_library(${target} ${type} $<TARGET_OBJECTS:tessera_mpi_objects>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME tessera_mpi LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
    SOVERSION ${TSR_SOVERSION} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(${target} PUBLIC ${core})
  add_dependencies(tessera_libraries ${target})
endfunction()
tsr_mpi_library(static STATIC tessera_static)
target_link_libraries(tessera_mpi_static PUBLIC MPI::MPI_C Threads::Threads)
add_library(tessera::mpi ALIAS tessera_mpi_static)
if(TSR_SHARED)
  tsr_mpi_library(shared SHARED tessera_shared)
  target_link_libraries(tessera_mpi_shared PRIVATE MPI::MPI_C Threads::Threads)
  target_link_options(tessera_mpi_shared PRIVATE ${TSR_LINK_FLAGS} ${TSR_SHARED_LINK_FLAGS})
  # The library that it stands on lies beside it, here and where it is installed. A path of this tree may have a comma in it, which linkers
  # would take for the end of one.
  set_target_properties(tessera_mpi_shared PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
endif()
