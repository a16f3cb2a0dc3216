# The tests that run on bare metal: all of these folders but those named below, each with its reason.
set(TSR_MCU_TEST_FOLDERS core|memory|cpu|ops|nn|linalg|seeds|build)
# matrices of hundreds of rows and references in f64: these four need memory that no microcontroller has
set(TSR_MCU_TESTS_LEFT_OUT solve_test factor_test stack_test linalg_golden_test)
if(TSR_HAVE_OPS)
  string(APPEND TSR_MCU_TEST_FOLDERS "|expr")
endif()
list(FILTER TSR_TESTS INCLUDE REGEX "/tests/(${TSR_MCU_TEST_FOLDERS})/")
foreach(name ${TSR_MCU_TESTS_LEFT_OUT})
  list(FILTER TSR_TESTS EXCLUDE REGEX "/${name}\\.c$")
endforeach()
# what calls ops by name at random, and prints numbers of 64 bits
list(FILTER TSR_TEST_SUPPORT EXCLUDE REGEX "/op_[a-z]*\\.c$")
