// The C functions for products, over DeviceContext. As in DeviceABI.cpp, each does its work in a
// function of its own, so that nothing with a destructor is alive where Context::leave jumps out.
#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/VendorBlas.h"

#include <bit>

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
/// How a contraction's dimensions are those of matrices, and what follows it.
struct ProductShape {
  int64_t batchDims, rowDims, columnDims, lhsTransposed, rhsTransposed;
  int64_t hasBias, hasResidual, epilogue, least;
};
struct ProductMemRefs {
  MemRef lhs, rhs, bias, residual, out;
};
} // namespace

static forge_rt_matmul describeProduct(forge_rt_type in, forge_rt_type out,
                                       const ProductMemRefs &memrefs, const ProductShape &shape) {
  forge_rt_matmul description{};
  MemRef lhs = memrefs.lhs, result = memrefs.out;
  int64_t sumDims = lhs.rank() - shape.batchDims - shape.rowDims;
  int64_t sumAt = shape.batchDims + (shape.lhsTransposed ? 0 : shape.rowDims);
  description.batch = extent(result, 0, shape.batchDims);
  description.m = extent(result, shape.batchDims, shape.batchDims + shape.rowDims);
  description.n = extent(result, shape.batchDims + shape.rowDims, result.rank());
  description.k = extent(lhs, sumAt, sumAt + sumDims);
  description.lhsType = description.rhsType = in;
  description.outType = out;
  description.lhsTransposed = shape.lhsTransposed;
  description.rhsTransposed = shape.rhsTransposed;
  description.lhsStride = shape.lhsTransposed ? description.m : description.k;
  description.rhsStride = shape.rhsTransposed ? description.k : description.n;
  description.outStride = description.n;
  description.lhsBatchStride = description.m * description.k;
  description.rhsBatchStride = description.k * description.n;
  description.outBatchStride = description.m * description.n;
  description.epilogue = shape.epilogue;
  description.alpha = std::bit_cast<int64_t>(1.0);
  return description;
}

/// False if the run is to end; `done` says whether the library has taken the product.
static bool multiplyMemRefs(forge_rt_type in, forge_rt_type out, const ProductMemRefs &memrefs,
                            const ProductShape &shape, bool &done) {
  DeviceContext *where = device();
  if (!where)
    return false;
  forge_rt_matmul description = describeProduct(in, out, memrefs, shape);
  // In double: sizes that overflow 64 bits are many. A sum of nothing is no library's business.
  double multiplications = double(description.batch) * double(description.m) *
                           double(description.n) * double(description.k);
  if (multiplications == 0 || multiplications < double(shape.least)) {
    done = false;
    return true;
  }
  static const size_t bytes[] = {4, 2, 2, 1, 1, 8};
  MatmulOperands operands{memrefs.lhs.base(bytes[in]),
                          memrefs.rhs.base(bytes[in]),
                          shape.hasBias ? memrefs.bias.base(bytes[out]) : nullptr,
                          shape.hasResidual ? memrefs.residual.base(bytes[out]) : nullptr,
                          memrefs.out.base(bytes[out]),
                          "library"};
  return take(where->multiplyIfOffered(description, operands), done);
}

#define FORGE_DEVICE_PRODUCT(suffix, in, out)                                                      \
  int32_t forge_rt_device_product_##suffix(                                                        \
      int64_t lhsRank, void *lhs, int64_t rhsRank, void *rhs, int64_t biasRank, void *bias,        \
      int64_t residualRank, void *residual, int64_t outRank, void *result, int64_t batchDims,      \
      int64_t rowDims, int64_t columnDims, int64_t lhsTransposed, int64_t rhsTransposed,           \
      int64_t hasBias, int64_t hasResidual, int64_t epilogue, int64_t least) {                     \
    bool done = false;                                                                             \
    if (!multiplyMemRefs(in, out,                                                                  \
                         {MemRef(lhsRank, lhs), MemRef(rhsRank, rhs), MemRef(biasRank, bias),      \
                          MemRef(residualRank, residual), MemRef(outRank, result)},                \
                         {batchDims, rowDims, columnDims, lhsTransposed, rhsTransposed, hasBias,   \
                          hasResidual, epilogue, least},                                           \
                         done))                                                                    \
      Context::leave();                                                                            \
    return done;                                                                                   \
  }
FORGE_DEVICE_PRODUCT(f32_f32, FORGE_RT_F32, FORGE_RT_F32)
FORGE_DEVICE_PRODUCT(f64_f64, FORGE_RT_F64, FORGE_RT_F64)
FORGE_DEVICE_PRODUCT(f16_f32, FORGE_RT_F16, FORGE_RT_F32)
FORGE_DEVICE_PRODUCT(f16_f16, FORGE_RT_F16, FORGE_RT_F16)
FORGE_DEVICE_PRODUCT(bf16_f32, FORGE_RT_BF16, FORGE_RT_F32)
FORGE_DEVICE_PRODUCT(bf16_bf16, FORGE_RT_BF16, FORGE_RT_BF16)
