# The tests that run as WebAssembly: all but those named below, which start processes.
set(left_out threads_fork_test memory/threads_test cache_test npy_file_test save_names_test save_faults_test numpy_test writers_test
  examples_test changing_test)
list(FILTER TSR_TESTS EXCLUDE REGEX "/tests/cuda/")  # no plug-ins
foreach(name ${left_out})
  list(FILTER TSR_TESTS EXCLUDE REGEX "/${name}\\.c$")
endforeach()
