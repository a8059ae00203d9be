// Numbers in narrow formats, and gates that are clamped.
#include "CallCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;

namespace forge::transformer {

Value Graph::clampedGate(Value gate, Value up, double alpha, double limit) {
  CallCheck check(*this, "clampedGate");
  check.present(gate, "gate").floats(gate, "gate").present(up, "up");
  if (check)
    check.shape(up, "up", typeOf(gate).getShape()).elementOf(up, "up", gate);
  check.require(std::isfinite(alpha), "expected a finite alpha");
  if (!check.require(limit > 0 && std::isfinite(limit), "expected a finite limit above 0"))
    return {};
  auto numbers = [&](double value) -> Value {
    Value number =
        arith::ConstantOp::create(b, b.getFloatAttr(typeOf(gate).getElementType(), value));
    return tensor::SplatOp::create(b, number, tensor::getMixedSizes(b, b.getLoc(), gate));
  };
  gate = arith::MinimumFOp::create(b, gate, numbers(limit));
  up = arith::MinimumFOp::create(b, up, numbers(limit));
  up = add(arith::MaximumFOp::create(b, up, numbers(-limit)), numbers(1));
  Value share = activation(ActivationKind::Sigmoid, scaled(gate, alpha));
  return multiply(up, multiply(gate, share));
}

namespace {
/// Numbers that MXFP4's codes, tensors of i32, are, in f32: by comparisons alone, exact on every
/// target.
class Mxfp4Numbers {
public:
  Mxfp4Numbers(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape) : b(b), shape(shape) {}

  /// E2M1 in the low four bits: sign, two bits of exponent, one of mantissa.
  Value elements(Value codes) {
    Value magnitudes = both(codes, 7);
    Value numbers =
        arith::SIToFPOp::create(b, RankedTensorType::get(shape, b.getF32Type()), magnitudes);
    numbers = arith::MulFOp::create(b, numbers, reals(0.5));
    for (auto [code, value] : {std::pair(5, 3.0), std::pair(6, 4.0), std::pair(7, 6.0)}) {
      Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, magnitudes, integers(code));
      numbers = arith::SelectOp::create(b, is, reals(value), numbers);
    }
    return arith::SelectOp::create(b, isSet(codes, 3), arith::NegFOp::create(b, numbers), numbers);
  }

  /// 2^(code - 127): a product of powers by the code's bits, the greatest last.
  Value scales(Value codes) {
    Value powers;
    for (int bit = 0; bit < 7; ++bit) {
      Value factors =
          arith::SelectOp::create(b, isSet(codes, bit), reals(std::ldexp(1.0, 1 << bit)), reals(1));
      powers = powers ? arith::MulFOp::create(b, powers, factors).getResult() : factors;
    }
    Value last =
        arith::SelectOp::create(b, isSet(codes, 7), reals(2), reals(std::ldexp(1.0, -127)));
    return arith::MulFOp::create(b, powers, last);
  }

private:
  Value splat(Attribute value, Type element) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(RankedTensorType::get(shape, element), value));
  }
  Value integers(int64_t value) {
    return splat(b.getI32IntegerAttr(static_cast<int32_t>(value)), b.getI32Type());
  }
  Value reals(double value) {
    return splat(b.getF32FloatAttr(static_cast<float>(value)), b.getF32Type());
  }
  Value both(Value codes, int64_t mask) { return arith::AndIOp::create(b, codes, integers(mask)); }
  Value isSet(Value codes, int bit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, both(codes, int64_t(1) << bit),
                                 integers(0));
  }

  ImplicitLocOpBuilder &b;
  ArrayRef<int64_t> shape;
};
} // namespace

/// i8 as numbers from 0 to 255 of i32.
static Value unsignedBytes(ImplicitLocOpBuilder &b, Value bytes) {
  return arith::ExtUIOp::create(b, typeOf(bytes).clone(b.getI32Type()), bytes);
}

static Value broadcastTo(ImplicitLocOpBuilder &b, Value input, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> added) {
  Value empty = tensor::EmptyOp::create(b, shape, typeOf(input).getElementType());
  return linalg::BroadcastOp::create(b, input, empty, added)->getResult(0);
}

/// 1. Bytes [..., N / 32, 16, 2], the last dimension for their halves, which are shifted down.
/// 2. These codes as numbers, times their scales.
/// 3. The last dimensions, as they are in memory, are N.
Value Graph::fromMxfp4(Value blocks, Value scales, Type element) {
  CallCheck check(*this, "fromMxfp4", blocks);
  check.rankAtLeast(blocks, "blocks", 2).present(scales, "scales");
  for (Value value : {blocks, scales})
    check.require(!value || (typeOf(value).hasStaticShape() &&
                             typeOf(value).getElementType().isSignlessInteger(8)),
                  "expected blocks and scales of i8 and of static shape");
  if (!check)
    return {};
  SmallVector<int64_t> shape(typeOf(blocks).getShape());
  check.require(shape.back() == 16, "expected blocks of 16 bytes, but got " + Twine(shape.back()));
  check.shape(scales, "scales", ArrayRef<int64_t>(shape).drop_back());
  if (!check.require(element && isa<FloatType>(element), "expected numbers of a float type"))
    return {};
  shape.push_back(2);
  auto rank = static_cast<int64_t>(shape.size());
  Value bytes = broadcastTo(b, unsignedBytes(b, blocks), shape, {rank - 1});
  Value shifts = arith::ConstantOp::create(
      b,
      DenseElementsAttr::get(RankedTensorType::get({2}, b.getI32Type()), ArrayRef<int32_t>{0, 4}));
  auto leading = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  Value codes = arith::ShRUIOp::create(b, bytes, broadcastTo(b, shifts, shape, leading));
  Value powers = Mxfp4Numbers(b, typeOf(scales).getShape()).scales(unsignedBytes(b, scales));
  Value numbers = arith::MulFOp::create(b, Mxfp4Numbers(b, shape).elements(codes),
                                        broadcastTo(b, powers, shape, {rank - 2, rank - 1}));
  RankedTensorType type = typeOf(numbers).clone(element);
  if (element.getIntOrFloatBitWidth() > 32)
    numbers = arith::ExtFOp::create(b, type, numbers);
  else if (!element.isF32())
    numbers = arith::TruncFOp::create(b, type, numbers);
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank - 3; ++dim)
    groups.push_back({dim});
  groups.push_back({rank - 3, rank - 2, rank - 1});
  return tensor::CollapseShapeOp::create(b, numbers, groups);
}

Value Graph::dequantized(Value weights, const Quantization &quantization, Type element) {
  SmallVector<int64_t> block(typeOf(weights).getRank(), 1);
  block[block.size() - 2] = quantization.block->first;
  block[block.size() - 1] = quantization.block->second;
  return DequantizeOp::create(b, typeOf(weights).clone(element), weights, quantization.scale,
                              quantization.zeroPoint, /*axis=*/IntegerAttr(),
                              b.getDenseI64ArrayAttr(block));
}

} // namespace forge::transformer
