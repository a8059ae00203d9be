// What computes the matrix of a product of a few rows in registers: numbers of few bits that are
// unpacked and scaled.
#ifndef FORGE_LIB_CODEGEN_GEMV_MATRIXPROLOGUE_H
#define FORGE_LIB_CODEGEN_GEMV_MATRIXPROLOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace forge {

/// The operation that computes `matrix`, on tensors or into a temporary, each element from its row,
/// its column and what it reads, for one reader alone; null if it is another one or none.
mlir::linalg::GenericOp matrixPrologueOf(mlir::Value matrix);

/// Whether all that `prologue` reads are contiguous arguments of its kernel.
bool readsArguments(mlir::linalg::GenericOp prologue);

/// Neighbouring elements of a row of the matrix that one thread computes: on buffers. What they
/// have in common is computed once, and neighbours in memory are read at once.
class MatrixLanes {
public:
  /// Emits what the elements [column, column + lanes) of `row` read. `column` is a multiple of
  /// `lanes`.
  MatrixLanes(mlir::ImplicitLocOpBuilder &b, mlir::linalg::GenericOp prologue, mlir::Value row,
              mlir::Value column, int64_t lanes);

  struct Numbers {
    llvm::SmallVector<mlir::Value> lanes;
    /// What each of them is still to be multiplied by; may be null.
    mlir::Value factor;
  };
  /// Emits the elements, not rounded to the matrix' type unless they are computed in f64. Once,
  /// where what was read is known.
  Numbers compute(mlir::ImplicitLocOpBuilder &builder);

private:
  /// base + constant, where `base` is a multiple of `multiple`, or 0 if it is null. Neither is
  /// negative.
  struct Place {
    mlir::Value base;
    int64_t multiple = 0, constant = 0;
  };

  void load(mlir::Value memory, llvm::ArrayRef<llvm::SmallVector<Place>> indices,
            mlir::Value result);
  std::optional<Place> placeOf(mlir::Value value, int64_t lane);
  Place placeOf(mlir::AffineExpr expr, int64_t lane);
  mlir::Value valueOf(mlir::Value value, int64_t lane);
  mlir::Value materialize(const Place &place);
  mlir::Value constant(int64_t value);
  /// `op`, or the same operation where it has been made before.
  mlir::Value once(mlir::Operation *op);
  mlir::Value numberOf(mlir::Value integer, mlir::Type type);

  Place add(const Place &x, const Place &y);
  Place multiply(const Place &x, int64_t by);
  Place divide(const Place &x, int64_t by);
  Place remainder(const Place &x, int64_t by);
  /// `x` with a constant less than what its base is a multiple of.
  Place normalized(const Place &x);

  mlir::ImplicitLocOpBuilder b;
  mlir::linalg::GenericOp prologue;
  mlir::Value row, column;
  int64_t lanes;
  /// What values of the body are in each lane.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> values;
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_MATRIXPROLOGUE_H
