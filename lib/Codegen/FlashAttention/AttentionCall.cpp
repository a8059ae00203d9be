#include "AttentionCall.h"

using namespace mlir;
using namespace forge;

namespace {
/// Axes by what they are to the library, each none or one; those of size 1 are left out.
struct CallAxes {
  std::optional<unsigned> batch, keyHead, group, row;
};
} // namespace

/// Rows that one instruction takes are the query heads of a key head, as in a step of decoding.
static constexpr int64_t kMostGroup = 16;

static std::optional<CallAxes> axesOf(const FlashAttention &flash) {
  SmallVector<unsigned> outer, rows;
  for (auto [axis, isRow] : llvm::enumerate(flash.program.isRow))
    if (flash.sizeOf(axis) > 1)
      (isRow ? rows : outer).push_back(axis);
  if (outer.size() > 2 || rows.size() > 2)
    return std::nullopt;
  CallAxes axes;
  if (!outer.empty())
    axes.keyHead = outer.back();
  if (outer.size() == 2)
    axes.batch = outer.front();
  if (rows.size() == 2) {
    axes.row = flash.rowAxis;
    axes.group = rows.front() == flash.rowAxis ? rows.back() : rows.front();
  } else if (rows.size() == 1) {
    bool isGroup = flash.rows() <= kMostGroup && flash.conditions.limits.empty();
    (isGroup ? axes.group : axes.row) = rows.front();
  }
  return axes;
}

/// Whether nothing but a causal mask, or nothing at all, is done to scaled scores.
static const char *checkScores(const FlashAttention &flash, bool &causal) {
  if (!AttentionGraph(flash.program).isResultOf(flash.number, flash.program.scores))
    return "scores of which nothing but a multiple is computed";
  if (!flash.conditions.others.empty() || !flash.valueConditions.limits.empty() ||
      flash.conditions.limits.size() > 1)
    return "no mask but a causal one";
  causal = !flash.conditions.limits.empty();
  if (!causal)
    return nullptr;
  const KeyLimit &limit = flash.conditions.limits.front();
  bool isCausal = limit.isUpper && limit.perRow == 1 && limit.constant == 0 && limit.terms.empty();
  return isCausal ? nullptr : "a causal mask by which row r sees the keys up to r";
}

std::optional<rt::AttentionCall> forge::attentionCallOf(const FlashAttention &flash,
                                                        WhyNot whyNot) {
  auto expected = [&](const char *what) {
    whyNot(Twine("the library takes ") + what);
    return std::nullopt;
  };
  rt::AttentionCall call;
  for (Type type : {flash.queryType(), flash.keyType(), flash.factorType()})
    if (!(type.isF16() || type.isBF16()) || type != flash.queryType())
      return expected("queries, keys and values of f16 or of bf16");
  call.type = flash.queryType().isF16() ? FORGE_RT_F16 : FORGE_RT_BF16;
  if (const char *why = checkScores(flash, call.causal))
    return expected(why);
  const AttentionProgram &program = flash.program;
  if (program.writes.size() != 1 || !program.writes.front().perColumn)
    return expected("attention of one result");
  std::optional<CallAxes> axes = axesOf(flash);
  if (!axes)
    return expected("a batch, heads and rows");

  auto sizeOf = [&](std::optional<unsigned> axis) { return axis ? flash.sizeOf(*axis) : 1; };
  int64_t group = sizeOf(axes->group);
  call.batch = sizeOf(axes->batch);
  call.keyHeads = sizeOf(axes->keyHead);
  call.heads = call.keyHeads * group;
  call.rows = sizeOf(axes->row);
  call.keys = flash.keys();
  call.depth = program.depth();
  call.columns = program.columns();
  call.scale = flash.scale;
  auto strideOf = [](const AxisAccess &access, std::optional<unsigned> axis) {
    return axis ? access.strides[*axis] : 0;
  };
  // Query heads of one key head follow each other, so that all are one dimension.
  int64_t head = strideOf(flash.query, axes->group);
  int64_t ofKeyHead = strideOf(flash.query, axes->keyHead);
  if (axes->group && axes->keyHead && ofKeyHead != group * head)
    return expected("query heads at one stride");
  call.queryStrides = {strideOf(flash.query, axes->batch), axes->group ? head : ofKeyHead,
                       strideOf(flash.query, axes->row)};
  for (auto [access, strides] :
       {std::pair(&flash.key, &call.keyStrides), std::pair(&flash.value, &call.valueStrides)})
    *strides = {strideOf(*access, axes->batch), strideOf(*access, axes->keyHead),
                access->strides[program.keyAxis()]};
  // A dimension of one element has any stride, but the library asks for one above 0.
  auto fill = [](rt::AttentionCall::Strides &strides, int64_t heads, int64_t rows, int64_t inner) {
    int64_t next[] = {heads * rows * inner, rows * inner, inner};
    for (auto [stride, otherwise] : llvm::zip_equal(strides, next))
      stride = stride > 0 ? stride : otherwise;
  };
  fill(call.queryStrides, call.heads, call.rows, call.depth);
  fill(call.keyStrides, call.keyHeads, call.keys, call.depth);
  fill(call.valueStrides, call.keyHeads, call.keys, call.columns);
  return call;
}
