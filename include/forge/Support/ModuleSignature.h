// What a compiled shared object says of itself, as text: what it takes and gives, for which target,
// and how exact its results are. No MLIR.
#ifndef FORGE_SUPPORT_MODULESIGNATURE_H
#define FORGE_SUPPORT_MODULESIGNATURE_H

#include "forge/Support/TensorSpec.h"

#include <optional>
#include <string>
#include <vector>

namespace forge {

/// How far a result may be from another correct execution, as estimated from the module: see
/// Tolerance in forge/Verify/Compare.h.
struct ResultTolerance {
  double absolute = 0;
  double ofScale = 0;
  uint64_t ulp = 0;
  std::string basis;
};

/// What a weight is of a matrix [N, K] that is quantised as it is read.
struct QuantizedMatrix {
  enum class Part {
    Values,       ///< [N, K] of i8
    Scales,       ///< of its rows, [N] of f32
    Nibbles,      ///< words of eight elements (forge/Support/NibbleFormat.h)
    NibbleScales, ///< of groups of a row, of bf16
    FloatValues,  ///< [N, K] of f8E4M3FN
    FloatScales   ///< of its rows, [N] of f32
  };
  Part part = Part::Values;
  /// The matrix as it is stored: two static sizes, of f32, f16 or bf16.
  TensorSpec stored;

  /// What is made of it.
  TensorSpec made() const;
};

/// "values of tensor<4x8xbf16>", "scales of ...", "nibbles of ...", "nibble-scales of ...",
/// "f8-values of ...", "f8-scales of ...".
std::string quantizedText(const QuantizedMatrix &matrix);
/// The inverse; none where the text is no such thing.
std::optional<QuantizedMatrix> parseQuantized(std::string_view text);

/// A tensor of a checkpoint file. Neither name is empty or holds control characters.
struct WeightSource {
  std::string file, tensor;
  /// Where the tensor is not taken as it is stored.
  std::optional<QuantizedMatrix> quantized = std::nullopt;
};

struct ModuleSignature {
  FunctionSignature function;
  /// "cpu", "cuda:sm_90a".
  std::string target = "cpu";
  /// One per result, or none.
  std::vector<ResultTolerance> tolerances;
  /// Per argument the weight it is, or none.
  std::vector<std::optional<WeightSource>> weights;
  /// Per argument what it is called, of letters, digits, `_` and `.`, or "".
  std::vector<std::string> names = {};
  /// Of its weights, what a run reads of them: of tables single rows, of experts those that tokens
  /// are sent to. 0 where nobody has said.
  uint64_t weightBytesRead = 0;
};

/// Lines, each ending in a newline:
///   function main
///   target cuda:sm_90a
///   [reads WEIGHTBYTES]
///   argument tensor<?x33xf32> [donated] [name NAME] [weight TENSOR<tab>FILE[<tab>QUANTISED]]
///   result tensor<2x3xbf16> [tolerance ABSOLUTE OFSCALE ULP BASIS...]
/// QUANTISED as quantizedText writes it.
std::string writeSignature(const ModuleSignature &signature);

/// The inverse. Fails with the line it does not understand.
Result<ModuleSignature> parseSignature(std::string_view text);

/// What a function takes besides its weights.
FunctionSignature withoutWeights(const FunctionSignature &signature,
                                 const std::vector<std::optional<WeightSource>> &sources);

} // namespace forge

#endif // FORGE_SUPPORT_MODULESIGNATURE_H
