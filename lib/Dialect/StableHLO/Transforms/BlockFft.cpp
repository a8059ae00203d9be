#include "BlockFft.h"

#include "forge/Dialect/Forge/IR/FftPasses.h"
#include "forge/Dialect/Forge/IR/Forge.h"

#include <cmath>

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Divisors are looked for up to the square root.
static constexpr int64_t kMostLength = int64_t(1) << 31;

bool stablehlo::isBlockLine(int64_t n, Type element, FftTarget target, bool isReal) {
  return target.blockBytes > 0 && n >= kLeastLine && !fftPasses(n).empty() &&
         fftLineBytes(n, element.getIntOrFloatBitWidth() / 8, isReal) <= target.blockBytes;
}

int64_t stablehlo::lineFactor(int64_t n, Type element, FftTarget target) {
  if (target.blockBytes == 0 || n > kMostLength)
    return 0;
  for (auto a = static_cast<int64_t>(std::sqrt(static_cast<double>(n))); a >= kLeastLine; --a)
    if (n % a == 0 && isBlockLine(n / a, element, target) && isBlockLine(a, element, target))
      return a;
  return 0;
}

static FftLinesOp createLines(OpBuilder &builder, Location loc, TypeRange types, ValueRange parts,
                              int64_t dim, int64_t n, int sign, double factor) {
  return FftLinesOp::create(
      builder, loc, types, parts, builder.getI64IntegerAttr(dim), builder.getI64IntegerAttr(n),
      sign > 0 ? builder.getUnitAttr() : UnitAttr(), UnitAttr(), builder.getF64FloatAttr(factor));
}

Complex stablehlo::blockLines(OpBuilder &builder, Location loc, Complex z, int64_t dim, int64_t n,
                              int sign, int64_t kept, double factor) {
  SmallVector<Value> parts{z.re};
  if (z.im)
    parts.push_back(z.im);
  SmallVector<int64_t> shape(tensorType(z.re).getShape());
  shape[dim] = kept;
  Type type = tensorType(z.re).clone(shape);
  FftLinesOp op = createLines(builder, loc, {type, type}, parts, dim, n, sign, factor);
  return {op.getResult(0), op.getResult(1)};
}

Value stablehlo::realBlockLines(OpBuilder &builder, Location loc, Complex z, int64_t dim, int64_t n,
                                double factor) {
  SmallVector<int64_t> shape(tensorType(z.re).getShape());
  shape[dim] = n;
  Type type = tensorType(z.re).clone(shape);
  FftLinesOp op = createLines(builder, loc, type, {z.re, z.im}, dim, n, /*sign=*/1, factor);
  op.setHermitian(true);
  return op.getResult(0);
}
