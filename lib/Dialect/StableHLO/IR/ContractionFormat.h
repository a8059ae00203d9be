// Inline text of dot, dot_general and convolution.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_IR_CONTRACTIONFORMAT_H
#define FORGE_LIB_DIALECT_STABLEHLO_IR_CONTRACTIONFORMAT_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`, the first part only where not empty.
mlir::ParseResult parseDotDimensions(mlir::OpAsmParser &parser, DotDimensionNumbersAttr &dims);
void printDotDimensions(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        DotDimensionNumbersAttr dims);

/// `, precision = [HIGH, DEFAULT]`, or nothing.
mlir::ParseResult parseDotPrecision(mlir::OpAsmParser &parser, mlir::ArrayAttr &precision);
void printDotPrecision(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::ArrayAttr precision);

/// `, precision = [...]`, `, algorithm = <...>`, both in this order, or nothing.
mlir::ParseResult parseDotSettings(mlir::OpAsmParser &parser, mlir::ArrayAttr &precision,
                                   DotAlgorithmAttr &algorithm);
void printDotSettings(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::ArrayAttr precision,
                      DotAlgorithmAttr algorithm);

/// The dimension numbers of a convolution without `#stablehlo.conv<>` around them.
mlir::ParseResult parseConvDimensions(mlir::OpAsmParser &parser, ConvDimensionNumbersAttr &dims);
void printConvDimensions(mlir::OpAsmPrinter &printer, mlir::Operation *,
                         ConvDimensionNumbersAttr dims);

/// `stride = [2, 2], pad = [[1, 1], [0, 0]], lhs_dilate = .., rhs_dilate = .., reverse = [true,
/// ..]`, in any order, each only where given.
mlir::ParseResult parseConvWindow(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &strides,
                                  mlir::DenseIntElementsAttr &padding,
                                  mlir::DenseI64ArrayAttr &lhsDilation,
                                  mlir::DenseI64ArrayAttr &rhsDilation,
                                  mlir::DenseBoolArrayAttr &reversal);
void printConvWindow(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::DenseI64ArrayAttr strides, mlir::DenseIntElementsAttr padding,
                     mlir::DenseI64ArrayAttr lhsDilation, mlir::DenseI64ArrayAttr rhsDilation,
                     mlir::DenseBoolArrayAttr reversal);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_IR_CONTRACTIONFORMAT_H
