// Operations between devices, of a module that one device runs.
#include "Collectives.h"

#include "forge/Dialect/StableHLO/IR/Collectives.h"
#include "forge/Import/Async.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

static constexpr llvm::StringLiteral unsupported =
    ": computations of several devices are not supported";

/// Fails, at `op`, unless `devices` are all the device 0. `name`: of the attribute.
static LogicalResult checkDevices(Operation *op, StringRef name, DenseIntElementsAttr devices) {
  for (int64_t device : devices.getValues<int64_t>())
    if (device != 0 && device != -1)
      return op->emitError() << "expected no device but 0 in " << name << ", but got " << device
                             << unsupported;
  return success();
}

/// Fails, at `op`, unless each group is of one device. No group at all is one of all `partitions`.
static LogicalResult checkGroupSizes(Operation *op, DenseIntElementsAttr groups,
                                     uint64_t partitions) {
  auto size = groups.empty() ? partitions : static_cast<uint64_t>(groups.getType().getDimSize(1));
  if (size == 1)
    return success();
  return op->emitError() << "expected groups of 1 device in replica_groups, but got one of " << size
                         << unsupported;
}

/// Fails, at `op`, unless each of the partitions sends to itself.
static LogicalResult checkPairs(Operation *op, DenseIntElementsAttr pairs, uint64_t partitions) {
  auto devices = llvm::to_vector(pairs.getValues<int64_t>());
  for (size_t i = 0; i + 1 < devices.size(); i += 2)
    if (devices[i] != devices[i + 1])
      return op->emitError() << "expected devices that send to themselves in source_target_pairs, "
                                "but got "
                             << devices[i] << " to " << devices[i + 1] << unsupported;
  // No source is there twice.
  if (devices.size() / 2 == partitions)
    return success();
  return op->emitError() << "expected source_target_pairs of all " << partitions
                         << " devices, but got " << devices.size() / 2 << unsupported;
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

/// Whether the operation's groups list partitions. Without a channel they list replicas
/// (StableHLO's specification, "Collective ops").
static bool isBetweenPartitions(ChannelHandleAttr channel) {
  return channel && channel.getHandle() > 0;
}

/// What the results of `op` are on one device of one replica and `partitions`: nothing if `op` is
/// no operation between devices; failure, with an error at it, if they differ between devices or
/// need another.
static FailureOr<SmallVector<Value>> valuesOnOneDevice(OpBuilder &builder, Operation *op,
                                                       uint64_t partitions) {
  Location loc = op->getLoc();
  auto isAlone = [&](auto collective) -> LogicalResult {
    bool spansPartitions =
        partitions != 1 && isBetweenPartitions(collective.getChannelHandleAttr());
    if (!spansPartitions)
      return checkDevices(op, "replica_groups", collective.getReplicaGroups());
    return checkGroupSizes(op, collective.getReplicaGroups(), partitions);
  };
  // Without global numbers, the devices of a group are all partitions of its replicas.
  auto isReductionAlone = [&](auto collective) -> LogicalResult {
    if (partitions != 1 && isBetweenPartitions(collective.getChannelHandleAttr()) &&
        !collective.getUseGlobalDeviceIds())
      return op->emitError() << "expected 1 partition, but got " << partitions << unsupported;
    return isAlone(collective);
  };
  auto promoted = [&](LogicalResult alone) -> FailureOr<SmallVector<Value>> {
    if (failed(alone))
      return failure();
    SmallVector<Value> values;
    for (auto [operand, type] : llvm::zip(op->getOperands(), op->getResultTypes()))
      values.push_back(promote(builder, loc, operand, type));
    return values;
  };
  auto valuesOrZeros = [&](DenseIntElementsAttr devices,
                           ValueRange operands) -> FailureOr<SmallVector<Value>> {
    if (llvm::is_contained(devices.getValues<int64_t>(), 0))
      return SmallVector<Value>(operands);
    SmallVector<Value> values;
    for (Value operand : operands) {
      values.push_back(createZeros(builder, op, cast<RankedTensorType>(operand.getType())));
      if (!values.back())
        return failure();
    }
    return values;
  };
  return TypeSwitch<Operation *, FailureOr<SmallVector<Value>>>(op)
      .Case<AllGatherOp, AllReduceOp, CollectiveReduceOp, ReduceScatterOp>(
          [&](auto collective) { return promoted(isReductionAlone(collective)); })
      .Case([&](AllToAllOp exchange) { return promoted(isAlone(exchange)); })
      .Case([&](CollectiveBroadcastOp broadcast) -> FailureOr<SmallVector<Value>> {
        if (failed(isAlone(broadcast)))
          return failure();
        return valuesOrZeros(broadcast.getReplicaGroups(),
                             op->getOperands().take_front(op->getNumResults()));
      })
      .Case([&](CollectivePermuteOp permute) -> FailureOr<SmallVector<Value>> {
        DenseIntElementsAttr pairs = permute.getSourceTargetPairs();
        if (partitions != 1 && isBetweenPartitions(permute.getChannelHandleAttr())) {
          if (failed(checkPairs(op, pairs, partitions)))
            return failure();
          return SmallVector<Value>{permute.getOperand()};
        }
        if (failed(checkDevices(op, "source_target_pairs", pairs)))
          return failure();
        return valuesOrZeros(pairs, permute->getOperands());
      })
      .Case<PartitionIdOp, ReplicaIdOp>([&](auto number) -> FailureOr<SmallVector<Value>> {
        if (partitions != 1 && isa<PartitionIdOp>(op))
          return op->emitError() << "expected 1 partition, but got " << partitions << unsupported;
        auto type = cast<RankedTensorType>(number.getType());
        return SmallVector<Value>{
            ConstantOp::create(builder, loc, cast<ElementsAttr>(builder.getZeroAttr(type)))};
      })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

LogicalResult forge::dropCollectives(ModuleOp module, uint64_t partitions) {
  if (failed(inlineAsync(module)))
    return failure();
  auto result = module->walk([&](Operation *op) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> values = valuesOnOneDevice(builder, op, partitions);
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
