#include "forge/Import/ModuleFile.h"

#include "Collectives.h"
#include "Tokens.h"

#include "forge/Dialect/StableHLO/IR/Sdy.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

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

/// How many of the devices that run the module an attribute of it names; 1 where there is none.
static uint64_t deviceCount(mlir::ModuleOp module, llvm::StringRef name) {
  auto count = module->getAttrOfType<mlir::IntegerAttr>(name);
  return count ? count.getValue().getLimitedValue() : 1;
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

/// How many devices of the module's meshes are along the axis at the most; nothing if it is of no
/// mesh.
static std::optional<int64_t> axisSize(mlir::ModuleOp module, llvm::StringRef axis) {
  std::optional<int64_t> most;
  for (auto mesh : module.getOps<sdy::MeshOp>())
    if (std::optional<int64_t> size = mesh.getAxisSize(axis))
      most = std::max(most.value_or(0), *size);
  return most;
}

/// Puts the operations of the body in the place of `op`.
static void inlineBody(mlir::Operation *op) {
  mlir::Block &body = op->getRegion(0).front();
  mlir::Operation *end = body.getTerminator();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op->getOperands()))
    argument.replaceAllUsesWith(operand);
  op->replaceAllUsesWith(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
  op->erase();
}

/// Where each manual axis has one device, a part is the whole.
static mlir::LogicalResult inlineManual(mlir::ModuleOp module, sdy::ManualComputationOp manual) {
  for (llvm::StringRef axis : manual.getAxisNames()) {
    std::optional<int64_t> size = axisSize(module, axis);
    if (!size)
      return manual.emitError() << "expected a mesh with the manual axis \"" << axis << "\"";
    if (*size != 1)
      return manual.emitError() << "expected 1 device along the manual axis \"" << axis
                                << "\", but got " << *size
                                << ": computations of several devices are not supported";
  }
  mlir::Block &body = manual.getBody().front();
  if (body.getArgumentTypes() != manual->getOperandTypes() ||
      body.getTerminator()->getOperandTypes() != manual->getResultTypes())
    return manual.emitError() << "expected the types of the operands and results in the body, as "
                                 "each manual axis has 1 device";
  inlineBody(manual);
  return mlir::success();
}

/// A custom call that says where its operand is, as frameworks wrote it before the sdy dialect: on
/// which device, in which part, or in which kind of memory.
static bool isPlacementCall(mlir::Operation *op) {
  static constexpr llvm::StringLiteral targets[] = {"Sharding",
                                                    "SPMDFullToShardShape",
                                                    "SPMDShardToFullShape",
                                                    "annotate_device_placement",
                                                    "xla.sdy.FuncResultSharding",
                                                    "xla.sdy.GlobalToLocalShape",
                                                    "xla.sdy.LocalToGlobalShape"};
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  return call && llvm::is_contained(targets, call.getCallTargetName());
}

/// On one device placement is none; the values stay.
static mlir::LogicalResult dropPlacement(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> placements;
  module->walk<mlir::WalkOrder::PostOrder>([&](mlir::Operation *op) {
    if (llvm::isa_and_present<sdy::SdyDialect>(op->getDialect()) || isPlacementCall(op))
      placements.push_back(op);
  });
  llvm::SmallVector<mlir::Operation *> meshes;
  for (mlir::Operation *op : placements) {
    if (isPlacementCall(op) && op->getOperandTypes() != op->getResultTypes())
      return op->emitError() << "expected the whole of the operand as the result, but got a part: "
                                "computations of several devices are not supported";
    if (llvm::isa<sdy::ShardingConstraintOp, sdy::ReshardOp, sdy::PropagationBarrierOp>(op) ||
        isPlacementCall(op)) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    } else if (llvm::isa<sdy::ShardingGroupOp>(op)) {
      op->erase();
    } else if (llvm::isa<sdy::NamedComputationOp>(op)) {
      inlineBody(op);
    } else if (auto manual = llvm::dyn_cast<sdy::ManualComputationOp>(op)) {
      if (failed(inlineManual(module, manual)))
        return mlir::failure();
    } else if (llvm::isa<sdy::MeshOp>(op)) {
      meshes.push_back(op);
    }
  }
  for (mlir::Operation *mesh : meshes)
    mesh->erase();
  return mlir::success();
}

mlir::LogicalResult forge::normalizeFrameworkAttributes(mlir::ModuleOp module) {
  if (uint64_t replicas = deviceCount(module, "mhlo.num_replicas"); replicas != 1)
    return module.emitError() << "expected mhlo.num_replicas = 1, but got " << replicas
                              << ": computations of several devices are not supported";
  uint64_t partitions = deviceCount(module, "mhlo.num_partitions");
  if (failed(dropPlacement(module)) || failed(dropCollectives(module, partitions)))
    return mlir::failure();
  module->walk([](mlir::Operation *op) {
    dropHints(op);
    if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op))
      dropSignatureHints(function);
  });
  makeTokensTensors(module);
  return mlir::success();
}
