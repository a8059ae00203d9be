#include "AttentionCall.h"

#include "CallAxes.h"

using namespace mlir;
using namespace forge;

/// Rows that one instruction takes are the query heads of a key head, as in a step of decoding.
static constexpr int64_t kMostGroup = 16;

/// Whether nothing but a causal mask, or nothing at all, is done to scaled scores.
static const char *checkScores(const FlashAttention &flash, bool &causal) {
  if (!AttentionGraph(flash.program).isResultOf(flash.number, flash.program.scores))
    return "scores of which nothing but a multiple is computed";
  std::optional<bool> found = isCausal(flash.conditions);
  if (!found || !flash.valueConditions.limits.empty())
    return "no mask but a causal one, by which row r sees the keys up to r";
  causal = *found;
  return nullptr;
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
  if (llvm::count_if(program.writes, [](const AttentionWrite &write) { return write.perColumn; }) !=
      1)
    return expected("attention of one result");
  // Numbers of rows, from which weights are computed again.
  call.hasStatistics = program.writes.size() > 1;
  bool isGroup = flash.rows() <= kMostGroup && flash.conditions.limits.empty();
  std::optional<CallAxes> axes = CallAxes::of(program, flash.rowAxis, isGroup);
  if (!axes)
    return expected("a batch, heads and rows");
  axes->setSizes(program, call);
  call.scale = flash.scale;
  std::optional<rt::AttentionCall::Strides> query = axes->ofRows(program, flash.query);
  if (!query)
    return expected("query heads at one stride");
  call.queryStrides = *query;
  call.keyStrides = axes->ofKeys(program, flash.key);
  call.valueStrides = axes->ofKeys(program, flash.value);
  fillStrides(call.queryStrides, call.heads, call.rows, call.depth);
  fillStrides(call.keyStrides, call.keyHeads, call.keys, call.depth);
  fillStrides(call.valueStrides, call.keyHeads, call.keys, call.columns);
  return call;
}
