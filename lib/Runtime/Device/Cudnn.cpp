// 1. The first time an attention is seen its graph is described, the library's heuristic offers
//    engines, and the first of which a plan can be made is kept.
// 2. From then on a call is one call of the library.
#include "CudnnGraph.h"

#include <map>
#include <tuple>

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

std::string forge::rt::describeAttention(const AttentionCall &call) {
  auto number = [](int64_t size) { return std::to_string(size); };
  return "attention, batch " + number(call.batch) + ", " + number(call.heads) + " heads" +
         (call.keyHeads != call.heads ? ", " + number(call.keyHeads) + " of keys" : "") + ", " +
         number(call.rows) + " rows, " + number(call.keys) + " keys, depth " + number(call.depth) +
         (call.columns != call.depth ? ", " + number(call.columns) + " columns" : "") +
         (call.type == FORGE_RT_F16 ? ", f16" : ", bf16") + (call.causal ? ", causal" : "");
}

Result<void> forge::rt::checkAttention(const AttentionCall &call) {
  if (call.type != FORGE_RT_F16 && call.type != FORGE_RT_BF16)
    return Error{"expected an attention of f16 or bf16"};
  for (int64_t size :
       {call.batch, call.heads, call.keyHeads, call.rows, call.keys, call.depth, call.columns})
    if (size < 1)
      return Error{"expected sizes of at least 1, but got a " + describeAttention(call)};
  if (call.heads % call.keyHeads != 0)
    return Error{"expected heads that are a multiple of those of keys, but got a " +
                 describeAttention(call)};
  return {};
}

namespace {
struct Plan {
  AttentionGraph graph;
  Handle plan{nullptr, nullptr}, config{nullptr, nullptr};
  int64_t workspaceBytes = 0;
  void *workspace = nullptr;
  /// Why the library does not offer it; empty if it does.
  std::string refusal;
};

using PlanKey = std::tuple<int, std::array<int64_t, 7>, double, bool, AttentionCall::Strides,
                           AttentionCall::Strides, AttentionCall::Strides>;

class Cudnn final : public VendorAttention {
public:
  Cudnn(std::shared_ptr<Device> device, Library library, Functions functions)
      : device(std::move(device)), library(std::move(library)), call(functions),
        generation(this->device->generation()) {}
  ~Cudnn() override {
    bool isAlive = generation == device->generation() && !device->isLost();
    for (auto &[key, plan] : plans)
      if (isAlive && plan->workspace)
        (void)device->release(plan->workspace);
    plans.clear();
    if (isAlive && handle)
      call.destroy(handle);
  }
  Result<void> start() {
    // The library works in the device's context, which this call makes current.
    if (Result<void> done = device->synchronize(); !done)
      return done;
    return check("creating a handle", call.create(&handle));
  }

  std::string description() const override {
    return library.name() + ", version " + std::to_string(call.version());
  }
  Result<void> prepare(const AttentionCall &attention) override {
    Result<Plan *> plan = planFor(attention);
    return plan ? Result<void>() : Result<void>(plan.error());
  }
  Result<void> attend(Stream &stream, const AttentionCall &attention,
                      const AttentionOperands &operands) override;

private:
  Result<void> check(const char *what, int status) const {
    return status == 0 ? Result<void>() : Result<void>(Error{call.errorText(what, status)});
  }
  Result<Handle> make(int type) const {
    void *made = nullptr;
    if (Result<void> done = check("making a descriptor", call.createDescriptor(type, &made)); !done)
      return done.error();
    return Handle(made, call.destroyDescriptor);
  }
  Result<Plan *> planFor(const AttentionCall &attention);
  Result<void> choose(Plan &plan) const;
  Result<void> makePlan(Plan &plan, Handle config) const;

  std::shared_ptr<Device> device;
  Library library;
  Functions call;
  uint64_t generation;
  void *handle = nullptr;
  std::map<PlanKey, std::unique_ptr<Plan>> plans;
};
} // namespace

Result<void> Cudnn::makePlan(Plan &plan, Handle config) const {
  Result<Handle> made = make(kExecutionPlan);
  if (!made)
    return made.error();
  void *engine = config.get();
  int status = call.set(made->get(), kPlanHandle, kHandle, 1, static_cast<const void *>(&handle));
  if (status == 0)
    status =
        call.set(made->get(), kPlanConfig, kDescriptorType, 1, static_cast<const void *>(&engine));
  if (status == 0)
    status = call.finalize(made->get());
  int64_t count = 0;
  if (status == 0)
    status = call.get(made->get(), kPlanWorkspaceSize, kInt64, 1, &count, &plan.workspaceBytes);
  if (Result<void> done = check("making a plan", status); !done)
    return done;
  plan.config = std::move(config);
  plan.plan = std::move(*made);
  return {};
}

/// The first engine of which a plan can be made, as frameworks take it.
Result<void> Cudnn::choose(Plan &plan) const {
  Result<Handle> heuristic = make(kEngineHeuristic);
  if (!heuristic)
    return heuristic.error();
  int mode = kModeA;
  int status = call.set(heuristic->get(), kHeuristicGraph, kDescriptorType, 1,
                        static_cast<const void *>(&plan.graph.graph));
  if (status == 0)
    status = call.set(heuristic->get(), kHeuristicMode, kHeuristicModeType, 1, &mode);
  if (status == 0)
    status = call.finalize(heuristic->get());
  if (Result<void> done = check("asking for engines", status); !done)
    return done;
  constexpr int64_t kMostEngines = 8;
  std::vector<Handle> configs;
  std::vector<void *> pointers;
  for (int64_t i = 0; i < kMostEngines; ++i) {
    Result<Handle> config = make(kEngineConfig);
    if (!config)
      return config.error();
    pointers.push_back(config->get());
    configs.push_back(std::move(*config));
  }
  int64_t found = 0;
  status = call.get(heuristic->get(), kHeuristicResults, kDescriptorType, kMostEngines, &found,
                    static_cast<void *>(pointers.data()));
  if (Result<void> done = check("asking for engines", status); !done)
    return done;
  Result<void> done = Error{"no engine takes it"};
  for (int64_t i = 0; i < found && !done; ++i)
    done = makePlan(plan, std::move(configs[static_cast<size_t>(i)]));
  return done;
}

Result<Plan *> Cudnn::planFor(const AttentionCall &attention) {
  const AttentionCall &a = attention;
  PlanKey key{a.type,         {a.batch, a.heads, a.keyHeads, a.rows, a.keys, a.depth, a.columns},
              a.scale,        a.causal,
              a.queryStrides, a.keyStrides,
              a.valueStrides};
  std::unique_ptr<Plan> &slot = plans[key];
  if (!slot) {
    slot = std::make_unique<Plan>();
    Result<AttentionGraph> graph = buildAttentionGraph(call, handle, attention);
    Result<void> done = graph ? Result<void>() : Result<void>(graph.error());
    if (graph) {
      slot->graph = std::move(*graph);
      done = choose(*slot);
    }
    if (done && slot->workspaceBytes > 0) {
      Result<void *> memory = device->allocate(static_cast<size_t>(slot->workspaceBytes));
      done = memory ? Result<void>() : Result<void>(memory.error());
      slot->workspace = memory ? *memory : nullptr;
    }
    if (!done)
      slot->refusal = library.name() + " has no plan for " + describeAttention(attention) + ": " +
                      done.error().message;
  }
  return slot->refusal.empty() ? Result<Plan *>(slot.get()) : Result<Plan *>(Error{slot->refusal});
}

Result<void> Cudnn::attend(Stream &stream, const AttentionCall &attention,
                           const AttentionOperands &operands) {
  Result<Plan *> found = planFor(attention);
  if (!found)
    return found.error();
  Plan &plan = **found;
  Result<Handle> pack = make(kVariantPack);
  if (!pack)
    return pack.error();
  int64_t ids[] = {kQuery, kKey, kValue, kOut, kScale, kMasked};
  const void *pointers[] = {operands.query, operands.key,      operands.value,
                            operands.out,   &plan.graph.scale, &plan.graph.masked};
  int64_t count = attention.causal ? 6 : 5;
  int status = call.setStream(handle, stream.native());
  if (status == 0)
    status = call.set(pack->get(), kPackIds, kInt64, count, ids);
  if (status == 0)
    status =
        call.set(pack->get(), kPackPointers, kPointer, count, static_cast<const void *>(pointers));
  if (status == 0)
    status = call.set(pack->get(), kPackWorkspace, kPointer, 1,
                      static_cast<const void *>(&plan.workspace));
  if (status == 0)
    status = call.finalize(pack->get());
  if (status == 0)
    status = call.execute(handle, plan.plan.get(), pack->get());
  if (Result<void> done = check("the library's attention", status); !done)
    return Error{done.error().message + " while enqueueing " + describeAttention(attention)};
  return {};
}

Result<std::unique_ptr<VendorAttention>> forge::rt::createCudnn(std::shared_ptr<Device> device) {
  if (device->driverName() != "cuda")
    return Error{"cuDNN is for devices of cuda, but this is one of " + device->driverName()};
  Result<Library> library =
      Library::open("cuDNN", {"libcudnn.so.9", "/usr/local/cuda/lib64/libcudnn.so.9"});
  if (!library)
    return library.error();
  Result<Functions> functions = findFunctions(*library);
  if (!functions)
    return functions.error();
  auto made = std::make_unique<Cudnn>(std::move(device), std::move(*library), *functions);
  if (Result<void> done = made->start(); !done)
    return Error{made->description() + ": " + done.error().message};
  return std::unique_ptr<VendorAttention>(std::move(made));
}
