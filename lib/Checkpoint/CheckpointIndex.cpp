#include "forge/Checkpoint/CheckpointIndex.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"
#include "forge/Checkpoint/Safetensors.h"

#include <filesystem>

using namespace forge;
using nlohmann::json;
namespace fs = std::filesystem;

static Result<void> addFile(const std::string &folder, const std::string &file,
                            CheckpointIndex &index) {
  std::string path = (fs::path(folder) / file).string();
  Result<MappedFile> mapping = MappedFile::open(path);
  if (!mapping)
    return mapping.error();
  Result<StoredTensors> tensors = parseSafetensors(mapping->bytes());
  if (!tensors)
    return Error{path + ": " + tensors.error().message};
  for (const auto &[name, tensor] : *tensors) {
    auto [place, isNew] = index.emplace(name, IndexedTensor{file, tensor.spec});
    if (!isNew)
      return Error{path + ": tensor " + briefText(name) + " is in " + place->second.file + ", too"};
  }
  return {};
}

Result<std::map<std::string, std::string>> forge::readWeightMap(const std::string &path) {
  Result<json> parsed = readJsonObject(path);
  if (!parsed)
    return parsed.error();
  auto found = parsed->find("weight_map");
  if (found == parsed->end() || !found->is_object())
    return Error{path + ": expected weight_map to be an object, but got " +
                 (found == parsed->end() ? "none" : briefText(*found))};
  std::map<std::string, std::string> files;
  for (const auto &[tensor, file] : found->items()) {
    // Shards are in the folder itself.
    fs::path name = file.is_string() ? file.get<std::string>() : "";
    if (name.empty() || name != name.filename() || name == "." || name == "..")
      return Error{path + ": weight_map: " + briefText(tensor) +
                   ": expected the name of a file, but got " + briefText(file)};
    files.emplace(tensor, name.string());
  }
  return files;
}

Result<CheckpointIndex> forge::indexCheckpoint(const std::string &folder) {
  CheckpointIndex index;
  std::string indexFile = (fs::path(folder) / "model.safetensors.index.json").string();
  std::error_code ignored;
  if (!fs::exists(indexFile, ignored)) {
    if (Result<void> added = addFile(folder, "model.safetensors", index); !added)
      return added.error();
    return index;
  }
  Result<std::map<std::string, std::string>> files = readWeightMap(indexFile);
  if (!files)
    return files.error();
  std::map<std::string, bool> seen;
  for (const auto &[tensor, file] : *files)
    if (!std::exchange(seen[file], true))
      if (Result<void> added = addFile(folder, file, index); !added)
        return added.error();
  for (const auto &[tensor, file] : *files) {
    auto found = index.find(tensor);
    if (found == index.end() || found->second.file != file)
      return Error{indexFile + ": weight_map: expected " + briefText(tensor) + " in " + file +
                   ", but " +
                   (found == index.end() ? "it is in no file" : "it is in " + found->second.file)};
  }
  return index;
}

std::string forge::rebaseFile(const std::string &file, const std::string &from,
                              const std::string &to) {
  fs::path path = file;
  if (path.is_absolute())
    return file;
  // Only folders: a file that is a link keeps its name.
  std::error_code error;
  fs::path folder =
      fs::weakly_canonical(fs::path(from.empty() ? "." : from) / path.parent_path(), error);
  fs::path base = fs::weakly_canonical(to.empty() ? "." : to, error);
  return (folder.lexically_proximate(base) / path.filename()).lexically_normal().string();
}
