# The tests that run on bare metal: all of these folders but those named below, each with its reason.
set(TSR_MCU_TEST_FOLDERS core|memory|cpu|ops|nn|seeds|build)
set(TSR_MCU_TESTS_LEFT_OUT "")
list(FILTER TSR_TESTS INCLUDE REGEX "/tests/(${TSR_MCU_TEST_FOLDERS})/")
foreach(name ${TSR_MCU_TESTS_LEFT_OUT})
  list(FILTER TSR_TESTS EXCLUDE REGEX "/${name}\\.c$")
endforeach()
