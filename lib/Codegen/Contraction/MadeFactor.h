// A factor of a product that is not in memory: numbers of few bits, unpacked and scaled where they
// are multiplied.
#ifndef FORGE_LIB_CODEGEN_CONTRACTION_MADEFACTOR_H
#define FORGE_LIB_CODEGEN_CONTRACTION_MADEFACTOR_H

#include "IndexBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace forge::contraction {

/// C[m, n] += sum over k of A[m, k] B[n, k], of which A is an input, and the body computes B from
/// other inputs, from elements that it reads, and from n and k.
struct MadeProduct {
  mutable mlir::linalg::GenericOp op;
  /// The number of A's operand.
  unsigned plain;
  /// The element of B in the body.
  mlir::Value element;
  /// What it is made by, in their order in the body.
  llvm::SmallVector<mlir::Operation *> makers;
  /// Loops of more than one iteration, or the last of one; -1: none.
  int64_t m, n, k;
  /// What the body reads from: values defined outside, in the order of their first use.
  llvm::SmallVector<mlir::Value> captured;
  /// The element type of the most memory that B is made of.
  mlir::Type packed;

  int64_t size(int64_t loop) const;
};

/// Whether `op`, in a body, reads an element of a tensor or of memory.
bool isRead(mlir::Operation &op);

/// The product that `op`, on tensors or buffers, is. Otherwise says why not.
llvm::FailureOr<MadeProduct> matchMadeProduct(mlir::linalg::LinalgOp op,
                                              llvm::function_ref<void(const llvm::Twine &)> whyNot);

/// How B's elements for neighbouring k are computed together. Each value of the body is, in lane l
/// of a vector, the same number, or a number + l, or any.
class MadeLanes {
public:
  /// For k that are multiples of `lanes`.
  MadeLanes(const MadeProduct &product, int64_t lanes);
  /// Whether each read is of one element, or of neighbours in memory.
  bool isPossible() const { return possible; }
  /// The elements [k, k + lanes) of row n as `type`: a vector, or, of one lane, a scalar. `memory`
  /// has what stands for inputs and captured values. What is `ahead` bytes behind a vector of it is
  /// asked for, if that is not 0.
  mlir::Value emit(IndexBuilder &ib, const mlir::IRMapping &memory, Index n, Index k,
                   mlir::Type type, int64_t ahead = 0) const;

private:
  enum class Kind { Same, Ramp, Any };
  struct Lanes {
    Kind kind = Kind::Same;
    /// What the number in lane 0 is known to be a multiple of; 0: the number is 0.
    int64_t multiple = 1;
  };

  Lanes classify(mlir::Operation &op);
  Lanes lanesOf(mlir::Value value) const;
  bool isReadAtOnce(mlir::ValueRange indices, mlir::Value memory) const;
  std::optional<Lanes> placeOf(mlir::AffineExpr index) const;

  const MadeProduct &product;
  int64_t lanes;
  bool possible = true;
  llvm::DenseMap<mlir::Value, Lanes> values;
};

/// Lanes by which a factor is computed, at least: a vector of f32 of 256 bits.
inline constexpr int64_t kLeastMadeLanes = 8;

/// The most lanes, up to 32, by which B can be computed; nothing if not even by `least`.
std::optional<int64_t> mostLanes(const MadeProduct &product, int64_t least);

} // namespace forge::contraction

#endif // FORGE_LIB_CODEGEN_CONTRACTION_MADEFACTOR_H
