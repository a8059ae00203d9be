#include "Values.h"

#include "forge/Support/TensorBytes.h"

#include <cstring>

using namespace forge;
using namespace forge::capi;

forge_error *capi::outOfMemory() {
  static forge_error error{"out of memory", FORGE_ERROR_MEMORY, true};
  return &error;
}

forge_error *capi::makeError(std::string message, forge_error_kind kind) {
  if (message.find("out of memory") != std::string::npos)
    kind = FORGE_ERROR_MEMORY;
  return new forge_error{std::move(message), kind};
}

/// Names of types are literals: they end in a NUL.
forge_tensor capi::describe(DType type, const std::vector<int64_t> &dims, const void *data) {
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
  return {dtypeName(type).data(), static_cast<int64_t>(dims.size()), dims.data(),
          const_cast<void *>(data)};
}

/// As StableHLO spells complex numbers with parts of `type`.
static const char *complexName(DType type) {
  return type == DType::F32 ? "complex<f32>" : "complex<f64>";
}

forge_tensor capi::describe(const std::vector<TensorSpec> &specs, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(specs.size()))
    return {};
  const TensorSpec &spec = specs[static_cast<size_t>(index)];
  forge_tensor tensor = describe(spec.type, spec.dims, nullptr);
  if (spec.isComplex) {
    tensor.type = complexName(spec.type);
    --tensor.rank;
  }
  return tensor;
}

Parts::Parts(const forge_tensor &given) : tensor(given) {
  std::string_view name = given.type ? given.type : "";
  for (DType type : {DType::F32, DType::F64}) {
    if (name != complexName(type))
      continue;
    if (given.rank > 0 && given.sizes)
      sizes.assign(given.sizes, given.sizes + given.rank);
    sizes.push_back(2);
    tensor.type = dtypeName(type).data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
    if (given.rank == 0 || given.sizes) { // else it is left to be refused
      tensor.rank = given.rank + 1;
      tensor.sizes = sizes.data();
    }
  }
}

Result<TensorSpec> capi::readSpec(const forge_tensor &tensor, const std::string &what) {
  std::optional<DType> type = parseDType(tensor.type ? tensor.type : "");
  if (!type)
    return Error{what + ": expected the name of an element type, but got " +
                 (tensor.type ? "'" + std::string(tensor.type) + "'" : "none")};
  if (tensor.rank < 0)
    return Error{what + ": expected rank 0 or more, but got " + std::to_string(tensor.rank)};
  if (tensor.rank > 0 && !tensor.sizes)
    return Error{what + ": expected sizes, but got a null pointer"};
  TensorSpec spec{*type, {}};
  bool empty = false;
  for (int64_t d = 0; d < tensor.rank; ++d) {
    spec.dims.push_back(tensor.sizes[d]);
    empty |= tensor.sizes[d] == 0;
    if (tensor.sizes[d] < 0)
      return Error{what + ", dimension " + std::to_string(d) +
                   ": expected size 0 or more, but got " + std::to_string(tensor.sizes[d])};
  }
  if (!hasCountableBytes(spec.dims))
    return Error{what + ": the size of " + typeString(spec) + " does not fit in 63 bits"};
  if (!tensor.data && !empty)
    return Error{what + ": expected elements, but got a null pointer"};
  return spec;
}

Result<void> capi::check(const TensorSpec &spec, const forge_tensor &given,
                         const std::string &what) {
  Parts parts(given);
  const forge_tensor &tensor = parts.tensor;
  std::optional<DType> type = parseDType(tensor.type ? tensor.type : "");
  if (type != spec.type)
    return Error{what + ": expected " + std::string(dtypeName(spec.type)) + ", but got " +
                 (tensor.type ? tensor.type : "no type")};
  if (tensor.rank != static_cast<int64_t>(spec.dims.size()))
    return Error{what + ": expected rank " + std::to_string(spec.dims.size()) + ", but got " +
                 std::to_string(tensor.rank)};
  if (tensor.rank > 0 && !tensor.sizes)
    return Error{what + ": expected sizes, but got a null pointer"};
  bool empty = false;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    int64_t size = tensor.sizes[d];
    empty |= size == 0;
    bool open = spec.dims[d] == TensorSpec::dynamic;
    if (open ? size < 0 : size != spec.dims[d])
      return Error{what + ", dimension " + std::to_string(d) + ": expected size " +
                   (open ? "0 or more" : std::to_string(spec.dims[d])) + ", but got " +
                   std::to_string(size)};
  }
  if (!tensor.data && !empty)
    return Error{what + ": expected elements, but got a null pointer"};
  return {};
}

Result<HostTensor> capi::toHost(const forge_tensor &given, const std::string &what) {
  Parts parts(given);
  const forge_tensor &tensor = parts.tensor;
  Result<TensorSpec> spec = readSpec(tensor, what);
  if (!spec)
    return spec.error();
  Result<HostTensor> host = HostTensor::createUnset(spec->type, spec->dims);
  if (!host || host->numBytes() == 0)
    return host;
  std::memcpy(host->data(), tensor.data, host->numBytes());
  // Compiled code reads the lowest bit; to NumPy and C every byte that is not 0 is true.
  if (spec->type == DType::I1)
    for (int64_t i = 0; i < host->numElements(); ++i)
      host->dataAs<uint8_t>()[i] = host->dataAs<uint8_t>()[i] != 0;
  return host;
}

const char *forge_error_message(const forge_error *error) { return error->message.c_str(); }

forge_error_kind forge_error_get_kind(const forge_error *error) { return error->kind; }

void forge_error_destroy(forge_error *error) {
  if (error && !error->isStatic)
    delete error;
}
