// All operations of the register dialect.
#ifndef FORGE_DIALECT_REGISTER_OPS_TD
#define FORGE_DIALECT_REGISTER_OPS_TD

include "forge/Dialect/Register/IR/RegisterDialect.td"
include "forge/Dialect/Register/IR/RegisterInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Register_Op<string mnemonic, list<Trait> traits = []> : Op<Register_Dialect, mnemonic, traits>;

def Register_Number : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<65535>]>;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def Register_ProgramOp : Register_Op<"program", [Pure, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a program, run for each element";
  let description = [{
    Operands are tensors, which are the program's buffers, and numbers of type `index`, which its loops may use. The
    instructions are run once for each element, and see that element of every buffer. The results are the contents of
    the buffers that `end` names. In the region the dialect's name is left out:

    ```mlir
    func.func @silu(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = register.program(%b = %x) : (tensor<?xf32>) -> tensor<?xf32> {
        load r0, %b
        neg r1, r0
        exp r1, r1
        const r2, 1.0
        add r1, r1, r2
        div r0, r0, r1
        store r0, %b
        end %b
      }
      return %0 : tensor<?xf32>
    }
    ```

    Constraints:
    - (C1) there is a buffer, and all buffers have one type: a tensor of rank 1 or more of f16, bf16, f32 or f64.
    - (C2) the region has an argument for each operand: `!register.buffer` for a tensor, `index` for a number.
    - (C3) `end` is at the end, and names one buffer or more, of the types of the results.
    - (C4) the program has a `store` to each buffer that `end` names.
    - (C5) the region holds instructions and loops only, loops at most 64 within each other.
    - (C6) a register is written before it is read. A loop counts as one that may run zero times, also where its number
      of times is written: a register that is written in loops only may not be read behind them.
  }];
  let arguments = (ins Variadic<AnyTypeOf<[AnyRankedTensor, Index]>>:$arguments);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    static ::llvm::StringRef getDefaultDialect() { return "register"; }
    /// The type of all buffers.
    ::mlir::RankedTensorType getBufferType();
    /// Whether `argument`, of the region, is a buffer.
    static bool isBuffer(::mlir::Value argument) { return ::llvm::isa<BufferType>(argument.getType()); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let hasVerifier = 1;
}

def Register_EndOp : Register_Op<"end", [Terminator, HasParent<"ProgramOp">]> {
  let summary = "ends a program";
  let description = [{
    Names the buffers whose contents are the results.

    ```mlir
    end %b
    ```
  }];
  let arguments = (ins Variadic<Register_Buffer>:$buffers);
  let assemblyFormat = "custom<Buffers>($buffers) attr-dict";
}

def Register_LoopOp : Register_Op<"loop", [SingleBlock, NoTerminator, NoRegionArguments,
    ParentOneOf<["ProgramOp", "LoopOp"]>, DeclareOpInterfaceMethods<OpAsmOpInterface>]> {
  let summary = "instructions that are repeated";
  let description = [{
    Runs the region a number of times, which is written, or a number of the program: zero times where that is negative.

    ```mlir
    loop 4 {
      mul r0, r0, r1
    }
    loop %n {
      tanh r0, r0
    }
    ```

    Constraints:
    - (C1) the number of times is written, or an argument of the program, and not both.
  }];
  let arguments = (ins Optional<Index>:$count, OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$times);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Times>($count, $times) attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    static ::llvm::StringRef getDefaultDialect() { return "register"; }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

class Register_Instruction<string mnemonic>
    : Register_Op<mnemonic, [Register_InstructionInterface, ParentOneOf<["ProgramOp", "LoopOp"]>]>;

def Register_LoadOp : Register_Instruction<"load"> {
  let summary = "an element of a buffer into a register";
  let description = [{
    What was stored last, or else what the operand holds.

    ```mlir
    load r0, %b
    ```
  }];
  let arguments = (ins Register_Number:$dst, Register_Buffer:$buffer);
  let assemblyFormat = "custom<Register>($dst) `,` custom<Buffer>($buffer) attr-dict";
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getReadRegisters() { return {}; }
    std::optional<int64_t> getWrittenRegister() { return getDst(); }
  }];
}

def Register_StoreOp : Register_Instruction<"store"> {
  let summary = "a register into an element of a buffer";
  let description = [{
    Rounded to the element type of the buffer.

    ```mlir
    store r0, %b
    ```
  }];
  let arguments = (ins Register_Number:$src, Register_Buffer:$buffer);
  let assemblyFormat = "custom<Register>($src) `,` custom<Buffer>($buffer) attr-dict";
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getReadRegisters() { return {static_cast<int64_t>(getSrc())}; }
    std::optional<int64_t> getWrittenRegister() { return std::nullopt; }
  }];
}

def Register_ConstOp : Register_Instruction<"const"> {
  let summary = "a number into a register";
  let description = [{
    Rounded to the type of the registers. The number has a point, or is the bits of an f64, as infinities and NaN are.

    ```mlir
    const r0, 5.0e-01
    const r1, 0x7FF0000000000000
    ```
  }];
  let arguments = (ins Register_Number:$dst, F64Attr:$value);
  let assemblyFormat = "custom<Register>($dst) `,` custom<Constant>($value) attr-dict";
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getReadRegisters() { return {}; }
    std::optional<int64_t> getWrittenRegister() { return getDst(); }
  }];
}

class Register_Binary<string mnemonic, string what, string formula> : Register_Instruction<mnemonic> {
  let summary = what;
  let description = "\n" # formula # "\n\n```mlir\n" # mnemonic # " r2, r0, r1\n```\n";
  let arguments = (ins Register_Number:$dst, Register_Number:$lhs, Register_Number:$rhs);
  let assemblyFormat = "custom<Register>($dst) `,` custom<Register>($lhs) `,` custom<Register>($rhs) attr-dict";
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getReadRegisters() {
      return {static_cast<int64_t>(getLhs()), static_cast<int64_t>(getRhs())};
    }
    std::optional<int64_t> getWrittenRegister() { return getDst(); }
  }];
}

def Register_AddOp : Register_Binary<"add", "sum", "`dst = lhs + rhs`">;
def Register_SubOp : Register_Binary<"sub", "difference", "`dst = lhs - rhs`">;
def Register_MulOp : Register_Binary<"mul", "product", "`dst = lhs * rhs`">;
def Register_DivOp : Register_Binary<"div", "quotient", "`dst = lhs / rhs`">;
def Register_MinOp : Register_Binary<"min", "the smaller number",
    "`dst = min(lhs, rhs)`; NaN where one of them is NaN, and -0 is smaller than 0.">;
def Register_MaxOp : Register_Binary<"max", "the larger number",
    "`dst = max(lhs, rhs)`; NaN where one of them is NaN, and -0 is smaller than 0.">;

class Register_Unary<string mnemonic, string what, string formula> : Register_Instruction<mnemonic> {
  let summary = what;
  let description = "\n" # formula # "\n\n```mlir\n" # mnemonic # " r1, r0\n```\n";
  let arguments = (ins Register_Number:$dst, Register_Number:$src);
  let assemblyFormat = "custom<Register>($dst) `,` custom<Register>($src) attr-dict";
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getReadRegisters() { return {static_cast<int64_t>(getSrc())}; }
    std::optional<int64_t> getWrittenRegister() { return getDst(); }
  }];
}

def Register_NegOp : Register_Unary<"neg", "with the other sign", "`dst = -src`">;
def Register_AbsOp : Register_Unary<"abs", "magnitude", "`dst = |src|`">;
def Register_SqrtOp : Register_Unary<"sqrt", "square root", "`dst = sqrt(src)`">;
def Register_ExpOp : Register_Unary<"exp", "exponential", "`dst = e^src`">;
def Register_LogOp : Register_Unary<"log", "natural logarithm", "`dst = ln(src)`">;
def Register_SinOp : Register_Unary<"sin", "sine", "`dst = sin(src)`, in radians">;
def Register_CosOp : Register_Unary<"cos", "cosine", "`dst = cos(src)`, in radians">;
def Register_TanhOp : Register_Unary<"tanh", "hyperbolic tangent", "`dst = tanh(src)`">;

#endif // FORGE_DIALECT_REGISTER_OPS_TD
