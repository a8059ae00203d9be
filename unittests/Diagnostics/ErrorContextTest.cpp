// Details arrive at handlers with the diagnostic, and only there.
#include "forge/Diagnostics/ErrorContext.h"

#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

class ErrorContext : public ::testing::Test {
protected:
  ErrorContext() { context.loadDialect<mlir::func::FuncDialect>(); }

  mlir::MLIRContext context;
  mlir::Location location = mlir::FileLineColLoc::get(&context, "m.mlir", 3, 8);
  ErrorDetails seen;
  std::string message;
  mlir::ScopedDiagnosticHandler handler{&context, [this](mlir::Diagnostic &diagnostic) {
                                          seen = errorDetailsOf(diagnostic);
                                          message = diagnostic.str();
                                        }};
};

TEST_F(ErrorContext, FirstOnesStay) {
  mlir::ScopedDiagnosticHandler outer(&context, [](mlir::Diagnostic &diagnostic) {
    addErrorDetails(diagnostic, {.stage = "kernels", .kernel = "other"});
    return mlir::failure();
  });
  {
    mlir::InFlightDiagnostic error = emitUserError(location) << "too many";
    addErrorDetails(*error.getUnderlyingDiagnostic(), {.kernel = "rows", .advice = "less"});
  }
  EXPECT_EQ(message, "too many");
  EXPECT_EQ(seen.stage, "kernels");
  EXPECT_EQ(seen.kernel, "rows");
  EXPECT_EQ(seen.location, "m.mlir:3:8");
  EXPECT_EQ(seen.advice, "less");
  EXPECT_EQ(seen.shape + seen.schedule, "");
}

TEST_F(ErrorContext, WithoutDetails) {
  mlir::emitError(mlir::UnknownLoc::get(&context)) << "plain";
  EXPECT_EQ(seen.stage + seen.kernel + seen.location + seen.shape + seen.schedule + seen.advice,
            "");
}

TEST_F(ErrorContext, OfAKernel) {
  mlir::Builder b(&context);
  auto type = b.getFunctionType({b.getF32Type()}, {});
  mlir::OwningOpRef<mlir::func::FuncOp> function(
      mlir::func::FuncOp::create(location, "rows", type));
  EXPECT_EQ(detailsOf(*function).kernel, "");
  (*function)->setAttr("forge.kernel", b.getUnitAttr());
  EXPECT_EQ(detailsOf(*function).kernel, "rows");
  EXPECT_EQ(detailsOf(*function).shape, "(f32) -> ()");
  EXPECT_EQ(detailsOf(*function).schedule, "");
  (*function)->setAttr("forge.schedule", b.getStringAttr("any"));
  EXPECT_EQ(detailsOf(*function).schedule, "\"any\"");
}

} // namespace
