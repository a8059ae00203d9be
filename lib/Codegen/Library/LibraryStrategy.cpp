#include "LibraryStrategy.h"

#include "LibraryProduct.h"

#include "forge/Codegen/KernelWork.h"
#include "forge/Codegen/LibraryUse.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"min_macs"};

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &, ScheduleAttr given,
                                    WhyNot whyNot) {
  // Who asks for it gets it.
  LibraryUse use = *LibraryUse::byName(given.findWord("library"));
  bool isNamed = given.strategy() == libraryStrategy.name;
  if (!isNamed && !use.isAsked()) {
    whyNot("library = never");
    return failure();
  }
  int64_t least = given.findSize("min_macs").value_or(isNamed ? 0 : use.least);
  std::optional<LibraryProduct> product = matchLibraryProduct(kernel);
  if (product && !isNamed && !mayHave(*product, least)) {
    whyNot("there are fewer than " + Twine(least) + " multiplications");
    return failure();
  }
  if (product)
    return given.orSize("min_macs", least);
  whyNot(
      "it is not a product of two matrices, perhaps with bias, residual and activation, that the "
      "library computes");
  return failure();
}

LogicalResult forge::verifyLibraryKernel(func::FuncOp kernel) {
  if (matchLibraryProduct(kernel))
    return success();
  return emitScheduleError(kernel,
                           "expected a product of two matrices, perhaps with bias, residual "
                           "and activation, and nothing else for strategy 'library'");
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr, const GPUChip &) {
  return verifyLibraryKernel(kernel);
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr, const GPUChip &) {
  return emitScheduleError(kernel,
                           "strategy 'library' has no device code: forge-call-library comes first");
}

constexpr Strategy forge::libraryStrategy = {
    "library", kFields, plan, predictFloor, verify, lower, /*callsLibrary=*/true};
