#include "forge/Support/TensorSpec.h"

using namespace forge;

std::string forge::typeString(const TensorSpec &spec) {
  std::string text = "tensor<";
  for (size_t d = 0; d < spec.dims.size() - (spec.isComplex ? 1 : 0); ++d)
    text += (spec.dims[d] == TensorSpec::dynamic ? "?" : std::to_string(spec.dims[d])) + "x";
  std::string element(dtypeName(spec.type));
  return text + (spec.isComplex ? "complex<" + element + ">" : element) + ">";
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
