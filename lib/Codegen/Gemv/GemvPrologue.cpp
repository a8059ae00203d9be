#include "GemvPrologue.h"

#include "../RowKernels/RowEmitter.h"
#include "../RowKernels/RowsStrategy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// Bytes of the left factor in shared memory at most: several blocks share a multiprocessor.
static constexpr int64_t kMostFactorBytes = 16 << 10;
/// Operations for each element of the left factor at most, of which a root, a quotient or a
/// function counts as many: each block does them.
static constexpr int64_t kMostOperations = 48, kLongOperation = 8;

/// Operations of the bodies of `members` that run for each element of the factor, which has rows of
/// `length`: not once for each row.
static int64_t operationsOf(ArrayRef<Operation *> members, int64_t length) {
  int64_t operations = 0;
  for (Operation *member : members) {
    auto op = dyn_cast<linalg::GenericOp>(member);
    if (!op || !llvm::is_contained(op.getStaticLoopRanges(), length))
      continue;
    for (Operation &inner : op.getBody()->without_terminator())
      operations += isa<arith::DivFOp>(inner) || isa<math::MathDialect>(inner.getDialect())
                        ? kLongOperation
                        : 1;
  }
  return operations;
}

bool forge::isWorthPrologue(const GemvProduct &product, ArrayRef<Operation *> members,
                            const GPUChip &chip) {
  int64_t bits = cast<ShapedType>(product.left().getType()).getElementTypeBitWidth();
  int64_t bytes = product.rows * product.length * bits / 8;
  if (bytes > kMostFactorBytes || operationsOf(members, product.length) > kMostOperations)
    return false;
  GemvProduct withPrologue = product;
  withPrologue.prologue.assign(members.begin(), members.end());
  GemvPlan plan = planGemv(withPrologue, chip);
  std::optional<int64_t> elements = elementsRead(members);
  return elements &&
         *elements * plan.blocks <= product.columns * product.numMatrices() * product.length;
}

bool forge::hasRowsOfFactor(const GemvProduct &product, ArrayRef<Operation *> members) {
  std::string why;
  FailureOr<RowProgram> program = RowProgram::build(members, why);
  if (failed(program) || program->column.size != product.length)
    return false;
  int64_t rows = 1;
  for (const RowProgram::Extent &extent : program->rows)
    rows *= extent.size;
  return rows == product.rows;
}

/// Adds to the prologue of `product` an operation that copies the left factor, which those who call
/// the kernel need, to `factor`.
static void copyFactor(GemvProduct &product, Value factor) {
  Value kept = product.left();
  OpBuilder b(product.prologue.back());
  b.setInsertionPointAfter(product.prologue.back());
  int64_t rank = cast<MemRefType>(kept.getType()).getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  auto copy = linalg::GenericOp::create(
      b, kept.getLoc(), TypeRange(), kept, factor, ArrayRef{identity, identity},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &inside, Location at, ValueRange elements) {
        linalg::YieldOp::create(inside, at, elements.front());
      });
  product.prologue.push_back(copy);
  product.setLeft(factor);
}

/// The left factor of `product` in shared memory instead of a temporary.
static void shareFactor(GemvProduct &product) {
  Value temporary = product.left();
  auto type = cast<MemRefType>(temporary.getType());
  MLIRContext *context = type.getContext();
  auto space = gpu::AddressSpaceAttr::get(context, gpu::GPUDialect::getWorkgroupAddressSpace());
  OpBuilder b(product.prologue.front());
  Value factor = memref::AllocOp::create(
      b, temporary.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(), space),
      b.getI64IntegerAttr(kAccessBytes));
  if (isa<BlockArgument>(temporary))
    return copyFactor(product, factor);
  for (Operation *user : llvm::make_early_inc_range(temporary.getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  temporary.replaceAllUsesWith(factor);
}

FailureOr<GemvPrologue> GemvPrologue::prepare(GemvProduct &product, const GemvPlan &plan,
                                              const GPUChip &chip, std::string &why) {
  shareFactor(product);
  FailureOr<RowProgram> program = RowProgram::build(product.prologue, why);
  if (failed(program))
    return failure();
  GemvPrologue prologue;
  prologue.program = std::move(*program);
  prologue.plan.vector = product.vector;
  prologue.plan.threads = plan.threads;
  prologue.plan.chunks = llvm::divideCeil(product.length, product.vector * plan.threads);
  prologue.limits = rowLimitsOf(chip);
  prologue.rows = product.rows;
  return std::move(prologue);
}

void GemvPrologue::emit(ImplicitLocOpBuilder &b) const {
  for (int64_t row = 0; row < rows; ++row)
    emitRow(b, program, plan, limits, arith::ConstantIndexOp::create(b, row));
  gpu::BarrierOp::create(b);
}
