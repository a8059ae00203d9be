#include "ImageEncoder.h"

#include "PlaceScope.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::OpFoldResult;
using mlir::RankedTensorType;
using mlir::ReassociationIndices;
using mlir::Value;

namespace {
/// 1. Declares weights, in the order in which they are used.
/// 2. Builds the model layer by layer.
class ImageEncoderBuilder {
public:
  ImageEncoderBuilder(Graph &graph, const ImageEncoderConfig &config, mlir::Type element)
      : graph(graph), b(graph.builder()), c(config), element(element) {}

  llvm::SmallVector<Value> build(Value images);

private:
  using Groups = llvm::SmallVector<ReassociationIndices>;

  Value weight(const std::string &name, llvm::ArrayRef<int64_t> shape) {
    return graph.argument(name, shape, element);
  }
  Value collapse(Value value, const Groups &groups) {
    return mlir::tensor::CollapseShapeOp::create(b, value, groups);
  }
  Value norm(Value x, const std::string &name) {
    PlaceScope place(graph, name);
    Value scale = weight(name + ".weight", {c.hidden}), shift = weight(name + ".bias", {c.hidden});
    return graph.layerNorm(x, scale, shift, c.normEpsilon);
  }
  Value linear(Value x, const std::string &name, int64_t out, bool hasBias = true,
               Value residual = {}) {
    PlaceScope place(graph, name);
    int64_t in = mlir::cast<RankedTensorType>(x.getType()).getShape().back();
    Value matrix = weight(name + ".weight", {out, in});
    Value bias = hasBias ? weight(name + ".bias", {out}) : Value();
    return graph.linear(x, matrix, {.bias = bias, .residual = residual});
  }
  Value patchRows(Value images);
  Value embed(Value images);
  Value layer(Value x, const std::string &prefix);

  Graph &graph;
  mlir::ImplicitLocOpBuilder &b;
  const ImageEncoderConfig &c;
  mlir::Type element;
};
} // namespace

/// Of each patch its channels, rows and columns: [B, patches, channels * patch * patch].
Value ImageEncoderBuilder::patchRows(Value images) {
  int64_t batch = mlir::cast<RankedTensorType>(images.getType()).getDimSize(0),
          side = c.imageSize / c.patchSize, patch = c.patchSize;
  OpFoldResult count = mlir::tensor::getMixedSize(b, b.getLoc(), images, 0);
  auto sizesOf = [&](llvm::ArrayRef<int64_t> inner) {
    llvm::SmallVector<OpFoldResult> sizes{count};
    for (int64_t size : inner)
      sizes.push_back(b.getIndexAttr(size));
    return sizes;
  };
  auto split = RankedTensorType::get({batch, c.channels, side, patch, side, patch}, element);
  Value parts =
      mlir::tensor::ExpandShapeOp::create(b, split, images, Groups{{0}, {1}, {2, 3}, {4, 5}},
                                          sizesOf({c.channels, side, patch, side, patch}));
  Value empty =
      mlir::tensor::EmptyOp::create(b, sizesOf({side, side, c.channels, patch, patch}), element);
  Value moved =
      mlir::linalg::TransposeOp::create(b, parts, empty, llvm::ArrayRef<int64_t>{0, 2, 4, 1, 3, 5})
          ->getResult(0);
  return collapse(moved, {{0}, {1, 2}, {3, 4, 5}});
}

/// The class token, and behind it the patches; each with its position.
Value ImageEncoderBuilder::embed(Value images) {
  PlaceScope place(graph, "embeddings");
  Value kernel =
      weight((c.embedding + ".weight").str(), {c.hidden, c.channels, c.patchSize, c.patchSize});
  Value bias = weight((c.embedding + ".bias").str(), {c.hidden});
  Value token = weight("embeddings.cls_token", {1, 1, c.hidden});
  Value positions = weight("embeddings.position_embeddings", {1, c.patches() + 1, c.hidden});
  Value patches =
      graph.linear(patchRows(images), collapse(kernel, {{0}, {1, 2, 3}}), {.bias = bias});
  if (graph.hasFailed())
    return {};
  OpFoldResult count = mlir::tensor::getMixedSize(b, b.getLoc(), images, 0);
  Value empty = mlir::tensor::EmptyOp::create(
      b, llvm::SmallVector<OpFoldResult>{count, b.getIndexAttr(1), b.getIndexAttr(c.hidden)},
      element);
  Value tokens = mlir::linalg::BroadcastOp::create(b, collapse(token, {{0, 1, 2}}), empty,
                                                   llvm::ArrayRef<int64_t>{0, 1})
                     ->getResult(0);
  Value all = mlir::tensor::ConcatOp::create(b, /*dim=*/1, mlir::ValueRange{tokens, patches});
  return graph.addToEach(all, collapse(positions, {{0, 1}, {2}}));
}

Value ImageEncoderBuilder::layer(Value x, const std::string &prefix) {
  PlaceScope place(graph, llvm::StringRef(prefix).rtrim('.'));
  Value h = norm(x, prefix + "layernorm_before");
  auto heads = [&](const char *name) {
    return graph.splitHeads(
        linear(h, prefix + "attention.attention." + name, c.hidden, c.inputBiases), c.heads);
  };
  Value q = heads("query"), k = heads("key"), v = heads("value");
  Value attended = graph.joinHeads(graph.attention(q, k, v));
  if (graph.hasFailed())
    return {};
  Value y = linear(attended, prefix + "attention.output.dense", c.hidden, /*hasBias=*/true, x);
  Value inside =
      linear(norm(y, prefix + "layernorm_after"), prefix + "intermediate.dense", c.intermediate);
  inside = c.activation.apply(graph, inside);
  return graph.hasFailed() ? Value()
                           : linear(inside, prefix + "output.dense", c.hidden, /*hasBias=*/true, y);
}

llvm::SmallVector<Value> ImageEncoderBuilder::build(Value images) {
  Value x = embed(images);
  for (int64_t number = 0; number < c.layers && !graph.hasFailed(); ++number)
    x = layer(x, "encoder.layer." + std::to_string(number) + ".");
  if (graph.hasFailed())
    return {};
  x = norm(x, "layernorm");
  if (c.labels > 0)
    return {linear(graph.firstToken(x), "classifier", c.labels)};
  Value dense = linear(graph.firstToken(x), "pooler.dense", c.hidden);
  if (graph.hasFailed())
    return {};
  return {x, mlir::math::TanhOp::create(b, dense)};
}

llvm::SmallVector<Value> huggingface::buildImageEncoder(Graph &graph, Value images,
                                                        const ImageEncoderConfig &config,
                                                        mlir::Type element) {
  return ImageEncoderBuilder(graph, config, element).build(images);
}
