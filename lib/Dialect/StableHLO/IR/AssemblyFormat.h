// Custom directives of the ops' assembly formats. ODS calls `parseX` and `printX` by name.
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace forge::stablehlo {

namespace detail {
/// Fills `types`, operands first and the result last, from either `T` or `(A, B) -> C`.
mlir::ParseResult parseSameTypeOrFunctional(mlir::OpAsmParser &parser,
                                            llvm::ArrayRef<mlir::Type *> types);
} // namespace detail

/// `T` when all operands and the result have type T, `(A, B) -> C` otherwise. The result's type is
/// the last argument.
template <typename... Types>
mlir::ParseResult parseSameTypeOrFunctional(mlir::OpAsmParser &parser, Types &...types) {
  return detail::parseSameTypeOrFunctional(parser, {&types...});
}
void printSameTypeOrFunctional(mlir::OpAsmPrinter &printer, mlir::Operation *op);
template <typename... Types>
void printSameTypeOrFunctional(mlir::OpAsmPrinter &printer, mlir::Operation *op, Types...) {
  printSameTypeOrFunctional(printer, op);
}

/// `C` when the parts are those of the complex type C, `(A, B) -> C` otherwise.
mlir::ParseResult parseComplexTypes(mlir::OpAsmParser &parser, mlir::Type &lhs, mlir::Type &rhs,
                                    mlir::Type &result);
void printComplexTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type lhs,
                       mlir::Type rhs, mlir::Type result);

/// `P, T` when both values and the result have type T, `(P, A, B) -> C` otherwise.
mlir::ParseResult parseSelectTypes(mlir::OpAsmParser &parser, mlir::Type &pred, mlir::Type &onTrue,
                                   mlir::Type &onFalse, mlir::Type &result);
void printSelectTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type pred,
                      mlir::Type onTrue, mlir::Type onFalse, mlir::Type result);

/// `T0, T1`: types of operands that are the types of the results too.
mlir::ParseResult parsePairwiseTypes(mlir::OpAsmParser &parser,
                                     llvm::SmallVectorImpl<mlir::Type> &operands,
                                     llvm::SmallVectorImpl<mlir::Type> &results);
void printPairwiseTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange operands,
                        mlir::TypeRange results);

/// `tuple<T0, T1>`, from which the operands' types follow.
mlir::ParseResult parseTupleTypes(mlir::OpAsmParser &parser,
                                  llvm::SmallVectorImpl<mlir::Type> &operands, mlir::Type &result);
void printTupleTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange operands,
                     mlir::Type result);

/// `T` or `(T, T) -> T` for any number of operands.
mlir::ParseResult parseTokenTypes(mlir::OpAsmParser &parser,
                                  llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
                                  llvm::SmallVectorImpl<mlir::Type> &types, mlir::Type &result);
void printTokenTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange operands,
                     mlir::TypeRange types, mlir::Type result);

/// `%a, %b, ` with a comma after each operand, since an attribute follows.
mlir::ParseResult
parseOperandsThenComma(mlir::OpAsmParser &parser,
                       llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printOperandsThenComma(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                            mlir::OperandRange operands);

/// `[start:limit:stride, ...]`, the stride left out when it is one.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &starts,
                                   mlir::DenseI64ArrayAttr &limits,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> limits,
                      llvm::ArrayRef<int64_t> strides);

/// A float format as one word: `e5m10`.
mlir::ParseResult parseExponentMantissa(mlir::OpAsmParser &parser, mlir::IntegerAttr &exponent,
                                        mlir::IntegerAttr &mantissa);
void printExponentMantissa(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);

} // namespace forge::stablehlo
