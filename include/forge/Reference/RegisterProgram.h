// Register programs, instruction by instruction. No MLIR.
#ifndef FORGE_REFERENCE_REGISTERPROGRAM_H
#define FORGE_REFERENCE_REGISTERPROGRAM_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

/// One instruction, of which only the fields that it uses count.
struct RegisterInstruction {
  enum class Kind {
    Load,     ///< registers[dst] = buffers[buffer][element]
    Store,    ///< buffers[buffer][element] = registers[lhs], rounded to the buffer's type
    Constant, ///< registers[dst] = value
    Loop,     ///< `body`, `times` times
    // registers[dst] = registers[lhs] op registers[rhs]
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    // registers[dst] = op registers[lhs]
    Negate,
    Abs,
    Sqrt,
    Exponential,
    Log,
    Sine,
    Cosine,
    Tanh
  };
  Kind kind;
  int64_t dst = 0, lhs = 0, rhs = 0, buffer = 0;
  double value = 0;
  int64_t times = 0;
  std::vector<RegisterInstruction> body = {};
};

/// Runs `program` once for each element of `buffers`, float tensors of one shape and type, and
/// gives them back as they are then. What operations give is rounded to `type`, that of the
/// registers (F64: not at all). Fails where shapes differ, a buffer is not there, or there are more
/// than 2^34 steps.
Result<std::vector<HostTensor>> runProgram(const std::vector<RegisterInstruction> &program,
                                           DType type, std::vector<HostTensor> buffers);

} // namespace forge::reference

#endif // FORGE_REFERENCE_REGISTERPROGRAM_H
