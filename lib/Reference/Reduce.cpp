#include "Fold.h"

#include "forge/Reference/Rounding.h"

using namespace forge;
using namespace forge::reference;

static Result<void> checkInputs(const std::vector<HostTensor> &inputs,
                                const std::vector<HostTensor> &inits) {
  if (inputs.empty() || inputs.size() != inits.size())
    return Error{"expected as many initial values as inputs (" + std::to_string(inputs.size()) +
                 "), but got " + std::to_string(inits.size())};
  for (size_t n = 0; n < inputs.size(); ++n) {
    if (inputs[n].dims() != inputs[0].dims())
      return Error{"expected inputs of one shape, but got " + typeString(inputs[0]) + " and " +
                   typeString(inputs[n])};
    if (inits[n].rank() != 0)
      return Error{"expected a scalar initial value, but got " + typeString(inits[n])};
  }
  return {};
}

/// Strides that send an index of the input to the position in the result: 0 along what is reduced.
static Dims resultSteps(const Dims &inputDims, const Dims &kept) {
  Dims steps(inputDims.size(), 0), strides = stridesOf(pick(inputDims, kept));
  for (size_t k = 0; k < kept.size(); ++k)
    steps[kept[k]] = strides[k];
  return steps;
}

Result<std::vector<HostTensor>> reference::reduce(const std::vector<HostTensor> &inputs,
                                                  const std::vector<HostTensor> &inits,
                                                  const Dims &dimensions, const Body &body) {
  if (Result<void> ok = checkInputs(inputs, inits); !ok)
    return ok.error();
  const Dims &dims = inputs[0].dims();
  Dims kept = otherDims(inputs[0].rank(), dimensions), steps = resultSteps(dims, kept);
  Result<std::vector<HostTensor>> results = accumulators(inits, pick(dims, kept));
  Dims index(dims.size(), 0);
  for (int64_t i = 0; results && i < inputs[0].numElements(); ++i, advance(index, dims))
    if (Result<void> ok = fold(*results, flatten(index, steps), inputs, i, body); !ok)
      return ok.error();
  return results;
}

Result<HostTensor> reference::reduce(const HostTensor &input, const HostTensor &init,
                                     const Dims &dimensions, BinaryOp op, DType resultType) {
  if (Result<void> ok = checkInputs({input}, {init}); !ok)
    return ok.error();
  if (!isDefined(op, input.type()) || op == BinaryOp::NextAfter ||
      isFloat(input.type()) != isFloat(resultType))
    return Error{"cannot reduce " + typeString(input) + " to " +
                 std::string(dtypeName(resultType))};
  const Dims &dims = input.dims();
  Dims kept = otherDims(input.rank(), dimensions), steps = resultSteps(dims, kept),
       index(dims.size(), 0);
  Result<HostTensor> result = HostTensor::create(resultType, pick(dims, kept));
  if (!result)
    return result;
  if (isFloat(resultType) && op == BinaryOp::Add) {
    std::vector<Sum> sums(static_cast<size_t>(result->numElements()), Sum(init.getDouble(0)));
    for (int64_t i = 0; i < input.numElements(); ++i, advance(index, dims))
      sums[flatten(index, steps)] += input.getDouble(i);
    return fromDoubles(resultType, result->dims(), valuesOf(sums));
  }
  if (isFloat(resultType)) {
    std::vector<double> sums(static_cast<size_t>(result->numElements()), init.getDouble(0));
    for (int64_t i = 0; i < input.numElements(); ++i, advance(index, dims)) {
      double &sum = sums[flatten(index, steps)];
      sum = binaryFloat(op, sum, input.getDouble(i));
    }
    return fromDoubles(resultType, result->dims(), sums);
  }
  for (int64_t i = 0; i < result->numElements(); ++i)
    setInteger(*result, i, getInteger(init, 0));
  for (int64_t i = 0; i < input.numElements(); ++i, advance(index, dims)) {
    int64_t at = flatten(index, steps);
    setInteger(*result, at,
               binaryInteger(op, resultType, getInteger(*result, at), getInteger(input, i)));
  }
  return result;
}

Result<HostTensor> reference::map(const std::vector<HostTensor> &operands, DType resultType,
                                  const Body &body) {
  if (operands.empty())
    return Error{"map has no operands"};
  Result<HostTensor> result = HostTensor::create(resultType, operands[0].dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < result->numElements(); ++i) {
    std::vector<HostTensor> arguments;
    for (const HostTensor &operand : operands)
      arguments.push_back(scalarAt(operand, i));
    Result<std::vector<HostTensor>> value = body(arguments);
    if (!value)
      return value.error();
    copyElement(*result, i, (*value)[0], 0);
  }
  return result;
}
