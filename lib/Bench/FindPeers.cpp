// Which kernels the vendor's libraries compute, too.
#include "forge/Bench/Peers.h"

#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace forge;

namespace {
/// Kernels that together are one call that computes all gradients of an attention.
struct GradientKernels {
  VendorGradient work;
  int64_t launches = 0;
  std::vector<std::string> kernels;

  bool isWhole() const { return work.ofQueries && work.ofKeys && work.ofValues; }
  /// Whether it goes on with `other`, a kernel of the same operands; then it does.
  bool take(const VendorGradient &other, int64_t otherLaunches, const std::string &kernel);
};

struct Convolution {
  rt::ConvolutionCall call;
  int64_t launches = 0;
  std::string kernel;
};

class Finder {
public:
  Finder(ModuleOp module, const GPUChip &chip, llvm::StringRef driver)
      : module(module), chip(chip), driver(driver) {}

  PeerCalls run();

private:
  void add(func::FuncOp kernel, int64_t launches);
  void addCall(const char *library, const std::string &kernel, int64_t launches,
               std::variant<VendorProduct, rt::DnnCall> work) {
    found.calls.push_back({library, {kernel}, launches, std::move(work)});
  }
  void addGradient(const VendorGradient &work, int64_t launches, const std::string &kernel);
  void finish(GradientKernels gradient);
  void takeRowSums(GradientKernels &gradient);
  void finish(const Convolution &convolution);
  func::FuncOp imageMaker(const Convolution &convolution);
  bool isOnlyReadBy(llvm::StringRef kernel, llvm::ArrayRef<std::string> readers);

  ModuleOp module;
  const GPUChip &chip;
  llvm::StringRef driver;
  llvm::StringMap<int64_t> launches;
  std::vector<GradientKernels> gradients;
  std::vector<Convolution> convolutions;
  PeerCalls found;
};
} // namespace

bool GradientKernels::take(const VendorGradient &other, int64_t otherLaunches,
                           const std::string &kernel) {
  using Strides = rt::AttentionCall::Strides;
  VendorGradient same = other;
  Strides none{}, &ours = work.call.attention.valueStrides,
                  &theirs = same.call.attention.valueStrides;
  if (theirs == none)
    theirs = ours;
  bool takesStrides = ours == none;
  if (takesStrides)
    ours = theirs;
  bool overlaps = (work.ofQueries && other.ofQueries) || (work.ofKeys && other.ofKeys) ||
                  (work.ofValues && other.ofValues);
  if (overlaps || launches != otherLaunches || work.call != same.call) {
    if (takesStrides)
      ours = none;
    return false;
  }
  work.ofQueries |= other.ofQueries;
  work.ofKeys |= other.ofKeys;
  work.ofValues |= other.ofValues;
  kernels.push_back(kernel);
  return true;
}

void Finder::addGradient(const VendorGradient &work, int64_t launches, const std::string &kernel) {
  for (GradientKernels &gradient : gradients)
    if (gradient.take(work, launches, kernel))
      return;
  gradients.push_back({work, launches, {kernel}});
}

void Finder::add(func::FuncOp kernel, int64_t launches) {
  std::string why, name = kernel.getName().str();
  std::optional<VendorWork> work =
      vendorWorkOf(kernel, chip, [&](const Twine &reason) { why = reason.str(); });
  if (!work)
    return found.others.push_back({name, why});
  if (const auto *product = std::get_if<VendorProduct>(&*work))
    return addCall(driver == "cuda" ? "cublaslt" : "hipblaslt", name, launches, *product);
  if (driver != "cuda") {
    const char *what =
        std::holds_alternative<rt::ConvolutionCall>(*work) ? "convolutions" : "attention";
    return found.others.push_back(
        {name, std::string("no library for ") + what + " is known on " + driver.str()});
  }
  if (const auto *gradient = std::get_if<VendorGradient>(&*work))
    return addGradient(*gradient, launches, name);
  if (const auto *attention = std::get_if<rt::AttentionCall>(&*work))
    return addCall("cudnn", name, launches, *attention);
  convolutions.push_back({std::get<rt::ConvolutionCall>(*work), launches, name});
}

/// Whether the host hands the results of `kernel` to those kernels alone.
bool Finder::isOnlyReadBy(llvm::StringRef kernel, llvm::ArrayRef<std::string> readers) {
  bool isRead = false, isReadElsewhere = false;
  module.walk([&](func::CallOp call) {
    if (call.getCallee() != kernel)
      return;
    for (Operation *user : call->getUsers()) {
      auto reader = dyn_cast<func::CallOp>(user);
      bool isHere = reader && llvm::is_contained(readers, reader.getCallee().str());
      (isHere ? isRead : isReadElsewhere) = true;
    }
  });
  return isRead && !isReadElsewhere;
}

/// The library computes the sum over columns of result times cotangent, too.
void Finder::takeRowSums(GradientKernels &gradient) {
  llvm::erase_if(found.others, [&](const KernelWithoutPeer &other) {
    auto kernel = module.lookupSymbol<func::FuncOp>(other.kernel);
    bool isPart = launches.lookup(other.kernel) == gradient.launches &&
                  sumsRowsOfProducts(kernel) && isOnlyReadBy(other.kernel, gradient.kernels);
    if (isPart)
      gradient.kernels.push_back(other.kernel);
    return isPart;
  });
}

void Finder::finish(GradientKernels gradient) {
  if (!gradient.isWhole()) {
    for (const std::string &kernel : gradient.kernels)
      found.others.push_back(
          {kernel, "the library computes the gradients of queries, keys and values at once, of "
                   "which the function has not all"});
    return;
  }
  takeRowSums(gradient);
  found.calls.push_back({"cudnn", gradient.kernels, gradient.launches, gradient.work.call});
}

/// The kernel that alone makes the images of a convolution, for nothing else; null if there is
/// none.
func::FuncOp Finder::imageMaker(const Convolution &convolution) {
  std::optional<unsigned> image =
      imageArgument(module.lookupSymbol<func::FuncOp>(convolution.kernel));
  std::string maker;
  bool isOne = image.has_value();
  module.walk([&](func::CallOp call) {
    if (!isOne || call.getCallee() != convolution.kernel)
      return;
    auto made = call.getOperand(*image).getDefiningOp<func::CallOp>();
    isOne = made && (maker.empty() || made.getCallee() == maker);
    if (isOne)
      maker = made.getCallee().str();
  });
  isOne = isOne && !maker.empty() && launches.lookup(maker) == convolution.launches &&
          isOnlyReadBy(maker, convolution.kernel);
  return isOne ? module.lookupSymbol<func::FuncOp>(maker) : func::FuncOp();
}

/// The library reads an image without its padding: a kernel that writes that is part of the call.
void Finder::finish(const Convolution &convolution) {
  PeerCall call{"cudnn", {convolution.kernel}, convolution.launches, convolution.call};
  if (func::FuncOp maker = imageMaker(convolution))
    if (std::optional<rt::ConvolutionCall> padded = withPadding(convolution.call, maker)) {
      call.work = *padded;
      call.kernels.push_back(maker.getName().str());
      llvm::erase_if(found.others, [&](const KernelWithoutPeer &other) {
        return other.kernel == maker.getName();
      });
    }
  found.calls.push_back(std::move(call));
}

PeerCalls Finder::run() {
  module.walk([&](func::CallOp call) { ++launches[call.getCallee()]; });
  for (func::FuncOp kernel : module.getOps<func::FuncOp>())
    if (int64_t count = launches.lookup(kernel.getName()); isKernel(kernel) && count > 0)
      add(kernel, count);
  for (GradientKernels &gradient : gradients)
    finish(std::move(gradient));
  for (const Convolution &convolution : convolutions)
    finish(convolution);
  return std::move(found);
}

PeerCalls forge::peerCallsOf(ModuleOp module, const GPUChip &chip, llvm::StringRef driver) {
  return Finder(module, chip, driver).run();
}
