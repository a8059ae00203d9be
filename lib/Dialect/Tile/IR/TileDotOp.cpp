// Products: the shapes, types and layouts that go with each instruction.
#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

using namespace mlir;
using namespace forge::tile;

/// `<64x256x16>`.
static OptionalParseResult parseInstruction(OpAsmParser &parser, DenseI64ArrayAttr &shape) {
  SmallVector<int64_t> sizes;
  if (failed(parser.parseOptionalLess()))
    return std::nullopt;
  if (parser.parseDimensionList(sizes, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseGreater())
    return OptionalParseResult(failure());
  shape = parser.getBuilder().getDenseI64ArrayAttr(sizes);
  return OptionalParseResult(success());
}

static void printInstruction(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr shape) {
  printer << "<";
  printer.printDimensionList(shape);
  printer << ">";
}

/// The shape of a factor, its terms last.
static SmallVector<int64_t> factorShape(Type type, bool transposed) {
  auto shared = dyn_cast<SharedType>(type);
  SmallVector<int64_t> shape(shared ? shared.getShape() : cast<RankedTensorType>(type).getShape());
  if (transposed)
    std::reverse(shape.begin(), shape.end());
  return shape;
}

static Type factorElement(Type type) {
  auto shared = dyn_cast<SharedType>(type);
  return shared ? shared.getElementType() : cast<RankedTensorType>(type).getElementType();
}

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

static LogicalResult verifyWgmma(DotOp dot, ArrayRef<int64_t> terms) {
  Type element = factorElement(dot.getLhs().getType());
  // dot_c2
  bool isByte = isF8(element) || element.isInteger(8);
  if (!element.isBF16() && !element.isF16() && !isByte)
    return dot.emitOpError(
               "expected factors of bf16, f16, f8E4M3FN, f8E5M2 or i8 for wgmma, but got ")
           << element;
  Type sum = dot.getType().getElementType();
  if (element.isInteger(8) ? !sum.isInteger(32) : !sum.isF32())
    return dot.emitOpError("expected an accumulator of ")
           << (element.isInteger(8) ? "i32" : "f32") << " for wgmma, but got " << sum;
  // dot_c3
  int64_t instructionTerms = isByte ? 32 : 16;
  std::optional<ArrayRef<int64_t>> shape = dot.getInstruction();
  if (!shape || shape->size() != 3 || (*shape)[0] != 64 || (*shape)[1] < 8 || (*shape)[1] > 256 ||
      (*shape)[1] % 8 != 0 || (*shape)[2] != instructionTerms)
    return dot.emitOpError("expected an instruction of 64 rows, 8 to 256 columns in eights and ")
           << instructionTerms << " terms, as in wgmma<64x256x" << instructionTerms << ">";
  // dot_c10
  if (isByte && (dot.getTransposedLhs() || dot.getTransposedRhs() ||
                 !isa<SharedType>(dot.getLhs().getType())))
    return dot.emitOpError(
        "expected factors of 8 bits in shared memory, not transposed, for wgmma");
  ArrayRef<int64_t> sizes = dot.getType().getShape();
  int64_t all[] = {sizes[0], sizes[1], terms[1]};
  for (auto [size, step] : llvm::zip_equal(all, *shape))
    if (size % step != 0)
      return dot.emitOpError("expected a multiple of the instruction's ")
             << step << ", but got " << size;
  // dot_c5
  LayoutAttr layout = layoutOf(dot.getType());
  LayoutAttr expected =
      wgmmaAccumulator(dot.getContext(), std::max<int64_t>(layout ? layout.getWarps() / 4 : 1, 1));
  if (layout != expected)
    return dot.emitOpError("expected an accumulator of layout ")
           << expected << ", but got " << dot.getType();
  // dot_c7
  auto left = dyn_cast<RankedTensorType>(dot.getLhs().getType());
  LayoutAttr expectedLeft = wgmmaLeft(dot.getContext(), 16, expected.getWarps() / 4);
  if (left && (dot.getTransposedLhs() || left.getEncoding() != expectedLeft))
    return dot.emitOpError("expected a left factor of layout ")
           << expectedLeft << ", not transposed, but got " << left;
  // dot_c4
  for (Value factor : {dot.getLhs(), dot.getRhs()}) {
    auto shared = dyn_cast<SharedType>(factor.getType());
    if (!shared && factor == dot.getRhs())
      return dot.emitOpError("expected the right factor in shared memory for wgmma, but got ")
             << factor.getType();
    if (shared && shared.getSwizzle() != 128)
      return dot.emitOpError("expected a swizzle of 128 bytes for wgmma, but got ") << shared;
  }
  return success();
}

/// Factors in registers have the rows and columns of the accumulator's `entries`, of lanes or
/// warps.
static LogicalResult verifyGoesWith(DotOp dot, StringRef what,
                                    ArrayRef<LayoutEntry> (LayoutAttr::*entries)() const) {
  LayoutAttr accumulator = layoutOf(dot.getType());
  Value factors[] = {dot.getLhs(), dot.getRhs()};
  bool isTransposed[] = {dot.getTransposedLhs(), dot.getTransposedRhs()};
  for (auto [number, factor] : llvm::enumerate(factors)) {
    LayoutAttr layout = layoutOf(cast<RankedTensorType>(factor.getType()));
    if (isTransposed[number])
      layout = layout.swapDimensions();
    SmallVector<LayoutEntry> expected =
        factorEntries((accumulator.*entries)(), static_cast<int8_t>(number));
    if ((layout.*entries)() != ArrayRef(expected))
      return dot.emitOpError("expected the ")
             << (number == 0 ? "left" : "right") << " factor to have the " << what
             << " of the accumulator's " << (number == 0 ? "rows" : "columns")
             << ", and all of k, but got " << factor.getType();
  }
  return success();
}

/// Factors in registers have layouts; which may be transposed.
static LogicalResult verifyRegisterFactors(DotOp dot) {
  for (Value factor : {dot.getLhs(), dot.getRhs()}) {
    auto tile = dyn_cast<RankedTensorType>(factor.getType());
    if (!tile || !layoutOf(tile))
      return dot.emitOpError("expected factors in registers with a layout for ")
             << stringifyDotKind(dot.getKind()) << ", but got " << factor.getType();
  }
  // dot_c9
  if (dot.getKind() == DotKind::Fma && (dot.getTransposedLhs() || dot.getTransposedRhs()))
    return dot.emitOpError("expected factors in registers not to be transposed for fma");
  return success();
}

static LogicalResult verifyFma(DotOp dot) {
  Type factor = factorElement(dot.getLhs().getType()), sum = dot.getType().getElementType();
  // dot_c2
  bool areFloats = isa<FloatType>(factor) && isa<FloatType>(sum);
  bool areIntegers = factor.isSignlessInteger() && sum.isSignlessInteger();
  if (!areFloats && !areIntegers)
    return dot.emitOpError("expected floats or integers for fma, but got ")
           << factor << " and " << sum;
  if (factor != sum && factor.getIntOrFloatBitWidth() >= sum.getIntOrFloatBitWidth())
    return dot.emitOpError("expected an accumulator of the factors' type or a wider one for fma, "
                           "but got ")
           << sum << " of " << factor;
  // dot_c3
  if (dot.getInstruction())
    return dot.emitOpError("expected no instruction shape for fma");
  // dot_c6
  bool isShared[] = {isa<SharedType>(dot.getLhs().getType()),
                     isa<SharedType>(dot.getRhs().getType())};
  if (isShared[0] != isShared[1])
    return dot.emitOpError("expected both factors in shared memory or both in registers for fma, "
                           "but got ")
           << dot.getLhs().getType() << " and " << dot.getRhs().getType();
  if (isShared[0])
    return success();
  if (failed(verifyRegisterFactors(dot)))
    return failure();
  return failed(verifyGoesWith(dot, "lanes", &LayoutAttr::getLane))
             ? failure()
             : verifyGoesWith(dot, "warps", &LayoutAttr::getWarp);
}

/// Whether a tile of `layout` is made of one instruction's operands of layout `instruction` and
/// extents `sizes`: its lanes, and what registers and warps have besides, are whole operands.
static bool isMadeOf(LayoutAttr layout, LayoutAttr instruction, ArrayRef<int64_t> sizes) {
  auto isWithin = [&](LayoutEntry entry) {
    return !entry.isReplicated() && entry.step() < sizes[entry.dim];
  };
  return layout.getRank() == 2 && layout.getLane() == instruction.getLane() &&
         llvm::none_of(layout.getWarp(), isWithin);
}

static LogicalResult verifyMatrix(DotOp dot, int64_t terms) {
  Type element = factorElement(dot.getLhs().getType());
  StringRef kind = stringifyDotKind(dot.getKind());
  // dot_c2
  if (!element.isBF16() && !element.isF16())
    return dot.emitOpError("expected factors of bf16 or f16 for ")
           << kind << ", but got " << element;
  if (!dot.getType().getElementType().isF32())
    return dot.emitOpError("expected an accumulator of f32 for ")
           << kind << ", but got " << dot.getType().getElementType();
  // dot_c3
  std::optional<ArrayRef<int64_t>> shape = dot.getInstruction();
  std::optional<MatrixInstruction> instruction =
      shape ? matrixInstruction(dot.getKind(), *shape, element) : std::nullopt;
  if (!instruction)
    return dot.emitOpError("expected an instruction of ")
           << kind << ", which is "
           << (dot.getKind() == DotKind::Mma    ? "mma<16x8x16>"
               : dot.getKind() == DotKind::Mfma ? "mfma<32x32x8> or mfma<16x16x16>"
                                                : "wmma<16x16x16>");
  ArrayRef<int64_t> sizes = dot.getType().getShape();
  int64_t all[] = {sizes[0], sizes[1], terms};
  for (auto [size, step] : llvm::zip_equal(all, *shape))
    if (size % step != 0)
      return dot.emitOpError("expected a multiple of the instruction's ")
             << step << ", but got " << size;
  // dot_c8
  if (failed(verifyRegisterFactors(dot)))
    return failure();
  auto check = [&](StringRef what, Type type, LayoutAttr expected, ArrayRef<int64_t> extents,
                   bool isTransposed = false) -> LogicalResult {
    LayoutAttr layout = layoutOf(cast<RankedTensorType>(type));
    if (isMadeOf(isTransposed ? layout.swapDimensions() : layout, expected, extents))
      return success();
    if (isTransposed)
      expected = expected.swapDimensions();
    return dot.emitOpError("expected ") << what << " made of the instruction's operands, of layout "
                                        << expected << ", but got " << type;
  };
  // dot_c5
  if (failed(check("an accumulator", dot.getType(), instruction->accumulator,
                   {instruction->rows, instruction->columns})) ||
      failed(check("a left factor", dot.getLhs().getType(), instruction->left,
                   {instruction->rows, instruction->terms}, dot.getTransposedLhs())) ||
      failed(check("a right factor", dot.getRhs().getType(), instruction->right,
                   {instruction->columns, instruction->terms}, dot.getTransposedRhs())))
    return failure();
  return verifyGoesWith(dot, "warps", &LayoutAttr::getWarp);
}

LogicalResult DotOp::verify() {
  // dot_c1
  SmallVector<int64_t> lhs = factorShape(getLhs().getType(), getTransposedLhs()),
                       rhs = factorShape(getRhs().getType(), getTransposedRhs());
  ArrayRef<int64_t> acc = getType().getShape();
  if (lhs.size() != 2 || rhs.size() != 2 || acc.size() != 2)
    return emitOpError("expected factors and accumulator of two dimensions, but got ")
           << lhs.size() << ", " << rhs.size() << " and " << acc.size();
  if (lhs[1] != rhs[1])
    return emitOpError("expected as many terms of both factors, but got ")
           << lhs[1] << " and " << rhs[1];
  if (acc[0] != lhs[0] || acc[1] != rhs[0])
    return emitOpError("expected an accumulator of ")
           << lhs[0] << "x" << rhs[0] << ", but got " << acc[0] << "x" << acc[1];
  // dot_c2
  Type left = factorElement(getLhs().getType()), right = factorElement(getRhs().getType());
  if (left != right && !(getKind() == DotKind::Wgmma && isF8(left) && isF8(right)))
    return emitOpError("expected factors of one element type, but got ")
           << left << " and " << right;
  if (!getType().getEncoding())
    return emitOpError("expected an accumulator with a layout, but got ") << getType();
  if (getKind() == DotKind::Wgmma)
    return verifyWgmma(*this, lhs);
  return getKind() == DotKind::Fma ? verifyFma(*this) : verifyMatrix(*this, lhs[1]);
}

#define GET_OP_CLASSES
#include "forge/Dialect/Tile/IR/TileOps.cpp.inc"
