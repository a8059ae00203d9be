#include "forge/Checkpoint/Weights.h"

#include <cstring>
#include <filesystem>

using namespace forge;

Result<const StoredTensors *> WeightFiles::tensorsOf(const std::string &path) {
  auto found = files.find(path);
  if (found == files.end()) {
    Result<MappedFile> mapping = MappedFile::open(path);
    if (!mapping)
      return mapping.error();
    Result<StoredTensors> tensors = parseSafetensors(mapping->bytes());
    if (!tensors)
      return Error{path + ": " + tensors.error().message};
    found = files.emplace(path, File{std::move(*mapping), std::move(*tensors)}).first;
  }
  return &found->second.tensors;
}

Result<HostTensor> WeightFiles::load(const WeightSource &source, const TensorSpec &spec) {
  std::filesystem::path file = source.file;
  std::string path = options.instead.empty()
                         ? (std::filesystem::path(options.folder) / file).string()
                         : (std::filesystem::path(options.instead) / file.filename()).string();
  Result<const StoredTensors *> tensors = tensorsOf(path);
  if (!tensors)
    return tensors.error();
  std::string what = path + ": tensor '" + source.tensor + "'";
  auto found = (*tensors)->find(source.tensor);
  if (found == (*tensors)->end())
    return Error{what + ": expected " + typeString(spec) + ", but the file has no such tensor"};
  const StoredTensor &stored = found->second;
  bool fits = stored.spec.type == spec.type && stored.spec.dims.size() == spec.dims.size();
  for (size_t dim = 0; fits && dim < spec.dims.size(); ++dim)
    fits = spec.dims[dim] == TensorSpec::dynamic || spec.dims[dim] == stored.spec.dims[dim];
  if (!fits)
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
