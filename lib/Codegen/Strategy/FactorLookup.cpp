#include "FactorLookup.h"

#include "ProductFollow.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;

static bool isRead(Operation *op) { return isa<tensor::ExtractOp, memref::LoadOp>(op); }

/// Operations of the body of `op` that `number` is computed of, in their order; nothing if they
/// need more than the first loop's index.
static std::optional<SmallVector<Operation *>> computationOf(linalg::GenericOp op, Value number) {
  SetVector<Value> needed;
  needed.insert(number);
  SmallVector<Operation *> found;
  for (Operation &inner : llvm::reverse(op.getBody()->without_terminator())) {
    if (!llvm::any_of(inner.getResults(), [&](Value value) { return needed.contains(value); }))
      continue;
    auto index = dyn_cast<linalg::IndexOp>(inner);
    bool isScalar = isRead(&inner) ||
                    (inner.getNumRegions() == 0 && isa<arith::ArithDialect>(inner.getDialect()));
    if (index ? index.getDim() != 0 : !isScalar)
      return std::nullopt;
    needed.insert_range(inner.getOperands());
    found.push_back(&inner);
  }
  if (llvm::any_of(op.getBody()->getArguments(),
                   [&](Value element) { return needed.contains(element); }))
    return std::nullopt;
  std::reverse(found.begin(), found.end());
  return found;
}

std::optional<FactorLookup> forge::lookupOf(Value factor) {
  linalg::GenericOp op = onlyWriter(factor);
  if (!op || op.getNumDpsInits() != 1 || op.getNumReductionLoops() > 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  Operation *read = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!read || !isRead(read) || read->getBlock() != op.getBody())
    return std::nullopt;
  ValueRange place = read->getOperands().drop_front();
  if (place.size() != op.getNumLoops() || place.empty())
    return std::nullopt;
  for (auto [loop, at] : llvm::enumerate(place)) {
    auto index = at.getDefiningOp<linalg::IndexOp>();
    if (loop > 0 && !(index && index.getDim() == loop))
      return std::nullopt;
  }
  FactorLookup lookup{op, read->getOperand(0), place.front()};
  auto made = cast<ShapedType>(factor.getType()), table = cast<ShapedType>(lookup.table.getType());
  if (!made.hasStaticShape() || !table.hasStaticShape() ||
      made.getShape().drop_front() != table.getShape().drop_front() ||
      isa_and_nonnull<linalg::IndexOp>(lookup.number.getDefiningOp()) ||
      !computationOf(op, lookup.number))
    return std::nullopt;
  return lookup;
}

Value FactorLookup::emitNumber(OpBuilder &builder, Value index) const {
  IRMapping mapping;
  std::optional<SmallVector<Operation *>> operations = computationOf(op, number);
  for (Operation *inner : *operations)
    if (isa<linalg::IndexOp>(inner))
      mapping.map(inner->getResult(0), index);
    else
      builder.clone(*inner, mapping);
  return mapping.lookupOrDefault(number);
}

std::optional<unsigned> forge::readTable(const ProductAxes &axes, ProductOperand &operand,
                                         const FactorLookup &lookup) {
  std::optional<OperandView> view = viewOf(lookup.table);
  if (!view)
    return std::nullopt;
  ProductOperand table{lookup.table, *view, {}, operand.places};
  std::optional<unsigned> looked;
  for (ProductOperand::Place &place : table.places) {
    if (place.inWindow)
      return std::nullopt;
    if (llvm::is_contained(place.dims, 0u)) {
      if (place.dims.size() > 1 || axes.axes[place.axis].role != AxisRole::Batch)
        return std::nullopt;
      looked = place.axis;
    }
    ArrayRef<unsigned> dims = place.dims;
    for (auto [outer, inner] : llvm::zip(dims, dims.drop_front()))
      if (!view->isContinued(outer, inner))
        return std::nullopt;
    place.stride = view->stride(place.dims.back());
  }
  if (looked)
    operand = std::move(table);
  return looked;
}
