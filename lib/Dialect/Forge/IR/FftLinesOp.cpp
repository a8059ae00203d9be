// Fourier transforms that a GPU's blocks compute.
#include "forge/Dialect/Forge/IR/FftPasses.h"
#include "forge/Dialect/Forge/IR/Forge.h"

#include <map>

using namespace mlir;
using namespace forge;

using Passes = SmallVector<int64_t>;

static const Passes &passesOf(int64_t length, std::map<int64_t, Passes> &known) {
  auto [entry, isNew] = known.try_emplace(length);
  Passes &best = entry->second;
  if (!isNew)
    return best;
  auto isBetter = [&](size_t count, int64_t largest) {
    return best.empty() || count < best.size() || (count == best.size() && largest < best.front());
  };
  for (int64_t radix = std::min(kMostRadix, length); radix > 1; --radix) {
    if (length % radix != 0)
      continue;
    Passes rest = radix == length ? Passes() : passesOf(length / radix, known);
    if (radix != length && rest.empty())
      continue;
    int64_t largest = rest.empty() ? radix : std::max(radix, rest.front());
    if (!isBetter(rest.size() + 1, largest))
      continue;
    rest.push_back(radix);
    llvm::sort(rest, std::greater<>());
    best = rest;
  }
  return best;
}

SmallVector<int64_t> forge::fftPasses(int64_t length) {
  std::map<int64_t, Passes> known;
  return length < 2 ? Passes() : passesOf(length, known);
}

int64_t forge::fftLineBytes(int64_t length, int64_t bytesOfPart, bool isReal) {
  bool arePairs = isReal && areFftPairs(length);
  if (arePairs)
    length /= 2;
  // What puts pairs apart reads what the last pass wrote.
  int64_t written = static_cast<int64_t>(fftPasses(length).size()) - (arePairs ? 0 : 1);
  int64_t buffers = std::min<int64_t>(written, 2);
  return buffers * 2 * bytesOfPart * (length + length / kFftPadding);
}

LogicalResult FftLinesOp::verify() {
  auto areAlike = [](TypeRange types) {
    return (types.size() == 1 || types.size() == 2) && llvm::all_equal(types) &&
           cast<RankedTensorType>(types.front()).hasStaticShape() &&
           !llvm::is_contained(cast<RankedTensorType>(types.front()).getShape(), 0);
  };
  if (!areAlike(getParts().getTypes()) || !areAlike(getTransformed().getTypes()))
    return emitOpError(
        "expected one or two tensors of one static type with elements as operands and as results");
  auto in = cast<RankedTensorType>(getParts().front().getType());
  auto out = cast<RankedTensorType>(getTransformed().front().getType());
  auto dim = static_cast<int64_t>(getDim()), length = static_cast<int64_t>(getLength());
  if (in.getElementType() != out.getElementType() || in.getRank() != out.getRank())
    return emitOpError("expected results of rank and element type of ")
           << in << ", but got " << out;
  if (dim < 0 || dim >= in.getRank())
    return emitOpError("expected a dimension of ") << in << ", but got " << dim;
  if (fftPasses(length).empty())
    return emitOpError(
               "expected a length of at least 2 whose prime factors are at most 13, but got ")
           << length;
  for (int64_t other = 0; other < in.getRank(); ++other)
    if (other != dim && in.getDimSize(other) != out.getDimSize(other))
      return emitOpError("sizes of dimension ") << other << " do not fit: " << in << " and " << out;
  int64_t from = in.getDimSize(dim), to = out.getDimSize(dim);
  if (getHermitian() ? from != length / 2 + 1 : from < 1 || from > length)
    return emitOpError("expected ")
           << (getHermitian() ? length / 2 + 1 : length) << (getHermitian() ? "" : " or fewer")
           << " numbers in a line, but got " << from;
  if (to < 1 || to > length)
    return emitOpError("expected results of 1 to ")
           << length << " numbers in a line, but got " << to;
  return success();
}
