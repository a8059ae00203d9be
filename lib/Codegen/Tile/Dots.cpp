// Products.
#include "ThreadEmitter.h"

#include "../Hopper/Hopper.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

LogicalResult ThreadEmitter::emitDot(tile::DotOp op) {
  switch (op.getKind()) {
  case tile::DotKind::Wgmma:
    return emitWgmmaDot(op);
  case tile::DotKind::Fma:
    return isa<tile::SharedType>(op.getLhs().getType()) ? emitFmaDot(op) : emitRegisterFmaDot(op);
  default:
    return emitMatrixDot(op);
  }
}

/// 1. A warpgroup has 64 rows of every 64 times the number of warpgroups; each such part, times the
///    instruction's columns, is a struct of sums.
/// 2. For each of them, instructions of 32 bytes of terms, ascending. A factor contiguous along the
///    terms has panels of 128 bytes of them; one that is not, of 16 bits, has panels of 64 rows or
///    columns.
LogicalResult ThreadEmitter::emitWgmmaDot(tile::DotOp op) {
  if (!program.chip->warpgroupProducts)
    return op.emitOpError("expected a chip with wgmma, but got ") << program.chip->name;
  auto lhs = dyn_cast<tile::SharedType>(op.getLhs().getType());
  auto rhs = cast<tile::SharedType>(op.getRhs().getType());
  for (Value factor : {op.getLhs(), op.getRhs()})
    if (isa<tile::SharedType>(factor.getType()) && !factor.getDefiningOp<tile::GetOp>())
      return op.emitOpError("expected factors of a slot");
  if (role->firstWarp % 4 != 0 || role->warps % 4 != 0)
    return op.emitOpError("expected whole warpgroups, but got ")
           << role->warps << " warps from " << role->firstWarp << " on";
  int64_t warpgroups = role->warps / 4;
  bool acrossLeft = op.getTransposedLhs(), acrossRight = op.getTransposedRhs();
  int64_t rows = op.getType().getDimSize(0), columns = op.getType().getDimSize(1);
  int64_t width = (*op.getInstruction())[1];
  int64_t terms = rhs.getShape()[acrossRight ? 0 : 1], step = (*op.getInstruction())[2];
  int64_t bytes = rhs.getElementBytes(), perPanel = 128 / bytes;
  // Bytes between panels.
  int64_t leftPanel = lhs ? lhs.getShape()[0] * 128 : 0, rightPanel = rhs.getShape()[0] * 128;
  // Two elements a word, eight elements for 16 terms.
  SmallVector<Value> words;
  if (!lhs)
    words = packRegisters(b, registers(op.getLhs()), 2);
  Value warpgroup = warpgroups == 1 ? b.i32(0) : b.div(warp, b.i32(4));
  auto descriptorOf = [&](Value buffer, Value groupRows, int64_t row, bool across, int64_t panel) {
    // `row` and `groupRows`: of the factor as [row, term].
    Value address = b.add(sharedAddress, mapped(buffer));
    int64_t perRow = across ? 2 : 128;
    int64_t constant = across ? row / 64 * panel + row % 64 * 2 : row * perRow;
    if (groupRows)
      address = b.add(address, b.mul(groupRows, b.i32(across ? panel / 64 : perRow)));
    if (constant)
      address = b.add(address, b.i32(constant));
    return matrixDescriptor(b, address, across ? panel : 16);
  };
  auto stepped = [&](Value descriptor, int64_t term, bool across, int64_t panel) {
    return advanceDescriptor(
        b, descriptor, across ? term * 128 : term / perPanel * panel + term % perPanel * bytes);
  };
  SmallVector<Value> sums = structs(op.getAcc(), width / 2), results;
  NVVM::WgmmaFenceAlignedOp::create(b);
  int64_t perPass = 64 * warpgroups, number = 0;
  for (int64_t row = 0; row < rows; row += perPass)
    for (int64_t column = 0; column < columns; column += width) {
      Value left;
      if (lhs)
        left = descriptorOf(op.getLhs(), warpgroups == 1 ? Value() : b.mul(warpgroup, b.i32(64)),
                            row, acrossLeft, leftPanel);
      Value right = descriptorOf(op.getRhs(), Value(), column, acrossRight, rightPanel);
      Value sum = sums[number++];
      for (int64_t term = 0; term < terms; term += step) {
        Value rightTerm = stepped(right, term, acrossRight, rightPanel);
        size_t first = (row / perPass * terms + term) / 4;
        sum = lhs ? emitWgmma(b, sum, stepped(left, term, acrossLeft, leftPanel), rightTerm, width,
                              lhs.getElementType(), rhs.getElementType(), acrossLeft, acrossRight)
                  : emitWgmma(b, sum, ValueRange(words).slice(first, 4), rightTerm, width,
                              rhs.getElementType(), acrossRight);
      }
      results.push_back(sum);
    }
  NVVM::WgmmaGroupSyncAlignedOp::create(b);
  tiles[op].structs = std::move(results);
  return success();
}

/// A loop over the terms: each register's element is a * b + the sum so far, rounded once.
LogicalResult ThreadEmitter::emitFmaDot(tile::DotOp op) {
  auto lhs = cast<tile::SharedType>(op.getLhs().getType()),
       rhs = cast<tile::SharedType>(op.getRhs().getType());
  RankedTensorType type = op.getType();
  Type element = type.getElementType();
  tile::LayoutAttr layout = layoutOf(type);
  SmallVector<Value> offsets = threadOffsets(layout), sums = registers(op.getAcc());
  auto viewOf = [&](Value buffer, tile::SharedType shared) {
    return sharedView(mapped(buffer), shared.getElementType(),
                      shared.getBytes() / shared.getElementBytes());
  };
  Value left = viewOf(op.getLhs(), lhs), right = viewOf(op.getRhs(), rhs);
  int64_t terms = lhs.getShape()[op.getTransposedLhs() ? 0 : 1];
  auto loop = scf::ForOp::create(b, index(0), index(terms), index(1), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    // Elements of this term, by their place along the accumulator's dimension.
    std::map<int64_t, Value> known[2];
    auto elementOf = [&](unsigned dim, int64_t at) {
      Value &value = known[dim][at];
      if (value)
        return value;
      SmallVector<Value> coordinates{addIndex(offsets[dim], at), loop.getInductionVar()};
      if (dim == 0 ? op.getTransposedLhs() : op.getTransposedRhs())
        std::swap(coordinates[0], coordinates[1]);
      Value number = sharedElement(dim == 0 ? lhs : rhs, coordinates);
      value = widen(memref::LoadOp::create(b, dim == 0 ? left : right, number), element);
      return value;
    };
    SmallVector<Value> next;
    for (auto [reg, sum] : llvm::enumerate(loop.getRegionIterArgs())) {
      SmallVector<int64_t> at = layout.getCoordinates(type.getShape(), static_cast<int64_t>(reg));
      next.push_back(multiplyAdd(elementOf(0, at[0]), elementOf(1, at[1]), sum));
    }
    scf::YieldOp::create(b, next);
  }
  tiles[op].registers = llvm::to_vector_of<Value>(loop.getResults());
  return success();
}
