// A Fourier transform as sizes and strides. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_FOURIER_FOURIERPROBLEM_H
#define FORGE_LIB_RUNTIME_FOURIER_FOURIERPROBLEM_H

#include "forge/Runtime/Fourier.h"

#include <vector>

namespace forge::rt {

/// A dimension: as many elements, so many numbers apart in input and output.
struct FourierDim {
  int64_t size = 0, in = 0, out = 0;
};

struct FourierProblem {
  FourierKind kind = FourierKind::Forward;
  /// Those transformed, outermost first. Of a transform from or to real numbers the last has the
  /// real tensor's size; the complex one has size / 2 + 1.
  std::vector<FourierDim> lengths;
  /// The others, outermost first, joined where one goes on where the next ends.
  std::vector<FourierDim> batch;
  /// From a real part to its imaginary part; 0 in a real tensor.
  int64_t inPart = 0, outPart = 0;

  bool isBackward() const { return kind == FourierKind::Backward || kind == FourierKind::ToReal; }
  /// The product of the lengths.
  double points() const;
};

/// Fails where the sizes do not fit each other. A transform without elements has an empty
/// `lengths`.
Result<FourierProblem> describeTransform(FourierKind kind, int64_t dims, MemRef input,
                                         MemRef output);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_FOURIER_FOURIERPROBLEM_H
