#include "Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge::contraction {

namespace {

class Filler {
public:
  Filler(IndexBuilder &ib, const Panel &panel)
      : ib(ib), panel(panel), pairs(panel.unit.isInteger(32)) {
    if (!panel.made)
      return;
    vectors.emplace(*panel.made, panel.lanes);
    scalars.emplace(*panel.made, 1);
  }

  void emit() {
    if (panel.strideRow.is(1))
      return emitContiguousRows();
    emitTransposing();
  }

private:
  Index targetAt(Index unitK, Index row) {
    return ib.add(ib.add(panel.targetStart, ib.mul(unitK, panel.width)), row);
  }

  /// Bits of bf16 moved into an i32.
  Value bits(Value bf16) {
    auto retype = [&](Type element) -> Type {
      if (auto vector = dyn_cast<VectorType>(bf16.getType()))
        return vector.cloneWith(std::nullopt, element);
      return element;
    };
    Value raw = ib.make<arith::BitcastOp>(retype(ib.b.getI16Type()), bf16);
    return ib.make<arith::ExtUIOp>(retype(ib.b.getI32Type()), raw);
  }

  Value pair(Value low, Value high) {
    Value shift;
    if (auto vector = dyn_cast<VectorType>(low.getType()))
      shift = splat(ib, vector.cloneWith(std::nullopt, ib.b.getI32Type()), 16);
    else
      shift = ib.make<arith::ConstantIntOp>(ib.b.getI32Type(), 16);
    return ib.make<arith::OrIOp>(bits(low), ib.make<arith::ShLIOp>(bits(high), shift));
  }

  /// 1. For every k (or pair of k): vectors of neighbours along the rows, masked at the operand's
  ///    edge.
  /// 2. Stored whole where the panel is that wide, masked in its last vector.
  void emitContiguousRows() {
    Type element = cast<MemRefType>(panel.source.getType()).getElementType();
    auto type = VectorType::get({panel.lanes}, element);
    int64_t vectors = llvm::divideCeil(panel.width, panel.lanes);
    SmallVector<Value> masks;
    for (int64_t v = 0; v < vectors; ++v)
      masks.push_back(firstLanes(ib, panel.lanes, ib.sub(panel.rows, ib.of(v * panel.lanes))));
    Index units = pairs ? ib.ceilDiv(panel.sizeK, ib.of(2)) : panel.sizeK;
    ib.loop(ib.of(0), units, 1, [&](Index unitK) {
      Index k = pairs ? ib.mul(unitK, 2) : unitK;
      Value last;
      if (pairs)
        last = ib.less(ib.add(k, 1), panel.sizeK);
      for (int64_t v = 0; v < vectors; ++v) {
        Index from = ib.add(ib.add(panel.start, ib.mul(k, panel.strideK)), v * panel.lanes);
        Value vector = loadMasked(ib, type, panel.source, from, masks[v]);
        if (pairs) {
          Value none = splat(ib, cast<VectorType>(masks[v].getType()), 0);
          Value mask = ib.make<arith::SelectOp>(last, masks[v], none);
          vector =
              pair(vector, loadMasked(ib, type, panel.source, ib.add(from, panel.strideK), mask));
        } else {
          vector = widen(ib, vector, panel.unit);
        }
        Index to = targetAt(unitK, ib.of(v * panel.lanes));
        int64_t left = panel.width - v * panel.lanes;
        if (left >= panel.lanes)
          storeVector(ib, vector, panel.target, to);
        else
          storeMasked(ib, vector, panel.target, to, firstLanes(ib, panel.lanes, ib.of(left)));
      }
    });
  }

  /// Elements of an operand that is computed: a vector along k, or one.
  Value make(const MadeLanes &lanes, Type type, Index row, Index k) {
    return lanes.emit(ib, *panel.memory, ib.add(panel.firstRow, row), ib.add(panel.firstK, k),
                      type);
  }

  Value unitFrom(Index at, Value hasSecond) {
    Value first = loadScalar(ib, panel.source, at);
    if (!pairs)
      return widen(ib, first, panel.unit);
    Value zero = ib.make<arith::ConstantOp>(ib.b.getFloatAttr(first.getType(), 0));
    if (!hasSecond)
      return pair(first, loadScalar(ib, panel.source, ib.add(at, panel.strideK)));
    return pair(first, zero);
  }

  Value unitZero() {
    if (isa<FloatType>(panel.unit))
      return ib.make<arith::ConstantOp>(ib.b.getFloatAttr(panel.unit, 0));
    return ib.make<arith::ConstantOp>(ib.b.getIntegerAttr(panel.unit, 0));
  }

  Index sourceAt(Index row, Index unitK) {
    Index k = pairs ? ib.mul(unitK, 2) : unitK;
    return ib.add(ib.add(panel.start, ib.mul(row, panel.strideRow)), ib.mul(k, panel.strideK));
  }

  /// Units [begin, end) one by one:
  /// 1. Chunks of 64 units along k, which keep the written lines of the panel in the first cache.
  /// 2. In a chunk, row after row: read along k, written with the panel's stride. Rows that do not
  ///    exist are zeros.
  void transposeScalars(Index begin, Index end) {
    constexpr int64_t chunk = 64;
    ib.loop(begin, end, chunk, [&](Index from) {
      Index to = ib.min(ib.add(from, chunk), end);
      ib.loop(ib.of(0), panel.rows, 1, [&](Index row) {
        ib.loop(from, to, 1, [&](Index k) {
          Value unit =
              scalars ? make(*scalars, panel.unit, row, k) : unitFrom(sourceAt(row, k), Value());
          storeScalar(ib, unit, panel.target, targetAt(k, row));
        });
      });
      ib.loop(panel.rows, ib.of(panel.width), 1, [&](Index row) {
        ib.loop(from, to, 1,
                [&](Index k) { storeScalar(ib, unitZero(), panel.target, targetAt(k, row)); });
      });
    });
  }

  /// Square blocks of lanes x lanes units, from row `row` and unit k on, turned in registers.
  void transposeBlock(Index k, int64_t row) {
    int64_t lanes = panel.lanes, present = std::min(lanes, panel.width - row);
    auto unitType = VectorType::get({lanes}, panel.unit);
    Type element = vectors ? panel.unit : cast<MemRefType>(panel.source.getType()).getElementType();
    auto sourceType = VectorType::get({pairs ? 2 * lanes : lanes}, element);
    SmallVector<Value> rows;
    for (int64_t r = 0; r < lanes; ++r) {
      if (r >= present) {
        rows.push_back(splat(ib, unitType, 0));
        continue;
      }
      if (vectors) {
        rows.push_back(make(*vectors, unitType, ib.of(row + r), k));
        continue;
      }
      Value v = loadVector(ib, sourceType, panel.source, sourceAt(ib.of(row + r), k));
      rows.push_back(pairs ? ib.make<vector::BitCastOp>(unitType, v).getResult()
                           : widen(ib, v, panel.unit));
    }
    transposeSquare(ib, rows);
    for (int64_t j = 0; j < lanes; ++j) {
      Index to = targetAt(ib.add(k, j), ib.of(row));
      if (present == lanes)
        storeVector(ib, rows[j], panel.target, to);
      else
        storeMasked(ib, rows[j], panel.target, to, firstLanes(ib, lanes, ib.of(present)));
    }
  }

  /// Whole panels of an operand that is contiguous along k go by square blocks, the rest one by
  /// one.
  void emitTransposing() {
    Index whole = pairs ? ib.div(panel.sizeK, ib.of(2)) : panel.sizeK;
    if (panel.strideK.is(1)) {
      Value full = ib.make<arith::CmpIOp>(arith::CmpIPredicate::eq, ib.value(panel.rows),
                                          ib.value(ib.of(panel.width)));
      ib.ifThenElse(
          full,
          [&] {
            Index blocks = ib.mul(ib.div(whole, ib.of(panel.lanes)), panel.lanes);
            ib.loop(ib.of(0), blocks, panel.lanes, [&](Index k) {
              for (int64_t row = 0; row < panel.width; row += panel.lanes)
                transposeBlock(k, row);
            });
            transposeScalars(blocks, whole);
          },
          [&] { transposeScalars(ib.of(0), whole); });
    } else {
      transposeScalars(ib.of(0), whole);
    }
    transposeOddUnit(whole);
  }

  /// The last k of an odd number, alone in its pair.
  void transposeOddUnit(Index whole) {
    if (!pairs || (panel.sizeK.number && *panel.sizeK.number % 2 == 0))
      return;
    Index odd = ib.rem(panel.sizeK, ib.of(2));
    ib.loop(ib.of(0), odd, 1, [&](Index) {
      ib.loop(ib.of(0), panel.rows, 1, [&](Index row) {
        Value single = unitFrom(sourceAt(row, whole), unitZero());
        storeScalar(ib, single, panel.target, targetAt(whole, row));
      });
      ib.loop(panel.rows, ib.of(panel.width), 1,
              [&](Index row) { storeScalar(ib, unitZero(), panel.target, targetAt(whole, row)); });
    });
  }

  IndexBuilder &ib;
  const Panel &panel;
  bool pairs;
  std::optional<MadeLanes> vectors, scalars;
};

} // namespace

void emitFillPanel(IndexBuilder &ib, const Panel &panel) { Filler(ib, panel).emit(); }

} // namespace forge::contraction
