// Narrow values as numbers, for all lowerings that read them.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_QUANTIZATION_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_QUANTIZATION_H

#include "Emit.h"

namespace forge {

/// The scale of narrow values, and their zero point: how the loops of an elementwise operation on
/// the values, one per dimension, read them.
/// 1. One for all, or one per channel: by an indexing map.
/// 2. One per block: by reading at the loop indices over the block's sizes. An indexing map with a
///    division would not survive tiling.
class ScaleReader {
public:
  /// `axis` is the channels' dimension where the scale has rank 1. The zero point may be null.
  ScaleReader(mlir::Value scale, mlir::Value zeroPoint, int64_t rank, int64_t axis,
              std::optional<llvm::ArrayRef<int64_t>> block)
      : scale(scale), zeroPoint(zeroPoint), rank(rank), axis(axis), block(block) {}

  /// Adds what is read by a map to the inputs of the operation.
  void addOperands(mlir::Builder &b, llvm::SmallVectorImpl<Operand> &inputs) const;

  /// Inside the body, whose arguments begin at `first` with those added: the scale and the zero
  /// point (null if there is none).
  std::pair<mlir::Value, mlir::Value> read(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange args,
                                           unsigned first) const;

private:
  mlir::Value scale, zeroPoint;
  int64_t rank, axis;
  std::optional<llvm::ArrayRef<int64_t>> block;
};

/// (narrow - zeroPoint) * scale in `compute`; the zero point may be null.
mlir::Value emitNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value narrow, mlir::Value scale,
                       mlir::Value zeroPoint, mlir::Type compute);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_QUANTIZATION_H
