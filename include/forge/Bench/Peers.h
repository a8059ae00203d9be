// What the vendor's libraries take for the kernels of a function, called directly.
#ifndef FORGE_BENCH_PEERS_H
#define FORGE_BENCH_PEERS_H

#include "forge/Codegen/VendorWork.h"
#include "forge/Runtime/Device.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>
#include <vector>

namespace forge {

/// A kernel, or several, and the call of a library that computes the same.
struct PeerCall {
  /// "cublaslt", "hipblaslt", "cudnn".
  std::string library;
  /// One, or those that together compute gradients of attention, or pad the image of a convolution.
  std::vector<std::string> kernels;
  /// As often as the function launches each of the kernels.
  int64_t launches = 1;
  std::variant<VendorProduct, rt::DnnCall> work;

  /// "cudnn attention_1", "cudnn contraction+contraction_1": of a row.
  std::string name() const;
  /// "attention, batch 4, ...", "64x128x32 product, ...".
  std::string description() const;
};

struct KernelWithoutPeer {
  std::string kernel, why;
};

struct PeerCalls {
  std::vector<PeerCall> calls;
  std::vector<KernelWithoutPeer> others;
};

/// Of the kernels that the host code of `module`, at phase `kernels`, calls. `driver`: "cuda",
/// "hip".
PeerCalls peerCallsOf(mlir::ModuleOp module, const GPUChip &chip, llvm::StringRef driver);

/// Such a call on a device, on random operands of its own.
class Peer {
public:
  virtual ~Peer() = default;
  /// Milliseconds of wall time of all launches, up to the end of the device's work.
  virtual Result<double> run() = 0;
  /// Whether the library is called in each run, since its calls cannot be captured in a graph:
  /// times hold what it does on the host.
  virtual bool isCalledEachTime() const = 0;

  /// An Error where the library is not there, or does not offer the work.
  static Result<std::unique_ptr<Peer>> create(const PeerCall &call,
                                              std::shared_ptr<rt::Device> device);
};

} // namespace forge

#endif // FORGE_BENCH_PEERS_H
