# Finds MLIR and LLVM 22 and offers them as one target, forge_mlir: the shared libraries by default,
# the archives with FORGE_STATIC.

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

if(FORGE_STATIC)
  get_property(dialects GLOBAL PROPERTY MLIR_DIALECT_LIBS)
  get_property(conversions GLOBAL PROPERTY MLIR_CONVERSION_LIBS)
  get_property(extensions GLOBAL PROPERTY MLIR_EXTENSION_LIBS)
  llvm_map_components_to_libnames(llvm_libs
    Core Support OrcJIT Passes X86 AArch64 Target MC Analysis TransformUtils)
  target_link_libraries(forge_mlir INTERFACE
    ${dialects} ${conversions} ${extensions}
    MLIROptLib MLIRLspServerLib MLIRReduceLib MLIRParser MLIRPass MLIRTransforms MLIRTargetLLVMIRExport
    MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation ${llvm_libs})
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections -static-libstdc++ -static-libgcc)
else()
  target_link_libraries(forge_mlir INTERFACE MLIR LLVM)
endif()
