// Row-major products by libraries that think column-major. A row-major matrix is its own transpose
// column-major, so out^T = op(rhs)^T op(lhs)^T is asked for: A is rhs, B is lhs, m and n change
// places, and "transposed" keeps its meaning. The bias, one element per column of out, is one per
// row of D, which is what the epilogue adds; the residual is C.
//
// 1. The first time a product is seen (its description, which operands there are, how they are
//    aligned): descriptors are made, and the library's heuristic chooses an algorithm, or says that
//    there is none.
// 2. From then on the answer is looked up, and a call is one call of the library: also while a
//    graph is captured, since nothing is allocated.
#include "LtBlas.h"

#include <bit>
#include <cstring>
#include <map>

using namespace forge;
using namespace forge::rt;

/// What NVIDIA recommends for Hopper (cuBLAS documentation 13.0, 2.1.1); allocated once.
static constexpr size_t kWorkspaceBytes = size_t(32) << 20;
/// One result of the heuristic: 96 bytes in cuBLASLt, the algorithm first.
static constexpr size_t kHeuristicBytes = 1024;

namespace {
/// A descriptor destroyed by a function of the library.
using Handle = std::unique_ptr<void, int (*)(void *)>;

/// Everything about a product but its pointers.
struct ProductPlan {
  Handle desc, a, b, d;
  /// Why the library does not offer it; empty if it does.
  std::string refusal;
  alignas(16) char heuristic[kHeuristicBytes] = {};
};

/// Products are the same for the library when these words are: the description, whether there is a
/// bias, and how the pointers are aligned.
using PlanKey = std::vector<int64_t>;

class LtBlas final : public VendorBlas {
public:
  LtBlas(std::shared_ptr<Device> device, Library library, LtFunctions functions, LtNumbers numbers,
         LtFloat8 float8)
      : device(std::move(device)), library(std::move(library)), lt(functions), numbers(numbers),
        float8(float8), generation(this->device->generation()) {}
  ~LtBlas() override {
    plans.clear();
    if (generation != device->generation() || device->isLost())
      return;
    if (handle)
      lt.destroy(handle);
    (void)device->release(workspace);
  }
  Result<void> start();

  std::string description() const override { return library.name(); }
  Result<void> prepare(const forge_rt_matmul &product, const MatmulOperands &operands) override {
    Result<ProductPlan *> plan = planFor(product, operands);
    return plan ? Result<void>() : Result<void>(plan.error());
  }
  Result<void> multiply(Stream &stream, const forge_rt_matmul &product,
                        const MatmulOperands &operands) override;

private:
  Result<ProductPlan *> planFor(const forge_rt_matmul &product, const MatmulOperands &operands);
  Result<void> checkFloat8(const forge_rt_matmul &product) const;
  Result<void> describe(ProductPlan &plan, const forge_rt_matmul &product,
                        const MatmulOperands &operands) const;
  Result<void> choose(ProductPlan &plan, const forge_rt_matmul &product,
                      const MatmulOperands &operands) const;
  Result<void> setBias(ProductPlan &plan, const void *bias) const;
  Result<Handle> layout(int64_t type, int64_t rows, int64_t columns, int64_t stride, int64_t batch,
                        int64_t batchStride) const;
  Result<void> check(const char *call, int code) const {
    if (code == 0)
      return {};
    return Error{std::string(call) + ": " + statusName(code)};
  }
  std::string statusName(int code) const;

  std::shared_ptr<Device> device;
  Library library;
  LtFunctions lt;
  LtNumbers numbers;
  LtFloat8 float8;
  uint64_t generation;
  void *handle = nullptr;
  void *workspace = nullptr;
  std::map<PlanKey, std::unique_ptr<ProductPlan>> plans;
};
} // namespace

std::string LtBlas::statusName(int code) const {
  const char *(*name)(int) = nullptr;
  if (library.find("cublasLtGetStatusName", name))
    return name(code);
  // hipblasStatus_t.
  static const char *const names[] = {
      "SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",  "INVALID_VALUE", "MAPPING_ERROR",
      "EXECUTION_FAILED", "INTERNAL_ERROR",  "NOT_SUPPORTED", "ARCH_MISMATCH", "HANDLE_IS_NULLPTR"};
  return "HIPBLAS_STATUS_" + (code >= 0 && code < 10 ? names[code] : std::to_string(code));
}

Result<void> LtBlas::start() {
  // The library works in the device's context, which this call makes current.
  if (Result<void> done = device->synchronize(); !done)
    return done;
  if (Result<void> done = check("creating a handle", lt.create(&handle)); !done)
    return done;
  Result<void *> memory = device->allocate(kWorkspaceBytes);
  if (!memory)
    return memory.error();
  workspace = *memory;
  return {};
}

/// cudaDataType and hipDataType agree here.
static int dataType(int64_t type) {
  static const int types[] = {/*f32*/ 0, /*f16*/ 2, /*bf16*/ 14, /*e4m3*/ 28, /*e5m2*/ 29,
                              /*f64*/ 1};
  return types[type];
}

Result<Handle> LtBlas::layout(int64_t type, int64_t rows, int64_t columns, int64_t stride,
                              int64_t batch, int64_t batchStride) const {
  void *made = nullptr;
  if (Result<void> done = check("making a layout",
                                lt.layoutCreate(&made, dataType(type), static_cast<uint64_t>(rows),
                                                static_cast<uint64_t>(columns), stride));
      !done)
    return done.error();
  Handle layout(made, lt.layoutDestroy);
  int32_t count = static_cast<int32_t>(batch);
  int code = lt.layoutSet(made, numbers.batchCount, &count, sizeof count);
  if (code == 0)
    code = lt.layoutSet(made, numbers.batchOffset, &batchStride, sizeof batchStride);
  if (Result<void> done = check("setting a layout", code); !done)
    return done.error();
  return layout;
}

Result<void> LtBlas::describe(ProductPlan &plan, const forge_rt_matmul &product,
                              const MatmulOperands &operands) const {
  // 1. The operation.
  bool doubles = product.outType == FORGE_RT_F64;
  void *desc = nullptr;
  int code = lt.descCreate(&desc, doubles ? numbers.compute64F : numbers.compute32F,
                           dataType(doubles ? FORGE_RT_F64 : FORGE_RT_F32));
  if (Result<void> done = check("describing the product", code); !done)
    return done;
  plan.desc = Handle(desc, lt.descDestroy);
  auto set = [&](int attribute, int32_t value) {
    if (code == 0)
      code = lt.descSet(desc, attribute, &value, sizeof value);
  };
  auto operation = [&](int64_t flag) { return flag ? numbers.transpose : numbers.noTranspose; };
  set(numbers.transA, operation(product.rhsTransposed));
  set(numbers.transB, operation(product.lhsTransposed));
  // DEFAULT 1, RELU 2, BIAS 4, GELU 32, and their sums: the same in both libraries.
  int32_t epilogue = product.epilogue == FORGE_RT_EPILOGUE_RELU        ? 2
                     : product.epilogue == FORGE_RT_EPILOGUE_GELU_TANH ? 32
                                                                       : 0;
  epilogue += operands.bias ? 4 : 0;
  set(numbers.epilogue, epilogue ? epilogue : 1);
  if (operands.bias)
    set(numbers.biasType, dataType(product.outType));
  if (Result<void> done = check("setting the product", code); !done)
    return done;
  if (operands.bias)
    if (Result<void> done = setBias(plan, operands.bias); !done)
      return done;

  // 2. The matrices, as the library sees them.
  int64_t rowsA = product.rhsTransposed ? product.k : product.n;
  int64_t rowsB = product.lhsTransposed ? product.m : product.k;
  Result<Handle> a = layout(product.rhsType, rowsA, product.k + product.n - rowsA,
                            product.rhsStride, product.batch, product.rhsBatchStride);
  Result<Handle> b = layout(product.lhsType, rowsB, product.k + product.m - rowsB,
                            product.lhsStride, product.batch, product.lhsBatchStride);
  Result<Handle> d = layout(product.outType, product.n, product.m, product.outStride, product.batch,
                            product.outBatchStride);
  for (const Result<Handle> *made : {&a, &b, &d})
    if (!*made)
      return made->error();
  plan.a = std::move(*a);
  plan.b = std::move(*b);
  plan.d = std::move(*d);
  return {};
}

Result<void> LtBlas::setBias(ProductPlan &plan, const void *bias) const {
  return check("setting the bias", lt.descSet(plan.desc.get(), numbers.biasPointer,
                                              static_cast<const void *>(&bias), sizeof bias));
}

/// The bytes `pointer` is a multiple of, up to 256: what the libraries ask for at most.
static uint32_t alignmentOf(const void *pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer) | 256;
  return static_cast<uint32_t>(address & (~address + 1));
}

/// Split sums are added up in f32, in a fixed order, and rounded once: partial sums are never of
/// the output's type (cublasLtReductionScheme_t: COMPUTE_TYPE; NONE is 0).
static constexpr uint32_t kReductionInComputeType = 2;

Result<void> LtBlas::choose(ProductPlan &plan, const forge_rt_matmul &product,
                            const MatmulOperands &operands) const {
  void *made = nullptr;
  if (Result<void> done = check("stating a preference", lt.preferenceCreate(&made)); !done)
    return done;
  Handle preference(made, lt.preferenceDestroy);
  int code = 0;
  auto set = [&](int attribute, auto value) {
    if (code == 0)
      code = lt.preferenceSet(made, attribute, &value, sizeof value);
  };
  set(numbers.maxWorkspaceBytes, uint64_t(kWorkspaceBytes));
  if (numbers.reductionSchemes >= 0)
    set(numbers.reductionSchemes, kReductionInComputeType);
  if (numbers.minAlignmentA >= 0) {
    const void *c = operands.residual ? operands.residual : operands.out;
    int attribute = numbers.minAlignmentA;
    for (const void *pointer : {operands.rhs, operands.lhs, c, (const void *)operands.out})
      set(attribute++, alignmentOf(pointer));
  }
  if (Result<void> done = check("stating a preference", code); !done)
    return done;
  int found = 0;
  code = lt.heuristic(handle, plan.desc.get(), plan.a.get(), plan.b.get(), plan.d.get(),
                      plan.d.get(), made, 1, plan.heuristic, &found);
  if (code == 0 && found > 0)
    return {};
  return Error{library.name() + " has no algorithm for a " + describeMatmul(product, operands) +
               (code ? ": " + statusName(code) : "")};
}

Result<void> LtBlas::checkFloat8(const forge_rt_matmul &product) const {
  auto isFloat8 = [](int64_t type) { return type == FORGE_RT_F8E4M3FN || type == FORGE_RT_F8E5M2; };
  if (!isFloat8(product.lhsType) && !isFloat8(product.rhsType) && !isFloat8(product.outType))
    return {};
  if (float8 == LtFloat8::None)
    return Error{library.name() + " has no OCP 8-bit floats on " + device->properties().chip +
                 " for a " + describeMatmul(product)};
  // cuBLAS documentation 13.0, cublasLtMatmul(), "FP8 kernels".
  bool innermost = !product.lhsTransposed && product.rhsTransposed;
  bool words = product.k % 16 == 0 && product.lhsStride % 16 == 0 && product.rhsStride % 16 == 0;
  bool twiceE5M2 = product.lhsType == FORGE_RT_F8E5M2 && product.rhsType == FORGE_RT_F8E5M2;
  bool bothNarrow = isFloat8(product.lhsType) && isFloat8(product.rhsType);
  if (float8 == LtFloat8::Any || (innermost && words && !twiceE5M2 && bothNarrow))
    return {};
  return Error{library.name() + " multiplies 8-bit floats with 8-bit floats, not f8e5m2 twice, " +
               "with k innermost in both (lhs as stored, rhs transposed), rows in multiples of " +
               "16 elements, but got a " + describeMatmul(product)};
}

Result<ProductPlan *> LtBlas::planFor(const forge_rt_matmul &product,
                                      const MatmulOperands &operands) {
  if (Result<void> ok = checkMatmul(product, operands); !ok)
    return ok.error();
  PlanKey key(sizeof product / sizeof(int64_t));
  std::memcpy(key.data(), &product, sizeof product);
  for (const void *pointer : {operands.lhs, operands.rhs, operands.bias, operands.residual,
                              static_cast<const void *>(operands.out)})
    key.push_back(pointer ? alignmentOf(pointer) : 0);
  auto answer = [](ProductPlan &plan) {
    return plan.refusal.empty() ? Result<ProductPlan *>(&plan)
                                : Result<ProductPlan *>(Error{plan.refusal});
  };
  std::unique_ptr<ProductPlan> &slot = plans[key];
  if (slot)
    return answer(*slot);
  auto plan = std::make_unique<ProductPlan>(
      ProductPlan{Handle(nullptr, lt.descDestroy), Handle(nullptr, lt.layoutDestroy),
                  Handle(nullptr, lt.layoutDestroy), Handle(nullptr, lt.layoutDestroy), ""});
  Result<void> done = checkFloat8(product);
  if (done)
    done = describe(*plan, product, operands);
  if (done)
    done = choose(*plan, product, operands);
  if (!done)
    plan->refusal = done.error().message;
  slot = std::move(plan);
  return answer(*slot);
}

Result<void> LtBlas::multiply(Stream &stream, const forge_rt_matmul &product,
                              const MatmulOperands &operands) {
  auto failed = [&](const Error &error) {
    return Error{error.message + " while enqueueing a " + describeMatmul(product, operands) +
                 (*operands.description ? std::string(" (") + operands.description + ")" : "")};
  };
  Result<ProductPlan *> plan = planFor(product, operands);
  if (!plan)
    return failed(plan.error());
  if (operands.bias)
    if (Result<void> done = setBias(**plan, operands.bias); !done)
      return failed(done.error());
  double alpha64 = std::bit_cast<double>(product.alpha), beta64 = operands.residual ? 1 : 0;
  float alpha32 = static_cast<float>(alpha64), beta32 = static_cast<float>(beta64);
  bool doubles = product.outType == FORGE_RT_F64;
  const void *alpha = doubles ? static_cast<const void *>(&alpha64) : &alpha32;
  const void *beta = doubles ? static_cast<const void *>(&beta64) : &beta32;
  const void *c = operands.residual ? operands.residual : operands.out;
  int code =
      lt.matmul(handle, (*plan)->desc.get(), alpha, operands.rhs, (*plan)->a.get(), operands.lhs,
                (*plan)->b.get(), beta, c, (*plan)->d.get(), operands.out, (*plan)->d.get(),
                (*plan)->heuristic, workspace, kWorkspaceBytes, stream.native());
  Result<void> done = check("the library's product", code);
  return done ? done : Result<void>(failed(done.error()));
}

Result<std::unique_ptr<VendorBlas>>
forge::rt::createLtBlas(std::shared_ptr<Device> device, Library library, const std::string &prefix,
                        const LtNumbers &numbers, LtFloat8 float8) {
  LtFunctions lt{};
  FunctionFinder finder(library);
  auto require = [&](const char *suffix, auto &function) {
    finder.require((prefix + suffix).c_str(), function);
  };
  require("Create", lt.create);
  require("Destroy", lt.destroy);
  require("MatmulDescCreate", lt.descCreate);
  require("MatmulDescDestroy", lt.descDestroy);
  require("MatmulDescSetAttribute", lt.descSet);
  require("MatrixLayoutCreate", lt.layoutCreate);
  require("MatrixLayoutDestroy", lt.layoutDestroy);
  require("MatrixLayoutSetAttribute", lt.layoutSet);
  require("MatmulPreferenceCreate", lt.preferenceCreate);
  require("MatmulPreferenceDestroy", lt.preferenceDestroy);
  require("MatmulPreferenceSetAttribute", lt.preferenceSet);
  require("MatmulAlgoGetHeuristic", lt.heuristic);
  require("Matmul", lt.matmul);
  if (!finder.missing().empty())
    return Error{library.name() + " has no " + finder.missing()};
  auto blas = std::make_unique<LtBlas>(std::move(device), std::move(library), lt, numbers, float8);
  if (Result<void> done = blas->start(); !done)
    return Error{blas->description() + ": " + done.error().message};
  return std::unique_ptr<VendorBlas>(std::move(blas));
}
