// Fourier transforms that a library may compute.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTCOMPOSITES_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTCOMPOSITES_H

#include "Interleaved.h"

namespace forge::stablehlo {

/// A composite `forge.fft` of tensors that hold the parts of a number next to each other; its
/// decomposition are the products of expandFft. Equal transforms share one.
class FftComposites {
public:
  FftComposites(mlir::ModuleOp module, mlir::OpBuilder &builder)
      : module(module), builder(builder) {}

  mlir::FailureOr<mlir::Value> create(FftOp op, mlir::Value operand);

private:
  mlir::FailureOr<mlir::func::FuncOp> decompose(FftOp op, mlir::Value operand);

  mlir::ModuleOp module;
  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Attribute, mlir::func::FuncOp> decompositions;
};

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTCOMPOSITES_H
