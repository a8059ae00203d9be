#include "RowLinks.h"

#include "../Strategy/ProductAxes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge {

Value RowLinks::baseOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<memref::CastOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool RowLinks::isShared(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

bool RowLinks::isGiven(Value value) const {
  Operation *op = baseOf(value).getDefiningOp();
  if (isShared(value))
    return true;
  return !op || (!isa<memref::AllocOp>(op) && !(members.contains(op) && isa<linalg::LinalgOp>(op)));
}

/// The same for one handed value. Sets `changed` if that was news.
static LogicalResult joinAxes(RowLinks &links, RowLink &user, unsigned operand, bool &changed,
                              std::string &why) {
  const RowContent &content = user.operands[operand];
  RowLink &maker = links.links[content.stage];
  auto read = loopsOf(user.op.getIndexingMapsArray()[operand]);
  auto made = loopsOf(maker.op.getMatchingIndexingMap(maker.op.getDpsInitOperand(content.result)));
  if (!read || !made) {
    why = "a value inside the kernel that is not plainly indexed";
    return failure();
  }
  for (auto [reads, makes] : llvm::zip_equal(*read, *made)) {
    int &x = user.axes[reads], &y = maker.axes[makes];
    if (x == y)
      continue;
    if (x != kUnknownAxis && y != kUnknownAxis) {
      why = "a value inside the kernel that is read along another axis";
      return failure();
    }
    (x == kUnknownAxis ? x : y) = x == kUnknownAxis ? y : x;
    changed = true;
  }
  return success();
}

LogicalResult RowLinks::joinAxes(std::string &why) {
  for (bool changed = true; changed;) {
    changed = false;
    for (RowLink &link : links)
      for (unsigned i = 0; i < link.operands.size(); ++i)
        if (link.operands[i].kind == RowContent::Stage &&
            failed(forge::joinAxes(*this, link, i, changed, why)))
          return failure();
  }
  return success();
}

namespace {

/// Goes through the operations in order: each is linked to what its operands' buffers hold at that
/// moment, and then is what its own buffers hold.
class Linker {
public:
  Linker(RowLinks &result, std::string &why) : result(result), why(why) {}

  LogicalResult run(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (failed(visit(*op)))
        return failure();
    for (RowLink &link : result.links)
      for (Value init : link.op.getDpsInits())
        if (readBefore.contains(RowLinks::baseOf(init)))
          return fail("an element of what the rows write, read before them");
    return success();
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  /// Bodies may load from memory that the kernel was given (an embedding's table), and have no
  /// other effect.
  bool readsOnlyGiven(linalg::GenericOp op) const {
    return llvm::all_of(op.getBody()->without_terminator(), [&](Operation &inner) {
      if (auto load = dyn_cast<memref::LoadOp>(inner))
        return result.isGiven(load.getMemRef());
      if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
        return result.isGiven(extract.getTensor());
      return inner.getNumRegions() == 0 && isMemoryEffectFree(&inner);
    });
  }

  /// `value` now holds `content`: the buffer that an operation writes, or the tensor it returns.
  void hold(Operation *op, unsigned output, RowContent content) {
    bool onTensors = op->getNumResults() > 0;
    Value target =
        onTensors ? Value(op->getResult(output)) : cast<linalg::LinalgOp>(op).getDpsInits()[output];
    result.holds[RowLinks::baseOf(target)] = content;
    if (onTensors)
      result.results.push_back(op->getResult(output));
  }

  LogicalResult visit(Operation &op) {
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      hold(fill, 0, {RowContent::Splat, fill.getInputs()[0], -1, 0});
      return success();
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      RowContent content = result.holds.lookup(RowLinks::baseOf(copy.getSource()));
      if (content.kind == RowContent::Memory)
        return fail("a copy of an argument");
      result.holds[RowLinks::baseOf(copy.getTarget())] = content;
      return success();
    }
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (!readsOnlyGiven(generic))
        return fail("a body that reads a temporary, or has regions");
      RowLink link{generic, {}, SmallVector<int>(generic.getNumLoops(), kUnknownAxis)};
      for (Value operand : generic->getOperands())
        link.operands.push_back(result.holds.lookup(RowLinks::baseOf(operand)));
      for (unsigned i = 0; i < generic.getNumDpsInits(); ++i)
        hold(generic, i, {RowContent::Stage, Value(), static_cast<int>(result.links.size()), i});
      result.links.push_back(std::move(link));
      return success();
    }
    if (isa<linalg::LinalgOp>(op) || op.getNumRegions() > 0)
      return fail("an operation " + op.getName().getStringRef());
    // An element read before the rows: of memory that no row writes.
    if (isa<tensor::ExtractOp, memref::LoadOp>(op)) {
      Value source = RowLinks::baseOf(op.getOperand(0));
      readBefore.insert(source);
      return result.isGiven(source) ? success()
                                    : fail("an element of a temporary, read before the rows");
    }
    return isPure(&op) || isa<memref::AllocOp, memref::DeallocOp>(op) ||
                   op.hasTrait<OpTrait::IsTerminator>()
               ? success()
               : fail("an operation " + op.getName().getStringRef());
  }

  RowLinks &result;
  std::string &why;
  llvm::DenseSet<Value> readBefore;
};

} // namespace

FailureOr<RowLinks> RowLinks::build(ArrayRef<Operation *> ops, std::string &why) {
  RowLinks result;
  result.members.insert(ops.begin(), ops.end());
  if (failed(Linker(result, why).run(ops)))
    return failure();
  return std::move(result);
}

} // namespace forge
