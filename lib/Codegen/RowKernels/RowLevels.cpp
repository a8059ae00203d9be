#include "RowLevels.h"

using namespace mlir;

namespace forge {

RowLevels::RowLevels(const RowProgram &program, bool online) {
  for (auto [i, stage] : llvm::enumerate(program.stages)) {
    std::optional<OnlineMaximum> maximum = online ? maximumOfSum(program, i) : std::nullopt;
    int level = 0;
    for (const RowRead &read : stage.reads)
      if (read.stage >= 0 && !(maximum && read.stage == static_cast<int>(maximum->stage)))
        level = std::max(level, levels[read.stage]);
    levels.push_back(level + (stage.kind == RowStage::Reduction));
    if (maximum && levels[i] == levels[maximum->stage])
      onlineMaximum[i] = *maximum;
    else if (maximum)
      levels[i] = std::max(levels[i], levels[maximum->stage] + 1);
  }
}

SmallVector<unsigned> RowLevels::reductionsOf(const RowProgram &program, int pass) const {
  SmallVector<unsigned> reductions;
  for (auto [i, stage] : llvm::enumerate(program.stages))
    if (stage.kind == RowStage::Reduction && levels[i] == pass + 1)
      reductions.push_back(i);
  return reductions;
}

/// Bytes of an element of `memory`, a tensor or a memref, if it has whole ones.
static int64_t elementBytes(Value memory) {
  Type element = getElementTypeOrSelf(memory.getType());
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() / 8 : 0;
}

bool isWholeRow(const RowProgram &program, const RowRead &read) {
  if (!read.memref || elementBytes(read.memref) == 0 ||
      read.map.getNumResults() != program.columnAxis() + 1)
    return false;
  AffineExpr column = getAffineDimExpr(program.columnAxis(), read.map.getContext());
  // A view of an argument may begin anywhere.
  auto memref = dyn_cast<MemRefType>(read.memref.getType());
  if (memref && (!isa<BlockArgument>(read.memref) || !memref.getLayout().isIdentity()))
    return false;
  return read.map.getResults().back() == column &&
         llvm::none_of(read.map.getResults().drop_back(),
                       [&](AffineExpr expr) { return expr.isFunctionOfDim(program.columnAxis()); });
}

namespace {
/// The operands of whole rows that a pass reads: those of its stages, and of the stages that are
/// computed element by element for them.
class PassReads {
public:
  explicit PassReads(const RowProgram &program) : program(program) {}

  void add(const RowRead &read) {
    if (read.stage >= 0 && program.stages[read.stage].kind == RowStage::PerColumn) {
      if (seen.insert(read.stage).second)
        for (const RowRead &operand : program.stages[read.stage].reads)
          add(operand);
    } else if (read.stage < 0 && isWholeRow(program, read) &&
               llvm::none_of(found, [&](const RowRead &other) { return isSame(read, other); })) {
      found.push_back(read);
    }
  }

  static bool isSame(const RowRead &a, const RowRead &b) {
    return a.memref == b.memref && a.map == b.map;
  }

  SmallVector<RowRead> found;

private:
  const RowProgram &program;
  llvm::DenseSet<int> seen;
};
} // namespace

SmallVector<RowRead> wholeRowsOf(const RowProgram &program, const RowLevels &levels, int pass) {
  PassReads reads(program);
  if (pass > levels.last()) {
    for (const RowWrite &write : program.writes)
      if (write.perColumn)
        reads.add(write.value);
    return reads.found;
  }
  for (unsigned reduction : levels.reductionsOf(program, pass))
    for (const RowRead &read : program.stages[reduction].reads)
      reads.add(read);
  return reads.found;
}

SmallVector<RowRead> readAgain(const RowProgram &program, const RowLevels &levels) {
  SmallVector<RowRead> once, again;
  for (int pass = 0; pass <= levels.last() + 1; ++pass)
    for (const RowRead &read : wholeRowsOf(program, levels, pass)) {
      auto same = [&](const RowRead &other) { return PassReads::isSame(read, other); };
      if (llvm::none_of(once, same))
        once.push_back(read);
      else if (llvm::none_of(again, same))
        again.push_back(read);
    }
  return again;
}

int64_t rowsAtOnce(const RowProgram &program, const RowLevels &levels) {
  // Of each operand, the first pass that reads it and the last.
  SmallVector<std::pair<int, int>> spans;
  SmallVector<RowRead> found;
  for (int pass = 0; pass <= levels.last() + 1; ++pass)
    for (const RowRead &read : wholeRowsOf(program, levels, pass)) {
      auto same = [&](const RowRead &other) { return PassReads::isSame(read, other); };
      auto *before = llvm::find_if(found, same);
      if (before != found.end()) {
        spans[before - found.begin()].second = pass;
        continue;
      }
      found.push_back(read);
      spans.emplace_back(pass, pass);
    }
  int64_t most = 0;
  for (int pass = 0; pass <= levels.last() + 1; ++pass)
    most = std::max<int64_t>(most, llvm::count_if(spans, [&](std::pair<int, int> span) {
                               return span.first <= pass && pass <= span.second;
                             }));
  return most;
}

} // namespace forge
