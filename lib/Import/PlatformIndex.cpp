#include "Portable/JaxExport.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Import/ModuleFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace forge;

/// The argument that is the index of the platform; none if there is none.
static std::optional<unsigned> indexArgument(mlir::func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto name = function.getArgAttrOfType<mlir::StringAttr>(i, "jax.global_constant");
    if (name && name.getValue() == "_platform_index")
      return i;
  }
  return std::nullopt;
}

mlir::LogicalResult forge::selectPlatform(mlir::ModuleOp module, llvm::StringRef platform) {
  auto platforms = module->getAttrOfType<mlir::ArrayAttr>(kPlatformsAttribute);
  if (!platforms)
    return mlir::success();
  module->removeAttr(kPlatformsAttribute);
  auto wanted = mlir::StringAttr::get(module.getContext(), platform);
  const auto *found = llvm::find(platforms, mlir::Attribute(wanted));
  if (found == platforms.end())
    return module.emitError() << "expected a module lowered for platform '" << platform
                              << "', but got one for " << platforms;
  auto index = static_cast<int64_t>(found - platforms.begin());
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    // Others are called, with the index that the public one has.
    std::optional<unsigned> place =
        function.isPublic() && !function.isExternal() ? indexArgument(function) : std::nullopt;
    if (!place)
      continue;
    mlir::BlockArgument argument = function.getArgument(*place);
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(argument.getType());
    if (!type || type.getRank() != 0 || !type.getElementType().isSignlessInteger())
      return function.emitError() << "expected an integer as the index of the platform, but got "
                                  << argument.getType();
    mlir::OpBuilder b = mlir::OpBuilder::atBlockBegin(&function.front());
    auto value = mlir::DenseElementsAttr::get(
        type, b.getIntegerAttr(type.getElementType(), index).getValue());
    argument.replaceAllUsesWith(stablehlo::ConstantOp::create(b, function.getLoc(), type, value));
    if (failed(function.eraseArgument(*place)))
      return mlir::failure();
  }
  return mlir::success();
}
