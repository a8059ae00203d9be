// The compiled functions of a decoder, wherever they come from. No MLIR.
#ifndef FORGE_GENERATE_DECODERCODE_H
#define FORGE_GENERATE_DECODERCODE_H

#include "forge/Support/KeptResults.h"
#include "forge/Support/ModuleSignature.h"
#include "forge/Support/TensorSource.h"

#include <span>

namespace forge {

/// `@decode`, one prefill or more and perhaps `@sample`, as importDecoder
/// (forge/Import/HuggingFace.h) describes them, compiled for one device, and tensors that stay
/// where they are read.
class DecoderCode {
public:
  /// The number of a function: that of `@decode`, of a prefill from `FirstPrefill` on, or, behind
  /// these, of one that draws tokens.
  using Function = size_t;
  static constexpr Function Decode = 0, FirstPrefill = 1;

  virtual ~DecoderCode() = default;

  virtual size_t numFunctions() const = 0;
  /// With the names of arguments that are no weights.
  virtual const ModuleSignature &signature(Function function) const = 0;
  /// Copies a tensor to where the functions read it; its number.
  virtual Result<size_t> keep(const TensorSource &source) = 0;
  /// Gives a kept tensor other elements, of the same type and shape.
  virtual Result<void> write(size_t tensor, HostTensor elements) = 0;
  /// Begins a run on kept tensors: those whose argument is donated may be overwritten. Per result
  /// `kept` has the number of the argument that is this result from then on, perhaps with
  /// `kAlsoGiven`, none, or `kDroppedResult`; results with none are given, and those with that.
  /// Runs are done in the order in which they are begun, and all else waits for them.
  virtual Result<void> begin(Function function, std::span<const size_t> arguments,
                             std::span<const std::optional<size_t>> kept) = 0;
  /// Waits for the run that was begun first of those that have not been waited for: its results.
  virtual Result<std::vector<HostTensor>> finish() = 0;
  /// Both.
  Result<std::vector<HostTensor>> run(Function function, std::span<const size_t> arguments,
                                      std::span<const std::optional<size_t>> kept) {
    Result<void> begun = begin(function, arguments, kept);
    return begun ? finish() : Result<std::vector<HostTensor>>(begun.error());
  }
  /// Whether `begin` returns before the run has ended, so that it pays to begin a run early.
  virtual bool runsBehind() const { return false; }
  /// Bytes a second that the device's memory gives one who reads `bytes`; 0 where that is not
  /// known.
  virtual double memoryRate(uint64_t /*bytes*/) { return 0; }
};

} // namespace forge

#endif // FORGE_GENERATE_DECODERCODE_H
