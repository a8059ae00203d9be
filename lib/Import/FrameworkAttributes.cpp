#include "forge/Import/ModuleFile.h"

#include "Collectives.h"
#include "Tokens.h"

#include "forge/Dialect/StableHLO/IR/Sdy.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace forge;

/// Hints that say nothing about what is computed.
static bool isHint(llvm::StringRef name) {
  static constexpr llvm::StringRef hints[] = {
      "mhlo.layout_mode",
      "mhlo.memory_kind",
      "mhlo.sharding",
      "mhlo.frontend_attributes",
      "mhlo.xla_entry_computation_parameter_layouts",
      "mhlo.xla_entry_computation_result_layout",
      "mhlo.xla_entry_computation_parameter_tiles",
      "mhlo.xla_entry_computation_result_tiles",
      "mhlo.is_same_data_across_replicas",
      "mhlo.cross_program_prefetches",
      "mhlo.use_auto_spmd_partitioning",
      "mhlo.is_dynamic",
  };
  return name.starts_with("sdy.") || llvm::is_contained(hints, name);
}

static mlir::LogicalResult checkIsOne(mlir::ModuleOp module, llvm::StringRef name) {
  auto count = module->getAttrOfType<mlir::IntegerAttr>(name);
  if (!count || count.getValue().isOne())
    return mlir::success();
  llvm::SmallString<16> text;
  count.getValue().toStringSigned(text);
  return module.emitError() << "expected " << name << " = 1, but got " << text
                            << ": modules for several devices are not supported";
}

static void dropHints(mlir::Operation *op) {
  for (mlir::NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
    if (isHint(attr.getName()))
      op->removeDiscardableAttr(attr.getName());
}

static mlir::DictionaryAttr withoutHints(mlir::DictionaryAttr attrs, mlir::MLIRContext *context) {
  llvm::SmallVector<mlir::NamedAttribute> kept;
  if (attrs)
    for (mlir::NamedAttribute attr : attrs)
      if (!isHint(attr.getName()))
        kept.push_back(attr);
  return mlir::DictionaryAttr::get(context, kept);
}

static void dropSignatureHints(mlir::FunctionOpInterface function) {
  mlir::MLIRContext *context = function->getContext();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttrs(i, withoutHints(function.getArgAttrDict(i), context));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    function.setResultAttrs(i, withoutHints(function.getResultAttrDict(i), context));
}

/// Placement of one device is none; the values stay.
static mlir::LogicalResult dropPlacement(mlir::ModuleOp module) {
  auto result = module->walk([](mlir::Operation *op) {
    if (auto mesh = llvm::dyn_cast<sdy::MeshOp>(op)) {
      std::optional<int64_t> devices = mesh.countDevices();
      if (devices == 1) {
        mesh.erase();
        return mlir::WalkResult::advance();
      }
      mesh.emitError() << "expected a mesh of 1 device, but got "
                       << (devices ? std::to_string(*devices) : "more than 2^63")
                       << ": modules for several devices are not supported";
      return mlir::WalkResult::interrupt();
    }
    if (auto constraint = llvm::dyn_cast<sdy::ShardingConstraintOp>(op)) {
      constraint.getResult().replaceAllUsesWith(constraint.getInput());
      constraint.erase();
    }
    return mlir::WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}

mlir::LogicalResult forge::normalizeFrameworkAttributes(mlir::ModuleOp module) {
  for (llvm::StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"})
    if (failed(checkIsOne(module, name)))
      return mlir::failure();
  if (failed(dropPlacement(module)) || failed(dropCollectives(module)))
    return mlir::failure();
  module->walk([](mlir::Operation *op) {
    dropHints(op);
    if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op))
      dropSignatureHints(function);
  });
  makeTokensTensors(module);
  return mlir::success();
}
