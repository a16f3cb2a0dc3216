# The table of ops (src/registry), what each family's frame knows of its ops, and <tessera/ops.hpp>, the ops as functions of C++: written
# from every ops.def under src/, again whenever one changes.
file(GLOB_RECURSE TSR_OP_ROWS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.def)
set(TSR_OP_TABLE ${CMAKE_CURRENT_LIST_DIR}/op_table.cmake)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TSR_OP_ROWS} ${TSR_OP_TABLE}
  ${CMAKE_CURRENT_LIST_DIR}/op_cpp.cmake)
execute_process(COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${PROJECT_BINARY_DIR}/private
                        -D HEADER=${PROJECT_BINARY_DIR}/include/tessera/ops.hpp -P ${TSR_OP_TABLE} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "tessera: a row of an ops.def is wrong: see above")
endif()

# The beginning of every function's comment.
file(GLOB TSR_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tessera/*.h)
set(TSR_OP_BRIEFS ${PROJECT_BINARY_DIR}/private/tsr_op_briefs.h)
add_custom_command(OUTPUT ${TSR_OP_BRIEFS} VERBATIM
  COMMAND ${CMAKE_COMMAND} -D INCLUDE=${PROJECT_SOURCE_DIR}/include/tessera -D OUTPUT=${TSR_OP_BRIEFS}
          -P ${CMAKE_CURRENT_LIST_DIR}/briefs.cmake
  DEPENDS ${TSR_HEADERS} ${CMAKE_CURRENT_LIST_DIR}/briefs.cmake)

# A table and calls that bind arguments: small rather than fast.
file(GLOB TSR_REGISTRY CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/registry/*.c)
set_source_files_properties(${TSR_REGISTRY} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
