#include "forge/Reference/Contraction.h"

#include "ProductSum.h"

using namespace forge;
using namespace forge::reference;

/// Row-major positions of all indices over the dimensions `list` of a tensor.
static std::vector<int64_t> offsetsOver(const HostTensor &tensor, const Dims &list) {
  Dims dims = pick(tensor.dims(), list), steps = pick(stridesOf(tensor.dims()), list),
       index(list.size(), 0);
  std::vector<int64_t> offsets(static_cast<size_t>(product(dims)));
  for (int64_t &offset : offsets) {
    offset = flatten(index, steps);
    advance(index, dims);
  }
  return offsets;
}

static Result<void> check(const HostTensor &lhs, const HostTensor &rhs,
                          const DotDimensions &dimensions) {
  auto valid = [](const Dims &list, const HostTensor &tensor) {
    for (int64_t d : list)
      if (d < 0 || d >= tensor.rank())
        return false;
    return true;
  };
  if (!valid(dimensions.lhsBatching, lhs) || !valid(dimensions.lhsContracting, lhs) ||
      !valid(dimensions.rhsBatching, rhs) || !valid(dimensions.rhsContracting, rhs))
    return Error{"dimension numbers do not fit " + typeString(lhs) + " and " + typeString(rhs)};
  if (pick(lhs.dims(), dimensions.lhsBatching) != pick(rhs.dims(), dimensions.rhsBatching))
    return Error{"batching dimensions differ between " + typeString(lhs) + " and " +
                 typeString(rhs)};
  if (pick(lhs.dims(), dimensions.lhsContracting) != pick(rhs.dims(), dimensions.rhsContracting))
    return Error{"contracting dimensions differ between " + typeString(lhs) + " and " +
                 typeString(rhs)};
  return {};
}

Result<HostTensor> reference::dotGeneral(const HostTensor &lhs, const HostTensor &rhs,
                                         const DotDimensions &dimensions, DType resultType) {
  if (Result<void> ok = check(lhs, rhs, dimensions); !ok)
    return ok.error();
  // Integers may be multiplied to floats, as what they are converted to.
  if (isFloat(lhs.type()) != isFloat(rhs.type()) || (isFloat(lhs.type()) && !isFloat(resultType)))
    return Error{"cannot contract " + typeString(lhs) + " and " + typeString(rhs) + " to " +
                 std::string(dtypeName(resultType))};
  Dims lhsFree = otherDims(lhs.rank(), joined(dimensions.lhsBatching, dimensions.lhsContracting));
  Dims rhsFree = otherDims(rhs.rank(), joined(dimensions.rhsBatching, dimensions.rhsContracting));
  Result<HostTensor> result = HostTensor::create(
      resultType,
      joined(joined(pick(lhs.dims(), dimensions.lhsBatching), pick(lhs.dims(), lhsFree)),
             pick(rhs.dims(), rhsFree)));
  if (!result || result->numElements() == 0)
    return result;

  std::vector<int64_t> lhsBatch = offsetsOver(lhs, dimensions.lhsBatching);
  std::vector<int64_t> rhsBatch = offsetsOver(rhs, dimensions.rhsBatching);
  std::vector<int64_t> lhsTerm = offsetsOver(lhs, dimensions.lhsContracting);
  std::vector<int64_t> rhsTerm = offsetsOver(rhs, dimensions.rhsContracting);
  std::vector<int64_t> rows = offsetsOver(lhs, lhsFree), columns = offsetsOver(rhs, rhsFree);
  ProductSum sum(lhs, rhs, resultType);
  int64_t position = 0;
  for (size_t b = 0; b < lhsBatch.size(); ++b)
    for (int64_t row : rows)
      for (int64_t column : columns) {
        sum.addAll(lhsBatch[b] + row, lhsTerm, rhsBatch[b] + column, rhsTerm);
        sum.store(*result, position++);
      }
  return result;
}
