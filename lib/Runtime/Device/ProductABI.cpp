// The C functions for products, over DeviceContext. As in DeviceABI.cpp, each does its work in a
// function of its own, so that nothing with a destructor is alive where Context::leave jumps out.
#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/VendorBlas.h"

#include <bit>
#include <optional>

#include "ABIContext.h"

using namespace forge;
using namespace forge::rt;

static bool multiply(const forge_rt_matmul &product, const MatmulOperands &operands) {
  DeviceContext *where = device();
  return where && record(where->multiply(product, operands));
}

void forge_rt_device_matmul(const struct forge_rt_matmul *product, const void *lhs, const void *rhs,
                            const void *bias, const void *residual, void *out,
                            const char *description) {
  if (!multiply(*product, {lhs, rhs, bias, residual, out, description ? description : ""}))
    Context::leave();
}

namespace {
/// What follows the product, and when it is worth a call.
struct ProductOptions {
  int64_t hasBias, hasResidual, epilogue, least;
};
/// lhs, rhs and out as [batch, rows, columns].
struct ProductMemRefs {
  MemRef lhs, rhs, bias, residual, out;
};
/// How the library is told of a batch of matrices.
struct Matrices {
  int64_t transposed = 0, stride = 0, batchStride = 0;
};
} // namespace

/// Nothing if neither rows nor columns are side by side.
static std::optional<Matrices> matricesOf(MemRef memref) {
  int64_t rows = memref.size(1), columns = memref.size(2);
  int64_t rowStride = memref.stride(1), columnStride = memref.stride(2);
  Matrices matrices;
  matrices.batchStride = memref.stride(0);
  if (columnStride == 1 || columns == 1)
    matrices.stride = rows == 1 ? columns : rowStride;
  else if (rowStride == 1 || rows == 1) {
    matrices.transposed = 1;
    matrices.stride = columnStride;
  } else {
    return std::nullopt;
  }
  return matrices;
}

static std::optional<forge_rt_matmul> describeProduct(forge_rt_type in, forge_rt_type out,
                                                      const ProductMemRefs &memrefs,
                                                      const ProductOptions &options) {
  std::optional<Matrices> lhs = matricesOf(memrefs.lhs), rhs = matricesOf(memrefs.rhs),
                          result = matricesOf(memrefs.out);
  if (!lhs || !rhs || !result || result->transposed)
    return std::nullopt;
  forge_rt_matmul description{};
  description.batch = memrefs.out.size(0);
  description.m = memrefs.out.size(1);
  description.n = memrefs.out.size(2);
  description.k = memrefs.lhs.size(2);
  description.lhsType = description.rhsType = in;
  description.outType = out;
  description.lhsTransposed = lhs->transposed;
  description.rhsTransposed = rhs->transposed;
  description.lhsStride = lhs->stride;
  description.rhsStride = rhs->stride;
  description.outStride = result->stride;
  description.lhsBatchStride = lhs->batchStride;
  description.rhsBatchStride = rhs->batchStride;
  description.outBatchStride = result->batchStride;
  description.epilogue = options.epilogue;
  description.alpha = std::bit_cast<int64_t>(1.0);
  return description;
}

/// False if the run is to end; `done` says whether the library has taken the product.
static bool multiplyMemRefs(forge_rt_type in, forge_rt_type out, const ProductMemRefs &memrefs,
                            const ProductOptions &options, bool &done) {
  DeviceContext *where = device();
  if (!where)
    return false;
  done = false;
  for (const MemRef *memref : {&memrefs.lhs, &memrefs.rhs, &memrefs.out})
    if (memref->rank() != 3) {
      context().recordError("expected operands of a product of rank 3, but got " +
                            std::to_string(memref->rank()));
      return false;
    }
  std::optional<forge_rt_matmul> description = describeProduct(in, out, memrefs, options);
  if (!description)
    return true;
  // In double: sizes that overflow 64 bits are many. A sum of nothing is no library's business.
  double multiplications = double(description->batch) * double(description->m) *
                           double(description->n) * double(description->k);
  if (multiplications == 0 || multiplications < double(options.least))
    return true;
  static const size_t bytes[] = {4, 2, 2, 1, 1, 8};
  MatmulOperands operands{memrefs.lhs.base(bytes[in]),
                          memrefs.rhs.base(bytes[in]),
                          options.hasBias ? memrefs.bias.base(bytes[out]) : nullptr,
                          options.hasResidual ? memrefs.residual.base(bytes[out]) : nullptr,
                          memrefs.out.base(bytes[out]),
                          "library"};
  return take(where->multiplyIfOffered(*description, operands), done);
}

#define FORGE_DEVICE_PRODUCT(suffix, in, out)                                                      \
  int32_t forge_rt_device_product_##suffix(                                                        \
      int64_t lhsRank, void *lhs, int64_t rhsRank, void *rhs, int64_t biasRank, void *bias,        \
      int64_t residualRank, void *residual, int64_t outRank, void *result, int64_t hasBias,        \
      int64_t hasResidual, int64_t epilogue, int64_t least) {                                      \
    bool done = false;                                                                             \
    if (!multiplyMemRefs(in, out,                                                                  \
                         {MemRef(lhsRank, lhs), MemRef(rhsRank, rhs), MemRef(biasRank, bias),      \
                          MemRef(residualRank, residual), MemRef(outRank, result)},                \
                         {hasBias, hasResidual, epilogue, least}, done))                           \
      Context::leave();                                                                            \
    return done;                                                                                   \
  }
FORGE_DEVICE_PRODUCT(f32_f32, FORGE_RT_F32, FORGE_RT_F32)
FORGE_DEVICE_PRODUCT(f64_f64, FORGE_RT_F64, FORGE_RT_F64)
FORGE_DEVICE_PRODUCT(f16_f32, FORGE_RT_F16, FORGE_RT_F32)
FORGE_DEVICE_PRODUCT(f16_f16, FORGE_RT_F16, FORGE_RT_F16)
FORGE_DEVICE_PRODUCT(bf16_f32, FORGE_RT_BF16, FORGE_RT_F32)
FORGE_DEVICE_PRODUCT(bf16_bf16, FORGE_RT_BF16, FORGE_RT_BF16)
