#include "forge/Bench/Peers.h"

#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/RandomInputs.h"
#include "forge/Runtime/VendorBlas.h"
#include "forge/Runtime/VendorDnn.h"

#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace mlir;
using namespace forge;

std::string PeerCall::name() const { return library + " " + llvm::join(kernels, "+"); }

std::string PeerCall::description() const {
  if (const auto *call = std::get_if<rt::DnnCall>(&work))
    return rt::describe(*call);
  const auto &product = std::get<VendorProduct>(work);
  // Only whether they are there is told.
  rt::MatmulOperands operands;
  operands.bias = product.hasBias ? &operands : nullptr;
  operands.residual = product.hasResidual ? &operands : nullptr;
  return rt::describeMatmul(product.product, operands);
}

namespace {
/// Memory on the device, drawn at random, and runs that are timed.
class PeerBase : public Peer {
public:
  PeerBase(std::unique_ptr<rt::DeviceContext> context, int64_t launches)
      : context(std::move(context)), launches(launches) {}
  ~PeerBase() override {
    for (void *pointer : memory)
      (void)context->device().release(pointer);
  }

  Result<double> run() override {
    Result<double> ms = runOnce();
    if (ms || !usesGraphs)
      return ms;
    // What cannot be captured is called each time.
    usesGraphs = false;
    context->setGraphs(false);
    (void)context->endRun();
    return runOnce();
  }
  bool isCalledEachTime() const override { return !usesGraphs; }

protected:
  virtual Result<void> enqueue() = 0;

  Result<void *> draw(forge_rt_type type, int64_t count) {
    static const DType types[] = {DType::F32,      DType::F16,    DType::BF16,
                                  DType::F8E4M3FN, DType::F8E5M2, DType::F64};
    Result<void *> pointer =
        context->device().allocate(static_cast<size_t>(count) * byteWidth(types[type]));
    if (!pointer)
      return pointer.error();
    memory.push_back(*pointer);
    if (Result<void> done = random.draw(*context, *pointer, types[type], count, memory.size());
        !done)
      return done.error();
    if (Result<void> done = context->stream().synchronize(); !done)
      return done.error();
    return *pointer;
  }

  std::unique_ptr<rt::DeviceContext> context;

private:
  /// By a graph from the third time on, as compiled code launches its kernels: what a library does
  /// on the host for each call, 5 to 80 us, is not what its kernels take.
  Result<double> runOnce() {
    if (Result<void> done = context->stream().synchronize(); !done)
      return done.error();
    auto begin = std::chrono::steady_clock::now();
    Result<bool> isIssued = context->beginSequence(this, nullptr, 0);
    if (!isIssued)
      return isIssued.error();
    if (*isIssued)
      if (Result<void> done = issue(); !done)
        return done.error();
    if (Result<void> done = context->stream().synchronize(); !done)
      return done.error();
    std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
    return ms.count();
  }

  Result<void> issue() {
    for (int64_t launch = 0; launch < launches; ++launch)
      if (Result<void> done = enqueue(); !done)
        return done;
    return context->endSequence(this);
  }

  int64_t launches;
  bool usesGraphs = true;
  rt::RandomInputs random{0};
  std::vector<void *> memory;
};

class ProductPeer final : public PeerBase {
public:
  using PeerBase::PeerBase;

  Result<void> start(const VendorProduct &call) {
    product = call.product;
    Result<std::unique_ptr<rt::VendorBlas>> made = context->device().createBlas();
    if (!made)
      return made.error();
    library = std::move(*made);
    // The last element of each.
    auto elements = [&](int64_t rows, int64_t columns, int64_t stride, int64_t batchStride) {
      return (product.batch - 1) * batchStride + (rows - 1) * stride + columns;
    };
    const forge_rt_matmul &p = product;
    int64_t lhs = elements(p.lhsTransposed ? p.k : p.m, p.lhsTransposed ? p.m : p.k, p.lhsStride,
                           p.lhsBatchStride),
            rhs = elements(p.rhsTransposed ? p.n : p.k, p.rhsTransposed ? p.k : p.n, p.rhsStride,
                           p.rhsBatchStride),
            out = elements(p.m, p.n, p.outStride, p.outBatchStride);
    auto set = [&](auto &pointer, int64_t type, int64_t count) -> Result<void> {
      Result<void *> drawn = draw(static_cast<forge_rt_type>(type), count);
      if (!drawn)
        return drawn.error();
      pointer = *drawn;
      return {};
    };
    Result<void> done = set(operands.lhs, p.lhsType, lhs);
    if (done)
      done = set(operands.rhs, p.rhsType, rhs);
    if (done)
      done = set(operands.out, p.outType, out);
    if (done && call.hasBias)
      done = set(operands.bias, p.outType, p.n);
    if (done && call.hasResidual)
      done = set(operands.residual, p.outType, out);
    return done ? library->prepare(product, operands) : done;
  }

private:
  Result<void> enqueue() override {
    return library->multiply(context->stream(), product, operands);
  }

  std::unique_ptr<rt::VendorBlas> library;
  forge_rt_matmul product{};
  rt::MatmulOperands operands;
};

class DnnPeer final : public PeerBase {
public:
  using PeerBase::PeerBase;

  Result<void> start(const rt::DnnCall &asked) {
    call = asked;
    Result<std::unique_ptr<rt::VendorDnn>> made = rt::createCudnn(context->sharedDevice());
    if (!made)
      return made.error();
    library = std::move(*made);
    if (Result<void> done = library->prepare(call); !done)
      return done;
    for (const rt::DnnTensor &tensor : rt::tensorsOf(call)) {
      Result<void *> drawn = draw(tensor.type, tensor.elements());
      if (!drawn)
        return drawn.error();
      operands.push_back(*drawn);
    }
    return {};
  }

private:
  Result<void> enqueue() override { return library->run(context->stream(), call, operands); }

  std::unique_ptr<rt::VendorDnn> library;
  rt::DnnCall call;
  std::vector<void *> operands;
};
} // namespace

template <typename Kind, typename Work>
static Result<std::unique_ptr<Peer>> start(std::unique_ptr<rt::DeviceContext> context,
                                           int64_t launches, const Work &work) {
  auto peer = std::make_unique<Kind>(std::move(context), launches);
  if (Result<void> done = peer->start(work); !done)
    return done.error();
  return std::unique_ptr<Peer>(std::move(peer));
}

Result<std::unique_ptr<Peer>> Peer::create(const PeerCall &call,
                                           std::shared_ptr<rt::Device> device) {
  Result<std::unique_ptr<rt::DeviceContext>> context = rt::DeviceContext::create(std::move(device));
  if (!context)
    return context.error();
  if (const auto *dnn = std::get_if<rt::DnnCall>(&call.work))
    return start<DnnPeer>(std::move(*context), call.launches, *dnn);
  return start<ProductPeer>(std::move(*context), call.launches, std::get<VendorProduct>(call.work));
}
