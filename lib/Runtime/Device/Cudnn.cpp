// 1. The first time a call is seen its graph is described, the library's heuristic offers engines,
//    and the first of which a plan can be made is kept.
// 2. From then on a call is one call of the library.
#include "CudnnGraph.h"

#include "forge/Runtime/VendorDnn.h"

#include <algorithm>
#include <map>

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

/// What versions of the library are known to compute wrongly, or not by itself: as
/// NVIDIA/cudnn-frontend works around it (sdpa_backward). Null if nothing.
static const char *whyNotBy(size_t version, const DnnCall &call) {
  const auto *gradient = std::get_if<AttentionGradientCall>(&call);
  if (!gradient)
    return nullptr;
  if (version < 90600)
    return "gradients of attention need version 9.6, which sets its own sums to zero";
  if (version == 91000 || version == 91001)
    return "gradients of attention of versions 9.10.0 and 9.10.1 are wrong";
  if (version <= 91500 && gradient->attention.keys % 128 != 0)
    return "gradients of attention need a multiple of 128 keys up to version 9.15.0";
  return nullptr;
}

namespace {
struct Plan {
  OperationGraph graph;
  Handle plan{nullptr, nullptr}, config{nullptr, nullptr};
  int64_t workspaceBytes = 0;
  /// Then the graph's scratch tensors, in their order.
  void *workspace = nullptr;
  std::vector<void *> scratch;
  /// Why the library does not offer it; empty if it does.
  std::string refusal;
};

class Cudnn final : public VendorDnn {
public:
  Cudnn(std::shared_ptr<Device> device, Library library, Functions functions)
      : device(std::move(device)), library(std::move(library)), call(functions),
        generation(this->device->generation()) {}
  ~Cudnn() override {
    bool isAlive = generation == device->generation() && !device->isLost();
    for (auto &[key, plan] : plans)
      if (isAlive)
        release(*plan);
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
  Result<void> prepare(const DnnCall &work) override {
    Result<Plan *> plan = planFor(work);
    return plan ? Result<void>() : Result<void>(plan.error());
  }
  Result<void> run(Stream &stream, const DnnCall &work,
                   const std::vector<void *> &operands) override;

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
  Result<Plan *> planFor(const DnnCall &work);
  Result<void> fill(Plan &plan, const DnnCall &work);
  Result<void> choose(Plan &plan, bool isExact) const;
  Result<std::vector<Handle>> configsOf(const OperationGraph &graph, int mode) const;
  bool rounds(const Handle &config) const;
  Result<void> makePlan(Plan &plan, Handle config) const;
  Result<void> allocate(Plan &plan) const;
  void release(Plan &plan) const {
    for (void *memory : plan.scratch)
      (void)device->release(memory);
    if (plan.workspace)
      (void)device->release(plan.workspace);
  }

  std::shared_ptr<Device> device;
  Library library;
  Functions call;
  uint64_t generation;
  void *handle = nullptr;
  std::map<DnnCall, std::unique_ptr<Plan>> plans;
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

/// What the heuristic of this mode offers for a graph, the fastest first.
Result<std::vector<Handle>> Cudnn::configsOf(const OperationGraph &graph, int mode) const {
  Result<Handle> heuristic = make(kEngineHeuristic);
  if (!heuristic)
    return heuristic.error();
  int status = call.set(heuristic->get(), kHeuristicGraph, kDescriptorType, 1,
                        static_cast<const void *>(&graph.graph));
  if (status == 0)
    status = call.set(heuristic->get(), kHeuristicMode, kHeuristicModeType, 1, &mode);
  if (status == 0)
    status = call.finalize(heuristic->get());
  if (Result<void> done = check("asking for engines", status); !done)
    return done.error();
  constexpr int64_t kMostEngines = 32;
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
    return done.error();
  configs.erase(configs.begin() + std::min(found, kMostEngines), configs.end());
  return std::move(configs);
}

/// Whether the engine multiplies f32 numbers in fewer bits (tf32, or 16 bits): its notes say so.
bool Cudnn::rounds(const Handle &config) const {
  Result<Handle> engine = make(kEngine);
  if (!engine)
    return true;
  void *pointer = engine->get();
  int64_t count = 0;
  if (call.get(config.get(), kConfigEngine, kDescriptorType, 1, &count,
               static_cast<void *>(&pointer)) != 0)
    return true;
  std::array<int, kNoteCount> notes{};
  if (call.get(engine->get(), kEngineNotes, kNumericalNoteType, kNoteCount, &count, notes.data()) !=
      0)
    return true;
  auto isRounding = [](int note) { return note == kTensorCore || note == kDownConvertInputs; };
  return std::any_of(notes.begin(), notes.begin() + std::min<int64_t>(count, kNoteCount),
                     isRounding);
}

/// The first engine of which a plan can be made, as frameworks take it; `isExact`: of those that
/// multiply f32 numbers as they are.
Result<void> Cudnn::choose(Plan &plan, bool isExact) const {
  Result<void> done = Error{"no engine takes it"};
  for (int mode : {kModeA, kModeFallback}) {
    Result<std::vector<Handle>> configs = configsOf(plan.graph, mode);
    // The first reason says most.
    if (!configs) {
      if (mode == kModeA)
        done = configs.error();
      continue;
    }
    for (Handle &config : *configs) {
      if (isExact && rounds(config)) {
        done = Error{"no engine takes it without rounding f32 numbers to tf32"};
        continue;
      }
      Result<void> made = makePlan(plan, std::move(config));
      if (made)
        return {};
      done = made.error();
    }
  }
  return done;
}

Result<void> Cudnn::allocate(Plan &plan) const {
  auto take = [&](size_t bytes) { return device->allocate(bytes); };
  if (plan.workspaceBytes > 0) {
    Result<void *> memory = take(static_cast<size_t>(plan.workspaceBytes));
    if (!memory)
      return memory.error();
    plan.workspace = *memory;
  }
  for (const OperationGraph::Scratch &scratch : plan.graph.scratch) {
    Result<void *> memory = take(scratch.bytes);
    if (!memory)
      return memory.error();
    plan.scratch.push_back(*memory);
  }
  return {};
}

Result<void> Cudnn::fill(Plan &plan, const DnnCall &work) {
  if (const char *why = whyNotBy(call.version(), work))
    return Error{why};
  Result<OperationGraph> graph = buildGraph(call, handle, work);
  if (!graph)
    return graph.error();
  plan.graph = std::move(*graph);
  const auto *convolution = std::get_if<ConvolutionCall>(&work);
  bool isExact = convolution && convolution->type == FORGE_RT_F32;
  Result<void> done = choose(plan, isExact);
  return done ? allocate(plan) : done;
}

Result<Plan *> Cudnn::planFor(const DnnCall &work) {
  std::unique_ptr<Plan> &slot = plans[work];
  if (!slot) {
    slot = std::make_unique<Plan>();
    if (Result<void> done = fill(*slot, work); !done)
      slot->refusal =
          library.name() + " has no plan for " + describe(work) + ": " + done.error().message;
  }
  return slot->refusal.empty() ? Result<Plan *>(slot.get()) : Result<Plan *>(Error{slot->refusal});
}

Result<void> Cudnn::run(Stream &stream, const DnnCall &work, const std::vector<void *> &operands) {
  Result<Plan *> found = planFor(work);
  if (!found)
    return found.error();
  Plan &plan = **found;
  if (operands.size() != plan.graph.operands.size())
    return Error{"expected " + std::to_string(plan.graph.operands.size()) + " operands, but got " +
                 std::to_string(operands.size()) + ", of " + describe(work)};
  Result<Handle> pack = make(kVariantPack);
  if (!pack)
    return pack.error();
  std::vector<int64_t> ids = plan.graph.operands;
  std::vector<const void *> pointers(operands.begin(), operands.end());
  for (size_t i = 0; i < plan.scratch.size(); ++i) {
    ids.push_back(plan.graph.scratch[i].id);
    pointers.push_back(plan.scratch[i]);
  }
  for (const auto &[id, number] : plan.graph.numbers) {
    ids.push_back(id);
    pointers.push_back(number.get());
  }
  auto count = static_cast<int64_t>(ids.size());
  int status = call.setStream(handle, stream.native());
  if (status == 0)
    status = call.set(pack->get(), kPackIds, kInt64, count, ids.data());
  if (status == 0)
    status = call.set(pack->get(), kPackPointers, kPointer, count,
                      static_cast<const void *>(pointers.data()));
  if (status == 0)
    status = call.set(pack->get(), kPackWorkspace, kPointer, 1,
                      static_cast<const void *>(&plan.workspace));
  if (status == 0)
    status = call.finalize(pack->get());
  if (status == 0)
    status = call.execute(handle, plan.plan.get(), pack->get());
  if (Result<void> done = check("the library", status); !done)
    return Error{done.error().message + " while enqueueing " + describe(work)};
  return {};
}

Result<std::unique_ptr<VendorDnn>> forge::rt::createCudnn(std::shared_ptr<Device> device) {
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
  return std::unique_ptr<VendorDnn>(std::move(made));
}
