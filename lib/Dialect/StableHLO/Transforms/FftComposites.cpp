#include "FftComposites.h"

#include "ExpandFft.h"

#include "forge/Dialect/StableHLO/IR/TypeUtils.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

FftProblem stablehlo::problemOf(FftOp op) {
  auto result = cast<RankedTensorType>(op.getType());
  return {op.getLoc(), op.getFftType(), llvm::to_vector(op.getFftLength()),
          result.clone(partTypeOf(result.getElementType()))};
}

std::optional<FftProblem> stablehlo::problemOf(CompositeOp composite) {
  DictionaryAttr attributes = composite.getCompositeAttributesAttr();
  auto name = attributes ? attributes.getAs<StringAttr>("kind") : StringAttr();
  auto dims = attributes ? attributes.getAs<IntegerAttr>("dims") : IntegerAttr();
  std::optional<FftType> kind = name ? symbolizeFftType(name.getValue().upper()) : std::nullopt;
  if (composite.getName() != kFftComposite || !kind || !dims || !dims.getType().isInteger(64))
    return std::nullopt;
  bool fromReal = kind == FftType::RFFT, toReal = kind == FftType::IRFFT;
  auto areParts = [](TypeRange types, bool isReal) {
    auto type = types.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(types.front());
    return type && types.size() == (isReal ? 1 : 2) && llvm::all_equal(types) &&
           (type.getElementType().isF32() || type.getElementType().isF64());
  };
  if (!areParts(composite.getOperandTypes(), fromReal) ||
      !areParts(composite.getResultTypes(), toReal))
    return std::nullopt;
  auto in = cast<RankedTensorType>(composite.getOperand(0).getType());
  auto out = cast<RankedTensorType>(composite.getResult(0).getType());
  int64_t rank = in.getRank(), count = dims.getInt();
  if (count < 1 || count > 3 || count > rank || out.getRank() != rank ||
      in.getElementType() != out.getElementType())
    return std::nullopt;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t from = in.getDimSize(dim), to = out.getDimSize(dim);
    bool isHalved = dim + 1 == rank && (fromReal || toReal);
    if (isHalved ? (fromReal ? to != from / 2 + 1 : from != to / 2 + 1) : from != to)
      return std::nullopt;
  }
  return FftProblem{composite.getLoc(), *kind,
                    llvm::to_vector((toReal ? out : in).getShape().take_back(count)), out};
}

FailureOr<func::FuncOp> FftComposites::decompose(FftOp op, TypeRange operands, TypeRange results) {
  Attribute key = builder.getArrayAttr(
      {op.getFftTypeAttr(), op.getFftLengthAttr(), TypeAttr::get(operands.front())});
  if (func::FuncOp known = decompositions.lookup(key))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  std::string name;
  for (size_t count = decompositions.size(); name.empty() || module.lookupSymbol(name); ++count)
    name = "forge.fft." + std::to_string(count);
  auto function =
      func::FuncOp::create(builder, op.getLoc(), name, builder.getFunctionType(operands, results));
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  Interleaver interleaver(builder);
  Complex operand{function.getArgument(0), {}};
  if (op.getFftType() != FftType::RFFT)
    operand =
        forGPU ? Complex{operand.re, function.getArgument(1)} : interleaver.unpack(operand.re);
  FailureOr<Complex> z = expandFft(builder, problemOf(op), operand, FftTarget{forGPU});
  if (failed(z)) {
    function.erase();
    return failure();
  }
  SmallVector<Value> values{z->re};
  if (z->im && forGPU)
    values.push_back(z->im);
  else if (z->im)
    values = {interleaver.pack(op.getLoc(), *z)};
  func::ReturnOp::create(builder, op.getLoc(), values);
  return decompositions[key] = function;
}

FailureOr<SmallVector<Value>> FftComposites::create(FftOp op, ValueRange operands) {
  auto type = cast<RankedTensorType>(op.getType());
  bool isComplex = isComplexElementType(type.getElementType());
  RankedTensorType part = type.clone(partTypeOf(type.getElementType()));
  SmallVector<Type> results(forGPU && isComplex ? 2 : 1,
                            isComplex && !forGPU ? interleavedType(type) : part);
  FailureOr<func::FuncOp> decomposition = decompose(op, operands.getTypes(), results);
  if (failed(decomposition))
    return failure();
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(
           "dims", builder.getI64IntegerAttr(static_cast<int64_t>(op.getFftLength().size()))),
       builder.getNamedAttr("kind",
                            builder.getStringAttr(stringifyFftType(op.getFftType()).lower()))});
  auto composite =
      CompositeOp::create(builder, op.getLoc(), results, operands, StringRef(kFftComposite),
                          attributes, StringRef(decomposition->getName()), /*version=*/0,
                          /*composite_regionsCount=*/0);
  return llvm::to_vector(ValueRange(composite.getResults()));
}

bool forge::hasFftComposites(ModuleOp module) {
  return module
      .walk([](CompositeOp composite) {
        return composite.getName() == kFftComposite ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}
