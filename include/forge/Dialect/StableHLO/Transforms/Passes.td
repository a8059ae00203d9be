// Passes of ForgeStableHLOTransforms, alphabetical.
#ifndef FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlineCallsPass : Pass<"forge-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inlines every call and composite, then drops private functions nothing refers to";
  let description = [{
    `call` and `stablehlo.composite` become the body of the function they name; what follows sees
    one function per entry point. A recursive call is an error at the call, and so is a module that
    would grow beyond a million ops. Functions with the attribute `keep` names, and their calls, stay
    as they are: kernel functions of a file.

    ```mlir
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %a, %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %a, %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    Numerics: bit-exact.
  }];
  let options = [
    Option<"keep", "keep", "std::string", "", "An attribute of functions that stay functions">
  ];
}

def LegalizeChloPass : Pass<"forge-legalize-chlo", "::mlir::ModuleOp"> {
  let summary = "Rewrites the broadcasting ops of chlo as broadcasts and plain ops";
  let description = [{
    `chlo.broadcast_add` and its like become the `stablehlo` (or `chlo`) op of the same name on
    operands that were brought to one shape before; dynamic sizes are computed from the operands.
    The math functions of chlo stay: they are lowered with those of stablehlo.

    ```mlir
    %r = chlo.broadcast_add %a, %b : (tensor<4x1xi32>, tensor<3xi32>) -> tensor<4x3xi32>
    // becomes
    %x = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x3xi32>
    %y = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xi32>) -> tensor<4x3xi32>
    %r = stablehlo.add %x, %y : tensor<4x3xi32>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

#endif // FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
