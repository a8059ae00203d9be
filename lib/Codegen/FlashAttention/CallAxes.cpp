#include "CallAxes.h"

using namespace mlir;
using namespace forge;

static int64_t sizeOf(const AttentionProgram &program, std::optional<unsigned> axis) {
  return axis ? program.extents[*axis].size : 1;
}

std::optional<CallAxes> CallAxes::of(const AttentionProgram &program, unsigned rowAxis,
                                     bool isGroup) {
  SmallVector<unsigned> outer, rows;
  for (auto [axis, isRow] : llvm::enumerate(program.isRow))
    if (program.extents[axis].size > 1)
      (isRow ? rows : outer).push_back(axis);
  if (outer.size() > 2 || rows.size() > 2)
    return std::nullopt;
  CallAxes axes;
  if (!outer.empty())
    axes.keyHead = outer.back();
  if (outer.size() == 2)
    axes.batch = outer.front();
  if (rows.size() == 2) {
    axes.row = rowAxis;
    axes.group = rows.front() == rowAxis ? rows.back() : rows.front();
  } else if (rows.size() == 1) {
    (isGroup ? axes.group : axes.row) = rows.front();
  }
  return axes;
}

static int64_t strideOf(const AxisAccess &access, std::optional<unsigned> axis) {
  return axis ? access.strides[*axis] : 0;
}

/// Query heads of one key head follow each other, so that all are one dimension.
std::optional<rt::AttentionCall::Strides> CallAxes::ofRows(const AttentionProgram &program,
                                                           const AxisAccess &access) const {
  int64_t head = strideOf(access, group), ofKeyHead = strideOf(access, keyHead);
  if (group && keyHead && ofKeyHead != sizeOf(program, group) * head)
    return std::nullopt;
  return rt::AttentionCall::Strides{strideOf(access, batch), group ? head : ofKeyHead,
                                    strideOf(access, row)};
}

rt::AttentionCall::Strides CallAxes::ofKeys(const AttentionProgram &program,
                                            const AxisAccess &access) const {
  return {strideOf(access, batch), strideOf(access, keyHead), access.strides[program.keyAxis()]};
}

void CallAxes::setSizes(const AttentionProgram &program, rt::AttentionCall &call) const {
  call.batch = sizeOf(program, batch);
  call.keyHeads = sizeOf(program, keyHead);
  call.heads = call.keyHeads * sizeOf(program, group);
  call.rows = sizeOf(program, row);
  call.keys = sizeOf(program, program.keyAxis());
  call.depth = program.depth();
  call.columns = program.columns();
}

void forge::fillStrides(rt::AttentionCall::Strides &strides, int64_t heads, int64_t rows,
                        int64_t inner) {
  int64_t next[] = {heads * rows * inner, rows * inner, inner};
  for (auto [stride, otherwise] : llvm::zip_equal(strides, next))
    stride = stride > 0 ? stride : otherwise;
}

std::optional<bool> forge::isCausal(const KeyConditions &conditions) {
  if (!conditions.others.empty() || conditions.limits.size() > 1)
    return std::nullopt;
  if (conditions.limits.empty())
    return false;
  const KeyLimit &limit = conditions.limits.front();
  bool holds = limit.isUpper && limit.perRow == 1 && limit.constant == 0 && limit.terms.empty();
  return holds ? std::optional(true) : std::nullopt;
}
