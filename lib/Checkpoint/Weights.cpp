#include "forge/Checkpoint/Weights.h"

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

Result<HostTensor> WeightFiles::load(const WeightSource &source, const TensorSpec &spec) {
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
  const StoredTensors &tensors = (*file)->tensors;
  std::string what = path + ": tensor '" + source.tensor + "'";
  auto found = tensors.find(source.tensor);
  if (found == tensors.end())
    return Error{what + ": expected " + typeString(spec) + ", but the file has no such tensor"};
  const StoredTensor &stored = found->second;
  if (stored.spec.type != spec.type || !fits(stored.spec.dims, spec))
    return Error{what + ": expected " + typeString(spec) + ", but got " + typeString(stored.spec)};
  // Code relies on the alignment of a HostTensor, which the format does not promise.
  Result<HostTensor> tensor = HostTensor::create(stored.spec.type, stored.spec.dims);
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
