#include "NibbleMatrix.h"

#include "WordHalves.h"

#include "forge/Support/NibbleFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Which matrices
//===----------------------------------------------------------------------===//

static constexpr int64_t kBits = 4;

/// The constant that `op` takes as its right operand; nothing if it takes none or is null.
template <typename Op> static std::optional<int64_t> rightConstant(Op op) {
  APInt number;
  if (!op || !matchPattern(op->getOperand(1), m_ConstantInt(&number)) || number.isNegative())
    return std::nullopt;
  return number.getSExtValue();
}

static bool isIndexOf(Value value, unsigned dim) {
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == dim;
}

/// The memory of which `value` is the element at row n and column k / by; null if it is none.
static Value readOfRow(Value value, std::optional<int64_t> &by) {
  Operation *read = value.getDefiningOp();
  if (!isa_and_nonnull<tensor::ExtractOp, memref::LoadOp>(read) || read->getNumOperands() != 3 ||
      !isIndexOf(read->getOperand(1), 0))
    return {};
  auto quotient = read->getOperand(2).getDefiningOp<arith::DivUIOp>();
  by = rightConstant(quotient);
  return by && isIndexOf(quotient.getLhs(), 1) ? read->getOperand(0) : Value();
}

/// Whether `shift` is 4 (k % 8).
static bool isShiftOfNibble(Value shift) {
  auto cast = shift.getDefiningOp<arith::IndexCastOp>();
  auto bits = cast ? cast.getIn().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  auto within = bits ? bits.getLhs().getDefiningOp<arith::RemUIOp>() : arith::RemUIOp();
  return within && rightConstant(bits) == kBits && rightConstant(within) == kNibblesOfWord &&
         isIndexOf(within.getLhs(), 1);
}

static bool matchCode(Value number, NibbleMatrix &matrix) {
  auto made = number.getDefiningOp<arith::SIToFPOp>();
  auto minus = made ? made.getIn().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  std::optional<int64_t> zero = rightConstant(minus);
  auto code = minus ? minus.getLhs().getDefiningOp<arith::AndIOp>() : arith::AndIOp();
  auto down = code ? code.getLhs().getDefiningOp<arith::ShRUIOp>() : arith::ShRUIOp();
  if (!zero || *zero >= 1 << kBits || rightConstant(code) != (1 << kBits) - 1 || !down ||
      !isShiftOfNibble(down.getRhs()))
    return false;
  std::optional<int64_t> by;
  matrix.zero = *zero;
  matrix.words = readOfRow(down.getLhs(), by);
  return matrix.words && by == kNibblesOfWord &&
         getElementTypeOrSelf(matrix.words).isSignlessInteger(32);
}

static bool matchScale(Value scale, NibbleMatrix &matrix) {
  if (auto wide = scale.getDefiningOp<arith::ExtFOp>())
    scale = wide.getIn();
  std::optional<int64_t> by;
  matrix.scales = readOfRow(scale, by);
  matrix.group = by.value_or(0);
  return bool(matrix.scales);
}

std::optional<NibbleMatrix> forge::matchNibbles(linalg::GenericOp prologue) {
  if (!prologue)
    return std::nullopt;
  Value element = prologue.getBody()->getTerminator()->getOperand(0);
  if (auto rounded = element.getDefiningOp<arith::TruncFOp>())
    element = rounded.getIn();
  auto product = element.getDefiningOp<arith::MulFOp>();
  if (!product || !product.getType().isF32())
    return std::nullopt;
  NibbleMatrix matrix;
  for (unsigned code : {0u, 1u})
    if (matchCode(product->getOperand(code), matrix) &&
        matchScale(product->getOperand(1 - code), matrix))
      return matrix;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Their numbers
//===----------------------------------------------------------------------===//

/// An integer below 2^4 in the lowest bits of the mantissa of 2^7 in bf16, or 2^10 in f16, makes
/// the number 2^7, or 2^10, and the integer; what is subtracted leaves no error.
SmallVector<Value, 4> forge::unpackNibbles(ImplicitLocOpBuilder &b, Value word, int64_t zero,
                                           Type element) {
  auto i32 = [&](int64_t value) { return arith::ConstantIntOp::create(b, value, 32); };
  bool isBF16 = element.isBF16();
  double base = isBF16 ? 128 : 1024;
  auto type = VectorType::get({2}, element);
  Value offset = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getFloatAttr(element, base + static_cast<double>(zero)).getValue()));
  SmallVector<Value, 4> pairs;
  for (int64_t pair = 0; pair < kNibblesOfWord / 2; ++pair) {
    Value bits = pair ? arith::ShRUIOp::create(b, word, i32(pair * kBits)).getResult() : word;
    bits = arith::AndIOp::create(b, bits, i32(0x000f000f));
    bits = arith::OrIOp::create(b, bits, i32(isBF16 ? 0x43004300 : 0x64006400));
    Value one = vector::FromElementsOp::create(b, VectorType::get({1}, b.getI32Type()), bits);
    Value numbers = vector::BitCastOp::create(b, type, one);
    numbers = arith::SubFOp::create(b, numbers, offset);
    Value back = vector::BitCastOp::create(b, VectorType::get({1}, b.getI32Type()), numbers);
    pairs.push_back(vector::ExtractOp::create(b, back, 0));
  }
  return pairs;
}

SmallVector<Value, 4> forge::pairAsNibbles(ImplicitLocOpBuilder &b, ArrayRef<Value> words) {
  SmallVector<Value, 4> pairs;
  for (size_t word = 0; word < words.size() / 2; ++word) {
    Value near = words[word], far = words[word + words.size() / 2];
    pairs.push_back(lowHalves(b, near, far));
    pairs.push_back(highHalves(b, near, far));
  }
  return pairs;
}
