#include "forge/Execution/EntryFunction.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

class EntryFunctionTest : public testing::Test {
protected:
  EntryFunctionTest() { context.loadDialect<mlir::func::FuncDialect, mlir::LLVM::LLVMDialect>(); }

  /// The signature of the entry, as text, or the error.
  std::string signatureText(llvm::StringRef text, llvm::StringRef name = "") {
    Result<FunctionSignature> signature = signatureOf(parse(text), name);
    if (!signature)
      return signature.error().message;
    std::string result = signature->name + ":";
    for (size_t i = 0; i < signature->arguments.size(); ++i)
      result += " " + typeString(signature->arguments[i]) + (signature->donated[i] ? "!" : "");
    result += " ->";
    for (const TensorSpec &spec : signature->results)
      result += " " + typeString(spec);
    return result;
  }

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
  EXPECT_EQ(find(kTwo, "h"), "module has no function 'h'; it has 'f'");
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
      signatureOf(parse("func.func @f(%a: tensor<2xcomplex<f16>>) { return }"), "").error().message,
      "argument 0: unsupported element type in tensor<2xcomplex<f16>>");
}

TEST_F(EntryFunctionTest, ComplexNumbersHaveADimensionOfParts) {
  for (const char *type : {"tensor<3xcomplex<f32>>", "tensor<3x2xf32> {forge.complex}"}) {
    Result<FunctionSignature> signature =
        signatureOf(parse("func.func @f(%a: " + std::string(type) + ") { return }"), "");
    ASSERT_TRUE(signature);
    EXPECT_EQ(signature->arguments[0].dims, (std::vector<int64_t>{3, 2}));
    EXPECT_EQ(typeString(signature->arguments[0]), "tensor<3xcomplex<f32>>");
  }
  EXPECT_EQ(signatureOf(parse("func.func @f(%a: tensor<3xf32> {forge.complex}) { return }"), "")
                .error()
                .message,
            "expected a last dimension of 2 in a float tensor that is marked forge.complex");
}

TEST_F(EntryFunctionTest, MemrefsHaveTheSignatureOfTheirTensors) {
  EXPECT_EQ(signatureText("func.func @f(%a: memref<2x?xbf16>) -> memref<2x?xbf16> {\n"
                          "  return %a : memref<2x?xbf16>\n}"),
            "f: tensor<2x?xbf16> -> tensor<2x?xbf16>");
}

TEST_F(EntryFunctionTest, ARecordSaysTheSigns) {
  std::string body = " {\n  return %a : memref<4xi8>\n}";
  std::string head =
      "func.func @f(%a: memref<4xi8>) -> memref<4xi8> attributes {forge.signature = ";
  EXPECT_EQ(signatureText(head +
                          "{donated = array<i64: 0>, "
                          "type = (tensor<4xui8>) -> tensor<4xi8>}}" +
                          body),
            "f: tensor<4xui8>! -> tensor<4xi8>");
  EXPECT_EQ(signatureText(head +
                          "{donated = array<i64: 1>, "
                          "type = (tensor<4xui8>) -> tensor<4xi8>}}" +
                          body),
            "no argument 1 that forge.signature says is donated");
  // Other sizes, other widths, floats for integers, another count.
  for (const char *type : {"(tensor<5xui8>) -> tensor<4xi8>", "(tensor<4xi16>) -> tensor<4xi8>",
                           "(tensor<4xf8E5M2>) -> tensor<4xi8>", "() -> tensor<4xi8>"})
    EXPECT_EQ(signatureText(head + "{donated = array<i64>, type = " + type + "}}" + body),
              std::string("expected a function of the type that forge.signature says, ") + type);
  for (const char *record : {"1 : i64", "{type = () -> ()}", "{donated = array<i64>, type = i8}"})
    EXPECT_EQ(
        signatureText(head + record + "}" + body),
        "expected forge.signature to hold a function type 'type' and an array<i64> 'donated'");
}

TEST_F(EntryFunctionTest, PackedFormsAreEntries) {
  auto entry = [](const std::string &name) {
    return "llvm.func @" + name +
           "__packed(!llvm.ptr) attributes {forge.signature = "
           "{donated = array<i64>, type = (tensor<ui8>) -> tensor<f32>}}\n";
  };
  EXPECT_EQ(signatureText(entry("f")), "f: tensor<ui8> -> tensor<f32>");
  EXPECT_EQ(signatureText(entry("f") + entry("main")), "main: tensor<ui8> -> tensor<f32>");
  EXPECT_EQ(signatureText(entry("f") + entry("g"), "g"), "g: tensor<ui8> -> tensor<f32>");
  EXPECT_EQ(signatureText(entry("f"), "h"), "module has no function 'h'");
}

} // namespace
