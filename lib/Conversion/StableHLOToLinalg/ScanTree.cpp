#include "ScanTree.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

Attribute forge::scanSplatOf(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return elements && elements.isSplat() ? elements.getSplatValue<Attribute>() : Attribute();
}

static RankedTensorType rankedType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

namespace {
/// Every `stride`-th element of `base` from `start` on, along the scan's dimension.
struct View {
  Value base;
  int64_t start, stride, size;
};

/// A result of a level: [even[0], odd[0], even[1], ...].
struct Halves {
  Value even, odd;
  int64_t dim;
};

/// A level: the running reduction of `size` tuples.
struct Level {
  int64_t size;
  DenseMap<unsigned, Value> inputs = DenseMap<unsigned, Value>(), results = inputs, odd = inputs;
};
} // namespace

/// One dimension with one element between neighbours; low + high = `edges`.
static std::optional<int64_t> spreadDim(PadOp pad, int64_t low) {
  std::optional<int64_t> dim;
  for (auto [number, between] : llvm::enumerate(pad.getInteriorPadding())) {
    if (between == 0 && pad.getEdgePaddingLow()[number] == 0 &&
        pad.getEdgePaddingHigh()[number] == 0)
      continue;
    // One element has no neighbours.
    if (dim || pad.getEdgePaddingLow()[number] != low || between != 1)
      return std::nullopt;
    dim = number;
  }
  return dim;
}

static bool isZero(Value value) {
  Attribute splat = scanSplatOf(value);
  if (auto number = dyn_cast_or_null<FloatAttr>(splat))
    return number.getValue().isZero();
  auto number = dyn_cast_or_null<IntegerAttr>(splat);
  return number && number.getValue().isZero();
}

static std::optional<Halves> halvesOf(Value value) {
  Operation *sum = value.getDefiningOp();
  if (!isa_and_nonnull<AddOp, OrOp>(sum) || !rankedType(value) ||
      !rankedType(value).hasStaticShape())
    return std::nullopt;
  for (auto [first, second] : {std::pair(0, 1), std::pair(1, 0)}) {
    auto even = sum->getOperand(first).getDefiningOp<PadOp>(),
         odd = sum->getOperand(second).getDefiningOp<PadOp>();
    if (!even || !odd || !isZero(even.getPaddingValue()) || !isZero(odd.getPaddingValue()))
      continue;
    std::optional<int64_t> oddDim = spreadDim(odd, 1), evenDim = spreadDim(even, 0);
    if (!oddDim || (evenDim && evenDim != oddDim))
      continue;
    int64_t size = rankedType(value).getDimSize(*oddDim);
    if (rankedType(odd.getOperand()).getDimSize(*oddDim) == size / 2 &&
        rankedType(even.getOperand()).getDimSize(*oddDim) == size - size / 2)
      return Halves{even.getOperand(), odd.getOperand(), *oddDim};
  }
  return std::nullopt;
}

static bool isCombining(Operation *op) {
  return isa_and_nonnull<AbsOp, AddOp, AndOp, Atan2Op, CeilOp, ClampOp, CompareOp, ConvertOp,
                         CosineOp, DivOp, ExpOp, Expm1Op, FloorOp, Log1pOp, LogOp, LogisticOp,
                         MaxOp, MinOp, MulOp, NegOp, NotOp, OrOp, PowOp, RemOp, RsqrtOp, SelectOp,
                         SignOp, SineOp, SqrtOp, SubtractOp, TanhOp, XorOp>(op);
}

namespace {
// 1. From the result down: each level's halves; the even one is the first element and the
//    combination of the odd one with every second element from the third on. The first level says
//    what that combination is, the others have to have the same.
// 2. The elements of the next level are the combinations of neighbours. Those of the first level
//    say what makes the parts that have no result; all others have to agree.
class Matcher {
public:
  std::optional<ScanTree> match(Operation *root) {
    std::optional<Halves> halves = halvesOf(root->getResult(0));
    if (!halves)
      return std::nullopt;
    tree.dim = halves->dim;
    tree.size = rankedType(root->getResult(0)).getDimSize(tree.dim);
    levels.push_back({tree.size});
    unsigned part = newPart();
    levels[0].results[part] = root->getResult(0);
    for (size_t at = 0; levels[at].size > 1; ++at)
      if (!matchResults(at))
        return std::nullopt;
    for (auto [part, value] : levels.back().results)
      if (!bind(levels.back().inputs, part, value))
        return std::nullopt;
    // What the lower levels read becomes known level by level.
    for (size_t known = 0; known != countKnown();) {
      known = countKnown();
      for (size_t at = 0; at + 1 < levels.size(); ++at)
        if (!matchInputs(at))
          return std::nullopt;
    }
    return finish();
  }

private:
  unsigned newPart() {
    combines.emplace_back();
    return combines.size() - 1;
  }

  size_t countKnown() const {
    size_t known = combines.size();
    for (const Level &level : levels)
      known += level.inputs.size();
    return known;
  }

  static bool bind(DenseMap<unsigned, Value> &values, unsigned part, Value value) {
    return values.try_emplace(part, value).first->second == value;
  }

  static std::optional<unsigned> partOf(const DenseMap<unsigned, Value> &values, Value value) {
    for (auto [part, known] : values)
      if (known == value)
        return part;
    return std::nullopt;
  }

  int64_t sizeOf(Value value) const {
    RankedTensorType type = rankedType(value);
    return type && type.hasStaticShape() && type.getRank() > tree.dim ? type.getDimSize(tree.dim)
                                                                      : -1;
  }

  View viewOf(Value value) {
    auto slice = value.getDefiningOp<SliceOp>();
    if (!slice || !rankedType(value) || rankedType(value).getRank() <= tree.dim)
      return {value, 0, 1, sizeOf(value)};
    RankedTensorType type = rankedType(slice.getOperand());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != tree.dim && rankedType(value).getDimSize(dim) != type.getDimSize(dim))
        return {value, 0, 1, sizeOf(value)};
    tree.ops.insert(slice);
    return {slice.getOperand(), slice.getStartIndices()[tree.dim], slice.getStrides()[tree.dim],
            sizeOf(value)};
  }

  static bool isAt(const View &view, int64_t start, int64_t stride, int64_t size) {
    return view.start == start && view.size == size && (size == 1 || view.stride == stride);
  }

  //===--- combinations ---===//

  using IsLeaf = llvm::function_ref<std::optional<ScanLeaf>(Value)>;
  using IsThisLeaf = llvm::function_ref<bool(ScanLeaf, Value)>;

  bool extract(Value value, ScanCombine &combine, IsLeaf isLeaf) {
    if (combine.leaves.contains(value) || scanSplatOf(value))
      return true;
    if (std::optional<ScanLeaf> leaf = isLeaf(value)) {
      combine.leaves[value] = *leaf;
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!isCombining(op))
      return false;
    tree.ops.insert(op);
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return extract(operand, combine, isLeaf); });
  }

  /// Whether `value` is computed as `known` is.
  bool isSame(const ScanCombine &combine, Value known, Value value, IsThisLeaf isLeaf) {
    if (auto leaf = combine.leaves.find(known); leaf != combine.leaves.end())
      return isLeaf(leaf->second, value);
    if (Attribute splat = scanSplatOf(known))
      return scanSplatOf(value) == splat;
    Operation *a = known.getDefiningOp(), *b = value.getDefiningOp();
    if (!b || a->getName() != b->getName() || a->getAttrDictionary() != b->getAttrDictionary() ||
        getElementTypeOrSelf(known.getType()) != getElementTypeOrSelf(value.getType()))
      return false;
    tree.ops.insert(b);
    for (auto [x, y] : llvm::zip_equal(a->getOperands(), b->getOperands()))
      if (!isSame(combine, x, y, isLeaf))
        return false;
    return true;
  }

  //===--- 1. results ---===//

  /// The first element of an even half, and the others if there are any.
  SmallVector<Value> piecesOf(Value even) {
    auto all = even.getDefiningOp<ConcatenateOp>();
    if (!all)
      return {even};
    tree.ops.insert(all);
    SmallVector<Value> pieces(all.getInputs());
    llvm::erase_if(pieces, [&](Value piece) { return sizeOf(piece) == 0; });
    return pieces;
  }

  View firstOf(Value even) {
    SmallVector<Value> pieces = piecesOf(even);
    return pieces.empty() ? View{even, 0, 1, -1} : viewOf(pieces.front());
  }

  /// The part whose result has `odd` as a half, if any does.
  std::optional<unsigned> addResult(Value odd) {
    for (Operation *pad : odd.getUsers())
      for (Operation *sum : pad->getUsers())
        if (std::optional<Halves> halves = isa<PadOp>(pad) && sum->getNumResults() == 1
                                               ? halvesOf(sum->getResult(0))
                                               : std::nullopt;
            halves && halves->odd == odd && halves->dim == tree.dim &&
            sizeOf(sum->getResult(0)) == tree.size) {
          Value input = firstOf(halves->even).base;
          std::optional<unsigned> known = partOf(levels[0].inputs, input);
          unsigned part = known && !levels[0].results.contains(*known) ? *known : newPart();
          levels[0].inputs[part] = input;
          levels[0].results[part] = sum->getResult(0);
          levels[0].odd[part] = odd;
          pending.push_back(part);
          return part;
        }
    return std::nullopt;
  }

  bool matchResults(size_t at) {
    pending.clear();
    for (auto [part, value] : levels[at].results)
      pending.push_back(part);
    llvm::sort(pending);
    for (size_t i = 0; i < pending.size(); ++i) {
      std::optional<Halves> halves = halvesOf(levels[at].results[pending[i]]);
      if (!halves || halves->dim != tree.dim)
        return false;
      levels[at].odd[pending[i]] = halves->odd;
    }
    for (size_t i = 0; i < pending.size(); ++i) // grows
      if (!matchResult(at, pending[i]))
        return false;
    Level next{levels[at].size / 2};
    next.results = levels[at].odd;
    levels.push_back(std::move(next));
    return true;
  }

  bool matchResult(size_t at, unsigned part) {
    Level &level = levels[at];
    Value result = level.results[part];
    if (sizeOf(result) != level.size)
      return false;
    std::optional<Halves> halves = halvesOf(result);
    SmallVector<Value> pieces = piecesOf(halves->even);
    for (Operation *op :
         {result.getDefiningOp(), result.getDefiningOp()->getOperand(0).getDefiningOp(),
          result.getDefiningOp()->getOperand(1).getDefiningOp()})
      tree.ops.insert(op);
    int64_t others = (level.size + 1) / 2 - 1;
    if (pieces.size() != (others ? 2 : 1))
      return false;
    View first = viewOf(pieces[0]);
    if (!isAt(first, 0, 1, 1) || sizeOf(first.base) != level.size ||
        !bind(level.inputs, part, first.base))
      return false;
    if (!others)
      return at > 0;
    ScanCombine &combine = combines[part];
    if (at > 0)
      return isSame(combine, combine.root, pieces[1], [&](ScanLeaf leaf, Value value) {
        View view = viewOf(value);
        if (!leaf.isRight)
          return isAt(view, 0, 1, others) && view.base == levels[at].odd.lookup(leaf.part);
        return isAt(view, 2, 2, others) && sizeOf(view.base) == levels[at].size &&
               bind(levels[at].inputs, leaf.part, view.base);
      });
    ScanCombine found{pieces[1]};
    if (!extract(pieces[1], found, [&](Value value) { return resultLeaf(value, others); }))
      return false;
    combines[part] = std::move(found);
    return true;
  }

  std::optional<ScanLeaf> resultLeaf(Value value, int64_t others) {
    View view = viewOf(value);
    Level &first = levels[0];
    if (isAt(view, 2, 2, others) && sizeOf(view.base) == first.size) {
      std::optional<unsigned> part = partOf(first.inputs, view.base);
      if (!part)
        first.inputs[*(part = newPart())] = view.base;
      return ScanLeaf{true, *part};
    }
    if (!isAt(view, 0, 1, others) || sizeOf(view.base) != first.size / 2)
      return std::nullopt;
    std::optional<unsigned> part = partOf(first.odd, view.base);
    if (!part)
      part = addResult(view.base);
    return part ? std::optional(ScanLeaf{false, *part}) : std::nullopt;
  }

  //===--- 2. inputs ---===//

  bool matchInputs(size_t at) {
    int64_t pairs = levels[at].size / 2;
    for (unsigned part = 0; part < combines.size(); ++part) {
      Value value = levels[at + 1].inputs.lookup(part);
      if (!value)
        continue;
      if (combines[part].root) {
        const ScanCombine &combine = combines[part];
        if (!isSame(combine, combine.root, value, [&](ScanLeaf leaf, Value value) {
              View view = viewOf(value);
              return isAt(view, leaf.isRight ? 1 : 0, 2, pairs) &&
                     sizeOf(view.base) == levels[at].size &&
                     bind(levels[at].inputs, leaf.part, view.base);
            }))
          return false;
        continue;
      }
      if (at > 0)
        return false;
      ScanCombine found{value};
      if (!extract(value, found, [&](Value value) { return inputLeaf(value, pairs); }))
        return false;
      combines[part] = std::move(found);
    }
    return true;
  }

  std::optional<ScanLeaf> inputLeaf(Value value, int64_t pairs) {
    View view = viewOf(value);
    Level &first = levels[0];
    if (view.base == value || view.start > 1 || !isAt(view, view.start, 2, pairs) ||
        sizeOf(view.base) != first.size)
      return std::nullopt;
    std::optional<unsigned> part = partOf(first.inputs, view.base);
    if (!part)
      first.inputs[*(part = newPart())] = view.base;
    return ScanLeaf{view.start == 1, *part};
  }

  std::optional<ScanTree> finish() {
    ArrayRef<int64_t> shape = rankedType(levels[0].results[0]).getShape();
    for (auto [part, combine] : llvm::enumerate(combines)) {
      Value input = levels[0].inputs.lookup(part);
      if (!combine.root || !input || rankedType(input).getShape() != shape)
        return std::nullopt;
      for (const Level &level : levels)
        if (Value same = level.inputs.lookup(part);
            same && getElementTypeOrSelf(same.getType()) != getElementTypeOrSelf(input.getType()))
          return std::nullopt;
      tree.inputs.push_back(input);
      if (Value result = levels[0].results.lookup(part)) {
        // It depends on results on its left only.
        for (auto [value, leaf] : combine.leaves)
          if (!leaf.isRight && !levels[0].results.contains(leaf.part))
            return std::nullopt;
        tree.results.insert({part, result});
      }
    }
    tree.combines.assign(combines.begin(), combines.end());
    return std::move(tree);
  }

  ScanTree tree;
  SmallVector<Level> levels;
  std::vector<ScanCombine> combines;
  SmallVector<unsigned> pending;
};
} // namespace

std::optional<ScanTree> forge::matchScanTree(Operation *root) { return Matcher().match(root); }
