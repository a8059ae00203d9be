// What a function takes and returns, read from its type.
#include "EntryFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace forge;

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

static std::optional<DType> dtypeOf(mlir::Type type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    return parseDType((integer.isUnsigned() ? "ui" : "i") + std::to_string(integer.getWidth()));
  return parseDType(typeText(type));
}

/// The spec of one argument or result; `what` names it in the error.
static Result<TensorSpec> specOf(mlir::Type type, const std::string &what) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return Error{what + ": expected a ranked tensor, but got " + typeText(type)};
  std::optional<DType> dtype = dtypeOf(tensor.getElementType());
  if (!dtype)
    return Error{what + ": unsupported element type in " + typeText(type)};
  TensorSpec spec{*dtype, {}};
  for (int64_t size : tensor.getShape())
    spec.dims.push_back(mlir::ShapedType::isDynamic(size) ? TensorSpec::dynamic : size);
  return spec;
}

static std::string publicNames(mlir::ModuleOp module) {
  std::string names;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      names += (names.empty() ? "" : ", ") + function.getName().str();
  return names.empty() ? "none" : names;
}

Result<mlir::func::FuncOp> forge::findEntry(mlir::ModuleOp module, llvm::StringRef name) {
  mlir::func::FuncOp only, named;
  int count = 0;
  llvm::StringRef wanted = name.empty() ? "main" : name;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getName() == wanted)
      named = function;
    if (function.isPublic()) {
      only = function;
      ++count;
    }
  }
  if (named)
    return named;
  if (name.empty() && count == 1)
    return only;
  return Error{"no function " + wanted.str() +
               " in the module (public functions: " + publicNames(module) + ")"};
}

Result<FunctionSignature> forge::signatureOf(mlir::ModuleOp module, llvm::StringRef name) {
  Result<mlir::func::FuncOp> function = findEntry(module, name);
  if (!function)
    return function.error();
  FunctionSignature signature;
  signature.name = function->getName().str();
  mlir::FunctionType type = function->getFunctionType();
  for (unsigned i = 0; i < type.getNumInputs(); ++i) {
    Result<TensorSpec> spec = specOf(type.getInput(i), "argument " + std::to_string(i));
    if (!spec)
      return spec.error();
    signature.arguments.push_back(*spec);
    signature.donated.push_back(function->getArgAttr(i, "tf.aliasing_output") ||
                                function->getArgAttr(i, "jax.buffer_donor"));
  }
  for (unsigned i = 0; i < type.getNumResults(); ++i) {
    Result<TensorSpec> spec = specOf(type.getResult(i), "result " + std::to_string(i));
    if (!spec)
      return spec.error();
    signature.results.push_back(*spec);
  }
  return signature;
}
