#include "forge/Reference/Contraction.h"

#include "ProductSum.h"

#include "forge/Reference/Shape.h"

using namespace forge;
using namespace forge::reference;

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

  // Both as [batch, free, contracting], so that the terms of a sum are next to each other.
  Result<HostTensor> left = transpose(lhs, joined(joined(dimensions.lhsBatching, lhsFree),
                                                  dimensions.lhsContracting)),
                     right = transpose(rhs, joined(joined(dimensions.rhsBatching, rhsFree),
                                                   dimensions.rhsContracting));
  for (const Result<HostTensor> *operand : {&left, &right})
    if (!*operand)
      return operand->error();
  int64_t batches = product(pick(lhs.dims(), dimensions.lhsBatching)),
          terms = product(pick(lhs.dims(), dimensions.lhsContracting)),
          rows = product(pick(lhs.dims(), lhsFree)), columns = product(pick(rhs.dims(), rhsFree));
  ProductSum sum(*left, *right, resultType);
  int64_t position = 0;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t row = batch * rows; row < (batch + 1) * rows; ++row)
      for (int64_t column = batch * columns; column < (batch + 1) * columns; ++column) {
        sum.addRun(row * terms, column * terms, terms);
        sum.store(*result, position++);
      }
  return result;
}
