#include "forge/Dialect/StableHLO/IR/BlockMatrices.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Each tensor of a block begins at a multiple of 16 bytes.
static constexpr int64_t kBytesBetween = 2 * 16;

static bool fitsBlock(int64_t rows, int64_t numbers, Type type, int64_t blockBytes) {
  int64_t bytes = type.isF64() ? 8 : 4;
  return isa<FloatType>(type) && rows >= stablehlo::kLeastBlockRows &&
         rows <= stablehlo::kMostBlockRows && numbers * bytes + kBytesBetween <= blockBytes;
}

bool stablehlo::canBlockFactor(int64_t rows, Type type, int64_t blockBytes) {
  // The matrix, and a panel of it.
  auto whole = static_cast<int64_t>(llvm::alignTo(std::max<int64_t>(rows, 0), kPanelRows));
  int64_t numbers = whole * (whole + kBankPadding) + whole * (kPanelRows + kBankPadding);
  return fitsBlock(rows, numbers, type, blockBytes);
}

bool stablehlo::canBlockSolve(int64_t rows, Type type, int64_t blockBytes) {
  // The matrix and right-hand sides.
  auto whole = static_cast<int64_t>(llvm::alignTo(std::max<int64_t>(rows, 0), kPanelRows));
  return fitsBlock(rows, whole * (whole + kBlockColumns + 2 * kBankPadding), type, blockBytes);
}
