// The transformer dialect.
#ifndef FORGE_DIALECT_TRANSFORMER_DIALECT_TD
#define FORGE_DIALECT_TRANSFORMER_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Transformer_Dialect : Dialect {
  let name = "transformer";
  let cppNamespace = "::forge::transformer";
  let summary = "what a transformer model is made of";
  let description = [{
    The level at which a person reads a model, and at which fusion decides: matrix products with their epilogues,
    attention, normalisation, activations, embeddings. Operations take and give ranked tensors by value; dimensions
    may be dynamic, and sizes that do not go together then end the run with a message. The type in which sums are
    accumulated is part of each operation: f32 for f32, f16, bf16 and f8; f64 for f64; i32 for i8. Results are rounded
    once, at the end of the operation. Products of two f8 factors may be added up by a matrix unit with the bits it has,
    256 of them before their sum is added to one of f32.

    Absent on purpose: elementwise arithmetic, which arith and linalg have, and shape changes, which tensor has.
    Modules mix them freely with this dialect.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  // Canonical forms hold static sizes back behind casts.
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // FORGE_DIALECT_TRANSFORMER_DIALECT_TD
