// What a block does after its last key.
#include "AttentionEmitter.h"

#include "../RowKernels/ClusterMemory.h"
#include "../RowKernels/Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace forge {
namespace {

// 1. Threads of a warp that have the same columns add up their sums; the warps' go to shared
// memory,
//    with the rows' maxima and sums.
// 2. In a cluster, each block is sent a part of the weighted sums of all blocks, and all maxima and
//    sums.
// 3. A thread for each element of the block's part: numbers of several blocks are brought to one
//    base and added, in their order; what follows is computed, and stored.
class ResultEmitter {
public:
  ResultEmitter(AttentionBuilder &b, const AttentionProgram &program, const AttentionPlan &plan,
                const GPUChip &chip, const AttentionThread &at)
      : b(b), program(program), plan(plan), chip(chip), at(at), values(b, program), lanes(program),
        rows(program.numRows()), results(rows * program.columns()) {}

  void emit(AttentionPartials partials) {
    if (plan.pieces > 1)
      clusterArrive(b); // Waited for below: no block stores into a block that has not begun.
    storePartials(std::move(partials));
    gpu::BarrierOp::create(b);
    if (plan.pieces == 1) {
      forElements(results, [&](Value element) {
        finish(element, [&](Value row) { return ofBlock(row, sumOf(element)); });
      });
      return;
    }
    exchange();
    int64_t part = results / plan.pieces;
    forElements(part, [&](Value local) {
      Value element = b.add(b.mul(at.piece, part), local);
      finish(element, [&](Value row) { return ofCluster(row, local, part); });
    });
  }

private:
  struct RowNumbers {
    Value largest, sum, weighted;
  };

  int64_t groupThreads() const { return std::max(lanes.valueThreads, chip.warpSize); }
  int64_t numGroups() const { return plan.threads / groupThreads(); }

  void storePartials(AttentionPartials partials) {
    int64_t warps = plan.threads / chip.warpSize;
    largest = b.shared({rows});
    sums = b.shared({rows});
    weighted = b.shared({numGroups(), results});
    b.onlyIf(b.equals(at.lane, 0), [&] {
      for (size_t i = 0; i < partials.largest.size(); ++i) {
        Value row = b.add(at.warp, b.index(static_cast<int64_t>(i) * warps));
        b.onlyIf(b.isBelow(row, b.index(rows)), [&] {
          memref::StoreOp::create(b, partials.largest[i], largest, ValueRange{row});
          memref::StoreOp::create(b, partials.sums[i], sums, ValueRange{row});
        });
      }
    });
    for (int64_t mask = lanes.valueThreads; mask < chip.warpSize; mask *= 2)
      for (Value &sum : partials.weighted)
        sum = arith::AddFOp::create(b, sum, shuffleXor(b, sum, mask, chip.warpSize));
    Value group = b.div(at.thread, groupThreads()), inGroup = b.rem(at.thread, groupThreads());
    b.onlyIf(b.isBelow(inGroup, b.index(lanes.valueThreads)), [&] {
      Value column = b.mul(inGroup, lanes.valueVector);
      for (auto [number, sum] : llvm::enumerate(partials.weighted)) {
        int64_t row = static_cast<int64_t>(number) / lanes.valueVector;
        int64_t i = static_cast<int64_t>(number) % lanes.valueVector;
        Value place = b.add(column, b.index(row * program.columns() + i));
        memref::StoreOp::create(b, sum, weighted, ValueRange{group, place});
      }
    });
  }

  /// Emits `body` for each of `count` elements, one after the other for each thread.
  void forElements(int64_t count, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, at.thread, b.index(count), b.index(plan.threads));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar());
  }

  /// The block's weighted sum for an element of its rows and columns.
  Value sumOf(Value element) {
    Value sum;
    for (int64_t group = 0; group < numGroups(); ++group) {
      Value part = memref::LoadOp::create(b, weighted, ValueRange{b.index(group), element});
      sum = group ? arith::AddFOp::create(b, sum, part).getResult() : part;
    }
    return sum;
  }

  RowNumbers ofBlock(Value row, Value sum) {
    return {memref::LoadOp::create(b, largest, ValueRange{row}),
            memref::LoadOp::create(b, sums, ValueRange{row}), sum};
  }

  void exchange() {
    int64_t part = results / plan.pieces;
    sentWeighted = b.shared({plan.pieces * part});
    sentLargest = b.shared({plan.pieces * rows});
    sentSums = b.shared({plan.pieces * rows});
    clusterWait(b);
    forElements(results, [&](Value element) {
      Value place = b.add(b.mul(at.piece, part), b.rem(element, part));
      storeInCluster(b, sumOf(element), sentWeighted, b.div(element, part), place);
    });
    forElements(rows * plan.pieces, [&](Value number) {
      Value row = b.rem(number, rows), rank = b.div(number, rows);
      Value place = b.add(b.mul(at.piece, rows), row);
      RowNumbers own = ofBlock(row, Value());
      storeInCluster(b, own.largest, sentLargest, rank, place);
      storeInCluster(b, own.sum, sentSums, rank, place);
    });
    clusterArrive(b);
    clusterWait(b);
  }

  /// Those of all blocks, relative to the largest maximum.
  RowNumbers ofCluster(Value row, Value local, int64_t part) {
    SmallVector<RowNumbers> all;
    RowNumbers total;
    for (int64_t piece = 0; piece < plan.pieces; ++piece) {
      Value ofRow = b.add(row, b.index(piece * rows));
      Value ofElement = b.add(local, b.index(piece * part));
      all.push_back({memref::LoadOp::create(b, sentLargest, ValueRange{ofRow}),
                     memref::LoadOp::create(b, sentSums, ValueRange{ofRow}),
                     memref::LoadOp::create(b, sentWeighted, ValueRange{ofElement})});
      total.largest = piece ? arith::MaximumFOp::create(b, total.largest, all.back().largest)
                            : all.back().largest;
    }
    Value base = b.shift(total.largest);
    total.sum = total.weighted = b.f32(0);
    for (RowNumbers &numbers : all) {
      Value factor = b.factor(numbers.largest, base);
      total.sum = math::FmaOp::create(b, numbers.sum, factor, total.sum);
      total.weighted = math::FmaOp::create(b, numbers.weighted, factor, total.weighted);
    }
    return total;
  }

  /// Brings the numbers of an element's row from their own base to the one of the operations, and
  /// computes and stores what follows.
  void finish(Value element, function_ref<RowNumbers(Value)> numbersOf) {
    Value row = b.div(element, program.columns()), column = b.rem(element, program.columns());
    RowNumbers numbers = numbersOf(row);
    AttentionPlace place = placeOf(b, program, at, row);
    place.known[program.largest] = numbers.largest;
    Value base = values.valueOf(program.exponentials, program.base, place);
    Value factor = b.factor(numbers.largest, base);
    Value sum = arith::MulFOp::create(b, numbers.sum, factor);
    Value weighted = arith::MulFOp::create(b, numbers.weighted, factor);
    place.known[program.sums] = sum;
    for (const AttentionProgram::RowFactor &rowFactor : program.rowFactors) {
      Value number = values.valueOf(rowFactor.stage, rowFactor.value, place);
      weighted = rowFactor.applyTo(b, weighted, number, b.f32(0));
    }
    place.known[program.weighted] = weighted;
    AttentionPlace ofColumn = place;
    ofColumn.axes[program.columnAxis()] = column;
    Value isFirst = b.equals(column, 0);
    for (const AttentionWrite &write : program.writes) {
      auto store = [&](AttentionPlace &at) {
        linalg::GenericOp op = program.stages[write.stage].op;
        unsigned operand = op.getNumDpsInputs() + write.result;
        Value value = values.resultOf(write.stage, write.result, at);
        memref::StoreOp::create(b, value, op->getOperand(operand),
                                values.indicesOf(write.stage, operand, at));
      };
      if (write.perColumn)
        store(ofColumn);
      else
        b.onlyIf(isFirst, [&] {
          AttentionPlace inside = place;
          store(inside);
        });
    }
  }

  AttentionBuilder &b;
  const AttentionProgram &program;
  const AttentionPlan &plan;
  const GPUChip &chip;
  const AttentionThread &at;
  AttentionValues values;
  AttentionLanes lanes;
  int64_t rows, results;
  /// In shared memory: of the block, by row, and by group of threads and element; of all blocks of
  /// the cluster.
  Value largest, sums, weighted, sentWeighted, sentLargest, sentSums;
};

} // namespace

void emitAttentionResults(AttentionBuilder &b, const AttentionProgram &program,
                          const AttentionPlan &plan, const GPUChip &chip, const AttentionThread &at,
                          const AttentionPartials &partials) {
  ResultEmitter(b, program, plan, chip, at).emit(partials);
}

} // namespace forge
