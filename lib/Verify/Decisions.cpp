#include "Decisions.h"

#include <cstring>

using namespace mlir;
using namespace forge;

/// Elements kept of deciding values: beyond it decisions are taken for certain. A module that
/// compares more floats than this has better things to be verified on.
static constexpr int64_t kMostKept = int64_t{1} << 26;

static bool isFloatTensor(const TensorRef &tensor) { return tensor && isFloat(tensor->type()); }

void Decisions::record(Operation *op, ArrayRef<TensorRef> operands, ArrayRef<TensorRef> results) {
  if (!isDecision(op))
    return;
  Record &record = records[op].emplace_back();
  for (const TensorRef &operand : operands)
    kept += operand ? operand->numElements() : 0;
  if (kept > kMostKept)
    return;
  record.operands.assign(operands.begin(), operands.end());
  record.results.assign(results.begin(), results.end());
  for (const TensorRef &operand : operands)
    record.deviations.emplace_back(isFloatTensor(operand) ? *operand : HostTensor());
}

Decisions::Record *Decisions::recordOf(Operation *op) {
  auto found = records.find(op);
  if (found == records.end())
    return nullptr;
  size_t number = next[op]++;
  if (number >= found->second.size() || found->second[number].operands.empty())
    return nullptr;
  return &found->second[number];
}

void Decisions::replay(Operation *op, ArrayRef<TensorRef> operands,
                       std::vector<TensorRef> &results) {
  Record *record = recordOf(op);
  if (!record)
    return;
  for (auto [operand, deviation] : llvm::zip(operands, record->deviations))
    if (isFloatTensor(operand))
      deviation.add(*operand);
  for (auto [i, result] : llvm::enumerate(results))
    if (isDecided(op, static_cast<unsigned>(i)))
      result = record->results[i];
}

bool Decisions::anyUncertain() {
  bool any = false;
  for (auto &[op, executions] : records)
    for (Record &record : executions)
      for (auto [operand, deviation] : llvm::zip(record.operands, record.deviations)) {
        std::vector<double> &interval = record.intervals.emplace_back();
        if (!isFloatTensor(operand) || deviation.isZero())
          continue;
        interval = deviation.pooled();
        for (double &width : interval)
          width *= kDeviations;
        any = record.uncertain = true;
      }
  return any;
}

bool Decisions::allMonotone() const {
  return llvm::all_of(records, [](const auto &entry) {
    return isMonotone(entry.first) ||
           llvm::none_of(entry.second, [](const Record &record) { return record.uncertain; });
  });
}

void Decisions::move(Operation *op, std::vector<TensorRef> &operands, Move direction,
                     RoundingNoise &random) {
  Record *record = recordOf(op);
  if (!record || !record->uncertain)
    return;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    const std::vector<double> &interval = record->intervals[i];
    if (interval.empty() || !operand || operand->type() != DType::F64 ||
        operand->numElements() != static_cast<int64_t>(interval.size()))
      continue;
    auto moved = std::make_shared<HostTensor>(*operand);
    auto *values = moved->dataAs<double>();
    bool up = (direction == Move::Up) == (i == 0);
    for (size_t k = 0; k < interval.size(); ++k)
      values[k] += interval[k] * (direction == Move::Random ? 2 * random.uniform() - 1
                                  : up                      ? 1
                                                            : -1);
    operand = std::move(moved);
  }
}

/// One of the two may carry floats in their own type.
static bool differs(const HostTensor &a, const HostTensor &b) {
  if (a.dims() != b.dims())
    return true;
  if (a.type() == b.type())
    return std::memcmp(a.data(), b.data(), a.numBytes()) != 0;
  for (int64_t i = 0; i < a.numElements(); ++i)
    if (a.getDouble(i) != b.getDouble(i))
      return true;
  return false;
}

bool Decisions::decidedOtherwise(Operation *op, ArrayRef<TensorRef> results) {
  auto found = records.find(op);
  size_t number = next.lookup(op);
  if (found == records.end() || number == 0)
    return false;
  if (number > found->second.size())
    return true; // executed more often than without rounding
  const Record &record = found->second[number - 1];
  for (auto [i, result] : llvm::enumerate(results)) {
    if (i >= record.results.size() || !isDecided(op, static_cast<unsigned>(i)))
      continue;
    if (differs(*result, *record.results[i]))
      return true;
  }
  return false;
}
