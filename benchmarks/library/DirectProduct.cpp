#include "DirectProduct.h"

#include "forge/Support/HostTensor.h"

#include <cstdio>
#include <cublasLt.h>
#include <cuda.h>
#include <dlfcn.h>
#include <random>
#include <vector>

using namespace forge;
using namespace forge::bench;

Result<ProductSpec> ProductSpec::parse(const std::string &description) {
  ProductSpec spec;
  char in[16] = {}, rhs[16] = {}, out[16] = {};
  if (std::sscanf(description.c_str(), "%ldx%ldx%ld product, %15s x %15s -> %15[a-z0-9]", &spec.m,
                  &spec.n, &spec.k, in, rhs, out) != 6)
    return Error{"expected a product of two matrices, but got " + description};
  spec.in = in;
  spec.out = out;
  spec.rhsTransposed = rhs == spec.in + "^T";
  if (!spec.rhsTransposed && rhs != spec.in)
    return Error{"expected factors of one type, the left one not transposed, but got " +
                 description};
  auto has = [&](const char *word) {
    return description.find(std::string(", ") + word) != std::string::npos;
  };
  spec.bias = has("bias");
  spec.residual = has("residual");
  spec.activation = has("gelu_tanh") ? "gelu_tanh" : has("relu") ? "relu" : "";
  return spec;
}

namespace {
/// The functions that are called, found in the libraries of this machine.
struct Functions {
#define FORGE_FUNCTION(name) decltype(&::name) name = nullptr;
#define FORGE_FUNCTIONS(DRIVER, LIBRARY)                                                           \
  DRIVER(cuInit)                                                                                   \
  DRIVER(cuDevicePrimaryCtxRetain) DRIVER(cuCtxSetCurrent) DRIVER(cuMemAlloc) DRIVER(cuMemcpyHtoD) \
      DRIVER(cuEventCreate) DRIVER(cuEventRecord) DRIVER(cuEventSynchronize)                       \
          DRIVER(cuEventElapsedTime) LIBRARY(cublasLtCreate) LIBRARY(cublasLtMatmulDescCreate)     \
              LIBRARY(cublasLtMatmulDescSetAttribute) LIBRARY(cublasLtMatrixLayoutCreate)          \
                  LIBRARY(cublasLtMatmulPreferenceCreate)                                          \
                      LIBRARY(cublasLtMatmulPreferenceSetAttribute)                                \
                          LIBRARY(cublasLtMatmulAlgoGetHeuristic) LIBRARY(cublasLtMatmul)
  FORGE_FUNCTIONS(FORGE_FUNCTION, FORGE_FUNCTION)
#undef FORGE_FUNCTION
};

class Direct final : public DirectProduct {
public:
  explicit Direct(const ProductSpec &spec) : spec(spec) {}
  Result<void> start();
  Result<double> run() override;

private:
  Result<void> findFunctions();
  Result<CUdeviceptr> draw(const std::string &type, int64_t elements);
  Result<void> describe();

  // Everything lives as long as the process.
  ProductSpec spec;
  Functions call;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr;
  cublasLtMatmulHeuristicResult_t chosen{};
  CUdeviceptr lhs = 0, rhs = 0, bias = 0, residual = 0, out = 0, workspace = 0;
  CUevent before = nullptr, after = nullptr;
};
} // namespace

static constexpr size_t kWorkspaceBytes = size_t(32) << 20;

static Result<void> check(const char *what, int code) {
  if (code == 0)
    return {};
  return Error{std::string(what) + " gave " + std::to_string(code)};
}

static Result<cudaDataType_t> typeOf(const std::string &name) {
  if (name == "bf16")
    return CUDA_R_16BF;
  if (name == "f16")
    return CUDA_R_16F;
  if (name == "f32")
    return CUDA_R_32F;
  return Error{"expected bf16, f16 or f32, but got " + name};
}

// cuda.h names the versions of functions by macros.
#define FORGE_STRING(name) #name
#define FORGE_SYMBOL(name) FORGE_STRING(name)

Result<void> Direct::findFunctions() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW), *library = nullptr;
  for (const char *name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
    if (!library)
      library = dlopen(name, RTLD_NOW);
  if (!driver || !library)
    return Error{std::string("no ") + (driver ? "cuBLASLt" : "NVIDIA driver") + " here"};
  std::string missing;
  auto find = [&](void *from, const char *symbol, auto &function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(from, symbol));
    if (!function)
      missing += std::string(" ") + symbol;
  };
#define FORGE_FIND_DRIVER(name) find(driver, FORGE_SYMBOL(name), call.name);
#define FORGE_FIND_LIBRARY(name) find(library, #name, call.name);
  FORGE_FUNCTIONS(FORGE_FIND_DRIVER, FORGE_FIND_LIBRARY)
  return missing.empty() ? Result<void>() : Result<void>(Error{"not found:" + missing});
}

/// A table of values, walked with an odd step: large operands are drawn in no time.
Result<CUdeviceptr> Direct::draw(const std::string &type, int64_t elements) {
  Result<HostTensor> tensor = HostTensor::create(*parseDType(type), {elements});
  if (!tensor)
    return tensor.error();
  std::mt19937 random(static_cast<uint32_t>(elements));
  std::vector<uint64_t> bits(4099);
  for (uint64_t &word : bits) {
    tensor->setDouble(0, 2 * (random() / 4294967296.0) - 1);
    word = tensor->getBits(0);
  }
  for (int64_t i = 0; i < elements; ++i)
    tensor->setBits(i, bits[static_cast<size_t>(i * 2741 % 4099)]);
  CUdeviceptr pointer = 0;
  if (Result<void> done = check("cuMemAlloc", call.cuMemAlloc(&pointer, tensor->numBytes())); !done)
    return done.error();
  if (Result<void> done =
          check("cuMemcpyHtoD", call.cuMemcpyHtoD(pointer, tensor->data(), tensor->numBytes()));
      !done)
    return done.error();
  return pointer;
}

/// Column-major, the library computes out^T = rhs^T lhs^T.
Result<void> Direct::describe() {
  Result<cudaDataType_t> in = typeOf(spec.in), result = typeOf(spec.out);
  if (!in || !result)
    return in ? result.error() : in.error();
  int code = call.cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  auto set = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
    if (code == 0)
      code = call.cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value);
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, spec.rhsTransposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
  uint32_t epilogue = spec.activation == "relu"        ? CUBLASLT_EPILOGUE_RELU
                      : spec.activation == "gelu_tanh" ? CUBLASLT_EPILOGUE_GELU
                                                       : 0;
  epilogue |= spec.bias ? CUBLASLT_EPILOGUE_BIAS : 0;
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue ? epilogue : uint32_t(CUBLASLT_EPILOGUE_DEFAULT));
  if (spec.bias)
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  auto u = [](int64_t size) { return static_cast<uint64_t>(size); };
  uint64_t rowsA = u(spec.rhsTransposed ? spec.k : spec.n);
  auto layout = [&](cublasLtMatrixLayout_t &made, cudaDataType_t type, uint64_t rows,
                    uint64_t columns) {
    if (code == 0)
      code = call.cublasLtMatrixLayoutCreate(&made, type, rows, columns, int64_t(rows));
  };
  layout(a, *in, rowsA, u(spec.n + spec.k) - rowsA);
  layout(b, *in, u(spec.k), u(spec.m));
  layout(d, *result, u(spec.n), u(spec.m));
  cublasLtMatmulPreference_t preference = nullptr;
  if (code == 0)
    code = call.cublasLtMatmulPreferenceCreate(&preference);
  if (code == 0)
    code = call.cublasLtMatmulPreferenceSetAttribute(preference,
                                                     CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                     &kWorkspaceBytes, sizeof kWorkspaceBytes);
  if (Result<void> done = check("describing the product", code); !done)
    return done;
  int found = 0;
  code = call.cublasLtMatmulAlgoGetHeuristic(handle, operation, a, b, d, d, preference, 1, &chosen,
                                             &found);
  return check("cublasLtMatmulAlgoGetHeuristic", code ? code : found ? 0 : -1);
}

Result<void> Direct::start() {
  if (Result<void> done = findFunctions(); !done)
    return done;
  CUcontext context = nullptr;
  int code = call.cuInit(0);
  if (code == 0)
    code = call.cuDevicePrimaryCtxRetain(&context, 0);
  if (code == 0)
    code = call.cuCtxSetCurrent(context);
  if (code == 0)
    code = call.cublasLtCreate(&handle);
  if (code == 0)
    code = call.cuMemAlloc(&workspace, kWorkspaceBytes);
  for (CUevent *event : {&before, &after})
    if (code == 0)
      code = call.cuEventCreate(event, CU_EVENT_DEFAULT);
  if (Result<void> done = check("opening the device", code); !done)
    return done;
  struct Operand {
    CUdeviceptr &pointer;
    const std::string &type;
    int64_t elements;
  };
  for (const Operand &operand :
       {Operand{lhs, spec.in, spec.m * spec.k}, Operand{rhs, spec.in, spec.k * spec.n},
        Operand{bias, spec.out, spec.n}, Operand{residual, spec.out, spec.m * spec.n},
        Operand{out, spec.out, spec.m * spec.n}}) {
    Result<CUdeviceptr> made = draw(operand.type, operand.elements);
    if (!made)
      return made.error();
    operand.pointer = *made;
  }
  return describe();
}

Result<double> Direct::run() {
  float alpha = 1, beta = spec.residual ? 1 : 0, ms = 0;
  auto at = [](CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); };
  // The default stream: nothing else runs in this process meanwhile.
  int code = call.cuEventRecord(before, nullptr);
  if (code == 0)
    code = call.cublasLtMatmul(handle, operation, &alpha, at(rhs), a, at(lhs), b, &beta,
                               at(spec.residual ? residual : out), d, at(out), d, &chosen.algo,
                               at(workspace), kWorkspaceBytes, nullptr);
  if (code == 0)
    code = call.cuEventRecord(after, nullptr);
  if (code == 0)
    code = call.cuEventSynchronize(after);
  if (code == 0)
    code = call.cuEventElapsedTime(&ms, before, after);
  if (Result<void> done = check("cublasLtMatmul", code); !done)
    return done.error();
  return double(ms);
}

Result<std::unique_ptr<DirectProduct>> forge::bench::createDirectProduct(const ProductSpec &spec) {
  auto made = std::make_unique<Direct>(spec);
  if (Result<void> done = made->start(); !done)
    return done.error();
  return std::unique_ptr<DirectProduct>(std::move(made));
}
