// Takes complex numbers of a module apart: between the files that do.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_COMPLEXSPLITTER_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_COMPLEXSPLITTER_H

#include "FftComposites.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge::stablehlo {

/// Whether `type` is a tensor of complex numbers that StableHLO has operations for.
inline bool isComplex(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && !tensor.getEncoding() && isComplexElementType(tensor.getElementType());
}

/// Of the parts; other types stay.
inline mlir::Type partType(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? tensor.clone(partTypeOf(tensor.getElementType())) : type;
}

/// With two types for each complex one.
inline llvm::SmallVector<mlir::Type> splitTypes(mlir::TypeRange types) {
  llvm::SmallVector<mlir::Type> split;
  for (mlir::Type type : types)
    split.append(isComplex(type) ? 2 : 1, partType(type));
  return split;
}

/// A diagnostic that `op` cannot be computed with complex numbers.
llvm::LogicalResult refuseComplex(mlir::Operation *op);

/// Functions, blocks and their arguments are in SplitComplex.cpp, what becomes of an operation in
/// SplitComplexOps.cpp.
class ComplexSplitter {
public:
  ComplexSplitter(mlir::ModuleOp module, bool forGPU)
      : module(module), forGPU(forGPU), builder(module.getContext()), interleaver(builder),
        composites(module, builder, forGPU) {}
  llvm::LogicalResult run();

private:
  llvm::LogicalResult splitFunction(mlir::func::FuncOp function);
  llvm::LogicalResult splitArguments(mlir::func::FuncOp function);
  llvm::LogicalResult splitBlock(mlir::Block &block, mlir::func::FuncOp entry = {});
  llvm::LogicalResult split(mlir::Operation *op, mlir::func::FuncOp entry);
  llvm::LogicalResult splitKnown(mlir::Operation *op);
  /// Whether the operation has to do with complex numbers itself, what is in its regions aside.
  bool isInvolved(mlir::Operation *op);

  Complex partsOf(mlir::Value value) { return parts.lookup(value); }
  llvm::SmallVector<mlir::Value> splitValues(mlir::ValueRange values);
  /// Replaces all results; two new ones for each complex one.
  void replace(mlir::Operation *op, mlir::ValueRange values);
  void replace(mlir::Operation *op, Complex z) { replace(op, mlir::ValueRange{z.re, z.im}); }
  mlir::Operation *cloneWith(mlir::Operation *op, mlir::ValueRange operands,
                             mlir::TypeRange results);
  llvm::LogicalResult splitInPlace(mlir::Operation *op, mlir::ValueRange operands);
  llvm::LogicalResult splitEachPart(mlir::Operation *op);
  llvm::LogicalResult splitRegionArguments(mlir::Region &region, bool pairsOfArguments);
  llvm::LogicalResult splitProduct(mlir::Operation *op);
  llvm::LogicalResult splitConstant(ConstantOp op);
  llvm::LogicalResult splitConvert(ConvertOp op);
  llvm::LogicalResult splitClamp(ClampOp op);
  llvm::LogicalResult splitFft(FftOp op);
  llvm::LogicalResult splitReturn(mlir::Operation *op, mlir::func::FuncOp entry);
  bool splitEachPartOfBody(mlir::Operation *op);

  mlir::ModuleOp module;
  bool forGPU;
  mlir::OpBuilder builder;
  Interleaver interleaver;
  FftComposites composites;
  llvm::DenseMap<mlir::Value, Complex> parts;
  llvm::SmallVector<mlir::Operation *> dead;
  llvm::SmallVector<mlir::BlockArgument> deadArguments;
};
} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_COMPLEXSPLITTER_H
