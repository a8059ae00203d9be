#include "Encoder.h"

#include "PlaceScope.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

namespace {
/// 1. Declares weights, in the order in which they are used.
/// 2. Builds the model layer by layer.
class EncoderBuilder {
public:
  EncoderBuilder(Graph &graph, const EncoderConfig &config, mlir::Type element)
      : graph(graph), b(graph.builder()), c(config), element(element) {}

  llvm::SmallVector<Value> build(Value tokens, Value counts, Value types);

private:
  Value weight(const std::string &name, llvm::ArrayRef<int64_t> shape) {
    return graph.argument(name, shape, element);
  }
  Value norm(Value x, const std::string &name) {
    PlaceScope place(graph, name);
    Value scale = weight(name + ".weight", {c.hidden}), shift = weight(name + ".bias", {c.hidden});
    return graph.layerNorm(x, scale, shift, c.normEpsilon);
  }
  Value linear(Value x, const std::string &name, int64_t out, Value residual = {}) {
    PlaceScope place(graph, name);
    int64_t in = mlir::cast<mlir::RankedTensorType>(x.getType()).getShape().back();
    Value matrix = weight(name + ".weight", {out, in}), bias = weight(name + ".bias", {out});
    return graph.linear(x, matrix, {.bias = bias, .residual = residual});
  }
  Value embed(Value tokens, Value types);
  Value maskOf(Value counts);
  Value layer(Value x, Value mask, const std::string &prefix);
  Value pooled(Value x);
  Value wordLogits(Value x);

  Graph &graph;
  mlir::ImplicitLocOpBuilder &b;
  const EncoderConfig &c;
  mlir::Type element;
  Value words;
};
} // namespace

Value EncoderBuilder::embed(Value tokens, Value types) {
  PlaceScope place(graph, "embeddings");
  words = weight((c.embedding + ".weight").str(), {c.vocabulary, c.hidden});
  Value ofTypes = weight("embeddings.token_type_embeddings.weight", {c.tokenTypes, c.hidden});
  Value ofPositions = weight("embeddings.position_embeddings.weight", {c.positions, c.hidden});
  Value x = graph.add(graph.embedding(words, tokens), graph.embedding(ofTypes, types));
  x = graph.addToEach(x, graph.embedding(ofPositions, graph.positionsOf(tokens)));
  return norm(x, "embeddings.LayerNorm");
}

/// Truth values [B, 1, 1, S].
Value EncoderBuilder::maskOf(Value counts) {
  auto type = mlir::cast<mlir::RankedTensorType>(counts.getType());
  llvm::SmallVector<mlir::OpFoldResult> sizes = mlir::tensor::getMixedSizes(b, b.getLoc(), counts);
  Value zero = mlir::arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value empty = mlir::tensor::EmptyOp::create(b, sizes, type.getElementType());
  Value zeros = mlir::linalg::FillOp::create(b, zero, empty).getResult(0);
  Value seen = mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::ne, counts, zeros);
  sizes.insert(sizes.begin() + 1, 2, b.getIndexAttr(1));
  auto wide =
      mlir::RankedTensorType::get({type.getDimSize(0), 1, 1, type.getDimSize(1)}, b.getI1Type());
  return mlir::tensor::ExpandShapeOp::create(
      b, wide, seen, llvm::SmallVector<mlir::ReassociationIndices>{{0, 1, 2}, {3}}, sizes);
}

Value EncoderBuilder::layer(Value x, Value mask, const std::string &prefix) {
  PlaceScope place(graph, llvm::StringRef(prefix).rtrim('.'));
  auto heads = [&](const char *name) {
    return graph.splitHeads(linear(x, prefix + "attention.self." + name, c.hidden), c.heads);
  };
  Value q = heads("query"), k = heads("key"), v = heads("value");
  AttentionBuildOptions options;
  options.mask = mask;
  Value attended = graph.joinHeads(graph.attention(q, k, v, options));
  if (graph.hasFailed())
    return {};
  Value y = linear(attended, prefix + "attention.output.dense", c.hidden, x);
  y = norm(y, prefix + "attention.output.LayerNorm");
  Value inside =
      c.activation.apply(graph, linear(y, prefix + "intermediate.dense", c.intermediate));
  return graph.hasFailed() ? Value()
                           : norm(linear(inside, prefix + "output.dense", c.hidden, y),
                                  prefix + "output.LayerNorm");
}

/// Of each sequence's first token, [B, hidden].
Value EncoderBuilder::pooled(Value x) {
  Value dense = linear(graph.firstToken(x), "pooler.dense", c.hidden);
  return graph.hasFailed() ? Value() : mlir::math::TanhOp::create(b, dense).getResult();
}

/// The embedding is the head's matrix.
Value EncoderBuilder::wordLogits(Value x) {
  Value h = c.activation.apply(graph, linear(x, "cls.predictions.transform.dense", c.hidden));
  h = norm(h, "cls.predictions.transform.LayerNorm");
  Value bias = weight("cls.predictions.bias", {c.vocabulary});
  return graph.linear(h, words, {.bias = bias});
}

llvm::SmallVector<Value> EncoderBuilder::build(Value tokens, Value counts, Value types) {
  Value x = embed(tokens, types);
  if (graph.hasFailed())
    return {};
  Value mask = maskOf(counts);
  for (int64_t number = 0; number < c.layers && !graph.hasFailed(); ++number)
    x = layer(x, mask, "encoder.layer." + std::to_string(number) + ".");
  if (graph.hasFailed())
    return {};
  switch (c.head) {
  case EncoderHead::None:
    return {x, pooled(x)};
  case EncoderHead::Token:
    return {wordLogits(x)};
  case EncoderHead::Sequence:
    return {linear(pooled(x), "classifier", c.labels)};
  }
  llvm_unreachable("all heads handled");
}

llvm::SmallVector<Value> huggingface::buildEncoder(Graph &graph, Value tokens, Value counts,
                                                   Value types, const EncoderConfig &config,
                                                   mlir::Type element) {
  return EncoderBuilder(graph, config, element).build(tokens, counts, types);
}
