# What `cmake --install` puts where, and how others find it: pkg-config and find_package.
include(CMakePackageConfigHelpers)

install(TARGETS ${TSR_LIBRARIES} EXPORT tesseraTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET tessera_cuda)
  install(TARGETS tessera_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tessera ${PROJECT_BINARY_DIR}/include/tessera
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/tesseraConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tesseraConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/package/tesseraConfigVersion.cmake
  DESTINATION ${package_dir})

# The prefix in tessera.pc is found from where the file lies, so that an installed tree can move.
file(RELATIVE_PATH TSR_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TSR_PC_PREFIX "${TSR_PC_PREFIX}")
set(TSR_PC_PRIVATE "-lm")
if(TSR_HAVE_THREADS)
  string(APPEND TSR_PC_PRIVATE " -pthread")
endif()
if(TSR_HAVE_PLUGINS AND CMAKE_DL_LIBS)
  string(APPEND TSR_PC_PRIVATE " -l${CMAKE_DL_LIBS}")
endif()
if(TSR_HAVE_PNG)
  string(APPEND TSR_PC_PRIVATE " -lpng16")
endif()
if(TSR_HAVE_JPEG)
  string(APPEND TSR_PC_PRIVATE " -ljpeg")
endif()
if(TSR_HAVE_ZLIB)
  string(APPEND TSR_PC_PRIVATE " -lz")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in ${PROJECT_BINARY_DIR}/package/tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
