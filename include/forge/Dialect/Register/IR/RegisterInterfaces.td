// What instructions tell about the registers that they use.
#ifndef FORGE_DIALECT_REGISTER_INTERFACES_TD
#define FORGE_DIALECT_REGISTER_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Register_InstructionInterface : OpInterface<"InstructionOpInterface"> {
  let cppNamespace = "::forge::registers";
  let description = [{
    An instruction of a register program: the numbers of the registers that it reads and of the one that it writes.
  }];
  let methods = [
    InterfaceMethod<"Registers that it reads.", "::llvm::SmallVector<int64_t>", "getReadRegisters">,
    InterfaceMethod<"The register that it writes, if it writes one.", "std::optional<int64_t>", "getWrittenRegister">];
}

#endif // FORGE_DIALECT_REGISTER_INTERFACES_TD
