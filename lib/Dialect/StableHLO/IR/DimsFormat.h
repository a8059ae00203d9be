// How lists of dimensions and the dimension numbers of convolutions are written, shared by the
// attributes and by the ops that print them inline.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_IR_DIMSFORMAT_H
#define FORGE_LIB_DIALECT_STABLEHLO_IR_DIMSFORMAT_H

#include "mlir/IR/OpImplementation.h"

namespace forge::stablehlo {

class ConvDimensionNumbersAttr;

/// Parses `[0, 2, 1]`.
mlir::FailureOr<llvm::SmallVector<int64_t>> parseDims(mlir::AsmParser &parser);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// A field of an attribute that is written `<name = [0, 1], name2 = 3>`: a list of dimensions, left
/// out when empty, or one dimension, left out when 0.
struct DimsField {
  llvm::StringRef name;
  llvm::SmallVector<int64_t> dims;
  bool isScalar = false;
};

/// Parses and prints the fields with the angle brackets. They are in any order, each at most
/// once; a comma may follow the last.
mlir::ParseResult parseFields(mlir::AsmParser &parser, llvm::MutableArrayRef<DimsField> fields);
void printFields(mlir::AsmPrinter &printer, llvm::ArrayRef<DimsField> fields);

/// Parses and prints `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, or where the numbers make no such
/// lists, `raw input_batch_dimension = 0, ...`.
mlir::ParseResult parseConvDims(mlir::AsmParser &parser, ConvDimensionNumbersAttr &dims);
void printConvDims(mlir::AsmPrinter &printer, ConvDimensionNumbersAttr dims);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_IR_DIMSFORMAT_H
