// LLVM, "User Guide for AMDGPU Backend", "Code Object V5 Metadata": a MessagePack map in an ELF
// note.
#include "Metadata.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace forge;

static int64_t integerOf(llvm::msgpack::MapDocNode &map, llvm::StringRef key) {
  auto it = map.find(key);
  if (it == map.end())
    return -1;
  if (it->second.getKind() == llvm::msgpack::Type::UInt)
    return static_cast<int64_t>(it->second.getUInt());
  return it->second.getKind() == llvm::msgpack::Type::Int ? it->second.getInt() : -1;
}

static void readDocument(llvm::StringRef blob, std::vector<KernelResources> &resources) {
  llvm::msgpack::Document document;
  if (!document.readFromBlob(blob, /*Multi=*/false) || !document.getRoot().isMap())
    return;
  auto kernels = document.getRoot().getMap().find("amdhsa.kernels");
  if (kernels == document.getRoot().getMap().end() || !kernels->second.isArray())
    return;
  for (llvm::msgpack::DocNode &node : kernels->second.getArray()) {
    llvm::msgpack::MapDocNode &map = node.getMap();
    KernelResources kernel;
    if (auto name = map.find(".name"); name != map.end())
      kernel.name = name->second.getString().str();
    kernel.registers = integerOf(map, ".vgpr_count");
    kernel.scalarRegisters = integerOf(map, ".sgpr_count");
    kernel.sharedBytes = integerOf(map, ".group_segment_fixed_size");
    kernel.stackBytes = integerOf(map, ".private_segment_fixed_size");
    // The metadata count registers that were spilled, of four bytes each.
    int64_t spilled = integerOf(map, ".vgpr_spill_count");
    kernel.spillBytes = spilled < 0 ? -1 : 4 * spilled;
    kernel.maxThreads = integerOf(map, ".max_flat_workgroup_size");
    resources.push_back(std::move(kernel));
  }
}

void forge::readMetadata(llvm::StringRef object, std::vector<KernelResources> &resources) {
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(object);
  if (!file)
    return llvm::consumeError(file.takeError());
  auto sections = file->sections();
  if (!sections)
    return llvm::consumeError(sections.takeError());
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : file->notes(section, error))
      if (note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
        readDocument(note.getDescAsStringRef(section.sh_addralign), resources);
    llvm::consumeError(std::move(error));
  }
}
