// chlo.ragged_dot: its dimension numbers and its constraints.
#include "DimsFormat.h"
#include "StructuredVerify.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"

using namespace mlir;
using namespace forge::stablehlo;

namespace forge::chlo {

//===----------------------------------------------------------------------===//
// RaggedDotDimensionNumbersAttr
//===----------------------------------------------------------------------===//

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  DimsField fields[] = {{"lhs_batching_dimensions", {}},    {"rhs_batching_dimensions", {}},
                        {"lhs_contracting_dimensions", {}}, {"rhs_contracting_dimensions", {}},
                        {"lhs_ragged_dimensions", {}},      {"rhs_group_dimensions", {}}};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), fields[0].dims, fields[1].dims, fields[2].dims, fields[3].dims,
             fields[4].dims, fields[5].dims);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  auto list = [](ArrayRef<int64_t> dims) { return SmallVector<int64_t>(dims); };
  printFields(printer, {{"lhs_batching_dimensions", list(getLhsBatchingDimensions())},
                        {"rhs_batching_dimensions", list(getRhsBatchingDimensions())},
                        {"lhs_contracting_dimensions", list(getLhsContractingDimensions())},
                        {"rhs_contracting_dimensions", list(getRhsContractingDimensions())},
                        {"lhs_ragged_dimensions", list(getLhsRaggedDimensions())},
                        {"rhs_group_dimensions", list(getRhsGroupDimensions())}});
}

//===----------------------------------------------------------------------===//
// RaggedDotOp
//===----------------------------------------------------------------------===//

RaggedDotOp::Kind RaggedDotOp::getKind() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  if (llvm::is_contained(dims.getLhsContractingDimensions(), getLhsRaggedDimension()))
    return Kind::Contracting;
  return llvm::is_contained(dims.getLhsBatchingDimensions(), getLhsRaggedDimension())
             ? Kind::Batching
             : Kind::Free;
}

int64_t RaggedDotOp::getRhsRaggedDimension() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  bool contracting = getKind() == Kind::Contracting;
  ArrayRef<int64_t> lhs =
      contracting ? dims.getLhsContractingDimensions() : dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhs =
      contracting ? dims.getRhsContractingDimensions() : dims.getRhsBatchingDimensions();
  return rhs[llvm::find(lhs, getLhsRaggedDimension()) - lhs.begin()];
}

/// The entries of `dims` in front of `dim`.
static ArrayRef<int64_t> inFrontOf(ArrayRef<int64_t> dims, int64_t dim) {
  return dims.take_front(llvm::find(dims, dim) - dims.begin());
}

static SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching,
                                     ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(batching, dim) && !llvm::is_contained(contracting, dim))
      dims.push_back(dim);
  return dims;
}

SmallVector<int64_t> RaggedDotOp::getLhsPrefix() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  ArrayRef<int64_t> batching = dims.getLhsBatchingDimensions(),
                    contracting = dims.getLhsContractingDimensions();
  int64_t ragged = getLhsRaggedDimension();
  if (getKind() == Kind::Batching)
    return SmallVector<int64_t>(inFrontOf(batching, ragged));
  SmallVector<int64_t> prefix(batching),
      free(freeDims(getLhs().getType().getRank(), batching, contracting));
  llvm::append_range(prefix,
                     inFrontOf(getKind() == Kind::Free ? ArrayRef(free) : contracting, ragged));
  return prefix;
}

SmallVector<int64_t> RaggedDotOp::getRhsPrefix() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  SmallVector<int64_t> prefix(dims.getRhsBatchingDimensions());
  llvm::append_range(prefix,
                     inFrontOf(dims.getRhsContractingDimensions(), getRhsRaggedDimension()));
  return prefix;
}

/// What dot_general demands of its dimensions, of sizes that are known.
static LogicalResult verifyDotDims(RaggedDotOp op) {
  RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  auto verifyPairs = [&](StringRef kind, ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
    std::string lhsName = ("lhs_" + kind + "_dimensions").str(),
                rhsName = ("rhs_" + kind + "_dimensions").str();
    if (failed(verifyCount(op, rhsName, right.size(), left.size())) ||
        failed(verifyDimsInRange(op, lhsName, left, lhs.getRank())) ||
        failed(verifyDimsInRange(op, rhsName, right, rhs.getRank())))
      return failure();
    for (auto [l, r] : llvm::zip(left, right))
      if (failed(verifySameSize(op, ("the lhs " + kind + " dimension").str(), lhs.getDimSize(l),
                                ("the rhs " + kind + " dimension").str(), rhs.getDimSize(r))))
        return failure();
    return success();
  };
  if (failed(verifyPairs("batching", dims.getLhsBatchingDimensions(),
                         dims.getRhsBatchingDimensions())) ||
      failed(verifyPairs("contracting", dims.getLhsContractingDimensions(),
                         dims.getRhsContractingDimensions())))
    return failure();
  return success(succeeded(verifyDistinct(op, "lhs dimensions", dims.getLhsBatchingDimensions(),
                                          dims.getLhsContractingDimensions())) &&
                 succeeded(verifyDistinct(op, "rhs dimensions", dims.getRhsBatchingDimensions(),
                                          dims.getRhsContractingDimensions())));
}

/// The dimension of groups of rhs is free, and there is none unless the ragged one of lhs is free.
static LogicalResult verifyGroupDim(RaggedDotOp op) {
  RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  ArrayRef<int64_t> group = dims.getRhsGroupDimensions();
  size_t wanted = op.getKind() == RaggedDotOp::Kind::Free;
  if (failed(verifyCount(op, "rhs_group_dimensions", group.size(), wanted)) || !wanted)
    return success(!wanted && group.empty());
  if (failed(verifyDimsInRange(op, "rhs_group_dimensions", group, op.getRhs().getType().getRank())))
    return failure();
  SmallVector<int64_t> others(dims.getRhsBatchingDimensions());
  llvm::append_range(others, dims.getRhsContractingDimensions());
  if (failed(verifyDistinct(op, "rhs dimensions", others, group)))
    return failure();
  return verifySameSize(
      op, "the rhs group dimension", op.getRhs().getType().getDimSize(group.front()),
      "the last dimension of group_sizes", op.getGroupSizes().getType().getShape().back());
}

static LogicalResult verifyGroupSizes(RaggedDotOp op) {
  RankedTensorType sizes = op.getGroupSizes().getType();
  if (sizes.getRank() == 0)
    return op.emitOpError() << "expected rank 1 or more for group_sizes, but got 0";
  if (sizes.getRank() == 1)
    return success();
  SmallVector<int64_t> expected;
  for (int64_t dim : op.getLhsPrefix())
    expected.push_back(op.getLhs().getType().getDimSize(dim));
  expected.push_back(sizes.getShape().back());
  return verifyShape(op, "group_sizes", sizes, expected);
}

static SmallVector<int64_t> resultShape(RaggedDotOp op) {
  RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  SmallVector<int64_t> shape;
  if (op.getKind() == RaggedDotOp::Kind::Contracting)
    shape.push_back(op.getGroupSizes().getType().getShape().back());
  for (int64_t dim : dims.getLhsBatchingDimensions())
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim :
       freeDims(lhs.getRank(), dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions()))
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim :
       freeDims(rhs.getRank(), dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions()))
    if (!llvm::is_contained(dims.getRhsGroupDimensions(), dim))
      shape.push_back(rhs.getDimSize(dim));
  return shape;
}

LogicalResult RaggedDotOp::verify() {
  // ragged_dot_c6
  for (auto [name, type] : {std::pair("lhs", getLhs().getType()),
                            {"rhs", getRhs().getType()},
                            {"group_sizes", getGroupSizes().getType()},
                            {"the result", getType()}})
    if (!type.hasStaticShape())
      return emitOpError() << "expected a static shape for " << name << ", but got " << type;
  if (getPrecisionConfig() && getPrecisionConfig()->size() > 2)
    return emitOpError() << "expected at most 2 entries in precision_config, but got "
                         << getPrecisionConfig()->size();
  // ragged_dot_c1
  if (failed(verifyDotDims(*this)))
    return failure();
  // ragged_dot_c2
  ArrayRef<int64_t> ragged = getRaggedDotDimensionNumbers().getLhsRaggedDimensions();
  if (failed(verifyCount(*this, "lhs_ragged_dimensions", ragged.size(), 1)) ||
      failed(
          verifyDimsInRange(*this, "lhs_ragged_dimensions", ragged, getLhs().getType().getRank())))
    return failure();
  // ragged_dot_c4, ragged_dot_c3
  if (failed(verifyGroupSizes(*this)) || failed(verifyGroupDim(*this)))
    return failure();
  // ragged_dot_c5
  if (failed(verifyShape(*this, "the result", getType(), resultShape(*this))))
    return failure();
  Type left = getLhs().getType().getElementType();
  for (Type other : {getRhs().getType().getElementType(), getType().getElementType()})
    if (isa<FloatType>(left) != isa<FloatType>(other))
      return emitOpError() << "expected element types of one kind, but got " << left << " and "
                           << other;
  return success();
}

} // namespace forge::chlo
