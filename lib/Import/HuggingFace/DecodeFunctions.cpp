#include "DecodeFunctions.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

/// The caller gives the buffers of `arguments` away: results from `first` on may be computed there.
static void donate(mlir::func::FuncOp function, llvm::ArrayRef<unsigned> arguments,
                   unsigned first) {
  mlir::Builder b(function.getContext());
  for (unsigned argument : arguments)
    function.setArgAttr(argument, "tf.aliasing_output", b.getI32IntegerAttr(first++));
}

/// Whether rotary positions change with the number of tokens.
static bool dependsOnContext(const DecoderConfig &config) {
  auto depends = [](const std::optional<RopeBuildOptions> &rope) {
    return rope && rope->dependsOnContext();
  };
  return config.ropes.empty() ? depends(config.rope) : llvm::any_of(config.ropes, depends);
}

/// "contexts.N" where all keys are computed again once there are more than N tokens.
static std::string contextsName(const DecoderConfig &config) {
  bool again = config.recomputesLongKeys && config.rope && !config.rope->longFrequencies.empty();
  return again ? "contexts." + std::to_string(config.rope->longFrom) : "contexts";
}

Result<DecodeFunction>
huggingface::buildDecodeFunction(mlir::MLIRContext &context, llvm::StringRef name,
                                 const DecoderConfig &config, const WeightTypes &types,
                                 const DecoderOptions &options, int64_t tokens, bool counted) {
  Graph graph(context, name);
  mlir::Builder b(&context);
  llvm::SmallVector<unsigned> donated;
  unsigned numInputs = 0;
  auto input = [&](llvm::StringRef what, llvm::ArrayRef<int64_t> shape, mlir::Type type) {
    ++numInputs;
    return graph.argument(what, shape, type);
  };
  int64_t batch = options.batch;
  Value ids = input("input_ids", {batch, tokens}, b.getI32Type());
  Value counts = counted ? input("counts", {batch}, b.getI32Type()) : Value();
  // Left there for a sampler.
  if (options.sampled) {
    donated.push_back(numInputs);
    input("logits", {batch, config.vocabulary}, types.element);
  }
  donated.push_back(numInputs);
  Value lengths = input("lengths", {batch}, b.getI32Type());
  // With pages, the caches of all sequences are one pool.
  int64_t places = options.pageSize.value_or(options.capacity);
  int64_t pools = options.pageSize ? *options.pages : batch;
  Value table;
  if (options.pageSize)
    table = input("table", {batch, options.capacity / places}, b.getI32Type());
  // A prompt may come in several pieces: that it is one is known where it begins.
  Value contexts;
  if (dependsOnContext(config))
    contexts = counted ? input(contextsName(config), {batch}, b.getI32Type())
                       : graph.plus(lengths, tokens);
  std::vector<KvCache> caches;
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    std::string number = "." + std::to_string(layer);
    int64_t valueDim = config.valueDim ? config.valueDim : config.headDim;
    donated.append({numInputs, numInputs + 1});
    Value keys =
        input("keys" + number, {pools, config.kvHeads, places, config.headDim}, types.element);
    Value values =
        input("values" + number, {pools, config.kvHeads, places, valueDim}, types.element);
    caches.push_back({keys, values, lengths, table, counts, contexts});
  }
  Value logits = buildDecoder(graph, ids, config, types, caches, LogitRows::Last);
  Value after = caches.empty() ? Value() : caches.front().length;
  Value next = graph.reshape(graph.argmax(logits), {batch, 1});
  std::vector<Value> results = {next, logits, after};
  for (const KvCache &cache : caches)
    results.insert(results.end(), {cache.keys, cache.values});
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = graph.finish(results);
  if (!module)
    return module.error();
  donate((*module)->lookupSymbol<mlir::func::FuncOp>(name), donated,
         /*first=*/options.sampled ? 1 : 2);
  return DecodeFunction{std::move(*module), numInputs};
}

Result<DecodeFunction> huggingface::buildSampleFunction(mlir::MLIRContext &context,
                                                        llvm::StringRef name, int64_t vocabulary,
                                                        mlir::Type element, int64_t batch) {
  Graph graph(context, name);
  mlir::Builder b(&context);
  graph.argument("input_ids", {batch, 1}, b.getI32Type());
  Value logits = graph.argument("logits", {batch, vocabulary}, element);
  Value lengths = graph.argument("lengths", {batch}, b.getI32Type());
  Value seeds = graph.argument("seeds", {batch}, b.getI64Type());
  SampleBuildOptions sampling;
  sampling.temperature = graph.argument("temperature", {batch}, b.getF32Type());
  sampling.topK = graph.argument("top_k", {batch}, b.getI32Type());
  sampling.topP = graph.argument("top_p", {batch}, b.getF32Type());
  // A draw is numbered by the token's position.
  Value next = graph.sample(logits, seeds, graph.widened(lengths), sampling);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module =
      graph.finish({graph.reshape(next, {batch, 1})});
  if (!module)
    return module.error();
  auto function = (*module)->lookupSymbol<mlir::func::FuncOp>(name);
  donate(function, {0}, /*first=*/0);
  unsigned numInputs = function.getNumArguments();
  return DecodeFunction{std::move(*module), numInputs};
}
