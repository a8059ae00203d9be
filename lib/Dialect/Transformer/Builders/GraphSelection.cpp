// What is behind a model's last layer: the next token, and the loss.
#include "CallCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

Value Graph::firstToken(Value input) {
  CallCheck check(*this, "firstToken");
  if (!check.rank(input, "input", 3))
    return {};
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  if (!check.require(shape[1] != 0, "expected a position or more"))
    return {};
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input),
                            offsets(3, b.getIndexAttr(0)), strides(3, b.getIndexAttr(1));
  sizes[1] = b.getIndexAttr(1);
  RankedTensorType type = typeOf(input).clone({shape[0], shape[2]});
  return tensor::ExtractSliceOp::create(b, type, input, offsets, sizes, strides);
}

Value Graph::lastToken(Value input) {
  CallCheck check(*this, "lastToken");
  if (!check.rank(input, "input", 3))
    return {};
  int64_t tokens = typeOf(input).getDimSize(1);
  if (!check.require(tokens > 0, "expected a static number of tokens, one or more"))
    return {};
  SmallVector<OpFoldResult> offsets(3, b.getIndexAttr(0)), strides(3, b.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  offsets[1] = b.getIndexAttr(tokens - 1);
  sizes[1] = b.getIndexAttr(1);
  RankedTensorType type = typeOf(input);
  return tensor::ExtractSliceOp::create(b, type.clone({type.getDimSize(0), type.getDimSize(2)}),
                                        input, offsets, sizes, strides);
}

Value Graph::lastToken(Value input, Value counts) {
  CallCheck check(*this, "lastToken");
  check.rank(input, "input", 3).floats(input, "input");
  check.present(counts, "counts").integers(counts, "counts");
  if (!check)
    return {};
  RankedTensorType type = typeOf(input);
  int64_t batch = type.getDimSize(0), tokens = type.getDimSize(1), width = type.getDimSize(2);
  check.shape(counts, "counts", {batch});
  if (!check.require(batch > 0 && tokens > 0,
                     "expected a static number of sequences and of tokens, one or more"))
    return {};
  // The row of sequence b is b * S + counts[b] - 1 of all.
  SmallVector<int32_t> before;
  for (int64_t row = 0; row < batch; ++row)
    before.push_back(static_cast<int32_t>(row * tokens - 1));
  Value rows =
      plus(counts, arith::ConstantOp::create(
                       b, DenseElementsAttr::get(RankedTensorType::get({batch}, b.getI32Type()),
                                                 llvm::ArrayRef(before))));
  if (!rows)
    return {};
  SmallVector<ReassociationIndices> joined{{0, 1}, {2}};
  Value all =
      tensor::CollapseShapeOp::create(b, type.clone({batch * tokens, width}), input, joined);
  return embedding(all, rows);
}

Value Graph::widened(Value input) {
  CallCheck check(*this, "widened");
  if (!check.present(input, "input")
           .require(!input || typeOf(input).getElementType().isSignlessInteger(32),
                    "expected an input of i32"))
    return {};
  return arith::ExtSIOp::create(b, typeOf(input).clone(b.getI64Type()), input);
}

Value Graph::argmax(Value input) {
  CallCheck check(*this, "argmax");
  if (!check.rankAtLeast(input, "input", 1).floats(input, "input"))
    return {};
  return ArgmaxOp::create(b, input);
}

Value Graph::sample(Value logits, Value seeds, Value steps, const SampleBuildOptions &options) {
  CallCheck check(*this, "sample");
  if (!check.rank(logits, "logits", 2).floats(logits, "logits"))
    return {};
  check.require(typeOf(logits).getDimSize(1) != 0, "expected a token or more");
  int64_t batch = typeOf(logits).getDimSize(0);
  auto vector = [&](Value value, StringRef what, Type element) {
    check.shape(value, what, {batch});
    check.require(!value || typeOf(value).getElementType() == element,
                  "expected " + what + (element.isF32() ? " of f32" : " of i64"));
  };
  vector(seeds, "seeds", b.getI64Type());
  vector(steps, "steps", b.getI64Type());
  if (options.temperature)
    vector(options.temperature, "temperature", b.getF32Type());
  if (options.topK)
    check.shape(options.topK, "top k", {batch}).integers(options.topK, "top k");
  if (options.topP)
    vector(options.topP, "top p", b.getF32Type());
  if (!check)
    return {};
  return SampleOp::create(b, RankedTensorType::get({batch}, b.getI32Type()), logits, seeds, steps,
                          options.temperature, options.topK, options.topP);
}

Value Graph::crossEntropy(Value logits, Value targets, const LossBuildOptions &options) {
  CallCheck check(*this, "crossEntropy");
  check.rankAtLeast(logits, "logits", 1).floats(logits, "logits").present(targets, "targets");
  if (!check)
    return {};
  ArrayRef<int64_t> shape = typeOf(logits).getShape();
  check.require(shape.back() != 0, "expected a class or more");
  check.shape(targets, "targets", shape.drop_back()).integers(targets, "targets");
  double smoothing = options.labelSmoothing.value_or(0);
  check.require(smoothing >= 0 && smoothing <= 1, "expected a label smoothing from 0 to 1");
  if (!check)
    return {};
  auto op = CrossEntropyOp::create(b, options.reduction, logits, targets);
  if (options.ignoreIndex)
    op.setIgnoreIndex(*options.ignoreIndex);
  if (options.labelSmoothing)
    op.setLabelSmoothingAttr(b.getF32FloatAttr(static_cast<float>(smoothing)));
  return op;
}

} // namespace forge::transformer
