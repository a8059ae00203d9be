#include "forge/Execution/EntryFunction.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

class EntryFunctionTest : public testing::Test {
protected:
  EntryFunctionTest() { context.loadDialect<mlir::func::FuncDialect>(); }

  mlir::ModuleOp parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *module;
  }
  /// The name of the function found, or the error.
  std::string find(llvm::StringRef text, llvm::StringRef name = "") {
    Result<mlir::func::FuncOp> found = findEntry(parse(text), name);
    return found ? found->getName().str() : found.error().message;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

constexpr const char *kTwo = "func.func @f() { return }\nfunc.func private @g() { return }\n";

TEST_F(EntryFunctionTest, NamedMainOrTheOnlyPublicOne) {
  EXPECT_EQ(find(kTwo), "f");
  EXPECT_EQ(find(kTwo, "g"), "g") << "a private function can be named";
  EXPECT_EQ(find(std::string(kTwo) + "func.func private @main() { return }"), "main");
  EXPECT_EQ(find(kTwo, "h"), "module has no function 'h'");
  EXPECT_EQ(find(std::string(kTwo) + "func.func @h() { return }"),
            "module has several public functions ('f', 'h', ...) and none is called 'main'");
  EXPECT_EQ(find("func.func private @g() { return }"), "module has no public function");
}

TEST_F(EntryFunctionTest, DeclarationsDoNotCount) {
  EXPECT_EQ(find(std::string(kTwo) + "func.func private @main()"), "f");
  EXPECT_EQ(find("func.func private @f()", "f"), "function 'f' has no body");
}

TEST_F(EntryFunctionTest, SignatureTellsTypesAndDonation) {
  mlir::ModuleOp taken = parse("func.func @f(%a: tensor<2x?xbf16> {tf.aliasing_output = 0 : i32}, "
                               "%b: tensor<ui8>) -> tensor<2x?xbf16> {\n"
                               "  return %a : tensor<2x?xbf16>\n}");
  Result<FunctionSignature> signature = signatureOf(taken, "");
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_EQ(signature->name, "f");
  ASSERT_EQ(signature->arguments.size(), 2u);
  EXPECT_EQ(typeString(signature->arguments[0]), "tensor<2x?xbf16>");
  EXPECT_EQ(typeString(signature->arguments[1]), "tensor<ui8>");
  EXPECT_EQ(signature->donated, (std::vector<bool>{true, false}));
  ASSERT_EQ(signature->results.size(), 1u);
  EXPECT_EQ(typeString(signature->results[0]), "tensor<2x?xbf16>");
}

TEST_F(EntryFunctionTest, OnlyRankedTensorsOfKnownTypesHaveASignature) {
  EXPECT_EQ(signatureOf(parse("func.func @f(%a: tensor<*xf32>) { return }"), "").error().message,
            "argument 0: expected a ranked tensor, but got tensor<*xf32>");
  EXPECT_EQ(
      signatureOf(parse("func.func @f(%a: tensor<2xcomplex<f32>>) { return }"), "").error().message,
      "argument 0: unsupported element type in tensor<2xcomplex<f32>>");
}

} // namespace
