// Checks of the operands of one builder call.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_BUILDERS_CALLCHECK_H
#define FORGE_LIB_DIALECT_TRANSFORMER_BUILDERS_CALLCHECK_H

#include "forge/Dialect/Transformer/Builders/Graph.h"

namespace forge::transformer {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// Checks in a row; once one fails, or the graph had failed before, the rest do nothing.
class CallCheck {
public:
  /// `call` is the builder's function; errors also name `subject`, if it has a name.
  CallCheck(Graph &graph, llvm::StringRef call, mlir::Value subject = {});

  /// The operand is there.
  CallCheck &present(mlir::Value value, llvm::StringRef what);
  /// It has rank `rank`, or at least that.
  CallCheck &rank(mlir::Value value, llvm::StringRef what, int64_t rank);
  CallCheck &rankAtLeast(mlir::Value value, llvm::StringRef what, int64_t rank);
  /// It has the shape `expected`, where ShapedType::kDynamic goes with any size.
  CallCheck &shape(mlir::Value value, llvm::StringRef what, llvm::ArrayRef<int64_t> expected);
  /// It has the element type of `like`, or one of `elements`.
  CallCheck &elementOf(mlir::Value value, llvm::StringRef what, mlir::Value like);
  CallCheck &integers(mlir::Value value, llvm::StringRef what);
  CallCheck &floats(mlir::Value value, llvm::StringRef what);
  CallCheck &require(bool condition, const llvm::Twine &message);

  explicit operator bool() const { return fine; }

private:
  void fail(const llvm::Twine &message);
  static std::string typeText(mlir::Value value);

  Graph &graph;
  std::string call;
  bool fine;
};

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_BUILDERS_CALLCHECK_H
