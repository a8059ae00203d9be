// Helpers of the execution tests: modules from text, tensors from lists.
#ifndef FORGE_UNITTESTS_EXECUTION_COMPILETEXT_H
#define FORGE_UNITTESTS_EXECUTION_COMPILETEXT_H

#include "forge/Execution/Executable.h"
#include "forge/Pipelines/InitAll.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace forge::test {

/// Compiles text at `from`, by default linalg on tensors; every error is a test failure of the
/// caller.
inline Result<Executable> compileText(llvm::StringRef text, CompileOptions options = {},
                                      Phase from = Phase::Linalg) {
  static mlir::MLIRContext *context = [] {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return new mlir::MLIRContext(registry);
  }();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, context);
  if (!module)
    return Error{"the test's module does not parse"};
  options.from = from;
  return Executable::compile(*module, options);
}

inline HostTensor tensor(DType type, std::vector<int64_t> dims, std::vector<double> values) {
  Result<HostTensor> result = HostTensor::create(type, std::move(dims));
  EXPECT_TRUE(result);
  for (size_t i = 0; i < values.size(); ++i)
    result->setDouble(static_cast<int64_t>(i), values[i]);
  return *result;
}

inline std::vector<double> values(const HostTensor &tensor) {
  std::vector<double> list;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    list.push_back(tensor.getDouble(i));
  return list;
}

} // namespace forge::test

#endif // FORGE_UNITTESTS_EXECUTION_COMPILETEXT_H
