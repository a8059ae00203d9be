#include "forge/Runtime/DnnCalls.h"

using namespace forge;
using namespace forge::rt;

int64_t DnnTensor::elements() const {
  int64_t last = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    last += (sizes[i] - 1) * strides[i];
  return last + 1;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static const char *nameOf(int64_t type) {
  static const char *const names[] = {"f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f64"};
  return names[type];
}

static std::string attentionText(const AttentionCall &call) {
  auto number = [](int64_t size) { return std::to_string(size); };
  return "attention, batch " + number(call.batch) + ", " + number(call.heads) + " heads" +
         (call.keyHeads != call.heads ? ", " + number(call.keyHeads) + " of keys" : "") + ", " +
         number(call.rows) + " rows, " + number(call.keys) + " keys, depth " + number(call.depth) +
         (call.columns != call.depth ? ", " + number(call.columns) + " columns" : "") + ", " +
         nameOf(call.type) + (call.causal ? ", causal" : "");
}

/// "56x56", of a number of each axis.
template <typename Number>
static std::string sizesText(const ConvolutionCall &call, const Number &number) {
  std::string text;
  for (const ConvolutionCall::Axis &axis : call.axes)
    text += (text.empty() ? "" : "x") + number(axis);
  return text;
}

/// ", stride 2x2"; empty where it is `usual` along all axes.
static std::string optionText(const ConvolutionCall &call, const char *name,
                              int64_t ConvolutionCall::Axis::*member, int64_t usual) {
  for (const ConvolutionCall::Axis &axis : call.axes)
    if (axis.*member != usual)
      return std::string(", ") + name + " " +
             sizesText(call, [&](const auto &each) { return std::to_string(each.*member); });
  return "";
}

static std::string paddingText(const ConvolutionCall &call) {
  bool isEven = true, isPadded = false;
  for (const ConvolutionCall::Axis &axis : call.axes) {
    isEven &= axis.lowPadding == axis.highPadding;
    isPadded |= axis.lowPadding != 0 || axis.highPadding != 0;
  }
  auto both = [&](const ConvolutionCall::Axis &axis) {
    std::string low = std::to_string(axis.lowPadding);
    return isEven ? low : low + "+" + std::to_string(axis.highPadding);
  };
  return isPadded ? ", padding " + sizesText(call, both) : "";
}

static std::string convolutionText(const ConvolutionCall &call) {
  using Axis = ConvolutionCall::Axis;
  auto number = [](int64_t size) { return std::to_string(size); };
  std::string text = "convolution, batch " + number(call.batch) + ", " +
                     sizesText(call, [&](const Axis &axis) { return number(axis.size); }) + " of " +
                     number(call.groups * call.inputs) + " channels by " +
                     sizesText(call, [&](const Axis &axis) { return number(axis.window); }) +
                     " to " +
                     sizesText(call, [&](const Axis &axis) { return number(axis.places()); }) +
                     " of " + number(call.groups * call.outputs);
  if (call.groups != 1)
    text += ", " + number(call.groups) + " groups";
  text += optionText(call, "stride", &Axis::stride, 1) +
          optionText(call, "dilation", &Axis::dilation, 1) + paddingText(call) + ", " +
          nameOf(call.type);
  if (call.outType != call.type)
    text += std::string(" -> ") + nameOf(call.outType);
  if (call.hasResidual)
    text += ", residual";
  if (call.hasBias)
    text += ", bias";
  if (call.activation == FORGE_RT_EPILOGUE_RELU)
    text += ", relu";
  if (call.activation == FORGE_RT_EPILOGUE_GELU_TANH)
    text += ", gelu_tanh";
  return text;
}

std::string forge::rt::describe(const DnnCall &call) {
  if (const auto *attention = std::get_if<AttentionCall>(&call))
    return attentionText(*attention) + (attention->hasStatistics ? ", statistics" : "");
  if (const auto *gradient = std::get_if<AttentionGradientCall>(&call))
    return "gradients of " + attentionText(gradient->attention);
  return convolutionText(std::get<ConvolutionCall>(call));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Result<void> checkAttention(const AttentionCall &call) {
  if (call.type != FORGE_RT_F16 && call.type != FORGE_RT_BF16)
    return Error{"expected an attention of f16 or bf16"};
  for (int64_t size :
       {call.batch, call.heads, call.keyHeads, call.rows, call.keys, call.depth, call.columns})
    if (size < 1)
      return Error{"expected sizes of at least 1, but got a " + attentionText(call)};
  if (call.heads % call.keyHeads != 0)
    return Error{"expected heads that are a multiple of those of keys, but got a " +
                 attentionText(call)};
  return {};
}

static Result<void> checkConvolution(const ConvolutionCall &call) {
  auto isKnown = [](forge_rt_type type) {
    return type == FORGE_RT_F32 || type == FORGE_RT_F16 || type == FORGE_RT_BF16 ||
           type == FORGE_RT_F64;
  };
  if (!isKnown(call.type) || !isKnown(call.outType))
    return Error{"expected a convolution of f16, bf16, f32 or f64"};
  size_t dims = call.axes.size() + 2;
  if (dims < 3 || dims > 5 || call.imageStrides.size() != dims ||
      call.kernelStrides.size() != dims || call.outStrides.size() != dims)
    return Error{"expected a convolution along one to three axes, and strides of each"};
  bool isPositive = call.batch > 0 && call.groups > 0 && call.inputs > 0 && call.outputs > 0;
  for (const ConvolutionCall::Axis &axis : call.axes) {
    isPositive &= axis.size > 0 && axis.window > 0 && axis.stride > 0 && axis.dilation > 0;
    isPositive &= axis.lowPadding >= 0 && axis.highPadding >= 0;
    isPositive = isPositive && axis.places() > 0;
  }
  if (!isPositive)
    return Error{"expected sizes of at least 1, and padding of at least 0, but got a " +
                 convolutionText(call)};
  return {};
}

Result<void> forge::rt::check(const DnnCall &call) {
  if (const auto *attention = std::get_if<AttentionCall>(&call))
    return checkAttention(*attention);
  if (const auto *gradient = std::get_if<AttentionGradientCall>(&call))
    return checkAttention(gradient->attention);
  return checkConvolution(std::get<ConvolutionCall>(call));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static DnnTensor tensorOf(forge_rt_type type, std::array<int64_t, 4> sizes,
                          const AttentionCall::Strides &strides, bool isWritten = false) {
  return {type, {sizes.begin(), sizes.end()}, {strides[0], strides[1], strides[2], 1}, isWritten};
}

/// The same, all elements one behind the other.
static DnnTensor contiguous(forge_rt_type type, std::array<int64_t, 4> sizes, bool isWritten) {
  auto [batch, heads, rows, columns] = sizes;
  return tensorOf(type, sizes, {heads * rows * columns, rows * columns, columns}, isWritten);
}

static std::vector<DnnTensor> factorsOf(const AttentionCall &call) {
  return {
      tensorOf(call.type, {call.batch, call.heads, call.rows, call.depth}, call.queryStrides),
      tensorOf(call.type, {call.batch, call.keyHeads, call.keys, call.depth}, call.keyStrides),
      tensorOf(call.type, {call.batch, call.keyHeads, call.keys, call.columns}, call.valueStrides)};
}

static DnnTensor resultOf(const AttentionCall &call, bool isWritten) {
  return contiguous(call.type, {call.batch, call.heads, call.rows, call.columns}, isWritten);
}

static DnnTensor statisticsOf(const AttentionCall &call, bool isWritten) {
  return contiguous(FORGE_RT_F32, {call.batch, call.heads, call.rows, 1}, isWritten);
}

static std::vector<DnnTensor> gradientTensors(const AttentionGradientCall &call) {
  const AttentionCall &of = call.attention;
  std::vector<DnnTensor> tensors = factorsOf(of);
  tensors.push_back(resultOf(of, /*isWritten=*/false));
  tensors.push_back(
      tensorOf(of.type, {of.batch, of.heads, of.rows, of.columns}, call.cotangentStrides));
  tensors.push_back(statisticsOf(of, /*isWritten=*/false));
  for (std::array<int64_t, 4> sizes : {std::array{of.batch, of.heads, of.rows, of.depth},
                                       std::array{of.batch, of.keyHeads, of.keys, of.depth},
                                       std::array{of.batch, of.keyHeads, of.keys, of.columns}})
    tensors.push_back(contiguous(of.type, sizes, /*isWritten=*/true));
  return tensors;
}

/// A convolution along one axis is one along two, the outer of one place.
static void addAxis(DnnTensor &tensor) {
  if (tensor.sizes.size() > 3)
    return;
  tensor.sizes.insert(tensor.sizes.begin() + 2, 1);
  tensor.strides.insert(tensor.strides.begin() + 2, tensor.sizes[3] * tensor.strides[2]);
}

static std::vector<DnnTensor> convolutionTensors(const ConvolutionCall &call) {
  std::vector<int64_t> image{call.batch, call.groups * call.inputs},
      kernel{call.groups * call.outputs, call.inputs}, out{call.batch, call.groups * call.outputs};
  for (const ConvolutionCall::Axis &axis : call.axes) {
    image.push_back(axis.size);
    kernel.push_back(axis.window);
    out.push_back(axis.places());
  }
  std::vector<DnnTensor> tensors{{call.type, image, call.imageStrides},
                                 {call.type, kernel, call.kernelStrides}};
  if (call.hasBias) {
    std::vector<int64_t> bias(out.size(), 1), strides(out.size(), 1);
    bias[1] = strides[0] = out[1];
    tensors.push_back({call.outType, bias, strides});
  }
  if (call.hasResidual)
    tensors.push_back({call.outType, out, call.outStrides});
  tensors.push_back({call.outType, out, call.outStrides, /*isWritten=*/true});
  for (DnnTensor &tensor : tensors)
    addAxis(tensor);
  return tensors;
}

std::vector<DnnTensor> forge::rt::tensorsOf(const DnnCall &call) {
  if (const auto *gradient = std::get_if<AttentionGradientCall>(&call))
    return gradientTensors(*gradient);
  if (const auto *convolution = std::get_if<ConvolutionCall>(&call))
    return convolutionTensors(*convolution);
  const auto &attention = std::get<AttentionCall>(call);
  std::vector<DnnTensor> tensors = factorsOf(attention);
  tensors.push_back(resultOf(attention, /*isWritten=*/true));
  if (attention.hasStatistics)
    tensors.push_back(statisticsOf(attention, /*isWritten=*/true));
  return tensors;
}
