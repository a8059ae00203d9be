// Convolutions whose patches would take too much memory, part by part.
#include "ConvolutionForms.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;
using stablehlo::WindowDim;

namespace {
/// Of one dimension of the result: first place, and number of them.
struct Places {
  int64_t begin, count;
};
/// Of the images, then of each spatial dimension.
using Part = SmallVector<Places, 4>;
} // namespace

static constexpr int64_t kMostParts = 16;

/// Halves, first of images, then of the outermost dimension with several places; and so on, until
/// each has at most `most` elements in its patches.
static void divide(Part part, int64_t elements, int64_t most, SmallVectorImpl<Part> &parts) {
  auto *divided = llvm::find_if(part, [](Places places) { return places.count > 1; });
  if (elements <= most || divided == part.end()) {
    parts.push_back(std::move(part));
    return;
  }
  Places whole = *divided;
  int64_t first = whole.count / 2, rest = whole.count - first, one = elements / whole.count;
  *divided = {whole.begin, first};
  divide(part, one * first, most, parts);
  *divided = {whole.begin + first, rest};
  divide(std::move(part), one * rest, most, parts);
}

/// The convolution that computes this part of the result, of the places of the input that it reads.
static Conv convolutionOf(OpBuilder &builder, Location loc, const Conv &conv, const Part &part) {
  Conv of = conv;
  SmallVector<int64_t> shape(conv.type.getShape());
  SmallVector<OpFoldResult> offsets(conv.rank(), builder.getIndexAttr(0)),
      sizes = getSizes(builder, loc, conv.lhs), strides(conv.rank(), builder.getIndexAttr(1));
  auto take = [&](int64_t inputDim, int64_t outputDim, Places places, const WindowDim *window) {
    int64_t begin = places.begin, count = places.count;
    if (window) {
      begin *= window->stride;
      count = (count - 1) * window->stride + (window->size - 1) * window->windowDilation + 1;
    }
    offsets[inputDim] = builder.getIndexAttr(begin);
    sizes[inputDim] = builder.getIndexAttr(count);
    shape[outputDim] = places.count;
    of.sizes[outputDim] = builder.getIndexAttr(places.count);
  };
  take(conv.dims.getInputBatchDimension(), conv.dims.getOutputBatchDimension(), part[0], nullptr);
  for (auto [i, window] : llvm::enumerate(conv.window))
    take(conv.dims.getInputSpatialDimensions()[i], conv.dims.getOutputSpatialDimensions()[i],
         part[1 + i], &window);
  of.lhs = tensor::ExtractSliceOp::create(builder, loc, conv.lhs, offsets, sizes, strides);
  of.type = conv.type.clone(shape);
  return of;
}

Value forge::createInParts(OpBuilder &builder, Location loc, const Conv &conv, int64_t elements,
                           int64_t most) {
  if (!conv.type.hasStaticShape() || !conv.lhsShape().hasStaticShape())
    return nullptr;
  Part whole = {{0, conv.type.getDimSize(conv.dims.getOutputBatchDimension())}};
  for (int64_t dim : conv.dims.getOutputSpatialDimensions())
    whole.push_back({0, conv.type.getDimSize(dim)});
  SmallVector<Part> parts;
  divide(whole, elements, std::max(most, elements / kMostParts), parts);
  if (parts.size() < 2)
    return nullptr;
  RankedTensorType type = conv.accType();
  Value result = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  for (const Part &part : parts) {
    Conv of = convolutionOf(builder, loc, conv, part);
    Value computed = createAsMatmul(builder, loc, of);
    SmallVector<OpFoldResult> offsets(conv.rank(), builder.getIndexAttr(0)),
        strides(conv.rank(), builder.getIndexAttr(1));
    offsets[conv.dims.getOutputBatchDimension()] = builder.getIndexAttr(part[0].begin);
    for (auto [i, dim] : llvm::enumerate(conv.dims.getOutputSpatialDimensions()))
      offsets[dim] = builder.getIndexAttr(part[1 + i].begin);
    result = tensor::InsertSliceOp::create(builder, loc, computed, result, offsets,
                                           getSizes(builder, loc, computed), strides);
  }
  return result;
}
