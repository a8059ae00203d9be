#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

#include "forge/Dialect/Transformer/Transforms/DifferentiableOpInterface.cpp.inc"

void Cotangents::add(ImplicitLocOpBuilder &builder, Value value, Value gradient) {
  if (!gradient || !isActive(value))
    return;
  if (gradient.getType() != value.getType())
    gradient = tensor::CastOp::create(builder, value.getType(), gradient);
  Value &sum = found[value];
  if (!sum)
    sum = gradient;
  else if (isa<FloatType>(value.getType()))
    sum = arith::AddFOp::create(builder, sum, gradient);
  else
    sum = AddOp::create(builder, sum, gradient);
}

template <typename Dialect, void (*attach)(MLIRContext *)>
static void attachWith(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, Dialect *) { attach(context); });
}

void registerDifferentiationModels(DialectRegistry &registry) {
  attachWith<arith::ArithDialect, attachArithModels>(registry);
  attachWith<linalg::LinalgDialect, attachLinalgModels>(registry);
  attachWith<linalg::LinalgDialect, attachStructuredModels>(registry);
  attachWith<math::MathDialect, attachMathModels>(registry);
  attachWith<scf::SCFDialect, attachControlFlowModels>(registry);
  attachWith<tensor::TensorDialect, attachTensorModels>(registry);
  attachWith<TransformerDialect, attachAttentionModels>(registry);
  attachWith<TransformerDialect, attachContractionModels>(registry);
  attachWith<TransformerDialect, attachElementwiseModels>(registry);
  attachWith<TransformerDialect, attachNormalizationModels>(registry);
  attachWith<TransformerDialect, attachQuantizationModels>(registry);
  attachWith<TransformerDialect, attachSelectionModels>(registry);
}

} // namespace forge::transformer
