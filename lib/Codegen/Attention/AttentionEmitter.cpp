#include "AttentionEmitter.h"

#include "AttentionGraph.h"

#include "../RowKernels/Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge {
namespace {

// 1. Queries are read once and stay in registers: of all rows, the part along the depth that the
//    thread multiplies.
// 2. For each chunk of the block's keys, a test whether any row sees any of them, where the logits
//    say so by themselves. If so, all accesses to keys and values first, so that they are under way
//    together.
// 3. The threads of a key add up its products by halves, until each has one row's score; what
//    follows the score is computed there, and the logit goes to shared memory.
// 4. A warp for each row finds the largest logit so far, the weights, and their sum.
// 5. Each thread adds the values of its columns and keys, weighted, to sums that were scaled to the
//    new maximum.
// 6. Threads and blocks join what they have (emitAttentionResults).
class AttentionEmitter {
public:
  AttentionEmitter(AttentionBuilder &b, const AttentionProgram &program, const AttentionPlan &plan,
                   const GPUChip &chip)
      : b(b), program(program), plan(plan), chip(chip), values(b, program), lanes(program),
        rows(program.numRows()), paddedRows(llvm::PowerOf2Ceil(rows)),
        warps(plan.threads / chip.warpSize), rowsOfWarp(llvm::divideCeil(rows, warps)) {}

  void emit() {
    locate();
    loadQueries();
    logits = b.shared({plan.keys, paddedRows});
    factors = b.shared({paddedRows});
    seenByWarp = b.shared({warps});
    numKeys = sizeOf(b, program, program.keyAxis());
    SmallVector<Value> start(rowsOfWarp, b.f32(-std::numeric_limits<double>::infinity()));
    start.append(rowsOfWarp + rows * lanes.valueVector, b.f32(0));
    Value first = b.mul(at.piece, plan.keys);
    auto loop = scf::ForOp::create(b, first, numKeys, b.index(plan.keys * plan.pieces), start);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      chunk = loop.getInductionVar();
      SmallVector<Value> next = emitChunk(loop.getRegionIterArgs());
      gpu::BarrierOp::create(b);
      scf::YieldOp::create(b, next);
    }
    AttentionPartials partials;
    SmallVector<Value> all(loop.getResults());
    partials.largest.assign(all.begin(), all.begin() + rowsOfWarp);
    partials.sums.assign(all.begin() + rowsOfWarp, all.begin() + 2 * rowsOfWarp);
    partials.weighted.assign(all.begin() + 2 * rowsOfWarp, all.end());
    emitAttentionResults(b, program, plan, chip, at, partials);
  }

private:
  /// The thread's place in the block, and the block's along the outer axes.
  void locate() {
    at.thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    at.warp = b.div(at.thread, chip.warpSize);
    at.lane = b.rem(at.thread, chip.warpSize);
    Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
    at.piece = b.rem(block, plan.pieces);
    Value place = b.div(block, plan.pieces);
    SmallVector<unsigned> axes;
    for (auto [axis, row] : llvm::enumerate(program.isRow))
      if (!row)
        axes.push_back(axis);
    at.outer.resize(axes.size());
    for (size_t i = axes.size(); i-- > 0;) {
      Value size = sizeOf(b, program, axes[i]);
      at.outer[i] = i ? arith::RemUIOp::create(b, place, size).getResult() : place;
      place = i ? arith::DivUIOp::create(b, place, size).getResult() : place;
    }
    depth = b.mul(b.rem(at.thread, lanes.keyThreads), lanes.keyVector);
    keyOfThread = b.div(at.thread, lanes.keyThreads);
    column = b.mul(b.rem(at.thread, lanes.valueThreads), lanes.valueVector);
    valueOfThread = b.div(at.thread, lanes.valueThreads);
  }

  /// `count` elements of the memory of `read`, at `place`, from the place along its last dimension.
  Value access(const AttentionRead &read, int64_t count, AttentionPlace place) {
    Value memory = program.memoryOf(read);
    Type element = getElementTypeOrSelf(memory);
    int64_t bytes = std::min<int64_t>(count * element.getIntOrFloatBitWidth() / 8, 16);
    return vector::LoadOp::create(b, VectorType::get(count, element), memory,
                                  values.indicesOf(read, place),
                                  /*nontemporal=*/false, llvm::MaybeAlign(bytes));
  }

  /// The elements of a factor of `contraction`, in f32, of which `loaded` holds the memory.
  SmallVector<Value> elementsOf(int contraction, unsigned operand, const AttentionRead &read,
                                Value loaded, AttentionPlace place, unsigned axis) {
    SmallVector<Value> elements;
    Value first = place.axes[axis];
    for (int64_t i = 0; i < cast<VectorType>(loaded.getType()).getNumElements(); ++i) {
      AttentionPlace here = place;
      here.axes[axis] = b.add(first, b.index(i));
      values.setElement(read, vector::ExtractOp::create(b, loaded, i), here);
      elements.push_back(values.factorOf(contraction, operand, here));
    }
    return elements;
  }

  /// The operand of a contraction that `read` is a factor of.
  unsigned operandOf(int contraction, const AttentionRead &read) const {
    if (read.stage == contraction)
      return read.operand;
    return program.stages[contraction].operands[0].stage == read.stage ? 0 : 1;
  }

  void loadQueries() {
    for (int64_t row = 0; row < rows; ++row) {
      AttentionPlace place = placeOf(b, program, at, b.index(row));
      place.axes[program.depthAxis()] = depth;
      Value loaded = access(program.query, lanes.keyVector, place);
      queries.push_back(elementsOf(program.scores, operandOf(program.scores, program.query),
                                   program.query, loaded, place, program.depthAxis()));
    }
  }

  /// The key after `local` of the chunk; the last one instead of one that is not there.
  Value existing(Value local) {
    Value last = arith::SubIOp::create(b, numKeys, b.index(1));
    return arith::MinUIOp::create(b, b.add(chunk, local), last);
  }

  bool mayOverrun() const {
    int64_t size = program.extents[program.keyAxis()].size;
    return ShapedType::isDynamic(size) || size % plan.keys != 0;
  }

  //===--- a chunk ---===//

  SmallVector<Value> emitChunk(ValueRange carried) {
    std::optional<Value> seen = emitSeen();
    if (!seen)
      return addChunk(carried);
    auto branch = scf::IfOp::create(b, carried.getTypes(), *seen, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, carried);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> next = addChunk(carried);
    scf::YieldOp::create(b, next);
    return SmallVector<Value>(branch.getResults());
  }

  /// The condition of the logits, of stage and value, under which they are not -inf, if it does not
  /// need the score.
  std::optional<AttentionGraph::Place> findCondition() {
    AttentionGraph graph(program);
    AttentionGraph::Place place = graph.resolve({program.exponentials, program.logit});
    auto select = place.value.getDefiningOp<arith::SelectOp>();
    if (!select || !matchPattern(select.getFalseValue(), m_NegInfFloat()))
      return std::nullopt;
    place.value = select.getCondition();
    if (graph.dependsOn(place, {program.scores}))
      return std::nullopt;
    return place;
  }

  /// Whether any row sees any key of the chunk; nothing if that takes the scores.
  std::optional<Value> emitSeen() {
    std::optional<AttentionGraph::Place> condition = findCondition();
    if (!condition)
      return std::nullopt;
    int64_t pairs = rows * plan.keys;
    Value any;
    for (int64_t from = 0; from < pairs; from += plan.threads) {
      Value pair = b.add(at.thread, b.index(from));
      if (from + plan.threads > pairs)
        pair = arith::MinUIOp::create(b, pair, b.index(pairs - 1));
      AttentionPlace place = placeOf(b, program, at, b.rem(pair, rows));
      place.axes[program.keyAxis()] = existing(b.div(pair, rows));
      Value sees = values.valueOf(condition->stage, condition->value, place);
      any = any ? arith::OrIOp::create(b, any, sees).getResult() : sees;
    }
    Value number = arith::SelectOp::create(b, any, b.f32(1), b.f32(0));
    for (int64_t mask = 1; mask < chip.warpSize; mask *= 2)
      number = arith::MaximumFOp::create(b, number, shuffleXor(b, number, mask, chip.warpSize));
    b.onlyIf(b.equals(at.lane, 0),
             [&] { memref::StoreOp::create(b, number, seenByWarp, ValueRange{at.warp}); });
    gpu::BarrierOp::create(b);
    for (int64_t warp = 0; warp < warps; ++warp) {
      Value other = memref::LoadOp::create(b, seenByWarp, ValueRange{b.index(warp)});
      number = warp ? arith::MaximumFOp::create(b, number, other).getResult() : other;
    }
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, number, b.f32(0)).getResult();
  }

  SmallVector<Value> addChunk(ValueRange carried) {
    SmallVector<Value> state(carried);
    SmallVector<Value> keys, ofValues;
    int64_t keysAtOnce = plan.threads / lanes.keyThreads;
    int64_t valuesAtOnce = plan.threads / lanes.valueThreads;
    for (int64_t from = 0; from < plan.keys; from += keysAtOnce)
      keys.push_back(loadKey(b.add(keyOfThread, b.index(from))));
    for (int64_t from = 0; from < plan.keys; from += valuesAtOnce)
      ofValues.push_back(loadValue(b.add(valueOfThread, b.index(from))));
    for (auto [number, loaded] : llvm::enumerate(keys))
      scoreKey(b.add(keyOfThread, b.index(number * keysAtOnce)), loaded);
    gpu::BarrierOp::create(b);
    for (int64_t number = 0; number < rowsOfWarp; ++number)
      weighRow(b.add(at.warp, b.index(number * warps)), number, state);
    gpu::BarrierOp::create(b);
    scaleSums(state);
    for (auto [number, loaded] : llvm::enumerate(ofValues))
      addValue(b.add(valueOfThread, b.index(number * valuesAtOnce)), loaded, state);
    return state;
  }

  AttentionPlace keyPlace(Value local) {
    AttentionPlace place = placeOf(b, program, at, Value());
    place.axes[program.keyAxis()] = existing(local);
    place.axes[program.depthAxis()] = depth;
    place.axes[program.columnAxis()] = column;
    return place;
  }

  Value loadKey(Value local) { return access(program.key, lanes.keyVector, keyPlace(local)); }
  Value loadValue(Value local) { return access(program.value, lanes.valueVector, keyPlace(local)); }

  /// Adds up the products of one key with all rows, and stores the logits.
  void scoreKey(Value local, Value loaded) {
    SmallVector<Value> key = elementsOf(program.scores, operandOf(program.scores, program.key),
                                        program.key, loaded, keyPlace(local), program.depthAxis());
    SmallVector<Value> sums(paddedRows, b.f32(0));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < lanes.keyVector; ++i)
        sums[row] = math::FmaOp::create(b, queries[row][i], key[i], sums[row]);
    int64_t mask = lanes.keyThreads / 2;
    for (; sums.size() > 1; mask /= 2)
      giveHalf(b, sums, at.lane, mask, chip.warpSize);
    for (; mask >= 1; mask /= 2)
      sums[0] = arith::AddFOp::create(b, sums[0], shuffleXor(b, sums[0], mask, chip.warpSize));
    // Lanes [i * sharers, (i + 1) * sharers) of a key's hold row i.
    int64_t sharers = lanes.keyThreads / paddedRows;
    Value ofKey = b.rem(at.thread, lanes.keyThreads), row = b.div(ofKey, sharers);
    Value stores = b.equals(b.rem(ofKey, sharers), 0);
    if (rows != paddedRows)
      stores = arith::AndIOp::create(b, stores, b.isBelow(row, b.index(rows)));
    b.onlyIf(stores, [&] { storeLogit(local, row, sums[0]); });
  }

  void storeLogit(Value local, Value row, Value score) {
    AttentionPlace place = placeOf(b, program, at, row);
    place.axes[program.keyAxis()] = existing(local);
    place.known[program.scores] = score;
    Value logit = values.valueOf(program.exponentials, program.logit, place);
    if (mayOverrun())
      logit = arith::SelectOp::create(b, b.isBelow(b.add(chunk, local), numKeys), logit,
                                      b.f32(-std::numeric_limits<double>::infinity()));
    memref::StoreOp::create(b, logit, logits, ValueRange{local, row});
  }

  /// The warp of a row: its largest logit so far, and weights instead of the chunk's logits.
  void weighRow(Value row, int64_t number, SmallVector<Value> &state) {
    Value &largest = state[number], &sum = state[rowsOfWarp + number];
    auto branch = scf::IfOp::create(b, TypeRange{b.getF32Type(), b.getF32Type()},
                                    b.isBelow(row, b.index(rows)), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, ValueRange{largest, sum});
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> places, mine;
    Value now = largest, total = b.f32(0);
    for (int64_t from = 0; from < plan.keys; from += chip.warpSize) {
      places.push_back(b.add(at.lane, b.index(from)));
      mine.push_back(memref::LoadOp::create(b, logits, ValueRange{places.back(), row}));
      now = arith::MaximumFOp::create(b, now, mine.back());
    }
    for (int64_t mask = 1; mask < chip.warpSize; mask *= 2)
      now = arith::MaximumFOp::create(b, now, shuffleXor(b, now, mask, chip.warpSize));
    Value base = b.shift(now), factor = b.factor(largest, base);
    for (auto [place, logit] : llvm::zip_equal(places, mine)) {
      Value weight = math::ExpOp::create(b, arith::SubFOp::create(b, logit, base));
      memref::StoreOp::create(b, weight, logits, ValueRange{place, row});
      total = arith::AddFOp::create(b, total, weight);
    }
    for (int64_t mask = 1; mask < chip.warpSize; mask *= 2)
      total = arith::AddFOp::create(b, total, shuffleXor(b, total, mask, chip.warpSize));
    total = math::FmaOp::create(b, sum, factor, total);
    b.onlyIf(b.equals(at.lane, 0),
             [&] { memref::StoreOp::create(b, factor, factors, ValueRange{row}); });
    scf::YieldOp::create(b, ValueRange{now, total});
    largest = branch.getResult(0);
    sum = branch.getResult(1);
  }

  Value &weightedOf(SmallVector<Value> &state, int64_t row, int64_t i) {
    return state[2 * rowsOfWarp + row * lanes.valueVector + i];
  }

  void scaleSums(SmallVector<Value> &state) {
    for (int64_t row = 0; row < rows; ++row) {
      Value factor = memref::LoadOp::create(b, factors, ValueRange{b.index(row)});
      for (int64_t i = 0; i < lanes.valueVector; ++i) {
        Value &sum = weightedOf(state, row, i);
        sum = arith::MulFOp::create(b, sum, factor);
      }
    }
  }

  void addValue(Value local, Value loaded, SmallVector<Value> &state) {
    SmallVector<Value> elements =
        elementsOf(program.weighted, operandOf(program.weighted, program.value), program.value,
                   loaded, keyPlace(local), program.columnAxis());
    // Beyond the last key anything may stand, and 0 times it need not be 0.
    if (mayOverrun()) {
      Value exists = b.isBelow(b.add(chunk, local), numKeys);
      for (Value &element : elements)
        element = arith::SelectOp::create(b, exists, element, b.f32(0));
    }
    for (int64_t row = 0; row < rows; ++row) {
      Value weight = memref::LoadOp::create(b, logits, ValueRange{local, b.index(row)});
      for (int64_t i = 0; i < lanes.valueVector; ++i) {
        Value &sum = weightedOf(state, row, i);
        sum = math::FmaOp::create(b, weight, elements[i], sum);
      }
    }
  }

  AttentionBuilder &b;
  const AttentionProgram &program;
  const AttentionPlan &plan;
  const GPUChip &chip;
  AttentionValues values;
  AttentionLanes lanes;
  int64_t rows, paddedRows, warps, rowsOfWarp;
  AttentionThread at;
  /// Where the thread's accesses begin along depth and columns, and its first key and value of a
  /// chunk.
  Value depth, column, keyOfThread, valueOfThread;
  Value numKeys, chunk;
  SmallVector<SmallVector<Value>> queries;
  /// In shared memory: logits of a chunk, then its weights, by key and row; by row the factor of
  /// sums so far; by warp whether a key of the chunk is seen.
  Value logits, factors, seenByWarp;
};

} // namespace

void emitAttention(AttentionBuilder &b, const AttentionProgram &program, const AttentionPlan &plan,
                   const GPUChip &chip) {
  AttentionEmitter(b, program, plan, chip).emit();
}

} // namespace forge
