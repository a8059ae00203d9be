// Fourier transforms that a library may compute.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTCOMPOSITES_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTCOMPOSITES_H

#include "ExpandFft.h"
#include "Interleaved.h"

namespace forge::stablehlo {

/// A composite `forge.fft`, whose decomposition are the products of expandFft. Equal transforms
/// share one. On the CPU it is of tensors that hold the parts of a number next to each other, as
/// libraries have it, on GPUs of the parts.
class FftComposites {
public:
  FftComposites(mlir::ModuleOp module, mlir::OpBuilder &builder, bool forGPU)
      : module(module), builder(builder), forGPU(forGPU) {}

  mlir::FailureOr<llvm::SmallVector<mlir::Value>> create(FftOp op, mlir::ValueRange operands);

private:
  mlir::FailureOr<mlir::func::FuncOp> decompose(FftOp op, mlir::TypeRange operands,
                                                mlir::TypeRange results);

  mlir::ModuleOp module;
  mlir::OpBuilder &builder;
  bool forGPU;
  llvm::DenseMap<mlir::Attribute, mlir::func::FuncOp> decompositions;
};

/// Of an operation of StableHLO; `result` of one part.
FftProblem problemOf(FftOp op);

/// Of such a composite of parts; nothing where its attributes or types are none of a transform.
std::optional<FftProblem> problemOf(CompositeOp composite);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTCOMPOSITES_H
