// Operations between devices, of a module that one device runs.
#include "Collectives.h"

#include "forge/Dialect/StableHLO/IR/Collectives.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Fails, at `op`, unless `devices` are all the device 0. `name`: of the attribute.
static LogicalResult checkDevices(Operation *op, StringRef name, DenseIntElementsAttr devices) {
  for (int64_t device : devices.getValues<int64_t>())
    if (device != 0 && device != -1)
      return op->emitError() << "expected no device but 0 in " << name << ", but got " << device
                             << ": modules for several devices are not supported";
  return success();
}

/// Zeros of `type`; null, with an error at `op`, where its size is known only at run time.
static Value createZeros(OpBuilder &builder, Operation *op, RankedTensorType type) {
  if (!type.hasStaticShape()) {
    op->emitError() << "expected a static shape for the zeros of a device that receives nothing, "
                       "but got "
                    << type;
    return nullptr;
  }
  DenseElementsAttr zeros;
  if (auto complex = dyn_cast<ComplexType>(type.getElementType())) {
    APFloat zero(cast<FloatType>(complex.getElementType()).getFloatSemantics());
    zeros = DenseElementsAttr::get(type, std::complex<APFloat>(zero, zero));
  } else {
    zeros = cast<DenseElementsAttr>(builder.getZeroAttr(type));
  }
  return ConstantOp::create(builder, op->getLoc(), zeros);
}

/// `value` as what it is accumulated in.
static Value promote(OpBuilder &builder, Location loc, Value value, Type type) {
  return getElementTypeOrSelf(value.getType()) == getElementTypeOrSelf(type)
             ? value
             : ConvertOp::create(builder, loc, type, value);
}

/// What the results of `op` are where there is no device but 0: nothing if `op` is no operation
/// between devices; failure, with an error at it, if it names others.
static FailureOr<SmallVector<Value>> valuesOnOneDevice(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  auto check = [&](DenseIntElementsAttr groups) {
    return checkDevices(op, "replica_groups", groups);
  };
  auto promoted = [&](DenseIntElementsAttr groups) -> FailureOr<SmallVector<Value>> {
    if (failed(check(groups)))
      return failure();
    SmallVector<Value> values;
    for (auto [operand, type] : llvm::zip(op->getOperands(), op->getResultTypes()))
      values.push_back(promote(builder, loc, operand, type));
    return values;
  };
  auto valueOrZero = [&](DenseIntElementsAttr devices, StringRef name,
                         Value operand) -> FailureOr<SmallVector<Value>> {
    if (failed(checkDevices(op, name, devices)))
      return failure();
    if (llvm::is_contained(devices.getValues<int64_t>(), 0))
      return SmallVector<Value>{operand};
    Value zeros = createZeros(builder, op, cast<RankedTensorType>(operand.getType()));
    if (!zeros)
      return failure();
    return SmallVector<Value>{zeros};
  };
  return TypeSwitch<Operation *, FailureOr<SmallVector<Value>>>(op)
      .Case<AllGatherOp, AllReduceOp, AllToAllOp, ReduceScatterOp>(
          [&](auto collective) { return promoted(collective.getReplicaGroups()); })
      .Case([&](CollectiveBroadcastOp broadcast) {
        return valueOrZero(broadcast.getReplicaGroups(), "replica_groups", broadcast.getOperand());
      })
      .Case([&](CollectivePermuteOp permute) {
        return valueOrZero(permute.getSourceTargetPairs(), "source_target_pairs",
                           permute.getOperand());
      })
      .Case<PartitionIdOp, ReplicaIdOp>([&](auto number) {
        auto type = cast<RankedTensorType>(number.getType());
        return SmallVector<Value>{
            ConstantOp::create(builder, loc, cast<ElementsAttr>(builder.getZeroAttr(type)))};
      })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

LogicalResult forge::dropCollectives(ModuleOp module) {
  auto result = module->walk([](Operation *op) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> values = valuesOnOneDevice(builder, op);
    if (failed(values))
      return WalkResult::interrupt();
    if (!values->empty()) {
      op->replaceAllUsesWith(*values);
      op->erase();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
