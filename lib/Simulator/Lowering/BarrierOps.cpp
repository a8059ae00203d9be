#include "Lowerings.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace forge;

/// What a barrier orders.
enum Spaces : int64_t { None = 0, All = 3 };

static Lowered lowerBarrier(NVVM::BarrierOp op, OpBuilder &builder) {
  CallBuilder calls(builder, op.getLoc());
  if (op.getReductionOp())
    return op.emitOpError("expected no reduction at a barrier for the simulator");
  APInt number;
  bool first = !op.getBarrierId() ||
               (matchPattern(op.getBarrierId(), m_ConstantInt(&number)) && number.isZero());
  if (first && !op.getNumberOfThreads()) {
    calls.callSite("forge_sim_barrier", "nvvm.barrier", {calls.word(All)});
  } else {
    Value id = op.getBarrierId() ? op.getBarrierId() : calls.word(0);
    Value threads = op.getNumberOfThreads();
    if (!threads) {
      Value x = calls.call("forge_sim_index", {calls.word(2), calls.word(0)}).getResult();
      Value y = calls.call("forge_sim_index", {calls.word(2), calls.word(1)}).getResult();
      Value z = calls.call("forge_sim_index", {calls.word(2), calls.word(2)}).getResult();
      Value xy = LLVM::MulOp::create(builder, op.getLoc(), x, y);
      threads = LLVM::MulOp::create(builder, op.getLoc(), xy, z);
    }
    calls.callSite("forge_sim_named_barrier", "nvvm.barrier", {id, threads, calls.word(1)});
  }
  op.erase();
  return true;
}

/// Operations that say how, not what: register budgets, priorities, scheduling, prefetches.
static bool hasNoEffect(StringRef name) {
  static const llvm::StringSet<> names = {"nvvm.setmaxregister",
                                          "nvvm.fence.mbarrier.init",
                                          "nvvm.wgmma.fence.aligned",
                                          "nvvm.cp.async.bulk.tensor.prefetch",
                                          "nvvm.cp.async.bulk.prefetch",
                                          "nvvm.griddepcontrol",
                                          "nvvm.prefetch",
                                          "nvvm.nanosleep",
                                          "rocdl.sched.barrier",
                                          "rocdl.sched.group.barrier",
                                          "rocdl.iglp.opt",
                                          "rocdl.s.setprio",
                                          "rocdl.s.sleep",
                                          "amdgpu.sched_barrier"};
  return names.contains(name);
}

/// Fences between threads, and between ways to memory.
static bool isFence(StringRef name) {
  static const llvm::StringSet<> names = {"nvvm.memory.barrier", "nvvm.fence.sc.cluster",
                                          "llvm.fence"};
  return names.contains(name);
}

/// Those of other kinds (aliases, tensor maps, global memory alone) have no effect here.
static void lowerProxyFence(NVVM::FenceProxyOp fence, CallBuilder &calls) {
  if (llvm::is_contained({NVVM::ProxyKind::async, NVVM::ProxyKind::async_shared}, fence.getKind()))
    calls.call("forge_sim_proxy_fence", {});
}

static Lowered lowerPlain(Operation *op, OpBuilder &builder) {
  StringRef name = op->getName().getStringRef();
  CallBuilder calls(builder, op->getLoc());
  if (name == "gpu.barrier" || name == "nvvm.barrier0" || name == "rocdl.barrier")
    calls.callSite("forge_sim_barrier", name, {calls.word(All)});
  else if (name == "amdgpu.lds_barrier")
    calls.callSite("forge_sim_barrier", name, {calls.word(1)});
  else if (name == "rocdl.s.barrier")
    // Does not wait for memory: what was written may not have arrived.
    calls.callSite("forge_sim_barrier", name, {calls.word(None)});
  else if (name == "nvvm.cluster.arrive")
    calls.call("forge_sim_cluster_arrive", {});
  else if (name == "nvvm.cluster.wait")
    calls.callSite("forge_sim_cluster_wait", name, {});
  else if (isFence(name))
    calls.call("forge_sim_fence", {});
  else if (auto fence = dyn_cast<NVVM::FenceProxyOp>(op))
    lowerProxyFence(fence, calls);
  else if (!hasNoEffect(name))
    return false;
  op->erase();
  return true;
}

Lowered forge::lowerBarrierOp(Operation *op, OpBuilder &builder) {
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    return lowerBarrier(barrier, builder);
  CallBuilder calls(builder, op->getLoc());
  if (auto arrive = dyn_cast<NVVM::BarrierArriveOp>(op)) {
    Value id = arrive.getBarrierId() ? arrive.getBarrierId() : calls.word(0);
    calls.callSite("forge_sim_named_barrier", "nvvm.barrier.arrive",
                   {id, arrive.getNumberOfThreads(), calls.word(0)});
    arrive.erase();
    return true;
  }
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    calls.callSite("forge_sim_assert", ("cf.assert '" + assertion.getMsg() + "'").str(),
                   {assertion.getArg()});
    assertion.erase();
    return true;
  }
  return lowerPlain(op, builder);
}
