#include "forge/Checkpoint/Weights.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Checkpoint/QuantizeRows.h"
#include "forge/Checkpoint/RandomWeights.h"
#include "forge/Support/Npy.h"

#include <cstring>

using namespace forge;

Result<const WeightFiles::File *> WeightFiles::fileOf(const std::string &path) {
  auto found = files.find(path);
  if (found == files.end()) {
    Result<MappedFile> mapping = MappedFile::open(path);
    if (!mapping)
      return mapping.error();
    File file = {std::move(*mapping), {}};
    if (!file.isNpy()) {
      Result<StoredTensors> tensors = parseSafetensors(file.mapping.bytes());
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
    return Error{what + ": expected a safetensors file, but got .npy"};
  auto found = (*file)->tensors.find(source.tensor);
  if (found == (*file)->tensors.end())
    return Error{what + ": expected " + typeString(spec) + ", but the file has no such tensor"};
  const StoredTensor &stored = found->second;
  if (bytesAs(stored.spec.type, spec.type) != spec.type || !fits(stored.spec.dims, spec))
    return Error{what + ": expected " + typeString(spec) + ", but got " + typeString(stored.spec)};
  return &stored;
}

/// All parts are looked for before memory for them is taken.
Result<HostTensor> WeightFiles::loadStacked(const WeightSource &source, const TensorSpec &spec) {
  std::string what = "tensor '" + source.tensor + "'";
  bool isStatic = !spec.dims.empty();
  for (int64_t size : spec.dims)
    isStatic &= size != TensorSpec::dynamic;
  if (!isStatic)
    return Error{what + ": expected static sizes of stacked tensors, but got " + typeString(spec)};
  TensorSpec part = spec;
  part.dims.erase(part.dims.begin());
  auto partOf = [&](int64_t number) {
    return WeightSource{source.file, *stackedName(source.tensor, number)};
  };
  for (int64_t number = 0; !options.randomSeed && number < spec.dims[0]; ++number)
    if (Result<const StoredTensor *> stored = find(partOf(number), part); !stored)
      return stored.error();
  Result<HostTensor> result = HostTensor::create(spec.type, spec.dims);
  if (!result)
    return Error{what + ": " + result.error().message};
  size_t offset = 0;
  for (int64_t number = 0; number < spec.dims[0]; ++number) {
    Result<HostTensor> loaded = load(partOf(number), part);
    if (!loaded)
      return loaded;
    std::memcpy(static_cast<char *>(result->data()) + offset, loaded->data(), loaded->numBytes());
    offset += loaded->numBytes();
  }
  return result;
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
Result<HostTensor> WeightFiles::loadQuantized(const WeightSource &source, const TensorSpec &spec) {
  const QuantizedMatrix &matrix = *source.quantized;
  std::string what = source.file + ": tensor '" + source.tensor + "'";
  TensorSpec made{DType::I8, matrix.stored.dims};
  if (matrix.isScales)
    made = {DType::F32, {matrix.stored.dims.front()}};
  if (made.type != spec.type || !fits(made.dims, spec))
    return Error{what + ": expected " + typeString(spec) + ", but got " + quantizedText(matrix) +
                 ", " + typeString(made)};
  Result<HostTensor> stored = load({source.file, source.tensor}, matrix.stored);
  if (!stored)
    return stored;
  Result<HostTensor> result = matrix.isScales ? scalesOfRows(*stored) : quantizedRows(*stored);
  return result ? std::move(result) : Error{what + ": " + result.error().message};
}

Result<HostTensor> WeightFiles::load(const WeightSource &source, const TensorSpec &spec) {
  if (source.quantized)
    return loadQuantized(source, spec);
  if (stackedName(source.tensor, 0))
    return loadStacked(source, spec);
  if (!options.randomSeed && source.file.ends_with(".index.json")) {
    Result<WeightSource> place = indexed(source);
    return place ? load(*place, spec) : place.error();
  }
  if (options.randomSeed) {
    Result<RandomWeight> weight = RandomWeight::create(source.tensor, spec, *options.randomSeed);
    Result<HostTensor> tensor = weight ? weight->tensor() : weight.error();
    return tensor ? std::move(tensor)
                  : Error{"tensor '" + source.tensor + "': " + tensor.error().message};
  }
  std::string path = pathOf(source.file);
  Result<const File *> file = fileOf(path);
  if (!file)
    return file.error();
  if ((*file)->isNpy()) {
    Result<HostTensor> tensor = loadNpy((*file)->mapping.bytes(), spec);
    return tensor ? std::move(tensor) : Error{path + ": " + tensor.error().message};
  }
  Result<const StoredTensor *> found = find(source, spec);
  if (!found)
    return found.error();
  const StoredTensor &stored = **found;
  std::string what = path + ": tensor '" + source.tensor + "'";
  // Code relies on the alignment of a HostTensor, which the format does not promise.
  Result<HostTensor> tensor = HostTensor::create(spec.type, stored.spec.dims);
  if (!tensor)
    return Error{what + ": " + tensor.error().message};
  if (!stored.elements.empty())
    std::memcpy(tensor->data(), stored.elements.data(), stored.elements.size());
  if (spec.type == DType::I1)
    for (int64_t i = 0; i < tensor->numElements(); ++i)
      if (tensor->dataAs<uint8_t>()[i] > 1)
        return Error{what + ": expected truth values 0 and 1, but got " +
                     std::to_string(tensor->dataAs<uint8_t>()[i])};
  return tensor;
}

FunctionSignature forge::withoutWeights(const FunctionSignature &signature,
                                        const std::vector<std::optional<WeightSource>> &sources) {
  FunctionSignature rest{signature.name, {}, signature.results, {}};
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (sources[i])
      continue;
    rest.arguments.push_back(signature.arguments[i]);
    rest.donated.push_back(signature.donated[i]);
  }
  return rest;
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
      return Error{"argument " + std::to_string(i) + ": " + weight.error().message};
    arguments.push_back(std::move(*weight));
  }
  return arguments;
}
