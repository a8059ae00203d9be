// Code for the threads of a block, written as lambdas: index arithmetic that folds constants,
// loops, branches and barriers.
#ifndef FORGE_LIB_CODEGEN_GENERIC_LOOPEMITTER_H
#define FORGE_LIB_CODEGEN_GENERIC_LOOPEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace forge {

class LoopEmitter {
protected:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Values = llvm::SmallVector<mlir::Value>;

  /// Inserts before `root`, which the code replaces.
  explicit LoopEmitter(mlir::Operation *root) : builder(root), loc(root->getLoc()), root(root) {}

  Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value number(int64_t value) {
    return mlir::arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
  }
  template <typename Op> Value make(Value x, Value y) {
    return builder.createOrFold<Op>(loc, x, y);
  }
  Value compare(mlir::arith::CmpIPredicate predicate, Value x, Value y) {
    return builder.createOrFold<mlir::arith::CmpIOp>(loc, predicate, x, y);
  }
  Value toI32(Value index) {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
  }
  Value toIndex(Value value) {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
  }
  Value load(Value buffer, Value at) {
    return mlir::memref::LoadOp::create(builder, loc, buffer, at);
  }
  void store(Value value, Value buffer, Value at) {
    mlir::memref::StoreOp::create(builder, loc, value, buffer, at);
  }
  void barrier() { mlir::gpu::BarrierOp::create(builder, loc); }

  using Body = llvm::function_ref<Values(Value, ValueRange)>;

  Values loop(Value from, Value to, Value step, ValueRange carried, Body body) {
    auto made = mlir::scf::ForOp::create(builder, loc, from, to, step, carried);
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (carried.empty())
      builder.setInsertionPoint(made.getBody()->getTerminator());
    else
      builder.setInsertionPointToStart(made.getBody());
    Values next = body(made.getInductionVar(), made.getRegionIterArgs());
    if (!carried.empty())
      mlir::scf::YieldOp::create(builder, loc, next);
    return Values(made.getResults());
  }
  void loop(Value from, Value to, Value step, llvm::function_ref<void(Value)> body) {
    loop(from, to, step, {}, [&](Value counter, ValueRange) {
      body(counter);
      return Values();
    });
  }

  void branch(Value condition, llvm::function_ref<void()> body) {
    auto made = mlir::scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.thenBlock());
    body();
  }
  /// What `body` makes, or `others` where `condition` is false.
  Values branch(Value condition, ValueRange others, llvm::function_ref<Values()> body) {
    auto made = mlir::scf::IfOp::create(builder, loc, others.getTypes(), condition, /*else=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.thenBlock());
    mlir::scf::YieldOp::create(builder, loc, body());
    builder.setInsertionPointToStart(made.elseBlock());
    mlir::scf::YieldOp::create(builder, loc, others);
    return Values(made.getResults());
  }

  /// The number of bits of the least power of two that is at least `value`.
  Value log2Ceil(Value value) {
    if (std::optional<int64_t> known = mlir::getConstantIntValue(value))
      return constant(llvm::Log2_64_Ceil(std::max<int64_t>(*known, 1)));
    Value last =
        make<mlir::arith::SubIOp>(make<mlir::arith::MaxUIOp>(value, constant(1)), constant(1));
    last = mlir::arith::IndexCastOp::create(builder, loc, builder.getI64Type(), last);
    Value zeros = mlir::math::CountLeadingZerosOp::create(builder, loc, last);
    return make<mlir::arith::SubIOp>(constant(64), toIndex(zeros));
  }

  /// The remainder of `value` by a power of two.
  Value lowBits(Value value, Value power) {
    return make<mlir::arith::AndIOp>(value, make<mlir::arith::SubIOp>(power, constant(1)));
  }

  /// The last extent's coordinate is the remainder, and so on outwards.
  Values delinearize(Value position, llvm::ArrayRef<Value> extents) {
    Values coordinates(extents.size());
    for (size_t i = extents.size(); i-- > 0;) {
      coordinates[i] = i ? make<mlir::arith::RemUIOp>(position, extents[i]) : position;
      if (i)
        position = make<mlir::arith::DivUIOp>(position, extents[i]);
    }
    return coordinates;
  }

  Value product(llvm::ArrayRef<Value> extents) {
    Value result = constant(1);
    for (Value extent : extents)
      result = make<mlir::arith::MulIOp>(result, extent);
    return result;
  }

  /// `value` of the replaced code, for the counters that `mapping` knows.
  Value remap(Value value, mlir::IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    mlir::Operation *op = value.getDefiningOp();
    if (!op || !root->isAncestor(op))
      return value;
    mlir::Operation *clone = cloneHere(op, mapping);
    return clone->getResult(mlir::cast<mlir::OpResult>(value).getResultNumber());
  }

  mlir::Operation *cloneHere(mlir::Operation *op, mlir::IRMapping &mapping) {
    op->walk([&](mlir::Operation *inner) {
      for (Value operand : inner->getOperands())
        if (mlir::Operation *made = operand.getDefiningOp(); !made || !op->isAncestor(made))
          if (!mlir::isa<mlir::BlockArgument>(operand) ||
              !op->isAncestor(mlir::cast<mlir::BlockArgument>(operand).getOwner()->getParentOp()))
            if (!mapping.contains(operand))
              if (Value known = remap(operand, mapping); known != operand)
                mapping.map(operand, known);
    });
    return builder.clone(*op, mapping);
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Operation *root;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_LOOPEMITTER_H
