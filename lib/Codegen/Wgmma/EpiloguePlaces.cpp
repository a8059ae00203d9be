// Where the elements of a chunk of an epilogue are in the results, and what puts them elsewhere.
#include "WgmmaEpilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

Value WgmmaEpilogue::position(unsigned dim, int64_t column) {
  Value out = product.results().front();
  auto type = cast<MemRefType>(out.getType());
  auto extentOf = [&](unsigned of) -> Value {
    if (type.isDynamicDim(of))
      return b.toI32(memref::DimOp::create(b, out, of));
    return b.i32(type.getDimSize(of));
  };
  for (const ProductOperand::Place &at : product.axes().out.places) {
    const auto *found = llvm::find(at.dims, dim);
    if (found == at.dims.end())
      continue;
    const auto *tileDim = llvm::find(dimAxes, std::optional(at.axis));
    Value position = splat(place[at.axis]);
    if (tileDim != dimAxes.end()) {
      int64_t number = tileDim - dimAxes.begin();
      Value within =
          tile::IotaOp::create(b, chunkType(b.getI32Type()), b.getI64IntegerAttr(number));
      position = arith::AddIOp::create(b, position, within);
      if (number + 1 == static_cast<int64_t>(extents.size()) && column)
        position = arith::AddIOp::create(b, position, splat(b.i32(column)));
      if (!isDivided(number))
        position = arith::MinUIOp::create(b, position, splat(b.sub(sizes[at.axis], b.i32(1))));
    }
    // The dimensions within change faster.
    Value within;
    for (unsigned inner : ArrayRef(at.dims).drop_front(found - at.dims.begin() + 1))
      within = within ? b.mul(within, extentOf(inner)) : extentOf(inner);
    if (within)
      position = arith::DivUIOp::create(b, position, splat(within));
    return found == at.dims.begin()
               ? position
               : arith::RemUIOp::create(b, position, splat(extentOf(dim))).getResult();
  }
  return splat(b.i32(0));
}

Value WgmmaEpilogue::evaluate(AffineExpr expr, int64_t column) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return position(dim.getPosition(), column);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return splat(b.i32(constant.getValue()));
  auto both = cast<AffineBinaryOpExpr>(expr);
  Value left = evaluate(both.getLHS(), column), right = evaluate(both.getRHS(), column);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, left, right);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, left, right);
  case AffineExprKind::Mod:
    return arith::RemUIOp::create(b, left, right);
  case AffineExprKind::FloorDiv:
    return arith::DivUIOp::create(b, left, right);
  default:
    return arith::CeilDivUIOp::create(b, left, right);
  }
}

PlacementOnTiles WgmmaEpilogue::beginPlacement(int64_t chunk) {
  Value values = product.results().front();
  auto type = cast<MemRefType>(values.getType());
  ArrayRef<unsigned> columnDims = product.axes().out.places.back().dims;
  PlacedTile placed;
  placed.place = chunk % apartParts();
  int64_t columns = sizeOf(*product.tiled.column), stride = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (llvm::is_contained(columnDims, dim))
      continue;
    Value part = position(dim, 0);
    if (stride > 1)
      part = arith::MulIOp::create(b, part, splat(b.i32(stride)));
    placed.row = placed.row ? arith::AddIOp::create(b, placed.row, part).getResult() : part;
    stride *= type.getDimSize(dim);
  }
  if (!placed.row)
    placed.row = splat(b.i32(0));
  // Without an axis of rows the first is the only one.
  auto numberOf = [&](unsigned dim, int64_t from) -> Value {
    Value within = tile::IotaOp::create(b, chunkType(b.getI32Type()), b.getI64IntegerAttr(dim));
    if (!dimAxes[dim])
      return within;
    return arith::AddIOp::create(b, within, splat(b.add(place[*dimAxes[dim]], b.i32(from))));
  };
  placed.column = numberOf(dimAxes.size() - 1, columnOf(chunk));
  for (auto [dim, axis] : llvm::enumerate(dimAxes)) {
    if (axis && isDivided(dim))
      continue;
    bool isColumn = dim + 1 == dimAxes.size();
    Value number = numberOf(dim, isColumn ? columnOf(chunk) : 0);
    Value end = splat(axis ? sizes[*axis] : b.i32(1));
    Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, end);
    placed.isInside =
        placed.isInside ? arith::AndIOp::create(b, placed.isInside, isBelow).getResult() : isBelow;
  }
  PlacementOnTiles made(b, *product.placement, values, columns, placed);
  made.begin();
  return made;
}

void WgmmaEpilogue::finishPlacements(ArrayRef<Value> values, int64_t lastChunk) {
  int64_t first = lastChunk + 1 - apartParts();
  for (int64_t part = 0; part < apartParts(); ++part)
    placements[first + part].finish([&](int64_t number) { return values[number]; });
}
