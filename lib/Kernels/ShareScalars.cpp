#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace forge {
#define GEN_PASS_DEF_SHARESCALARSPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-share-scalars"

using namespace mlir;

/// Scalars of fewer instructions are always computed by the threads that need them.
static constexpr int64_t kFewInstructions = 16;
/// Instructions times elements, 4 of which a thread computes: an H200 takes about as long for them
/// as for a launch, 2 us at 3e13 instructions a second.
static constexpr int64_t kInstructionsOfLaunch = int64_t(1) << 28;
/// Operations looked at for a scalar at most, on either side of it.
static constexpr size_t kMostOperations = 1024;
/// Operations that several kernels repeat at most, in their code, whatever they compute.
static constexpr int64_t kRepeatedOperations = 1024;

/// Arithmetic on scalars of the host, one result.
static bool isScalarArithmetic(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->getNumResults() == 1 && op->getResult(0).getType().isIntOrIndexOrFloat() &&
         op->getNumOperands() > 0 && op->getNumRegions() == 0;
}

/// About how many instructions a thread has for `op`.
static int64_t instructionsOf(Operation *op) {
  if (isa<math::PowFOp>(op))
    return 60;
  if (isa<math::MathDialect>(op->getDialect()))
    return 20;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp,
          arith::RemUIOp>(op))
    return 8;
  return isa<tensor::ExtractOp>(op) ? 2 : 1;
}

/// Points of the iteration space, or 0 where it is not known.
static int64_t elementsOf(Operation *root) {
  auto op = dyn_cast<linalg::LinalgOp>(root);
  if (!op)
    return 0;
  int64_t elements = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range) || range == 0 || elements > kInstructionsOfLaunch / range)
      return ShapedType::isDynamic(range) ? 0 : kInstructionsOfLaunch;
    elements *= range;
  }
  return elements;
}

namespace {
/// What the threads of kernels would compute for a scalar if each kernel took its arithmetic along.
struct Demand {
  int64_t elements = 0;
  int64_t kernels = 0;
};

/// 1. Candidates, in program order: scalars that a kernel reads, or several operations do.
/// 2. The arithmetic of each goes back to elements of tensors, and to scalars that are shared by
///    then. Its instructions are compared with those of a launch.
/// 3. A fill of a tensor of rank 0, which becomes a kernel of one thread, computes the scalar, and
///    all others read the tensor's element.
class ScalarSharing {
public:
  explicit ScalarSharing(func::FuncOp host) : host(host) {}

  void run() {
    SmallVector<Operation *> candidates;
    host.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (forge::isKernelRoot(op)) {
        roots.insert(op);
        return WalkResult::skip();
      }
      if (isScalarArithmetic(op) && !op->getResult(0).getType().isIndex())
        candidates.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : candidates)
      if (isJoint(op) && isWorthALaunch(op))
        share(op->getResult(0));
  }

private:
  /// The root that `op` is, or is in; null on the host.
  Operation *rootAround(Operation *op) const {
    for (; op && op != host; op = op->getParentOp())
      if (roots.contains(op))
        return op;
    return nullptr;
  }

  /// Whether a kernel reads the result or several operations do: the other scalars are steps on the
  /// way to such ones.
  bool isJoint(Operation *op) const {
    llvm::SmallPtrSet<Operation *, 4> users(op->user_begin(), op->user_end());
    return users.size() > 1 ||
           llvm::any_of(users, [&](Operation *user) { return rootAround(user) != nullptr; });
  }

  bool isWorthALaunch(Operation *op) const {
    int64_t instructions = 0, operations = 0;
    bool readsElements = false;
    llvm::SetVector<Operation *> slice;
    slice.insert(op);
    for (size_t next = 0; next < std::min(slice.size(), kMostOperations); ++next) {
      Operation *inner = slice[next];
      instructions += instructionsOf(inner);
      ++operations;
      if (isa<tensor::ExtractOp>(inner)) {
        readsElements = true;
        continue;
      }
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && (isScalarArithmetic(def) || isa<tensor::ExtractOp>(def)))
          slice.insert(def);
    }
    if (!readsElements || instructions < kFewInstructions)
      return false;
    Demand demand = demandFor(op);
    return demand.elements >= kInstructionsOfLaunch / instructions ||
           (demand.kernels > 1 && demand.kernels >= kRepeatedOperations / operations);
  }

  /// Of the kernels that read the result, or what is computed of it.
  Demand demandFor(Operation *op) const {
    Demand demand;
    llvm::SetVector<Operation *> reached;
    reached.insert(op);
    for (size_t next = 0; next < std::min(reached.size(), kMostOperations); ++next)
      for (Operation *user : reached[next]->getUsers()) {
        if (Operation *root = rootAround(user)) {
          if (reached.insert(root)) {
            demand.elements = std::min(demand.elements + elementsOf(root), kInstructionsOfLaunch);
            ++demand.kernels;
          }
        } else if (isScalarArithmetic(user)) {
          reached.insert(user);
        }
      }
    return demand;
  }

  void share(Value scalar) {
    OpBuilder builder(scalar.getContext());
    builder.setInsertionPointAfterValue(scalar);
    Location loc = scalar.getLoc();
    Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), scalar.getType());
    auto fill = linalg::FillOp::create(builder, loc, scalar, empty);
    Value element = tensor::ExtractOp::create(builder, loc, fill.getResult(0), ValueRange());
    scalar.replaceAllUsesExcept(element, fill);
    roots.insert(fill);
  }

  func::FuncOp host;
  llvm::DenseSet<Operation *> roots;
};

struct ShareScalarsPass : public forge::impl::ShareScalarsPassBase<ShareScalarsPass> {
  void runOnOperation() override {
    if (func::FuncOp function = getOperation();
        !function.isExternal() && !forge::isKernel(function))
      ScalarSharing(function).run();
  }
};
} // namespace
