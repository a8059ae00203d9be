// Index arithmetic and loop nests, for the ops that are lowered to plain loops.
#ifndef FORGE_CONVERSION_UTILS_INDEXBUILDER_H
#define FORGE_CONVERSION_UTILS_INDEXBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {

struct IndexBuilder {
  using Value = mlir::Value;
  mlir::OpBuilder &b;
  mlir::Location loc;

  Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value).getResult();
  }
  Value add(Value x, Value y) { return b.createOrFold<mlir::arith::AddIOp>(loc, x, y); }
  Value sub(Value x, Value y) { return b.createOrFold<mlir::arith::SubIOp>(loc, x, y); }
  Value mul(Value x, Value y) { return b.createOrFold<mlir::arith::MulIOp>(loc, x, y); }
  Value add(Value x, int64_t y) { return y == 0 ? x : add(x, constant(y)); }
  Value mul(Value x, int64_t y) { return y == 1 ? x : mul(x, constant(y)); }
  Value min(Value x, Value y) { return b.createOrFold<mlir::arith::MinSIOp>(loc, x, y); }
  Value max(Value x, Value y) { return b.createOrFold<mlir::arith::MaxSIOp>(loc, x, y); }
  Value less(Value x, Value y) {
    return b.createOrFold<mlir::arith::CmpIOp>(loc, mlir::arith::CmpIPredicate::slt, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return b.createOrFold<mlir::arith::SelectOp>(loc, condition, x, y);
  }
  /// The coordinates of element `number` of static `sizes`, the last of which counts fastest.
  llvm::SmallVector<Value> delinearize(Value number, llvm::ArrayRef<int64_t> sizes) {
    llvm::SmallVector<Value> coordinates(sizes.size());
    for (size_t i = sizes.size(); i-- > 1;) {
      coordinates[i] = b.createOrFold<mlir::arith::RemUIOp>(loc, number, constant(sizes[i]));
      number = b.createOrFold<mlir::arith::DivUIOp>(loc, number, constant(sizes[i]));
    }
    if (!sizes.empty())
      coordinates[0] = number;
    return coordinates;
  }
  Value read(Value tensor, mlir::ValueRange position) {
    return mlir::tensor::ExtractOp::create(b, loc, tensor, position);
  }
  Value write(Value scalar, Value tensor, mlir::ValueRange position) {
    return mlir::tensor::InsertOp::create(b, loc, scalar, tensor, position);
  }

  /// What a loop's body makes of its counters and of the values it carries.
  using Body = llvm::function_ref<llvm::SmallVector<Value>(IndexBuilder, mlir::ValueRange,
                                                           mlir::ValueRange)>;

  /// Sequential loops, the first outermost, from `lower` up to `upper` by ones. Returns what is
  /// carried out of them; without any loop, what `body` makes once.
  llvm::SmallVector<Value> loops(mlir::ValueRange lower, mlir::ValueRange upper,
                                 mlir::ValueRange carried, Body body) {
    llvm::SmallVector<Value> steps(lower.size(), constant(1));
    auto nest = mlir::scf::buildLoopNest(b, loc, lower, upper, steps, carried,
                                         [&](mlir::OpBuilder &inner, mlir::Location l,
                                             mlir::ValueRange counters, mlir::ValueRange values) {
                                           llvm::SmallVector<Value> next =
                                               body(IndexBuilder{inner, l}, counters, values);
                                           return mlir::scf::ValueVector(next.begin(), next.end());
                                         });
    return {nest.results.begin(), nest.results.end()};
  }
  /// Loops from zero.
  llvm::SmallVector<Value> loops(mlir::ValueRange upper, mlir::ValueRange carried, Body body) {
    llvm::SmallVector<Value> lower(upper.size(), constant(0));
    return loops(lower, upper, carried, body);
  }
  /// Loops from zero, at least one, whose steps write places of their own and read nothing that
  /// others write.
  llvm::SmallVector<Value> independentLoops(mlir::ValueRange upper, mlir::ValueRange carried,
                                            Body body) {
    llvm::SmallVector<Value> results = loops(upper, carried, body);
    auto loop = results.front().getDefiningOp<mlir::scf::ForOp>();
    for (size_t depth = 0; depth < upper.size(); ++depth) {
      loop->setAttr("forge.independent", b.getUnitAttr());
      if (depth + 1 < upper.size())
        loop = *loop.getOps<mlir::scf::ForOp>().begin();
    }
    return results;
  }
  /// A loop from zero, at least one step, within independent loops: the threads of a block share
  /// its steps, and wait for each other behind it.
  llvm::SmallVector<Value> sharedLoop(Value upper, mlir::ValueRange carried, Body body) {
    llvm::SmallVector<Value> results = loops(upper, carried, body);
    results.front().getDefiningOp()->setAttr("forge.shared", b.getUnitAttr());
    return results;
  }
  /// What `body` makes of `values` where `condition` holds, else `values`.
  llvm::SmallVector<Value> when(Value condition, mlir::ValueRange values,
                                llvm::function_ref<llvm::SmallVector<Value>(IndexBuilder)> body) {
    auto branch = mlir::scf::IfOp::create(
        b, loc, condition,
        [&](mlir::OpBuilder &inner, mlir::Location l) {
          mlir::scf::YieldOp::create(inner, l, body(IndexBuilder{inner, l}));
        },
        [&](mlir::OpBuilder &inner, mlir::Location l) {
          mlir::scf::YieldOp::create(inner, l, values);
        });
    return llvm::SmallVector<Value>(branch.getResults());
  }
};

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_INDEXBUILDER_H
