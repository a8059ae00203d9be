// How much memory the temporaries of a compiled function take at once, from its host code.
#include "RunPhases.h"

#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/DenseSet.h"

using namespace forge;

namespace {
/// Bytes on top of those alive before: the most at once, and what is alive afterwards.
struct Usage {
  int64_t peak = 0, left = 0;

  void allocate(int64_t bytes) {
    left = saturatingAdd(left, bytes);
    peak = std::max(peak, left);
  }
  void include(const Usage &part) {
    peak = std::max(peak, saturatingAdd(left, part.peak));
    left = saturatingAdd(left, part.left);
  }
};

class Planner {
public:
  explicit Planner(mlir::ModuleOp module) : symbols(module) {}
  Usage measure(mlir::func::FuncOp function, bool isEntry);

private:
  Usage measure(mlir::Region &region);
  Usage measure(mlir::Operation &op);

  mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::Operation *, Usage> functions;
  /// Allocations that are results of the entry.
  llvm::DenseSet<mlir::Value> results;
};
} // namespace

/// The allocation that `value` is a view of.
static mlir::Value allocationOf(mlir::Value value) {
  while (true) {
    if (auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>())
      value = view.getViewSource();
    else if (auto cast = value.getDefiningOp<mlir::memref::CastOp>())
      value = cast.getSource();
    else
      return value;
  }
}

/// 0 where the size is known only at run time.
static int64_t bytesOf(mlir::MemRefType type) {
  if (!type.hasStaticShape())
    return 0;
  mlir::Type element = type.getElementType();
  int64_t width = element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
  return saturatingMul(type.getNumElements(), width);
}

Usage Planner::measure(mlir::Operation &op) {
  Usage usage;
  if (auto alloc = mlir::dyn_cast<mlir::memref::AllocOp>(op)) {
    if (!results.contains(alloc.getResult()))
      usage.allocate(bytesOf(alloc.getType()));
  } else if (auto dealloc = mlir::dyn_cast<mlir::memref::DeallocOp>(op)) {
    mlir::Value freed = allocationOf(dealloc.getMemref());
    if (freed.getDefiningOp<mlir::memref::AllocOp>() && !results.contains(freed))
      usage.left = -bytesOf(mlir::cast<mlir::MemRefType>(freed.getType()));
  } else if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op)) {
    if (auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee()))
      usage = measure(callee, /*isEntry=*/false);
  } else {
    // Of several regions one runs at a time.
    for (mlir::Region &region : op.getRegions()) {
      Usage part = measure(region);
      usage.peak = std::max(usage.peak, part.peak);
      usage.left = std::max(usage.left, part.left);
    }
  }
  return usage;
}

Usage Planner::measure(mlir::Region &region) {
  Usage usage;
  for (mlir::Block &block : region)
    for (mlir::Operation &op : block)
      usage.include(measure(op));
  return usage;
}

Usage Planner::measure(mlir::func::FuncOp function, bool isEntry) {
  auto [known, isNew] = functions.try_emplace(function);
  if (!isNew || function.isExternal())
    return known->second; // nothing yet where it calls itself
  if (isEntry)
    function.walk([&](mlir::func::ReturnOp end) {
      for (mlir::Value result : end.getOperands())
        results.insert(allocationOf(result));
    });
  Usage usage = measure(function.getBody());
  functions[function] = usage;
  return usage;
}

int64_t forge::plannedTemporaryBytes(mlir::ModuleOp module) {
  Planner planner(module);
  int64_t most = 0;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      most = std::max(most, planner.measure(function, /*isEntry=*/true).peak);
  return most;
}
