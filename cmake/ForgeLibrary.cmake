# forge_add_library, forge_add_tool, forge_add_unittest and forge_tablegen: the only ways targets are made here.
include(ForgeLayers)

# One precompiled header for every unit that includes MLIR.
file(WRITE ${CMAKE_BINARY_DIR}/forge_pch.cpp "")
add_library(forge_pch OBJECT ${CMAKE_BINARY_DIR}/forge_pch.cpp)
target_link_libraries(forge_pch PRIVATE forge_mlir)
target_precompile_headers(forge_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
# Not through ccache: a precompiled header names the folder it was built in, and another checkout cannot use it.
set_target_properties(forge_pch PROPERTIES CXX_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/cmake/compile-pch)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(FORGE_PCH_OPTIONS -Xclang -fno-pch-timestamp)
  # CMake's own also includes the header by its absolute path, which ccache hashes.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
  target_compile_options(forge_pch PRIVATE ${FORGE_PCH_OPTIONS})
endif()

# Every program of a sanitizer build carries the sanitizers' options.
if(FORGE_SANITIZE)
  add_library(forge_sanitizer_options OBJECT ${CMAKE_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  set(FORGE_SANITIZER_OPTIONS $<TARGET_OBJECTS:forge_sanitizer_options>)
endif()

# forge_add_library(NAME SOURCES... [LINK libs...] [DEPENDS tablegen targets...] [NO_MLIR])
function(forge_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Forge::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(ARG_NO_MLIR)
    # In sections of their own, so that what is linked from them carries no more than it needs.
    target_compile_options(${name} PRIVATE -O2 -ffunction-sections -fdata-sections)
  else()
    list(APPEND ARG_LINK forge_mlir)
    target_precompile_headers(${name} REUSE_FROM forge_pch)
    target_compile_options(${name} PRIVATE ${FORGE_PCH_OPTIONS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY FORGE_LIBRARIES ${name})
  set_property(GLOBAL PROPERTY FORGE_EDGES_${name} ${ARG_LINK})
  install(TARGETS ${name} EXPORT ForgeTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# forge_add_tool(NAME SOURCES... [LINK libs...])
function(forge_add_tool name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${FORGE_SANITIZER_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(NOT ARG_NO_MLIR)
    target_link_libraries(${name} PRIVATE forge_mlir)
    target_precompile_headers(${name} REUSE_FROM forge_pch)
    target_compile_options(${name} PRIVATE ${FORGE_PCH_OPTIONS})
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# forge_add_unittest(NAME SOURCES... [LINK libs...] [NO_MLIR] [COST seconds]): a GoogleTest binary run by ctest, which starts
# those that cost most first, so that no processor waits for one of them at the end.
function(forge_add_unittest name)
  cmake_parse_arguments(ARG "NO_MLIR" "COST" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${FORGE_SANITIZER_OPTIONS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(NOT ARG_NO_MLIR)
    target_link_libraries(${name} PRIVATE forge_mlir)
    target_precompile_headers(${name} REUSE_FROM forge_pch)
    target_compile_options(${name} PRIVATE ${FORGE_PCH_OPTIONS})
  endif()
  add_test(NAME unit/${name} COMMAND ${name})
  # RapidCheck draws the same cases on every machine; by hand, each run draws others.
  set_tests_properties(unit/${name} PROPERTIES ENVIRONMENT "RC_PARAMS=seed=20261121")
  if(ARG_COST)
    set_tests_properties(unit/${name} PROPERTIES COST ${ARG_COST})
  endif()
  set_property(GLOBAL APPEND PROPERTY FORGE_UNITTESTS ${name})
endfunction()

# forge_tablegen(TARGET FILE.td GENERATOR OUT [GENERATOR OUT]...): runs mlir-tblgen on FILE.td, one rule per output.
function(forge_tablegen target file)
  set(LLVM_TARGET_DEFINITIONS ${file})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs generator out)
    separate_arguments(generator)
    mlir_tablegen(${out} ${generator})
  endwhile()
  add_public_tablegen_target(${target})
endfunction()
