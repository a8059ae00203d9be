// Kinds of errors arrive at handlers with the diagnostic, and only there.
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>
#include <thread>

using namespace forge;

namespace {
class ErrorKinds : public ::testing::Test {
protected:
  mlir::MLIRContext context;
  mlir::Location location = mlir::UnknownLoc::get(&context);
  std::vector<std::pair<ErrorKind, std::string>> seen;
  mlir::ScopedDiagnosticHandler handler{&context, [this](mlir::Diagnostic &diagnostic) {
                                          seen.emplace_back(errorKindOf(diagnostic),
                                                            diagnostic.str());
                                        }};
};
} // namespace

TEST_F(ErrorKinds, AreNotPrinted) {
  emitUserError(location) << "expected 1, but got " << 2;
  mlir::emitError(location) << "expected 3";
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], std::make_pair(ErrorKind::User, std::string("expected 1, but got 2")));
  EXPECT_EQ(seen[1], std::make_pair(ErrorKind::Other, std::string("expected 3")));
}

TEST_F(ErrorKinds, OfOperations) {
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(location));
  context.printOpOnDiagnostic(false);
  emitUserError(*module) << "expected less";
  emitUserOpError(*module) << "expected more";
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], std::make_pair(ErrorKind::User, std::string("expected less")));
  EXPECT_EQ(seen[1],
            std::make_pair(ErrorKind::User, std::string("'builtin.module' op expected more")));
}

TEST_F(ErrorKinds, TheFirstStays) {
  mlir::ScopedDiagnosticHandler inner(&context, [](mlir::Diagnostic &diagnostic) {
    setErrorKind(diagnostic, ErrorKind::Compiler);
    return mlir::failure();
  });
  emitUserError(location) << "a user's";
  mlir::emitError(location) << "unmarked";
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].first, ErrorKind::User);
  EXPECT_EQ(seen[1].first, ErrorKind::Compiler);
}

TEST_F(ErrorKinds, AScopeIsOfItsThread) {
  {
    UserErrorScope scope(&context);
    mlir::emitError(location) << "here";
    mlir::emitWarning(location) << "a warning";
    std::thread([&] { mlir::emitError(location) << "there"; }).join();
  }
  mlir::emitError(location) << "after";
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[0].first, ErrorKind::User);
  EXPECT_EQ(seen[1].first, ErrorKind::Other);
  EXPECT_EQ(seen[2].first, ErrorKind::Other);
  EXPECT_EQ(seen[3].first, ErrorKind::Other);
}
