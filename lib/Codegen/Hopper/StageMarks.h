// Where the stages of a kernel begin, for time stamps.
#ifndef FORGE_LIB_CODEGEN_HOPPER_STAGEMARKS_H
#define FORGE_LIB_CODEGEN_HOPPER_STAGEMARKS_H

#include "ThreadBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Writes a tile.stamp where a stage of a role begins, in kernels that are compiled with them
/// (forge/Codegen/Stamps.h); nothing elsewhere.
class StageMarks {
public:
  StageMarks(ThreadBuilder &b, mlir::func::FuncOp kernel);

  bool isOn() const { return on; }
  /// What is marked from here on is of a role that has the numbers `first` to `first + rows - 1`:
  /// `row`, i32, is the thread's, from 0. A thread takes time stamps where `records` holds.
  void beginRole(llvm::StringRef name, int64_t first, int64_t rows, mlir::Value row,
                 mlir::Value records);
  /// Nothing where the stage that began last in this straight line of code is the same.
  void begin(llvm::StringRef stage);
  /// The role has ended, or waits for the next kernel.
  void end() { begin(""); }
  /// Code that is entered from several places begins or ends here.
  void forget() { last = std::nullopt; }

private:
  ThreadBuilder &b;
  bool on;
  std::string role;
  int64_t first = 0, rows = 1;
  mlir::Value row, records;
  std::optional<std::string> last;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_HOPPER_STAGEMARKS_H
