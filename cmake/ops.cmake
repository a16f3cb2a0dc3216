# The table of ops (src/registry): every ops.def under src/, and the beginning of every function's comment.
file(GLOB_RECURSE TSR_OP_ROWS CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/ops.def)
set(rows "")
foreach(file ${TSR_OP_ROWS})
  string(APPEND rows "#include \"${file}\"\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/private/tsr_op_rows.h CONTENT "${rows}" @ONLY)

file(GLOB TSR_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tessera/*.h)
set(TSR_OP_BRIEFS ${PROJECT_BINARY_DIR}/private/tsr_op_briefs.h)
add_custom_command(OUTPUT ${TSR_OP_BRIEFS} VERBATIM
  COMMAND ${CMAKE_COMMAND} -D INCLUDE=${PROJECT_SOURCE_DIR}/include/tessera -D OUTPUT=${TSR_OP_BRIEFS}
          -P ${CMAKE_CURRENT_LIST_DIR}/briefs.cmake
  DEPENDS ${TSR_HEADERS} ${CMAKE_CURRENT_LIST_DIR}/briefs.cmake)

# A table and calls that bind arguments: small rather than fast.
file(GLOB TSR_REGISTRY CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/registry/*.c)
set_source_files_properties(${TSR_REGISTRY} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
