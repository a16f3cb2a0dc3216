# The tests that run on Windows: all but those named below, each with its reason.
set(left_out
  threads_fork_test memory/threads_test cache_test  # processes that fork
  npy_file_test save_names_test save_faults_test    # the same, and links, modes and pipes; paths_test is about files there
  numpy_test                                        # runs Python
  changing_test safetensors_file_test writers_test  # files that change under the reader; pipes
  tables_test copy_fast_test                        # aligned_alloc
  examples_test                                     # dup2 and folders
  mirror_test)                                      # memory that can be forbidden: mprotect
list(FILTER TSR_TESTS EXCLUDE REGEX "/tests/cuda/")  # no plug-ins
foreach(name ${left_out})
  list(FILTER TSR_TESTS EXCLUDE REGEX "/${name}\\.c$")
endforeach()
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/ops/math_test.c ${CMAKE_CURRENT_SOURCE_DIR}/ops/math_half_test.c
  ${CMAKE_CURRENT_SOURCE_DIR}/ops/math_f64_test.c PROPERTIES COMPILE_DEFINITIONS TSR_TEST_REFERENCES=1)
set(TSR_TEST_WINDOWS -include ${CMAKE_CURRENT_SOURCE_DIR}/support/windows.h)
