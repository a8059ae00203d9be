#include "GemvEmitter.h"
#include "GemvResult.h"

#include "../RowKernels/Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge {
namespace {

// 1. A prologue is computed by every block, into shared memory.
// 2. x is seen as [rows, length], w as [length, columns]. A thread has one access side by side of
//    each of its rows of w, and a sum for each of its elements and each row of x.
// 3. A step: the accesses to a run of rows of w first, so that they are under way together, then
//    one access to each row of x, whose elements are the factors of those rows; then the products,
//    each one operation that rounds once.
// 4. What is left behind the last whole step is done by those groups that have a run.
// 5. The groups of a warp add up their sums by halves, as the threads do where k is inside; the
//    warps' sums are added in shared memory, in their order.
// 6. A thread for each element of the result: what follows the product, and the stores.
class GemvInsideEmitter {
public:
  GemvInsideEmitter(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                    int64_t warpSize, const GemvPrologue *prologue)
      : b(b), product(product), plan(plan), warpSize(warpSize), prologue(prologue),
        across(plan.columns / product.vector), groups(plan.threads / across),
        element(cast<ShapedType>(product.left().getType()).getElementType()),
        sumType(getElementTypeOrSelf(linalg::LinalgOp(product.op).getDpsInits()[0])) {}

  void emit() {
    thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
    firstColumn = arith::MulIOp::create(b, block, index(plan.columns));
    numberAcross = arith::RemUIOp::create(b, thread, index(across));
    column = arith::AddIOp::create(b, firstColumn,
                                   arith::MulIOp::create(b, numberAcross, index(product.vector)));
    Value group = arith::DivUIOp::create(b, thread, index(across));
    if (prologue)
      prologue->emit(b);
    left = asMatrix(b, product.left(), product.rows, product.length);
    right = asMatrix(b, product.matrices.front().value(), product.length, product.columns);
    storeResults(joinGroups(sumUp(group)));
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, int64_t y) {
    return y == 0 ? x : arith::AddIOp::create(b, x, index(y)).getResult();
  }

  //===--- sums ---===//

  SmallVector<Value> lanesOf(Value matrix, Value row, Value at) {
    auto type = VectorType::get({product.vector}, element);
    int64_t bytes = product.vector * element.getIntOrFloatBitWidth() / 8;
    Value loaded = vector::LoadOp::create(b, type, matrix, ValueRange{row, at},
                                          /*nontemporal=*/false, llvm::MaybeAlign(bytes));
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < product.vector; ++lane) {
      Value value = vector::ExtractOp::create(b, loaded, lane);
      lanes.push_back(element == sumType ? value
                                         : arith::ExtFOp::create(b, sumType, value).getResult());
    }
    return lanes;
  }

  /// Adds the products of the rows of w from `first` on, `plan.depth` of them.
  void addRows(Value first, SmallVectorImpl<Value> &sums) {
    SmallVector<SmallVector<Value>> matrix;
    for (int64_t row = 0; row < plan.depth; ++row)
      matrix.push_back(lanesOf(right, add(first, row), column));
    for (int64_t run = 0; run < plan.depth; run += product.vector)
      for (int64_t row = 0; row < product.rows; ++row) {
        SmallVector<Value> x = lanesOf(left, index(row), add(first, run));
        for (int64_t term = 0; term < product.vector; ++term)
          for (int64_t lane = 0; lane < product.vector; ++lane) {
            Value &sum = sums[row * product.vector + lane];
            sum = math::FmaOp::create(b, x[term], matrix[run + term][lane], sum);
          }
      }
  }

  SmallVector<Value> sumUp(Value group) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
    SmallVector<Value> sums(product.rows * product.vector, zero);
    int64_t portions = product.length / plan.depth;
    int64_t steps = portions / groups, rest = portions % groups;
    Value first = arith::MulIOp::create(b, group, index(plan.depth));
    int64_t perStep = groups * plan.depth;
    if (steps == 1) {
      addRows(first, sums);
    } else if (steps > 1) {
      auto loop = scf::ForOp::create(b, index(0), index(steps * perStep), index(perStep), sums);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> inside(loop.getRegionIterArgs());
      addRows(arith::AddIOp::create(b, loop.getInductionVar(), first), inside);
      scf::YieldOp::create(b, inside);
      sums = SmallVector<Value>(loop.getResults());
    }
    if (rest > 0)
      addRest(group, rest, add(first, steps * perStep), sums);
    return sums;
  }

  void addRest(Value group, int64_t rest, Value first, SmallVectorImpl<Value> &sums) {
    Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, group, index(rest));
    SmallVector<Type> types(sums.size(), sumType);
    auto branch = scf::IfOp::create(b, types, has, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, sums);
    b.setInsertionPointToStart(branch.thenBlock());
    addRows(first, sums);
    scf::YieldOp::create(b, sums);
    sums.assign(branch.getResults().begin(), branch.getResults().end());
  }

  //===--- exchange ---===//

  /// The warps' sums, [warp, row of x, column of the block].
  Value joinGroups(SmallVector<Value> sums) {
    Value lane = arith::RemUIOp::create(b, thread, index(warpSize));
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
    sums.resize(llvm::PowerOf2Ceil(sums.size()), zero);
    int64_t padded = sums.size(), mask = warpSize / 2;
    // Lanes that differ below this bit, but for their places across, hold the same sums.
    int64_t sharers = warpSize;
    for (; mask >= across && sums.size() > 1; mask /= 2) {
      giveHalf(b, sums, lane, mask, warpSize);
      sharers = mask;
    }
    for (; mask >= across; mask /= 2)
      sums[0] = arith::AddFOp::create(b, sums[0], shuffleXor(b, sums[0], mask, warpSize));
    auto space =
        gpu::AddressSpaceAttr::get(b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    auto type = MemRefType::get({plan.threads / warpSize, padded / product.vector, plan.columns},
                                sumType, MemRefLayoutAttrInterface(), space);
    Value buffer = memref::AllocOp::create(b, type);
    Value warp = arith::DivUIOp::create(b, thread, index(warpSize));
    Value first =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                              arith::RemUIOp::create(b, lane, index(sharers)), index(across));
    auto branch = scf::IfOp::create(b, first, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      Value base = arith::MulIOp::create(b, arith::DivUIOp::create(b, lane, index(sharers)),
                                         index(static_cast<int64_t>(sums.size())));
      Value before = arith::MulIOp::create(b, numberAcross, index(product.vector));
      for (auto [number, sum] : llvm::enumerate(sums)) {
        Value place = add(base, static_cast<int64_t>(number));
        Value row = arith::DivUIOp::create(b, place, index(product.vector));
        Value at = arith::AddIOp::create(b, before,
                                         arith::RemUIOp::create(b, place, index(product.vector)));
        memref::StoreOp::create(b, sum, buffer, ValueRange{warp, row, at});
      }
    }
    gpu::BarrierOp::create(b);
    return buffer;
  }

  //===--- results ---===//

  void storeResults(Value buffer) {
    int64_t elements = product.rows * plan.columns;
    for (int64_t first = 0; first < elements; first += plan.threads) {
      OpBuilder::InsertionGuard guard(b);
      Value number = add(thread, first);
      if (first + plan.threads > elements) {
        Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, index(elements));
        auto branch = scf::IfOp::create(b, has, /*withElseRegion=*/false);
        b.setInsertionPointToStart(branch.thenBlock());
      }
      Value row = arith::DivUIOp::create(b, number, index(plan.columns));
      Value at = arith::RemUIOp::create(b, number, index(plan.columns));
      Value sum = memref::LoadOp::create(b, buffer, ValueRange{index(0), row, at});
      for (int64_t warp = 1; warp < plan.threads / warpSize; ++warp)
        sum = arith::AddFOp::create(
            b, sum, memref::LoadOp::create(b, buffer, ValueRange{index(warp), row, at}));
      storeGemvResult(b, product, row, arith::AddIOp::create(b, firstColumn, at), sum);
    }
  }

  ImplicitLocOpBuilder &b;
  const GemvProduct &product;
  const GemvPlan &plan;
  int64_t warpSize;
  const GemvPrologue *prologue;
  /// Accesses side by side in a row of w, and how often the block has as many threads.
  int64_t across, groups;
  Type element, sumType;
  Value thread, firstColumn, numberAcross, column, left, right;
};

} // namespace

void emitGemvInside(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                    int64_t warpSize, const GemvPrologue *prologue) {
  GemvInsideEmitter(b, product, plan, warpSize, prologue).emit();
}

} // namespace forge
