#include "WindowLowering.h"

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge;
using stablehlo::WindowDim;

Value forge::createPadded(ConversionPatternRewriter &rewriter, const TypeConverter &converter,
                          Location loc, Value operand, Value value, ArrayRef<WindowDim> window) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> low, high, interior, shape;
  for (auto [size, w] : llvm::zip(type.getShape(), window)) {
    low.push_back(w.padLow);
    high.push_back(w.padHigh);
    interior.push_back(w.baseDilation - 1);
    shape.push_back(*stablehlo::paddedSize(size, w)); // fits, or countWindows had refused it
  }
  Value padded = stablehlo::PadOp::create(
      rewriter, loc, type.clone(shape), operand, value, rewriter.getDenseI64ArrayAttr(low),
      rewriter.getDenseI64ArrayAttr(high), rewriter.getDenseI64ArrayAttr(interior));
  return converter.materializeTargetConversion(rewriter, loc,
                                               converter.convertType(padded.getType()), padded);
}

Operation *forge::getWideCombiner(Region &body) {
  Operation *combiner = getSingleCombiner(body);
  if (!combiner || !isa<stablehlo::AddOp, stablehlo::MulOp>(combiner))
    return nullptr;
  return isNarrowFloat(getElementTypeOrSelf(body.getArgument(0).getType())) ? combiner : nullptr;
}

FailureOr<SmallVector<Value>> forge::emitCombiner(OpBuilder &builder, Region &body, ValueRange args,
                                                  Operation *wide) {
  if (!wide)
    return emitScalarRegion(builder, body, args);
  Type f32 = builder.getF32Type();
  Value element = castFloat(builder, wide->getLoc(), args[1], f32);
  return SmallVector<Value>{emitScalarOp(builder, wide, {args[0], element}, {f32, f32}, f32)};
}
