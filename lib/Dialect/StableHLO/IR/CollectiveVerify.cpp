// Constraints of the operations between devices.
#include "StructuredVerify.h"

#include "forge/Dialect/StableHLO/IR/Collectives.h"

#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;

namespace forge::stablehlo {

/// Every device in `devices` is there once, and at least 0; -1 is no device where `padded`.
static LogicalResult verifyDevices(Operation *op, StringRef name, ArrayRef<int64_t> devices,
                                   bool padded) {
  std::set<int64_t> seen; // a DenseSet holds not every number
  for (int64_t device : devices) {
    if (padded && device == -1)
      continue;
    if (device < 0)
      return op->emitOpError() << "expected devices of at least 0 in " << name << ", but got "
                               << device;
    if (!seen.insert(device).second)
      return op->emitOpError() << "expected each device once in " << name << ", but got " << device
                               << " again";
  }
  return success();
}

/// The devices of all groups together have the numbers from 0 on.
static LogicalResult verifyAllDevices(Operation *op, ArrayRef<int64_t> devices) {
  int64_t count = llvm::count_if(devices, [](int64_t device) { return device >= 0; });
  for (int64_t device : devices)
    if (device >= count)
      return op->emitOpError() << "expected the devices 0 to " << count - 1
                               << " in replica_groups, but got " << device;
  return success();
}

/// Whether `numbers` is one number for several elements. It may be for any number of them, also for
/// more than 64 bits count.
static bool isRepeated(DenseIntElementsAttr numbers) {
  ArrayRef<int64_t> shape = numbers.getType().getShape();
  return numbers.isSplat() && !llvm::is_contained(shape, 0) &&
         llvm::any_of(shape, [](int64_t size) { return size > 1; });
}

/// `groups` has rank 2; with `all`, its devices have the numbers from 0 on.
static LogicalResult verifyGroups(Operation *op, DenseIntElementsAttr groups, bool all = true) {
  if (groups.getType().getRank() != 2)
    return op->emitOpError() << "expected replica_groups of rank 2, but got "
                             << groups.getType().getRank();
  if (isRepeated(groups) && groups.getSplatValue<int64_t>() != -1)
    return op->emitOpError() << "expected each device once in replica_groups, but got "
                             << groups.getSplatValue<int64_t>() << " again";
  if (isRepeated(groups))
    return op->emitOpError() << "expected devices in replica_groups, but got only -1";
  auto devices = llvm::to_vector(groups.getValues<int64_t>());
  if (failed(verifyDevices(op, "replica_groups", devices, /*padded=*/true)))
    return failure();
  return all ? verifyAllDevices(op, devices) : success();
}

/// How many devices a group has; nothing where no group is given, which is one of all devices.
static std::optional<int64_t> groupSize(DenseIntElementsAttr groups) {
  if (groups.empty())
    return std::nullopt;
  return groups.getType().getDimSize(1);
}

static LogicalResult verifyChannel(Operation *op, ChannelHandleAttr channel, bool globalIds) {
  if (!globalIds || (channel && channel.getHandle() > 0))
    return success();
  return op->emitOpError() << "expected channel_handle with a positive number for "
                              "use_global_device_ids, but got "
                           << (channel ? std::to_string(channel.getHandle()) : "none");
}

static LogicalResult verifyOperandCount(Operation *op) {
  if (op->getNumOperands() == 0)
    return op->emitOpError() << "expected at least one operand";
  return verifyCount(op, "the results", op->getNumResults(), op->getNumOperands());
}

/// The same where, with a dynamic root, the last operand has the place of the root for each other.
static LogicalResult verifyRootedOperands(Operation *op, bool hasDynamicRoot) {
  if (!hasDynamicRoot)
    return verifyOperandCount(op);
  if (op->getNumOperands() < 2)
    return op->emitOpError() << "expected an operand, and one with its root, for has_dynamic_root";
  auto count = static_cast<int64_t>(op->getNumOperands()) - 1;
  auto root = cast<RankedTensorType>(op->getOperand(op->getNumOperands() - 1).getType());
  if (root.getRank() != 1 || !root.getElementType().isInteger(32) || root.getDimSize(0) != count)
    return op->emitOpError() << "expected a last operand of type "
                             << RankedTensorType::get({count},
                                                      IntegerType::get(op->getContext(), 32))
                             << " for has_dynamic_root, but got " << root;
  return verifyCount(op, "the results", op->getNumResults(), op->getNumOperands() - 1);
}

/// `type` with the sizes that `change` makes of a shape; nothing if one does not fit in 63 bits.
using ShapeChange = function_ref<bool(MutableArrayRef<int64_t>)>;

/// Each result has its operand's type with a changed shape.
static LogicalResult verifyResultTypes(Operation *op, ShapeChange change) {
  for (auto [operand, result] : llvm::zip(op->getOperandTypes(), op->getResultTypes())) {
    auto from = cast<RankedTensorType>(operand);
    SmallVector<int64_t> shape(from.getShape());
    if (!change(shape))
      return op->emitOpError() << "the size of a result does not fit in 63 bits";
    if (failed(verifyShape(op, "a result", result, shape)) ||
        failed(verifyElementType(op, "a result", result, from.getElementType())))
      return failure();
  }
  return success();
}

static bool multiply(int64_t &size, int64_t factor) {
  return ShapedType::isDynamic(size) || !llvm::MulOverflow(size, factor, size);
}

static void divide(int64_t &size, int64_t divisor) {
  if (!ShapedType::isDynamic(size))
    size /= divisor;
}

/// The size of a dimension of every operand is a multiple of `divisor`.
static LogicalResult verifyDivides(Operation *op, StringRef name, int64_t dim, int64_t divisor) {
  for (Type type : op->getOperandTypes()) {
    int64_t size = cast<RankedTensorType>(type).getDimSize(dim);
    if (!ShapedType::isDynamic(size) && size % divisor != 0)
      return op->emitOpError() << "expected a multiple of " << divisor << " as size of " << name
                               << ", but got " << size;
  }
  return success();
}

static LogicalResult verifyOperandDim(Operation *op, StringRef name, int64_t dim) {
  for (Type type : op->getOperandTypes())
    if (failed(verifyDimsInRange(op, name, dim, cast<RankedTensorType>(type).getRank())))
      return failure();
  return success();
}

LogicalResult AllGatherOp::verify() {
  // all_gather_c1, all_gather_c2, all_gather_c4, all_gather_c5
  int64_t dim = getAllGatherDim();
  if (failed(verifyOperandCount(*this)) || failed(verifyOperandDim(*this, "all_gather_dim", dim)) ||
      failed(verifyGroups(*this, getReplicaGroups())) ||
      failed(verifyChannel(*this, getChannelHandleAttr(), getUseGlobalDeviceIds())))
    return failure();
  // all_gather_c6
  return verifyResultTypes(*this, [&](MutableArrayRef<int64_t> shape) {
    std::optional<int64_t> devices = groupSize(getReplicaGroups());
    if (!devices)
      shape[dim] = ShapedType::kDynamic; // as many as there are
    return multiply(shape[dim], devices.value_or(1));
  });
}

/// What all_reduce and collective_reduce have in common, the operands' number left out.
template <typename ReduceOp> static LogicalResult verifyReduction(ReduceOp op) {
  // all_reduce_c1, all_reduce_c3, all_reduce_c4
  if (failed(verifyGroups(op, op.getReplicaGroups())) ||
      failed(verifyChannel(op, op.getChannelHandleAttr(), op.getUseGlobalDeviceIds())))
    return failure();
  // all_reduce_c6
  for (auto [operand, result] : llvm::zip(op.getOperandTypes(), op.getResultTypes()))
    if (failed(verifyShape(op, "a result", result, cast<RankedTensorType>(operand).getShape())))
      return failure();
  return success();
}

LogicalResult AllReduceOp::verify() {
  return failed(verifyOperandCount(*this)) ? failure() : verifyReduction(*this);
}

LogicalResult CollectiveReduceOp::verify() {
  return failed(verifyRootedOperands(*this, getHasDynamicRoot())) ? failure()
                                                                  : verifyReduction(*this);
}

/// One computation for all operands, each reduced by itself.
template <typename ReduceOp> static LogicalResult verifyComputation(ReduceOp op) {
  for (auto [operand, result] : llvm::zip(op->getOperandTypes(), op->getResultTypes()))
    if (failed(verifyAccumulator(op, op.getComputation(), "computation", operand, result)))
      return failure();
  return success();
}

// all_reduce_c5, all_reduce_c7
LogicalResult AllReduceOp::verifyRegions() { return verifyComputation(*this); }
LogicalResult CollectiveReduceOp::verifyRegions() { return verifyComputation(*this); }

LogicalResult AllToAllOp::verify() {
  int64_t split = getSplitDimension(), concat = getConcatDimension(), count = getSplitCount();
  // all_to_all_c1, all_to_all_c3, all_to_all_c4
  if (failed(verifyOperandCount(*this)) ||
      failed(verifyOperandDim(*this, "split_dimension", split)) ||
      failed(verifyOperandDim(*this, "concat_dimension", concat)) ||
      failed(verifyPositive(*this, "split_count", count)) ||
      // all_to_all_c2, all_to_all_c5, all_to_all_c7
      failed(verifyDivides(*this, "split_dimension", split, count)) ||
      failed(verifyGroups(*this, getReplicaGroups())))
    return failure();
  // all_to_all_c8
  int64_t devices = groupSize(getReplicaGroups()).value_or(count);
  if (devices != count)
    return emitOpError() << "expected groups of split_count = " << count << " devices, but got "
                         << devices;
  // all_to_all_c9
  return verifyResultTypes(*this, [&](MutableArrayRef<int64_t> shape) {
    divide(shape[split], count);
    return multiply(shape[concat], count);
  });
}

LogicalResult CollectiveBroadcastOp::verify() {
  // collective_broadcast_c1, collective_broadcast_c2
  if (failed(verifyRootedOperands(*this, getHasDynamicRoot())) ||
      failed(verifyGroups(*this, getReplicaGroups(), /*all=*/false)))
    return failure();
  // collective_broadcast_c3
  return verifyResultTypes(*this, [](MutableArrayRef<int64_t>) { return true; });
}

LogicalResult CollectivePermuteOp::verify() {
  DenseIntElementsAttr pairs = getSourceTargetPairs();
  // collective_permute_c1
  if (pairs.getType().getRank() != 2 || pairs.getType().getDimSize(1) != 2)
    return emitOpError() << "expected source_target_pairs of shape [pairs, 2], but got "
                         << shapeToString(pairs.getType().getShape());
  if (isRepeated(pairs) && pairs.getType().getDimSize(0) > 1)
    return emitOpError() << "expected each device once as source, but got "
                         << pairs.getSplatValue<int64_t>() << " again";
  SmallVector<int64_t> sources, targets;
  for (auto [i, device] : llvm::enumerate(pairs.getValues<int64_t>()))
    (i % 2 ? targets : sources).push_back(device);
  // collective_permute_c2, collective_permute_c3, collective_permute_c4
  if (failed(verifyDevices(*this, "the sources", sources, /*padded=*/false)) ||
      failed(verifyDevices(*this, "the targets", targets, /*padded=*/false)))
    return failure();
  // collective_permute_c5
  return verifyResultTypes(*this, [](MutableArrayRef<int64_t>) { return true; });
}

LogicalResult ReduceScatterOp::verify() {
  int64_t dim = getScatterDimension();
  // reduce_scatter_c2, reduce_scatter_c3, reduce_scatter_c5, reduce_scatter_c6
  if (failed(verifyOperandDim(*this, "scatter_dimension", dim)) ||
      failed(verifyGroups(*this, getReplicaGroups())) ||
      failed(verifyChannel(*this, getChannelHandleAttr(), getUseGlobalDeviceIds())))
    return failure();
  std::optional<int64_t> devices = groupSize(getReplicaGroups());
  SmallVector<int64_t> shape(cast<RankedTensorType>(getOperand().getType()).getShape());
  // reduce_scatter_c1
  if (devices && failed(verifyDivides(*this, "scatter_dimension", dim, *devices)))
    return failure();
  // reduce_scatter_c8
  if (devices)
    divide(shape[dim], *devices);
  else
    shape[dim] = ShapedType::kDynamic;
  return verifyShape(*this, "the result", getType(), shape);
}

// reduce_scatter_c7, reduce_scatter_c9
LogicalResult ReduceScatterOp::verifyRegions() { return verifyComputation(*this); }

std::string describeFuture(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream(text) << "future<" << llvm::interleaved(types) << ">";
  return text;
}

bool isFuture(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  return opaque && opaque.getDialectNamespace() == StableHLODialect::getDialectNamespace() &&
         opaque.getTypeData().starts_with("future<");
}

static LogicalResult verifyFuture(Operation *op, Type future, TypeRange types) {
  StringRef actual = cast<OpaqueType>(future).getTypeData();
  std::string expected = describeFuture(types);
  if (actual == expected)
    return success();
  return op->emitOpError() << "expected a " << expected << ", but got a " << actual;
}

LogicalResult AsyncStartOp::verifyRegions() {
  Block &block = getBody().front();
  // async_start_c1
  if (block.getArgumentTypes() != getOperandTypes())
    return emitOpError() << "expected a body that takes the operands";
  // async_start_c2
  return verifyFuture(*this, getType(), block.getTerminator()->getOperandTypes());
}

// async_done_c1
LogicalResult AsyncDoneOp::verify() {
  return verifyFuture(*this, getFuture().getType(), getResultTypes());
}

template <typename NumberOp> static LogicalResult verifyNumber(NumberOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (type.getRank() == 0 && type.getElementType().isUnsignedInteger(32))
    return success();
  return op.emitOpError() << "expected a result of type 'tensor<ui32>', but got " << type;
}

// partition_id_c1
LogicalResult PartitionIdOp::verify() { return verifyNumber(*this); }
// replica_id_c1
LogicalResult ReplicaIdOp::verify() { return verifyNumber(*this); }

} // namespace forge::stablehlo
