// A convolution, and what follows its sums, element by element: cuDNN fuses that into its kernel
// (NVIDIA cuDNN documentation 9.19, "Graph patterns", generic runtime fusion engine).
#include "CudnnGraph.h"

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

void forge::rt::cudnn::addConvolution(GraphBuilder &builder, const ConvolutionCall &call) {
  std::vector<DnnTensor> tensors = tensorsOf(call);
  std::vector<void *> operands;
  operands.reserve(tensors.size());
  for (const DnnTensor &tensor : tensors)
    operands.push_back(builder.operand(tensor));
  const DnnTensor &out = tensors.back();
  int precision = call.type == FORGE_RT_F64 ? kDouble : kFloat;
  size_t next = 2;
  // What is added and the activation, in this order; the last of them writes the result.
  struct Step {
    int mode;
    void *other;
  };
  std::vector<Step> steps;
  if (call.hasBias)
    steps.push_back({kAdd, operands[next++]});
  if (call.hasResidual)
    steps.push_back({kAdd, operands[next++]});
  if (call.activation != FORGE_RT_EPILOGUE_NONE)
    steps.push_back({call.activation == FORGE_RT_EPILOGUE_RELU ? kRelu : kGeluTanh, nullptr});
  auto target = [&](bool isLast) {
    return isLast ? operands.back() : builder.between(precision, out.sizes, out.strides);
  };
  void *sums = target(steps.empty());
  builder.convolve(call, {operands[0], operands[1], sums});
  for (size_t i = 0; i < steps.size(); ++i) {
    void *y = target(i + 1 == steps.size());
    builder.pointwise(steps[i].mode, precision, sums, steps[i].other, nullptr, y);
    sums = y;
  }
}
