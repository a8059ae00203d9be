// 1. Of each loop its stride in image, kernel and result, and so what it is: the batch, a group, an
//    output or input channel, a place of the result or one of the window. In the call the kernel is
//    in the library's own order.
// 2. Places and window that move along a dimension of the image are an axis.
// 3. Channels are groups times those of one group.
#include "ConvolutionCall.h"

#include "LibraryProduct.h"

#include "../Strategy/FactorPadding.h"
#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/VendorWork.h"

using namespace mlir;
using namespace forge;

namespace {
/// Where an operand has the loops: strides in elements of its root, 0 where it does not have one.
struct LoopStrides {
  OperandView view;
  SmallVector<int64_t, 8> strides;

  static std::optional<LoopStrides> of(Value value, AffineMap map) {
    std::optional<OperandView> view = viewOf(value);
    if (!view)
      return std::nullopt;
    LoopStrides found{std::move(*view), SmallVector<int64_t, 8>(map.getNumDims(), 0)};
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
        if (!index.isFunctionOfDim(loop))
          continue;
        std::optional<int64_t> factor = factorOf(index, loop);
        ElementCount stride = found.view.stride(dim);
        if (!factor || !stride.dynamic.empty() || found.strides[loop] != 0)
          return std::nullopt;
        found.strides[loop] = *factor * stride.known;
      }
    return found;
  }
};

class Matcher {
public:
  Matcher(func::FuncOp kernel, rt::ConvolutionCall &call) : kernel(kernel), call(call) {}

  /// Null if all of it holds, otherwise what was expected.
  const char *run();

private:
  const char *findOperands();
  const char *findRoles();
  const char *findAxes();
  const char *findChannels();
  const char *findEpilogue();
  bool isOf(unsigned loop, bool inImage, bool inKernel, bool inOut) const {
    return (image->strides[loop] != 0) == inImage && (weights->strides[loop] != 0) == inKernel &&
           (out->strides[loop] != 0) == inOut;
  }
  int64_t sizeOf(std::optional<unsigned> loop) const { return loop ? sizes[*loop] : 1; }
  static int64_t strideIn(const LoopStrides &operand, std::optional<unsigned> loop) {
    return loop ? operand.strides[*loop] : 0;
  }
  /// Of groups of `inner` channels each, all channels at one stride; nothing if they are not.
  std::optional<int64_t> channelStride(const LoopStrides &operand,
                                       std::optional<unsigned> inner) const;

  func::FuncOp kernel;
  rt::ConvolutionCall &call;
  linalg::LinalgOp op;
  linalg::GenericOp follow;
  AffineMap imageMap;
  std::optional<FactorPadding> padding;
  std::optional<LoopStrides> image, weights, out;
  SmallVector<int64_t> sizes;
  std::optional<unsigned> batch, group, output, input;
  /// Loops of places and of windows that are not along an axis yet.
  SmallVector<unsigned> places, windows;
  struct AxisLoops {
    std::optional<unsigned> place, window;
    /// Of the image.
    unsigned dim = 0;
    int64_t stride = 1;
  };
  SmallVector<AxisLoops, 3> axes;
};
} // namespace

linalg::LinalgOp forge::convolutionOf(func::FuncOp kernel) {
  SmallVector<Operation *> before;
  std::optional<ProductKernel> parts = matchProductKernel(kernel, &before);
  if (!parts || parts->contractions.size() != 1 || parts->placing ||
      !llvm::all_of(before, [](Operation *op) {
        auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        return linalgOp && padsFactor(linalgOp);
      }))
    return nullptr;
  linalg::LinalgOp op = parts->contractions.front();
  return op.hasPureTensorSemantics() && readsWindows(op) ? op : nullptr;
}

const char *Matcher::findOperands() {
  op = convolutionOf(kernel);
  SmallVector<Operation *> before;
  follow = matchProductKernel(kernel, &before)->follow;
  // f32 factors in pieces are a convolution of f32.
  std::optional<FactorPieces> pieces = piecesOf(op);
  if (!pieces && !isSumOfProducts(op))
    return "a sum of products of f16, bf16, f32 or f64";
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned left = pieces ? pieces->left.front() : 0, right = pieces ? pieces->right.front() : 1;
  if (maps[left].isProjectedPermutation())
    std::swap(left, right);
  if (maps[left].isProjectedPermutation() || !maps[right].isProjectedPermutation())
    return "windows of one factor";
  sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return "known sizes";
  imageMap = maps[left];
  padding = paddingOf(op->getOperand(left));
  if (before.size() > (padding ? 1 : 0))
    return "zeros around the image only";
  image = LoopStrides::of(op->getOperand(left), maps[left]);
  weights = LoopStrides::of(op->getOperand(right), maps[right]);
  out = LoopStrides::of(op.getDpsInits()[0], maps.back());
  if (!image || !weights || !out)
    return "factors at known strides";
  auto typeOf = [](Type type) {
    return type.isF16()    ? FORGE_RT_F16
           : type.isBF16() ? FORGE_RT_BF16
           : type.isF64()  ? FORGE_RT_F64
                           : FORGE_RT_F32;
  };
  Type first = getElementTypeOrSelf(op->getOperand(left)),
       second = getElementTypeOrSelf(op->getOperand(right));
  if (first != second)
    return "image and kernel of one type";
  call.type = pieces ? FORGE_RT_F32 : typeOf(first);
  Value result = follow ? follow.getDpsInits()[0] : op.getDpsInits()[0];
  call.outType = typeOf(getElementTypeOrSelf(result));
  return nullptr;
}

const char *Matcher::findRoles() {
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    auto take = [&](std::optional<unsigned> &role) {
      bool isFirst = !role;
      role = loop;
      return isFirst;
    };
    bool isKnown = true;
    if (isOf(loop, true, true, true))
      isKnown = take(group);
    else if (isOf(loop, false, true, true))
      isKnown = take(output);
    else if (isOf(loop, true, false, true))
      places.push_back(loop);
    else if (isOf(loop, true, true, false))
      windows.push_back(loop);
    else
      isKnown = false;
    if (!isKnown)
      return "one dimension of groups and one of channels";
  }
  return nullptr;
}

const char *Matcher::findAxes() {
  auto isAlong = [&](unsigned dim) {
    return [this, dim](unsigned loop) { return imageMap.getResult(dim).isFunctionOfDim(loop); };
  };
  SmallVector<unsigned> plain;
  for (unsigned dim = 0; dim < imageMap.getNumResults(); ++dim) {
    AxisLoops axis;
    axis.dim = dim;
    axis.stride = image->view.stride(dim).known;
    SmallVector<unsigned> here = llvm::filter_to_vector(places, isAlong(dim)),
                          inWindow = llvm::filter_to_vector(windows, isAlong(dim));
    if (here.size() > 1 || inWindow.size() > 1 ||
        (group && !(here.empty() && inWindow.empty()) && isAlong(dim)(*group)))
      return "windows that move along one dimension of places each";
    if (here.empty() && inWindow.empty())
      continue;
    if (!here.empty())
      axis.place = here.front();
    if (!inWindow.empty())
      axis.window = inWindow.front();
    bool skips = axis.place && image->strides[*axis.place] != axis.stride;
    if ((axis.place && axis.window) || skips)
      axes.push_back(axis);
    else if (axis.window)
      plain.push_back(*axis.window);
  }
  // Loops that no window moves along: the batch, perhaps positions, and channels.
  auto isTaken = [&](unsigned loop) {
    return llvm::any_of(
        axes, [&](const AxisLoops &axis) { return axis.place == loop || axis.window == loop; });
  };
  llvm::erase_if(places, isTaken);
  llvm::sort(places, [&](unsigned a, unsigned b) { return image->strides[a] > image->strides[b]; });
  if (!places.empty())
    batch = places.front();
  for (unsigned place : llvm::drop_begin(places, batch ? 1 : 0)) {
    unsigned dim = 0;
    while (!isAlong(dim)(place))
      ++dim;
    axes.push_back({place, std::nullopt, dim, image->view.stride(dim).known});
  }
  if (plain.size() > 1)
    return "one dimension of input channels";
  if (!plain.empty())
    input = plain.front();
  llvm::sort(axes, [](const AxisLoops &a, const AxisLoops &b) { return a.stride > b.stride; });
  constexpr size_t mostAxes = 3;
  return axes.empty() || axes.size() > mostAxes ? "windows along one to three dimensions" : nullptr;
}

std::optional<int64_t> Matcher::channelStride(const LoopStrides &operand,
                                              std::optional<unsigned> inner) const {
  int64_t ofGroup = strideIn(operand, group), ofInner = strideIn(operand, inner);
  if (group && inner && ofGroup != sizeOf(inner) * ofInner)
    return std::nullopt;
  return inner ? ofInner : group ? ofGroup : 1;
}

const char *Matcher::findChannels() {
  call.batch = sizeOf(batch);
  call.groups = sizeOf(group);
  call.inputs = sizeOf(input);
  call.outputs = sizeOf(output);
  std::optional<int64_t> ofImage = channelStride(*image, input),
                         ofOut = channelStride(*out, output);
  if (!ofImage || !ofOut || !channelStride(*weights, output))
    return "groups whose channels follow each other";
  call.imageStrides = {strideIn(*image, batch), *ofImage};
  call.outStrides = {strideIn(*out, batch), *ofOut};
  for (const AxisLoops &loops : axes) {
    rt::ConvolutionCall::Axis axis;
    axis.window = sizeOf(loops.window);
    if (loops.place)
      axis.stride = image->strides[*loops.place] / loops.stride;
    if (loops.window)
      axis.dilation = image->strides[*loops.window] / loops.stride;
    // All of the dimension, where that gives no more places; else what is read.
    int64_t count = sizeOf(loops.place);
    axis.size = image->view.dims[loops.dim].size;
    if (ShapedType::isDynamic(axis.size) || axis.places() != count)
      axis.size = (count - 1) * axis.stride + (axis.window - 1) * axis.dilation + 1;
    call.axes.push_back(axis);
    call.imageStrides.push_back(loops.stride);
    call.outStrides.push_back(strideIn(*out, loops.place));
  }
  return nullptr;
}

/// A dimension of one element has any stride, but the library asks for one above 0.
static void fillStrides(std::vector<int64_t> &strides, ArrayRef<int64_t> sizes) {
  int64_t behind = 1;
  for (auto [stride, size] : llvm::zip_equal(strides, sizes))
    behind = std::max(behind, stride * size);
  for (int64_t &stride : strides)
    stride = stride > 0 ? stride : behind;
}

/// The library has kernels with the output channels outermost, and the input channels innermost
/// where those of the image are: as who calls it stores them.
static std::vector<int64_t> kernelStridesOf(const rt::ConvolutionCall &call) {
  std::vector<int64_t> strides(call.axes.size() + 2);
  bool isInnermost = call.imageStrides[1] == 1;
  int64_t next = 1;
  auto take = [&](size_t dim, int64_t size) {
    strides[dim] = next;
    next *= size;
  };
  if (isInnermost)
    take(1, call.inputs);
  for (size_t axis = call.axes.size(); axis-- > 0;)
    take(axis + 2, call.axes[axis].window);
  if (!isInnermost)
    take(1, call.inputs);
  take(0, call.groups * call.outputs);
  return strides;
}

const char *Matcher::findEpilogue() {
  if (!follow)
    return nullptr;
  SmallVector<unsigned> columns;
  AffineMap map = op.getIndexingMapsArray().back();
  for (auto [dim, index] : llvm::enumerate(map.getResults()))
    for (std::optional<unsigned> loop : {group, output})
      if (loop && index.isFunctionOfDim(*loop))
        columns.push_back(dim);
  std::optional<LibraryEpilogue> epilogue = matchEpilogue(follow, sumsOf(op), columns);
  if (!epilogue)
    return "nothing but bias, residual, activation and rounding behind the sums";
  call.hasBias = epilogue->bias != nullptr;
  call.hasResidual = epilogue->residual != nullptr;
  call.activation = epilogue->activation;
  return nullptr;
}

const char *Matcher::run() {
  for (const char *(Matcher::*step)() :
       {&Matcher::findOperands, &Matcher::findRoles, &Matcher::findAxes, &Matcher::findChannels,
        &Matcher::findEpilogue})
    if (const char *why = (this->*step)())
      return why;
  SmallVector<int64_t> ofImage{call.batch, call.groups * call.inputs},
      ofOut{call.batch, call.groups * call.outputs};
  for (const rt::ConvolutionCall::Axis &axis : call.axes) {
    ofImage.push_back(axis.size);
    ofOut.push_back(axis.places());
  }
  fillStrides(call.imageStrides, ofImage);
  call.kernelStrides = kernelStridesOf(call);
  fillStrides(call.outStrides, ofOut);
  if (!padding)
    return nullptr;
  std::optional<rt::ConvolutionCall> padded = withPadding(call, *padding);
  if (!padded)
    return "zeros around the places of the image only";
  call = std::move(*padded);
  return nullptr;
}

std::optional<rt::ConvolutionCall> forge::convolutionCallOf(func::FuncOp kernel, WhyNot whyNot) {
  rt::ConvolutionCall call;
  if (const char *why = Matcher(kernel, call).run()) {
    whyNot(Twine("the library takes ") + why);
    return std::nullopt;
  }
  return call;
}

std::optional<unsigned> forge::imageArgument(func::FuncOp kernel) {
  linalg::LinalgOp op = convolutionOf(kernel);
  if (!op)
    return std::nullopt;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto argument = dyn_cast<BlockArgument>(input->get());
    if (!op.getMatchingIndexingMap(input).isProjectedPermutation())
      return argument ? std::optional(argument.getArgNumber()) : std::nullopt;
  }
  return std::nullopt;
}
