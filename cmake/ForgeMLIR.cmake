# Finds MLIR and LLVM 22 and offers them as one target, forge_mlir: the shared libraries by default, the archives with
# FORGE_STATIC, and for a program with the property FORGE_ARCHIVES. Tools that start often have it: the loader needs 50 ms
# to look up the symbols that the shared libraries take from each other.

find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Forge needs MLIR 22, but found ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(forge_mlir INTERFACE)
target_include_directories(forge_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_definitions(forge_mlir INTERFACE ${LLVM_DEFINITIONS_LIST})
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

# Archives by file name: the imported targets name the shared libLLVM, Polly, Z3 and others as their dependencies,
# none of which a linker that pulls members on demand needs.
get_property(mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
set(archives "")
foreach(lib IN LISTS mlir_libs LLVM_AVAILABLE_LIBS)
  set(archive ${LLVM_LIBRARY_DIR}/lib${lib}.a)
  if(EXISTS ${archive} AND NOT lib MATCHES "^MLIRCAPI")
    list(APPEND archives ${archive})
  endif()
endforeach()
find_package(Threads REQUIRED)
set(FORGE_MLIR_ARCHIVES
  -Wl,--start-group ${archives} -Wl,--end-group z zstd Threads::Threads ${CMAKE_DL_LIBS} m)
# One program, linked so that it runs on another Linux.
set(FORGE_PORTABLE_LINK_OPTIONS -Wl,--gc-sections -static-libstdc++ -static-libgcc)

if(FORGE_STATIC)
  target_link_libraries(forge_mlir INTERFACE ${FORGE_MLIR_ARCHIVES})
  add_link_options(${FORGE_PORTABLE_LINK_OPTIONS})
else()
  set(archives "$<BOOL:$<TARGET_PROPERTY:FORGE_ARCHIVES>>")
  target_link_libraries(forge_mlir INTERFACE
    "$<${archives}:${FORGE_MLIR_ARCHIVES}>" "$<$<NOT:${archives}>:MLIR;LLVM>")
endif()

# LLD as a library, for code objects. For link-time optimisation it refers to all of LLVM's targets; what is linked from
# archives gets empty functions for those that Forge has no use for (lib/Target/ROCDL/NoLTO.cpp).
if(FORGE_LINK_LLD)
  set(absent ${LLVM_TARGETS_TO_BUILD})
  list(REMOVE_ITEM absent X86 NVPTX AMDGPU)
  list(TRANSFORM absent REPLACE "(.+)" "FORGE_ABSENT_TARGET(\\1)\n")
  string(CONCAT absent ${absent})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/include/forge_absent_targets.def CONTENT "${absent}")
  add_library(forge_no_lto STATIC ${CMAKE_SOURCE_DIR}/lib/Target/ROCDL/NoLTO.cpp)
  target_include_directories(forge_no_lto PRIVATE ${CMAKE_BINARY_DIR}/include)
  add_library(forge_lld INTERFACE)
  target_link_libraries(forge_lld INTERFACE ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a z zstd)
  if(FORGE_STATIC)
    target_link_libraries(forge_lld INTERFACE forge_no_lto)
  else()
    target_link_libraries(forge_lld INTERFACE "$<$<BOOL:$<TARGET_PROPERTY:FORGE_ARCHIVES>>:forge_no_lto>")
  endif()
endif()
