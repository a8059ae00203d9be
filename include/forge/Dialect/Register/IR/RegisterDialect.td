// The register dialect.
#ifndef FORGE_DIALECT_REGISTER_DIALECT_TD
#define FORGE_DIALECT_REGISTER_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Register_Dialect : Dialect {
  let name = "register";
  let cppNamespace = "::forge::registers";
  let summary = "load, operate and store in virtual registers";
  let description = [{
    Programs of a register machine, for instruction sets that are not MLIR's: a translator writes one operation per
    instruction. A program is run once for each element of its buffers, and the buffers give the number of elements.
    Registers are `r0` to `r65535`; every element has its own. They hold f32, or f64 where the buffers do; loads extend,
    stores round, and each operation rounds once.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Register_Buffer : TypeDef<Register_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a buffer of a program";
  let description = [{
    In a program, an operand's tensor. Its type is the operand's.
  }];
}

#endif // FORGE_DIALECT_REGISTER_DIALECT_TD
