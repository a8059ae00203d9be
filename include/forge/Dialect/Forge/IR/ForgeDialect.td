// The forge dialect.
#ifndef FORGE_DIALECT_FORGE_DIALECT_TD
#define FORGE_DIALECT_FORGE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Forge_Dialect : Dialect {
  let name = "forge";
  let cppNamespace = "::forge";
  let summary = "how operations and kernels are computed";
  let description = [{
    Attributes with which the passes of Forge talk to each other and to people: schedules are written on operations of
    `linalg` and on functions. Its one operation is what a library computes on the host.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

#endif // FORGE_DIALECT_FORGE_DIALECT_TD
