// A function from text, and values of it by the names of its results.
#ifndef FORGE_UNITTESTS_CODEGEN_PARSEDFUNCTION_H
#define FORGE_UNITTESTS_CODEGEN_PARSEDFUNCTION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace forge::test {

class ParsedFunction {
public:
  explicit ParsedFunction(llvm::StringRef text)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect,
                        mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
  }
  /// The function `name`, by default the first.
  mlir::func::FuncOp function(llvm::StringRef name = "") {
    return name.empty() ? *module->getOps<mlir::func::FuncOp>().begin()
                        : module->lookupSymbol<mlir::func::FuncOp>(name);
  }
  /// What the function returns in place `number`.
  mlir::Value returned(unsigned number = 0, llvm::StringRef name = "") {
    return function(name).getBody().front().getTerminator()->getOperand(number);
  }
  /// The `number`-th operation of this kind.
  template <typename Op> Op find(unsigned number = 0) {
    Op found;
    module->walk([&](Op op) {
      if (number-- != 0)
        return mlir::WalkResult::advance();
      found = op;
      return mlir::WalkResult::interrupt();
    });
    return found;
  }
  bool isValid() { return succeeded(verify(*module)); }

  mlir::MLIRContext context;
  std::string messages;

private:
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_PARSEDFUNCTION_H
