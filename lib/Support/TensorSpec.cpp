#include "forge/Support/TensorSpec.h"

using namespace forge;

std::string forge::typeString(const TensorSpec &spec) {
  std::string text = "tensor<";
  for (int64_t size : spec.dims)
    text += (size == TensorSpec::dynamic ? std::string("?") : std::to_string(size)) + "x";
  text += dtypeName(spec.type);
  return text + ">";
}

/// Compares one input with what the function takes.
static Result<void> checkInput(size_t index, const TensorSpec &spec, const HostTensor &input) {
  std::string argument = "argument " + std::to_string(index);
  if (input.type() != spec.type)
    return Error{argument + ": expected element type " + std::string(dtypeName(spec.type)) +
                 " of " + typeString(spec) + ", but got " + typeString(input)};
  if (input.dims().size() != spec.dims.size())
    return Error{argument + ": expected rank " + std::to_string(spec.dims.size()) + " of " +
                 typeString(spec) + ", but got rank " + std::to_string(input.dims().size()) +
                 " of " + typeString(input)};
  for (size_t dim = 0; dim < spec.dims.size(); ++dim)
    if (spec.dims[dim] != TensorSpec::dynamic && spec.dims[dim] != input.dims()[dim])
      return Error{argument + ", dimension " + std::to_string(dim) + ": expected size " +
                   std::to_string(spec.dims[dim]) + " of " + typeString(spec) + ", but got size " +
                   std::to_string(input.dims()[dim]) + " of " + typeString(input)};
  return {};
}

Result<void> forge::checkInputs(const FunctionSignature &signature,
                                const std::vector<HostTensor> &inputs) {
  if (inputs.size() != signature.arguments.size())
    return Error{"expected " + std::to_string(signature.arguments.size()) + " inputs of function " +
                 signature.name + ", but got " + std::to_string(inputs.size())};
  for (size_t index = 0; index < inputs.size(); ++index)
    if (Result<void> result = checkInput(index, signature.arguments[index], inputs[index]); !result)
      return result;
  return {};
}
