# The direction of dependencies. A row says which Forge libraries a library may link directly;
# forge_check_layers() fails the configuration on any other edge. Keep the rows in the order of the
# lowering: what is above may use what is below, never the reverse.

set(FORGE_LAYERS
  "ForgePJRT            : ForgeCompilerC"
  "ForgeShared          : ForgeCompilerC ForgeExecution ForgeImport ForgePipelines ForgeStableHLOTransforms ForgeRuntime ForgeDiagnostics ForgeSupport"
  "ForgeCompilerC       : ForgeExecution ForgeImport ForgePipelines ForgeStableHLOTransforms ForgeRuntime ForgeDiagnostics ForgeSupport"
  "ForgeGenerateCompiler : ForgeGenerate ForgeExecution ForgeCodegen ForgeImport ForgeCheckpoint ForgeRuntime ForgeSupport"
  "ForgeEvaluate        : ForgeBench ForgeMutate ForgeVerify ForgeCompare ForgePipelines ForgeCodegen ForgeSupport"
  "ForgeBench           : ForgeExecution ForgeCodegen ForgePipelines ForgeRuntime ForgeSupport"
  "ForgeTune            : ForgeVerify ForgeCompare ForgeExecution ForgeForgeDialect ForgeTileDialect ForgeCodegen ForgePipelines ForgeRuntime ForgeSupport"
  "ForgeMutate          : ForgeVerify ForgeCompare ForgeExecution ForgePipelines ForgeStableHLODialect ForgeTransformerDialect ForgeSupport"
  "ForgeVerify          : ForgeRegisterDialect ForgeCompare ForgeExecution ForgePipelines ForgeCodegen ForgeKernels ForgeDiagnostics ForgeReference ForgeImport ForgeStableHLODialect ForgeTransformerDialect ForgeSupport"
  "ForgeExecution       : ForgeSimulator ForgePipelines ForgeStableHLOTransforms ForgeTargetNVVM ForgeTargetROCDL ForgeTargetDevice ForgeTargetCPU ForgeCodegen ForgeKernels ForgeRuntime ForgeDiagnostics ForgeSupport"
  "ForgePipelines       : ForgeFrontEnd ForgeTargetNVVM ForgeTargetROCDL ForgeTargetDevice ForgeTargetCPU ForgeCodegen ForgeKernels ForgeSupport"
  "ForgeSimulator       : ForgeDeviceMath ForgeSimulatorMachine ForgeTargetCPU ForgeCodegen ForgeForgeDialect ForgeTileDialect ForgeRuntime ForgeSupport"
  "ForgeSimulatorMachine : ForgeSupport"
  "ForgeImport          : ForgeTransformerBuilders ForgeStableHLODialect ForgeTransformerDialect ForgeCheckpoint ForgeDiagnostics ForgeSupport"
  "ForgeTargetNVVM      : ForgeTargetDevice ForgeCodegen ForgeTileDialect ForgeSupport"
  "ForgeTargetROCDL     : ForgeTargetDevice ForgeCodegen ForgeTileDialect ForgeSupport"
  "ForgeTargetDevice    : ForgeDeviceMath ForgeTargetCPU ForgeCodegen ForgeSupport"
  "ForgeTargetCPU       : ForgeCodegen ForgeForgeDialect ForgeDiagnostics ForgeSupport"
  "ForgeFrontEnd        : ForgeSignatures ForgeTargetInfo ForgeKernels ForgeStableHLOToLinalg ForgeTransformerToLinalg ForgeRegisterToLinalg ForgeForgeToLinalg ForgeStableHLOTransforms ForgeStableHLODialect ForgeForgeDialect ForgeTileDialect ForgeRegisterDialect ForgeTransformerTransforms ForgeTransformerDialect ForgeSupport"
  "ForgeSignatures      :"
  "ForgeCodegen         : ForgePlans ForgeTargetInfo ForgeKernels ForgeForgeDialect ForgeTileDialect ForgeDiagnostics ForgeSupport"
  "ForgePlans           : ForgeTargetInfo ForgeKernels ForgeForgeDialect ForgeDiagnostics ForgeSupport"
  "ForgeTargetInfo      : ForgeSupport"
  "ForgeKernels         : ForgeDiagnostics ForgeSupport"
  "ForgeDeviceMath      :"
  "ForgeStableHLOToLinalg   : ForgeConversionUtils ForgeStableHLODialect ForgeDiagnostics ForgeSupport"
  "ForgeTransformerToLinalg : ForgeConversionUtils ForgeTransformerDialect ForgeTransformerTransforms ForgeSupport"
  "ForgeRegisterToLinalg : ForgeConversionUtils ForgeRegisterDialect ForgeSupport"
  "ForgeForgeToLinalg   : ForgeConversionUtils ForgeForgeDialect ForgeDiagnostics ForgeSupport"
  "ForgeConversionUtils     : ForgeDiagnostics ForgeSupport"
  "ForgeStableHLOTransforms : ForgeStableHLODialect ForgeForgeDialect ForgeDiagnostics ForgeSupport"
  "ForgeStableHLODialect    : ForgeDiagnostics ForgeSupport"
  "ForgeForgeDialect    : ForgeSupport"
  "ForgeTileDialect     : ForgeSupport"
  "ForgeRegisterDialect : ForgeSupport"
  "ForgeTransformerBuilders : ForgeTransformerDialect ForgeSupport"
  "ForgeTransformerTransforms : ForgeTransformerDialect ForgeSupport"
  "ForgeTransformerDialect  : ForgeSupport"
  "ForgeGenerate        : ForgeChat ForgeTokenizer ForgeLoader ForgeCheckpoint ForgeSupport"
  "ForgeTokenizer       : ForgeCheckpoint ForgeSupport"
  "ForgeChat            : ForgeCheckpoint ForgeSupport"
  "ForgeEndpoint        : ForgeCheckpoint ForgeSupport"
  "ForgeModel           : ForgeModelC ForgeLoader ForgeCheckpoint ForgeSupport"
  "ForgeModelC          : ForgeLoader ForgeCheckpoint ForgeSupport"
  "ForgeCheckpoint      : ForgeSupport"
  "ForgeLoader          : ForgeSupport"
  "ForgeRuntime         : ForgeSupport"
  "ForgeReference       : ForgeSupport"
  "ForgeCompare         : ForgeSupport"
  "ForgeDiagnostics     : ForgeSupport"
  "ForgeSupport         :")

# These never see MLIR or LLVM: they also serve programs that only run what was compiled.
set(FORGE_WITHOUT_MLIR ForgeGenerate ForgeEndpoint ForgeModel ForgeModelC ForgeLoader ForgeTokenizer ForgeChat ForgeCheckpoint ForgeSimulatorMachine ForgeSupport ForgeRuntime ForgeReference ForgeCompare)

function(forge_check_layers)
  get_property(libs GLOBAL PROPERTY FORGE_LIBRARIES)
  foreach(row IN LISTS FORGE_LAYERS)
    string(REGEX MATCH "^([A-Za-z]+) *:(.*)$" _ "${row}")
    string(STRIP "${CMAKE_MATCH_2}" allowed)
    string(REPLACE " " ";" allowed_${CMAKE_MATCH_1} "${allowed}")
    list(APPEND known ${CMAKE_MATCH_1})
  endforeach()
  foreach(lib IN LISTS libs)
    if(NOT lib IN_LIST known)
      message(FATAL_ERROR "${lib} has no row in cmake/ForgeLayers.cmake")
    endif()
    get_property(edges GLOBAL PROPERTY FORGE_EDGES_${lib})
    foreach(edge IN LISTS edges)
      if(edge MATCHES "^Forge" AND NOT edge IN_LIST allowed_${lib})
        message(FATAL_ERROR "${lib} may not depend on ${edge}: see cmake/ForgeLayers.cmake")
      endif()
      if(edge STREQUAL "forge_mlir" AND lib IN_LIST FORGE_WITHOUT_MLIR)
        message(FATAL_ERROR "${lib} may not depend on MLIR: see cmake/ForgeLayers.cmake")
      endif()
    endforeach()
  endforeach()
endfunction()
