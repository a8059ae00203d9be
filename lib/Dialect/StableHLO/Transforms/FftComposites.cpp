#include "FftComposites.h"

#include "SplitComplex.h"

#include "forge/Dialect/StableHLO/IR/TypeUtils.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

static RankedTensorType typeInMemory(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return isComplexElementType(tensor.getElementType()) ? interleavedType(tensor) : tensor;
}

FailureOr<func::FuncOp> FftComposites::decompose(FftOp op, Value operand) {
  Attribute key = builder.getArrayAttr(
      {op.getFftTypeAttr(), op.getFftLengthAttr(), TypeAttr::get(operand.getType())});
  if (func::FuncOp known = decompositions.lookup(key))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  std::string name;
  for (size_t count = decompositions.size(); name.empty() || module.lookupSymbol(name); ++count)
    name = "forge.fft." + std::to_string(count);
  RankedTensorType result = typeInMemory(op.getType());
  auto function = func::FuncOp::create(builder, op.getLoc(), name,
                                       builder.getFunctionType(operand.getType(), result));
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  Interleaver interleaver(builder);
  bool isReal = op.getFftType() == FftType::RFFT;
  Value argument = function.getArgument(0);
  FailureOr<Complex> z = expandFft(
      builder, op, isReal ? Complex{argument, {}} : interleaver.unpack(argument), FftTarget());
  if (failed(z)) {
    function.erase();
    return failure();
  }
  func::ReturnOp::create(builder, op.getLoc(), z->im ? interleaver.pack(op.getLoc(), *z) : z->re);
  return decompositions[key] = function;
}

FailureOr<Value> FftComposites::create(FftOp op, Value operand) {
  FailureOr<func::FuncOp> decomposition = decompose(op, operand);
  if (failed(decomposition))
    return failure();
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(
           "dims", builder.getI64IntegerAttr(static_cast<int64_t>(op.getFftLength().size()))),
       builder.getNamedAttr("kind",
                            builder.getStringAttr(stringifyFftType(op.getFftType()).lower()))});
  auto composite = CompositeOp::create(builder, op.getLoc(), TypeRange(typeInMemory(op.getType())),
                                       ValueRange(operand), StringRef(kFftComposite), attributes,
                                       StringRef(decomposition->getName()), /*version=*/0,
                                       /*composite_regionsCount=*/0);
  return composite.getResult(0);
}

bool forge::hasFftComposites(ModuleOp module) {
  return module
      .walk([](CompositeOp composite) {
        return composite.getName() == kFftComposite ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}
