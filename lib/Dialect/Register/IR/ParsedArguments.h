// The arguments of the program that a thread is parsing, for messages that name them.
#ifndef FORGE_LIB_DIALECT_REGISTER_IR_PARSEDARGUMENTS_H
#define FORGE_LIB_DIALECT_REGISTER_IR_PARSEDARGUMENTS_H

#include "mlir/IR/OpImplementation.h"

namespace forge::registers {

/// While there is one, `check` knows what the instructions of its program may name. MLIR says of
/// another name, at the end of the region, only that it is undeclared.
class ParsedArguments {
public:
  explicit ParsedArguments(llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments)
      : arguments(arguments), outer(innermost) {
    innermost = this;
  }
  ParsedArguments(const ParsedArguments &) = delete;
  ~ParsedArguments() { innermost = outer; }

  /// Fails if `operand` is not an argument of the program, with an error at its place. Programs in
  /// generic form are not checked.
  static mlir::ParseResult check(mlir::OpAsmParser &parser,
                                 const mlir::OpAsmParser::UnresolvedOperand &operand) {
    if (!innermost)
      return mlir::success();
    llvm::ArrayRef<mlir::OpAsmParser::Argument> known = innermost->arguments;
    if (operand.number == 0 && llvm::any_of(known, [&](const auto &argument) {
          return argument.ssaName.name == operand.name;
        }))
      return mlir::success();
    mlir::InFlightDiagnostic error = parser.emitError(operand.location)
                                     << "expected an argument of the program, ";
    llvm::interleave(
        known, [&](const auto &argument) { error << argument.ssaName.name; },
        [&] { error << " or "; });
    error << (known.empty() ? "which has none" : "") << ", but got " << operand.name;
    if (operand.number != 0)
      error << "#" << operand.number;
    return error;
  }

private:
  static inline thread_local const ParsedArguments *innermost = nullptr;
  llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments;
  const ParsedArguments *outer;
};

} // namespace forge::registers

#endif // FORGE_LIB_DIALECT_REGISTER_IR_PARSEDARGUMENTS_H
