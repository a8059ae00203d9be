# The install tree: headers (ours and the generated ones), libraries, tools, and a CMake package for find_package(Forge).
include(CMakePackageConfigHelpers)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/forge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${CMAKE_BINARY_DIR}/include/forge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.inc")
install(TARGETS forge_mlir EXPORT ForgeTargets)
if(FORGE_LINK_LLD)
  install(TARGETS forge_lld forge_no_lto EXPORT ForgeTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
set(dir ${CMAKE_INSTALL_LIBDIR}/cmake/Forge)
install(EXPORT ForgeTargets NAMESPACE Forge:: DESTINATION ${dir})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/ForgeConfig.cmake.in
  ${CMAKE_BINARY_DIR}/ForgeConfig.cmake INSTALL_DESTINATION ${dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ForgeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ForgeConfig.cmake ${CMAKE_BINARY_DIR}/ForgeConfigVersion.cmake DESTINATION ${dir})
