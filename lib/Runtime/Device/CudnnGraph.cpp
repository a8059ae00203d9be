#include "CudnnGraph.h"

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

int forge::rt::cudnn::dataTypeOf(forge_rt_type type) {
  switch (type) {
  case FORGE_RT_F16:
    return kHalf;
  case FORGE_RT_BF16:
    return kBFloat16;
  case FORGE_RT_F64:
    return kDouble;
  default:
    return kFloat;
  }
}

static GraphBuilder::Dims contiguousStrides(const GraphBuilder::Dims &sizes) {
  GraphBuilder::Dims strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

void *GraphBuilder::begin(int type) {
  void *made = nullptr;
  if (error.empty())
    check("making a descriptor", cudnn.createDescriptor(type, &made));
  if (made)
    graph.parts.emplace_back(made, cudnn.destroyDescriptor);
  return made;
}

void *GraphBuilder::finish(const char *what, void *descriptor) {
  if (error.empty())
    check(what, cudnn.finalize(descriptor));
  return descriptor;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void *GraphBuilder::tensor(int type, const Dims &sizes, const Dims &strides, Place place) {
  void *made = begin(kTensor);
  set(made, kTensorId, kInt64, ++lastId);
  set(made, kTensorType, kDataType, type);
  setDims(made, kTensorSizes, sizes);
  setDims(made, kTensorStrides, strides);
  set(made, kTensorAlignment, kInt64, place == Place::Host ? int64_t(4) : int64_t(16));
  set(made, kTensorIsVirtual, kBoolean, place == Place::Between);
  if (place == Place::Host)
    set(made, kTensorIsByValue, kBoolean, true);
  return finish("describing a tensor", made);
}

void *GraphBuilder::operand(const DnnTensor &of) {
  void *made = tensor(dataTypeOf(of.type), of.sizes, of.strides, Place::Memory);
  graph.operands.push_back(lastId);
  return made;
}

void *GraphBuilder::scratch(const Dims &sizes) {
  void *made = tensor(kFloat, sizes, contiguousStrides(sizes), Place::Memory);
  size_t bytes = sizeof(float);
  for (int64_t size : sizes)
    bytes *= static_cast<size_t>(size);
  graph.scratch.push_back({lastId, bytes});
  return made;
}

void *GraphBuilder::number(float value, size_t rank) {
  Dims ones(rank, 1);
  void *made = tensor(kFloat, ones, ones, Place::Host);
  graph.numbers.emplace_back(lastId, std::make_unique<float>(value));
  return made;
}

void *GraphBuilder::between(int type, const Dims &sizes) {
  return between(type, sizes, contiguousStrides(sizes));
}

void *GraphBuilder::between(int type, const Dims &sizes, const Dims &strides) {
  return tensor(type, sizes, strides, Place::Between);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void GraphBuilder::pointwise(int mode, int precision, void *x, void *b, void *t, void *y,
                             int64_t axis) {
  void *how = begin(kPointwise);
  set(how, kPointwiseMode, kPointwiseModeType, mode);
  set(how, kPointwisePrecision, kDataType, precision);
  if (axis >= 0)
    set(how, kPointwiseAxis, kInt64, axis);
  finish("describing an operation", how);
  void *made = begin(kOperationPointwise);
  setPart(made, kPointwiseDescriptor, how);
  setPart(made, kPointwiseX, x);
  if (b)
    setPart(made, kPointwiseB, b);
  if (t)
    setPart(made, kPointwiseT, t);
  setPart(made, kPointwiseY, y);
  operation(made);
}

void GraphBuilder::multiply(void *a, void *b, void *c) {
  void *how = begin(kMatmul);
  set(how, kMatmulType, kDataType, int(kFloat));
  finish("describing a product", how);
  void *made = begin(kOperationMatmul);
  setPart(made, kMatmulDescriptor, how);
  setPart(made, kMatmulA, a);
  setPart(made, kMatmulB, b);
  setPart(made, kMatmulC, c);
  operation(made);
}

void GraphBuilder::reduce(int how, void *x, void *y) {
  void *reduction = begin(kReduction);
  set(reduction, kReductionOperator, kReductionOperatorType, how);
  set(reduction, kReductionType, kDataType, int(kFloat));
  finish("describing a reduction", reduction);
  void *made = begin(kOperationReduction);
  setPart(made, kReductionDescriptor, reduction);
  setPart(made, kReductionX, x);
  setPart(made, kReductionY, y);
  operation(made);
}

void GraphBuilder::reshape(void *x, void *y) {
  void *made = begin(kOperationReshape);
  setPart(made, kReshapeX, x);
  setPart(made, kReshapeY, y);
  operation(made);
}

void GraphBuilder::convolve(const ConvolutionCall &call, const ConvolutionParts &parts) {
  bool isDouble = call.type == FORGE_RT_F64;
  Dims dilations, strides, low, high;
  auto add = [&](const ConvolutionCall::Axis &axis) {
    dilations.push_back(axis.dilation);
    strides.push_back(axis.stride);
    low.push_back(axis.lowPadding);
    high.push_back(axis.highPadding);
  };
  // As tensorsOf has them: of one axis, one of one place before it.
  if (call.axes.size() == 1)
    add({});
  for (const ConvolutionCall::Axis &axis : call.axes)
    add(axis);
  void *how = begin(kConvolution);
  set(how, kConvolutionType, kDataType, int(isDouble ? kDouble : kFloat));
  set(how, kConvolutionMode, kConvolutionModeType, int(kCrossCorrelation));
  set(how, kConvolutionAxes, kInt64, static_cast<int64_t>(strides.size()));
  setDims(how, kConvolutionDilations, dilations);
  setDims(how, kConvolutionStrides, strides);
  setDims(how, kConvolutionLowPadding, low);
  setDims(how, kConvolutionHighPadding, high);
  finish("describing a convolution", how);
  void *made = begin(kOperationConvolution);
  setPart(made, kConvolutionDescriptor, how);
  setPart(made, kConvolutionImage, parts.image);
  setPart(made, kConvolutionKernel, parts.kernel);
  setPart(made, kConvolutionOut, parts.out);
  if (isDouble) {
    set(made, kConvolutionAlpha, kDoubleNumber, 1.0);
    set(made, kConvolutionBeta, kDoubleNumber, 0.0);
  } else {
    set(made, kConvolutionAlpha, kFloatNumber, 1.0f);
    set(made, kConvolutionBeta, kFloatNumber, 0.0f);
  }
  operation(made);
}

Result<void> GraphBuilder::end(void *handle) {
  graph.graph = begin(kOperationGraph);
  if (handle)
    set(graph.graph, kGraphHandle, kHandle, handle);
  if (error.empty())
    check("setting an attribute", cudnn.set(graph.graph, kGraphOperations, kDescriptorType,
                                            static_cast<int64_t>(operations.size()),
                                            static_cast<const void *>(operations.data())));
  finish("describing the graph", graph.graph);
  return error.empty() ? Result<void>() : Result<void>(Error{error});
}

Result<OperationGraph> forge::rt::cudnn::buildGraph(const Functions &cudnn, void *handle,
                                                    const DnnCall &call) {
  if (Result<void> ok = forge::rt::check(call); !ok)
    return ok.error();
  OperationGraph graph;
  GraphBuilder builder(cudnn, graph);
  if (const auto *attention = std::get_if<AttentionCall>(&call))
    addAttention(builder, *attention);
  else if (const auto *gradient = std::get_if<AttentionGradientCall>(&call))
    addAttentionGradient(builder, *gradient);
  else
    addConvolution(builder, std::get<ConvolutionCall>(call));
  if (Result<void> done = builder.end(handle); !done)
    return done.error();
  return std::move(graph);
}
