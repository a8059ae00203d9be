// Modules from text, tensors from numbers.
#ifndef FORGE_UNITTESTS_VERIFY_TESTMODULE_H
#define FORGE_UNITTESTS_VERIFY_TESTMODULE_H

#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Reference/Elements.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace forge {

/// A parsed module and the messages of diagnostics about it.
class TestModule {
public:
  explicit TestModule(llvm::StringRef text)
      : context(registryOfAll()), handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
  }
  mlir::ModuleOp get() { return *module; }
  mlir::func::FuncOp function(llvm::StringRef name = "main") {
    return module->lookupSymbol<mlir::func::FuncOp>(name);
  }

  mlir::MLIRContext context;
  std::string messages;

private:
  static const mlir::DialectRegistry &registryOfAll() {
    static mlir::DialectRegistry registry = [] {
      mlir::DialectRegistry all;
      registerAllDialects(all);
      return all;
    }();
    return registry;
  }
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

inline HostTensor floats(std::vector<int64_t> dims, std::vector<double> values,
                         DType type = DType::F32) {
  return *reference::fromDoubles(type, std::move(dims), values);
}

inline HostTensor ints(std::vector<int64_t> dims, std::vector<int64_t> values,
                       DType type = DType::I32) {
  HostTensor tensor = *HostTensor::create(type, std::move(dims));
  for (size_t i = 0; i < values.size(); ++i)
    reference::setInteger(tensor, static_cast<int64_t>(i), static_cast<uint64_t>(values[i]));
  return tensor;
}

} // namespace forge

#endif // FORGE_UNITTESTS_VERIFY_TESTMODULE_H
