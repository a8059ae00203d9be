#include "forge/Execution/EntryFunction.h"

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

Result<mlir::func::FuncOp> forge::findEntry(mlir::ModuleOp module, llvm::StringRef name) {
  mlir::func::FuncOp wanted = module.lookupSymbol<mlir::func::FuncOp>(name.empty() ? "main" : name);
  if (wanted && !wanted.isExternal())
    return wanted;
  if (!name.empty())
    return Error{wanted ? "function '" + name.str() + "' has no body"
                        : "module has no function '" + name.str() + "'"};
  mlir::func::FuncOp only;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (only)
      return Error{"module has several public functions ('" + only.getName().str() + "', '" +
                   function.getName().str() + "', ...) and none is called 'main'"};
    only = function;
  }
  if (!only)
    return Error{"module has no public function"};
  return only;
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
