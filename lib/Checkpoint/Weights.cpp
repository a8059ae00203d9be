#include "forge/Checkpoint/Weights.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/QuantizeRows.h"
#include "forge/Checkpoint/RandomWeights.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Npy.h"

#include <algorithm>

using namespace forge;

Result<const WeightFiles::File *> WeightFiles::fileOf(const std::string &path) {
  auto found = files.find(path);
  if (found == files.end()) {
    Result<MappedFile> mapping = MappedFile::open(path);
    if (!mapping)
      return mapping.error();
    File file = {std::move(*mapping), {}};
    if (!file.isNpy()) {
      std::string_view bytes = file.mapping.bytes();
      Result<StoredTensors> tensors = isGguf(bytes) ? parseGguf(bytes) : parseSafetensors(bytes);
      if (!tensors)
        return Error{path + ": " + tensors.error().message};
      file.tensors = std::move(*tensors);
    }
    found = files.emplace(path, std::move(file)).first;
  }
  return &found->second;
}

static bool fits(const std::vector<int64_t> &dims, const TensorSpec &spec) {
  bool same = dims.size() == spec.dims.size();
  for (size_t dim = 0; same && dim < dims.size(); ++dim)
    same = spec.dims[dim] == TensorSpec::dynamic || spec.dims[dim] == dims[dim];
  return same;
}

std::string WeightFiles::pathOf(const std::filesystem::path &name) const {
  if (options.instead.empty())
    return (options.folder / name).string();
  std::filesystem::path same = options.instead / name.relative_path();
  std::error_code error;
  return std::filesystem::exists(same, error) ? same.string()
                                              : (options.instead / name.filename()).string();
}

/// The only tensor of an .npy file. Its name is not looked at.
static Result<HostTensor> loadNpy(std::string_view bytes, const TensorSpec &spec) {
  Result<HostTensor> tensor = parseNpy(bytes);
  if (tensor && !fits(tensor->dims(), spec))
    return Error{"expected " + typeString(spec) + ", but got " + typeString(*tensor)};
  return tensor ? convertNpy(std::move(*tensor), spec.type) : tensor;
}

std::optional<std::string> forge::stackedName(const std::string &tensor, int64_t number) {
  size_t place = tensor.find('*');
  if (place == std::string::npos)
    return std::nullopt;
  return tensor.substr(0, place) + std::to_string(number) + tensor.substr(place + 1);
}

Result<const StoredTensor *> WeightFiles::find(const WeightSource &source, const TensorSpec &spec) {
  if (source.file.ends_with(".index.json")) {
    Result<WeightSource> place = indexed(source);
    return place ? find(*place, spec) : place.error();
  }
  std::string path = pathOf(source.file), what = path + ": tensor '" + source.tensor + "'";
  Result<const File *> file = fileOf(path);
  if (!file)
    return file.error();
  if ((*file)->isNpy())
    return Error{what + ": expected a safetensors or GGUF file, but got .npy"};
  auto found = (*file)->tensors.find(source.tensor);
  if (found == (*file)->tensors.end())
    return Error{what + ": expected " + typeString(spec) + ", but the file has no such tensor"};
  const StoredTensor &stored = found->second;
  if (bytesAs(stored.spec.type, spec.type) != spec.type || !fits(stored.spec.dims, spec))
    return Error{what + ": expected " + typeString(spec) + ", but got " + typeString(stored.spec)};
  return &stored;
}

/// The parts are one behind the other, each as long as the first.
static TensorSource stacked(TensorSpec spec, std::vector<TensorSource> parts) {
  return {std::move(spec), [parts = std::move(parts)](size_t offset, std::span<char> bytes) {
            size_t each = parts.front().numBytes();
            while (!bytes.empty()) {
              size_t within = offset % each, size = std::min(bytes.size(), each - within);
              parts[offset / each].copy(within, bytes.first(size));
              bytes = bytes.subspan(size);
              offset += size;
            }
          }};
}

Result<TensorSource> WeightFiles::openStacked(const WeightSource &source, const TensorSpec &spec) {
  bool isStatic = !spec.dims.empty();
  for (int64_t size : spec.dims)
    isStatic &= size != TensorSpec::dynamic;
  if (!isStatic)
    return Error{"tensor '" + source.tensor +
                 "': expected static sizes of stacked tensors, but got " + typeString(spec)};
  TensorSpec part = spec;
  part.dims.erase(part.dims.begin());
  std::vector<TensorSource> parts;
  for (int64_t number = 0; number < spec.dims[0]; ++number) {
    Result<TensorSource> opened = open({source.file, *stackedName(source.tensor, number)}, part);
    if (!opened)
      return opened;
    parts.push_back(std::move(*opened));
  }
  return stacked(spec, std::move(parts));
}

Result<WeightSource> WeightFiles::indexed(const WeightSource &source) {
  std::string path = pathOf(source.file);
  auto found = indices.find(path);
  if (found == indices.end()) {
    Result<std::map<std::string, std::string>> map = readWeightMap(path);
    if (!map)
      return map.error();
    found = indices.emplace(path, std::move(*map)).first;
  }
  auto file = found->second.find(source.tensor);
  if (file == found->second.end())
    return Error{path + ": tensor '" + source.tensor + "': expected a file for it, but got none"};
  return WeightSource{(std::filesystem::path(source.file).parent_path() / file->second).string(),
                      source.tensor};
}

/// Types are compared before the matrix is read.
Result<TensorSource> WeightFiles::openQuantized(const WeightSource &source,
                                                const TensorSpec &spec) {
  const QuantizedMatrix &matrix = *source.quantized;
  std::string what = source.file + ": tensor '" + source.tensor + "'";
  TensorSpec made = matrix.made();
  if (made.type != spec.type || !fits(made.dims, spec))
    return Error{what + ": expected " + typeString(spec) + ", but got " + quantizedText(matrix) +
                 ", " + typeString(made)};
  Result<HostTensor> stored = load({source.file, source.tensor}, matrix.stored);
  if (!stored)
    return stored.error();
  Result<HostTensor> result = quantizedPart(*stored, matrix.part);
  return result ? Result<TensorSource>(TensorSource::of(std::move(*result)))
                : Error{what + ": " + result.error().message};
}

/// Elements of a truth value are looked at before anything else is done with them.
static Result<void> checkElements(DType type, std::string_view elements) {
  if (type == DType::I1)
    for (char element : elements)
      if (static_cast<uint8_t>(element) > 1)
        return Error{"expected truth values 0 and 1, but got " +
                     std::to_string(static_cast<uint8_t>(element))};
  return {};
}

Result<TensorSource> WeightFiles::openFile(const WeightSource &source, const TensorSpec &spec) {
  std::string path = pathOf(source.file);
  Result<const File *> file = fileOf(path);
  if (!file)
    return file.error();
  if ((*file)->isNpy()) {
    Result<HostTensor> tensor = loadNpy((*file)->mapping.bytes(), spec);
    return tensor ? Result<TensorSource>(TensorSource::of(std::move(*tensor)))
                  : Error{path + ": " + tensor.error().message};
  }
  Result<const StoredTensor *> found = find(source, spec);
  if (!found)
    return found.error();
  std::string_view elements = (*found)->elements;
  if (Result<void> valid = checkElements(spec.type, elements); !valid)
    return Error{path + ": tensor '" + source.tensor + "': " + valid.error().message};
  return TensorSource{{spec.type, (*found)->spec.dims},
                      [elements](size_t offset, std::span<char> bytes) {
                        MappedFile::copy(bytes.data(), elements.substr(offset, bytes.size()));
                      }};
}

Result<TensorSource> WeightFiles::open(const WeightSource &source, const TensorSpec &spec) {
  if (source.quantized)
    return openQuantized(source, spec);
  if (stackedName(source.tensor, 0))
    return openStacked(source, spec);
  if (options.randomSeed) {
    Result<RandomWeight> weight = RandomWeight::create(source.tensor, spec, *options.randomSeed);
    return weight ? Result<TensorSource>(RandomWeight::source(std::move(*weight)))
                  : Error{"tensor '" + source.tensor + "': " + weight.error().message};
  }
  if (source.file.ends_with(".index.json")) {
    Result<WeightSource> place = indexed(source);
    return place ? open(*place, spec) : place.error();
  }
  return openFile(source, spec);
}

Result<HostTensor> WeightFiles::load(const WeightSource &source, const TensorSpec &spec) {
  Result<TensorSource> opened = open(source, spec);
  if (!opened)
    return opened.error();
  Result<HostTensor> tensor = opened->tensor();
  return tensor ? std::move(tensor)
                : Error{"tensor '" + source.tensor + "': " + tensor.error().message};
}

Result<std::vector<HostTensor>>
forge::withWeights(const FunctionSignature &signature,
                   const std::vector<std::optional<WeightSource>> &sources,
                   std::vector<HostTensor> inputs, WeightFiles &files) {
  std::vector<HostTensor> arguments;
  size_t next = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!sources[i]) {
      arguments.push_back(std::move(inputs[next++]));
      continue;
    }
    Result<HostTensor> weight = files.load(*sources[i], signature.arguments[i]);
    if (!weight)
      return withDetails(Error{"argument " + std::to_string(i) + ": " + weight.error().message},
                         {.advice = "--weights FOLDER, where the files are, or --random-weights"});
    arguments.push_back(std::move(*weight));
  }
  return arguments;
}
