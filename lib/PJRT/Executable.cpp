#include "Executable.h"

using namespace forge;
using namespace forge::pjrt;

Error *pjrt::Executable_Destroy(Executable_Destroy_Args *args) {
  delete args->executable;
  return nullptr;
}

Error *pjrt::Executable_Name(Executable_Name_Args *args) {
  args->name = forge_executable_function(args->executable->program->code.get());
  args->name_size = std::char_traits<char>::length(args->name);
  return nullptr;
}

Error *pjrt::Executable_NumReplicas(Executable_NumReplicas_Args *args) {
  args->number = 1;
  return nullptr;
}

Error *pjrt::Executable_NumOutputs(Executable_NumReplicas_Args *args) {
  args->number = args->executable->program->results.size();
  return nullptr;
}

Error *pjrt::Executable_GetCostAnalysis(Executable_GetCostAnalysis_Args *args) {
  args->properties = args->executable->program->costs;
  args->num_properties = std::size(args->executable->program->costs);
  return nullptr;
}

Error *pjrt::Executable_GetCompiledMemoryStats(Executable_GetCompiledMemoryStats_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  args->generated_code_size_in_bytes = 0;
  args->argument_size_in_bytes = program.argumentBytes;
  args->output_size_in_bytes = program.resultBytes;
  args->alias_size_in_bytes = 0;
  args->temp_size_in_bytes = program.temporaryBytes;
  args->host_generated_code_size_in_bytes = args->host_argument_size_in_bytes = 0;
  args->host_output_size_in_bytes = args->host_alias_size_in_bytes = 0;
  args->host_temp_size_in_bytes = 0;
  if (args->struct_size >= sizeof(*args)) // callers of older versions have no room for these
    args->peak_memory_in_bytes = args->total_size_in_bytes =
        program.argumentBytes + program.resultBytes + program.temporaryBytes;
  return nullptr;
}

Error *pjrt::Executable_OutputElementTypes(Executable_OutputElementTypes_Args *args) {
  CompiledProgram &program = *args->executable->program;
  args->output_types = program.resultTypes.data();
  args->num_output_types = program.resultTypes.size();
  return nullptr;
}

Error *pjrt::Executable_OutputDimensions(Executable_OutputDimensions_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  args->num_outputs = program.results.size();
  args->dims = program.resultDims.data();
  args->dim_sizes = program.resultRanks.data();
  return nullptr;
}

Error *pjrt::Executable_OutputMemoryKinds(Executable_OutputMemoryKinds_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  args->num_outputs = program.results.size();
  args->memory_kinds = program.memoryKinds.data();
  args->memory_kind_sizes = program.memoryKindSizes.data();
  return nullptr;
}

Error *pjrt::LoadedExecutable_Destroy(LoadedExecutable_Destroy_Args *args) {
  delete args->executable;
  return nullptr;
}

static Error *deletedExecutable() { return fail(FailedPrecondition, "the executable was deleted"); }

Error *pjrt::LoadedExecutable_GetExecutable(LoadedExecutable_GetExecutable_Args *args) {
  if (!args->loaded_executable->program)
    return deletedExecutable();
  args->executable = new Executable{args->loaded_executable->program};
  return nullptr;
}

Error *pjrt::LoadedExecutable_AddressableDevices(LoadedExecutable_AddressableDevices_Args *args) {
  if (!args->executable->program)
    return deletedExecutable();
  args->devices = &args->executable->program->device;
  args->num_devices = 1;
  return nullptr;
}

Error *pjrt::LoadedExecutable_GetDeviceAssignment(LoadedExecutable_GetDeviceAssignment_Args *args) {
  if (!args->executable->program)
    return deletedExecutable();
  const std::string &bytes = args->executable->program->assignment;
  args->serialized_bytes = bytes.data();
  args->serialized_bytes_size = bytes.size();
  args->assignment = nullptr;
  args->deleter = [](void *) {}; // the executable has the bytes
  return nullptr;
}

Error *pjrt::LoadedExecutable_Delete(LoadedExecutable_Delete_Args *args) {
  args->executable->program = nullptr;
  return nullptr;
}

Error *pjrt::LoadedExecutable_IsDeleted(LoadedExecutable_IsDeleted_Args *args) {
  args->is_deleted = !args->executable->program;
  return nullptr;
}
