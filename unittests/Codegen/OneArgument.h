// A function of one argument, which code over memory is put into.
#ifndef FORGE_UNITTESTS_CODEGEN_ONEARGUMENT_H
#define FORGE_UNITTESTS_CODEGEN_ONEARGUMENT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

namespace forge::test {

class OneArgument {
public:
  OneArgument() : b(&context) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::memref::MemRefDialect>();
    module = mlir::ModuleOp::create(loc);
  }
  /// Makes the function, and puts the builder into it.
  mlir::Value argument(mlir::Type type) {
    b.setInsertionPointToEnd(module->getBody());
    auto function = mlir::func::FuncOp::create(b, loc, "f", b.getFunctionType({type}, {}));
    b.setInsertionPointToStart(function.addEntryBlock());
    mlir::func::ReturnOp::create(b, loc);
    b.setInsertionPoint(function.getBody().front().getTerminator());
    return function.getArgument(0);
  }
  mlir::MemRefType memref(llvm::ArrayRef<int64_t> shape) {
    return mlir::MemRefType::get(shape, b.getF32Type());
  }
  bool isValid() { return succeeded(verify(*module)); }

  mlir::MLIRContext context;
  mlir::OpBuilder b;
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

inline constexpr int64_t kOpen = mlir::ShapedType::kDynamic;

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_ONEARGUMENT_H
