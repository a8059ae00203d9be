// The Fourier transform that a library computes.
#include "forge/Dialect/Forge/IR/Forge.h"

#include "mlir/IR/Builders.h"

#include "forge/Dialect/Forge/IR/ForgeEnums.cpp.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/Forge/IR/ForgeOps.cpp.inc"

using namespace mlir;
using namespace forge;

LogicalResult FftOp::verify() {
  auto in = cast<ShapedType>(getInput().getType()), out = cast<ShapedType>(getOutput().getType());
  if (in.getElementType() != out.getElementType())
    return emitOpError("expected operands of one element type, but got ") << in << " and " << out;
  bool isTensor = isa<TensorType>(in);
  if (isTensor != isa<TensorType>(out) || (getNumResults() == 1) != isTensor)
    return emitOpError("expected two tensors and a result, or two memrefs and none");
  if (isTensor && getResult().getType() != out)
    return emitOpError("expected a result of type ") << out;
  bool fromReal = getKind() == FftKind::rfft, toReal = getKind() == FftKind::irfft;
  int64_t dims = static_cast<int64_t>(getDims());
  int64_t rank = in.getRank() - (fromReal ? 0 : 1);
  if (out.getRank() - (toReal ? 0 : 1) != rank || dims < 1 || dims > 3 || dims > rank)
    return emitOpError("expected 1 to 3 dimensions of operands of one rank, but got ")
           << dims << " of " << in << " and " << out;
  if ((!fromReal && in.getShape().back() != 2) || (!toReal && out.getShape().back() != 2))
    return emitOpError("expected complex numbers as a last dimension of 2, but got ")
           << in << " and " << out;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t from = in.getDimSize(dim), to = out.getDimSize(dim);
    if (ShapedType::isDynamic(from) || ShapedType::isDynamic(to))
      continue;
    bool isHalved = dim == rank - 1 && (fromReal || toReal);
    int64_t whole = toReal ? to : from, half = toReal ? from : to;
    if (isHalved ? half != (whole == 0 ? half : whole / 2 + 1) : from != to)
      return emitOpError("sizes of dimension ") << dim << " do not fit: " << in << " and " << out;
  }
  return success();
}

void FftOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!isa<MemRefType>(getInput().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getOutputMutable());
}

//===----------------------------------------------------------------------===//
// Bufferization: the output is only written

bool FftOp::bufferizesToMemoryRead(OpOperand &operand, const bufferization::AnalysisState &) {
  return operand == getInputMutable();
}

bool FftOp::bufferizesToMemoryWrite(OpOperand &operand, const bufferization::AnalysisState &) {
  return operand == getOutputMutable();
}

bufferization::AliasingValueList FftOp::getAliasingValues(OpOperand &operand,
                                                          const bufferization::AnalysisState &) {
  if (operand == getOutputMutable() && getResult())
    return {{getResult(), bufferization::BufferRelation::Equivalent}};
  return {};
}

LogicalResult FftOp::bufferize(RewriterBase &rewriter,
                               const bufferization::BufferizationOptions &options,
                               bufferization::BufferizationState &state) {
  if (!getResult())
    return success();
  FailureOr<Value> input = bufferization::getBuffer(rewriter, getInput(), options, state);
  FailureOr<Value> output = bufferization::getBuffer(rewriter, getOutput(), options, state);
  if (failed(input) || failed(output))
    return failure();
  FftOp::create(rewriter, getLoc(), TypeRange(), getKind(), getDims(), *input, *output);
  bufferization::replaceOpWithBufferizedValues(rewriter, *this, *output);
  return success();
}
