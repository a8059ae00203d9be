// Compiled programs: compiling them, what they are, running them.
#ifndef FORGE_LIB_PJRT_EXECUTABLE_H
#define FORGE_LIB_PJRT_EXECUTABLE_H

#include "Buffer.h"

namespace forge::pjrt {

struct Result {
  const ElementType *type;
  std::vector<int64_t> dims;
};

/// A compiled program on its device, shared by the handles and by the runs that are under way.
struct CompiledProgram {
  Device *device = nullptr;
  std::unique_ptr<forge_executable, ForgeDelete> code;
  /// What it was compiled from and with, for Executable_Serialize and Executable_OptimizedProgram.
  std::string source, options;
  size_t numArguments = 0;
  std::vector<Result> results;
  DeviceQueue::Cost cost = DeviceQueue::Cost::Large;

  // As the C API hands them out.
  std::vector<BufferType> resultTypes;
  std::vector<int64_t> resultDims;
  std::vector<size_t> resultRanks;
  std::vector<const char *> memoryKinds;
  std::vector<size_t> memoryKindSizes;
  std::string assignment;
  NamedValue costs[2];
  int64_t argumentBytes = 0, resultBytes = 0, temporaryBytes = 0;
};

struct Executable {
  std::shared_ptr<CompiledProgram> program;
};

struct LoadedExecutable {
  /// Null once deleted.
  std::shared_ptr<CompiledProgram> program;
};

/// Compiles a module, with a CompileOptionsProto.
Error *compile(Client &client, std::string_view source, std::string_view options,
               LoadedExecutable *&executable);

Error *Client_Compile(Client_Compile_Args *args);
Error *Executable_Destroy(Executable_Destroy_Args *args);
Error *Executable_Name(Executable_Name_Args *args);
Error *Executable_NumReplicas(Executable_NumReplicas_Args *args);
Error *Executable_NumOutputs(Executable_NumReplicas_Args *args);
Error *Executable_GetCostAnalysis(Executable_GetCostAnalysis_Args *args);
Error *Executable_GetCompiledMemoryStats(Executable_GetCompiledMemoryStats_Args *args);
Error *Executable_OutputElementTypes(Executable_OutputElementTypes_Args *args);
Error *Executable_OutputDimensions(Executable_OutputDimensions_Args *args);
Error *Executable_OutputMemoryKinds(Executable_OutputMemoryKinds_Args *args);
Error *Executable_OptimizedProgram(Executable_OptimizedProgram_Args *args);
Error *Executable_Serialize(Executable_Serialize_Args *args);
Error *Executable_DeserializeAndLoad(Executable_DeserializeAndLoad_Args *args);
Error *LoadedExecutable_Destroy(LoadedExecutable_Destroy_Args *args);
Error *LoadedExecutable_GetExecutable(LoadedExecutable_GetExecutable_Args *args);
Error *LoadedExecutable_AddressableDevices(LoadedExecutable_AddressableDevices_Args *args);
Error *LoadedExecutable_GetDeviceAssignment(LoadedExecutable_GetDeviceAssignment_Args *args);
Error *LoadedExecutable_Delete(LoadedExecutable_Delete_Args *args);
Error *LoadedExecutable_IsDeleted(LoadedExecutable_IsDeleted_Args *args);
Error *LoadedExecutable_Execute(LoadedExecutable_Execute_Args *args);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_EXECUTABLE_H
