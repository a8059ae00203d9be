// What operations of the transformer dialect tell others about themselves.
#ifndef FORGE_DIALECT_TRANSFORMER_INTERFACES_TD
#define FORGE_DIALECT_TRANSFORMER_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Transformer_AccumulationInterface : OpInterface<"AccumulationOpInterface"> {
  let cppNamespace = "::forge::transformer";
  let description = [{
    An operation that adds up terms, or computes a formula, in a type of its own. The error model reads from it how
    large a correct result's error may be.
  }];
  let methods = [
    InterfaceMethod<"The type that sums and formulas are computed in: f32, f64 or i32.", "::mlir::Type",
                    "getAccumulationType">,
    InterfaceMethod<"Terms in the longest sum behind one element of a result, 1 where there is none, or "
                    "ShapedType::kDynamic where a dynamic dimension decides it.", "int64_t", "getReductionLength">];
}

#endif // FORGE_DIALECT_TRANSFORMER_INTERFACES_TD
