#include "forge/Import/ModuleFile.h"

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
  return llvm::is_contained(hints, name);
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

mlir::LogicalResult forge::normalizeFrameworkAttributes(mlir::ModuleOp module) {
  for (llvm::StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"})
    if (failed(checkIsOne(module, name)))
      return mlir::failure();
  module->walk([](mlir::Operation *op) {
    dropHints(op);
    if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op))
      dropSignatureHints(function);
  });
  return mlir::success();
}
