#include "forge/Codegen/KernelWork.h"

#include "FactorPadding.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace forge;

/// Multiplications of threads that each compute a sum of products, for each operation that all
/// lanes could do: 2.5e11 a second on the H200, f32 and bf16 (docs/gpu-h200.md, strategy generic).
static constexpr double kThreadMultiplications = 2.5e11 / 53.5e12;

/// What reads this many times as many bytes as it writes, only reads.
static constexpr int64_t kOnlyReads = 16;

static std::optional<int64_t> bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  Type element = tensor.getElementType();
  if (!tensor.hasStaticShape() || !(element.isIntOrFloat() || element.isIndex()))
    return std::nullopt;
  int64_t width = element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
  return saturatingMul(tensor.getNumElements(), width);
}

static std::optional<int64_t> pointsOf(linalg::LinalgOp op) {
  int64_t points = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    points = saturatingMul(points, range);
  }
  return points;
}

/// Of the operations in `block`, those of loops once per iteration.
static std::optional<int64_t> flopsOf(Block &block) {
  int64_t flops = 0;
  for (Operation &inner : block.without_terminator()) {
    std::optional<int64_t> here = 0;
    if (auto loop = dyn_cast<scf::ForOp>(inner)) {
      std::optional<llvm::APInt> trips = loop.getStaticTripCount();
      here = trips ? flopsOf(*loop.getBody()) : std::nullopt;
      if (here)
        here = saturatingMul(*here, static_cast<int64_t>(trips->getLimitedValue(INT64_MAX)));
    } else if (!isa<CastOpInterface>(inner)) {
      here = llvm::count_if(inner.getResultTypes(), llvm::IsaPred<FloatType>);
    }
    if (!here)
      return std::nullopt;
    flops = saturatingAdd(flops, *here);
  }
  return flops;
}

std::optional<int64_t> forge::flopsOf(linalg::LinalgOp op) {
  std::optional<int64_t> points = pointsOf(op), perPoint = ::flopsOf(*op.getBlock());
  return points && perPoint ? std::optional(saturatingMul(*perPoint, *points)) : std::nullopt;
}

static int64_t bytesOfElement(Type element) {
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

/// How often loops around `op` run it; nothing if there are none, or of a number that is not known.
static std::optional<int64_t> timesInLoops(Operation *op) {
  std::optional<int64_t> times;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::optional<llvm::APInt> trips = loop.getStaticTripCount();
    if (!trips)
      return std::nullopt;
    times =
        saturatingMul(times.value_or(1), static_cast<int64_t>(trips->getLimitedValue(INT64_MAX)));
  }
  return times;
}

/// Whether `root` only writes what it carries.
static bool onlyPlaces(scf::ForOp root) {
  return !root->walk([&](tensor::ExtractOp extract) {
                return root.isDefinedOutsideOfLoop(extract.getTensor()) ? WalkResult::advance()
                                                                        : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Bytes of `result`, which a kernel returns, that it writes.
static std::optional<int64_t> bytesWritten(Value result) {
  auto loop = result.getDefiningOp<scf::ForOp>();
  if (!loop || loop->getNumResults() != 1 || !onlyPlaces(loop))
    return bytesOf(result.getType());
  int64_t bytes = 0;
  bool isKnown = true;
  loop->walk([&](tensor::InsertOp insert) {
    std::optional<int64_t> times = timesInLoops(insert);
    isKnown &= times.has_value();
    bytes = saturatingAdd(
        bytes, saturatingMul(times.value_or(0), bytesOfElement(insert.getScalar().getType())));
  });
  return isKnown ? std::optional(bytes) : bytesOf(result.getType());
}

/// Bytes of `argument` that `use` reads; nothing if a size is not known.
static std::optional<int64_t> bytesReadBy(OpOperand &use, int64_t whole) {
  Operation *user = use.getOwner();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
    return use.getOperandNumber() == 0 ? bytesOf(slice.getType()) : whole;
  if (auto op = dyn_cast<linalg::LinalgOp>(user))
    return op.isDpsInit(&use) && !op.payloadUsesValueFromOperand(&use) ? 0 : whole;
  // The rest of it stays where it is; of single elements as many are read as there are iterations.
  if (isa<tensor::InsertSliceOp, tensor::InsertOp, tensor::DimOp, func::ReturnOp>(user) &&
      !(isa<tensor::InsertSliceOp>(user) && use.getOperandNumber() == 0))
    return 0;
  if (auto loop = dyn_cast<scf::ForOp>(user); loop && onlyPlaces(loop))
    return 0;
  if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
    if (std::optional<int64_t> times = timesInLoops(extract))
      return saturatingMul(*times, bytesOfElement(extract.getType()));
    if (auto op = user->getParentOfType<linalg::LinalgOp>()) {
      std::optional<int64_t> points = pointsOf(op);
      return points ? std::optional(saturatingMul(*points, bytesOfElement(extract.getType())))
                    : std::nullopt;
    }
  }
  return whole;
}

static std::optional<int64_t> bytesRead(BlockArgument argument) {
  std::optional<int64_t> whole = bytesOf(argument.getType());
  if (!whole)
    return std::nullopt;
  int64_t read = 0;
  for (OpOperand &use : argument.getUses()) {
    std::optional<int64_t> bytes = bytesReadBy(use, *whole);
    if (!bytes)
      return std::nullopt;
    read = saturatingAdd(read, *bytes);
  }
  return std::min(read, *whole);
}

/// Products of the inputs that the body of `op` adds up: more than one of factors in pieces.
static int64_t productsOf(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return 0;
  Block &body = op->getRegion(0).front();
  if (std::optional<FactorPieces> pieces = addsProductOfPieces(body))
    return static_cast<int64_t>(pieces->products().size());
  bool isProduct =
      op.getNumDpsInputs() == 2 && (addsNarrowProduct(body) || addsIntegerProduct(body));
  return isProduct ? 1 : 0;
}

static bool addProducts(linalg::LinalgOp op, KernelWork &work) {
  int64_t products = productsOf(op);
  if (products == 0)
    return true;
  std::optional<int64_t> points = pointsOf(op);
  if (!points)
    return false;
  int64_t terms = 1;
  for (auto [size, type] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      terms = saturatingMul(terms, size);
  work.multiplications = saturatingAdd(work.multiplications, saturatingMul(*points, products));
  work.terms = std::max(work.terms, terms);
  for (OpOperand *input : op.getDpsInputOperands())
    if (Type type = getElementTypeOrSelf(input->get()); type.isIntOrFloat())
      work.factorBits = std::max(work.factorBits, type.getIntOrFloatBitWidth());
  return true;
}

std::optional<KernelWork> forge::workOf(func::FuncOp kernel) {
  KernelWork work;
  for (BlockArgument argument : kernel.getArguments()) {
    std::optional<int64_t> bytes = bytesRead(argument);
    if (!bytes)
      return std::nullopt;
    work.bytesRead = saturatingAdd(work.bytesRead, *bytes);
  }
  for (Value result : kernel.getBody().front().getTerminator()->getOperands()) {
    std::optional<int64_t> bytes = bytesWritten(result);
    if (!bytes)
      return std::nullopt;
    work.bytesWritten = saturatingAdd(work.bytesWritten, *bytes);
  }
  bool isKnown = true;
  kernel.walk([&](linalg::LinalgOp op) {
    // Zeros around a factor are not computed.
    if (padsFactor(op))
      return;
    std::optional<int64_t> flops = flopsOf(op);
    isKnown &= flops && addProducts(op, work);
    work.flops = saturatingAdd(work.flops, flops.value_or(0));
  });
  return isKnown ? std::optional(work) : std::nullopt;
}

double forge::memorySeconds(const KernelWork &work, const GPUChip &chip) {
  bool onlyReads = work.bytesRead / kOnlyReads > work.bytesWritten;
  return static_cast<double>(saturatingAdd(work.bytesRead, work.bytesWritten)) /
         (onlyReads ? chip.readBandwidth : chip.copyBandwidth);
}

/// Products of factors of 8 bits in the time of one of 16 by wgmma (H200: 690 and 380 * 10^12 a
/// second).
static constexpr double kByteProducts = 1.8;

double forge::arithmeticSeconds(const KernelWork &work, const GPUChip &chip) {
  auto products = 2 * static_cast<double>(work.multiplications);
  bool onMatrixUnits = work.factorBits > 0 && work.factorBits <= 16;
  double rate = onMatrixUnits ? chip.matrixFlops : chip.vectorFlops;
  if (onMatrixUnits && work.factorBits <= 8 && chip.warpgroupProducts)
    rate *= kByteProducts;
  double rest = std::max(static_cast<double>(work.flops) - products, 0.0) / chip.vectorFlops;
  return products / rate + rest;
}

double forge::floorSeconds(const KernelWork &work, const GPUChip &chip) {
  return std::max(memorySeconds(work, chip), arithmeticSeconds(work, chip));
}

std::optional<double> forge::predictFloor(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<KernelWork> work = workOf(kernel);
  return work ? std::optional(floorSeconds(*work, chip)) : std::nullopt;
}

/// Bytes that memory moves for an element alone.
static constexpr int64_t kSectorBytes = 32;

/// Whether neighbouring threads, along the innermost loop, read elements of `operand` that are not
/// side by side, as in a transpose.
static bool isReadAcross(linalg::LinalgOp op, OpOperand &operand) {
  auto loops = op.getStaticLoopRanges();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Value source = operand.get();
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = slice.getSource();
  if (!map.isProjectedPermutation() || !isa<BlockArgument>(source))
    return false;
  auto isLong = [&](unsigned loop) { return loops[loop] > 1; };
  auto inner = llvm::find_if(llvm::reverse(llvm::seq<unsigned>(0, loops.size())), isLong);
  if (inner == llvm::reverse(llvm::seq<unsigned>(0, loops.size())).end())
    return false;
  SmallVector<unsigned> dims;
  for (AffineExpr dim : map.getResults())
    if (unsigned loop = cast<AffineDimExpr>(dim).getPosition(); isLong(loop))
      dims.push_back(loop);
  return llvm::is_contained(dims, *inner) && dims.back() != *inner;
}

/// Whether `value`, of the body of `op`, is computed from the index of `loop`.
static bool isOfLoop(Value value, linalg::LinalgOp op, unsigned loop) {
  SmallVector<Value> open = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *maker = next.getDefiningOp();
    if (!seen.insert(next).second || !maker || maker->getBlock() != op.getBlock())
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(maker); index && index.getDim() == loop)
      return true;
    llvm::append_range(open, maker->getOperands());
  }
  return false;
}

/// The tensor of which `inner`, an operation of the body of `op`, reads an element across memory,
/// likewise; null if it does not. Neighbours that read one element do not.
static Value sourceReadAcross(linalg::LinalgOp op, Operation &inner) {
  auto extract = dyn_cast<tensor::ExtractOp>(inner);
  if (!extract || extract.getIndices().empty() || !isa<BlockArgument>(extract.getTensor()))
    return {};
  auto last = extract.getIndices().back().getDefiningOp<linalg::IndexOp>();
  auto loops = op.getStaticLoopRanges();
  std::optional<unsigned> innermost;
  for (auto [loop, size] : llvm::enumerate(loops))
    if (size > 1)
      innermost = loop;
  bool isAcross =
      last && innermost && loops[last.getDim()] > 1 && last.getDim() < *innermost &&
      llvm::any_of(
          extract.getIndices(), [&](Value index) { return isOfLoop(index, op, *innermost); });
  return isAcross ? extract.getTensor() : Value();
}

/// What memory moves for such elements besides the elements themselves, of operations that do not
/// read them in tiles. Of sums it is left to what threads take for multiplications.
static int64_t bytesBesides(func::FuncOp kernel,
                            llvm::function_ref<bool(linalg::LinalgOp)> isTiled) {
  int64_t bytes = 0;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() > 0 || isTiled(op))
      return;
    SmallVector<Value> across;
    for (OpOperand *input : op.getDpsInputOperands())
      if (isReadAcross(op, *input))
        across.push_back(input->get());
    for (Operation &inner : *op.getBlock())
      if (Value source = sourceReadAcross(op, inner))
        across.push_back(source);
    for (Value source : across) {
      int64_t own = bytesOf(source.getType()).value_or(0);
      int64_t element = bytesOfElement(getElementTypeOrSelf(source));
      bytes = saturatingAdd(bytes, own / element * std::max<int64_t>(kSectorBytes - element, 0));
    }
  });
  return bytes;
}

std::optional<double> forge::predictByThreads(func::FuncOp kernel, const GPUChip &chip,
                                              llvm::function_ref<bool(linalg::LinalgOp)> isTiled,
                                              std::optional<double> costOfProduct) {
  std::optional<KernelWork> work = workOf(kernel);
  if (!work)
    return std::nullopt;
  double besides = static_cast<double>(bytesBesides(kernel, isTiled)) / chip.copyBandwidth;
  double rate = costOfProduct ? 1 / (2 * *costOfProduct) : kThreadMultiplications;
  return std::max(std::max(memorySeconds(*work, chip) + besides, arithmeticSeconds(*work, chip)),
                  static_cast<double>(work->multiplications) / (rate * chip.vectorFlops));
}

/// Whether no product of `kernel` reads an element of a factor more than once, as sums of
/// products of two rows do: then threads wait for memory, not for the caches.
static bool readsFactorsOnce(func::FuncOp kernel) {
  return !kernel
              .walk([&](linalg::LinalgOp op) {
                bool isOnce = op.getNumReductionLoops() == 0 ||
                              llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
                                return op.getMatchingIndexingMap(input).isPermutation();
                              });
                return isOnce ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

std::optional<double> forge::predictByThreads(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<double> cost = readsFactorsOnce(kernel) ? std::optional(0.0) : std::nullopt;
  return predictByThreads(kernel, chip, [](linalg::LinalgOp) { return false; }, cost);
}
