#include "forge/Checkpoint/SaveCheckpoint.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/Safetensors.h"
#include "forge/Support/AtomicFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace forge;
using nlohmann::ordered_json;

namespace {
/// Tensors of one file.
struct Shard {
  std::vector<const NamedTensor *> tensors;
  uint64_t bytes = 0;
};
} // namespace

static Result<uint64_t> bytesOf(const NamedTensor &tensor) {
  uint64_t bytes = byteWidth(tensor.spec.type);
  for (int64_t size : tensor.spec.dims)
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return Error{"tensor '" + tensor.name +
                   "': expected static sizes of less than 2^64 bytes, "
                   "but got " +
                   typeString(tensor.spec)};
  return bytes;
}

static Result<std::vector<Shard>> shardsOf(const std::vector<NamedTensor> &tensors,
                                           uint64_t shardBytes) {
  std::vector<Shard> shards(1);
  for (const NamedTensor &tensor : tensors) {
    Result<uint64_t> bytes = bytesOf(tensor);
    if (!bytes)
      return bytes.error();
    bool isFull = shards.back().bytes > shardBytes || *bytes > shardBytes - shards.back().bytes;
    if (isFull && !shards.back().tensors.empty())
      shards.emplace_back();
    shards.back().tensors.push_back(&tensor);
    shards.back().bytes += *bytes;
  }
  return shards;
}

/// The header with its length before it; the elements behind it are aligned to 8 bytes.
static Result<std::string> headerOf(const Shard &shard) {
  ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};
  uint64_t end = 0;
  for (const NamedTensor *tensor : shard.tensors) {
    std::optional<std::string_view> type = safetensorsTypeName(tensor->spec.type);
    if (!type)
      return Error{"tensor '" + tensor->name + "': expected a type of safetensors, but got " +
                   typeString(tensor->spec)};
    uint64_t begin = end;
    end += *bytesOf(*tensor);
    header[tensor->name] = {
        {"dtype", *type}, {"shape", tensor->spec.dims}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  uint64_t length = text.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof length) + text;
}

static Result<void> writeShard(const std::string &path, const Shard &shard,
                               const ElementSource &source) {
  Result<std::string> header = headerOf(shard);
  if (!header)
    return header.error();
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  auto write = [&](const char *data, size_t size) {
    return std::fwrite(data, 1, size, file.get()) == size;
  };
  bool good = file && write(header->data(), header->size());
  constexpr uint64_t most = uint64_t(64) << 20;
  std::vector<char> part;
  for (const NamedTensor *tensor : shard.tensors) {
    uint64_t bytes = *bytesOf(*tensor), width = byteWidth(tensor->spec.type);
    for (uint64_t begin = 0; good && begin < bytes; begin += part.size()) {
      part.resize(std::min(most, bytes - begin));
      if (Result<void> made = source(*tensor, static_cast<int64_t>(begin / width), part); !made)
        return Error{"tensor '" + tensor->name + "': " + made.error().message};
      good = write(part.data(), part.size());
    }
  }
  if (!good || std::fclose(file.release()) != 0)
    return Error{path + ": cannot write: " + std::strerror(errno)};
  return {};
}

Result<void> forge::saveCheckpoint(StagedFolder &folder, const std::vector<NamedTensor> &tensors,
                                   const ElementSource &source, uint64_t shardBytes) {
  Result<std::vector<Shard>> shards = shardsOf(tensors, shardBytes);
  if (!shards)
    return shards.error();
  ordered_json index;
  uint64_t total = 0;
  for (size_t i = 0; i < shards->size(); ++i) {
    char name[64] = "model.safetensors";
    if (shards->size() > 1)
      std::snprintf(name, sizeof name, "model-%05zu-of-%05zu.safetensors", i + 1, shards->size());
    if (Result<void> written = writeShard(folder.pathOf(name), (*shards)[i], source); !written)
      return folder.inFolder(written.error());
    total += (*shards)[i].bytes;
    for (const NamedTensor *tensor : (*shards)[i].tensors)
      index["weight_map"][tensor->name] = name;
  }
  if (shards->size() == 1)
    return {};
  index["metadata"]["total_size"] = total;
  Result<void> written =
      writeFileAtomically(folder.pathOf("model.safetensors.index.json"), index.dump(1) + "\n");
  return written ? written : folder.inFolder(written.error());
}
