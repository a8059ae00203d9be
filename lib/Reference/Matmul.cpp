#include "forge/Reference/Matmul.h"

#include "forge/Reference/Rounding.h"

using namespace forge;
using namespace forge::reference;

namespace {
/// The sizes of a product, and the row-major position of each factor's elements in it.
struct Product {
  int64_t batches, m, n, k;
  bool transposeLhs, transposeRhs, sharedRhs;

  int64_t lhsAt(int64_t b, int64_t i, int64_t p) const {
    return b * m * k + (transposeLhs ? p * m + i : i * k + p);
  }
  int64_t rhsAt(int64_t b, int64_t p, int64_t j) const {
    return (sharedRhs ? 0 : b * k * n) + (transposeRhs ? j * k + p : p * n + j);
  }
};
} // namespace

static Result<Product> productOf(const HostTensor &lhs, const HostTensor &rhs,
                                 const MatmulOptions &options) {
  int64_t rank = lhs.rank(), rhsRank = rhs.rank();
  Error unfit{"cannot multiply " + typeString(lhs) + " and " + typeString(rhs)};
  if (rank < 2 || (rhsRank != 2 && rhsRank != rank))
    return unfit;
  Product product;
  product.transposeLhs = options.transposeLhs;
  product.transposeRhs = options.transposeRhs;
  product.sharedRhs = rhsRank == 2;
  product.m = lhs.dims()[rank - (options.transposeLhs ? 1 : 2)];
  product.k = lhs.dims()[rank - (options.transposeLhs ? 2 : 1)];
  product.n = rhs.dims()[rhsRank - (options.transposeRhs ? 2 : 1)];
  product.batches = 1;
  for (int64_t d = 0; d < rank - 2; ++d) {
    product.batches *= lhs.dims()[d];
    if (!product.sharedRhs && lhs.dims()[d] != rhs.dims()[d])
      return unfit;
  }
  if (rhs.dims()[rhsRank - (options.transposeRhs ? 1 : 2)] != product.k)
    return unfit;
  return product;
}

static Result<void> checkEpilogue(const Epilogue &epilogue, const Dims &result) {
  if (epilogue.bias && epilogue.bias->dims() != Dims{result.back()})
    return Error{"expected a bias of shape [" + std::to_string(result.back()) + "], but got " +
                 typeString(*epilogue.bias)};
  if (epilogue.residual && epilogue.residual->dims() != result)
    return Error{"expected a residual of shape " + dimsString(result) + ", but got " +
                 typeString(*epilogue.residual)};
  return {};
}

static void storeFloat(HostTensor &result, int64_t position, int64_t column, double sum,
                       const Epilogue &epilogue) {
  if (epilogue.bias)
    sum = rounded(sum + epilogue.bias->getDouble(column));
  if (epilogue.activation)
    sum = activation(*epilogue.activation, sum);
  if (epilogue.residual)
    sum = rounded(sum + epilogue.residual->getDouble(position));
  result.setDouble(position, sum);
}

static void storeInteger(HostTensor &result, int64_t position, int64_t column, uint64_t sum,
                         const Epilogue &epilogue) {
  if (epilogue.bias)
    sum += static_cast<uint64_t>(getInteger(*epilogue.bias, column));
  if (epilogue.residual)
    sum += static_cast<uint64_t>(getInteger(*epilogue.residual, position));
  setInteger(result, position, sum);
}

Result<HostTensor> reference::matmul(const HostTensor &lhs, const HostTensor &rhs,
                                     const MatmulOptions &options, DType resultType) {
  Result<Product> product = productOf(lhs, rhs, options);
  if (!product)
    return product.error();
  bool floating = isFloat(resultType);
  if (isFloat(lhs.type()) != floating || isFloat(rhs.type()) != floating ||
      (!floating && options.epilogue.activation))
    return Error{"cannot multiply " + typeString(lhs) + " and " + typeString(rhs) + " to " +
                 std::string(dtypeName(resultType))};
  Dims dims = lhs.dims();
  dims[dims.size() - 2] = product->m;
  dims.back() = product->n;
  if (Result<void> ok = checkEpilogue(options.epilogue, dims); !ok)
    return ok.error();
  Result<HostTensor> result = HostTensor::create(resultType, dims);
  if (!result)
    return result;
  // Each element once, not for every product that it is in.
  std::vector<double> x, y, terms;
  if (floating) {
    x = toDoubles(lhs);
    y = toDoubles(rhs);
    // A product without results may have any number of terms: it must not take memory for them.
    terms.resize(result->numElements() > 0 ? static_cast<size_t>(product->k) : 0);
  }
  int64_t position = 0;
  for (int64_t b = 0; b < product->batches; ++b)
    for (int64_t i = 0; i < product->m; ++i)
      for (int64_t j = 0; j < product->n; ++j, ++position) {
        if (floating) {
          for (int64_t p = 0; p < product->k; ++p)
            terms[p] = x[product->lhsAt(b, i, p)] * y[product->rhsAt(b, p, j)];
          Sum sum = Sum::ofProducts();
          sum.add(terms.data(), product->k);
          storeFloat(*result, position, j, sum.value(), options.epilogue);
          continue;
        }
        uint64_t sum = 0;
        for (int64_t p = 0; p < product->k; ++p)
          sum += static_cast<uint64_t>(getInteger(lhs, product->lhsAt(b, i, p)) *
                                       getInteger(rhs, product->rhsAt(b, p, j)));
        storeInteger(*result, position, j, sum, options.epilogue);
      }
  return result;
}
