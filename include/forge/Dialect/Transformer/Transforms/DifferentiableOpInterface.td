// What an operation tells transformer-differentiate about its gradient.
#ifndef FORGE_DIALECT_TRANSFORMER_TRANSFORMS_DIFFERENTIABLEOPINTERFACE_TD
#define FORGE_DIALECT_TRANSFORMER_TRANSFORMS_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Transformer_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::forge::transformer";
  let description = [{
    An operation that reverse-mode differentiation can go through. Attached from outside (an external model) to the
    operations of the transformer dialect and of arith, linalg, math and tensor that are between them; attach it to
    your own operations to have them differentiated.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds, at the builder's place, the gradients of the active operands from the cotangents of the results, and
        adds each by `cotangents.add`. Called at most once, and only when a result has a cotangent. Fails with a
        diagnostic at the operation where its attributes or types rule a gradient out.
      }], "::llvm::LogicalResult", "buildGradients",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder, "::forge::transformer::Cotangents &":$cotangents)>,
    InterfaceMethod<[{
        Whether small changes of the operands do not change the results at all (a comparison, an argmax): the gradient
        is zero wherever it exists, and nothing is built.
      }], "bool", "isLocallyConstant", (ins), "", "return false;">];
}

#endif // FORGE_DIALECT_TRANSFORMER_TRANSFORMS_DIFFERENTIABLEOPINTERFACE_TD
