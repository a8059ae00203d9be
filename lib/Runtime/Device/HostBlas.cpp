// Products in host memory: OpenBLAS for f32 and f64, plain loops for the rest.
#include "Library.h"

#include "forge/Runtime/VendorBlas.h"
#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

using namespace forge;
using namespace forge::rt;

namespace {
/// CBLAS: the C interface of the BLAS standard (Technical Forum, 2001), appendix B.
struct OpenBlas {
  enum Order { RowMajor = 101 };
  enum Transpose { NoTrans = 111, Trans = 112 };
  using Sgemm = void(int, int, int, int, int, int, float, const float *, int, const float *, int,
                     float, float *, int);
  using Dgemm = void(int, int, int, int, int, int, double, const double *, int, const double *, int,
                     double, double *, int);
  Library library;
  Sgemm *sgemm = nullptr;
  Dgemm *dgemm = nullptr;
};

size_t bytesOf(int64_t type) {
  static const size_t bytes[] = {4, 2, 2, 1, 1, 8};
  return bytes[type];
}
} // namespace

static std::optional<OpenBlas> findOpenBlas() {
  Result<Library> library = Library::open("OpenBLAS", {"libopenblas.so.0", "libopenblas.so"});
  if (!library)
    return std::nullopt;
  OpenBlas blas{*library};
  if (!library->find("cblas_sgemm", blas.sgemm) || !library->find("cblas_dgemm", blas.dgemm))
    return std::nullopt;
  return blas;
}

namespace {
/// One operand as a matrix: element (row, column) of matrix `batch`, as a double.
class Matrix {
public:
  Matrix(const void *base, int64_t type, bool transposed, int64_t stride, int64_t batchStride)
      : base(static_cast<const char *>(base)), type(type), rowStride(transposed ? 1 : stride),
        columnStride(transposed ? stride : 1), batchStride(batchStride) {}

  double at(int64_t batch, int64_t row, int64_t column) const {
    return load(base, type, batch * batchStride + row * rowStride + column * columnStride);
  }

  static double load(const void *base, int64_t type, int64_t index) {
    if (type == FORGE_RT_F32)
      return static_cast<const float *>(base)[index];
    if (type == FORGE_RT_F64)
      return static_cast<const double *>(base)[index];
    if (bytesOf(type) == 2)
      return decodeFloat(dtypeOf(type), static_cast<const uint16_t *>(base)[index]);
    return decodeFloat(dtypeOf(type), static_cast<const uint8_t *>(base)[index]);
  }

  static void store(void *base, int64_t type, int64_t index, double value) {
    if (type == FORGE_RT_F32)
      static_cast<float *>(base)[index] = static_cast<float>(value);
    else if (type == FORGE_RT_F64)
      static_cast<double *>(base)[index] = value;
    else if (bytesOf(type) == 2)
      static_cast<uint16_t *>(base)[index] =
          static_cast<uint16_t>(encodeFloat(dtypeOf(type), value));
    else
      static_cast<uint8_t *>(base)[index] = static_cast<uint8_t>(encodeFloat(dtypeOf(type), value));
  }

private:
  static DType dtypeOf(int64_t type) {
    static const DType types[] = {DType::F32,      DType::F16,    DType::BF16,
                                  DType::F8E4M3FN, DType::F8E5M2, DType::F64};
    return types[type];
  }
  const char *base;
  int64_t type, rowStride, columnStride, batchStride;
};

class HostBlas final : public VendorBlas {
public:
  HostBlas() : openBlas(findOpenBlas()) {}

  std::string description() const override {
    return openBlas ? openBlas->library.name() + ", plain loops where it has no function"
                    : "plain loops";
  }

  Result<void> prepare(const forge_rt_matmul &product, const MatmulOperands &operands) override {
    return checkMatmul(product, operands);
  }

  Result<void> multiply(Stream &stream, const forge_rt_matmul &product,
                        const MatmulOperands &operands) override {
    if (Result<void> ok = checkMatmul(product, operands); !ok)
      return ok;
    // `this` outlives the stream's graphs: both belong to one context.
    return stream.enqueueHost([this, product, operands] {
      if (!multiplyWithLibrary(product, operands))
        multiplyWithLoops(product, operands);
    });
  }

private:
  bool multiplyWithLibrary(const forge_rt_matmul &product, const MatmulOperands &operands) const;
  static void multiplyWithLoops(const forge_rt_matmul &product, const MatmulOperands &operands);

  std::optional<OpenBlas> openBlas;
};
} // namespace

/// residual, bias and activation on a sum already scaled.
static double finish(const forge_rt_matmul &product, const MatmulOperands &operands, int64_t index,
                     int64_t column, double value) {
  if (operands.residual)
    value += Matrix::load(operands.residual, product.outType, index);
  if (operands.bias)
    value += Matrix::load(operands.bias, product.outType, column);
  if (product.epilogue == FORGE_RT_EPILOGUE_RELU)
    return value < 0 ? 0 : value;
  if (product.epilogue == FORGE_RT_EPILOGUE_GELU_TANH) {
    // Hendrycks and Gimpel, Gaussian Error Linear Units (2016), section 2.
    double inner = 0.7978845608028654 * (value + 0.044715 * value * value * value);
    return 0.5 * value * (1 + std::tanh(inner));
  }
  return value;
}

void HostBlas::multiplyWithLoops(const forge_rt_matmul &product, const MatmulOperands &operands) {
  Matrix lhs(operands.lhs, product.lhsType, product.lhsTransposed, product.lhsStride,
             product.lhsBatchStride);
  Matrix rhs(operands.rhs, product.rhsType, product.rhsTransposed, product.rhsStride,
             product.rhsBatchStride);
  double alpha = std::bit_cast<double>(product.alpha);
  for (int64_t batch = 0; batch < product.batch; ++batch)
    for (int64_t row = 0; row < product.m; ++row)
      for (int64_t column = 0; column < product.n; ++column) {
        double sum = 0;
        for (int64_t k = 0; k < product.k; ++k)
          sum += lhs.at(batch, row, k) * rhs.at(batch, k, column);
        int64_t index = batch * product.outBatchStride + row * product.outStride + column;
        Matrix::store(operands.out, product.outType, index,
                      finish(product, operands, index, column, alpha * sum));
      }
}

/// C = alpha * op(A) * op(B) + residual, of one matrix of the batch.
template <typename T, typename Gemm>
static void callGemm(Gemm *gemm, const forge_rt_matmul &product, const MatmulOperands &operands,
                     int64_t batch) {
  auto transpose = [](int64_t flag) { return flag ? OpenBlas::Trans : OpenBlas::NoTrans; };
  T *out = static_cast<T *>(operands.out) + batch * product.outBatchStride;
  auto *residual = static_cast<const T *>(operands.residual);
  for (int64_t row = 0; residual && residual != operands.out && row < product.m; ++row)
    std::copy_n(residual + batch * product.outBatchStride + row * product.outStride, product.n,
                out + row * product.outStride);
  gemm(OpenBlas::RowMajor, transpose(product.lhsTransposed), transpose(product.rhsTransposed),
       static_cast<int>(product.m), static_cast<int>(product.n), static_cast<int>(product.k),
       static_cast<T>(std::bit_cast<double>(product.alpha)),
       static_cast<const T *>(operands.lhs) + batch * product.lhsBatchStride,
       static_cast<int>(product.lhsStride),
       static_cast<const T *>(operands.rhs) + batch * product.rhsBatchStride,
       static_cast<int>(product.rhsStride), T(residual ? 1 : 0), out,
       static_cast<int>(product.outStride));
}

bool HostBlas::multiplyWithLibrary(const forge_rt_matmul &product,
                                   const MatmulOperands &operands) const {
  int64_t type = product.outType;
  bool floats = type == FORGE_RT_F32 || type == FORGE_RT_F64;
  if (!openBlas || !floats || product.lhsType != type || product.rhsType != type || product.k == 0)
    return false;
  for (int64_t size :
       {product.m, product.n, product.k, product.lhsStride, product.rhsStride, product.outStride})
    if (size > INT32_MAX)
      return false;
  for (int64_t batch = 0; batch < product.batch; ++batch)
    if (type == FORGE_RT_F32)
      callGemm<float>(openBlas->sgemm, product, operands, batch);
    else
      callGemm<double>(openBlas->dgemm, product, operands, batch);
  MatmulOperands rest = operands;
  rest.residual = nullptr;
  if (!operands.bias && product.epilogue == FORGE_RT_EPILOGUE_NONE)
    return true;
  for (int64_t batch = 0; batch < product.batch; ++batch)
    for (int64_t row = 0; row < product.m; ++row)
      for (int64_t column = 0; column < product.n; ++column) {
        int64_t index = batch * product.outBatchStride + row * product.outStride + column;
        double value = Matrix::load(operands.out, type, index);
        Matrix::store(operands.out, type, index, finish(product, rest, index, column, value));
      }
  return true;
}

std::unique_ptr<VendorBlas> forge::rt::createHostBlas() { return std::make_unique<HostBlas>(); }
