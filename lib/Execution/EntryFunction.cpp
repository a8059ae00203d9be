#include "forge/Execution/EntryFunction.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Target/CPU/Signature.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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
  auto tensor = mlir::dyn_cast<mlir::ShapedType>(type);
  if (!mlir::isa<mlir::RankedTensorType, mlir::MemRefType>(type))
    return Error{what + ": expected a ranked tensor, but got " + typeText(type)};
  // As forge-split-complex leaves them.
  auto complex = mlir::dyn_cast<mlir::ComplexType>(tensor.getElementType());
  std::optional<DType> dtype =
      dtypeOf(complex ? complex.getElementType() : tensor.getElementType());
  if (!dtype || (complex && *dtype != DType::F32 && *dtype != DType::F64))
    return Error{what + ": unsupported element type in " + typeText(type)};
  TensorSpec spec{*dtype, {}, complex != nullptr};
  for (int64_t size : tensor.getShape())
    spec.dims.push_back(mlir::ShapedType::isDynamic(size) ? TensorSpec::dynamic : size);
  if (complex)
    spec.dims.push_back(2);
  return spec;
}

/// "; it has 'f', 'g'": the public functions, a few of them.
static std::string listFunctions(mlir::ModuleOp module) {
  constexpr size_t kMost = 5;
  std::string text;
  size_t count = 0;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal() && ++count <= kMost)
      text += (text.empty() ? "; it has '" : ", '") + function.getName().str() + "'";
  return count > kMost ? text + ", ..." : text;
}

Result<mlir::func::FuncOp> forge::findEntry(mlir::ModuleOp module, llvm::StringRef name) {
  mlir::func::FuncOp wanted = module.lookupSymbol<mlir::func::FuncOp>(name.empty() ? "main" : name);
  if (wanted && !wanted.isExternal())
    return wanted;
  if (!name.empty())
    return Error{wanted ? "function '" + name.str() + "' has no body"
                        : "module has no function '" + name.str() + "'" + listFunctions(module)};
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

/// The specs of arguments or results.
static Result<std::vector<TensorSpec>> specsOf(mlir::TypeRange types, const std::string &what) {
  std::vector<TensorSpec> specs;
  for (auto [number, type] : llvm::enumerate(types)) {
    Result<TensorSpec> spec = specOf(type, what + " " + std::to_string(number));
    if (!spec)
      return spec.error();
    specs.push_back(std::move(*spec));
  }
  return specs;
}

/// The signature of a function of these types; without name and donated arguments.
static Result<FunctionSignature> fromType(mlir::FunctionType type) {
  FunctionSignature signature;
  Result<std::vector<TensorSpec>> arguments = specsOf(type.getInputs(), "argument"),
                                  results = specsOf(type.getResults(), "result");
  if (!arguments || !results)
    return arguments ? results.error() : arguments.error();
  signature.arguments = std::move(*arguments);
  signature.results = std::move(*results);
  signature.donated.resize(signature.arguments.size());
  return signature;
}

/// What forge.signature says; see forge/Target/CPU/Signature.h.
static Result<FunctionSignature> fromRecord(mlir::Attribute attribute) {
  auto record = mlir::dyn_cast<mlir::DictionaryAttr>(attribute);
  auto typeAttr = record ? record.getAs<mlir::TypeAttr>(kSignatureTypeKey) : mlir::TypeAttr();
  auto type =
      typeAttr ? mlir::dyn_cast<mlir::FunctionType>(typeAttr.getValue()) : mlir::FunctionType();
  auto donated = record ? record.getAs<mlir::DenseI64ArrayAttr>(kSignatureDonatedKey)
                        : mlir::DenseI64ArrayAttr();
  if (!type || !donated || record.size() != 2)
    return Error{"expected " + kSignatureAttr.str() + " to hold a function type '" +
                 kSignatureTypeKey.str() + "' and an array<i64> '" + kSignatureDonatedKey.str() +
                 "'"};
  Result<FunctionSignature> signature = fromType(type);
  if (!signature)
    return signature;
  for (int64_t number : donated.asArrayRef()) {
    if (number < 0 || number >= static_cast<int64_t>(type.getNumInputs()))
      return Error{"no argument " + std::to_string(number) + " that " + kSignatureAttr.str() +
                   " says is donated"};
    signature->donated[static_cast<size_t>(number)] = true;
  }
  return signature;
}

/// Whether tensors of `recorded` are passed as what the function has: the same sizes, and as many
/// bits. An integer has its sign in the record alone.
static bool agree(const std::vector<TensorSpec> &recorded, const std::vector<TensorSpec> &actual) {
  return llvm::equal(recorded, actual, [](const TensorSpec &a, const TensorSpec &b) {
    return a.dims == b.dims && (a.type == b.type || (!isFloat(a.type) && !isFloat(b.type) &&
                                                     bitWidth(a.type) == bitWidth(b.type)));
  });
}

/// False if a tensor cannot hold complex numbers.
static bool markComplex(std::vector<TensorSpec> &specs, const std::vector<bool> &areComplex) {
  for (auto [spec, isComplex] : llvm::zip(specs, areComplex)) {
    spec.isComplex |= isComplex;
    if (isComplex && (spec.dims.empty() || spec.dims.back() != 2 ||
                      (spec.type != DType::F32 && spec.type != DType::F64)))
      return false;
  }
  return true;
}

static Result<FunctionSignature> signatureOf(mlir::func::FuncOp function) {
  Result<FunctionSignature> signature = fromType(function.getFunctionType());
  if (!signature)
    return signature;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    signature->donated[i] = isDonated(function, i);
  std::vector<bool> areComplex[2];
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    areComplex[0].push_back(bool(function.getArgAttr(i, kComplexAttr)));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    areComplex[1].push_back(bool(function.getResultAttr(i, kComplexAttr)));
  if (mlir::Attribute record = function->getAttr(kSignatureAttr)) {
    Result<FunctionSignature> recorded = fromRecord(record);
    if (!recorded)
      return recorded;
    if (!agree(recorded->arguments, signature->arguments) ||
        !agree(recorded->results, signature->results))
      return Error{"expected a function of the type that " + kSignatureAttr.str() + " says, " +
                   typeText(mlir::cast<mlir::TypeAttr>(
                                mlir::cast<mlir::DictionaryAttr>(record).get(kSignatureTypeKey))
                                .getValue())};
    signature = std::move(recorded);
  }
  if (!markComplex(signature->arguments, areComplex[0]) ||
      !markComplex(signature->results, areComplex[1]))
    return Error{"expected a last dimension of 2 in a float tensor that is marked " +
                 kComplexAttr.str()};
  signature->name = function.getName().str();
  return signature;
}

std::optional<FunctionSignature> forge::recordedSignature(mlir::func::FuncOp function) {
  if (!function->hasAttr(kSignatureAttr))
    return std::nullopt;
  Result<FunctionSignature> signature = ::signatureOf(function);
  return signature ? std::optional(std::move(*signature)) : std::nullopt;
}

/// The packed form that is the entry `name`, or else "main", or the only one; null if there is
/// none.
static mlir::LLVM::LLVMFuncOp findPackedEntry(mlir::ModuleOp module, llvm::StringRef name) {
  llvm::SmallVector<mlir::LLVM::LLVMFuncOp> entries;
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (function->hasAttr(kSignatureAttr) && function.getName().ends_with(kPackedSuffix))
      entries.push_back(function);
  for (mlir::LLVM::LLVMFuncOp entry : entries)
    if (entry.getName().drop_back(kPackedSuffix.size()) == (name.empty() ? "main" : name))
      return entry;
  return name.empty() && entries.size() == 1 ? entries.front() : mlir::LLVM::LLVMFuncOp();
}

Result<FunctionSignature> forge::signatureOf(mlir::ModuleOp module, llvm::StringRef name) {
  if (mlir::LLVM::LLVMFuncOp entry = findPackedEntry(module, name)) {
    Result<FunctionSignature> signature = fromRecord(entry->getAttr(kSignatureAttr));
    if (signature)
      signature->name = entry.getName().drop_back(kPackedSuffix.size()).str();
    return signature;
  }
  Result<mlir::func::FuncOp> function = findEntry(module, name);
  return function ? ::signatureOf(*function) : function.error();
}
