#include "forge/Checkpoint/StoredTensors.h"

#include "forge/Checkpoint/Json.h"

#include <algorithm>

using namespace forge;

std::optional<uint64_t> forge::denseBytes(const TensorSpec &spec) {
  if (std::ranges::find(spec.dims, 0) != spec.dims.end())
    return 0;
  uint64_t bytes = byteWidth(spec.type);
  for (int64_t size : spec.dims)
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return std::nullopt;
  return bytes;
}

Result<void> forge::checkApart(const StoredTensors &tensors) {
  std::vector<const StoredTensors::value_type *> inOrder;
  for (const auto &tensor : tensors)
    if (!tensor.second.elements.empty())
      inOrder.push_back(&tensor);
  std::ranges::sort(inOrder, {}, [](auto *tensor) { return tensor->second.elements.data(); });
  for (size_t i = 1; i < inOrder.size(); ++i) {
    std::string_view before = inOrder[i - 1]->second.elements;
    if (before.data() + before.size() > inOrder[i]->second.elements.data())
      return Error{"tensors " + briefText(inOrder[i - 1]->first) + " and " +
                   briefText(inOrder[i]->first) + " overlap"};
  }
  return {};
}
