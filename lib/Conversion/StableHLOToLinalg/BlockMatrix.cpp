#include "BlockSolve.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;
using namespace forge;
using stablehlo::kBankPadding;
using stablehlo::kPanelRows;

BlockMatrix::BlockMatrix(Value tensor, bool transposed, bool reversed)
    : tensor(tensor), transposed(transposed), reversed(reversed) {
  auto type = cast<RankedTensorType>(tensor.getType());
  size = type.getShape().back();
  whole = static_cast<int64_t>(llvm::alignTo(size, kPanelRows));
  wide = getComputeType(type.getElementType());
}

Value BlockMatrix::numberInTensor(IndexBuilder in, Value i) const {
  Value last = in.constant(size - 1);
  if (!reversed)
    return whole == size ? i : in.min(i, last);
  Value number = in.sub(last, i);
  return whole == size ? number : in.max(number, in.constant(0));
}

Value BlockMatrix::isBehind(IndexBuilder in, Value i) const {
  return whole == size ? Value() : in.less(in.constant(size - 1), i);
}

void BlockMatrix::visit(IndexBuilder in, Value step, Visit body) const {
  Value panel = in.constant(kPanelRows);
  Value outer = in.b.createOrFold<arith::DivUIOp>(in.loc, step, panel);
  Value first = in.b.createOrFold<arith::RemUIOp>(in.loc, step, panel);
  for (int64_t from = 0; from < whole; from += kPanelRows) {
    Value inner = in.add(first, from);
    body(in, transposed ? inner : outer, transposed ? outer : inner);
  }
}

Value BlockMatrix::read(IndexBuilder in, ValueRange batch) const {
  Matrix matrix{SmallVector<Value>(batch), transposed};
  Value memory = tensor::EmptyOp::create(in.b, in.loc, {whole, whole + kBankPadding}, wide);
  auto step = [&](IndexBuilder s, ValueRange at, ValueRange carried) {
    SmallVector<std::array<Value, 3>> elements;
    visit(s, at[0], [&](IndexBuilder v, Value row, Value column) {
      Value element =
          readWide(v, tensor, matrix.at(numberInTensor(v, row), numberInTensor(v, column)));
      if (whole != size) {
        ScalarBuilder scalar(v.b, v.loc);
        Value isOutside = scalar.op<arith::OrIOp>(isBehind(v, row), isBehind(v, column));
        Value isDiagonal = scalar.cmp(arith::CmpIPredicate::eq, row, column);
        Value identity = v.select(isDiagonal, scalar.real(wide, 1), scalar.real(wide, 0));
        element = v.select(isOutside, identity, element);
      }
      elements.push_back({row, column, element});
    });
    Value into = carried[0];
    for (auto [row, column, element] : elements)
      into = s.write(element, into, {row, column});
    return SmallVector<Value>{into};
  };
  return in.sharedLoop(steps(in), memory, step).front();
}

Value forge::reciprocal(IndexBuilder in, Value x) {
  Value one = ScalarBuilder(in.b, in.loc).realLike(x, 1);
  return arith::DivFOp::create(in.b, in.loc, one, x);
}

Value forge::subtractProduct(IndexBuilder in, Value a, Value x, Value y) {
  Value negative = arith::NegFOp::create(in.b, in.loc, x);
  return math::FmaOp::create(in.b, in.loc, negative, y, a);
}

Value forge::overBlocks(IndexBuilder ib, ArrayRef<Value> extents, Value target,
                        llvm::function_ref<Value(IndexBuilder, ValueRange, Value)> body) {
  bool isOne = llvm::all_of(extents, [](Value extent) { return isConstantIntValue(extent, 1); });
  auto step = [&](IndexBuilder in, ValueRange at, ValueRange carried) {
    return SmallVector<Value>{body(in, at, carried[0])};
  };
  if (!isOne)
    return ib.independentLoops(extents, target, step).front();
  // A loop of one step would be taken for code of the host, or of all threads.
  auto first = [&](IndexBuilder in, ValueRange at, ValueRange carried) {
    SmallVector<Value> zeros(extents.size(), in.constant(0));
    return in.when(in.less(at[0], in.constant(1)), carried,
                   [&](IndexBuilder inner) { return step(inner, zeros, carried); });
  };
  return ib.independentLoops(ib.constant(2), target, first).front();
}
