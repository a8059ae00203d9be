#include "GemvEmitter.h"

#include "GemvBlock.h"
#include "MatrixPrologue.h"

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

// 1. The factors are seen as matrices, [rows, length] and [columns, length]; a block has `columns`
//    of the latter's rows, a thread every `threads`-th access of each of them.
// 2. A step: all its accesses to the matrix are under way together, those of the first one before
//    anything else, of a next one when the products before it are made: each is one operation that
//    rounds once. x is read by all blocks and stays in the caches.
// 3. What is left behind the last whole step: single accesses, the last one only by those threads
//    that have one.
// 4. The threads of a warp add up their sums by halves: a lane gives away half of its sums and gets
//    its part of the other half, until it has one; then by butterfly. So a sum is exchanged once or
//    twice instead of five times. The warps' sums are added in shared memory, in their order.
// 5. A prologue is computed by every block, into shared memory, while the first step's accesses to
//    the matrix are under way.
// 6. A matrix that is computed is read where it is used, but for a single step.
// 7. A thread for each element of the result: what follows the product, and the stores; or the step
//    of a placement that is the element's, which may read others of the block.
class GemvEmitter {
public:
  GemvEmitter(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
              int64_t warpSize, const GemvPrologue *prologue)
      : b(b), product(product), plan(plan), warpSize(warpSize), prologue(prologue),
        thread(gpu::ThreadIdOp::create(b, gpu::Dimension::x)),
        sumType(getElementTypeOrSelf(linalg::LinalgOp(product.op).getDpsInits()[0])) {}

  void emit() {
    firstElement = arith::MulIOp::create(b, thread, index(product.vector));
    for (const GemvMatrix &matrix : product.matrices)
      matrices.push_back(
          matrix.prologue ? Value() : asMatrix(b, matrix.value(), product.columns, product.length));
    Value first = gpu::BlockIdOp::create(b, gpu::Dimension::x);
    if (product.isComputed()) {
      enter(first);
      if (prologue && steps() == 1)
        computed = loadStep(placesOf(firstElement));
    }
    GemvAhead ahead = loadFirst(first);
    if (prologue)
      prologue->emit(b);
    left = asMatrix(b, product.left(), product.rows, product.length);
    buffer = GemvBlock(b, product, plan, warpSize, first)
                 .allocSums(llvm::PowerOf2Ceil(numSums()), sumType);
    emitGroups(
        b, product, plan, first, ahead, [&](Value group) { return loadFirst(group); },
        [&](Value group, ValueRange loaded) {
          enter(group);
          return sumUp(loaded);
        },
        [&](Value group, ValueRange sums) {
          joinThreads(SmallVector<Value>(sums));
          GemvBlock(b, product, plan, warpSize, group).storeResults(buffer);
        });
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, int64_t y) {
    return y == 0 ? x : arith::AddIOp::create(b, x, index(y)).getResult();
  }

  /// Elements of one access of all threads.
  int64_t stride() const { return plan.threads * product.vector; }
  /// Accesses to a row of the matrix of one step of all threads, and whole steps.
  int64_t perStep() const { return plan.threads * plan.depth; }
  int64_t steps() const { return product.accesses() / perStep(); }
  int64_t sumsOfRow() const { return plan.columns * product.numMatrices(); }
  int64_t numSums() const { return product.rows * sumsOfRow(); }

  //===--- sums ---===//

  Value access(Value matrix, Value row, Value at) {
    Type element = getElementTypeOrSelf(matrix);
    auto type = VectorType::get({product.vector}, element);
    // Of x several accesses where w is narrower.
    int64_t bytes =
        std::min<int64_t>(product.vector * element.getIntOrFloatBitWidth() / 8, kAccessBytes);
    return vector::LoadOp::create(b, type, matrix, ValueRange{row, at}, /*nontemporal=*/false,
                                  llvm::MaybeAlign(bytes));
  }

  SmallVector<Value> lanesOf(Value loaded) {
    // Instructions that convert 8-bit floats take two.
    auto type = cast<VectorType>(loaded.getType());
    if (isa<FloatType>(type.getElementType()) && type.getElementTypeBitWidth() == 8)
      loaded = arith::ExtFOp::create(b, type.clone(sumType), loaded);
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < product.vector; ++lane) {
      Value value = vector::ExtractOp::create(b, loaded, lane);
      if (value.getType().isInteger(8))
        value = arith::SIToFPOp::create(b, sumType, value);
      else if (value.getType() != sumType)
        value = arith::ExtFOp::create(b, sumType, value);
      lanes.push_back(value);
    }
    return lanes;
  }

  /// What one access to the matrix gives: its elements, or what they are computed of.
  struct Piece {
    Value vector;
    std::optional<MatrixLanes> lanes;
  };
  /// For each place one access to each column.
  using Loaded = SmallVector<SmallVector<Piece>>;

  /// A row of one of the matrices, [columns, length]; `rows` is null where that is computed.
  struct Column {
    const GemvMatrix &matrix;
    Value rows, number;
  };

  Piece accessMatrix(const Column &column, Value place) {
    if (column.rows)
      return {access(column.rows, column.number, place), std::nullopt};
    return {Value(), MatrixLanes(b, column.matrix.prologue, column.number, place, product.vector)};
  }

  Value widened(Value number) {
    return number && number.getType() != sumType
               ? arith::ExtFOp::create(b, sumType, number).getResult()
               : number;
  }

  MatrixLanes::Numbers numbersOf(Piece &piece) {
    if (!piece.lanes)
      return {lanesOf(piece.vector), Value()};
    MatrixLanes::Numbers numbers = piece.lanes->compute(b);
    for (Value &lane : numbers.lanes)
      lane = widened(lane);
    numbers.factor = widened(numbers.factor);
    return numbers;
  }

  /// The columns of `group` are those that follows.
  void enter(Value group) {
    GemvBlock block(b, product, plan, warpSize, group);
    columns.clear();
    for (auto [matrix, rows] : llvm::zip_equal(product.matrices, matrices))
      for (int64_t column = 0; column < plan.columns; ++column)
        columns.push_back({matrix, rows, block.columnOf(column)});
  }

  /// The accesses of the first step of `group`; none of a matrix that is computed.
  GemvAhead loadFirst(Value group) {
    if (product.isComputed() || steps() == 0)
      return {};
    enter(group);
    return vectorsOf(loadStep(placesOf(firstElement)));
  }

  static GemvAhead vectorsOf(const Loaded &loaded) {
    GemvAhead vectors;
    for (ArrayRef<Piece> pieces : loaded)
      for (const Piece &piece : pieces)
        vectors.push_back(piece.vector);
    return vectors;
  }
  Loaded loadedOf(ValueRange vectors) const {
    Loaded loaded(plan.depth);
    for (auto [number, vector] : llvm::enumerate(vectors))
      loaded[number / columns.size()].push_back({vector, std::nullopt});
    return loaded;
  }

  Loaded loadStep(ArrayRef<Value> places) {
    Loaded loaded;
    for (Value place : places)
      loaded.push_back(llvm::map_to_vector(
          columns, [&](const Column &column) { return accessMatrix(column, place); }));
    return loaded;
  }

  /// Adds the products of the accesses at the elements `places` of each row.
  void addStep(ArrayRef<Value> places, SmallVectorImpl<Value> &sums) {
    addLoaded(places, loadStep(places), sums);
  }

  void addLoaded(ArrayRef<Value> places, Loaded loaded, SmallVectorImpl<Value> &sums) {
    for (auto [place, ofColumns] : llvm::zip_equal(places, loaded)) {
      SmallVector<MatrixLanes::Numbers> matrix =
          llvm::map_to_vector(ofColumns, [&](Piece &piece) { return numbersOf(piece); });
      for (int64_t row = 0; row < product.rows; ++row) {
        SmallVector<Value> x = lanesOf(access(left, index(row), place));
        for (int64_t column = 0; column < sumsOfRow(); ++column) {
          Value &sum = sums[row * sumsOfRow() + column];
          sum = addProducts(x, matrix[column], sum);
        }
      }
    }
  }

  /// `sum` and the products of `x` and `numbers`; those that share a factor are added up before it.
  Value addProducts(ArrayRef<Value> x, const MatrixLanes::Numbers &numbers, Value sum) {
    Value part = numbers.factor ? Value() : sum;
    for (auto [left, right] : llvm::zip_equal(x, numbers.lanes))
      part = part ? math::FmaOp::create(b, left, right, part).getResult()
                  : arith::MulFOp::create(b, left, right).getResult();
    return numbers.factor ? math::FmaOp::create(b, numbers.factor, part, sum).getResult() : part;
  }

  /// The sums of the columns, of whose first step `ahead` is, if it has been read.
  GemvAhead sumUp(ValueRange ahead) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
    SmallVector<Value> sums(numSums(), zero);
    if (!ahead.empty())
      addSteps(ahead, sums);
    else if (!computed.empty())
      addLoaded(placesOf(firstElement), computed, sums);
    else if (steps() == 1)
      addStep(placesOf(firstElement), sums);
    else if (steps() > 1)
      addStepsWhereUsed(sums);
    addRest(steps() * perStep(), product.accesses() % perStep(), sums);
    return sums;
  }

  /// All whole steps; the accesses of the next one follow the products of one.
  void addSteps(ValueRange ahead, SmallVectorImpl<Value> &sums) {
    int64_t elements = perStep() * product.vector, last = (steps() - 1) * elements;
    SmallVector<Value> loaded(ahead);
    if (last > 0) {
      SmallVector<Value> carried(sums.begin(), sums.end());
      llvm::append_range(carried, ahead);
      auto loop = scf::ForOp::create(b, index(0), index(last), index(elements), carried);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueRange arguments = loop.getRegionIterArgs();
      SmallVector<Value> inside(arguments.take_front(sums.size()));
      Value first = arith::AddIOp::create(b, loop.getInductionVar(), firstElement);
      addLoaded(placesOf(first), loadedOf(arguments.drop_front(sums.size())), inside);
      llvm::append_range(inside, vectorsOf(loadStep(placesOf(add(first, elements)))));
      scf::YieldOp::create(b, inside);
      ValueRange results = loop.getResults();
      sums.assign(results.begin(), results.begin() + sums.size());
      loaded.assign(results.begin() + sums.size(), results.end());
    }
    addLoaded(placesOf(add(firstElement, last)), loadedOf(loaded), sums);
  }

  void addStepsWhereUsed(SmallVectorImpl<Value> &sums) {
    auto loop = scf::ForOp::create(b, index(0), index(steps() * perStep() * product.vector),
                                   index(perStep() * product.vector), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> inside(loop.getRegionIterArgs());
    addStep(placesOf(arith::AddIOp::create(b, loop.getInductionVar(), firstElement)), inside);
    scf::YieldOp::create(b, inside);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }

  /// The elements of a whole step of this thread.
  SmallVector<Value> placesOf(Value first) {
    SmallVector<Value> places;
    for (int64_t number = 0; number < plan.depth; ++number)
      places.push_back(add(first, number * stride()));
    return places;
  }

  /// The accesses [done, done + left) of a row.
  void addRest(int64_t done, int64_t left, SmallVectorImpl<Value> &sums) {
    SmallVector<Value> places;
    for (; left >= plan.threads; left -= plan.threads, done += plan.threads)
      places.push_back(add(firstElement, done * product.vector));
    if (!places.empty())
      addStep(places, sums);
    if (left == 0)
      return;
    Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, index(left));
    SmallVector<Type> types(sums.size(), sumType);
    auto branch = scf::IfOp::create(b, types, has, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, sums);
    b.setInsertionPointToStart(branch.thenBlock());
    addStep({add(firstElement, done * product.vector)}, sums);
    scf::YieldOp::create(b, sums);
    sums = SmallVector<Value>(branch.getResults());
  }

  //===--- exchange ---===//

  /// Puts the sums of each warp to shared memory.
  void joinThreads(SmallVector<Value> sums) {
    Value lane = arith::RemUIOp::create(b, thread, index(warpSize));
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
    sums.resize(llvm::PowerOf2Ceil(sums.size()), zero);
    int64_t padded = sums.size();
    int64_t mask = warpSize / 2;
    for (; sums.size() > 1; mask /= 2)
      giveHalf(b, sums, lane, mask, warpSize);
    int64_t sharers = warpSize / padded;
    for (; mask >= 1; mask /= 2)
      sums[0] = arith::AddFOp::create(b, sums[0], shuffleXor(b, sums[0], mask, warpSize));
    // Lanes [i * sharers, (i + 1) * sharers) hold sum i.
    Value warp = arith::DivUIOp::create(b, thread, index(warpSize));
    Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        arith::RemUIOp::create(b, lane, index(sharers)), index(0));
    auto branch = scf::IfOp::create(b, first, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      Value number = arith::DivUIOp::create(b, lane, index(sharers));
      memref::StoreOp::create(b, sums[0], buffer, ValueRange{warp, number});
    }
    gpu::BarrierOp::create(b);
  }

  ImplicitLocOpBuilder &b;
  const GemvProduct &product;
  const GemvPlan &plan;
  int64_t warpSize;
  const GemvPrologue *prologue;
  Value thread;
  Type sumType;
  Value firstElement, left;
  /// The sums of all warps, in shared memory.
  Value buffer;
  /// Matrices as [columns, length], null where they are computed, and the columns of a group.
  SmallVector<Value> matrices;
  SmallVector<Column> columns;
  /// What the only step of a computed matrix is computed of, under way while the prologue is
  /// computed.
  Loaded computed;
};

} // namespace

void emitGemv(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
              int64_t warpSize, const GemvPrologue *prologue) {
  if (product.byMatrixUnits)
    emitGemvByMatrixUnits(b, product, plan, warpSize, prologue);
  else if (product.columnsInside)
    emitGemvInside(b, product, plan, warpSize, prologue);
  else
    GemvEmitter(b, product, plan, warpSize, prologue).emit();
}

} // namespace forge
