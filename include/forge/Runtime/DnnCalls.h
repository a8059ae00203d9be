// What a vendor's library of neural networks is asked for: attention, its gradients, convolutions.
// No MLIR.
#ifndef FORGE_RUNTIME_DNNCALLS_H
#define FORGE_RUNTIME_DNNCALLS_H

#include "forge/Runtime/DeviceABI.h"
#include "forge/Support/Result.h"

#include <array>
#include <compare>
#include <string>
#include <variant>
#include <vector>

namespace forge::rt {

/// An operand of a call. Sizes and strides are in elements, the outermost dimension first.
struct DnnTensor {
  forge_rt_type type = FORGE_RT_F32;
  std::vector<int64_t> sizes, strides;
  /// A result; else it is read.
  bool isWritten = false;

  /// From the first element in memory to behind the last one.
  int64_t elements() const;
};

/// out[b, h, r, c] = sum over keys t of softmax(scale * query[b, h, r] key[b, h / group, t])[t] *
/// value[b, h / group, t, c], where group = heads / keyHeads. `causal`: row r sees keys 0 to r.
/// Accumulated in f32.
struct AttentionCall {
  /// Of all four: FORGE_RT_F16 or FORGE_RT_BF16.
  forge_rt_type type = FORGE_RT_BF16;
  int64_t batch = 1, heads = 1, keyHeads = 1, rows = 1, keys = 1, depth = 1, columns = 1;
  double scale = 1;
  bool causal = false;
  /// Whether the natural logarithm of the sum of exponentials of each row, f32 [batch, heads,
  /// rows], is a result too, as for training.
  bool hasStatistics = false;
  /// In elements: from one batch, head and row (key) to the next; the last dimension is contiguous.
  /// The result is contiguous.
  using Strides = std::array<int64_t, 3>;
  Strides queryStrides{}, keyStrides{}, valueStrides{};

  auto operator<=>(const AttentionCall &) const = default;
};

/// The gradients of the queries, keys and values of an attention by the cotangent of its result,
/// from its operands, its result and the statistics of its rows. Gradients are contiguous.
struct AttentionGradientCall {
  /// `hasStatistics` is not read.
  AttentionCall attention;
  /// Of the cotangent, as of the queries. The result is contiguous.
  AttentionCall::Strides cotangentStrides{};

  auto operator<=>(const AttentionGradientCall &) const = default;
};

/// With group = channel / inputs (of the image) and channel / outputs (of the result):
/// out[n, group * outputs + o, p...] = activation(bias[group * outputs + o] + residual[n, group *
/// outputs + o, p...] + sum over i, w... of image[n, group * inputs + i, p * stride + w * dilation
/// - lowPadding...] * kernel[group * outputs + o, i, w...]). Accumulated in f32, or in f64.
struct ConvolutionCall {
  /// Of image and kernel, and of the result, bias and residual.
  forge_rt_type type = FORGE_RT_BF16, outType = FORGE_RT_BF16;
  /// Channels are those of one group.
  int64_t batch = 1, groups = 1, inputs = 1, outputs = 1;
  struct Axis {
    /// Of the image without its padding.
    int64_t size = 1;
    int64_t window = 1, stride = 1, dilation = 1, lowPadding = 0, highPadding = 0;

    /// Of the result.
    int64_t places() const {
      int64_t spanned = (window - 1) * dilation + 1, all = size + lowPadding + highPadding;
      return all < spanned ? 0 : (all - spanned) / stride + 1;
    }
    auto operator<=>(const Axis &) const = default;
  };
  /// One to three, the outermost first.
  std::vector<Axis> axes;
  /// In elements: by image and channel, by output and input channel, by image and channel; then
  /// those along the axes.
  std::vector<int64_t> imageStrides, kernelStrides, outStrides;
  bool hasBias = false, hasResidual = false;
  /// Of forge_rt_epilogue.
  int64_t activation = FORGE_RT_EPILOGUE_NONE;

  auto operator<=>(const ConvolutionCall &) const = default;
};

using DnnCall = std::variant<AttentionCall, AttentionGradientCall, ConvolutionCall>;

/// "attention, batch 4, 32 heads, 8 of keys, 4096 rows, 4096 keys, depth 128, bf16, causal";
/// "gradients of attention, ..."; "convolution, batch 32, 56x56x64 by 3x3 to 56x56x128, padding
/// 1x1, bf16, bias, relu".
std::string describe(const DnnCall &call);
/// Fails unless sizes are positive and fit, and the library has words for the types.
Result<void> check(const DnnCall &call);
/// What it reads and writes, in the order in which operands are handed over. Attention: query, key,
/// value, out [batch, heads, rows or keys, depth or columns], perhaps statistics [batch, heads,
/// rows, 1]. Gradients: query, key, value, out, cotangent, statistics, then the gradients of query,
/// key and value. Convolution: image [batch, channels, axes...], kernel [outputs, inputs, axes...],
/// perhaps bias [1, channels, 1...] and residual, out; of at least two axes.
std::vector<DnnTensor> tensorsOf(const DnnCall &call);

} // namespace forge::rt

#endif // FORGE_RUNTIME_DNNCALLS_H
