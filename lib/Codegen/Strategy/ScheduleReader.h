// Reads the attribute forge.schedule: a dictionary whose keys are all known and have the types that
// their readers ask for.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_SCHEDULEREADER_H
#define FORGE_LIB_CODEGEN_STRATEGY_SCHEDULEREADER_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace forge {

/// One function per type of key. The first error is reported at the operation; what is read after
/// it has the value of its type's default. `finish` says whether all went well.
class ScheduleReader {
public:
  /// Of the discardable attribute `name` of `op`, which has to be there.
  ScheduleReader(mlir::Operation *op, llvm::StringRef name);

  std::string text(llvm::StringRef key);
  bool truth(llvm::StringRef key);
  /// An i64.
  int64_t number(llvm::StringRef key);
  /// An array<i64>.
  llvm::SmallVector<int64_t> numbers(llvm::StringRef key);

  /// Reports a key that has not been read.
  mlir::LogicalResult finish();

private:
  /// The value of `key` if it is of type `Attr`; null, reported as `expected`, otherwise.
  template <typename Attr> Attr read(llvm::StringRef key, llvm::StringRef expected);

  mlir::Operation *op;
  llvm::StringRef name;
  mlir::DictionaryAttr entries;
  llvm::SmallVector<llvm::StringRef> known;
  bool failed = false;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_SCHEDULEREADER_H
