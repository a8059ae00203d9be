#include "Fold.h"

using namespace forge;
using namespace forge::reference;

Result<std::vector<HostTensor>> reference::accumulators(const std::vector<HostTensor> &inits,
                                                        const Dims &dims) {
  std::vector<HostTensor> results;
  for (const HostTensor &init : inits) {
    Result<HostTensor> result = broadcastInDim(init, {}, dims);
    if (!result)
      return result.error();
    results.push_back(std::move(*result));
  }
  return results;
}

Result<void> reference::fold(std::vector<HostTensor> &results, int64_t at,
                             const std::vector<HostTensor> &values, int64_t from,
                             const Body &body) {
  std::vector<HostTensor> arguments;
  for (const HostTensor &result : results)
    arguments.push_back(scalarAt(result, at));
  for (const HostTensor &value : values)
    arguments.push_back(scalarAt(value, from));
  Result<std::vector<HostTensor>> next = body(arguments);
  if (!next)
    return next.error();
  for (size_t n = 0; n < results.size(); ++n)
    copyElement(results[n], at, (*next)[n], 0);
  return {};
}
